"""`r3c rewrites FILE`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from r3c.cli import rewrites
from r3c.core.errors import UserError

TEXT = b"// r3c: kernel()\r\n__global__ void k(float *a, int n) {\r\n  for (int i = 0; i < n; i++) a[i] = 1.0f;  // \xe9\r\n}\r\n"


def run(path: Path, *arguments: str) -> int:
    parser = argparse.ArgumentParser()
    rewrites.add_arguments(parser)
    return rewrites.run(parser.parse_args([str(path), *arguments]))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "k.cu"
    path.write_bytes(TEXT)
    return path


def test_every_legal_step_is_a_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(file, "--list", "--only", "tile") == 0
    assert capsys.readouterr().out.splitlines()[0] == "tile{site=k/loop:i,size=4}"


def test_a_launch_shape_is_listed_as_candidates_write_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.cu"
    path.write_text(
        "// r3c: kernel()\n__global__ void c(float *a, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) a[i] = 0.0f;\n}\n"
    )
    run(path, "--only", "block-shape")
    assert "block{x=32,y=1,z=1}" in capsys.readouterr().out.splitlines()


def test_refusals_come_with_place_and_reason(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(file, "--only", "interchange", "--refused")
    assert "k.cu:3:31: interchange refused: the body is not exactly one inner loop" in capsys.readouterr().out


def test_json_has_one_object_a_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(file, "--json", "--refused")
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {r["legal"] for r in records} == {True, False}
    assert all(r["reason"] and r["line"] for r in records if not r["legal"])


def test_apply_keeps_every_other_byte(file: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    run(file, "--apply", "unroll{site=k/loop:i,factor=4}")
    assert capfdbinary.readouterr().out == TEXT.replace(b"  for", b"  #pragma unroll 4\r\n  for")


def test_a_file_without_annotation_is_a_users_mistake(tmp_path: Path) -> None:
    path = tmp_path / "n.cu"
    path.write_text("__global__ void k(float *a) { a[0] = 1.0f; }\n")
    with pytest.raises(UserError, match="no kernel is annotated"):
        run(path)
    assert run(path, "--kernel", "k", "--only", "register-cap") == 0


def test_a_missing_file_is_a_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="No such file"):
        run(tmp_path / "none.cu")
