"""From finalists to a winner: right on launches the search never saw, and faster on several occasions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from r3c.core.candidate import parse_candidate
from r3c.core.errors import BuildError, InvalidEdit, RewriteRefused, UserError
from r3c.core.result import Outcome, Verdict
from r3c.replay.replayer import Replayer
from r3c.rewrites.base import Rewritten
from r3c.search.audit import Audit, accept
from r3c.search.evaluator import Built, CandidateBuilder
from r3c.search.journal import Trial

OCCASIONS = 3
MOST_RIGHT = 3


@dataclass(frozen=True)
class Winner:
    """A finalist that passed; `outcome` is the occasion on which it did worst, with caches as the launches leave them.

    `cold` has the times with flushed caches, None where times come from a table.
    """

    trial: Trial
    outcome: Outcome
    built: Built
    cold: Outcome | None = None

    @property
    def rewritten(self) -> Rewritten:
        return self.built.rewritten


@dataclass(frozen=True)
class Rejected:
    """A finalist that did not, with the verdict and why."""

    trial: Trial
    outcome: Outcome


def select(
    finalists: Sequence[Trial],
    builder: CandidateBuilder,
    fresh_replayer: Callable[[], Replayer],
    trust_times: bool = True,
    audit: Audit = accept,
    most_right: int = MOST_RIGHT,
) -> tuple[Winner | None, list[Rejected]]:
    """The best finalist by the lower end of its worst speedup, and those that failed.

    Each is built again, as the application's own build would, and judged in a new process: on withheld recordings first,
    then timed against the original on three occasions. After `most_right` that were right, faster or not, no more are
    judged: one that is wrong leaves its place to the next.

    Args:
        trust_times: False where times come from a table; then the search's own time counts.
        audit: may reject what was right in every run.
    """
    winner: Winner | None = None
    rejected: list[Rejected] = []
    right = 0
    for found in finalists:
        if right == most_right:
            break
        candidate = builder.delivered(parse_candidate(found.candidate))
        trial = replace(found, candidate=str(candidate))
        try:
            built = builder.build(candidate)
        except (BuildError, RewriteRefused, InvalidEdit, UserError) as error:
            detail = builder.without_folders(candidate, str(error).partition("\n")[0])
            rejected.append(Rejected(trial, Outcome(Verdict.AUDIT_FAILED, detail=f"cannot be built again: {detail}")))
            continue
        outcome, cold = _judge(built, fresh_replayer, trial, trust_times, partial(audit, candidate))
        right += outcome.verdict.is_verified
        if outcome.verdict is not Verdict.FASTER:
            rejected.append(Rejected(trial, outcome))
        elif winner is None or (outcome.speedup_low or 0) > (winner.outcome.speedup_low or 0):
            winner = Winner(trial, outcome, built, cold)
    return winner, rejected


def _judge(
    built: Built,
    fresh_replayer: Callable[[], Replayer],
    trial: Trial,
    trust_times: bool,
    audit: Callable[[Replayer], Outcome | None],
) -> tuple[Outcome, Outcome | None]:
    """The worst occasion, or what was wrong; and the times with flushed caches of what passed."""
    plan = built.rewritten.plan
    with fresh_replayer() as replayer:
        unseen = replayer.verify(built.binary, plan)
        if not unseen.verdict.is_verified:
            return unseen, None
        seen = audit(replayer)
        if seen is not None:
            return seen, None
        if not trust_times:
            again = replayer.evaluate(built.binary, plan, time=False)
            return (trial.outcome if again.verdict.is_verified else again), None
        worst: Outcome | None = None
        for _ in range(OCCASIONS):
            outcome = replayer.evaluate(built.binary, plan)
            if outcome.verdict is not Verdict.FASTER:
                return _unconfirmed(outcome), None
            if worst is None or (outcome.speedup_low or 0) < (worst.speedup_low or 0):
                worst = outcome
        cold = replayer.evaluate(built.binary, plan, cold=True)
    assert worst is not None
    return (worst, cold) if cold.verdict.is_verified else (_unconfirmed(cold), None)


def _unconfirmed(outcome: Outcome) -> Outcome:
    if outcome.verdict is Verdict.SLOWER:
        return replace(outcome, detail="not faster when timed again")
    return replace(
        outcome, verdict=Verdict.AUDIT_FAILED, detail=f"{outcome.verdict.value} when run again: {outcome.detail}"
    )
