"""What the benchmark programs share: applications found in folders, copied, given an `r3c.toml`; tables as Markdown."""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

NO_TIME = "not tried: no time was left"
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("apps", type=Path, nargs="+", metavar="APP", help="an application, or a folder of some")
    parser.add_argument("--device", default="cuda", help="cuda (default) or cpu")
    parser.add_argument("--arch", default="", help="given to make as ARCH=..., e.g. sm_90")
    parser.add_argument("--define", action="append", default=[], metavar="NAME=VALUE", help="given to make, e.g. N=32")
    parser.add_argument("--most-seconds", type=float, default=1e9, metavar="S", help="start no application after this")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="most seconds a build or run may take")


def applications(paths: Sequence[Path]) -> Iterator[Path]:
    """Each folder with a Makefile among `paths` and the folders in them."""
    for path in paths:
        inside = [path] if is_application(path) else sorted(p for p in path.iterdir() if is_application(p))
        yield from inside


def each(options: argparse.Namespace) -> Iterator[tuple[Path, Path | None]]:
    """Each application with a folder of its own to work in, None where no time is left to try it."""
    started = time.monotonic()
    for path in applications(options.apps):
        if time.monotonic() - started > options.most_seconds:
            yield path, None
            continue
        with tempfile.TemporaryDirectory(prefix="r3c-benchmark-") as folder:
            yield path, Path(folder)


def is_application(path: Path) -> bool:
    return path.is_dir() and any((path / name).is_file() for name in MAKEFILES)


def name_of(path: Path) -> str:
    return path.resolve().name.removesuffix("-cuda")


def prepare(path: Path, folder: Path, options: argparse.Namespace) -> Path:
    """A copy of the application in `folder` that says how it is built and run; what its own `r3c.toml` says stays."""
    target = folder / name_of(path)
    shutil.copytree(path, target, ignore=shutil.ignore_patterns("r3c-out", ".git"), symlinks=True)
    given = [f"ARCH={options.arch}"] if options.arch else []
    words = " ".join(["make", *given, *options.define])
    own = (target / "r3c.toml").read_text() if (target / "r3c.toml").exists() else ""
    if "[app]" not in own:
        run = words.replace("make", "make -s run", 1)
        section = f'[app]\nbuild = "{words}"\nrun = "{run}"\ntimeout_s = {options.timeout:.1f}\n'
        (target / "r3c.toml").write_text(f"{section}\n{own}")
    return target


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown; a row that is too short ends in empty cells."""
    filled = [[*row, *[""] * (len(head) - len(row))] for row in rows]
    lines = [head, ["---"] * len(head), *filled]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def size_text(size_bytes: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if size_bytes < 1024:
            return f"{size_bytes:.3g} {unit}"
        size_bytes /= 1024
    return f"{size_bytes:.3g} GiB"
