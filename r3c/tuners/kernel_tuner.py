"""Kernel Tuner's strategies as a tuner; another strategy is a subclass with its own `strategy`.

A strategy runs from its first line to its last and calls for results, so it runs in a thread of its own, which moves
only while `ask` waits for it.
"""

from __future__ import annotations

import queue
import random
import threading
import weakref
from typing import Any

import numpy as np

from r3c.core.dims import Point, Space
from r3c.core.errors import MissingExtra, R3CError
from r3c.tuners._pool import LISTED_MAX, Key, PointPool
from r3c.tuners.base import Observation

_POINTS_MIN = 30  # in smaller spaces every point comes in a random order: strategies need room for a population
_REPEATS_MAX = 1000  # known points in a row before a strategy counts as done


class StrategyError(R3CError):
    """A strategy of Kernel Tuner failed."""


def import_kernel_tuner() -> Any:
    """
    Raises:
        MissingExtra: it is not installed.
    """
    try:
        import kernel_tuner.interface
    except ImportError as error:
        raise MissingExtra(
            f"strategies of Kernel Tuner need {error.name}", hint="pip install 'r3c[kernel-tuner]'"
        ) from None
    return kernel_tuner.interface


class KernelTuner:
    """Kernel Tuner's adaptive tabu grey wolf, over all points of the space or a random choice from a large one.

    While the strategy waits for a result, further points that are asked for are random ones.

    Raises:
        MissingExtra: kernel_tuner is not installed.
    """

    strategy = "adaptive_tabu_greywolf"

    def __init__(self, space: Space, seed: int) -> None:
        interface = import_kernel_tuner()
        self._pool = PointPool(space, random.Random(seed))
        points = self._pool.listed if self._pool.listed is not None else self._pool.unused(LISTED_MAX)
        self._line: Line | None = None
        if len(points) >= _POINTS_MIN:
            self._line = Line(seed)
            keys = [self._pool.key(point) for point in points]
            work = _Work(interface, self.strategy, space, keys, self._line)
            threading.Thread(target=work.run, name=f"kernel-tuner {self.strategy}", daemon=True).start()
            weakref.finalize(self, self._line.hang_up)

    def ask(self, count: int = 1) -> list[Point]:
        out: list[Point] = []
        while len(out) < count:
            point = self._pool.start() or self._wanted() or next(iter(self._pool.unused(1)), None)
            if point is None:
                break
            self._pool.use(point)
            out.append(dict(point))
        return out

    def _wanted(self) -> Point | None:
        """What the strategy wants measured next, None while it waits for a result or when it is done."""
        while self._line is not None and (key := self._line.next_wanted()) is not None:
            point = dict(zip(self._pool.space.names, key, strict=True))
            if not self._pool.is_used(point):
                return point
        return None

    def tell(self, point: Point, observation: Observation) -> None:
        self._pool.use(point)
        if self._line is not None:
            value_us = observation.value_us
            works = observation.feasible and value_us is not None and 0 < value_us < np.inf
            self._line.results[self._pool.key(point)] = value_us if works else None


class Line:
    """Between a strategy's thread and its tuner; only one side moves at a time.

    Attributes:
        results: time in us by point, None for a failure.
    """

    def __init__(self, seed: int) -> None:
        self.results: dict[Key, float | None] = {}
        self._waiting: list[Key] = []  # points whose results the strategy waits for
        self._offered: list[Key] = []  # those of them that the tuner did not take yet
        self._to_tuner: queue.Queue[list[Key] | BaseException | None] = queue.Queue()
        self._to_strategy: queue.Queue[bool] = queue.Queue()
        self._is_done = False
        self._random = random.Random(seed).getstate()
        self._numpy: Any = np.random.RandomState(seed % 2**32).get_state()

    # --- the tuner's side ---------------------------------------------------------------------------------------------

    def next_wanted(self) -> Key | None:
        """A point that the strategy waits for; None when all of them are taken and some not told yet, or it is done."""
        while not self._is_done and not self._offered:
            if any(key not in self.results for key in self._waiting):
                return None
            self._advance()
        return self._offered.pop(0) if self._offered else None

    def _advance(self) -> None:
        """Let the strategy run until it waits again; the global generators are lent to it for the time."""
        outer = random.getstate(), np.random.get_state()
        random.setstate(self._random)
        np.random.set_state(self._numpy)
        self._to_strategy.put(True)
        answer = self._to_tuner.get()
        self._random, self._numpy = random.getstate(), np.random.get_state()
        random.setstate(outer[0])
        np.random.set_state(outer[1])
        if isinstance(answer, list):
            self._waiting, self._offered = answer, list(answer)
            return
        self._is_done = True
        if answer is not None:
            raise StrategyError(f"Kernel Tuner's strategy failed: {type(answer).__name__}: {answer}") from answer

    def hang_up(self) -> None:
        """End the strategy's thread."""
        self._to_strategy.put(False)

    # --- the strategy's side ------------------------------------------------------------------------------------------

    def wait_to_begin(self) -> bool:
        return self._to_strategy.get()

    def fetch(self, keys: list[Key]) -> bool:
        """Wait until all of `keys` have results; false when nobody will give them any more."""
        self._to_tuner.put(keys)
        return self._to_strategy.get()

    def end(self, error: BaseException | None) -> None:
        self._to_tuner.put(error)


