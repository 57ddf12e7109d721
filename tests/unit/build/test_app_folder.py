"""What an application's folder says about building and running it."""

from __future__ import annotations

from pathlib import Path

import pytest

from r3c.build.app import build_app, load_app
from r3c.core.errors import AppError
from r3c.devices.cpu import Cpu


def test_headers_with_kernels_are_sources_and_others_are_not(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("run:\n\t./a\n")
    (tmp_path / "main.cu").write_text("int main() {}\n")
    (tmp_path / "kernel.hpp").write_text("__global__ void k() {}\n")
    (tmp_path / "size.h").write_text("#define N 3\n")
    (tmp_path / "r3c-out").mkdir()
    (tmp_path / "r3c-out" / "old.h").write_text("__global__ void k() {}\n")
    assert [path.name for path in load_app(tmp_path).sources] == ["kernel.hpp", "main.cu"]


def test_a_python_program_needs_no_build(tmp_path: Path) -> None:
    (tmp_path / "r3c.toml").write_text('[app]\nrun = "python train.py"\n')
    (tmp_path / "train.py").write_text("print(1)\n")
    app = load_app(tmp_path)
    assert (app.build, app.run, app.sources) == ("", "python train.py", ())
    assert build_app(tmp_path, app, Cpu(), tmp_path / "logs") == []


def test_a_folder_without_cuda_and_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AppError, match="no CUDA file matches"):
        load_app(tmp_path)
