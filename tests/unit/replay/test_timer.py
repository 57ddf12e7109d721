import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from r3c.replay.timer import Samples, TimingPlan, batch_of, compare_times, is_hopeless, timing


def test_timing_is_repeatable_and_holds_its_median():
    one = timing([[1.0, 2.0, 3.0, 4.0, 100.0]], [1], seed=3)
    assert one == timing([[1.0, 2.0, 3.0, 4.0, 100.0]], [1], seed=3)
    assert (one.median_us, one.count) == (3.0, 5)
    assert one.low_us <= 3.0 <= one.high_us


def test_recordings_count_by_their_launches():
    assert timing([[10.0] * 5, [20.0] * 5], [3, 1], seed=0).median_us == pytest.approx(12.5)


def test_constant_times_have_no_width():
    found = timing([[5.0] * 4], [1], seed=1)
    assert found.low_us == found.high_us == 5.0


@given(st.lists(st.floats(0.1, 1e6), min_size=1, max_size=20), st.integers(0, 9))
def test_interval_lies_within_the_samples(times, seed):
    found = timing([times], [2], seed)
    assert min(times) <= found.low_us <= found.median_us <= found.high_us <= max(times)


def test_short_launches_are_batched_and_long_ones_not():
    assert batch_of(1.0, 1000.0) == 1000
    assert batch_of(300.0, 1000.0) == 3
    assert batch_of(1e6, 1000.0) == 1
    assert batch_of(0.0, 1000.0) == 1000


def test_candidate_is_hopeless_only_after_some_samples():
    plan = TimingPlan(hopeless=1.5)
    assert not is_hopeless([1.0, 1.0], [9.0, 9.0], plan)
    assert is_hopeless([1.0] * 3, [9.0] * 3, plan)
    assert not is_hopeless([1.0, 1.0, 8.0], [9.0] * 3, plan)


def test_candidate_and_baseline_keep_their_own_times():
    candidate, baseline = compare_times([Samples(2, (10.0, 11.0, 12.0), (5.0, 6.0, 7.0))], seed=0)
    assert (candidate.median_us, baseline.median_us) == (6.0, 11.0)


def noisy_turns(generator: np.random.Generator, count: int, ratio: float) -> Samples:
    """Times by turns on a machine whose clock drifts and that is disturbed now and then; the candidate takes `ratio`."""
    size = 2 * count
    drift = np.exp(np.cumsum(generator.normal(0, 0.01, size)))
    noise = generator.lognormal(0, 0.05, size) * np.where(generator.random(size) < 0.1, 2.0, 1.0)
    times = (100 * drift * noise).reshape(count, 2)
    times[1::2] = times[1::2, ::-1]
    return Samples(1, tuple(times[:, 0]), tuple(ratio * times[:, 1]))


def faster_count(ratio: float, trials: int = 400) -> int:
    generator = np.random.default_rng(5)
    pairs = (compare_times([noisy_turns(generator, 15, ratio)], seed=0) for _ in range(trials))
    return sum(candidate.high_us < baseline.low_us for candidate, baseline in pairs)


def test_equal_kernels_are_hardly_ever_told_apart():
    assert faster_count(1.0) <= 4


def test_clear_gain_is_seen():
    assert faster_count(0.7) >= 350