class _Work:
    """One run of a strategy, in its thread. It holds the line and not the tuner, which may so be collected."""

    def __init__(self, interface: Any, strategy: str, space: Space, keys: list[Key], line: Line) -> None:
        self._interface, self._strategy, self._line = interface, strategy, line
        self._params = {d.name: list(d.values) for d in space.dimensions}
        self._keys = keys

    def run(self) -> None:
        if not self._line.wait_to_begin():
            return
        error: BaseException | None = None
        try:
            self._tune()
        except BaseException as caught:  # noqa: BLE001 - raised again on the tuner's side
            error = caught
        self._line.end(error)

    def _tune(self) -> None:
        from kernel_tuner import util
        from kernel_tuner.searchspace import Searchspace

        configs = {",".join(map(str, key)): dict(zip(self._params, key, strict=True)) for key in self._keys}
        searchspace = Searchspace(None, None, None, from_cache={"tune_params": self._params, "cache": configs})
        options = self._interface.Options
        tuning_options = options(dict.fromkeys(self._interface._tuning_options))
        tuning_options.update(
            tune_params=self._params, restrictions=[], objective=["time"], objective_higher_is_better=[False],
            strategy_options=options(max_fevals=len(self._keys)), verbose=False, cache={}, simulated_time=0,
            budget=util.TuningBudget(None, len(self._keys)),
        )  # fmt: skip
        try:
            self._interface.strategy_map[self._strategy].tune(searchspace, _runner(self._line), tuning_options)
        except util.StopCriterionReached:
            return


def _runner(line: Line) -> Any:
    """What a strategy has its configurations measured by."""
    from kernel_tuner import util
    from kernel_tuner.runners.runner import Runner

    class Runner_(Runner):  # type: ignore[misc]  # noqa: N801 - named after its base
        def __init__(self) -> None:
            super().__init__()
            self._seen: set[Key] = set()
            self._repeats = 0
            self.dev = self
            self.max_threads = 1_000_000_000
            self.units: dict[str, str] = {}

        def get_device_info(self) -> Any:
            return self

        def get_environment(self, tuning_options: Any) -> dict[str, Any]:
            return {}

        def run(self, parameter_space: Any, tuning_options: Any) -> list[dict[str, Any]]:
            keys = [tuple(config) for config in parameter_space]
            new = [key for key in dict.fromkeys(keys) if key not in line.results]
            self._repeats = 0 if new else self._repeats + 1
            if self._repeats > _REPEATS_MAX or (new and not line.fetch(new)):
                raise util.StopCriterionReached("no more results")
            fresh = set(keys) - self._seen
            self._seen |= fresh
            tuning_options.budget.add_evaluations(len(fresh))
            return [self._result(key, tuning_options) for key in keys]

        def _result(self, key: Key, tuning_options: Any) -> dict[str, Any]:
            result: dict[str, Any] = dict(zip(tuning_options.tune_params, key, strict=True))
            value_us = line.results[key]
            if value_us is None:
                return {**result, "time": util.RuntimeFailedConfig(), "__error__": util.RuntimeFailedConfig()}
            return {**result, "time": value_us / 1000}

    return Runner_()
