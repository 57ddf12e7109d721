"""Every swizzle visits each block of a grid once, whatever the grid's shape."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from r3c.core.source import Source
from r3c.rewrites.base import edits_of, rewrite_class
from r3c.tree.parse import parse
from r3c.tree.regions import region

KERNEL = "__global__ void fill(float *a, int w) {\n  a[blockIdx.y * w + blockIdx.x] = 1.0f;\n}\n"
PROGRAM = """
#include <cstdio>
#include <vector>
struct Shape { unsigned x, y; };
%s
int main() {
  for (unsigned w = 1; w <= 37; w++)
    for (unsigned h = 1; h <= 37; h++) {
      std::vector<int> seen(w * h);
      for (unsigned y = 0; y < h; y++)
        for (unsigned x = 0; x < w; x++) {
          const Shape at = where(Shape{x, y}, Shape{w, h});
          if (at.x >= w || at.y >= h || seen[at.y * w + at.x]++) {
            std::printf("%%u x %%u: block %%u,%%u\\n", w, h, x, y);
            return 1;
          }
        }
    }
}
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("order", ["columns", "morton"])
@pytest.mark.parametrize("rows", [2, 4, 8, 16])
def test_each_block_is_visited_once(rows: int, order: str, tmp_path: Path) -> None:
    here = region(parse(Source("fill.cu", KERNEL)), "fill")
    swizzle = rewrite_class("swizzle")(site="fill", rows=rows, order=order)  # type: ignore[call-arg]  # found by name
    lines = next(edit.text for edit in edits_of(swizzle, here) if "const unsigned int" in edit.text)
    assert re.findall(r"unsigned int (\w+) =", lines)[-2:] == ["block_y", "block_x"]
    where = f"Shape where(Shape blockIdx, Shape gridDim) {{{lines}\n  return {{block_x, block_y}};\n}}"
    (tmp_path / "swizzle.cpp").write_text(PROGRAM % where, encoding="ascii")
    subprocess.run(["g++", "-O1", "-o", "swizzle", "swizzle.cpp"], cwd=tmp_path, check=True)
    done = subprocess.run(["./swizzle"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
