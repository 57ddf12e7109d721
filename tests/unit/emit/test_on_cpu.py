"""A patched application on the CPU device: which kernel runs at which launch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
from emit_headers import variant_of

from r3c.build.app import build_app, copy_app, load_app, run_app
from r3c.core.source import Source
from r3c.devices.cpu import Cpu
from r3c.emit.header import make_header
from r3c.emit.patch import use_headers
from r3c.emit.signature import Guard, Signature

# The tuned kernel writes 2 where the original writes 1, so that the output tells which one ran.
APP = """\
#include <cstdio>
namespace app {
// r3c: kernel()
// r3c: geometry(cover)
template <typename T>
__global__ void mark(T *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 1;
}
}
int main() {
  int *a;
  cudaMallocManaged(&a, 1000 * sizeof(int));
  for (int block : {64, 128}) {
    for (int n : {999, 1000}) {
      app::mark<<<(n + block - 1) / block, block>>>(a, n);
      cudaDeviceSynchronize();
      int sum = 0;
      for (int i = 0; i < n; i++) sum += a[i];
      printf("block %d n %d: %s\\n", block, n, sum == n ? "original" : sum == 2 * n ? "tuned" : "wrong");
    }
  }
  return 0;
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "app"
    root.mkdir()
    (root / "app.cu").write_text(APP)
    (root / "Makefile").write_text("app: app.cu\n\tnvcc $(FLAGS) -o app app.cu\n")
    (root / "r3c.toml").write_text('[app]\nbuild = "make"\nrun = "./app"\n')
    return root


def output(folder: Path, tmp_path: Path, architecture: str, flags: str = "", instantiation: str = "") -> list[str]:
    source = Source("app.cu", APP)
    variant = variant_of(
        source, "mark", "block{x=32,y=1,z=1}", architecture=architecture,
        signatures=(Signature((128, 1, 1)),), guards=(Guard("n % 2 == 0", "pairs"),),
    )  # fmt: skip
    other = Source("app.cu", APP.replace("a[i] = 1;", "a[i] = 2;"))
    variant = replace(variant, rewritten=replace(variant.rewritten, source=other), instantiation=instantiation)
    home = PurePosixPath("app.cu")
    patched = use_headers({home: source}, {home: [make_header(source, "mark", [variant])]})
    (folder / "r3c.toml").write_text(f'[app]\nbuild = "make FLAGS={flags}"\nrun = "./app"\n')
    app = load_app(folder)
    copy = copy_app(app, tmp_path / "copy")
    for change in patched.changes:
        (copy / change.path).write_bytes(change.after.data)
    build_app(copy, app, Cpu(), tmp_path / "logs")
    return run_app(copy, app).stdout.splitlines()


def test_only_launches_that_match_run_the_tuned_kernel(folder: Path, tmp_path: Path) -> None:
    assert output(folder, tmp_path, "cpu") == [
        "block 64 n 999: original",
        "block 64 n 1000: original",
        "block 128 n 999: original",
        "block 128 n 1000: tuned",
    ]


def test_a_disabled_build_runs_the_original_alone(folder: Path, tmp_path: Path) -> None:
    assert all(line.endswith("original") for line in output(folder, tmp_path, "cpu", "-DR3C_DISABLE"))


def test_the_cpu_device_takes_a_variant_of_a_gpu(folder: Path, tmp_path: Path) -> None:
    assert output(folder, tmp_path, "sm_90")[-1] == "block 128 n 1000: tuned"


def test_a_winner_is_for_the_instantiation_it_was_tried_on(folder: Path, tmp_path: Path) -> None:
    assert output(folder, tmp_path, "cpu", instantiation="app::mark<int>")[-1] == "block 128 n 1000: tuned"
    assert output(folder, tmp_path, "cpu", instantiation="app::mark<float>")[-1] == "block 128 n 1000: original"
