"""A process that compiles with NVRTC: `python -m r3c.build.nvrtc_server`, one JSON line in, one out.

A compiler that crashes or hangs takes this process with it, not the study. It ends when its input ends.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

WARM_UP = "__global__ void warm_up(float* p) { p[threadIdx.x] = 0; }"


class NvrtcError(Exception):
    """What NVRTC refused: its message, and its log where there is one."""

    def __init__(self, message: str, log: str = "") -> None:
        self.log = log
        super().__init__(message)


def main() -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    answer: dict[str, Any]
    try:
        nvrtc, answer = _load()
    except (ImportError, RuntimeError, NvrtcError) as error:
        nvrtc, answer = None, {"unavailable": str(error)}
    _say(out, answer)
    for line in sys.stdin if nvrtc is not None else ():
        request = json.loads(line)
        try:
            answer = _compile(nvrtc, **request)
        except NvrtcError as error:
            answer = {"failed": str(error), "log": error.log}
        _say(out, answer)


def _say(out: Any, answer: Mapping[str, Any]) -> None:
    out.write(json.dumps(answer) + "\n")
    out.flush()


def _load() -> tuple[Any, dict[str, Any]]:
    """`cuda.bindings.nvrtc`, its library loaded and warm, and what it says about itself."""
    from cuda.bindings import nvrtc

    major, minor = _value(nvrtc, nvrtc.nvrtcVersion())
    (architectures,) = (_value(nvrtc, nvrtc.nvrtcGetSupportedArchs()),)
    newest = max(int(architecture) for architecture in architectures)
    _compile(nvrtc, WARM_UP, "warm_up.cu", {}, (), (f"--gpu-architecture=sm_{newest}",))
    return nvrtc, {"version": f"{major}.{minor}"}


def _compile(
    nvrtc: Any, text: str, name: str, headers: Mapping[str, str], expressions: Sequence[str], options: Sequence[str]
) -> dict[str, Any]:
    contents = [one.encode("latin-1", "replace") for one in headers.values()]
    names = [one.encode() for one in headers]
    source = text.encode("latin-1", "replace")
    program = _value(nvrtc, nvrtc.nvrtcCreateProgram(source, name.encode(), len(names), contents, names))
    try:
        for expression in expressions:
            _value(nvrtc, nvrtc.nvrtcAddNameExpression(program, expression.encode()))
        words = [option.encode() for option in options]
        (status,) = nvrtc.nvrtcCompileProgram(program, len(words), words)
        log = _bytes(nvrtc, program, "ProgramLog").rstrip(b"\0\n").decode(errors="replace")
        if int(status) != 0:
            raise NvrtcError(_first_error(log), log)
        lowered = {e: _value(nvrtc, nvrtc.nvrtcGetLoweredName(program, e.encode())).decode() for e in expressions}
        cubin = base64.b64encode(_bytes(nvrtc, program, "CUBIN")).decode()
        return {"cubin": cubin, "lowered": lowered, "log": log}
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _bytes(nvrtc: Any, program: Any, what: str) -> bytes:
    size = _value(nvrtc, getattr(nvrtc, f"nvrtcGet{what}Size")(program))
    buffer: bytes = b" " * size
    _value(nvrtc, getattr(nvrtc, f"nvrtcGet{what}")(program, buffer))
    return buffer


def _value(nvrtc: Any, result: tuple[Any, ...]) -> Any:
    status, *values = result
    if int(status) != 0:
        raise NvrtcError(f"NVRTC: {nvrtc.nvrtcGetErrorString(status)[1].decode()}")
    return values[0] if len(values) == 1 else tuple(values)


def _first_error(log: str) -> str:
    return next((line for line in log.splitlines() if "error" in line), log.splitlines()[0] if log else "NVRTC failed")


if __name__ == "__main__":
    main()
