"""A patched application on a GPU: the tuned kernel runs on the architecture it was verified on, and nowhere else."""

from __future__ import annotations

import subprocess
from pathlib import Path, PurePosixPath

import pytest

from r3c.core.candidate import parse_candidate
from r3c.core.launch import LaunchPlan
from r3c.core.result import Timing
from r3c.core.source import Source
from r3c.devices.cuda import Cuda
from r3c.emit.header import Provenance, Variant, make_header
from r3c.emit.patch import use_headers
from r3c.emit.signature import Signature
from r3c.rewrites.base import Rewritten

pytestmark = [pytest.mark.gpu, pytest.mark.nvcc]

# The tuned kernel writes 2 where the original writes 1, so that the output tells which one ran.
APP = """\
#include <cstdio>
// r3c: kernel()
__global__ void mark(int *a) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = 1;
  a[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}
int main() {
  int *a, b[256];
  cudaMalloc(&a, sizeof b);
  cudaFuncSetAttribute(mark, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
  for (int shared : {1024, 64 * 1024}) {
    for (int block : {128, 256}) {
      mark<<<256 / block, block, shared>>>(a);
      if (cudaMemcpy(b, a, sizeof b, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
      int sum = 0;
      for (int value : b) sum += value;
      printf("%s ", sum == 256 ? "original" : sum == 512 ? "tuned" : "wrong");
    }
  }
  return 0;
}
"""
TIMING = Timing(2.0, 1.9, 2.1, 10)
PROVENANCE = Provenance("0.1.0", "2026-01-02", "GPU", "", "nvcc", "", (), TIMING, TIMING, 1.0, 1.0)


def output(folder: Path, architecture: str, *flags: str) -> list[str]:
    home, source = PurePosixPath("app.cu"), Source("app.cu", APP)
    tuned = Rewritten(Source("app.cu", APP.replace("] = 1;", "] = 2;")), LaunchPlan())
    variant = Variant(parse_candidate("original"), tuned, architecture, (Signature((128, 1, 1)),), PROVENANCE)
    for change in use_headers({home: source}, {home: [make_header(source, "mark", [variant])]}).changes:
        (folder / change.path).write_bytes(change.after.data)
    subprocess.run(["nvcc", "-arch=native", *flags, "-o", folder / "app", folder / "app.cu"], check=True)
    return subprocess.run([folder / "app"], capture_output=True, text=True, check=True).stdout.split()


def test_launches_with_a_recorded_block_run_the_tuned_kernel(tmp_path: Path) -> None:
    assert output(tmp_path, Cuda().info().architecture) == ["tuned", "original", "tuned", "original"]


@pytest.mark.parametrize("architecture", ["sm_52", "cpu"])
def test_winners_of_other_devices_are_not_used(architecture: str, tmp_path: Path) -> None:
    assert output(tmp_path, architecture) == ["original"] * 4


def test_a_disabled_build_runs_the_original_alone(tmp_path: Path) -> None:
    assert output(tmp_path, Cuda().info().architecture, "-DR3C_DISABLE") == ["original"] * 4
