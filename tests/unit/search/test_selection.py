from __future__ import annotations

from dataclasses import replace

import pytest
from builds import BASE, FAST, SLOW, FakeBuilder, FakeReplayer

from r3c.core.errors import BuildError
from r3c.core.result import Mismatch, Outcome, Timing, Verdict
from r3c.search.journal import Trial
from r3c.search.selection import OCCASIONS, select

STEP = "unroll{site=smooth/loop:k,factor=4}"
OTHER = "unroll{site=smooth/loop:j,factor=2}"


def trial(number: int, text: str = STEP) -> Trial:
    return Trial(number, text, text, FAST, 0.1, f"h{number}")


def fast(us: float) -> Outcome:
    return replace(FAST, timing=Timing(us, us - 1, us + 1, 5), baseline=BASE)


class Replayers:
    """A new fake for each call, from the lists given."""

    def __init__(self, *fakes: FakeReplayer) -> None:
        self.left = list(fakes)
        self.made: list[FakeReplayer] = []

    def __call__(self) -> FakeReplayer:
        self.made.append(self.left.pop(0))
        return self.made[-1]


def test_a_winner_is_timed_on_several_occasions_and_its_worst_counts() -> None:
    replayers = Replayers(FakeReplayer([fast(50.0), fast(60.0), fast(55.0)]))
    winner, rejected = select([trial(1)], FakeBuilder(), replayers)
    assert winner is not None
    assert winner.outcome == fast(60.0)
    assert rejected == []
    assert winner.cold is not None
    assert replayers.made[0].asked == [True] * (OCCASIONS + 1)
    assert replayers.made[0].closed


def test_the_best_by_its_worst_occasion_wins() -> None:
    lucky = FakeReplayer([fast(20.0), fast(90.0), fast(20.0)])
    steady = FakeReplayer([fast(60.0)])
    winner, _ = select([trial(1), trial(2, OTHER)], FakeBuilder(), Replayers(lucky, steady))
    assert winner is not None
    assert winner.trial.number == 2


def test_wrong_on_withheld_recordings_is_rejected_without_being_timed() -> None:
    wrong = Outcome(Verdict.WRONG_WITHHELD, mismatch=Mismatch("b", 3, "1", "2", 1))
    replayer = FakeReplayer(unseen=wrong)
    winner, rejected = select([trial(1)], FakeBuilder(), Replayers(replayer))
    assert winner is None
    assert rejected[0].outcome == wrong
    assert replayer.asked == []
    assert replayer.closed


@pytest.mark.parametrize("occasion", range(OCCASIONS))
def test_slower_on_any_occasion_is_rejected(occasion: int) -> None:
    outcomes = [fast(50.0)] * OCCASIONS
    outcomes[occasion] = SLOW
    winner, rejected = select([trial(1)], FakeBuilder(), Replayers(FakeReplayer(outcomes)))
    assert winner is None
    assert rejected[0].outcome.verdict is Verdict.SLOWER
    assert rejected[0].outcome.detail == "not faster when timed again"


@pytest.mark.parametrize(
    "verdict", [Verdict.NONDETERMINISTIC, Verdict.WRONG, Verdict.TIMED_OUT, Verdict.LAUNCH_FAILED, Verdict.IMPLAUSIBLE]
)
def test_what_fails_when_run_again_fails_the_audit(verdict: Verdict) -> None:
    outcomes = [fast(50.0), Outcome(verdict, detail="two runs differ")]
    winner, rejected = select([trial(1)], FakeBuilder(), Replayers(FakeReplayer(outcomes)))
    assert winner is None
    assert rejected[0].outcome.verdict is Verdict.AUDIT_FAILED
    assert rejected[0].outcome.detail == f"{verdict.value} when run again: two runs differ"


def test_with_times_from_a_table_only_results_are_checked_again() -> None:
    right = FakeReplayer([Outcome(Verdict.SLOWER)])
    winner, _ = select([trial(1)], FakeBuilder(), Replayers(right), trust_times=False)
    assert winner is not None
    assert winner.outcome == FAST
    assert right.asked == [False]
    wrong = FakeReplayer([Outcome(Verdict.NONDETERMINISTIC)])
    winner, rejected = select([trial(1)], FakeBuilder(), Replayers(wrong), trust_times=False)
    assert winner is None
    assert rejected[0].outcome.verdict is Verdict.NONDETERMINISTIC


def test_a_finalist_that_does_not_build_again_is_rejected_and_the_next_one_judged() -> None:
    builder = FakeBuilder(errors={STEP: BuildError("the disk is full\nmore")})
    winner, rejected = select([trial(1), trial(2, OTHER)], builder, Replayers(FakeReplayer()))
    assert winner is not None
    assert winner.trial.number == 2
    assert [(r.trial.number, r.outcome.verdict) for r in rejected] == [(1, Verdict.AUDIT_FAILED)]
    assert rejected[0].outcome.detail == "cannot be built again: the disk is full"


def test_no_finalists_no_winner() -> None:
    assert select([], FakeBuilder(), Replayers()) == (None, [])


def test_one_that_is_wrong_leaves_its_place_to_the_next() -> None:
    wrong = Outcome(Verdict.WRONG_WITHHELD, mismatch=Mismatch("b", 3, "1", "2", 1))
    fakes = [FakeReplayer(unseen=wrong), FakeReplayer([SLOW]), FakeReplayer(), FakeReplayer()]
    winner, rejected = select([trial(n) for n in range(1, 5)], FakeBuilder(), Replayers(*fakes), most_right=2)
    assert winner is not None
    assert winner.trial.number == 3
    assert [r.trial.number for r in rejected] == [1, 2]
    assert fakes[3].asked == []
