"""The contract of rewrites, for every rewrite there is; and the case files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from r3c.core.source import Source
from r3c.testing import rewrite_contract as contract
from r3c.testing.rewrite_cases import Case, read_case

TESTS = Path(__file__).resolve().parents[1]
KERNELS = sorted((TESTS / "kernels").glob("*.cu"))
CASES = sorted((TESTS / "cases" / "rewrites").glob("*/*.cu"))
UPDATE = os.environ.get("R3C_UPDATE") == "1"

each_rewrite = pytest.mark.parametrize("name", contract.all_rewrites())


@each_rewrite
def test_rewrite_is_declared_as_agreed(name: str) -> None:
    contract.check_declaration(name)


@each_rewrite
def test_docstring_example_is_what_happens(name: str) -> None:
    contract.check_docstring_example(name)


@each_rewrite
def test_text_form_reads_back(name: str) -> None:
    contract.check_text_form(name)


@each_rewrite
def test_steps_on_every_kernel_are_refused_with_a_place_or_sound(name: str) -> None:
    for path in KERNELS:
        contract.check_on(name, Source.read(path))


@each_rewrite
def test_line_ends_of_the_file_are_kept(name: str) -> None:
    for path in KERNELS[::4]:
        contract.check_line_ends(name, Source.read(path))


@each_rewrite
def test_rewrite_has_an_accepted_and_a_refused_case(name: str) -> None:
    kinds = {mark for path in CASES if path.parent.name == name for mark, _ in read_case(path).sections}
    kinds = {mark.split()[0] for mark in kinds}
    assert {"expect", "refused"} <= kinds, f"tests/cases/rewrites/{name}/ has {kinds or 'no cases'}"


@pytest.mark.parametrize("case", [read_case(path) for path in CASES], ids=lambda case: case.id)
def test_case(case: Case) -> None:
    if UPDATE:
        case.path.write_bytes(case.updated().encode("latin-1"))
        return
    assert case.outcome() == case.expected()
