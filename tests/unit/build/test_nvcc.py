from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from r3c.build.cubin import Cubin
from r3c.build.toolchains.base import BuildRequest
from r3c.build.toolchains.nvcc import Nvcc, pick_symbol, run_compiler, split_stages
from r3c.core.compile import CompileCommand, compile_command_from_json
from r3c.core.errors import BuildError
from r3c.core.source import Source
from r3c.core.spec import Spec

SOURCE = """
#include "scale.h"
template <class T> __global__ void axpy(T a, const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + SCALE * y[i];
}
void run(float* x, float* y, double* u, double* v) { axpy<<<1, 32>>>(1.f, x, y, 9); axpy<<<1, 32>>>(1., u, v, 9); }
"""
PLAIN = Spec("nvcc")
FLOAT, DOUBLE = "_Z4axpyIfEvT_PKS0_PS0_i", "_Z4axpyIdEvT_PKS0_PS0_i"


def request(folder: Path, text: str = SOURCE, symbol: str = FLOAT, options: Spec = PLAIN) -> BuildRequest:
    (folder / "scale.h").write_text("#define SCALE 2\n")
    command = CompileCommand(str(folder / "axpy.cu"), defines=("UNUSED=1",), standard="c++17")
    return BuildRequest(Source(str(folder / "axpy.cu"), text), "axpy", symbol, command, options, "sm_90")


@pytest.fixture
def nvcc() -> Nvcc:
    toolchain = Nvcc()
    if toolchain.unavailable():
        pytest.skip(reason="no nvcc on this machine")
    return toolchain


@pytest.mark.nvcc
def test_the_recorded_instantiation_of_a_template_is_built(nvcc: Nvcc, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    binary = nvcc.build(request(tmp_path, symbol=DOUBLE), out)
    assert binary.symbol == DOUBLE
    assert Path(binary.path).read_bytes().startswith(b"\x7fELF")
    assert binary.features["registers"] > 0
    assert binary.features["spill_bytes"] == 0


@pytest.mark.nvcc
def test_restrict_on_a_parameter_still_finds_the_kernel(nvcc: Nvcc, tmp_path: Path) -> None:
    text = SOURCE.replace("T* y", "T* __restrict__ y")
    out = tmp_path / "out"
    out.mkdir()
    assert nvcc.build(request(tmp_path, text), out).symbol.startswith("_Z4axpyIf")


@pytest.mark.nvcc
def test_a_compile_error_keeps_command_and_output(nvcc: Nvcc, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="error") as caught:
        nvcc.build(request(tmp_path, SOURCE.replace("int i", "int j")), tmp_path)
    assert "-ptx" in caught.value.command
    assert "identifier" in caught.value.output


@pytest.mark.nvcc
def test_options_reach_the_compiler(nvcc: Nvcc, tmp_path: Path) -> None:
    binary = nvcc.build(request(tmp_path, options=Spec("nvcc", (("maxrregcount", 24),))), tmp_path)
    assert "-maxrregcount=24" in binary.command
    assert binary.toolchain == "nvcc{maxrregcount=24}"


def test_a_missing_kernel_names_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="it holds: other"):
        pick_symbol(("other",), request(tmp_path))


def test_a_name_inside_another_name_is_not_taken_for_it(tmp_path: Path) -> None:
    assert pick_symbol(("_Z9axpy_fastPf", "_Z4axpyPf"), request(tmp_path, symbol="_Z4axpyPKf")) == "_Z4axpyPf"


def test_compile_commands_read_back(tmp_path: Path) -> None:
    command = request(tmp_path).command
    assert compile_command_from_json(command.to_json()) == command
    assert command.preprocessor_arguments() == ["-DUNUSED=1"]


@pytest.mark.nvcc
def test_both_stages_make_what_one_call_of_nvcc_makes(nvcc: Nvcc, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    options = Spec("nvcc", (("maxrregcount", 32), ("load_cache", "cg")))
    binary = nvcc.build(request(tmp_path, options=options), tmp_path / "out")
    (tmp_path / "axpy.cu").write_text(SOURCE)
    command = [nvcc.program, "-cubin", "-arch=sm_90", "-std=c++17", "-maxrregcount=32", "-Xptxas", "-dlcm=cg"]
    whole = tmp_path / "whole.cubin"
    subprocess.run([*command, str(tmp_path / "axpy.cu"), "-o", str(whole)], check=True)
    assert Cubin(whole.read_bytes()).code_hash(FLOAT) == binary.code_hash


@pytest.mark.nvcc
def test_options_of_ptxas_compile_the_source_once(nvcc: Nvcc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "out").mkdir()
    nvcc.build(request(tmp_path), tmp_path / "out")
    ran: list[str] = []
    monkeypatch.setattr(
        "r3c.build.toolchains.nvcc.run_compiler", lambda words, _: (ran.append(words[0]), run_compiler(words, _))[1]
    )
    nvcc.build(request(tmp_path, options=Spec("nvcc", (("load_cache", "cg"),))), tmp_path / "out")
    assert [Path(program).name for program in ran] == ["ptxas"]
    nvcc.build(request(tmp_path, options=Spec("nvcc", (("maxrregcount", 32),))), tmp_path / "out")
    assert [Path(program).name for program in ran] == ["ptxas", "nvcc", "ptxas"]


@pytest.mark.parametrize(
    ("words", "front", "back"),
    [
        (["-Xptxas", "-dlcm=cg,-O1", "-ftz=true"], ["-ftz=true"], ["-dlcm=cg", "-O1"]),
        (["--ptxas-options=-O1"], [], ["-O1"]),
        (["-maxrregcount", "64"], ["-maxrregcount=64"], ["-maxrregcount=64"]),
        (["-Xcicc", "--Xopt=-unroll-count=4"], ["-Xcicc", "--Xopt=-unroll-count=4"], []),
    ],
)
def test_options_go_to_their_stage(words: list[str], front: list[str], back: list[str]) -> None:
    assert split_stages(words) == (front, back)
