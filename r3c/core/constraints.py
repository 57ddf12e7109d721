"""Conditions between several numbers of a search: as text, as a function, or as the list of what is allowed."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import CodeType

from r3c.core.errors import SpecError
from r3c.core.spec import Value

Point = dict[str, Value]

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
class Condition:
    """A condition over dimension names as a function of their values, in the order of `depends_on`."""

    depends_on: tuple[str, ...]
    check: Callable[..., bool]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.depends_on)

    def holds(self, point: Mapping[str, Value]) -> bool:
        """Whether `point` satisfies it; a division by zero counts as not satisfied."""
        try:
            return bool(self.check(*(point[name] for name in self.depends_on)))
        except ZeroDivisionError:
            return False

    def __str__(self) -> str:
        return f"{getattr(self.check, '__name__', 'condition')}({', '.join(self.depends_on)})"


@dataclass(frozen=True)
class Listed:
    """A condition that lists what is allowed: values in the order of `depends_on`."""

    depends_on: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.depends_on)

    @cached_property
    def _allowed(self) -> frozenset[tuple[Value, ...]]:
        return frozenset(self.rows)

    def holds(self, point: Mapping[str, Value]) -> bool:
        return tuple(point[name] for name in self.depends_on) in self._allowed

    def __str__(self) -> str:
        return f"({', '.join(self.depends_on)}) one of {len(self.rows)}"


Restriction = Constraint | Condition | Listed
