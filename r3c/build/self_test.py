"""Each stage of a toolchain tried on a small kernel: what works here, and what fails with which words."""

from __future__ import annotations

import platform
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from r3c import plugins
from r3c.build.toolchains.base import BuildRequest
from r3c.core.compile import CompileCommand
from r3c.core.errors import BuildError, R3CError
from r3c.core.source import Source
from r3c.core.spec import Spec

KERNEL = "r3c_self_test"
SOURCE = f"""#include <cmath>
__global__ void {KERNEL}(const float *in, float *out, int n) {{
  __shared__ float tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? sqrtf(in[i]) : 0.0f;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x ^ 1];
}}
"""
ARCHITECTURE = "sm_90"
NVCC_STAGES = (("preprocessor", "-E"), ("front end and cicc", "-ptx"), ("ptxas", "-cubin"))
INSTALL = (("g++", "apt-get install g++"), ("gcc", "apt-get install g++"), ("ptxas", "pip install 'r3c[nvcc]'"),
           ("libdevice", "pip install 'r3c[nvcc]'"), ("cccl", "pip install 'r3c[nvcc]'"))  # fmt: skip


@dataclass(frozen=True)
class Stage:
    """One stage that was tried; `error` is empty where it works, `hint` a command that may mend it."""

    name: str
    seconds: float
    error: str = ""
    hint: str = ""


def self_test(name: str) -> Iterator[Stage]:
    """The stages of toolchain `name` in order, up to the first that fails; none where it is not installed."""
    toolchain = plugins.load("toolchain", name)()
    if toolchain.unavailable():
        return
    with tempfile.TemporaryDirectory(prefix="r3c-self-test-") as scratch:
        folder = Path(scratch)
        (folder / "app").mkdir()
        path = folder / "app" / f"{KERNEL}.cu"
        path.write_text(SOURCE)
        architecture = platform.machine() if name == "host" else ARCHITECTURE
        request = BuildRequest(
            Source.read(path), KERNEL, KERNEL, CompileCommand(str(path)), Spec(name), architecture, 60.0
        )
        for stage, work in _stages(toolchain, request, folder):
            tried = _try(stage, work)
            yield tried
            if tried.error:
                return


def _stages(toolchain: Any, request: BuildRequest, folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """What the toolchain itself names its stages, nvcc's, or the build as a whole."""
    if hasattr(toolchain, "stages"):
        yield from toolchain.stages(request, folder)
        return
    if toolchain.name == "nvcc":
        for stage, mode in NVCC_STAGES:
            command = [toolchain.program, mode, f"-arch={request.architecture}", request.command.file]
            yield stage, partial(_run, [*command, "-o", str(folder / "out")])
    yield "whole build", lambda: toolchain.build(request, folder)


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise BuildError(lines[0] if lines else "it failed without a word", " ".join(command), "\n".join(lines))


def _try(stage: str, work: Callable[[], object]) -> Stage:
    started = time.monotonic()
    try:
        work()
    except R3CError as error:
        said = error.diagnostic.message.splitlines()[0]
        output = f"{said} {getattr(error, 'output', '')}"
        hint = error.diagnostic.hint or next((command for word, command in INSTALL if word in output), "")
        return Stage(stage, time.monotonic() - started, said, hint)
    return Stage(stage, time.monotonic() - started)
