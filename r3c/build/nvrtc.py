"""NVRTC in process: device source to a cubin in tens of milliseconds, each build in a child that may crash or hang."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from r3c.build.libllvm import in_child
from r3c.core.errors import BuildError, MissingExtra

INSTALL = "pip install 'r3c[cuda]' nvidia-cuda-nvrtc"
WARM_UP = "__global__ void warm_up(float* p) { p[threadIdx.x] = 0; }"


@dataclass(frozen=True)
class NvrtcResult:
    """`lowered` maps each name expression to its symbol; `log` is what ptxas and the front end said."""

    cubin: bytes
    lowered: dict[str, str]
    log: str


@cache
def load_nvrtc() -> Any:
    """`cuda.bindings.nvrtc`, its library loaded and warm, so that every child starts warm too.

    Raises:
        MissingExtra: the package or the library is not there.
    """
    try:
        from cuda.bindings import nvrtc

        nvrtc.nvrtcVersion()
    except (ImportError, RuntimeError) as error:
        raise MissingExtra(f"toolchain nvrtc needs NVRTC: {error}", hint=INSTALL) from None
    _compile(nvrtc, WARM_UP, "warm_up.cu", (), ("--gpu-architecture=sm_90",))
    return nvrtc


def compile_device_source(
    text: str, name: str, expressions: Sequence[str], options: Sequence[str], timeout_s: float
) -> NvrtcResult:
    """Compile `text`; `expressions` name the kernels wanted, e.g. `axpy<float>`.

    Raises:
        BuildError: NVRTC's log, a crash, or a time-out.
    """
    nvrtc = load_nvrtc()

    def work() -> bytes:
        result = _compile(nvrtc, text, name, expressions, options)
        head = json.dumps({"lowered": result.lowered, "log": result.log}).encode()
        return len(head).to_bytes(8, "little") + head + result.cubin

    answer = in_child(work, timeout_s)
    size = int.from_bytes(answer[:8], "little")
    head = json.loads(answer[8 : 8 + size])
    return NvrtcResult(answer[8 + size :], head["lowered"], head["log"])


def version() -> str:
    _, major, minor = load_nvrtc().nvrtcVersion()
    return f"nvrtc {major}.{minor}"


def _compile(nvrtc: Any, text: str, name: str, expressions: Sequence[str], options: Sequence[str]) -> NvrtcResult:
    program = _value(nvrtc, nvrtc.nvrtcCreateProgram(text.encode("latin-1"), name.encode(), 0, None, None))
    for expression in expressions:
        _value(nvrtc, nvrtc.nvrtcAddNameExpression(program, expression.encode()))
    words = [option.encode() for option in options]
    status, *_ = nvrtc.nvrtcCompileProgram(program, len(words), words)
    log = _bytes(nvrtc, program, "ProgramLog").rstrip(b"\0\n").decode(errors="replace")
    if int(status) != 0:
        raise BuildError(_first_error(log), "nvrtc " + " ".join(options), log)
    lowered = {e: _value(nvrtc, nvrtc.nvrtcGetLoweredName(program, e.encode())).decode() for e in expressions}
    return NvrtcResult(_bytes(nvrtc, program, "CUBIN"), lowered, log)


def _bytes(nvrtc: Any, program: Any, what: str) -> bytes:
    size = _value(nvrtc, getattr(nvrtc, f"nvrtcGet{what}Size")(program))
    buffer: bytes = b" " * size
    _value(nvrtc, getattr(nvrtc, f"nvrtcGet{what}")(program, buffer))
    return buffer


def _value(nvrtc: Any, result: tuple[Any, ...]) -> Any:
    status, *values = result
    if int(status) != 0:
        raise BuildError(f"NVRTC: {nvrtc.nvrtcGetErrorString(status)[1].decode()}")
    return values[0] if values else None


def _first_error(log: str) -> str:
    return next((line for line in log.splitlines() if "error" in line), log.splitlines()[0] if log else "NVRTC failed")
