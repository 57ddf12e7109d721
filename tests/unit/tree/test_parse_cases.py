"""Each file of tests/cases/parse against its tree in short form; R3C_UPDATE_GOLDEN=1 writes the trees anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from r3c.cli.parse import round_trips
from r3c.core.source import Source
from r3c.tree.file import File
from r3c.tree.node import Node
from r3c.tree.parse import parse
from r3c.tree.short_form import short_form

CASES = sorted((Path(__file__).parents[2] / "cases" / "parse").glob("*.cu"))


def read(case: Path) -> File:
    return parse(Source.read(case), all_functions=True)


def described(file: File) -> str:
    """The tree, and after it the messages of what was not understood or refused."""
    messages = [f"; {found.line}:{found.column}: {found.message}" for found in file.diagnostics + file.kernel_refusals]
    return "\n".join([short_form(file), *messages]) + "\n"


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 120


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_tree_is_as_expected(case: Path) -> None:
    expected = case.with_suffix(".tree")
    seen = described(read(case))
    if os.environ.get("R3C_UPDATE_GOLDEN"):
        expected.write_bytes(seen.encode("latin-1"))
    assert expected.is_file(), f"{expected} is missing: run with R3C_UPDATE_GOLDEN=1 and look at what it wrote"
    assert seen == expected.read_bytes().decode("latin-1")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_every_byte_comes_back(case: Path) -> None:
    file = read(case)
    assert file.source.text.encode("latin-1") == case.read_bytes()
    assert round_trips(file)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_children_lie_in_their_parents_in_order(case: Path) -> None:
    for node in read(case).walk():
        at = node.start
        for child in node.children:
            assert at <= child.start <= child.end <= node.end, f"{child!r} in {node!r}"
            at = child.end
            assert not isinstance(child, Node) or child.parent is node
