"""`r3c init APP`: writes r3c.toml from what is found in the application's folder."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from r3c.core.errors import UserError

EPILOG = "example:\n  python -m r3c init app/\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("app", type=Path, help="folder of the application")


def run(args: argparse.Namespace) -> int:
    root: Path = args.app
    if not root.is_dir():
        raise UserError(f"{root}: there is no such folder")
    path = root / "r3c.toml"
    if path.exists():
        raise UserError(f"{path} is there already and is not overwritten")
    path.write_text(config_text(root), encoding="utf-8")
    print(f"wrote {path}; look it over, then: python -m r3c optimize {root}")
    return 0


def config_text(root: Path) -> str:
    """r3c.toml for the folder; what could not be found is left as a comment to fill in."""
    build, run_command = "", ""
    makefile = next((root / n for n in ("GNUmakefile", "makefile", "Makefile") if (root / n).is_file()), None)
    if makefile:
        build = "make"
        if re.search(r"^run\s*:", makefile.read_text(errors="replace"), re.MULTILINE):
            run_command = "make -s run"
    elif (root / "CMakeLists.txt").is_file():
        build = "cmake -S . -B build -DCMAKE_CUDA_COMPILER=nvcc && cmake --build build"
    lines = ["# How r3c builds, runs and judges this application; docs/config.md has every key.", "[app]"]
    lines.append(f'build = "{build}"' if build else '# build = "make"   # nothing was found: say how it is built')
    lines.append(f'run = "{run_command}"' if run_command else '# run = "./program arguments"   # say how it is run')
    lines += ["", "[compare]", 'stdout = "numbers"   # or "exact", "ignore"', "rtol = 1e-5", "atol = 0.0"]
    lines += ['ignore = ["(?i)time|seconds|GB/s|GFLOP"]   # lines that may differ from run to run', ""]
    return "\n".join(lines)
