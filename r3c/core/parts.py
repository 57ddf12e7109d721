"""Parts of a space: dimensions that constraints couple, each listed on its own without trying the product of all.

A space is the product of its parts, so counting and drawing evenly need the parts' lists only.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from r3c.core.constraints import Listed, Point, Restriction
from r3c.core.spec import Value

if TYPE_CHECKING:
    from r3c.core.dims import Dimension

PARTIAL_MAX = 200_000  # partly bound rows held at a time; a part that needs more is not listed

Row = tuple[Value, ...]


@dataclass(frozen=True)
class Part:
    """Coupled dimensions, in the order of their space, and what couples them."""

    dimensions: tuple[Dimension, ...]
    constraints: tuple[Restriction, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(d.name for d in self.dimensions)

    @cached_property
    def rows(self) -> list[Row] | None:
        """Every allowed row, last dimension fastest; None where finding them takes too long.

        Dimensions are bound in the order that lets constraints cut soonest; a list of what is allowed is where to begin.
        """
        partial: list[Point] = [{}]
        given = next((c for c in self.constraints if isinstance(c, Listed)), None)
        if given is not None:
            partial = [dict(zip(given.depends_on, row, strict=True)) for row in given.rows]
            domains = {d.name: frozenset(d.values) for d in self.dimensions}
            partial = [point for point in partial if all(point[name] in domains[name] for name in given.depends_on)]
        bound = frozenset(given.depends_on if given else ())
        waiting = [c for c in self.constraints if c is not given]
        for dimension in [None, *self._binding_order(bound)]:
            if dimension is not None:
                if len(partial) * len(dimension.values) > PARTIAL_MAX:
                    return None
                partial = [{**point, dimension.name: value} for point in partial for value in dimension.values]
                bound |= {dimension.name}
            due = [c for c in waiting if c.names <= bound]
            waiting = [c for c in waiting if not c.names <= bound]
            if due:
                partial = [point for point in partial if all(c.holds(point) for c in due)]
        return self._in_order(partial)

    def _binding_order(self, bound: frozenset[str]) -> Iterator[Dimension]:
        """Unbound dimensions, those first that complete a constraint at the least cost."""
        sizes = {d.name: len(d.values) for d in self.dimensions}
        left = [name for name in self.names if name not in bound]
        while left:
            open_names = [[n for n in left if n in c.names] for c in self.constraints]
            following = min((names for names in open_names if names), key=lambda ns: _product(sizes, ns), default=left)
            yield from (d for d in self.dimensions if d.name in following)
            left = [name for name in left if name not in following]

    def _in_order(self, points: list[Point]) -> list[Row]:
        places = [{value: place for place, value in enumerate(d.values)} for d in self.dimensions]
        rows = [tuple(point[name] for name in self.names) for point in points]
        return sorted(rows, key=lambda row: [place[value] for place, value in zip(places, row, strict=True)])

    def next_values(self, beginning: Row) -> Sequence[Value]:
        """Values of the dimension after `beginning`, those that lead to an allowed row where the rows are known."""
        if self.rows is not None:
            return self._continued.get(beginning, ())
        at = len(beginning)
        bound = frozenset(self.names[: at + 1])
        due = [c for c in self.constraints if self.names[at] in c.names and c.names <= bound]
        point = dict(zip(self.names, beginning, strict=False))
        return [v for v in self.dimensions[at].values if all(c.holds({**point, self.names[at]: v}) for c in due)]

    @cached_property
    def _continued(self) -> dict[Row, list[Value]]:
        found: dict[Row, dict[Value, None]] = {}
        for row in self.rows or ():
            for at, value in enumerate(row):
                found.setdefault(row[:at], {})[value] = None
        return {beginning: list(values) for beginning, values in found.items()}

    def draw(self, rng: random.Random, attempts: int) -> Point | None:
        """A random allowed row as a point; an even choice where the rows are known or `attempts` draws meet one."""
        if self.rows is not None:
            return dict(zip(self.names, rng.choice(self.rows), strict=True)) if self.rows else None
        for _ in range(attempts):
            point: Point = {d.name: rng.choice(d.values) for d in self.dimensions}
            if all(c.holds(point) for c in self.constraints):
                return point
        return next(merged((self,), self.names, rng), None)


def _product(sizes: dict[str, int], names: Sequence[str]) -> int:
    out = 1
    for name in names:
        out *= sizes[name]
    return out


def parts_of(dimensions: Sequence[Dimension], constraints: Sequence[Restriction]) -> tuple[Part, ...]:
    """Dimensions in the same part exactly where a chain of constraints couples them."""
    groups: list[set[str]] = [{d.name} for d in dimensions]
    for constraint in constraints:
        touched = [group for group in groups if group & constraint.names]
        groups = [group for group in groups if not group & constraint.names]
        if touched:
            groups.append(set().union(*touched))
    order = {d.name: at for at, d in enumerate(dimensions)}
    groups.sort(key=lambda group: min(order[name] for name in group))
    return tuple(
        Part(
            tuple(d for d in dimensions if d.name in group),
            tuple(c for c in constraints if c.names & group),
        )
        for group in groups
    )


def merged(parts: Sequence[Part], names: Sequence[str], rng: random.Random | None = None) -> Iterator[Point]:
    """Points of all `parts` together, last of `names` fastest; in a random order with `rng`."""
    owner = {name: part for part in parts for name in part.names}
    point: Point = {}

    def extend(depth: int) -> Iterator[Point]:
        if depth == len(names):
            yield dict(point)
            return
        name = names[depth]
        part = owner[name]
        beginning = tuple(point[n] for n in part.names[: part.names.index(name)])
        values = part.next_values(beginning)
        for value in values if rng is None else rng.sample(values, len(values)):
            point[name] = value
            yield from extend(depth + 1)
        point.pop(name, None)

    yield from extend(0)
