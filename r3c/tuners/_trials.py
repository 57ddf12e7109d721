"""What a surrogate tuner remembers: every point given or told, and the models over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from r3c.core.dims import Point
from r3c.tuners._encoding import Encoding
from r3c.tuners._pool import Key, PointPool
from r3c.tuners._surrogate import Array, Surrogate
from r3c.tuners.base import Observation

SLOW_QUANTILE = 0.7  # times above it count as this
ROWS_MAX = 1000  # a posterior conditions on; above, the best and the latest
DRAWN_MAX = 3000  # candidates drawn from a space that is not listed
LEARN_ALWAYS = 20  # trials up to which hyper-parameters are learned after each
LEARN_EVERY = 6  # trials after that, or a part of those there are
LEARN_PART = 1 / 12


@dataclass(frozen=True)
class Targets:
    """What a model learns, one entry a trial.

    Attributes:
        rows: `n x d`.
        values: NaN where there is none yet, or none at all.
        noise: variances of `values`.
        is_wanted: false for trials that say nothing to this model.
    """

    rows: Array
    values: Array
    noise: Array
    is_wanted: Sequence[bool]


class Trials:
    """Points in the order in which they were given or told."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._place: dict[Key, int] = {}
        self._points: list[Point] = []
        self._rows: list[Array] = []
        self._logs: list[float] = []  # NaN where there is no time
        self._noise: list[float] = []
        self._works: list[bool | None] = []  # None while it is not told
        self.has_new_best = False

    def start(self, key: Key, point: Point) -> None:
        """A point was given."""
        if key in self._place:
            return
        self._place[key] = len(self._points)
        self._points.append(dict(point))
        self._rows.append(self._encoding.encode([point])[0])
        self._logs.append(math.nan)
        self._noise.append(0.0)
        self._works.append(None)

    def finish(self, key: Key, point: Point, observation: Observation) -> None:
        self.start(key, point)
        at = self._place[key]
        value_us = observation.value_us
        self._works[at] = observation.feasible and value_us is not None and 0 < value_us < math.inf
        if self._works[at] and value_us is not None:
            self.has_new_best |= math.log(value_us) < np.nanmin([*self._logs, math.inf])
            self._logs[at], self._noise[at] = math.log(value_us), observation.noise**2

    @property
    def told_count(self) -> int:
        return len(self._works) - self._works.count(None)

    @property
    def success_count(self) -> int:
        return self._works.count(True)

    @property
    def failure_count(self) -> int:
        return self._works.count(False)

    def best(self, count: int) -> list[Point]:
        """Fastest first."""
        working = [at for at, works in enumerate(self._works) if works]
        return [self._points[at] for at in sorted(working, key=lambda at: (self._logs[at], at))[:count]]

    def times(self) -> Targets:
        """Logarithms of the times, slow ones cut, scaled to mean 0 and variance 1."""
        logs = np.array(self._logs)
        known = logs[~np.isnan(logs)]
        cut = np.minimum(logs, np.quantile(known, SLOW_QUANTILE))
        mean, deviation = float(np.nanmean(cut)), float(np.nanstd(cut)) or 1.0
        noise = np.array(self._noise) / deviation**2
        wanted = [works is not False for works in self._works]
        return Targets(np.array(self._rows), (cut - mean) / deviation, noise, wanted)

    def labels(self) -> Targets:
        """1 for trials that work, -1 for those that do not."""
        values = [math.nan if works is None else 1.0 if works else -1.0 for works in self._works]
        count = len(values)
        return Targets(np.array(self._rows), np.array(values), np.zeros(count), [True] * count)


class Model:
    """A surrogate of some targets: learns now and then, conditions on every trial."""

    def __init__(self, noise_guess: float) -> None:
        self._noise_guess = noise_guess
        self._surrogate: Surrogate | None = None
        self._held: list[int] = []  # trials that the posterior conditions on
        self._looked_at = 0  # trials, whether they were held or not
        self._learned_at: int | None = None

    def is_stale(self, told_count: int) -> bool:
        if self._learned_at is None:
            return True
        every = 1 if told_count < LEARN_ALWAYS else max(LEARN_EVERY, int(LEARN_PART * told_count))
        return told_count - self._learned_at >= every

    def forget(self) -> None:
        """The candidates have changed."""
        self._learned_at = None

    def learn(self, targets: Targets, candidates: Array) -> None:
        """Hyper-parameters, from trials whose values are known; then the posterior on `candidates` (`m x d`)."""
        if self._surrogate is None:
            self._surrogate = Surrogate(targets.rows.shape[1], self._noise_guess)
        known = ~np.isnan(targets.values)
        self._held = [at for at, wanted in enumerate(targets.is_wanted) if wanted]
        if len(self._held) > ROWS_MAX:
            kept = set(rows_to_keep([float(targets.values[at]) for at in self._held], ROWS_MAX))
            self._held = [at for place, at in enumerate(self._held) if place in kept]
        held = np.array(self._held)
        fitted = held[known[held]]
        self._surrogate.fit(targets.rows[fitted], targets.values[fitted], targets.noise[fitted])
        self._surrogate.watch(targets.rows[held], targets.noise[held], candidates)
        self._learned_at = int(known.sum())
        self._looked_at = len(targets.is_wanted)

    def posterior(self, targets: Targets) -> tuple[Array, Array]:
        """Mean and standard deviation on the candidates."""
        assert self._surrogate is not None
        for at in range(self._looked_at, len(targets.is_wanted)):
            if targets.is_wanted[at]:
                self._surrogate.append(targets.rows[at], float(targets.noise[at]))
                self._held.append(at)
        self._looked_at = len(targets.is_wanted)
        return self._surrogate.posterior(targets.values[np.array(self._held)])


class Candidates:
    """Where the next point may be: all of a space that is listed, else random points and neighbours of the best."""

    def __init__(self, pool: PointPool, encoding: Encoding) -> None:
        self._pool, self._encoding = pool, encoding
        self.is_fixed = pool.listed is not None
        self._points: list[Point] = pool.listed or []
        self._encoded: Array | None = None

    @property
    def rows(self) -> Array:
        """`m x d`."""
        if self._encoded is None:
            self._encoded = self._encoding.encode(self._points)
        return self._encoded

    def draw(self, best: Sequence[Point]) -> None:
        """New ones, also in the neighbourhood of `best`."""
        if self.is_fixed:
            return
        near = [point for middle in best for point in self._pool.neighbours(middle)]
        found = {self._pool.key(point): point for point in [*self._pool.unused(DRAWN_MAX), *near]}
        self._points, self._encoded = list(found.values()), None

    def best_unused(self, scores: Array) -> Point | None:
        if self.is_fixed:
            left = np.array(self._pool.left, dtype=np.intp)
            return self._points[int(left[np.argmax(scores[left])])] if len(left) else None
        for at in map(int, np.argsort(-scores, kind="stable")):
            if not self._pool.is_used(self._points[at]):
                return self._points[at]
        return next(iter(self._pool.unused(1)), None)


def rows_to_keep(values: Sequence[float], most: int) -> list[int]:
    """Places of the lowest and of the latest values, in order; those without a value count as latest."""
    by_value = sorted(range(len(values)), key=lambda at: (math.isnan(values[at]), values[at], at))
    best = set(by_value[: most // 2])
    rest = [at for at in range(len(values) - 1, -1, -1) if at not in best][: most - len(best)]
    return sorted([*best, *rest])
