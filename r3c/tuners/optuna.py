"""Optuna's samplers as a tuner; another sampler is a subclass with its own `make_sampler`."""

from __future__ import annotations

import math
import random
from typing import Any

from r3c.core.dims import Dimension, Point, Space
from r3c.core.errors import MissingExtra
from r3c.tuners._pool import Key, PointPool
from r3c.tuners.base import Observation

_DRAWS = 40  # of the sampler, for a point that is allowed and new; then a random one


def import_optuna() -> Any:
    """
    Raises:
        MissingExtra: it is not installed.
    """
    try:
        import optuna
    except ImportError as error:
        raise MissingExtra(f"tuner optuna needs {error.name}", hint="pip install 'r3c[optuna]'") from None
    return optuna


class Optuna:
    """Optuna's tree-structured Parzen estimator over the places of the values; it is told logarithms of times.

    Raises:
        MissingExtra: optuna is not installed.
    """

    def __init__(self, space: Space, seed: int) -> None:
        self._optuna = import_optuna()
        self._optuna.logging.set_verbosity(self._optuna.logging.WARNING)
        self._pool = PointPool(space, random.Random(seed))
        self._study = self._optuna.create_study(sampler=self.make_sampler(seed))
        self._dimensions = space.dimensions
        self._distributions = {d.name: self._distribution(d) for d in space.dimensions if len(d.values) > 1}
        self._asked: dict[Key, Any] = {}  # trials whose result is not told yet

    def make_sampler(self, seed: int) -> Any:
        """A sampler of Optuna that takes its random numbers from `seed`."""
        return self._optuna.samplers.TPESampler(seed=seed, multivariate=True, warn_independent_sampling=False)

    def _distribution(self, dimension: Dimension) -> Any:
        last = len(dimension.values) - 1
        if dimension.ordered:
            return self._optuna.distributions.IntDistribution(0, last)
        return self._optuna.distributions.CategoricalDistribution(list(range(last + 1)))

    def ask(self, count: int = 1) -> list[Point]:
        out: list[Point] = []
        while len(out) < count:
            point = self._pool.start() or self._sampled() or next(iter(self._pool.unused(1)), None)
            if point is None:
                break
            self._pool.use(point)
            out.append(dict(point))
        return out

    def _sampled(self) -> Point | None:
        """The sampler's next point that is allowed and new, None where it finds none; refused ones are told as failed."""
        if not self._distributions or self._pool.is_exhausted:
            return None
        for _ in range(_DRAWS):
            trial = self._study.ask(self._distributions)
            point = {d.name: d.values[trial.params.get(d.name, 0)] for d in self._dimensions}
            if self._pool.space.allows(point) and not self._pool.is_used(point):
                self._asked[self._pool.key(point)] = trial
                return point
            self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
        return None

    def tell(self, point: Point, observation: Observation) -> None:
        self._pool.use(point)
        states = self._optuna.trial.TrialState
        trial = self._asked.pop(self._pool.key(point), None)
        value_us = observation.value_us
        value = math.log(value_us) if observation.feasible and value_us and 0 < value_us < math.inf else None
        state = states.FAIL if value is None else states.COMPLETE
        if trial is not None:
            self._study.tell(trial, value, state=state)
        elif value is not None:
            params = {d.name: d.values.index(point[d.name]) for d in self._dimensions if d.name in self._distributions}
            make = self._optuna.trial.create_trial
            self._study.add_trial(make(params=params, distributions=self._distributions, value=value))
