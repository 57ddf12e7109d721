"""Kernels in included headers: found, named, and built with the header replaced and nothing else."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from r3c.build.includes import include_graph, lay_out
from r3c.build.original import CompiledUnit, build_binary, unit_of
from r3c.build.record import parameter_names
from r3c.build.toolchains.nvcc import Nvcc
from r3c.core.compile import CompileCommand
from r3c.core.errors import AppError
from r3c.core.recording import Recording
from r3c.core.source import Source
from r3c.core.spec import Spec
from r3c.devices.cpu import Cpu

FILES = {
    "main.cu": '#include <cstdio>\n#include "gpu/all.h"\n#include "size.h"\nint main() { scale<<<1, N>>>(nullptr, 2); }\n',
    "gpu/all.h": '#pragma once\n#include "kernel.hpp"\n#include "../size.h"\n',
    "gpu/kernel.hpp": "#pragma once\n__global__ void scale(float *x, int f) { x[threadIdx.x] *= f; }\n",
    "size.h": '#pragma once\n#include "gpu/kernel.hpp"\n#define N 32\n',
}


@pytest.fixture
def command(tmp_path: Path) -> CompileCommand:
    for name, text in FILES.items():
        path = tmp_path / "app" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return CompileCommand(str(tmp_path / "app" / "main.cu"), folder=str(tmp_path / "app"), standard="c++17")


def unit_and_change(command: CompileCommand) -> tuple[CompiledUnit, Source]:
    unit = unit_of([command], "scale", root=Path(command.folder))
    return unit, Source(unit.source.path, unit.source.text.replace("*= f", "*= f + 1"))


def test_a_kernel_in_a_header_is_found_with_the_files_that_include_it(command: CompileCommand) -> None:
    unit, _ = unit_and_change(command)
    assert Path(unit.source.path).name == "kernel.hpp"
    assert [Path(path).name for path in unit.includers] == ["main.cu", "all.h", "size.h"]
    assert parameter_names([command], root=Path(command.folder)) == {"scale": ["x", "f"]}


def test_an_unknown_kernel_and_a_missing_file_are_told_apart(command: CompileCommand, tmp_path: Path) -> None:
    with pytest.raises(AppError, match=r"no compiled file holds kernel grow; compiled were: main\.cu"):
        unit_of([command], "grow", root=Path(command.folder))
    with pytest.raises(AppError, match="source of kernel scale cannot be read"):
        unit_of([CompileCommand(str(tmp_path / "gone.cu"))], "scale")


def test_headers_outside_the_application_are_not_followed(command: CompileCommand) -> None:
    assert include_graph(command, Path(command.folder) / "gpu").headers == [
        (Path(command.folder) / "gpu/all.h").resolve(),
        (Path(command.folder) / "gpu/kernel.hpp").resolve(),
    ]


def test_the_replaced_header_is_the_only_one_that_is_read(command: CompileCommand, tmp_path: Path) -> None:
    unit, changed = unit_and_change(command)
    folder = tmp_path / "build"
    main = lay_out(command, changed, unit.includers, folder)
    done = subprocess.run(["g++", "-E", "-P", "-x", "c++", main], capture_output=True, text=True, check=True)
    assert done.stdout.count("*= f + 1") == 1
    assert done.stdout.count("void scale") == 1


def recording(symbol: str) -> Recording:
    return Recording("scale", symbol, "cpu", "", (1, 1, 1), (32, 1, 1), 0, (), "", ())


def test_the_cpu_toolchain_builds_it(command: CompileCommand, tmp_path: Path) -> None:
    unit, changed = unit_and_change(command)
    made = [
        build_binary(unit, source, recording("scale"), Cpu(), tmp_path / name)
        for name, source in {"same": unit.source, "changed": changed}.items()
    ]
    assert made[0].code_hash != made[1].code_hash


@pytest.mark.nvcc
@pytest.mark.skipif(not shutil.which("nvcc"), reason="no nvcc")
def test_nvcc_builds_it(command: CompileCommand, tmp_path: Path) -> None:
    unit, changed = unit_and_change(command)
    made = []
    for name, source in {"same": unit.source, "changed": changed}.items():
        (tmp_path / name).mkdir()
        request = unit.request(source, "scale", "_Z5scalePfi", Spec("nvcc"), "sm_90")
        made.append(Nvcc().build(request, tmp_path / name))
    assert made[0].code_hash != made[1].code_hash
