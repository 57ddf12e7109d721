from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from r3c.build.cubin import Cubin, OccupancyLimits, limits_of, occupancy
from r3c.core.errors import BuildError

SOURCE = """
__constant__ float coef[3];
template <class T> __global__ void axpy(T a, const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i] * coef[1];
}
template __global__ void axpy<float>(float, const float*, float*, int);
__global__ void stage(const float* a, float* b) {
  __shared__ float s[256];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = s[255 - threadIdx.x];
}
"""


def build(folder: Path, text: str, name: str = "k", flags: tuple[str, ...] = ()) -> Cubin:
    if shutil.which("nvcc") is None:
        pytest.skip(reason="no nvcc on this machine")
    (folder / f"{name}.cu").write_text(text)
    command = ["nvcc", "-cubin", "-arch=sm_90", *flags, str(folder / f"{name}.cu"), "-o", str(folder / f"{name}.cubin")]
    subprocess.run(command, check=True)
    return Cubin((folder / f"{name}.cubin").read_bytes())


@pytest.mark.nvcc
def test_kernels_and_features_are_read_from_the_elf(tmp_path: Path) -> None:
    cubin = build(tmp_path, SOURCE)
    assert sorted(cubin.kernels) == ["_Z4axpyIfEvT_PKS0_PS0_i", "_Z5stagePKfPf"]
    features = cubin.features("_Z5stagePKfPf")
    assert features["registers"] > 0
    assert features["shared_bytes"] == 1024
    assert features["instructions"] > 8


@pytest.mark.nvcc
def test_code_hash_ignores_names_of_files_and_comments_but_not_code(tmp_path: Path) -> None:
    symbol = "_Z5stagePKfPf"
    first = build(tmp_path, SOURCE, "first").code_hash(symbol)
    assert build(tmp_path, "// a comment\n" + SOURCE, "second").code_hash(symbol) == first
    assert build(tmp_path, SOURCE.replace("255 -", "254 -"), "third").code_hash(symbol) != first


@pytest.mark.nvcc
def test_a_register_limit_that_the_code_does_not_reach_is_no_other_code(tmp_path: Path) -> None:
    symbol = "_Z5stagePKfPf"
    high, higher = (build(tmp_path, SOURCE, flags=(f"-maxrregcount={n}",)).code_hash(symbol) for n in (64, 128))
    assert high == higher


def test_a_file_that_is_no_cubin_is_a_build_error() -> None:
    for data in (b"", b"not elf", b"\x7fELF" + b"\0" * 10):
        with pytest.raises(BuildError, match="not a cubin"):
            _ = Cubin(data).sections


def test_occupancy_is_limited_by_registers_and_shared_memory() -> None:
    assert occupancy(32, 0, 256) == 1.0
    assert occupancy(48, 0, 256) == 0.625
    assert occupancy(32, 120_000, 256) == 0.125
    assert occupancy(32, 10**6, 256) == 0.0
    assert occupancy(32, 0, 1024, OccupancyLimits(warps=48)) == pytest.approx(32 / 48)


def test_limits_are_those_of_the_architecture() -> None:
    assert occupancy(32, 0, 1024, limits_of(86)) == pytest.approx(32 / 48)
    assert limits_of(90) == limits_of(0) == OccupancyLimits()


@pytest.mark.nvcc
def test_the_architecture_and_launch_bounds_are_in_the_file(tmp_path: Path) -> None:
    bounded = SOURCE.replace("__global__ void stage", "__global__ void __launch_bounds__(1024) stage")
    wide, plain = (build(tmp_path, text, "k").features("_Z5stagePKfPf") for text in (bounded, SOURCE))
    assert build(tmp_path, SOURCE).architecture == 90
    assert wide["occupancy"] == plain["occupancy"] == 1.0
    shared = SOURCE.replace("s[256]", "s[8192]").replace("255 -", "8191 -")
    assert build(tmp_path, shared).features("_Z5stagePKfPf")["occupancy"] == 48 / 64
    few = shared.replace("__global__ void stage", "__global__ void __launch_bounds__(32) stage")
    assert build(tmp_path, few).features("_Z5stagePKfPf")["occupancy"] == 6 / 64


@pytest.mark.nvcc
def test_code_in_loops_weighs_more_and_spills_are_seen(tmp_path: Path) -> None:
    text = """
__global__ void loop(const float* a, float* b, int n) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) sum += sinf(a[i]);
  b[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(1024, 2) spill(const float* a, float* b) {
  float v[96];
#pragma unroll
  for (int i = 0; i < 96; i++) v[i] = a[i * 32];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 96; i++) b[i] = v[95 - i] * v[i];
}
"""
    cubin = build(tmp_path, text)
    loop, spill = cubin.features("_Z4loopPKfPfi"), cubin.features("_Z5spillPKfPf")
    assert loop["loop_depth"] >= 1
    assert loop["weighted_instructions"] > 4 * loop["instructions"]
    assert loop["weighted_stall_cycles"] > loop["stall_cycles"]
    assert spill["loop_depth"] == 0
    assert spill["weighted_instructions"] == spill["instructions"]
    assert (spill["local_accesses"] > 0) == (spill["stack_bytes"] > 0)
    for features in (loop, spill):
        assert sum(value for name, value in features.items() if name.startswith("mix_")) == pytest.approx(1, abs=1e-3)
        assert features["mix_other"] == 0
