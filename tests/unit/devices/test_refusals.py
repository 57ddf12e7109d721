"""What the recorder reads out of machine code: kernels that cannot be replayed, each for its own reason."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from r3c.devices._cuda_recorder import NATIVE

pytestmark = [pytest.mark.nvcc, pytest.mark.skipif(not shutil.which("nvcc"), reason="no nvcc")]

PROGRAM = """
#include <fstream>
#include <iostream>
#include <iterator>
#include "refusals.h"
int main(int, char **argv) {
  std::ifstream file(argv[1], std::ios::binary);
  r3c::Cubin cubin{std::string(std::istreambuf_iterator<char>(file), {})};
  std::cout << r3c::Refusals::reason(cubin, argv[2]);
}
"""
POINTERS = """
typedef int (*F)(int);
__device__ int more(int x) { return x + 1; }
__device__ int twice(int x) { return x * 2; }
extern "C" __global__ void fill(F *t) { t[0] = more; t[1] = twice; }
extern "C" __global__ void k(F *t, int *p) { p[threadIdx.x] = t[threadIdx.x & 1](p[threadIdx.x]); }
"""
VIRTUAL = """
struct A { virtual __device__ int f(int x) { return x; } };
struct B : A { __device__ int f(int x) override { return x * 2; } };
extern "C" __global__ void k(A *a, int *p) { p[0] = a->f(3); }
extern "C" __global__ void make(B *b) { *b = B(); }
"""
PLAIN = """
#include <cstdio>
#include <cassert>
__noinline__ __device__ int f(int x) { return x * x + 3; }
extern "C" __global__ void k(int *p, double *q) {
  assert(p[0] != 1);
  if (p[1] == 3) printf("%d", p[2]);
  p[threadIdx.x] = f(p[threadIdx.x]);
  q[0] = 1.0 / q[1] + pow(q[2], 0.3);
}
"""
HEAP = 'extern "C" __global__ void k(int **p) { p[threadIdx.x] = new int[4]; }\n'
BESIDE = HEAP.replace(" k(", " other(") + 'extern "C" __global__ void k(int *p) { p[0] = 1; }\n'
PARENT = (
    'extern "C" __global__ void c(int *p) { p[0] = 1; }\nextern "C" __global__ void k(int *p) { c<<<1, 32>>>(p); }\n'
)
THROUGH = "through pointers or virtual functions"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader")
    (folder / "reader.cpp").write_text(PROGRAM)
    subprocess.run(["g++", "-std=c++17", f"-I{NATIVE}", folder / "reader.cpp", "-o", folder / "reader"], check=True)
    return folder / "reader"


def reason(reader: Path, folder: Path, text: str, kernel: str = "k", linked: bool = False) -> str:
    (folder / "k.cu").write_text(text)
    command = ["nvcc", "-arch=sm_90", "-cubin", "k.cu", "-o", "k.cubin"]
    if linked:
        (folder / "k.cu").write_text(text + "int main() {}\n")
        command = ["nvcc", "-arch=sm_90", "-rdc=true", "--keep", "k.cu", "-o", "k", "-lcudadevrt"]
    subprocess.run(command, cwd=folder, check=True)
    cubin = next(folder.glob("k_dlink*.cubin")) if linked else folder / "k.cubin"
    return subprocess.run([reader, cubin, kernel], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize(
    ("text", "words"), [(POINTERS, THROUGH), (VIRTUAL, THROUGH), (HEAP, "in-kernel heap"), (PLAIN, "")]
)
def test_each_has_its_reason(reader: Path, tmp_path: Path, text: str, words: str, linked: bool) -> None:
    found = reason(reader, tmp_path, text, linked=linked)
    assert words in found
    assert bool(words) == bool(found)


def test_dynamic_parallelism_is_refused_and_its_child_is_not(reader: Path, tmp_path: Path) -> None:
    assert "it launches kernels itself" in reason(reader, tmp_path, PARENT, linked=True)
    assert reason(reader, tmp_path, PARENT, "c", linked=True) == ""


def test_a_kernel_beside_one_that_allocates_is_not_refused(reader: Path, tmp_path: Path) -> None:
    assert reason(reader, tmp_path, BESIDE) == ""
    assert reason(reader, tmp_path, POINTERS, "fill") == ""
