"""The grammar file: which conflicts it has, and that every terminal and rule is used."""

from __future__ import annotations

import io
import logging
import re
from pathlib import Path

import pytest
from lark import Lark, logger

from r3c.core.source import Source
from r3c.resources import resource
from r3c.tree import grammar as grammar_module
from r3c.tree.grammar import OPTIONS, STARTS
from r3c.tree.parse import parse
from r3c.tree.short_form import short_form

APPROVED = Path(__file__).with_name("approved_conflicts.txt")
TEXT = resource("grammar", "cuda.lark").read_text(encoding="utf-8")


def approved() -> set[tuple[str, str]]:
    pairs = set()
    for line in APPROVED.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            rule, rest = line.split(":", 1)
            terminals, reason = rest.split("|")
            assert reason.strip(), line
            pairs |= {(rule, terminal) for terminal in terminals.split()}
    return pairs


@pytest.fixture(scope="module")
def grammar() -> tuple[Lark, str]:
    """The grammar built afresh, and what Lark logged about it."""
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        return Lark(TEXT, debug=True, **OPTIONS), log.getvalue()
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def test_every_conflict_is_approved_and_none_is_listed_in_vain(grammar: tuple[Lark, str]) -> None:
    found = re.findall(r"conflict for terminal (\w+): \(resolving as shift\)\s+\* <(\w+) :", grammar[1])
    seen = {(re.sub(r"^__function_star_\d+$", "pointers", rule), terminal) for terminal, rule in found}
    assert seen == approved()


def test_every_declared_terminal_is_used() -> None:
    rules, declared = TEXT.split("%declare", 1)
    words = set(re.findall(r"\b[A-Z_]{2,}\b", "\n".join(line.split("//")[0] for line in rules.splitlines())))
    assert set(re.findall(r"\b[A-Z_]{2,}\b", declared)) == words


def test_every_rule_is_reached(grammar: tuple[Lark, str]) -> None:
    used = {symbol.name for rule in grammar[0].rules for symbol in rule.expansion} | set(STARTS)
    assert {rule.origin.name for rule in grammar[0].rules} - used == set()


def test_the_quick_loop_makes_what_larks_own_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = sorted((Path(__file__).parents[2] / "cases" / "parse").glob("*.cu"))
    quick = [short_form(parse(Source.read(case), all_functions=True)) for case in cases]
    monkeypatch.setattr(grammar_module, "_run", lambda tokens, start: None)
    assert [short_form(parse(Source.read(case), all_functions=True)) for case in cases] == quick
