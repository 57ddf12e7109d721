"""A kernel that stands in an included header goes through the whole story on the CPU device."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """The matmul sample with its kernel moved to `gpu/kernel.hpp`."""
    folder = tmp_path / "matmul"
    shutil.copytree(ROOT / "samples" / "matmul", folder, ignore=shutil.ignore_patterns("r3c-out"))
    text = (folder / "matmul.cu").read_text()
    start, stop = text.index("// r3c: tune(TILE"), text.index("int main(")
    (folder / "gpu").mkdir()
    (folder / "gpu" / "kernel.hpp").write_text("#pragma once\n" + text[start:stop])
    (folder / "matmul.cu").write_text(text[:start] + '#include "gpu/kernel.hpp"\n\n' + text[stop:])
    return folder


@pytest.mark.slow
def test_its_header_lies_beside_it_and_the_patched_application_says_the_same(app: Path, tmp_path: Path) -> None:
    table = tmp_path / "times.json"
    table.write_text(json.dumps({"default": "hash", "times_us": {"original": 100.0}}))
    command = [sys.executable, "-m", "r3c", "optimize", str(app), "--device", "cpu", "--seed", "1", "--max-trials", "6",
               "--tuner", "random", "--table", str(table)]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((app / "r3c-out" / "report.json").read_text())
    assert report["kernels"][0]["source_path"] == "gpu/kernel.hpp"
    assert report["app"]["output_equal"] is True
    patch = (app / "r3c-out" / "r3c.patch").read_text()
    assert '+#include "r3c_matmul.cuh"' in patch
    assert "+++ b/gpu/kernel.hpp" in patch
    assert "+++ b/gpu/r3c_matmul.cuh" in patch
    assert "+    r3c_launch_matmul(grid, block, 0, 0, da, db, dc, n);" in patch
