"""Points still to be given: all of a small space, random draws from a large one; none twice."""

from __future__ import annotations

import random

from r3c.core.dims import Point, Space
from r3c.core.spec import Value

LISTED_MAX = 20_000  # spaces up to this many allowed points are held as a list
_DRAWS = 30  # of a point, before one is looked for

Key = tuple[Value, ...]


class PointPool:
    """Unused points of a space, by a random order of their own."""

    def __init__(self, space: Space, rng: random.Random) -> None:
        self.space = space
        self._rng = rng
        self._used: set[Key] = set()
        self.listed = space.listed(LISTED_MAX)
        self.left = list(range(len(self.listed or ())))  # unused places of `listed`, in no order
        self._place = {self.key(point): at for at, point in enumerate(self.listed or ())}
        self._left_at = list(self.left)  # where in `left` a point of `listed` stands

    def key(self, point: Point) -> Key:
        return tuple(point[name] for name in self.space.names)

    def use(self, point: Point) -> None:
        key = self.key(point)
        place = self._place.get(key)
        if place is not None and key not in self._used:
            last = self.left.pop()
            if last != place:
                self.left[self._left_at[place]] = last
                self._left_at[last] = self._left_at[place]
        self._used.add(key)

    def is_used(self, point: Point) -> bool:
        return self.key(point) in self._used

    @property
    def used_count(self) -> int:
        return len(self._used)

    @property
    def is_exhausted(self) -> bool:
        """Whether a listed space has no unused point; it is not known for others."""
        return self.listed is not None and not self.left

    def start(self) -> Point | None:
        """The space's start where it is allowed and unused."""
        start = self.space.start()
        return None if self.is_used(start) or not self.space.allows(start) else start

    def unused(self, most: int) -> list[Point]:
        """Up to `most` unused points: all of them where the space is listed and that small, else a random choice."""
        if self.listed is not None:
            few = len(self.left) <= most
            return [self.listed[at] for at in (self.left if few else self._rng.sample(self.left, most))]
        found: dict[Key, Point] = {}
        for _ in range(4 * most):
            point = self.space.sample(self._rng, _DRAWS)
            if point is None:
                break
            if not self.is_used(point):
                found[self.key(point)] = point
            if len(found) >= most:
                break
        return list(found.values())

    def neighbours(self, point: Point) -> list[Point]:
        """Allowed, unused points that differ from `point` in one dimension: next values, or any other choice."""
        out: list[Point] = []
        for dimension in self.space.dimensions:
            at = dimension.values.index(point[dimension.name])
            near = (at - 2, at - 1, at + 1, at + 2) if dimension.ordered else range(len(dimension.values))
            for other in near:
                if 0 <= other < len(dimension.values) and other != at:
                    moved = {**point, dimension.name: dimension.values[other]}
                    if self.space.allows(moved) and not self.is_used(moved):
                        out.append(moved)
        return out
