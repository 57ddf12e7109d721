"""The study against an evaluator that knows all answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from r3c.core.candidate import Candidate
from r3c.core.dims import Dimension
from r3c.core.errors import JournalError, ReplayError
from r3c.core.events import Event
from r3c.core.result import Outcome, Timing, Verdict
from r3c.proposers.random import Random as RandomProposer
from r3c.search.budget import Budget, Limits
from r3c.search.evaluator import Evaluated
from r3c.search.journal import Journal
from r3c.search.study import Study, StudyResult
from r3c.testing.proposer_contract import KERNEL, problem_of
from r3c.tuners.random import Random as RandomTuner

BAD = (
    Verdict.WRONG, Verdict.BUILD_FAILED, Verdict.TIMED_OUT, Verdict.LAUNCH_FAILED, Verdict.REFUSED,
    Verdict.NONDETERMINISTIC, Verdict.IMPLAUSIBLE, Verdict.PARSE_FAILED,
)  # fmt: skip
BASE = Timing(100.0, 99.0, 101.0, 5)


class Answers:
    """Times that follow from the text; every third candidate fails, each time in another way."""

    def __init__(self, broken: bool = False) -> None:
        self.broken = broken
        self.asked = 0

    def prepare(self, candidates: Sequence[Candidate]) -> None:
        """Nothing takes time here."""

    def remember(self, candidate: Candidate, outcome: Outcome, code_hash: str) -> None:
        """Answers follow from the text."""

    def evaluate(self, candidate: Candidate) -> Evaluated:
        self.asked += 1
        if candidate.is_original:
            outcome = Outcome(Verdict.WRONG) if self.broken else Outcome(Verdict.SLOWER, BASE, BASE)
            return Evaluated(outcome, 0.5, "original")
        number = int(candidate.id[2:8], 16)
        if number % 3 == 0:
            return Evaluated(Outcome(BAD[number // 3 % len(BAD)], detail="made up"), 0.1)
        us = 50.0 + number % 100
        verdict = Verdict.FASTER if us < 99 else Verdict.SLOWER
        return Evaluated(Outcome(verdict, Timing(us, us - 1, us + 1, 5), BASE), 0.5, candidate.id)


def run(
    path: Path, answers: Answers, resume: bool = False, trials: int = 25, events: list[Event] | None = None
) -> StudyResult:
    problem = problem_of(KERNEL)
    journal = Journal(path, {"seed": 3})
    earlier = journal.open(resume)
    options = (Dimension("nvcc.maxrregcount", (0, 32, 64), default=0),)
    listener = events.append if events is not None else lambda event: None
    return Study(
        problem, answers, RandomProposer(problem, 3), RandomTuner, "nvcc", options, journal,
        Budget(Limits(trials=trials)), 3, earlier, listener,
    ).run()  # fmt: skip


def test_a_study_survives_every_verdict_and_keeps_its_budget(tmp_path: Path) -> None:
    result = run(tmp_path / "j", Answers())
    assert result.best is not None
    assert result.best.outcome.timing is not None
    verified = [
        t.outcome.timing.median_us for t in result.trials[1:] if t.outcome.verdict.is_verified and t.outcome.timing
    ]
    assert result.best.outcome.timing.median_us == min(verified)
    assert len(set(result.verdicts) - {"faster", "slower"}) >= 3
    free = result.verdicts.get("refused", 0) + result.verdicts.get("parse-failed", 0)
    assert len(result.trials) - free == 25
    assert result.stopped == "25 trials are spent"


def test_no_candidate_is_evaluated_twice(tmp_path: Path) -> None:
    texts = [trial.candidate for trial in run(tmp_path / "j", Answers()).trials]
    assert len(set(texts)) == len(texts)
    assert texts[0] == "original"


def test_a_study_cut_after_any_trial_resumes_to_the_same_end(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", Answers())
    expected = (tmp_path / "whole").read_bytes()
    lines = expected.splitlines(keepends=True)
    for kept in range(1, len(lines) + 1, 3):
        path = tmp_path / f"cut{kept}"
        path.write_bytes(b"".join(lines[:kept]))
        answers = Answers()
        again = run(path, answers, resume=True)
        assert path.read_bytes() == expected
        assert again.best == whole.best
        assert answers.asked == len(lines) - kept


def test_a_journal_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    run(tmp_path / "j", Answers(), trials=5)
    text = (tmp_path / "j").read_text().replace('"candidate": "original"', '"candidate": "other"')
    (tmp_path / "j").write_text(text)
    with pytest.raises(JournalError, match="this study would try original"):
        run(tmp_path / "j", Answers(), resume=True)


def test_an_original_that_fails_its_own_check_ends_the_study(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="the original does not pass its own check"):
        run(tmp_path / "j", Answers(broken=True))


def test_finalists_are_faster_and_of_different_machine_code(tmp_path: Path) -> None:
    finalists = run(tmp_path / "j", Answers()).finalists(3)
    assert 1 <= len(finalists) <= 3
    assert all(trial.outcome.verdict is Verdict.FASTER for trial in finalists)
    assert len({trial.code_hash for trial in finalists}) == len(finalists)


def test_events_tell_of_the_baseline_every_trial_and_every_new_best(tmp_path: Path) -> None:
    events: list[Event] = []
    result = run(tmp_path / "j", Answers(), events=events)
    kinds = [event.kind for event in events]
    assert kinds[0] == "baseline"
    assert kinds.count("trial") == len(result.trials) - 1
    best = [event.data["us"] for event in events if event.kind == "best"]
    assert best == sorted(best, reverse=True)
