from __future__ import annotations

from pathlib import Path

import pytest
from builds import FAST, FakeBuilder, FakeReplayer

from r3c.core.candidate import Candidate, parse_candidate
from r3c.core.errors import (
    BuildError,
    ConfigError,
    InvalidEdit,
    MissingExtra,
    ReplayError,
    RewriteRefused,
    SpecError,
)
from r3c.core.result import Outcome, Verdict
from r3c.devices.table import TRIAL_S, Table
from r3c.search.evaluator import ReplayEvaluator

STEP = "unroll{site=smooth/loop:k,factor=4}"


@pytest.fixture
def candidate() -> Candidate:
    return parse_candidate(STEP)


def table_of(path: Path, **times: float) -> Table:
    text = ", ".join(f'"{name}": {us}' for name, us in {"original": 100.0, **times}.items())
    path.write_text(f'{{"default": "hash", "times_us": {{{text}}}}}')
    return Table(path)


@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        (RewriteRefused("refused: no"), Verdict.REFUSED),
        (InvalidEdit("edits overlap"), Verdict.PARSE_FAILED),
        (SpecError("column 3"), Verdict.PARSE_FAILED),
        (BuildError("/out/k.cu:3: error: x\nmore", "g++"), Verdict.BUILD_FAILED),
    ],
)
def test_what_building_raises_is_a_verdict(candidate: Candidate, error: Exception, verdict: Verdict) -> None:
    builder = FakeBuilder(errors={STEP: error})
    done = ReplayEvaluator(builder, FakeReplayer()).evaluate(candidate)
    assert done.outcome.verdict is verdict
    assert done.code_hash == ""
    assert "\n" not in done.outcome.detail
    assert "/out/" not in done.outcome.detail
    assert builder.discarded == [STEP]


def test_a_missing_package_and_a_broken_replay_end_the_study(candidate: Candidate) -> None:
    builder = FakeBuilder(errors={STEP: MissingExtra("toolchain needs x")})
    with pytest.raises(MissingExtra):
        ReplayEvaluator(builder, FakeReplayer()).evaluate(candidate)

    class Broken(FakeReplayer):
        def evaluate(self, *_: object, **__: object) -> Outcome:
            raise ReplayError("the recordings are gone")

    with pytest.raises(ReplayError):
        ReplayEvaluator(FakeBuilder(), Broken()).evaluate(candidate)


@pytest.mark.parametrize("verdict", [v for v in Verdict if v not in (Verdict.DUPLICATE,)])
def test_verdicts_of_the_replay_are_kept(candidate: Candidate, verdict: Verdict) -> None:
    outcome = Outcome(verdict, detail="so it was", features={"registers": 32.0}, seconds={"replay": 0.25})
    done = ReplayEvaluator(FakeBuilder(), FakeReplayer([outcome])).evaluate(candidate)
    assert (done.outcome.verdict, done.outcome.detail) == (verdict, "so it was")
    assert set(done.outcome.seconds) == {"build", "replay"}
    assert done.code_hash


def test_the_same_code_is_not_replayed_again(candidate: Candidate) -> None:
    replayer = FakeReplayer()
    evaluator = ReplayEvaluator(FakeBuilder(code_of=lambda _: "same"), replayer)
    evaluator.evaluate(Candidate())
    again = evaluator.evaluate(candidate).outcome
    assert again.verdict is Verdict.DUPLICATE
    assert again.timing == FAST.timing
    assert again.detail == "the same machine code and launch as original"
    assert len(replayer.asked) == 1


def test_the_same_code_with_another_launch_is_replayed() -> None:
    replayer = FakeReplayer()
    evaluator = ReplayEvaluator(FakeBuilder(code_of=lambda _: "same"), replayer)
    evaluator.evaluate(Candidate())
    assert evaluator.evaluate(parse_candidate("block{x=64,y=1,z=1}")).outcome.verdict is Verdict.FASTER
    assert len(replayer.asked) == 2


def test_remembered_trials_make_the_same_duplicates(candidate: Candidate) -> None:
    first = ReplayEvaluator(FakeBuilder(code_of=lambda _: "same"), FakeReplayer())
    original = first.evaluate(Candidate())
    expected = first.evaluate(candidate)
    resumed = ReplayEvaluator(FakeBuilder(code_of=lambda _: "same"), FakeReplayer())
    resumed.remember(Candidate(), original.outcome, original.code_hash)
    got = resumed.evaluate(candidate)
    assert (got.outcome.verdict, got.outcome.detail, got.outcome.timing) == (
        expected.outcome.verdict,
        expected.outcome.detail,
        expected.outcome.timing,
    )


def test_a_duplicate_or_a_failed_build_is_nothing_to_remember(candidate: Candidate) -> None:
    evaluator = ReplayEvaluator(FakeBuilder(code_of=lambda _: "same"), FakeReplayer())
    evaluator.remember(Candidate(), Outcome(Verdict.DUPLICATE, FAST.timing), "same")
    evaluator.remember(Candidate(), Outcome(Verdict.BUILD_FAILED), "")
    assert evaluator.evaluate(candidate).outcome.verdict is Verdict.FASTER


def test_with_a_table_nothing_of_a_clock_is_left(candidate: Candidate, tmp_path: Path) -> None:
    verified = Outcome(Verdict.SLOWER, detail="verified, not timed", seconds={"replay": 0.3})
    table = table_of(tmp_path / "t.json", **{STEP: 40.0})
    replayer = FakeReplayer([verified])
    done = ReplayEvaluator(FakeBuilder(), replayer, table).evaluate(candidate)
    assert done.outcome.verdict is Verdict.FASTER
    assert done.outcome.seconds == {}
    assert done.seconds == TRIAL_S
    assert done.outcome.speedup == 2.5
    assert replayer.asked == [False]


def test_with_a_table_a_time_limit_is_told_without_its_seconds(candidate: Candidate, tmp_path: Path) -> None:
    hung = Outcome(Verdict.TIMED_OUT, detail="launch of smooth: still running after 7.3 s", seconds={"replay": 7.4})
    done = ReplayEvaluator(FakeBuilder(), FakeReplayer([hung]), table_of(tmp_path / "t")).evaluate(candidate)
    assert done.outcome.verdict is Verdict.TIMED_OUT
    assert not any(letter.isdigit() for letter in done.outcome.detail)


def test_a_candidate_that_a_table_lacks_ends_the_study(candidate: Candidate, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"times_us": {"original": 100.0}}')
    verified = FakeReplayer([Outcome(Verdict.SLOWER)])
    with pytest.raises(ConfigError, match="no entry for unroll"):
        ReplayEvaluator(FakeBuilder(), verified, Table(tmp_path / "t.json")).evaluate(candidate)
