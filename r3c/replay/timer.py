"""Times from samples: medians with bootstrap intervals, batches above clock resolution, hopeless candidates.

The interval is the percentile bootstrap of the median (Efron and Tibshirani, An Introduction to the Bootstrap, 1993).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from r3c.core.result import Timing

_RESAMPLES = 1000
_TAIL = 0.01


@dataclass(frozen=True)
class TimingPlan:
    """How a candidate is timed beside the baseline.

    Attributes:
        samples: samples of each, at most.
        least_samples: samples of each before a candidate may be given up, and where time runs short.
        sample_us: launches are batched until a sample takes about this long.
        budget_s: for all samples of one evaluation.
        hopeless: a candidate whose best sample is this many times the baseline's worst is given up early.
        cold: flush the device's caches before each sample.
    """

    samples: int = 15
    least_samples: int = 5
    sample_us: float = 1000.0
    budget_s: float = 6.0
    hopeless: float = 1.3
    cold: bool = False


@dataclass(frozen=True)
class Samples:
    """Times in us of one launch of one recording, baseline and candidate taken by turns; `weight` counts its launches."""

    weight: float
    baseline: tuple[float, ...]
    candidate: tuple[float, ...]


def batch_of(launch_us: float, sample_us: float) -> int:
    """Launches in a sample so that it takes about `sample_us`."""
    return max(1, min(1000, round(sample_us / max(launch_us, 0.01))))


def is_hopeless(baseline: Sequence[float], candidate: Sequence[float], plan: TimingPlan) -> bool:
    enough = min(len(baseline), len(candidate)) >= min(3, plan.least_samples)
    return enough and min(candidate) > plan.hopeless * max(baseline)


def timing(samples: Sequence[Sequence[float]], weights: Sequence[float], seed: int) -> Timing:
    """Mean time of a launch over recordings, each with its median and its weight; the interval covers 98 %.

    `samples` has one list of times for each recording. Equal arguments give equal answers.
    """
    generator = np.random.default_rng(seed)
    share = np.asarray(weights, np.float64) / np.sum(weights)
    medians = np.zeros(_RESAMPLES)
    for times, weight in zip(samples, share, strict=True):
        values = np.asarray(times, np.float64)
        drawn = values[generator.integers(0, len(values), (_RESAMPLES, len(values)))]
        medians += weight * np.median(drawn, axis=1)
    median = float(sum(w * np.median(times) for times, w in zip(samples, share, strict=True)))
    low, high = np.quantile(medians, [_TAIL, 1 - _TAIL])
    return Timing(median, min(float(low), median), max(float(high), median), min(len(times) for times in samples))


def compare_times(samples: Sequence[Samples], seed: int) -> tuple[Timing, Timing]:
    """Timing of the candidate and of the baseline beside it."""
    weights = [s.weight for s in samples]
    candidate = timing([s.candidate for s in samples], weights, seed)
    return candidate, timing([s.baseline for s in samples], weights, seed + 1)
