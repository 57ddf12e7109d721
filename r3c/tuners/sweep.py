"""Every point of the space, the start first, then in the order of the space."""

from __future__ import annotations

from collections.abc import Iterator

from r3c.core.dims import Point, Space
from r3c.tuners.base import Observation


class Sweep:
    """Exhaustive; results do not matter to it, but a point that was told is not asked for again."""

    def __init__(self, space: Space, seed: int) -> None:
        self._names = space.names
        self._points = _start_first(space)
        self._told: set[tuple[object, ...]] = set()

    def ask(self, count: int = 1) -> list[Point]:
        out: list[Point] = []
        while len(out) < count:
            point = next(self._points, None)
            if point is None:
                break
            if self._key(point) not in self._told:
                out.append(point)
        return out

    def tell(self, point: Point, observation: Observation) -> None:
        self._told.add(self._key(point))

    def _key(self, point: Point) -> tuple[object, ...]:
        return tuple(point[name] for name in self._names)


def _start_first(space: Space) -> Iterator[Point]:
    start = space.start()
    if space.allows(start):
        yield dict(start)
    yield from (point for point in space.points() if point != start)
