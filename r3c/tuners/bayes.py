"""Bayesian optimisation: a Gaussian process over the log time, and one over whether a point works at all.

Expected improvement (Jones, Schonlau and Welch, Efficient Global Optimization, 1998), weighted by the probability of
being feasible (Gelbart, Snoek and Adams, Bayesian Optimization with Unknown Constraints, 2014), over all unused points
of a small space, or over random points and the neighbourhood of the best ones in a large one.
"""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from r3c.core.dims import Dimension, Point, Space
from r3c.core.errors import MissingExtra
from r3c.core.spec import Value
from r3c.tuners._pool import PointPool
from r3c.tuners.base import Observation

Array = NDArray[np.float64]

FIRST_POINTS = 8
CANDIDATES_MAX = 4000
FIT_POINTS_MAX = 400
FIT_STEPS = 60
ROWS_MAX = 128  # predicted at once
REFIT_EVERY = 5
BEST_TO_SEARCH_AROUND = 5


class Bayes:
    """The surrogate tuner. Needs gpytorch and torch.

    Raises:
        MissingExtra: they are not installed.
    """

    def __init__(self, space: Space, seed: int) -> None:
        import_gpytorch()
        self._pool = PointPool(space, random.Random(seed))
        self._encoding = Encoding(space)
        self._seed = seed
        self._points: list[Point] = []
        self._logs: list[float] = []
        self._noise: list[float] = []
        self._failed: list[Point] = []
        self._time_model: Surrogate | None = None
        self._works_model: Surrogate | None = None

    def ask(self, count: int = 1) -> list[Point]:
        out: list[Point] = []
        while len(out) < count:
            point = self._next()
            if point is None:
                break
            self._pool.use(point)
            out.append(dict(point))
        return out

    def tell(self, point: Point, observation: Observation) -> None:
        self._pool.use(point)
        value_us = observation.value_us
        if observation.feasible and value_us is not None and 0 < value_us < math.inf:
            self._points.append(dict(point))
            self._logs.append(math.log(value_us))
            self._noise.append(observation.noise)
        else:
            self._failed.append(dict(point))

    def _next(self) -> Point | None:
        start = self._pool.start()
        if start is not None:
            return start
        if len(self._points) < 2 or self._pool.used_count < FIRST_POINTS:
            return next(iter(self._pool.unused(1)), None)
        candidates = self._candidates()
        if not candidates:
            return None
        encoded = self._encoding.encode(candidates)
        scores = self._improvement(encoded) * self._feasibility(encoded)
        return candidates[int(np.argmax(scores))]

    def _candidates(self) -> list[Point]:
        points = self._pool.unused(CANDIDATES_MAX)
        if len(points) < CANDIDATES_MAX:
            return points
        best = sorted(range(len(self._logs)), key=lambda i: (self._logs[i], i))[:BEST_TO_SEARCH_AROUND]
        return points + [near for i in best for near in self._pool.neighbours(self._points[i])]

    def _improvement(self, encoded: Array) -> Array:
        if self._time_model is None or len(self._logs) - self._time_model.fitted_on >= self._refit_after():
            self._time_model = Surrogate(self._seed, fit_steps=FIT_STEPS)
            self._time_model.fit(self._encoding.encode(self._points), np.array(self._logs), np.array(self._noise))
        else:
            self._time_model.condition(self._encoding.encode(self._points), np.array(self._logs), np.array(self._noise))
        mean, deviation = self._time_model.predict(encoded)
        return expected_improvement(mean, deviation, min(self._logs))

    def _refit_after(self) -> int:
        return 1 if len(self._logs) < 20 else REFIT_EVERY

    def _feasibility(self, encoded: Array) -> Array:
        """Probability that each point works, 1 where nothing has failed yet."""
        if not self._failed:
            return np.ones(len(encoded))
        points = self._points + self._failed
        labels = np.array([1.0] * len(self._points) + [-1.0] * len(self._failed))
        if self._works_model is None or len(labels) - self._works_model.fitted_on >= self._refit_after():
            self._works_model = Surrogate(self._seed, fit_steps=FIT_STEPS)
            self._works_model.fit(self._encoding.encode(points), labels, np.full(len(labels), 0.1))
        else:
            self._works_model.condition(self._encoding.encode(points), labels, np.full(len(labels), 0.1))
        mean, deviation = self._works_model.predict(encoded)
        return normal_cdf(mean / np.sqrt(deviation**2 + 0.05))


def import_gpytorch() -> tuple[Any, Any]:
    """`torch` and `gpytorch`, single-threaded: fits are small, and compilers need the cores.

    Raises:
        MissingExtra: one is not installed.
    """
    try:
        import gpytorch
        import torch
    except ImportError as error:
        raise MissingExtra(f"tuner bayes needs {error.name}", hint="pip install 'r3c[surrogate]'") from None
    torch.set_num_threads(1)
    return torch, gpytorch


def expected_improvement(mean: Array, deviation: Array, best: float) -> Array:
    """Expected amount by which each point falls below `best`."""
    gap = best - mean
    z = gap / deviation
    density = np.exp(-0.5 * z**2) / math.sqrt(2 * math.pi)
    return np.asarray(gap * normal_cdf(z) + deviation * density)


def normal_cdf(z: Array) -> Array:
    return np.asarray(0.5 * (1.0 + np.vectorize(math.erf)(z / math.sqrt(2.0))))


