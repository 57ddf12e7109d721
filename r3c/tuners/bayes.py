"""Bayesian optimisation: a Gaussian process over the log time, and one over whether a point works at all.

Expected improvement (Jones, Schonlau and Welch, Efficient Global Optimization, 1998), weighted by the probability of
being feasible (Gelbart, Snoek and Adams, Bayesian Optimization with Unknown Constraints, 2014), over all unused points
of a space that can be listed, or over random points and the neighbourhood of the best ones in a larger one. Slow times
count as moderately slow, so that the surrogate spends itself on what separates the fast ones.
"""

from __future__ import annotations

import math
import random

import numpy as np

from r3c.core.dims import Point, Space
from r3c.tuners._encoding import Encoding
from r3c.tuners._pool import PointPool
from r3c.tuners._surrogate import expected_improvement, import_gpytorch, normal_cdf
from r3c.tuners._trials import Candidates, Model, Trials
from r3c.tuners.base import Observation

FIRST_POINTS = 6  # before the surrogate is asked
SPREAD_POINTS = 16  # chosen to lie far apart; those after the first ones come in turns with the surrogate's
_SPREADS_TRIED = 100
_SPREAD_DRAWN = 1600
BEST_TO_SEARCH_AROUND = 10
_TIME_NOISE, _WORKS_NOISE = math.exp(-5), math.exp(-2)
_WORKS_SPREAD = 0.05


class Bayes:
    """The surrogate tuner. Needs gpytorch and torch.

    Raises:
        MissingExtra: they are not installed.
    """

    def __init__(self, space: Space, seed: int) -> None:
        import_gpytorch()
        self._rng = random.Random(seed)
        self._pool = PointPool(space, self._rng)
        self._encoding = Encoding(space)
        self._trials = Trials(self._encoding)
        self._spread: list[Point] | None = None
        self._candidates = Candidates(self._pool, self._encoding)
        self._time = Model(_TIME_NOISE)
        self._works = Model(_WORKS_NOISE)

    def ask(self, count: int = 1) -> list[Point]:
        out: list[Point] = []
        while len(out) < count:
            point = self._next()
            if point is None:
                break
            self._pool.use(point)
            self._trials.start(self._pool.key(point), point)
            out.append(dict(point))
        return out

    def tell(self, point: Point, observation: Observation) -> None:
        self._pool.use(point)
        self._trials.finish(self._pool.key(point), point, observation)

    def _next(self) -> Point | None:
        start = self._pool.start()
        if start is not None:
            return start
        used = self._pool.used_count
        too_little = self._trials.success_count < 2 or used < FIRST_POINTS or not self._encoding.columns
        if too_little or (used < 2 * SPREAD_POINTS - FIRST_POINTS and used % 2 == 0):
            return self._next_spread()
        return self._most_promising()

    def _next_spread(self) -> Point | None:
        """The next of a few points that lie far apart, a random one where they are used up."""
        if self._spread is None:
            self._spread = self._far_apart(SPREAD_POINTS)
        while self._spread:
            point = self._spread.pop()
            if not self._pool.is_used(point):
                return point
        return next(iter(self._pool.unused(1)), None)

    def _far_apart(self, count: int) -> list[Point]:
        """The random choice, of many, whose nearest two points are the farthest apart."""
        drawn = self._pool.unused(_SPREAD_DRAWN)
        if len(drawn) <= count:
            return drawn
        rows = self._encoding.encode(drawn)
        best, chosen = -1.0, list(range(count))
        for _ in range(_SPREADS_TRIED):
            places = self._rng.sample(range(len(drawn)), count)
            distances = np.abs(rows[places][:, None, :] - rows[places][None, :, :]).sum(-1)
            nearest = float(distances[np.triu_indices(count, 1)].min())
            if nearest > best:
                best, chosen = nearest, places
        return [drawn[place] for place in chosen]

    def _most_promising(self) -> Point | None:
        """Where the time is most expected to fall below the best one, by the probability that it works."""
        trials = self._trials
        moved = trials.has_new_best and not self._candidates.is_fixed
        if moved or self._time.is_stale(trials.told_count - trials.failure_count):
            self._candidates.draw(trials.best(BEST_TO_SEARCH_AROUND))
            self._time.learn(trials.times(), self._candidates.rows)
            if not self._candidates.is_fixed:
                self._works.forget()
        trials.has_new_best = False
        times = trials.times()
        mean, deviation = self._time.posterior(times)
        scores = expected_improvement(mean, deviation, float(np.nanmin(times.values)))
        if trials.failure_count:
            labels = trials.labels()
            if self._works.is_stale(trials.told_count):
                self._works.learn(labels, self._candidates.rows)
            mean, deviation = self._works.posterior(labels)
            scores = scores * normal_cdf(mean / np.sqrt(deviation**2 + _WORKS_SPREAD))
        return self._candidates.best_unused(scores)
