from __future__ import annotations

import pytest

from r3c.build.cubin import Cubin
from r3c.build.nvrtc import compile_device_source, load_nvrtc
from r3c.core.errors import BuildError, MissingExtra

SOURCE = """
template <class T> __global__ void axpy(T a, const T* x, T* y) { y[threadIdx.x] += a * x[threadIdx.x]; }
namespace inner { __global__ void clear(float* p) { p[threadIdx.x] = 0; } }
"""
OPTIONS = ("--gpu-architecture=sm_90",)


@pytest.fixture(autouse=True, scope="module")
def _nvrtc() -> None:
    try:
        load_nvrtc()
    except MissingExtra as missing:
        pytest.skip(reason=str(missing))


@pytest.mark.nvcc
def test_name_expressions_give_the_wanted_instantiations() -> None:
    result = compile_device_source(SOURCE, "k.cu", ["axpy<double>", "inner::clear"], OPTIONS, 30)
    assert result.lowered == {"axpy<double>": "_Z4axpyIdEvT_PKS0_PS0_", "inner::clear": "_ZN5inner5clearEPf"}
    assert set(Cubin(result.cubin).kernels) == set(result.lowered.values())


@pytest.mark.nvcc
def test_an_error_keeps_the_whole_log() -> None:
    with pytest.raises(BuildError, match="undefined") as caught:
        compile_device_source("__global__ void f() { x; }", "k.cu", [], OPTIONS, 30)
    assert "1 error detected" in caught.value.output
    assert "sm_90" in caught.value.command