class Encoding:
    """Points as rows of numbers in [0, 1]: whole numbers by the logarithm where they span a range, choices one-hot."""

    def __init__(self, space: Space) -> None:
        self._columns = [_columns_of(dimension) for dimension in space.dimensions]
        self._names = space.names

    def encode(self, points: list[Point]) -> Array:
        """`n x d`."""
        rows = [
            [
                number
                for name, table in zip(self._names, self._columns, strict=True)
                for number in table[_key(point[name])]
            ]
            for point in points
        ]
        return np.array(rows, dtype=np.float64).reshape(len(points), -1)


def _key(value: Value) -> tuple[type, Value]:
    return type(value), value


def _columns_of(dimension: Dimension) -> dict[tuple[type, Value], list[float]]:
    values = dimension.values
    if len(values) == 1:
        return {_key(values[0]): []}
    numbers = [float(v) for v in values if isinstance(v, int | float)]
    if dimension.ordered and len(numbers) == len(values):
        scaled = [math.log2(v) for v in numbers] if min(numbers) > 0 else numbers
        low, high = min(scaled), max(scaled)
        return {_key(v): [(s - low) / (high - low)] for v, s in zip(values, scaled, strict=True)}
    if len(values) == 2:
        return {_key(v): [float(i)] for i, v in enumerate(values)}
    return {_key(v): [float(i == j) for j in range(len(values))] for i, v in enumerate(values)}


class Surrogate:
    """An exact Gaussian process with a Matern covariance and one length scale a column."""

    def __init__(self, seed: int, fit_steps: int) -> None:
        self._seed = seed
        self._fit_steps = fit_steps
        self._model: Any = None
        self.fitted_on = 0

    def fit(self, x: Array, y: Array, noise: Array) -> None:
        """Learn the hyper-parameters from `x` (`n x d`) and `y` (`n`); `noise` is a standard deviation of `y`."""
        torch, gpytorch = import_gpytorch()
        torch.manual_seed(self._seed)
        x, y, noise = _latest(x, y, noise)
        self._build(x, y, noise)
        self._model.train()
        self._model.likelihood.train()
        optimiser = torch.optim.Adam(self._model.parameters(), lr=0.1)
        objective = gpytorch.mlls.ExactMarginalLogLikelihood(self._model.likelihood, self._model)
        with gpytorch.settings.fast_computations(False, False, False):
            for _ in range(self._fit_steps):
                optimiser.zero_grad()
                loss = -objective(self._model(*self._model.train_inputs), self._model.train_targets)
                loss.backward()
                optimiser.step()
        self.fitted_on = len(y)
        self._model.eval()
        self._model.likelihood.eval()

    def condition(self, x: Array, y: Array, noise: Array) -> None:
        """New observations under the hyper-parameters learned before."""
        torch, _ = import_gpytorch()
        x, y, noise = _latest(x, y, noise)
        self._scale(y)
        self._model.set_train_data(torch.tensor(x), torch.tensor((y - self._mean) / self._deviation), strict=False)
        self._model.eval()

    def _scale(self, y: Array) -> None:
        self._mean, self._deviation = float(np.mean(y)), float(np.std(y)) or 1.0

    def _build(self, x: Array, y: Array, noise: Array) -> None:
        torch, gpytorch = import_gpytorch()
        self._scale(y)
        targets = torch.tensor((y - self._mean) / self._deviation)
        least = max(1e-4, float(np.mean((noise / self._deviation) ** 2)))
        likelihood = gpytorch.likelihoods.GaussianLikelihood(
            noise_constraint=gpytorch.constraints.GreaterThan(min(least, 0.5))
        )
        likelihood.noise = max(1e-2, 2 * least)
        self._model = _model_class()(torch.tensor(x), targets, likelihood, x.shape[1]).double()

    def predict(self, x: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (`n` each) of the function itself, without noise."""
        torch, gpytorch = import_gpytorch()
        means, variances = [], []
        with torch.no_grad(), gpytorch.settings.fast_computations(False, False, False):
            # The covariance between all rows of one call is computed too: few rows a call.
            for rows in np.array_split(x, -(-len(x) // ROWS_MAX)):
                posterior = self._model(torch.tensor(rows))
                means.append(posterior.mean.numpy())
                variances.append(posterior.variance.clamp_min(1e-10).numpy())
        mean, deviation = np.concatenate(means), np.sqrt(np.concatenate(variances))
        return mean * self._deviation + self._mean, deviation * self._deviation


def _latest(x: Array, y: Array, noise: Array) -> tuple[Array, Array, Array]:
    """The best and the latest observations where there are more than an exact model should hold."""
    if len(y) <= FIT_POINTS_MAX:
        return x, y, noise
    best = set(np.argsort(y)[: FIT_POINTS_MAX // 2].tolist())
    rest = [i for i in range(len(y) - 1, -1, -1) if i not in best][: FIT_POINTS_MAX - len(best)]
    keep = sorted([*best, *rest])
    return x[keep], y[keep], noise[keep]


def _model_class() -> Any:
    _, gpytorch = import_gpytorch()

    base: Any = gpytorch.models.ExactGP

    class LogTime(base):  # type: ignore[misc]
        def __init__(self, x: Any, y: Any, likelihood: Any, columns: int) -> None:
            super().__init__(x, y, likelihood)
            self.mean_module = gpytorch.means.ConstantMean()
            covar = gpytorch.kernels.MaternKernel(
                nu=2.5, ard_num_dims=columns, lengthscale_prior=gpytorch.priors.LogNormalPrior(0.0, 1.0)
            )
            covar.lengthscale = 0.7
            self.covar_module = gpytorch.kernels.ScaleKernel(covar)

        def forward(self, x: Any) -> Any:
            return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))

    return LogTime
