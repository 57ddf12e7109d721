"""Random points without repetition; the baseline every other tuner has to beat."""

from __future__ import annotations

import random

from r3c.core.dims import Point, Space
from r3c.tuners._pool import PointPool
from r3c.tuners.base import Observation


class Random:
    """Uniform over the allowed points, after the start."""

    def __init__(self, space: Space, seed: int) -> None:
        self._pool = PointPool(space, random.Random(seed))

    def ask(self, count: int = 1) -> list[Point]:
        if count < 1:
            return []
        start = self._pool.start()
        out = [start] if start is not None else []
        for point in out:
            self._pool.use(point)
        for point in self._pool.unused(count - len(out)):
            self._pool.use(point)
            out.append(dict(point))
        return out

    def tell(self, point: Point, observation: Observation) -> None:
        self._pool.use(point)
