"""What every tuner must do; call `check_tuner` with its class in a test of your own."""

from __future__ import annotations

from collections.abc import Callable

from r3c.core.dims import Constraint, Dimension, Point, Space
from r3c.tuners.base import Observation, Tuner

MakeTuner = Callable[[Space, int], Tuner]

SMALL = Space(
    (
        Dimension("tile", (4, 8, 16, 32), default=8),
        Dimension("shape", ("row", "column", "square"), ordered=False),
        Dimension("fast", (False, True), ordered=False),
    ),
    (Constraint("tile != 32 || fast"),),
)
LARGE = Space(tuple(Dimension(f"n{i}", tuple(range(1, 9))) for i in range(8)), (Constraint("n0 * n1 <= 32"),))


def check_tuner(make: MakeTuner) -> None:
    """Every rule of the contract."""
    check_exhausts_without_repeating(make)
    check_repeats_with_the_seed(make)
    check_starts_at_the_start(make)
    check_takes_results_in_any_order(make)
    check_survives_failures_only(make)
    check_handles_large_spaces(make)
    check_handles_a_single_point(make)


def time_of(point: Point) -> float:
    """A made-up time in us."""
    return 100.0 + sum(7.0 * len(str(v)) + (float(v) if isinstance(v, int) else 3.0) for v in point.values())


def _key(point: Point) -> tuple[tuple[str, object], ...]:
    return tuple(sorted(point.items()))


def _run(tuner: Tuner, most: int, works: Callable[[Point], bool] = lambda _: True) -> list[Point]:
    given: list[Point] = []
    while len(given) < most:
        points = tuner.ask(1)
        if not points:
            break
        given += points
        for point in points:
            tuner.tell(point, Observation(time_of(point)) if works(point) else Observation(None, feasible=False))
    return given


def check_exhausts_without_repeating(make: MakeTuner) -> None:
    given = _run(make(SMALL, 1), 100)
    allowed = {_key(point) for point in SMALL.points()}
    assert {_key(point) for point in given} == allowed
    assert len(given) == len(allowed)


def check_repeats_with_the_seed(make: MakeTuner) -> None:
    assert _run(make(SMALL, 5), 15) == _run(make(SMALL, 5), 15)


def check_starts_at_the_start(make: MakeTuner) -> None:
    assert make(SMALL, 3).ask(1) == [SMALL.start()]


def check_takes_results_in_any_order(make: MakeTuner) -> None:
    tuner = make(SMALL, 2)
    points = tuner.ask(6)
    assert len({_key(point) for point in points}) == 6
    for point in reversed(points):
        tuner.tell(point, Observation(time_of(point)))
    foreign = next(point for point in SMALL.points() if _key(point) not in {_key(p) for p in points})
    tuner.tell(foreign, Observation(time_of(foreign)))
    assert tuner.ask(1)


def check_survives_failures_only(make: MakeTuner) -> None:
    assert len(_run(make(SMALL, 4), 12, works=lambda _: False)) == 12


def check_handles_large_spaces(make: MakeTuner) -> None:
    given = _run(make(LARGE, 1), 14, works=lambda point: point["n7"] != 8)
    assert len({_key(point) for point in given}) == 14
    assert all(LARGE.allows(point) for point in given)


def check_handles_a_single_point(make: MakeTuner) -> None:
    assert _run(make(Space(), 1), 5) in ([{}], [])
    one = Space((Dimension("only", (3,)),))
    assert _run(make(one, 1), 5) == [{"only": 3}]
