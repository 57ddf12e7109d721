"""`r3c init APP`: writes r3c.toml from what is found in the application's folder."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from r3c.core.errors import UserError

DESCRIPTION = """\
Writes APP/r3c.toml: how the application is built and run, and when two of its runs count as equal. Looks at Makefile,
CMakeLists.txt and compile_commands.json (which says what the CUDA files are, not how the program is linked); what cannot
be found is left as a comment to fill in. A file that is there is never overwritten."""
EPILOG = """\
examples:
  python -m r3c init app/
  python -m r3c init app/ --print      show what would be written
"""
CONFIG = "r3c.toml"
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_CUDA = (".cu", ".cuh")
_VARIABLE = re.compile(
    r"^(?:TARGET|PROGRAM|PROG|EXE|EXECUTABLE|BIN|BINARY|OUT)\s*[:?]?=\s*([\w./-]+)\s*(?:#.*)?$",
    re.MULTILINE | re.IGNORECASE,
)
_OUTPUT = re.compile(r"^\t.*\s-o\s+([\w./-]+)(?:\s|$)", re.MULTILINE)
_CMAKE_PROGRAM = re.compile(r"^\s*(?:cuda_)?add_executable\s*\(\s*([\w.-]+)", re.MULTILINE | re.IGNORECASE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("app", type=Path, metavar="APP", help="folder of the application")
    parser.add_argument("--print", action="store_true", dest="only_print", help="print it, write nothing")


def run(args: argparse.Namespace) -> int:
    root: Path = args.app
    if not root.is_dir():
        raise UserError(f"{root}: there is no such folder", hint="give the folder of the application")
    text = config_text(root)
    if args.only_print:
        print(text, end="")
        return 0
    path = root / CONFIG
    if path.exists():
        raise UserError(f"{path} is there already and is not overwritten", hint="--print shows what would be written")
    path.write_text(text, encoding="utf-8")
    print(f"wrote {path}")
    print(f"next: look it over, write `// r3c: kernel(rtol=1e-5)` before a kernel, then: python -m r3c optimize {root}")
    return 0


def config_text(root: Path) -> str:
    """r3c.toml for the folder; what could not be found is left as a comment to fill in."""
    build, run_command = find_build(root), find_run(root)
    lines = [
        "# How r3c builds, runs and judges this application. Commands are run by a shell in a copy of this folder.",
        "[app]",
        f"build = {_toml(build)}"
        if build
        else '# build = "make"                  # nothing was found: say how it is built',
        f"run = {_toml(run_command)}" if run_command else '# run = "./program arguments"      # say how it is run',
        f"# sources = {_sources(root)}     # the CUDA files",
        "# timeout_s = 600.0                # of a build and of a run",
        "",
        "[compare]                          # when two runs count as equal",
        'stdout = "numbers"                 # texts equal, numbers within the tolerance; or "exact", "ignore"',
        "rtol = 1e-5",
        "atol = 0.0",
        '# files = ["out/*.txt"]            # files it writes, compared in the same way',
        'ignore = ["(?i)time|seconds|[GM]B/s|FLOP"]   # lines that may differ from run to run (regular expressions)',
        "",
    ]
    return "\n".join(lines)


def find_build(root: Path) -> str:
    """The command that builds it, empty where none is found."""
    if _makefile(root):
        return "make"
    if (root / "CMakeLists.txt").is_file():
        return "cmake -S . -B build -DCMAKE_CUDA_COMPILER=nvcc && cmake --build build"
    return ""


def find_run(root: Path) -> str:
    """The command that runs it, empty where none is found."""
    makefile = _makefile(root)
    if makefile:
        if re.search(r"^run\s*:", makefile, re.MULTILINE):
            return "make -s run"
        named = _VARIABLE.search(makefile) or _OUTPUT.search(makefile)
        if named and not named[1].endswith(".o"):
            return named[1] if "/" in named[1] else f"./{named[1]}"
        return ""
    cmake = root / "CMakeLists.txt"
    program = _CMAKE_PROGRAM.search(cmake.read_text(errors="replace")) if cmake.is_file() else None
    return f"build/{program[1]}" if program else ""


def _makefile(root: Path) -> str:
    """Text of the Makefile that `make` would read, empty where there is none."""
    found = next((root / name for name in MAKEFILES if (root / name).is_file()), None)
    return found.read_text(errors="replace") if found else ""


def _database(path: Path) -> list[str]:
    """CUDA files that a compilation database names, relative to its folder."""
    try:
        entries = json.loads(path.read_text(errors="replace"))
        files = [Path(entry.get("directory", ".")) / entry["file"] for entry in entries]
    except (ValueError, TypeError, KeyError, AttributeError):
        raise UserError(f"{path} is not a compilation database", hint="remove it, or write it again") from None
    home = path.parent.resolve()
    inside = [file.resolve() for file in files if file.suffix in _CUDA]
    return sorted({file.relative_to(home).as_posix() for file in inside if file.is_relative_to(home)})


def _sources(root: Path) -> str:
    """A TOML list of the CUDA files, or of patterns for them."""
    database = root / "compile_commands.json"
    if database.is_file():
        return f"[{', '.join(map(_toml, _database(database)))}]"
    folders = {p.parent.relative_to(root).parts[:1] for s in _CUDA for p in root.glob(f"**/*{s}")}
    names = sorted(f"{parts[0]}/**/*.cu" if parts else "*.cu" for parts in folders) or ["**/*.cu"]
    return f"[{', '.join(map(_toml, names))}]"


def _toml(text: str) -> str:
    """A TOML string; JSON's escapes are among TOML's."""
    return json.dumps(text, ensure_ascii=False)
