"""The comparison kernels as a cubin: compiled by NVRTC, or by nvcc, at first use, then kept."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from r3c.core.errors import DeviceError
from r3c.resources import user_cache

SOURCE = Path(__file__).parent / "native" / "compare.cu"
FLAGS = ("--fmad=false", "--std=c++17")


def comparison_cubin(architecture: str) -> Path:
    """Raises DeviceError where it cannot be compiled here; the message says why."""
    key = hashlib.sha256(SOURCE.read_bytes() + " ".join(FLAGS).encode()).hexdigest()[:16]
    path = user_cache() / "native" / f"compare-{key}-{architecture}.cubin"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        made = Path(scratch) / path.name
        failed = _with_nvrtc(architecture, made) and _with_nvcc(architecture, made)
        if failed:
            raise DeviceError(f"no comparison on the device: {failed}", hint="pip install nvidia-cuda-nvrtc")
        made.replace(path)
    return path


def _with_nvrtc(architecture: str, made: Path) -> str:
    """Why it failed, empty where it did not."""
    try:
        from cuda.bindings import nvrtc

        status, program = nvrtc.nvrtcCreateProgram(SOURCE.read_bytes(), b"compare.cu", 0, None, None)
        if int(status) != 0:
            return "NVRTC makes no program"
    except (ImportError, RuntimeError) as error:
        return f"NVRTC: {error}"
    options = [f"--gpu-architecture={architecture}".encode(), *(flag.encode() for flag in FLAGS)]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    if int(status) != 0:
        return "NVRTC: " + _bytes(nvrtc, program, "ProgramLog").rstrip(b"\0\n").decode(errors="replace")[-300:]
    made.write_bytes(_bytes(nvrtc, program, "CUBIN"))
    return ""


def _bytes(nvrtc: Any, program: Any, what: str) -> bytes:
    _, size = getattr(nvrtc, f"nvrtcGet{what}Size")(program)
    buffer: bytes = b" " * size
    getattr(nvrtc, f"nvrtcGet{what}")(program, buffer)
    return buffer


def _with_nvcc(architecture: str, made: Path) -> str:
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path=os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin")
    if nvcc is None:
        return "neither NVRTC nor nvcc is here"
    command = [nvcc, "-cubin", f"-arch={architecture}", *FLAGS, str(SOURCE), "-o", str(made)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stderr.strip()[-300:] or "nvcc failed") if done.returncode else ""
