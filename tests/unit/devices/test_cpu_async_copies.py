"""Asynchronous copies arrive when they are waited for, and not before."""

from __future__ import annotations

from pathlib import Path

import pytest

from r3c import plugins
from r3c.build.app import build_app, load_app, run_app
from r3c.core.config import AppConfig
from r3c.devices.cpu import Cpu

PROGRAM = """
#include <cstdio>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
__global__ void copy(int *out, const int *in) {
  __shared__ int tile[2][32];
  const int i = threadIdx.x;
  tile[0][i] = tile[1][i] = -1;
  __syncthreads();
  __pipeline_memcpy_async(&tile[0][i], &in[i], sizeof(int));
  __pipeline_commit();
  __pipeline_memcpy_async(&tile[1][i], &in[32 + i], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  out[i] = tile[0][31 - i];
  out[32 + i] = tile[1][31 - i];
  __syncthreads();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[64 + i] = tile[1][31 - i];
}
int main() {
  int in[64], out[96], *d_in, *d_out;
  for (int i = 0; i < 64; i++) in[i] = 100 + i;
  cudaMalloc((void **)&d_in, sizeof in);
  cudaMalloc((void **)&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  copy<<<1, 32>>>(d_out, d_in);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("%d %d %d\\n", out[0], out[32], out[64]);
}
"""


def test_a_copy_that_is_not_waited_for_has_not_arrived(tmp_path: Path) -> None:
    if Cpu().unavailable():
        pytest.skip(reason=Cpu().unavailable())
    (tmp_path / "copy.cu").write_text(PROGRAM, encoding="ascii")
    app = load_app(tmp_path, AppConfig(build="nvcc -o copy copy.cu", run="./copy", timeout_s=60.0))
    build_app(tmp_path, app, plugins.load("device", "cpu")(), tmp_path / "logs")
    assert run_app(tmp_path, app).stdout == "131 -1 163\n"
