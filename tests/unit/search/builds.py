"""A builder and a replayer that know all answers, for tests of what stands above them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from r3c.core.binary import Binary
from r3c.core.candidate import Candidate
from r3c.core.result import Outcome, Timing, Verdict
from r3c.proposers.base import Problem
from r3c.rewrites.base import apply_candidate
from r3c.search.evaluator import Built
from r3c.testing.proposer_contract import KERNEL, problem_of

BASE = Timing(100.0, 99.0, 101.0, 5)
FAST = Outcome(Verdict.FASTER, Timing(50.0, 49.0, 51.0, 5), BASE)
SLOW = Outcome(Verdict.SLOWER, Timing(150.0, 149.0, 151.0, 5), BASE)


@dataclass
class FakeBuilder:
    """Machine code is the rewritten text, or what `code_of` makes of it; `errors` are raised for the texts they name."""

    problem: Problem = field(default_factory=lambda: problem_of(KERNEL))
    errors: dict[str, Exception] = field(default_factory=dict)
    code_of: Callable[[str], str] = str
    discarded: list[str] = field(default_factory=list)

    def build(self, candidate: Candidate) -> Built:
        error = self.errors.get(str(candidate))
        if error is not None:
            raise error
        problem = self.problem
        rewritten = apply_candidate(problem.source, problem.kernel, candidate)
        return Built(rewritten, Binary("k.so", "k", self.code_of(rewritten.source.text), "fake", {"registers": 32.0}))

    def start(self, candidates: Sequence[Candidate]) -> None:
        """Nothing takes time here."""

    def wait(self) -> None:
        """Nothing takes time here."""

    def delivered(self, candidate: Candidate) -> Candidate:
        return candidate

    def discard(self, candidate: Candidate) -> None:
        self.discarded.append(str(candidate))

    def without_folders(self, candidate: Candidate, text: str) -> str:
        return text.replace("/out/", "")


class FakeReplayer:
    """Gives `outcomes` one after the other, the last one again and again; `unseen` is that of withheld recordings."""

    def __init__(self, outcomes: Sequence[Outcome] = (FAST,), unseen: Outcome = SLOW) -> None:
        self.outcomes = list(outcomes)
        self.unseen = unseen
        self.asked: list[bool] = []
        self.closed = False

    def evaluate(self, binary: Binary, plan: object, time: bool = True, cold: bool = False) -> Outcome:
        self.asked.append(time)
        return self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]

    def verify(self, binary: Binary, plan: object) -> Outcome:
        return self.unseen

    def __enter__(self) -> FakeReplayer:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True
