"""`r3c doctor`: what works on this machine, what is missing, and the command that would install it."""

from __future__ import annotations

import argparse
import importlib.util
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass

EPILOG = "example:\n  python -m r3c doctor\n"


@dataclass(frozen=True)
class Finding:
    """One thing r3c can use; `missing` says what to do, empty where it works. Only `needed` ones are necessary."""

    name: str
    works: str
    missing: str = ""
    needed: bool = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print findings as JSON lines")


def run(args: argparse.Namespace) -> int:
    import json

    found = list(findings())
    for finding in found:
        if args.json:
            print(json.dumps(vars(finding)))
            continue
        state = "missing" if finding.missing else "works"
        print(f"{state:8} {finding.name:22} {finding.missing or finding.works}")
    return 1 if any(finding.missing and finding.needed for finding in found) else 0


def findings() -> Iterator[Finding]:
    """Python, tools, devices, toolchains and extras."""
    from r3c import plugins

    yield Finding("python", f"{platform.python_version()} ({sys.executable})", needed=True)
    for program, command, needed in (("g++", "apt-get install g++", True), ("make", "apt-get install make", False)):
        path = shutil.which(program)
        yield Finding(program, path or "", "" if path else command, needed)
    for name in plugins.names("device"):
        if name == "table":
            continue
        why = plugins.load("device", name)().unavailable()
        works = plugins.load("device", name)().info().name if not why else ""
        yield Finding(f"device {name}", works, why, needed=name == "cpu")
    for name in plugins.names("toolchain"):
        toolchain = plugins.load("toolchain", name)()
        why = toolchain.unavailable()
        yield Finding(f"toolchain {name}", "" if why else toolchain.version(), why)
    for package, extra in (("gpytorch", "surrogate"), ("torch", "surrogate"), ("pycuda", "cuda"), ("openai", "")):
        there = importlib.util.find_spec(package) is not None
        command = f"pip install 'r3c[{extra}]'" if extra else "pip install r3c"
        yield Finding(f"package {package}", "installed" if there else "", "" if there else command)
