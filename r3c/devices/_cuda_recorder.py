"""The injected CUDA recorder: finds CUDA's headers and CUPTI, compiles the library once, says how to inject it."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from r3c.core.errors import BuildError, MissingExtra
from r3c.resources import user_cache

NATIVE = Path(__file__).parent / "native" / "cuda"
CAPTURE_HEADER = Path(__file__).parent.parent / "recording" / "native"


@dataclass(frozen=True)
class CudaFiles:
    """A CUDA installation as the recorder needs it: `root` is for messages."""

    root: Path
    includes: tuple[Path, ...]
    cupti: Path


def find_cuda() -> CudaFiles | None:
    """The first of `$CUDA_HOME`, nvcc's toolkit, /usr/local/cuda and the PyPI packages that has cupti.h and libcupti."""
    for root in _roots():
        files = _cuda_files(root)
        if files is not None:
            return files
    return None


def _roots() -> Iterator[Path]:
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            yield Path(os.environ[variable])
    nvcc = shutil.which("nvcc")
    if nvcc:
        yield Path(nvcc).resolve().parent.parent
    yield Path("/usr/local/cuda")
    yield from sorted(Path("/usr/local").glob("cuda-*"), reverse=True)
    spec = importlib.util.find_spec("nvidia")
    for base in spec.submodule_search_locations or [] if spec else []:
        yield from sorted(Path(base).glob("cu[0-9]*"), reverse=True)
        yield Path(base)


def _cuda_files(root: Path) -> CudaFiles | None:
    includes = [path for path in _include_folders(root) if path.is_dir()]
    has = {name for name in ("cupti.h", "cuda.h") for path in includes if (path / name).exists()}
    libraries = [lib for folder in _library_folders(root) for lib in sorted(folder.glob("libcupti.so*"))]
    if has != {"cupti.h", "cuda.h"} or not libraries:
        return None
    return CudaFiles(root, tuple(includes), libraries[0])


def _include_folders(root: Path) -> list[Path]:
    return [
        root / "include",
        root / "extras" / "CUPTI" / "include",
        *(root / package / "include" for package in ("cuda_runtime", "cuda_cupti", "cuda_nvcc")),
    ]


def _library_folders(root: Path) -> list[Path]:
    return [root / "lib64", root / "lib", root / "extras" / "CUPTI" / "lib64", root / "cuda_cupti" / "lib"]


def recorder_environment() -> dict[str, str]:
    """Variables that make the driver load the recorder into a process.

    Raises:
        MissingExtra: there are no CUDA headers or no CUPTI.
        BuildError: the recorder does not compile; the command and its output are kept.
    """
    files = find_cuda()
    if files is None:
        raise MissingExtra(
            "the CUDA recorder needs cuda.h, cupti.h and libcupti",
            hint="install a CUDA toolkit, or: pip install 'r3c[cuda]' nvidia-cuda-cupti nvidia-cuda-runtime",
        )
    library = recorder_library(files)
    return {
        "CUDA_INJECTION64_PATH": str(library),
        "R3C_CUPTI": str(files.cupti),
        "CUDA_MODULE_LOADING": "LAZY",
    }


def recorder_library(files: CudaFiles) -> Path:
    """The compiled recorder, from the cache where these sources and headers were compiled before."""
    sources = [*sorted(NATIVE.glob("*.cpp")), *sorted(NATIVE.glob("*.h")), *sorted(CAPTURE_HEADER.glob("*.h"))]
    key = hashlib.sha256(str(files.root.resolve()).encode())
    for source in sources:
        key.update(source.read_bytes())
    library = user_cache() / "native" / f"libr3c_recorder-{key.hexdigest()[:16]}.so"
    if not library.exists():
        _compile(files, library)
    return library


def _compile(files: CudaFiles, library: Path) -> None:
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as scratch:
        made = Path(scratch) / library.name
        command = ["g++", "-std=c++17", "-O2", "-shared", "-fPIC", "-pthread", "-w"]
        command += [f"-I{path}" for path in (*files.includes, CAPTURE_HEADER)]
        command += [str(source) for source in sorted(NATIVE.glob("*.cpp"))]
        command += ["-o", str(made), "-ldl"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BuildError("the CUDA recorder does not compile", " ".join(command), done.stdout + done.stderr)
        made.replace(library)
