"""Search dimensions: what one number may be, and the constraints between several."""

from __future__ import annotations

import ast
import math
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import CodeType

from r3c.core.errors import SpecError
from r3c.core.spec import Value, format_value, read_plain

Point = dict[str, Value]

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


_ALLOWED_NODES = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub,
    ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt,
    ast.GtE, ast.In, ast.NotIn, ast.Tuple, ast.List, ast.Name, ast.Load, ast.Constant, ast.IfExp,
)  # fmt: skip


@dataclass(frozen=True)
class Constraint:
    """A condition over dimension names, Python expression syntax with `&&`, `||` and `!` accepted."""

    text: str

    @cached_property
    def _code(self) -> tuple[CodeType, frozenset[str]]:
        python = re.sub(r"!(?!=)", " not ", self.text.replace("&&", " and ").replace("||", " or ")).strip()
        try:
            tree = ast.parse(python, mode="eval")
        except SyntaxError as error:
            raise SpecError(f"where({self.text}): not an expression: {error.msg}") from None
        for node in ast.walk(tree):
            if not isinstance(node, _ALLOWED_NODES):
                raise SpecError(f"where({self.text}): {type(node).__name__} is not allowed in a constraint")
        names = frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
        return compile(tree, "<where>", "eval"), names

    @property
    def names(self) -> frozenset[str]:
        return self._code[1]

    def holds(self, point: Mapping[str, Value]) -> bool:
        """Whether `point` satisfies it; a division by zero counts as not satisfied."""
        try:
            return bool(eval(self._code[0], {"__builtins__": {}}, dict(point)))  # noqa: S307 - the syntax tree is checked above
        except ZeroDivisionError:
            return False

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Space:
    """Dimensions and constraints; a point has one value for every dimension."""

    dimensions: tuple[Dimension, ...] = ()
    constraints: tuple[Constraint, ...] = ()

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
        """Every allowed point, last dimension fastest; constraints cut as soon as their names are bound."""
        yield from self._extend({}, 0)

    def _due(self, depth: int) -> list[Constraint]:
        """Constraints whose last name is that of the dimension at `depth`."""
        bound = set(self.names[: depth + 1])
        return [c for c in self.constraints if self.names[depth] in c.names and c.names <= bound]

    def _extend(self, partial: Point, depth: int, rng: random.Random | None = None) -> Iterator[Point]:
        """Allowed points that begin as `partial`; in a random order with `rng`."""
        if depth == 0 and not all(c.holds({}) for c in self.constraints if not c.names):
            return
        if depth == len(self.dimensions):
            yield dict(partial)
            return
        dimension, due = self.dimensions[depth], self._due(depth)
        values = dimension.values if rng is None else rng.sample(dimension.values, len(dimension.values))
        for value in values:
            partial[dimension.name] = value
            if all(c.holds(partial) for c in due):
                yield from self._extend(partial, depth + 1, rng)
        del partial[dimension.name]

    def listed(self, most: int, examined_max: int = 200_000) -> list[Point] | None:
        """Every allowed point, as `points`; None where there are more than `most`, or finding them takes too long.

        `examined_max` bounds the partly bound points held at a time.
        """
        bound = frozenset[str]().union(*(c.names for c in self.constraints))
        if math.prod(len(d.values) for d in self.dimensions if d.name not in bound) > most:
            return None
        partial: list[Point] = [{}] if all(c.holds({}) for c in self.constraints if not c.names) else []
        for depth, dimension in enumerate(self.dimensions):
            due = self._due(depth)
            if len(partial) * len(dimension.values) > examined_max:
                return None
            longer = ({**point, dimension.name: value} for point in partial for value in dimension.values)
            partial = [point for point in longer if all(c.holds(point) for c in due)]
        return partial if len(partial) <= most else None

    def sample(self, rng: random.Random, attempts: int = 1000) -> Point | None:
        """A random allowed point; a uniform one where `attempts` draws meet one, None where none is allowed."""
        for _ in range(attempts):
            point: Point = {d.name: rng.choice(d.values) for d in self.dimensions}
            if self.allows(point):
                return point
        return next(self._extend({}, 0, rng), None)
