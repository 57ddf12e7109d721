from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from r3c.core.binary import Binary
from r3c.core.candidate import LaunchShape
from r3c.core.contract import BufferContract, Contract, Role, Tolerance
from r3c.core.errors import ReplayError
from r3c.core.launch import LaunchPlan
from r3c.core.result import Verdict
from r3c.recording.store import RecordingStore
from r3c.replay.replayer import Replayer
from r3c.replay.timer import TimingPlan
from r3c.testing.fake_device import NAME, FakeBuffer, record_fake

PARAMETERS = (("x", "const float *"), ("y", "float *"), ("n", "int"))
EXACT = Contract("k", parameters=PARAMETERS)
DOUBLE = "y[:] = 2 * x"


class Bench:
    """Records one kernel of two buffers and replays others against it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = RecordingStore(folder / "store")
        self.made = 0

    def binary(self, body: str, time_us: float = 100.0, head: str = "") -> Binary:
        self.made += 1
        path = self.folder / f"k{self.made}.py"
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        path.write_text(
            f"import numpy as np, os\nTIME_US = {time_us}\n{head}\n"
            f"def k(k):\n    n = k.scalar(16)\n    x, y = k.pointer(0, n), k.pointer(8, n)\n{lines}"
        )
        return Binary(str(path), "k", "", "fake", {"registers": 9.0})

    def record(self, binary: Binary, seed: int = 0, count: int = 100, y: float = 0.0, **more: object):
        x = np.random.default_rng(seed).random(count).astype("f4")
        arguments = [FakeBuffer("x", x), FakeBuffer("y", np.full(count, y, "f4")), ("n", count)]
        return record_fake(self.store, Path(binary.path), "k", arguments, (4, 1, 1), **more)

    def replayer(self, original: Binary, recordings, contract: Contract = EXACT, timeout_s: float = 5.0) -> Replayer:
        plan = TimingPlan(samples=7)
        return Replayer(NAME, self.store, recordings, contract, original, timeout_s, plan)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_gate_accepts_an_original_that_reproduces_every_byte(bench):
    original = bench.binary(DOUBLE)
    with bench.replayer(original, [bench.record(original)]) as replayer:
        report = replayer.gate()
        assert report.accepted
        assert report.exact
        assert report.detail == "every byte equal"
        assert replayer.baseline is not None
        assert replayer.baseline.median_us == pytest.approx(100.0, rel=0.02)


def test_gate_states_noise_within_the_tolerance(bench):
    original = bench.binary("y[:] = 2 * x * (1 + 1e-6 * (k.order == 'descending'))")
    loose = Contract("k", Tolerance(1e-4), parameters=PARAMETERS)
    with bench.replayer(original, [bench.record(original)], loose) as replayer:
        report = replayer.gate()
        assert report.accepted
        assert not report.exact
        assert not report.deterministic
        assert "differs from run to run" in report.detail
        assert replayer.evaluate(original).verdict.is_verified


def test_gate_refuses_noise_above_the_tolerance_with_a_hint(bench):
    original = bench.binary("y[:] = 2 * x * (1 + 1e-3 * (k.order == 'descending'))")
    with bench.replayer(original, [bench.record(original)]) as replayer:
        report = replayer.gate()
        assert not report.accepted
        with pytest.raises(ReplayError, match=r"k: the original does not reproduce.*y\[0\].*run to run[^$]*rtol"):
            report.require()


def test_gate_refuses_another_kernel(bench):
    recording = bench.record(bench.binary(DOUBLE))
    with (
        bench.replayer(bench.binary("y[:] = 3 * x"), [recording]) as replayer,
        pytest.raises(ReplayError, match=r"y\[0\]"),
    ):
        replayer.gate().require()


def test_original_that_crashes_in_replay_is_an_error(bench):
    recording = bench.record(bench.binary(DOUBLE))
    with (
        bench.replayer(bench.binary("os.abort()"), [recording]) as replayer,
        pytest.raises(ReplayError, match="SIGABRT"),
    ):
        replayer.gate()


def test_out_buffer_that_is_read_is_noted_and_not_poisoned(bench):
    original = bench.binary("y[:] += x")
    contract = Contract("k", buffers={"y": BufferContract(Role.OUT)}, parameters=PARAMETERS)
    with bench.replayer(original, [bench.record(original, y=1.0)], contract) as replayer:
        report = replayer.gate()
        assert report.accepted
        assert "declared out, but what was in it before matters" in report.notes[0]
        assert replayer.evaluate(original).verdict.is_verified


def test_zero_that_was_zero_before_must_still_be_written_to_an_out_buffer(bench):
    original = bench.binary("y[:50] = 2 * x[:50]\ny[50:90] = 0")
    lazy = bench.binary("y[:50] = 2 * x[:50]")
    recording = bench.record(original)
    contract = Contract("k", buffers={"y": BufferContract(Role.OUT)}, parameters=PARAMETERS)
    with bench.replayer(original, [recording], contract) as replayer:
        replayer.gate().require()
        assert replayer.evaluate(original).verdict.is_verified
        outcome = replayer.evaluate(lazy)
    assert outcome.verdict is Verdict.WRONG
    assert outcome.mismatch is not None
    assert (outcome.mismatch.element, outcome.mismatch.count) == (50, 40)
    with bench.replayer(original, [recording]) as replayer:
        replayer.gate().require()
        assert replayer.evaluate(lazy).verdict.is_verified


def test_worker_is_replaced_after_a_crash_and_remembers_what_the_gate_learned(bench):
    original = bench.binary("y[:50] = 2 * x[:50]\ny[50:90] = 0")
    contract = Contract("k", buffers={"y": BufferContract(Role.OUT)}, parameters=PARAMETERS)
    with bench.replayer(original, [bench.record(original)], contract) as replayer:
        replayer.gate().require()
        assert replayer.evaluate(bench.binary("os.abort()")).verdict is Verdict.LAUNCH_FAILED
        outcome = replayer.evaluate(bench.binary("y[:50] = 2 * x[:50]"))
        assert outcome.verdict is Verdict.WRONG
        assert [outcome.seconds["replace"]] == replayer.replacements_s
        outcome = replayer.evaluate(original)
        assert outcome.verdict is Verdict.SLOWER
        assert "replace" not in outcome.seconds


def test_hang_is_killed_after_the_limit(bench):
    original = bench.binary(DOUBLE)
    with bench.replayer(original, [bench.record(original)], timeout_s=2.0) as replayer:
        replayer.gate().require()
        outcome = replayer.evaluate(bench.binary("while True: pass"))
        assert outcome.verdict is Verdict.TIMED_OUT
        assert outcome.detail == "run candidate: still running after 2.0 s"


def test_withheld_recording_is_used_by_verify_alone(bench):
    original = bench.binary(DOUBLE)
    recordings = [bench.record(original, 1), bench.record(original, 2, count=64, withheld=True)]
    fitted = bench.binary("y[:] = 2 * x if n == 100 else 0")
    with bench.replayer(original, recordings) as replayer:
        replayer.gate().require()
        assert replayer.evaluate(fitted).verdict.is_verified
        assert replayer.verify(fitted).verdict is Verdict.WRONG_WITHHELD
        assert replayer.verify(original).verdict.is_verified
        assert replayer.verify(original, time=True).timing is not None


def test_verify_says_that_nothing_was_withheld(bench):
    original = bench.binary(DOUBLE)
    with bench.replayer(original, [bench.record(original)]) as replayer:
        assert replayer.verify(original).detail == "no recording was withheld"


def test_launch_shape_of_the_plan_is_used(bench):
    original = bench.binary("y[:k.threads] = 2 * x[:k.threads]")
    plan = LaunchPlan(LaunchShape(16))
    with bench.replayer(original, [bench.record(original)]) as replayer:
        replayer.gate().require()
        assert replayer.evaluate(original, plan, time=False).verdict.is_verified
        fewer = LaunchPlan(LaunchShape(16), indices_per_thread=(2, 1, 1))
        assert replayer.evaluate(original, fewer).verdict is Verdict.WRONG
        assert replayer.evaluate(original, LaunchPlan(LaunchShape(2048))).verdict is Verdict.LAUNCH_FAILED


def test_untimed_evaluation_has_no_times_and_keeps_features(bench):
    original = bench.binary(DOUBLE)
    with bench.replayer(original, [bench.record(original)]) as replayer:
        outcome = replayer.evaluate(original, time=False)
        assert outcome.verdict.is_verified
        assert outcome.timing is None
        assert outcome.features == {"registers": 9.0}
        assert outcome.seconds["replay"] > 0


def test_times_are_weighted_by_the_launches_of_each_recording(bench):
    original = bench.binary(DOUBLE)
    recordings = [bench.record(original, 1, occurrences=9), bench.record(original, 2, occurrences=1)]
    with bench.replayer(original, recordings) as replayer:
        replayer.gate().require()
        outcome = replayer.evaluate(bench.binary(DOUBLE, time_us=50.0))
        assert outcome.verdict is Verdict.FASTER
        assert outcome.speedup == pytest.approx(2.0, rel=0.02)
        assert outcome.speedup_low is not None
        assert 1.9 < outcome.speedup_low <= outcome.speedup


def test_gain_smaller_than_between_copies_of_the_original_is_not_faster(bench):
    head = "TIME_US = 104.0 if __file__.rpartition('/')[2].startswith('1-') else 100.0"
    original = bench.binary(DOUBLE, head=head)
    with bench.replayer(original, [bench.record(original)]) as replayer:
        replayer.gate().require()
        assert replayer.noise == pytest.approx(0.04, abs=0.005)
        assert replayer.evaluate(bench.binary(DOUBLE, time_us=97.0)).verdict is Verdict.SLOWER
        assert replayer.evaluate(bench.binary(DOUBLE, time_us=90.0)).verdict is Verdict.FASTER


def test_self_test_finds_a_launch_that_changes_nothing(bench):
    original = bench.binary("y[:] = 0")
    with bench.replayer(original, [bench.record(original)]) as replayer:
        report = replayer.gate()
        assert "changes no memory" in report.notes[0]
        assert replayer.self_test() == ["a kernel that does nothing would pass"]


def test_self_test_accepts_a_kernel_that_copies(bench):
    original = bench.binary("y[:] = x")
    with bench.replayer(original, [bench.record(original)]) as replayer:
        replayer.gate().require()
        assert replayer.self_test() == []


def test_memory_another_recording_uses_must_stay_as_it_was(bench):
    original = bench.binary(DOUBLE)
    recordings = [bench.record(original, 1, count=100), bench.record(original, 2, count=200)]
    stray = bench.binary("y[:] = 2 * x\nif n == 100: k.pointer(8, 150)[140] = 1")
    with bench.replayer(original, recordings) as replayer:
        replayer.gate().require()
        outcome = replayer.evaluate(stray)
    assert outcome.verdict is Verdict.WRONG
    assert outcome.mismatch is not None
    assert outcome.mismatch.buffer == "memory outside every buffer"


def test_memory_between_near_buffers_is_left_alone(bench):
    original = bench.binary("x[:] += 1\ny[:] = 2 * x")
    near = [FakeBuffer("x", np.ones(100, "f4"), 4096), FakeBuffer("y", np.ones(100, "f4"), 8192), ("n", 100)]
    recording = record_fake(bench.store, Path(original.path), "k", near, (4, 1, 1))
    with bench.replayer(original, [recording]) as replayer:
        replayer.gate().require()
        assert replayer.evaluate(original).verdict.is_verified


def test_missing_recordings_are_an_error(bench):
    with pytest.raises(ReplayError, match="no recording of k to replay"):
        bench.replayer(bench.binary(DOUBLE), [])
