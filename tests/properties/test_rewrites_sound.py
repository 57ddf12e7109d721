"""Random legal candidates compute what the original computes, on the CPU device in three thread orders.

A short version; `make fuzz` runs benchmarks/fuzz_rewrites.py, which does the same for hours.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from r3c.testing.rewrite_runs import check_kernel, check_sample

TESTS = Path(__file__).resolve().parents[1]
KERNELS = sorted((TESTS / "kernels").glob("*.cu"))
SAMPLES = sorted(p.parent for p in (TESTS.parent / "samples").glob("*/Makefile"))
COUNT = int(os.environ.get("R3C_FUZZ_COUNT", "2"))

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_random_legal_steps_give_the_same_result(path: Path, tmp_path: Path) -> None:
    assert check_kernel(path, seed=1, count=COUNT, folder=tmp_path) > 0


@pytest.mark.parametrize("root", SAMPLES, ids=lambda root: root.name)
def test_samples_print_the_same_after_random_legal_steps(root: Path, tmp_path: Path) -> None:
    assert check_sample(root, seed=1, count=1, folder=tmp_path) > 0
