"""Where grammar/ and templates/ lie: in a checkout beside the package, in an installed wheel inside it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from r3c.core.errors import R3CError

_PACKAGE = Path(__file__).resolve().parent


def resource(*parts: str) -> Path:
    """Path of a file or folder shipped with r3c, e.g. `resource("grammar", "cuda.lark")`.

    Raises:
        R3CError: the installation is incomplete.
    """
    for root in (_PACKAGE.parent, _PACKAGE / "_resources"):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise R3CError(f"{'/'.join(parts)} is missing from this installation of r3c", hint="install r3c again")


def user_cache() -> Path:
    """Folder for what may be deleted at any time: `$R3C_CACHE`, else `$XDG_CACHE_HOME/r3c`, else `~/.cache/r3c`.

    Where there is no home folder either, one under the system's temporary folder.
    """
    chosen = os.environ.get("R3C_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    if base:
        return Path(base) / "r3c"
    try:
        return Path.home() / ".cache" / "r3c"
    except RuntimeError:
        return Path(tempfile.gettempdir()) / f"r3c-{os.getuid()}"


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
