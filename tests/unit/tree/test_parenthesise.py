"""Parentheses everywhere: the tree stays the same, and so does what the compiler makes of the samples."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from r3c.core.source import Source
from r3c.testing.parenthesise import essence, parenthesised
from r3c.tree.parse import parse

ROOT = Path(__file__).parents[3]
SAMPLES = sorted(path for path in (ROOT / "samples").glob("*/*.cu"))
SOURCES = [
    *SAMPLES,
    *sorted((ROOT / "tests" / "kernels").glob("*.cu")),
    *sorted((ROOT / "tests/cases/parse").glob("*.cu")),
]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_the_tree_stays_the_same(path: Path) -> None:
    before = parse(Source.read(path), all_functions=True)
    after = parse(Source(str(path), parenthesised(before)), all_functions=True)
    assert [d.message for d in after.diagnostics] == [d.message for d in before.diagnostics]
    assert [essence(f) for f in after.functions] == [essence(f) for f in before.functions]


def test_wraps_operators_and_bodies() -> None:
    source = "__global__ void k(int *a, int n) { for (int i = 0; i < n; i++) if (n) a[i] = -n * 2 + i; else n--; }\n"
    wrapped = parenthesised(parse(Source("k.cu", source)))
    assert "for (int i = 0; (i < n); (i++)) { if (n) { a[i] = (((-n) * 2) + i); } else { n--; } }" in wrapped


def test_leaves_arguments_of_macros_alone() -> None:
    source = "__global__ void k(int n) { assert(n > 0); CHECK(n + 1); f(n + 1); }\n"
    assert "assert(n > 0); CHECK(n + 1); f((n + 1));" in parenthesised(parse(Source("k.cu", source)))


@pytest.mark.nvcc
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_compiler_makes_the_same_of_a_sample(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    outputs = []
    for text in (path.read_text(), parenthesised(parse(Source.read(path), all_functions=True))):
        copy.write_text(text)
        subprocess.run(["nvcc", "-ptx", "-O3", "-arch=sm_90", "-o", tmp_path / "out.ptx", copy], check=True)
        outputs.append(re.sub(r"//.*", "", (tmp_path / "out.ptx").read_text()))
    assert outputs[0] == outputs[1]
