"""Whether two runs of an application printed and wrote the same, within what its owner declared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from r3c.core.config import CompareConfig

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf)\b", re.IGNORECASE)
SHOWN = 100


def first_difference(expected: str, got: str, config: CompareConfig) -> str:
    """Empty where the two texts agree; otherwise the first line that differs, in words.

    Lines that match one of `config.ignore` are left out of both. With `numbers` the words of a line must be equal and
    its numbers within `atol + rtol * |expected|`; a NaN agrees with a NaN only.
    """
    if config.stdout == "ignore":
        return ""
    left = list(_lines(expected, config))
    right = list(_lines(got, config))
    for (number, line), (_, other) in zip(left, right, strict=False):
        if line != other and (config.stdout == "exact" or not _agree(line, other, config)):
            return f"line {number}: expected {line[:SHOWN]!r}, got {other[:SHOWN]!r}"
    if len(left) != len(right):
        return f"expected {len(left)} lines, got {len(right)}"
    return ""


def first_file_difference(expected: Path, got: Path, config: CompareConfig) -> str:
    """The same over the files `config.files` (patterns) of two application folders."""
    for pattern in config.files:
        names = sorted(path.relative_to(expected) for path in expected.glob(pattern) if path.is_file())
        if not names:
            return f"{pattern}: the original run wrote no such file"
        for name in names:
            if not (got / name).is_file():
                return f"{name}: missing"
            found = _file_difference((expected / name).read_bytes(), (got / name).read_bytes(), config)
            if found:
                return f"{name}: {found}"
    return ""


def _file_difference(expected: bytes, got: bytes, config: CompareConfig) -> str:
    if expected == got:
        return ""
    if b"\0" in expected or b"\0" in got:
        return f"the bytes differ ({len(expected)} and {len(got)} bytes)"
    return first_difference(expected.decode("latin-1"), got.decode("latin-1"), config)


def _lines(text: str, config: CompareConfig) -> Iterator[tuple[int, str]]:
    """Line number and text of each line that counts."""
    skip = [re.compile(pattern) for pattern in config.ignore]
    for number, line in enumerate(text.splitlines(), 1):
        if not any(pattern.search(line) for pattern in skip):
            yield number, line.rstrip()


def _agree(expected: str, got: str, config: CompareConfig) -> bool:
    if NUMBER.sub("#", expected) != NUMBER.sub("#", got):
        return False
    pairs = zip(NUMBER.findall(expected), NUMBER.findall(got), strict=True)
    return all(_close(float(a), float(b), config) for a, b in pairs)


def _close(expected: float, got: float, config: CompareConfig) -> bool:
    if expected != expected or got != got:
        return expected != expected and got != got
    return expected == got or abs(expected - got) <= config.atol + config.rtol * abs(expected)
