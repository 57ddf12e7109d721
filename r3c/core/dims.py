"""Search dimensions: what one number may be, and the space of several under constraints."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from r3c.core.constraints import Point, Restriction
from r3c.core.errors import SpecError
from r3c.core.parts import Part, merged, parts_of
from r3c.core.spec import Value, format_value, read_plain

__all__ = ["Dimension", "Point", "Space", "parse_domain"]

_RANGE = re.compile(r"\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*(?::\s*(\d+)\s*)?")


@dataclass(frozen=True)
class Dimension:
    """One named number or choice.

    Attributes:
        name: the key of a `Point`.
        values: every allowed value, in order.
        ordered: neighbours in `values` behave alike (whole numbers); otherwise it is a set of choices.
        default: where the search starts: the value of the original.
    """

    name: str
    values: tuple[Value, ...]
    ordered: bool = True
    default: Value | None = None

    def __post_init__(self) -> None:
        if not self.values:
            raise SpecError(f"dimension {self.name!r} has no values")

    @property
    def start(self) -> Value:
        return self.values[0] if self.default is None else self.default

    def __str__(self) -> str:
        return f"{self.name}: {'|'.join(format_value(v) for v in self.values)}"


def parse_domain(name: str, text: str) -> Dimension:
    """`8|16|32`, `32..1024:32` or one value, as a dimension.

    Raises:
        SpecError: the text is none of these, or the range is empty.
    """
    found = _RANGE.fullmatch(text)
    if found:
        low, high, stride = int(found[1]), int(found[2]), int(found[3] or 1)
        if high < low or stride < 1:
            raise SpecError(f"{name}: {text.strip()}: a range runs upwards with a step of at least 1")
        return Dimension(name, tuple(range(low, high + 1, stride)))
    words = [word.strip() for word in text.split("|")]
    if not all(words):
        raise SpecError(f"{name}: {text.strip()!r}: expected values such as 8|16|32 or 32..1024:32")
    values = tuple(read_plain(word) for word in words)
    numbers = all(isinstance(v, int) and not isinstance(v, bool) for v in values)
    return Dimension(name, values, ordered=numbers)


@dataclass(frozen=True)
class Space:
    """Dimensions and constraints; a point has one value for every dimension."""

    dimensions: tuple[Dimension, ...] = ()
    constraints: tuple[Restriction, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(d.name for d in self.dimensions)

    @property
    def product_size(self) -> int:
        """Number of points before constraints."""
        return math.prod(len(d.values) for d in self.dimensions)

    def start(self) -> Point:
        return {d.name: d.start for d in self.dimensions}

    def allows(self, point: Mapping[str, Value]) -> bool:
        return all(c.holds(point) for c in self.constraints)

    def points(self) -> Iterator[Point]:
        """Every allowed point, last dimension fastest."""
        if self.is_satisfiable:
            yield from merged(self._parts, self.names)

    def listed(self, most: int) -> list[Point] | None:
        """Every allowed point, as `points`; None where there are more than `most`, or finding them takes too long."""
        if not self.is_satisfiable:
            return []
        if any(part.rows is None for part in self._parts):
            return None
        size = math.prod(len(part.rows or ()) for part in self._parts)
        return list(self.points()) if size <= most else None

    def sample(self, rng: random.Random, attempts: int = 1000) -> Point | None:
        """A random allowed point, None where none is allowed.

        A uniform one, unless a set of coupled dimensions is too large to be listed and `attempts` draws meet none.
        """
        if not self.is_satisfiable:
            return None
        point: Point = {}
        for part in self._parts:
            drawn = part.draw(rng, attempts)
            if drawn is None:
                return None
            point.update(drawn)
        return {name: point[name] for name in self.names}

    @cached_property
    def is_satisfiable(self) -> bool:
        """Whether the constraints without names hold, and every part that could be listed allows something."""
        plain = all(c.holds({}) for c in self.constraints if not c.names)
        return plain and all(part.rows is None or part.rows for part in self._parts)

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        return parts_of(self.dimensions, self.constraints)
