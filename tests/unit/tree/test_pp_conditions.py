"""Conditions of preprocessor lines: true, false or unknown."""

from __future__ import annotations

import pytest

from r3c.tree.pp_conditions import Macros, evaluate, truth

KNOWN: Macros = {
    "ONE": "1",
    "TWO": "(ONE + 1)",
    "EMPTY": "",
    "GONE": None,
    "LOOP": "LOOP",
    "TEXT": "a b",
    "SUM": "1 + 1",
}


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("1", 1), ("0x10 + 0b11 - 010", 11), ("1'000u", 1000), ("-7 / 2", -3), ("-7 % 2", -1), ("1 << 4 | 1", 17),
        ("2 + 3 * 4 == 14", 1), ("1 ? 2 : 3", 2), ("0 ? 2 : 3", 3), ("!ONE", 0), ("~0", -1), ("TWO * TWO", 4),
        ("defined(ONE) && defined TWO", 1), ("defined(GONE) || GONE", 0), ("defined(EMPTY)", 1),
        ("0 && WHAT", 0), ("1 || WHAT", 1), ("true && !false", 1), ("ONE /* one */ + 1 // two", 2),
        ("ONE \\\n + 1", 2), ("1 < 2 > 0", 1), ("3 & 6 ^ 1", 3),
    ],
)  # fmt: skip
def test_known_values(condition: str, value: int) -> None:
    assert evaluate(condition, KNOWN) == value


@pytest.mark.parametrize(
    "condition",
    [
        "WHAT", "WHAT && 1", "WHAT || 0", "defined(WHAT)", "!WHAT", "1 / 0", "1 % 0", "__has_include(<a/b.h>)",
        "MAX(1, (2)) > 1", "LOOP", "EMPTY", "TEXT", "SUM * 2 == 3", "1 +", "", "'a' == 97", "WHAT ? 1 : 1", "1.5 > 1",
    ],
)  # fmt: skip
def test_unknown_values(condition: str) -> None:
    assert evaluate(condition, KNOWN) is None


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("#ifdef ONE", True), ("#ifdef GONE", False), ("#ifdef WHAT", None), ("#ifndef GONE", True), ("#ifdef", None),
        ("#  if TWO == 2", True), ("#elif ONE > 1", False), ("#else // here", True), ("#elifdef GONE", False),
        ("#elifndef GONE", True), ("#if WHAT", None), ("# if \\\n 0", False),
    ],
)  # fmt: skip
def test_lines(line: str, taken: bool | None) -> None:
    assert truth(line, KNOWN) == taken
