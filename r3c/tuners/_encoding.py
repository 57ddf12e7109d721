"""Points as rows of numbers: what is near in time should be near in numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from r3c.core.dims import Dimension, Point, Space
from r3c.core.spec import Value

Array = NDArray[np.float64]

_CHOICES_MAX = 6  # consecutive whole numbers from 0, up to so many, are taken for names of choices


class Encoding:
    """Columns in [0, 1]: positive numbers by their logarithm, choices one column each.

    Whole numbers that are not all powers of two get a second column: the power of two that divides them, since warps,
    cache lines and vector loads make multiples of 32 behave alike.
    """

    def __init__(self, space: Space) -> None:
        self._names = space.names
        self._tables = [_table_of(dimension) for dimension in space.dimensions]

    @property
    def columns(self) -> int:
        return sum(len(next(iter(table.values()))) for table in self._tables)

    def encode(self, points: Sequence[Point]) -> Array:
        """`n x d`."""
        tables = list(zip(self._names, self._tables, strict=True))
        rows = [[number for name, table in tables for number in table[_key(point[name])]] for point in points]
        return np.array(rows, dtype=np.float64).reshape(len(points), -1)


def _key(value: Value) -> tuple[type, Value]:
    return type(value), value


def _table_of(dimension: Dimension) -> dict[tuple[type, Value], list[float]]:
    """The numbers of each value."""
    values = dimension.values
    if len(values) == 1:
        return {_key(values[0]): []}
    if len(values) == 2:
        return {_key(value): [float(at)] for at, value in enumerate(values)}
    numbers = [float(v) for v in values if isinstance(v, int | float)]
    if not dimension.ordered or len(numbers) < len(values) or _are_names(numbers):
        # Two choices are as far apart as the ends of a range.
        return {_key(v): [math.sqrt(0.5) * (i == j) for j in range(len(values))] for i, v in enumerate(values)}
    columns = [_scaled([math.log2(v) for v in numbers] if min(numbers) > 0 else numbers)]
    if min(numbers) > 0 and all(v.is_integer() for v in numbers):
        divisors = [int(v) & -int(v) for v in numbers]
        if max(divisors) > min(divisors) and divisors != numbers:
            columns.append(_scaled([math.log2(divisor) for divisor in divisors]))
    return {_key(v): [column[at] for column in columns] for at, v in enumerate(values)}


def _are_names(numbers: Sequence[float]) -> bool:
    return len(numbers) <= _CHOICES_MAX and sorted(numbers) == [float(i) for i in range(len(numbers))]


def _scaled(numbers: Sequence[float]) -> list[float]:
    low, high = min(numbers), max(numbers)
    return [(number - low) / (high - low) for number in numbers]
