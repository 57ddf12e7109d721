"""Finds the real nvcc: of `$CUDA_HOME`, of PATH (r3c's own wrapper left out), of /usr/local, of the PyPI packages."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

WRAPPER_MARK = b"r3c.build.nvcc_wrapper"


def find_nvcc() -> str:
    """Path of nvcc, empty where there is none."""
    return next((str(path) for path in _candidates() if os.access(path, os.X_OK) and not _is_wrapper(path)), "")


def _candidates() -> Iterator[Path]:
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            yield Path(os.environ[variable]) / "bin" / "nvcc"
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        yield Path(folder or ".") / "nvcc"
    yield Path("/usr/local/cuda/bin/nvcc")
    yield from sorted(Path("/usr/local").glob("cuda-*/bin/nvcc"), reverse=True)
    spec = importlib.util.find_spec("nvidia")
    for base in spec.submodule_search_locations or [] if spec else []:
        yield from sorted(Path(base).glob("cu*/bin/nvcc"), reverse=True)


def toolkit_of(nvcc: Path) -> Path:
    """The toolkit folder of an nvcc that may be a script or a link that leads to it."""
    resolved = nvcc.resolve()
    if (resolved.parent.parent / "nvvm" / "libdevice").is_dir():
        return resolved.parent.parent
    done = subprocess.run(
        [str(nvcc), "--dryrun", "-E", "-x", "cu", "/dev/null"], capture_output=True, text=True, check=False
    )
    found = re.search(r"^#\$ _HERE_=(.+)$", done.stderr, re.MULTILINE)
    return Path(found[1]).parent if found else resolved.parent.parent


def link_arguments(nvcc: str) -> list[str]:
    """What this nvcc needs to be told to find its own libraries: the PyPI packages keep them where it does not look."""
    libraries = toolkit_of(Path(nvcc)) / "lib"
    return [f"-L{libraries}"] if (libraries / "libcudart_static.a").is_file() else []


def _is_wrapper(path: Path) -> bool:
    return WRAPPER_MARK in path.read_bytes()[:4096]


@lru_cache(maxsize=8)
def toolkit_includes(nvcc: str) -> tuple[str, ...]:
    """Folders of the toolkit's headers, as `nvcc` itself looks for them."""
    command = [nvcc, "--dryrun", "-E", "-x", "cu", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = " ".join(re.findall(r"^#\$ (?:SYSTEM_)?INCLUDES=(.*)$", done.stderr, re.MULTILINE))
    folders = re.findall(r'-(?:I|isystem)"?\s*"?([^"\s]+)', said)
    return tuple(dict.fromkeys(str(Path(one).resolve()) for one in folders if Path(one).is_dir()))
