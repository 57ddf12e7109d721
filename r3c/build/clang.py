"""clang's CUDA front end: one translation unit to unoptimised bitcode, in one process, with precompiled headers."""

from __future__ import annotations

import hashlib
import re
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from r3c.build.toolchains.base import BuildRequest
from r3c.build.toolchains.nvcc import run_compiler
from r3c.build.tools import run_tool
from r3c.core.errors import BuildError
from r3c.resources import user_cache

STUB_HEADERS = ("curand_mtgp32_kernel.h",)  # clang includes it always, toolkits without cuRAND lack it
ADDITIONS = Path(__file__).parent / "native" / "clang_additions.cuh"
WRAPPER = "__clang_cuda_runtime_wrapper.h"
_TWO_WORDS = ("-main-file-name", "-o", "-x")  # of a compiler process, left out with the next word
_LEFT_OUT = ("-cuid=", "-fdebug-compilation-dir=", "-fcoverage-compilation-dir=")
_ABOUT_PCH = re.compile(r"precompiled|\bPCH\b")
_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SYSTEM_INCLUDE = re.compile(r"#[ \t]*include[ \t]*<([^>\n]+)>[^\n]*")


@dataclass(frozen=True)
class DeviceFlags:
    """The application's nvcc options in the words of each stage."""

    front_end: tuple[str, ...] = ()
    back_end: tuple[str, ...] = ()
    ptxas: tuple[str, ...] = ()


def device_flags(flags: Sequence[str]) -> DeviceFlags:
    """nvcc's options that change code, for clang, LLVM and ptxas; others, and promises such as --restrict, are left out.

    As nvcc's, fast math is approximate functions and flushed denormals, and no reassociation.
    """
    front: list[str] = []
    back: list[str] = []
    ptxas: list[str] = []
    for name, value in _named(flags):
        off = value == "false"
        if name == "use_fast_math":
            front += ["-fgpu-approx-transcendentals", "-fgpu-flush-denormals-to-zero"]
            back += ["-nvvm-reflect-add=__CUDA_PREC_SQRT=0", "-nvptx-prec-divf32=0"]
        elif name == "ftz" and not off:
            front.append("-fgpu-flush-denormals-to-zero")
        elif name == "fmad" and off:
            front.append("-ffp-contract=off")
        elif name == "prec-sqrt" and off:
            back.append("-nvvm-reflect-add=__CUDA_PREC_SQRT=0")
        elif name == "prec-div" and off:
            back.append("-nvptx-prec-divf32=1")
        elif name == "maxrregcount":
            ptxas.append(f"-maxrregcount={value}")
        elif name in ("Xptxas", "ptxas-options"):
            ptxas += value.split(",")
    return DeviceFlags(tuple(front), tuple(back), tuple(ptxas))


