"""What every tuner must keep, as checks that a test calls for each plug-in; a new tuner is tested by dropping its file in."""

from __future__ import annotations

import math
from collections.abc import Iterator

from r3c import plugins
from r3c.core.constraints import Constraint
from r3c.core.dims import Dimension, Point, Space
from r3c.tuners.base import Observation, Tuner

FAILED = Observation(None, feasible=False)

SPACES: dict[str, Space] = {
    "no numbers": Space(),
    "one number": Space((Dimension("0.factor", (1, 2, 4, 8), default=4),)),
    "one value": Space((Dimension("0.factor", (4,)), Dimension("fast", (True,)))),
    "numbers and choices": Space(
        (
            Dimension("0.factor", (1, 2, 4), default=2),
            Dimension("host.opt", ("-O2", "-O3", "-Os"), ordered=False),
            Dimension("fast", (False, True), ordered=False),
            Dimension("scale", (0.5, 2.0), default=0.5),
        ),
        (Constraint("!(fast && scale > 1)"),),
    ),
    "start not allowed": Space(
        (Dimension("x", (8, 16, 32)), Dimension("y", (8, 16, 32)), Dimension("TILE", (8, 16, 32), default=16)),
        (Constraint("x == TILE && y == TILE"),),
    ),
    "nothing allowed": Space((Dimension("x", (1, 2)),), (Constraint("x > 2"),)),
    "few allowed of many": Space(
        tuple(Dimension(name, tuple(range(1, 41))) for name in ("x", "y", "z", "w")),
        (Constraint("x == y"), Constraint("y == z"), Constraint("z == w"), Constraint("x % 3 == 0")),
    ),
}
LARGE = Space(
    tuple(Dimension(name, tuple(range(64))) for name in ("a", "b", "c", "d")), (Constraint("a + b <= c + d"),)
)


def all_tuners() -> list[str]:
    """Names to parametrise a test with."""
    return plugins.names("tuner")


def make_tuner(name: str, space: Space, seed: int = 1) -> Tuner:
    made: Tuner = plugins.load("tuner", name)(space, seed)
    return made


def time_of(space: Space, point: Point) -> Observation:
    """A made-up time with a minimum inside the space; one point in seven fails."""
    places = [d.values.index(point[d.name]) / len(d.values) for d in space.dimensions]
    if sum(d.values.index(point[d.name]) for d in space.dimensions) % 7 == 6:
        return FAILED
    return Observation(100.0 + sum(100 * (place - 0.4) ** 2 for place in places), 0.01, seconds=0.01)


def play(tuner: Tuner, space: Space, most: int) -> Iterator[Point]:
    """Up to `most` points, each told before the next is asked for."""
    for _ in range(most):
        points = tuner.ask()
        if not points:
            return
        yield dict(points[0])
        tuner.tell(points[0], time_of(space, points[0]))


def key_of(space: Space, point: Point) -> tuple[object, ...]:
    """A point as a value that can be compared and put in a set; fails where a name is missing or unknown."""
    assert set(point) == set(space.names), f"{point} is no point of {space.names}"
    return tuple(point[name] for name in space.names)


def check_start_comes_first(name: str, space: Space) -> None:
    first = list(play(make_tuner(name, space), space, 1))
    if space.allows(space.start()):
        assert first == [space.start()]


def check_gives_every_point_once(name: str, space: Space) -> None:
    """All allowed points come, each once, then nothing, however often it is asked."""
    tuner = make_tuner(name, space)
    every = {key_of(space, point) for point in space.points()}
    given = [key_of(space, point) for point in play(tuner, space, len(every) + 5)]
    assert len(given) == len(set(given)), "a point was given twice"
    assert set(given) == every
    assert tuner.ask() == []
    assert tuner.ask(3) == []


def check_points_are_allowed(name: str, space: Space, count: int) -> None:
    given = list(play(make_tuner(name, space), space, count))
    assert len(given) == count
    assert len({key_of(space, point) for point in given}) == count
    for point in given:
        assert space.allows(point)
        assert all(point[d.name] in d.values for d in space.dimensions)


def check_same_seed_same_points(name: str, space: Space, count: int) -> None:
    one, other = (list(play(make_tuner(name, space, 7), space, count)) for _ in range(2))
    assert one == other


def check_asks_for_several(name: str, space: Space) -> None:
    """`ask(n)` gives at most `n`; none is lost or repeated, and none needs to be told before the next."""
    tuner = make_tuner(name, space)
    assert tuner.ask(0) == []
    every = {key_of(space, point) for point in space.points()}
    given: list[tuple[object, ...]] = []
    for count in (1, 3, 2, len(every) + 1):
        points = tuner.ask(count)
        assert len(points) <= count
        given += [key_of(space, point) for point in points]
    assert len(given) == len(set(given))
    assert set(given) == every


def check_failures_are_no_obstacle(name: str, space: Space) -> None:
    """Where nothing works, or times are no numbers, all points still come."""
    odd = (FAILED, Observation(math.nan), Observation(0.0), Observation(math.inf), Observation(None, feasible=True))
    tuner = make_tuner(name, space)
    given: list[tuple[object, ...]] = []
    while points := tuner.ask():
        given.append(key_of(space, points[0]))
        tuner.tell(points[0], odd[len(given) % len(odd)] if len(given) > 3 else Observation(10.0))
    assert set(given) == {key_of(space, point) for point in space.points()}


def check_points_known_from_elsewhere(name: str, space: Space) -> None:
    """Points that were never asked for may be told, several times too; they are not asked for any more."""
    tuner = make_tuner(name, space)
    known = list(space.points())[::2]
    for point in [*known, *known[:2]]:
        tuner.tell(dict(point), time_of(space, point))
    given = [key_of(space, point) for point in play(tuner, space, space.product_size)]
    told = {key_of(space, point) for point in known}
    assert not told & set(given), "a point was asked for whose time is known"
    assert set(given) | told == {key_of(space, point) for point in space.points()}


def check_told_later_in_any_order(name: str, space: Space) -> None:
    """Two orders of telling the same results break nothing, and no point comes twice."""
    for backwards in (False, True):
        tuner = make_tuner(name, space)
        first = tuner.ask(6)
        for point in reversed(first) if backwards else first:
            tuner.tell(point, time_of(space, point))
        given = [key_of(space, p) for p in first] + [key_of(space, p) for p in play(tuner, space, space.product_size)]
        assert sorted(map(str, given)) == sorted(str(key_of(space, p)) for p in space.points())


def check_given_points_belong_to_the_caller(name: str, space: Space) -> None:
    """What a caller does to a point it got changes nothing for the tuner."""
    plain = [key_of(space, p) for p in play(make_tuner(name, space), space, 12)]
    tuner = make_tuner(name, space)
    seen: list[tuple[object, ...]] = []
    for _ in range(12):
        point = next(iter(tuner.ask()), None)
        if point is None:
            break
        seen.append(key_of(space, point))
        tuner.tell(dict(point), time_of(space, point))
        point.clear()
    assert seen == plain
