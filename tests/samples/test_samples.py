"""The samples under the CPU device print what a plain C++ program computes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from r3c.build.app import build_app, copy_app, load_app, run_app
from r3c.devices.cpu import Cpu

ROOT = Path(__file__).parents[2]
LINES = {
    "jacobi": r"sum (\S+) centre (\S+)",
    "matmul": r"checksum (\S+) corner (\S+)",
    "nbody": r"centre (\S+) first (\S+)",
    "reduction": r"dot (\d) (\S+)",
    "histogram": r"weighted (\d+) first (\d+) last (\d+)",
}


@pytest.fixture(scope="module")
def references(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("references") / "references"
    source = Path(__file__).parent / "references.cpp"
    subprocess.run(["g++", "-O2", "-std=c++17", str(source), "-o", str(program)], check=True)
    return program


@pytest.mark.parametrize("name", LINES)
def test_a_sample_prints_what_plain_cpp_computes(name: str, references: Path, tmp_path: Path) -> None:
    app = load_app(ROOT / "samples" / name)
    folder = copy_app(app, tmp_path / "app")
    build_app(folder, app, Cpu(), tmp_path / "logs")
    run = run_app(folder, app)
    assert run.exit_code == 0, run.stderr
    assert "PASS" in run.stdout.splitlines()
    printed = [float(word) for found in re.findall(LINES[name], run.stdout) for word in found]
    done = subprocess.run([str(references), name], capture_output=True, text=True, check=True)
    expected = [float(word) for word in done.stdout.split()]
    assert len(expected) == len(printed) >= 2
    assert printed == pytest.approx(expected, rel=2e-4, abs=2e-4)
