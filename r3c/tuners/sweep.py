"""Every point of the space, the start first, then in the order of the space."""

from __future__ import annotations

from collections.abc import Iterator

from r3c.core.dims import Point, Space
from r3c.tuners.base import Observation


class Sweep:
    """Exhaustive; results do not matter to it."""

    def __init__(self, space: Space, seed: int) -> None:
        self._points = _start_first(space)

    def ask(self, count: int = 1) -> list[Point]:
        out: list[Point] = []
        for point in self._points:
            out.append(point)
            if len(out) == count:
                break
        return out

    def tell(self, point: Point, observation: Observation) -> None:
        """Nothing to learn."""


def _start_first(space: Space) -> Iterator[Point]:
    start = space.start()
    if space.allows(start):
        yield dict(start)
    yield from (point for point in space.points() if point != start)
