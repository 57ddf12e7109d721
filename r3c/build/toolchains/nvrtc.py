"""NVIDIA's NVRTC: the kernel and what it needs, cut out of its unit, about ten times faster than nvcc.

Its front end, optimiser and assembler are those of the nvcc of its version. Where a unit cannot be cut, or an option is
one that only nvcc has, nvcc builds it. What is delivered is built by the application's nvcc in any case, so selection
judges nvcc's code.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path

from r3c.build.device_unit import device_unit
from r3c.build.knobs import Knob, arguments, searched
from r3c.build.nvcc_path import toolkit_includes
from r3c.build.nvrtc import NvrtcPool, shared_pool
from r3c.build.toolchains.base import BuildRequest
from r3c.build.toolchains.nvcc import DEVICE_FLAGS_DROPPED, Nvcc, cubin_binary
from r3c.core.binary import Binary
from r3c.core.contract import Contract
from r3c.core.dims import Dimension
from r3c.core.errors import BuildError, MissingExtra
from r3c.core.spec import Spec

_TRUSTED_FAILURES = 2  # units that nvcc compiles and NVRTC does not, before NVRTC is no longer asked
_HOST_ONLY = ("--expt", "-expt")  # said by --device-as-default-execution-space here
_AS_THEY_ARE = re.compile(
    r"--?(use_fast_math|ftz=\w+|prec-div=\w+|prec-sqrt=\w+|fmad=\w+|maxrregcount=\d+|restrict|extended-lambda|"
    r"extra-device-vectorization)$"
)


class Nvrtc:
    """Builds with the NVRTC that `cuda.bindings` finds; `notes` says where nvcc had to take over, and why."""

    name = "nvrtc"
    delivered_by = Nvcc.name

    def __init__(self, pool: NvrtcPool | None = None) -> None:
        self._pool = pool or shared_pool()
        self._nvcc = Nvcc()
        self._failures: dict[str, int] = {}
        self.notes: list[str] = []

    def unavailable(self) -> str:
        try:
            self._pool.version()
        except MissingExtra as missing:
            return f"{missing.diagnostic.message}; {missing.diagnostic.hint}"
        return self._nvcc.unavailable()

    @cached_property
    def _version(self) -> str:
        return f"nvrtc {self._pool.version()} {self._nvcc.version()}"

    def version(self) -> str:
        return self._version

    @property
    def knobs(self) -> tuple[Knob, ...]:
        """Options of nvcc that NVRTC has too."""
        return tuple(knob for knob in self._nvcc.knobs if _options(list(knob.flag)) is not None)

    def dimensions(self, contract: Contract, deliver: str = "any") -> tuple[Dimension, ...]:
        found = searched(self.knobs, contract, self._nvcc.cuda_version, deliver)
        return tuple(knob.dimension(self.name) for knob in found)

    def build(self, request: BuildRequest, folder: Path) -> Binary:
        unit = request.command.file or request.source.path
        if self._failures.get(unit, 0) >= _TRUSTED_FAILURES:
            return self._with_nvcc(request, folder)
        try:
            return self._with_nvrtc(request, folder)
        except BuildError as failed:
            binary = self._with_nvcc(request, folder)  # its error is the one that counts
            self._failures[unit] = self._failures.get(unit, 0) + 1
            note = f"{request.kernel}: nvcc builds what NVRTC cannot ({failed.diagnostic.message})"
            if note not in self.notes:
                self.notes.append(note)
            return binary

    def _with_nvcc(self, request: BuildRequest, folder: Path) -> Binary:
        options = Spec(Nvcc.name, request.options.values)
        return self._nvcc.build(replace(request, options=options), folder)

    def _with_nvrtc(self, request: BuildRequest, folder: Path) -> Binary:
        started = time.monotonic()
        unit = device_unit(request.command, request.source, request.kernel)
        options = self.options(request)
        if unit.needs_toolkit:
            options += [f"--include-path={folder}" for folder in toolkit_includes(self._nvcc.program)]
        expressions = name_expressions(request.symbol)
        name = Path(request.command.file or request.source.path).name
        result = self._pool.compile(unit.text, name, options, expressions, unit.headers, request.timeout_s)
        output = folder / "candidate.cubin"
        output.write_bytes(result.cubin)
        return cubin_binary(output, request, "nvrtc " + " ".join(options), result.log, started)

    def options(self, request: BuildRequest) -> list[str]:
        """NVRTC's options for the application's and the candidate's.

        Raises:
            BuildError: one of them is nvcc's alone.
        """
        command = request.command
        words = [word for word in command.flags if not word.startswith((*DEVICE_FLAGS_DROPPED, *_HOST_ONLY))]
        given = _options([*words, *arguments(self._nvcc.knobs, request.options)])
        if given is None:
            raise BuildError(f"NVRTC has not all of the options {' '.join(words)} {request.options}")
        out = [f"--gpu-architecture={request.architecture}", "--device-as-default-execution-space"]
        out += ["--ptxas-options=-v"]
        out += [f"--std={command.standard}"] if command.standard.startswith("c++") else []
        out += [f"-U{one[1:]}" if one.startswith("!") else f"-D{one}" for one in command.defines]
        return out + given


def _options(words: list[str]) -> list[str] | None:
    """nvcc's device options as NVRTC takes them, None where one of them is nvcc's alone."""
    out: list[str] = []
    rest = iter(words)
    for word in rest:
        option, _, value = word.partition("=")
        if option in ("-Xptxas", "--ptxas-options"):
            out += [f"--ptxas-options={one}" for one in (value or next(rest, "")).split(",") if one]
        elif option.lstrip("-") in ("maxrregcount", "ftz", "prec-div", "prec-sqrt", "fmad") and not value:
            out.append(f"--{option.lstrip('-')}={next(rest, '')}")
        elif _AS_THEY_ARE.match(word) or word.startswith("-maxrregcount="):
            out.append(f"--{word.lstrip('-')}")
        else:
            return None
    return out


@lru_cache(maxsize=256)
def name_expressions(symbol: str) -> tuple[str, ...]:
    """The kernel of `symbol` as NVRTC wants an instantiation named; empty where it is no template's."""
    if not shutil.which("c++filt") or not symbol.startswith("_Z"):
        return ()
    text = subprocess.run(["c++filt", symbol], capture_output=True, text=True, check=False).stdout.strip()
    depth, end = 0, -1
    for at in range(len(text) - 1, -1, -1):  # from the right: back over the parameter list
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0 and text[at] == "(":
            end = at
            break
    head = text[:end].rstrip()
    if not head.endswith(">"):
        return ()
    depth = 0
    for at in range(len(head) - 1, -1, -1):
        depth += (head[at] in ">)") - (head[at] in "<(")
        if depth == 0 and head[at] == " ":
            head = head[at + 1 :]  # what stands before it is the result's type
            break
    return (head.replace("(anonymous namespace)::", ""),)


def instantiation_of(symbol: str) -> str:
    """`k<float, 4>` where `symbol` is an instantiation of a template, mangled or not; else empty."""
    if symbol.startswith("_Z"):
        return next(iter(name_expressions(symbol)), "")
    return symbol if symbol.endswith(">") else ""
