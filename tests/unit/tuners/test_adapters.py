"""Samplers of Optuna and strategies of Kernel Tuner as tuners: their proposals come through, and nothing else changes."""

from __future__ import annotations

import random
import threading
import time

import pytest

from r3c.core.constraints import Constraint
from r3c.core.dims import Dimension, Point, Space
from r3c.tuners.base import Observation, Tuner

SPACE = Space(
    (
        Dimension("x", tuple(range(1, 25))),
        Dimension("y", (1, 2, 4, 8, 16)),
        Dimension("how", ("a", "b", "c"), ordered=False),
        Dimension("one", (7,)),
    ),
    (Constraint("x * y <= 128"),),
)


def time_us(point: Point) -> float | None:
    if point["x"] == 13:
        return None
    return 100 + abs(int(point["x"]) - 9) + 10 * abs(int(point["y"]) - 4) + (0 if point["how"] == "b" else 30)


def play(tuner: Tuner, count: int) -> list[Point]:
    out: list[Point] = []
    for _ in range(count):
        (point,) = tuner.ask()
        value = time_us(point)
        tuner.tell(point, Observation(value, feasible=value is not None))
        out.append(point)
    return out


def mean_us(points: list[Point]) -> float:
    values = [value for value in map(time_us, points) if value is not None]
    return sum(values) / len(values)


EVERY_US = mean_us(list(SPACE.points()))


def test_optuna_learns() -> None:
    pytest.importorskip("optuna")
    from r3c.tuners.optuna import Optuna

    assert mean_us(play(Optuna(SPACE, 1), 60)[30:]) < EVERY_US - 20


def test_optuna_is_told_of_points_it_did_not_ask_for() -> None:
    pytest.importorskip("optuna")
    from r3c.tuners.optuna import Optuna

    tuner = Optuna(SPACE, 1)
    for point in [p for p in SPACE.points() if p["how"] == "b"][::2]:
        tuner.tell(point, Observation(time_us(point), feasible=time_us(point) is not None))
    assert mean_us(play(tuner, 20)) < EVERY_US - 10


def test_another_sampler_is_a_subclass() -> None:
    optuna = pytest.importorskip("optuna")
    from r3c.tuners.optuna import Optuna

    class Evolved(Optuna):
        def make_sampler(self, seed: int) -> object:
            return optuna.samplers.NSGAIISampler(seed=seed, population_size=10)

    assert mean_us(play(Evolved(SPACE, 1), 80)[40:]) < EVERY_US


@pytest.mark.parametrize("strategy", ["adaptive_tabu_greywolf", "genetic_algorithm", "simulated_annealing"])
def test_strategies_of_kernel_tuner_learn(strategy: str) -> None:
    pytest.importorskip("kernel_tuner")
    from r3c.tuners.kernel_tuner import KernelTuner

    made = type("Made", (KernelTuner,), {"strategy": strategy})
    points = play(made(SPACE, 3), 100)
    assert len({tuple(point.values()) for point in points}) == 100
    assert mean_us(points[40:]) < EVERY_US - 5
    again = play(made(SPACE, 3), 100)
    assert points == again


def test_global_random_numbers_are_left_as_they_were() -> None:
    pytest.importorskip("kernel_tuner")
    from r3c.tuners.kernel_tuner import KernelTuner

    random.seed(5)
    expected = [random.random() for _ in range(3)]
    random.seed(5)
    play(KernelTuner(SPACE, 3), 30)
    assert [random.random() for _ in range(3)] == expected


def test_an_error_of_a_strategy_reaches_who_asks() -> None:
    pytest.importorskip("kernel_tuner")
    from r3c.tuners.kernel_tuner import KernelTuner, StrategyError

    tuner = type("Made", (KernelTuner,), {"strategy": "no_such_strategy"})(SPACE, 1)
    tuner.ask()
    with pytest.raises(StrategyError, match="no_such_strategy"):
        tuner.ask()


def test_a_tuner_that_is_dropped_leaves_no_thread() -> None:
    pytest.importorskip("kernel_tuner")
    from r3c.tuners.kernel_tuner import KernelTuner

    tuner = KernelTuner(SPACE, 1)
    play(tuner, 12)
    assert any(thread.name.startswith("kernel-tuner") for thread in threading.enumerate())
    del tuner
    for _ in range(200):
        if not any(thread.name.startswith("kernel-tuner") for thread in threading.enumerate()):
            return
        time.sleep(0.05)
    pytest.fail("the strategy's thread is still there")
