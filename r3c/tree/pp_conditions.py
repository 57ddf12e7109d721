"""The condition of a preprocessor line: true, false, or unknown where a macro's value is."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from lark import Lark, Transformer
from lark.exceptions import UnexpectedInput, VisitError

from r3c.resources import resource

# Text of each macro that is known; None where it is known not to be defined.
Macros = dict[str, str | None]

# Macro text that is one operand wherever it stands: `1 + 1` is not.
_WHOLE = re.compile(r"-?[\w']+|\([^()]*\)")
_LINE = re.compile(r"\s*#\s*(\w+)(.*)", re.DOTALL)
# A macro whose value names another one, and so on; a chain longer than this is taken for a cycle.
_MOST_STEPS = 32


def truth(line: str, macros: Macros) -> bool | None:
    """Whether the arm that `line` begins is taken, given that none before it was; None where that is unknown."""
    found = _LINE.match(line)
    if not found:
        return None
    word, condition = found.groups()
    if word == "else":
        return True
    if word in ("ifdef", "ifndef", "elifdef", "elifndef"):
        name = condition.split()[0] if condition.split() else ""
        if name not in macros:
            return None
        return (macros[name] is not None) == (word in ("ifdef", "elifdef"))
    value = evaluate(condition, macros)
    return None if value is None else value != 0


def evaluate(condition: str, macros: Macros, steps: int = 0) -> int | None:
    """Value of an expression of whole numbers; None where it is unknown or no such expression."""
    try:
        value: int | None = _Value(macros, steps).transform(_parser().parse(condition))
    except (UnexpectedInput, VisitError):
        return None
    return value


@cache
def _parser() -> Lark:
    return Lark(resource("grammar", "conditions.lark").read_text(encoding="utf-8"), parser="lalr")


def _whole(function: Callable[[int, int], int]) -> Callable[[Any, list[int | None]], int | None]:
    """An operation on two known numbers; unknown where one is."""

    def apply(_: Any, sides: list[int | None]) -> int | None:
        left, right = sides
        return None if left is None or right is None else int(function(left, right))

    return apply


def _quotient(left: int, right: int) -> int:
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


class _Value(Transformer[Any, Any]):
    """Three-valued: `0 && unknown` is 0, `1 || unknown` is 1, everything else with an unknown part is unknown."""

    def __init__(self, macros: Macros, steps: int) -> None:
        super().__init__()
        self.macros = macros
        self.steps = steps

    eq, ne, lt, gt = _whole(operator.eq), _whole(operator.ne), _whole(operator.lt), _whole(operator.gt)
    le, ge, add, sub = _whole(operator.le), _whole(operator.ge), _whole(operator.add), _whole(operator.sub)
    mul, lshift, rshift = _whole(operator.mul), _whole(operator.lshift), _whole(operator.rshift)
    bit_or, bit_xor, bit_and = _whole(operator.or_), _whole(operator.xor), _whole(operator.and_)

    def div(self, sides: list[int | None]) -> int | None:
        return None if sides[1] == 0 else _whole(_quotient)(self, sides)

    def mod(self, sides: list[int | None]) -> int | None:
        return None if sides[1] == 0 else _whole(lambda a, b: a - b * _quotient(a, b))(self, sides)

    def and_(self, sides: list[int | None]) -> int | None:
        if 0 in sides:
            return 0
        return None if None in sides else 1

    def or_(self, sides: list[int | None]) -> int | None:
        if any(side not in (0, None) for side in sides):
            return 1
        return None if None in sides else 0

    def not_(self, sides: list[int | None]) -> int | None:
        return None if sides[0] is None else int(not sides[0])

    def neg(self, sides: list[int | None]) -> int | None:
        return None if sides[0] is None else -sides[0]

    def invert(self, sides: list[int | None]) -> int | None:
        return None if sides[0] is None else ~sides[0]

    def choice(self, sides: list[int | None]) -> int | None:
        return None if sides[0] is None else sides[1] if sides[0] else sides[2]

    def number(self, tokens: list[str]) -> int:
        digits = tokens[0].replace("'", "").rstrip("uUlLzZ")
        old_octal = len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()
        return int(digits, 8) if old_octal else int(digits, 0)

    def defined(self, tokens: list[str]) -> int | None:
        name = str(tokens[0])
        return None if name not in self.macros else int(self.macros[name] is not None)

    def name(self, tokens: list[str]) -> int | None:
        name = str(tokens[0])
        if name in ("true", "false"):
            return int(name == "true")
        if name not in self.macros or self.steps >= _MOST_STEPS:
            return None
        text = self.macros[name]
        if text is None:
            return 0
        return evaluate(text, self.macros, self.steps + 1) if _WHOLE.fullmatch(text.strip()) else None

    def call(self, _: list[str]) -> None:
        return None
