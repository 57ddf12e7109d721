"""Kernel Tuner's simulator: a measured space and a strategy in, what it tried in which order out.

Kernel Tuner's `tune_kernel(simulation_mode=True)` does the work and keeps the budget, for its own strategies and for
r3c's tuners alike. The times come from memory instead of a cache file; its search space is made anew for each run, since
simulated_annealing changes it. Its strategies take their random numbers from the global generators, which are seeded
here: `seed` of `tune_kernel` reaches few of them.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from unittest import mock

import numpy
from _spaces import Key, Measured

from r3c import plugins
from r3c.core.errors import ConfigError
from r3c.tuners.base import Observation
from r3c.tuners.kernel_tuner import import_kernel_tuner

THEIRS = "kt:"
CORRECTED = "bayes_opt_corrected"  # their strategy with the failure marker that the simulator gives
FAILURE_MIN = 1e300  # what Kernel Tuner reports for a failure is the largest float


@dataclass(frozen=True)
class Run:
    """One run of a tuner: the best time and the seconds so far after each new configuration.

    Attributes:
        best_ms: None until a configuration works.
        measuring_s: of building and measuring, from the file.
        tuner_s: of the tuner itself, on this machine.
    """

    best_ms: list[float | None]
    measuring_s: list[float]
    tuner_s: list[float]


def check_tuner(name: str) -> None:
    """
    Raises:
        ConfigError, MissingExtra: there is no such tuner or strategy, or it cannot work here.
    """
    known = sorted([*import_kernel_tuner().strategy_map, CORRECTED])
    if not name.startswith(THEIRS):
        plugins.load("tuner", name)
    elif name.removeprefix(THEIRS) not in known:
        raise ConfigError(f"no strategy of Kernel Tuner is called {name!r}", hint=f"there are: {', '.join(known)}")


class Simulator:
    """Simulated tuning of one measured space."""

    def __init__(self, measured: Measured) -> None:
        self.measured = measured
        self._interface = import_kernel_tuner()

    def run(self, name: str, seed: int, evaluations: int) -> Run:
        """Until `evaluations` different configurations were tried, or the tuner stops."""
        random.seed(seed)
        numpy.random.seed(seed)
        interface = self._interface
        strategy = name.removeprefix(THEIRS) if name.startswith(THEIRS) else Ours(name, self.measured, seed)
        with contextlib.ExitStack() as stack:
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("ignore")
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            stack.enter_context(mock.patch.multiple(interface.util, process_cache=self._given, close_cache=mock.Mock()))
            if strategy == CORRECTED:
                strategy = stack.enter_context(corrected_bayes_opt())
            results, _ = interface.tune_kernel(
                self.measured.name, "__global__ void simulated() {}", 1, [], self._tune_params, lang="CUDA",
                strategy=strategy, strategy_options={"max_fevals": evaluations}, cache="simulated",
                restrictions=[self._measured_only],
                simulation_mode=True, quiet=True,
            )  # fmt: skip
        return self._trajectory(results, evaluations)

    def _given(self, *_: Any) -> dict[str, dict[str, Any]]:
        return self._cache

    @property
    def _tune_params(self) -> dict[str, list[Any]]:
        return {name: list(values) for name, values in self.measured.parameters.items()}

    @cached_property
    def _measured_only(self) -> Any:
        return measured_only(self.measured)

    @cached_property
    def _cache(self) -> dict[str, dict[str, Any]]:
        """What Kernel Tuner's cache file of this space would hold."""
        from kernel_tuner import util

        kinds = {"CompilationFailedConfig": util.CompilationFailedConfig, "InvalidConfig": util.InvalidConfig}
        entries: dict[str, dict[str, Any]] = {}
        for key, row in self.measured.rows.items():
            entry: dict[str, Any] = dict(zip(self.measured.parameters, key, strict=True))
            if row.time_ms is None:
                entry["__error__"] = entry["time"] = kinds.get(row.status, util.RuntimeFailedConfig)()
            else:
                entry["time"] = row.time_ms
            spent = {"compile_time": row.compile_ms, "verification_time": 0.0, "benchmark_time": row.bench_ms}
            entries[",".join(map(str, key))] = {**entry, **spent, "strategy_time": 0.0, "framework_time": 0.0}
        return entries

    def _trajectory(self, results: list[dict[str, Any]], evaluations: int) -> Run:
        run = Run([], [], [])
        seen: set[Key] = set()
        best, measuring, tuner = None, 0.0, 0.0
        for result in results:
            key = tuple(result[name] for name in self.measured.parameters)
            tuner += result.get("strategy_time", 0.0) / 1000
            if key in seen or len(seen) == evaluations:
                continue
            seen.add(key)
            row = self.measured.rows[key]
            measuring += row.cost_s
            if row.time_ms is not None:
                best = row.time_ms if best is None else min(best, row.time_ms)
            run.best_ms.append(best)
            run.measuring_s.append(measuring)
            run.tuner_s.append(tuner)
        return run


class Ours:
    """A tuner of r3c as a strategy of Kernel Tuner."""

    def __init__(self, name: str, measured: Measured, seed: int) -> None:
        self._name, self._measured, self._seed = name, measured, seed

    def tune(self, searchspace: Any, runner: Any, tuning_options: Any) -> list[dict[str, Any]]:
        from kernel_tuner.strategies.common import CostFunc
        from kernel_tuner.util import StopCriterionReached

        cost = CostFunc(searchspace, tuning_options, runner, scaling=False, snap=False)
        tuner = plugins.load("tuner", self._name)(self._measured.space(self._seed), self._seed)
        with contextlib.suppress(StopCriterionReached):
            while points := tuner.ask(1):
                key = tuple(points[0][name] for name in self._measured.parameters)
                time_ms = cost(key)
                works = time_ms < FAILURE_MIN
                tuner.tell(points[0], Observation(1000 * time_ms if works else None, feasible=works))
        return cost.results


def measured_only(measured: Measured) -> Any:
    """The measured configurations as a constraint that cuts as soon as no measured one is left."""
    from constraint import FunctionConstraint

    places = {name: place for place, name in enumerate(measured.parameters)}
    beginnings: dict[tuple[str, ...], set[Key]] = {}

    class MeasuredOnly(FunctionConstraint):
        def __call__(self, variables: Any, domains: Any, assignments: dict[str, Any], *_: Any, **__: Any) -> bool:
            names = tuple(assignments)
            if names not in beginnings:
                beginnings[names] = {tuple(key[places[name]] for name in names) for key in measured.rows}
            return tuple(assignments.values()) in beginnings[names]

    return MeasuredOnly(lambda *key: key in measured.rows)


@contextlib.contextmanager
def corrected_bayes_opt() -> Iterator[Any]:
    """Their `bayes_opt`, told of failures by the marker that it looks for."""
    from kernel_tuner.strategies import bayes_opt

    class Corrected(bayes_opt.BayesianOptimization):
        def evaluate_objective_function(self, param_config: Any) -> float:
            return self._marked(super().evaluate_objective_function(param_config))

        def evaluate_parallel_objective_function(self, param_configs: Any) -> list[float]:
            return [self._marked(value) for value in super().evaluate_parallel_objective_function(param_configs)]

        def _marked(self, value: float) -> float:
            return self.invalid_value if value == sys.float_info.max else value

    with mock.patch.object(bayes_opt, "BayesianOptimization", Corrected):
        yield bayes_opt
