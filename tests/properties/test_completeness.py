"""From plain kernels the catalogue reaches the structure that a person gives them by hand, and the result is right."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from r3c.testing.rewrite_completeness import read_pair
from r3c.testing.rewrite_runs import check_trials

PAIRS = sorted((Path(__file__).resolve().parents[1] / "cases" / "completeness").glob("*.cu"))

each_pair = pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)


def test_there_are_twenty_pairs() -> None:
    assert len(PAIRS) >= 20


@each_pair
def test_steps_reach_the_structure_of_the_hand_tuned_form(path: Path) -> None:
    pair = read_pair(path)
    assert pair.reached() == pair.wanted()


@each_pair
def test_the_plain_kernel_has_another_structure(path: Path) -> None:
    pair = read_pair(path)
    assert pair.plain() != pair.wanted()


@each_pair
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_both_forms_compute_what_the_plain_kernel_computes(path: Path, tmp_path: Path) -> None:
    pair = read_pair(path)
    check_trials(pair.file, pair.trials(), tmp_path)
