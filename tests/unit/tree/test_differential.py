"""Our trees against another parser's over the CUDA files of this repository: no difference without an explanation."""

from __future__ import annotations

from pathlib import Path

import pytest

from r3c.core.source import Source
from r3c.testing.tree_sitter_oracle import compare
from r3c.tree.parse import parse

pytest.importorskip("tree_sitter_cuda", reason="tree-sitter-cuda is not installed; it is in the extra dev")
pytest.importorskip("tree_sitter", reason="tree-sitter is not installed; it is in the extra dev")

ROOT = Path(__file__).parents[3]
SOURCES = sorted(
    path
    for folder in ("samples", "tests/kernels", "tests/gpu", "tests/cases")
    for path in (ROOT / folder).rglob("*.cu")
    if "r3c-out" not in path.parts
)


@pytest.mark.parametrize(
    "folder", ["samples", "tests/kernels", "tests/gpu", "tests/cases/rewrites", "tests/cases/parse"]
)
def test_every_difference_is_explained(folder: str) -> None:
    compared = 0
    for path in (path for path in SOURCES if (ROOT / folder) in path.parents):
        found = compare(parse(Source.read(path), all_functions=True))
        compared += found.functions
        assert [str(difference) for difference in found.differences if not difference.explanation] == []
    assert compared > 0


def test_a_wrong_tree_is_seen() -> None:
    source = Source("k.cu", "__global__ void k(int *a, int n) { a[0] = (n) - 1; }\n")
    file = parse(source)
    next(node for node in file.walk() if node.kind == "paren").kind = "cast"
    assert [difference.category for difference in compare(file).differences] == ["cast"]