def _named(flags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each option without its dashes, and its value, which may stand in the next word."""
    words = iter(flags)
    for word in words:
        name, equals, value = word.lstrip("-").partition("=")
        if not equals and name in ("maxrregcount", "Xptxas", "ptxas-options", "ftz", "fmad", "prec-div", "prec-sqrt"):
            value = next(words, "")
        yield name, value


@dataclass
class FrontEnd:
    """One clang with one CUDA toolkit; `flags` are what this clang needs besides."""

    clang: str
    cuda: Path
    flags: Sequence[str] = ()
    _cc1: dict[tuple[str, ...], list[str]] = field(default_factory=dict)
    _unusable: set[str] = field(default_factory=set)

    def bitcode(self, request: BuildRequest, architecture: str, folder: Path) -> tuple[bytes, str]:
        """Unoptimised bitcode of the unit of `request` for `architecture`, and the command that made it.

        Raises:
            BuildError: clang's errors.
        """
        source, output = request.lay_out(folder), folder / "candidate.bc"
        command = self._command(request, architecture)
        headers = leading_headers(source.read_text(encoding="latin-1"))
        ready = self._precompiled(command, headers, request)
        if ready is not None:
            try:
                return self._run(_with_headers(command, ready), source, output, request)
            except BuildError as error:
                if not _ABOUT_PCH.search(error.output):
                    raise
                self._unusable.add(str(ready))
        return self._run(command, source, output, request)

    def _run(self, command: list[str], source: Path, output: Path, request: BuildRequest) -> tuple[bytes, str]:
        whole = [*command, "-main-file-name", source.name, "-o", str(output), "-x", "cuda", str(source)]
        run_compiler(whole, request)
        return output.read_bytes(), shlex.join(whole)

    def _command(self, request: BuildRequest, architecture: str) -> list[str]:
        """The compiler process that clang's driver would start, without input and output: starting it once is enough."""
        original = Path(request.command.file or request.source.path)
        stubs = user_cache() / "clang" / "stubs"
        stubs.mkdir(parents=True, exist_ok=True)
        for name in STUB_HEADERS:
            (stubs / name).touch()
        driver = [self.clang, "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={architecture}"]
        driver += [f"--cuda-path={self.cuda}", "-isystem", str(stubs), "-Wno-unknown-cuda-version", *self.flags]
        driver += ["-isystem", str(self.cuda / "include" / "cccl"), "-O3", "-Xclang", "-disable-llvm-passes"]
        driver += ["-include", str(ADDITIONS), *device_flags(request.command.flags).front_end]
        driver += [f"-std={request.command.standard}"] if request.command.standard else []
        driver += [f"-I{original.parent}", *request.command.preprocessor_arguments()]
        key = tuple(driver)
        if key not in self._cc1:
            self._cc1[key] = compiler_process(
                [*driver, "-c", "-emit-llvm", "/dev/null", "-o", "unit.bc", "-###"], request
            )
        return self._cc1[key]

    def _precompiled(self, command: list[str], headers: Sequence[str], request: BuildRequest) -> Path | None:
        """CUDA's headers and `headers` as clang reads them fast, made at first use; None where clang cannot."""
        text = "".join(f"#include <{name}>\n" for name in headers)
        version = str(Path(command[0]).resolve().stat().st_mtime_ns)
        said = "\0".join([version, *command, ADDITIONS.read_text(), text])
        key = hashlib.sha256(said.encode()).hexdigest()[:16]
        made = user_cache() / "clang" / key / "headers.pch"
        if str(made) in self._unusable:
            return None
        if not made.exists():
            try:
                _precompile(command, text, made, request)
            except (BuildError, OSError):
                self._unusable.add(str(made))
                return None
        return made


def _precompile(command: list[str], text: str, made: Path, request: BuildRequest) -> None:
    made.parent.mkdir(parents=True, exist_ok=True)
    unit = made.with_suffix(".cu")  # clang looks at it again at each use: it stays, and has one content for one key
    if not unit.exists():
        unit.write_text(text, encoding="latin-1")
    with tempfile.TemporaryDirectory(dir=made.parent) as scratch:
        output = Path(scratch) / made.name
        replaced = [
            "-emit-pch" if word == "-emit-llvm-bc" else word for word in command if word != "-emit-llvm-uselists"
        ]
        run_compiler([*replaced, "-fno-pch-timestamp", "-o", str(output), "-x", "cuda", str(unit)], request)
        output.replace(made)


def _with_headers(command: list[str], precompiled: Path) -> list[str]:
    """The command with precompiled headers in place of clang's own first include."""
    at = next((i for i, word in enumerate(command) if word == WRAPPER), None)
    words = command if at is None else [*command[: at - 1], *command[at + 1 :]]
    return [*words[:2], "-include-pch", str(precompiled), *words[2:]]


def compiler_process(driver: Sequence[str], request: BuildRequest) -> list[str]:
    """The `-cc1` command that a driver's `-###` shows, without what names input and output.

    Raises:
        BuildError: the driver refuses the command.
    """
    done = run_tool(driver, request.timeout_s)
    line = next((line for line in done.stderr.splitlines() if '"-cc1"' in line), "")
    if not line or done.returncode != 0:
        raise BuildError("clang refuses the command", shlex.join(driver), done.stdout + done.stderr)
    words = shlex.split(line)[:-1]
    out: list[str] = []
    skip = False
    for word in words:
        if skip or word in _TWO_WORDS or word.startswith(_LEFT_OUT):
            skip = not skip and word in _TWO_WORDS
            continue
        out.append(word)
    return out


def leading_headers(text: str) -> list[str]:
    """Names of the system headers that a file includes before anything else."""
    found: list[str] = []
    at = 0
    while True:
        start = _SPACE.match(text, at)
        include = _SYSTEM_INCLUDE.match(text, start.end() if start else at)
        if include is None:
            return found
        found.append(include[1].strip())
        at = include.end()
