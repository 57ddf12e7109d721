"""One text form for everything with named numbers: `name{key=value,...}`, and lists of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from r3c.core.errors import SpecError

Value = int | float | bool | str

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLAIN = re.compile(r"[^\s{},=@\"]+")
_INT = re.compile(r"[+-]?\d+")
_FLOAT = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?|[+-]?(inf|nan)")


@dataclass(frozen=True)
class Spec:
    """A name with ordered keys and values, e.g. `unroll{site=saxpy/loop:i,factor=4}`."""

    name: str
    values: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, name: str, values: Mapping[str, Value]) -> Spec:
        return cls(name, tuple(values.items()))

    def as_dict(self) -> dict[str, Value]:
        return dict(self.values)

    def __str__(self) -> str:
        if not self.values:
            return self.name
        return f"{self.name}{{{','.join(f'{k}={format_value(v)}' for k, v in self.values)}}}"


def format_value(value: Value) -> str:
    """Text of one value; a string is quoted only where it would read back as something else."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    plain = _PLAIN.fullmatch(value) and read_plain(value) == value
    return value if plain else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def read_plain(text: str) -> Value:
    """Value of an unquoted word."""
    if text in ("true", "false"):
        return text == "true"
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


class SpecReader:
    """Reads the text form from left to right; errors name the column."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, expected: str) -> SpecError:
        found = self.text[self.at : self.at + 12] or "the end"
        return SpecError(
            f"column {self.at + 1} of {self.text!r}: expected {expected}, found {found!r}",
            hint="the form is name{key=value,...}, for example unroll{site=saxpy/loop:i,factor=4}",
        )

    def skip_spaces(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def take(self, literal: str) -> bool:
        self.skip_spaces()
        if not self.text.startswith(literal, self.at):
            return False
        self.at += len(literal)
        return True

    def at_end(self) -> bool:
        self.skip_spaces()
        return self.at >= len(self.text)

    def match(self, pattern: re.Pattern[str], expected: str) -> str:
        self.skip_spaces()
        found = pattern.match(self.text, self.at)
        if not found:
            raise self.fail(expected)
        self.at = found.end()
        return found.group()

    def value(self) -> Value:
        self.skip_spaces()
        if not self.text.startswith('"', self.at):
            return read_plain(self.match(_PLAIN, "a value"))
        out: list[str] = []
        at = self.at + 1
        while at < len(self.text) and self.text[at] != '"':
            at += self.text[at] == "\\"
            out.append(self.text[at : at + 1])
            at += 1
        if at >= len(self.text):
            raise self.fail("a closing quote")
        self.at = at + 1
        return "".join(out)

    def spec(self) -> Spec:
        name = self.match(_NAME, "a name")
        values: list[tuple[str, Value]] = []
        if self.take("{") and not self.take("}"):
            while True:
                key = self.match(_KEY, "a key")
                if any(key == seen for seen, _ in values):
                    raise self.fail(f"a key other than {key!r}, which is already given")
                if not self.take("="):
                    raise self.fail("'='")
                values.append((key, self.value()))
                if self.take("}"):
                    break
                if not self.take(","):
                    raise self.fail("',' or '}'")
        return Spec(name, tuple(values))


def parse_spec(text: str) -> Spec:
    """The spec in `text`, and nothing after it.

    Raises:
        SpecError: with the column and what was expected there.
    """
    reader = SpecReader(text)
    spec = reader.spec()
    if not reader.at_end():
        raise reader.fail("the end")
    return spec


def parse_specs(text: str) -> tuple[Spec, ...]:
    """Specs separated by commas; an empty text is none."""
    reader = SpecReader(text)
    specs: list[Spec] = []
    while not reader.at_end():
        specs.append(reader.spec())
        if not reader.at_end() and not reader.take(","):
            raise reader.fail("',' or the end")
    return tuple(specs)


def format_specs(specs: Iterable[Spec]) -> str:
    return ",".join(str(spec) for spec in specs)
