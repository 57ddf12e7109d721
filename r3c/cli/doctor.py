"""`r3c doctor`: what works on this machine, what is missing, and the command that would install it."""

from __future__ import annotations

import argparse
import importlib.util
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

PYTHON_MIN = (3, 10)
DESCRIPTION = """\
Says what r3c finds on this machine. A part that is missing is listed with what it is for and what would install it. Each
toolchain builds a small kernel, stage by stage. The CPU device needs python, g++ and make; everything else is optional."""
EPILOG = """\
examples:
  python -m r3c doctor
  python -m r3c doctor --json

exit codes: 0 r3c can work here, at least on the CPU device; 1 it cannot
"""
PROGRAMS = (
    ("g++", "apt-get install g++", "builds applications and kernels for the CPU device", True),
    ("make", "apt-get install make", "builds applications that have a Makefile", False),
    ("cmake", "apt-get install cmake", "builds applications that have a CMakeLists.txt", False),
)
PACKAGES = (
    ("lark", "pip install r3c", "parses CUDA", True),
    ("numpy", "pip install r3c", "compares results", True),
    ("jinja2", "pip install r3c", "writes headers and reports", True),
    ("deap", "pip install r3c", "searches over rewrites", True),
    ("rich", "pip install r3c", "draws the live view in a terminal", True),
    ("openai", "pip install r3c", "asks language models, where a server is configured", False),
    ("torch", "pip install 'r3c[surrogate]'", "the surrogate; without it numbers are chosen at random", False),
    ("gpytorch", "pip install 'r3c[surrogate]'", "the surrogate; without it numbers are chosen at random", False),
    ("pycuda", "pip install 'r3c[cuda]'", "records and replays on a GPU", False),
    ("cuda.bindings", "pip install 'r3c[cuda]'", "records and replays on a GPU", False),
)


@dataclass(frozen=True)
class Finding:
    """One thing r3c can use.

    Attributes:
        works: what was found, for people.
        missing: what to do, empty where it works.
        purpose: what it is for.
        needed: nothing works without it.
    """

    name: str
    works: str
    missing: str = ""
    purpose: str = ""
    needed: bool = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print findings as JSON lines")


def run(args: argparse.Namespace) -> int:
    import json

    found = list(findings())
    for finding in found:
        print(json.dumps(vars(finding)) if args.json else line_of(finding))
    able = not any(finding.missing and finding.needed for finding in found)
    if not args.json:
        print(verdict(found) if able else "r3c cannot work here: install what is marked MISSING")
    return 0 if able else 1


def line_of(finding: Finding) -> str:
    """State, name, what was found or what to do."""
    if not finding.missing:
        return f"works    {finding.name:18} {finding.works}"
    state = "MISSING" if finding.needed else "missing"
    purpose = f"  ({finding.purpose})" if finding.purpose else ""
    return f"{state:8} {finding.name:18} {finding.missing}{purpose}"


def verdict(found: list[Finding]) -> str:
    """What `--device auto` would take."""
    gpu = any(finding.name == "device cuda" and not finding.missing for finding in found)
    return f"ready: --device auto takes {'the GPU' if gpu else 'the CPU device, as no GPU can be used'}"


def findings() -> Iterator[Finding]:
    """Python, programs, packages, devices, toolchains."""
    yield _python()
    for program, command, purpose, needed in PROGRAMS:
        path = shutil.which(program)
        yield Finding(program, version_of(path) if path else "", "" if path else command, purpose, needed)
    for package, command, purpose, needed in PACKAGES:
        there = _is_installed(package)
        yield Finding(f"package {package}", "installed" if there else "", "" if there else command, purpose, needed)
    if all(_is_installed(package) for package, *_, needed in PACKAGES if needed):
        yield from _plugins()


def _python() -> Finding:
    version = platform.python_version()
    old = sys.version_info < PYTHON_MIN
    wanted = ".".join(map(str, PYTHON_MIN))
    return Finding(
        "python", f"{version} ({sys.executable})", f"{version}: needs {wanted} or later" if old else "", "", True
    )


def _plugins() -> Iterator[Finding]:
    from r3c import plugins
    from r3c.core.errors import R3CError

    for kind, purpose in (("device", "runs kernels"), ("toolchain", "builds candidates")):
        for name in plugins.names(kind):
            if (kind, name) == ("device", "table"):
                continue
            needed = (kind, name) == ("device", "cpu")
            try:
                plugin = plugins.load(kind, name)()
                why = plugin.unavailable()
                works = "" if why else plugin.info().name if kind == "device" else plugin.version()
            except R3CError as error:
                why, works = error.diagnostic.message, ""
            if kind == "toolchain" and not why:
                works, why = _built(name, works)
            yield Finding(f"{kind} {name}", works, why, purpose, needed)


def _built(toolchain: str, version: str) -> tuple[str, str]:
    """What each stage of an installed toolchain makes of a small kernel: what works in words, and what does not."""
    from r3c.build.self_test import self_test

    stages = list(self_test(toolchain))
    shown = ", ".join(f"{stage.name} {stage.seconds:.1f} s" for stage in stages if not stage.error)
    failed = next((stage for stage in stages if stage.error), None)
    if failed is None:
        return f"{version}: {shown}", ""
    worked = f" ({shown} worked)" if shown else ""
    hint = f"; {failed.hint}" if failed.hint else ""
    return "", f"{version}: {failed.name} fails{worked}: {failed.error}{hint}"


def version_of(program: str) -> str:
    """First line of what `program --version` says, or its path."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return program
    lines = done.stdout.strip().splitlines()
    return f"{lines[0]} ({program})" if lines else program


def _is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False
