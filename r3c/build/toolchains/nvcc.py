"""NVIDIA's nvcc: the device pass of one translation unit to a cubin, never the host pass."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Hashable
from functools import cached_property
from pathlib import Path

from r3c.build.cubin import Cubin
from r3c.build.knobs import Knob, arguments, read_knobs, searched
from r3c.build.nvcc_path import find_nvcc, toolkit_of
from r3c.build.toolchains.base import BuildRequest
from r3c.build.tools import run_tool
from r3c.core.binary import Binary
from r3c.core.contract import Contract
from r3c.core.dims import Dimension
from r3c.core.errors import BuildError

KNOBS = Path(__file__).with_name("nvcc.toml")
SPILLS = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
UNKNOWN_OPTION = re.compile(r"Unknown command line argument '([^']+)'")
INSTALL = "install a CUDA toolkit, or: pip install 'r3c[cuda]'"
PTX_KEPT = 32  # of the latest sources
DEVICE_FLAGS_DROPPED = ("-rdc", "--relocatable-device-code", "-dc", "-lineinfo", "-G")


class Nvcc:
    """Builds with the nvcc of `$CUDA_HOME` or PATH."""

    name = "nvcc"

    def __init__(self) -> None:
        self._ptx: dict[Hashable, bytes] = {}

    @cached_property
    def program(self) -> str:
        return find_nvcc()

    def unavailable(self) -> str:
        return "" if self.program else f"nvcc is not installed; {INSTALL}"

    @cached_property
    def _version(self) -> str:
        done = subprocess.run([self.program, "--version"], capture_output=True, text=True, check=False)
        found = re.search(r"V(\d+\.\d+\.\d+)", done.stdout)
        return f"nvcc {found[1]}" if found else "nvcc"

    def version(self) -> str:
        return self._version

    @property
    def cuda_version(self) -> tuple[int, int]:
        found = re.search(r"(\d+)\.(\d+)", self._version)
        return (int(found[1]), int(found[2])) if found else (0, 0)

    @property
    def knobs(self) -> tuple[Knob, ...]:
        return read_knobs(KNOBS)

    def dimensions(self, contract: Contract, deliver: str = "any") -> tuple[Dimension, ...]:
        return tuple(knob.dimension(self.name) for knob in searched(self.knobs, contract, self.cuda_version, deliver))

    def build(self, request: BuildRequest, folder: Path) -> Binary:
        started = time.monotonic()
        words = [flag for flag in request.command.flags if not flag.startswith(DEVICE_FLAGS_DROPPED)]
        front, back = split_stages([*words, *arguments(self.knobs, request.options)])
        source, shown = self._to_ptx(request, front, folder)
        output = folder / "candidate.cubin"
        command = [str(toolkit_of(Path(self.program)) / "bin" / "ptxas"), f"-arch={request.architecture}", "-v"]
        command += [*back, str(source), "-o", str(output)]
        log = run_compiler(command, request)
        return cubin_binary(output, request, f"{shown} && {' '.join(command)}", log, started)

    def _to_ptx(self, request: BuildRequest, flags: list[str], folder: Path) -> tuple[Path, str]:
        """The PTX, and the command that made it; candidates that differ in ptxas's options only share it."""
        original = Path(request.command.file or request.source.path)
        output = folder / "candidate.ptx"
        command = [self.program, "-ptx", "-x", "cu", f"-arch={request.architecture}"]
        command += [f"-std={request.command.standard}"] if request.command.standard else []
        command += [f"-I{original.parent}", *request.command.preprocessor_arguments(), *flags]
        key = (request.source, request.command, request.includers, request.architecture, tuple(flags))
        kept = self._ptx.pop(key, None)
        if kept is None:
            run_compiler([*command, str(request.lay_out(folder)), "-o", str(output)], request)
            kept = output.read_bytes()
        self._ptx[key] = kept
        if len(self._ptx) > PTX_KEPT:
            self._ptx.pop(next(iter(self._ptx)), None)
        output.write_bytes(kept)
        return output, " ".join(command)


def split_stages(words: list[str]) -> tuple[list[str], list[str]]:
    """nvcc's options for its front end and optimiser, and those that ptxas gets; a register limit is for both."""
    front: list[str] = []
    back: list[str] = []
    rest = iter(words)
    for word in rest:
        option, _, value = word.partition("=")
        if option in ("-Xptxas", "--ptxas-options"):
            back += (value or next(rest, "")).split(",")
            continue
        front.append(word)
        if option.lstrip("-") == "maxrregcount":
            value = value or next(rest, "")
            front[-1] = f"-maxrregcount={value}"
            back.append(front[-1])
    return front, back


def run_compiler(command: list[str], request: BuildRequest) -> str:
    """What the compiler printed.

    Raises:
        BuildError: it failed, took too long, or did not know an option (cicc says so and goes on).
    """
    shown = " ".join(command)
    done = run_tool(command, request.timeout_s)
    log = done.stdout + done.stderr
    if done.returncode != 0:
        raise BuildError(_first_error(log), shown, log)
    unknown = UNKNOWN_OPTION.search(log)
    if unknown:
        raise BuildError(f"the compiler does not know {unknown[1]}", shown, log)
    return log


def _first_error(log: str) -> str:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "the compiler failed")


def cubin_binary(output: Path, request: BuildRequest, command: str, log: str, started: float) -> Binary:
    """What replay needs of a cubin that ptxas has just written.

    Args:
        log: what `ptxas -v` printed; it holds the spills.
        started: `time.monotonic()` at the start of the build.

    Raises:
        BuildError: the wanted kernel is not in it.
    """
    cubin = Cubin(output.read_bytes())
    symbol = pick_symbol(cubin.kernels, request)
    spilled = sum(int(n) for found in SPILLS.findall(log) for n in found)
    return Binary(
        path=str(output),
        symbol=symbol,
        code_hash=cubin.code_hash(symbol),
        toolchain=str(request.options),
        features={**cubin.features(symbol), "spill_bytes": float(spilled)},
        command=command,
        seconds=time.monotonic() - started,
    )


def pick_symbol(symbols: tuple[str, ...], request: BuildRequest) -> str:
    """The symbol of the wanted kernel: the recorded one, else the one of the same name and template arguments.

    Adding `const` or `__restrict__` to a parameter changes the mangled name but not what is before the parameters.

    Raises:
        BuildError: none or several fit.
    """
    if request.symbol in symbols:
        return request.symbol
    wanted = re.compile(rf"(?<!\d){len(request.kernel)}{re.escape(request.kernel)}(?!\w*\d{request.kernel})")
    fitting = [s for s in symbols if s == request.kernel or wanted.search(s)]
    if len(fitting) > 1:
        plain = _without_qualifiers(request.symbol)
        fitting = [s for s in fitting if _without_qualifiers(s) == plain] or fitting
    if len(fitting) != 1:
        found = ", ".join(symbols) or "none"
        raise BuildError(f"kernel {request.kernel} ({request.symbol}) is not in the cubin; it holds: {found}")
    return fitting[0]


def _without_qualifiers(symbol: str) -> str:
    """The demangled name without const, volatile and restrict."""
    text = symbol
    if shutil.which("c++filt"):
        text = subprocess.run(["c++filt", symbol], capture_output=True, text=True, check=False).stdout.strip()
    return re.sub(r"\s+", "", re.sub(r"\b(const|volatile|__restrict__?|restrict)\b", "", text))
