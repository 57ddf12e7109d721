"""Programs built by the wrapper for the CPU device, as a Makefile would call it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from r3c.build.nvcc_arguments import parse_nvcc

ROOT = Path(__file__).parents[3]

KERNELS = """
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include "shared.cuh"
namespace cg = cooperative_groups;
__global__ void halves(const __half *a, __half *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = __hadd(__hmul(a[i], __float2half(2.0f)), __float2half(1.0f));
}
namespace deep { template <class T> __global__ void tiles(T *sums) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  T v = (T)block.thread_rank();
  for (int d = 8; d > 0; d /= 2) v += tile.shfl_down(v, d);
  if (tile.thread_rank() == 0) sums[block.thread_rank() / 16] = v;
} }
__global__ void votes(unsigned *out) {
  extern __shared__ double room[];
  room[threadIdx.x] = threadIdx.x;
  int odd = __syncthreads_count(threadIdx.x & 1);
  unsigned ballot = __ballot_sync(0xffffffffu, threadIdx.x % 3 == 0);
  if (threadIdx.x == 0) { out[0] = odd; out[1] = ballot; out[2] = (unsigned)room[63]; out[3] = __popc(ballot); }
  atomicMax(&out[4], threadIdx.x * 3u);
}
"""
MAIN = """
#include <cstdio>
#include <cuda_runtime.h>
#include "shared.cuh"
__constant__ float factor;
__global__ void scale(float *p, int pitch, float by = 2.0f) { p[threadIdx.y * pitch / 4 + threadIdx.x] *= factor * by; }
void launch_others();
int main() {
  float f = 3.0f, *p; size_t pitch; cudaEvent_t e; cudaStream_t s; cudaDeviceProp prop;
  cudaMemcpyToSymbol(factor, &f, sizeof f);
  cudaMallocPitch(&p, &pitch, 16, 2);
  float h[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  cudaMemcpy2D(p, pitch, h, 16, 16, 2, cudaMemcpyHostToDevice);
  cudaStreamCreate(&s); cudaEventCreate(&e); cudaEventRecord(e, s);
  int step = (int)pitch; float by = 2.0f;
  scale<<<1, dim3(4, 2), 0, s>>>(p, step, by);
  void *args[] = {&p, &step, &by};
  cudaLaunchKernel((const void *)scale, dim3(1), dim3(4, 2), args, 0, s);
  cudaMemcpy2D(h, 16, p, pitch, 16, 2, cudaMemcpyDeviceToHost);
  printf("%g %g\\n", h[0], h[7]);
  launch_others();
  scale<<<1, 2000>>>(p, step, by);
  printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
  cudaGetDeviceProperties(&prop, 0);
  printf("%d %s\\n", prop.warpSize, cudaGetErrorString(cudaGetLastError()));
}
"""
OTHERS = """
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include "shared.cuh"
__global__ void halves(const __half *a, __half *b, int n);
namespace deep { template <class T> __global__ void tiles(T *sums); }
void launch_tiles(float *sums);
__global__ void votes(unsigned *out);
void launch_others() {
  __half *a, *b; unsigned *out; float *sums;
  cudaMallocManaged(&a, 8); cudaMallocManaged(&b, 8); cudaMallocManaged(&out, 20); cudaMallocManaged(&sums, 16);
  for (int i = 0; i < 4; i++) a[i] = __float2half(i + 0.5f);
  halves<<<1, 32>>>(a, b, 4);
  launch_tiles(sums);
  for (int i = 0; i < 5; i++) out[i] = 0;
  votes<<<1, 64, 64 * sizeof(double)>>>(out);
  cudaDeviceSynchronize();
  printf("%g %g\\n%g %g\\n%u %u %u %u %u\\n", (float)b[0], (float)b[3], sums[0], sums[3], out[0], out[1], out[2], out[3], out[4]);
}
"""


def nvcc(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "R3C_NVCC_MODE": "cpu", "PYTHONPATH": str(ROOT),
                   "R3C_COMPILE_LOG": str(folder / "log.jsonl")}  # fmt: skip
    command = [sys.executable, "-m", "r3c.build.nvcc_wrapper", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_several_units_headers_templates_and_the_runtime_api(tmp_path: Path) -> None:
    (tmp_path / "shared.cuh").write_text("#pragma once\ntemplate <class T> struct Unused { T x; };\n")
    (tmp_path / "main.cu").write_text(MAIN)
    (tmp_path / "others.cu").write_text(OTHERS)
    (tmp_path / "kernels.cu").write_text(
        KERNELS + "void launch_tiles(float *sums) { deep::tiles<float><<<1, 64>>>(sums); }\n"
    )
    for name in ("main", "others", "kernels"):
        done = nvcc(
            tmp_path, "-O2", "-arch=sm_80", "-std=c++14", "-Xcompiler", "-Wall", "-dc", f"{name}.cu", "-o", f"{name}.o"
        )
        assert done.returncode == 0, done.stderr
    linked = nvcc(tmp_path, "-arch=sm_80", "main.o", "others.o", "kernels.o", "-lcudart", "-o", "program")
    assert linked.returncode == 0, linked.stderr
    run = subprocess.run([str(tmp_path / "program")], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [
        "36 288",
        "2 8",
        "120 888",
        "32 1227133513 63 11 189",
        "invalid configuration argument",
        "32 no error",
    ]
    assert (tmp_path / "log.jsonl").read_text().count("\n") == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('__global__ void k(int *p) { asm("trap;"); }', "inline PTX does not run on the CPU device"),
        ("__global__ void k(cudaTextureObject_t t) { }", "the CPU device has no textures"),
    ],
)
def test_what_the_shim_lacks_is_named_with_its_place(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("\n" + text + "\n")
    done = nvcc(tmp_path, "-c", "k.cu")
    assert done.returncode == 1
    assert words in done.stderr
    assert "k.cu:2:" in done.stderr


def test_a_compile_error_names_the_users_line(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("__global__ void k(int *p) {\n  p[0] = undefined_name;\n}\n")
    assert "k.cu:2:" in nvcc(tmp_path, "-c", "k.cu").stderr


def test_nvccs_spelling_of_options_is_understood() -> None:
    line = "-gencode arch=compute_80,code=sm_80 -DN=4 -D M -Iinc -I sub --std=c++17 -O3 -Xcompiler -fopenmp,-Wall -lm -use_fast_math -c a.cu -o a.o"
    parsed = parse_nvcc(line.split())
    assert parsed.mode == "compile"
    assert parsed.inputs == ["a.cu"]
    assert parsed.output == "a.o"
    assert parsed.defines == ["N=4", "M"]
    assert [Path(p).name for p in parsed.include_paths] == ["inc", "sub"]
    assert parsed.standard == "c++17"
    assert parsed.host_flags == ["-fopenmp", "-Wall"]
    assert parsed.libraries == ["-lm"]
    assert parsed.architectures == ["compute_80", "sm_80"]
    assert parsed.device_flags == ["-use_fast_math"]
