from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from r3c.build.cubin import Cubin
from r3c.build.nvrtc import NvrtcPool
from r3c.build.toolchains.base import BuildRequest
from r3c.build.toolchains.nvrtc import Nvrtc, instantiation_of, name_expressions
from r3c.core.compile import CompileCommand
from r3c.core.contract import Contract
from r3c.core.errors import BuildError, MissingExtra
from r3c.core.source import Source
from r3c.core.spec import Spec

SOURCE = """
template <class T> __global__ void axpy(T a, const T* x, T* y) { y[threadIdx.x] += a * x[threadIdx.x]; }
namespace inner { __global__ void clear(float* p) { p[threadIdx.x] = 0; } }
template __global__ void axpy<float>(float, const float*, float*);
"""
OPTIONS = ("--gpu-architecture=sm_90",)
FLOAT = "_Z4axpyIfEvT_PKS0_PS0_"


@pytest.fixture(scope="module")
def pool() -> NvrtcPool:
    made = NvrtcPool()
    try:
        made.version()
    except MissingExtra as missing:
        pytest.skip(reason=str(missing))
    return made


@pytest.fixture
def nvrtc(pool: NvrtcPool) -> Nvrtc:
    toolchain = Nvrtc(pool)
    if toolchain.unavailable():
        pytest.skip(reason=toolchain.unavailable())
    return toolchain


def request(folder: Path, text: str = SOURCE, options: str = "", **command: tuple[str, ...]) -> BuildRequest:
    (folder / "axpy.cu").write_text(text)
    (folder / "out").mkdir(exist_ok=True)
    given = CompileCommand(str(folder / "axpy.cu"), standard="c++17", **command)
    spec = Spec("nvrtc") if not options else Spec.of("nvrtc", {options: 64})
    return BuildRequest(Source(str(folder / "axpy.cu"), text), "axpy", FLOAT, given, spec, "sm_90")


def test_name_expressions_give_the_wanted_instantiations(pool: NvrtcPool) -> None:
    result = pool.compile(SOURCE, "k.cu", OPTIONS, ["axpy<double>", "inner::clear"])
    assert result.lowered == {"axpy<double>": "_Z4axpyIdEvT_PKS0_PS0_", "inner::clear": "_ZN5inner5clearEPf"}
    assert set(Cubin(result.cubin).kernels) == {FLOAT, *result.lowered.values()}


def test_an_error_keeps_the_whole_log_and_the_next_build_goes_on(pool: NvrtcPool) -> None:
    with pytest.raises(BuildError, match="undefined") as caught:
        pool.compile("__global__ void f() { x; }", "k.cu", OPTIONS)
    assert "1 error detected" in caught.value.output
    assert "sm_90" in caught.value.command
    assert pool.compile(SOURCE, "k.cu", OPTIONS, ["axpy<float>"]).cubin.startswith(b"\x7fELF")


def test_a_compiler_that_dies_costs_one_build(pool: NvrtcPool) -> None:
    server = pool._idle[-1]
    os.kill(server._process.pid, signal.SIGKILL)
    server._process.wait()
    with pytest.raises(BuildError, match="crashed"):
        pool.compile(SOURCE, "k.cu", OPTIONS)
    assert pool.compile(SOURCE, "k.cu", OPTIONS, ["axpy<float>"]).lowered == {"axpy<float>": FLOAT}


def test_a_compiler_that_hangs_is_stopped(pool: NvrtcPool) -> None:
    with pytest.raises(BuildError, match="took longer than 0 s"):
        pool.compile(SOURCE, "k.cu", OPTIONS, timeout_s=0.0)


def test_the_recorded_instantiation_is_built_from_a_unit_with_host_code(nvrtc: Nvrtc, tmp_path: Path) -> None:
    text = "#include <vector>\nstd::vector<int> all;\n" + SOURCE + "int main() { return all.size(); }\n"
    binary = nvrtc.build(request(tmp_path, text), tmp_path / "out")
    assert (binary.symbol, binary.features["spill_bytes"]) == (FLOAT, 0)
    assert binary.command.startswith("nvrtc ")
    assert nvrtc.notes == []


def test_options_reach_the_compiler(nvrtc: Nvrtc, tmp_path: Path) -> None:
    words = nvrtc.options(
        request(tmp_path, options="maxrregcount", defines=("N=3", "!M"), flags=("-ftz=true", "-Xptxas", "-dlcm=cg"))
    )
    assert words[-6:] == ["--std=c++17", "-DN=3", "-UM", "--ftz=true", "--ptxas-options=-dlcm=cg", "--maxrregcount=64"]


def test_nvcc_takes_over_where_the_unit_cannot_be_cut(nvrtc: Nvrtc, tmp_path: Path) -> None:
    text = SOURCE.replace("y[threadIdx.x] +=", "y[threadIdx.x] += ({ T t = 1; t; }) *")
    binary = nvrtc.build(request(tmp_path, text), tmp_path / "out")
    assert "nvcc" in binary.command
    assert len(nvrtc.notes) == 1
    assert nvrtc.notes[0].startswith("axpy: nvcc builds what NVRTC cannot (")


def test_what_neither_compiles_is_told_in_nvccs_words(nvrtc: Nvrtc, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="unknown") as caught:
        nvrtc.build(request(tmp_path, SOURCE.replace("y[threadIdx.x] +=", "unknown +=")), tmp_path / "out")
    assert "nvcc" in caught.value.command
    assert nvrtc.notes == []


def test_only_options_that_both_compilers_have_are_searched(nvrtc: Nvrtc) -> None:
    names = {dimension.name for dimension in nvrtc.dimensions(Contract("k"), "any")}
    assert "nvrtc.maxrregcount" in names
    assert "nvrtc.unroll_count" not in names


@pytest.mark.parametrize(
    ("symbol", "expressions"),
    [
        (FLOAT, ("axpy<float>",)),
        ("_Z4axpyPf", ()),
        ("axpy", ()),
        ("_ZN2ns1kILi3EbLb1EEEvPT0_", ("ns::k<3, bool, true>",)),
    ],
)
def test_the_name_of_an_instantiation(symbol: str, expressions: tuple[str, ...]) -> None:
    found = name_expressions(symbol)
    assert [one.replace("(bool)1", "true") for one in found] == list(expressions)


def test_instantiations_are_named_as_source_names_them() -> None:
    assert instantiation_of("_ZN3app4markIiLi4EEEvPT_i") == "app::mark<int, 4>"
    assert instantiation_of("app::mark<int, 4>") == "app::mark<int, 4>"
    assert instantiation_of("_Z4markPii") == instantiation_of("mark") == ""
