"""libLLVM in process: bitcode through a pass pipeline to PTX, each variant in a forked child that may crash or hang."""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from r3c.core.errors import BuildError, MissingExtra

TRIPLE = b"nvptx64-nvidia-cuda"
ASSEMBLY = 0  # LLVMAssemblyFile
OPTIMISE_MOST = 3  # LLVMCodeGenLevelAggressive
MAJOR = 22
INSTALL = "apt-get install clang-22 llvm-22"

Pointer = ctypes.c_void_p


@dataclass(frozen=True)
class Target:
    """What code is made for, e.g. `Target("sm_90", "+ptx87")`."""

    cpu: str
    features: str


def find_libllvm() -> Path | None:
    """libLLVM of the version the pass names belong to, None where it is not installed."""
    return next(_candidates(), None)


def _candidates() -> Iterator[Path]:
    for folder in (
        f"/usr/lib/llvm-{MAJOR}/lib",
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/lib64",
    ):
        yield from sorted(Path(folder).glob(f"libLLVM*.so.{MAJOR}*"))
        yield from sorted(Path(folder).glob(f"libLLVM-{MAJOR}.so*"))


class LibLlvm:
    """The few C functions of libLLVM that turn bitcode into PTX.

    Raises:
        MissingExtra: the library is not there.
    """

    def __init__(self, path: Path | None = None) -> None:
        path = path or find_libllvm()
        if path is None:
            raise MissingExtra(f"toolchain llvm needs libLLVM {MAJOR}", hint=INSTALL)
        self._library = ctypes.CDLL(str(path))
        for part in ("TargetInfo", "Target", "TargetMC", "AsmPrinter"):
            getattr(self._library, f"LLVMInitializeNVPTX{part}")()

    def _call(self, name: str, result: Any, *arguments: Any) -> Any:
        function = getattr(self._library, f"LLVM{name}")
        function.restype = result
        return function(*arguments)

    def set_options(self, options: Sequence[str]) -> None:
        """Options of opt and llc; they hold for the whole process, so set them in a child only."""
        words = [b"r3c", *(option.encode() for option in options)]
        array = (ctypes.c_char_p * len(words))(*words)
        self._call("ParseCommandLineOptions", None, len(words), array, None)

    def compile(self, bitcode: bytes, passes: str, target: Target) -> bytes:
        """PTX of `bitcode` after the pipeline `passes`.

        Raises:
            BuildError: LLVM's own message.
        """
        context = Pointer(self._call("ContextCreate", Pointer))
        module = self._parse(bitcode, context)
        machine = self._machine(target)
        options = Pointer(self._call("CreatePassBuilderOptions", Pointer))
        error = self._call("RunPasses", Pointer, module, passes.encode(), machine, options)
        if error:
            text = Pointer(self._call("GetErrorMessage", Pointer, Pointer(error)))
            raise BuildError(f"the pass pipeline is not accepted: {ctypes.string_at(text).decode()}", passes)
        return self._emit(module, machine)

    def _parse(self, bitcode: bytes, context: Pointer) -> Pointer:
        buffer = self._call(
            "CreateMemoryBufferWithMemoryRange", Pointer, bitcode, ctypes.c_size_t(len(bitcode)), b"candidate", 0
        )
        module = Pointer()
        if self._call("ParseBitcodeInContext2", ctypes.c_int, context, Pointer(buffer), ctypes.byref(module)):
            raise BuildError("the bitcode cannot be read by this libLLVM")
        return module

    def _machine(self, target: Target) -> Pointer:
        found, message = Pointer(), ctypes.c_char_p()
        if self._call("GetTargetFromTriple", ctypes.c_int, TRIPLE, ctypes.byref(found), ctypes.byref(message)):
            raise BuildError(f"this libLLVM has no NVPTX target: {(message.value or b'').decode()}")
        return Pointer(
            self._call(
                "CreateTargetMachine", Pointer, found, TRIPLE, target.cpu.encode(), target.features.encode(),
                OPTIMISE_MOST, 0, 0,
            )
        )  # fmt: skip

    def _emit(self, module: Pointer, machine: Pointer) -> bytes:
        message, out = ctypes.c_char_p(), Pointer()
        failed = self._call(
            "TargetMachineEmitToMemoryBuffer", ctypes.c_int, machine, module, ASSEMBLY, ctypes.byref(message),
            ctypes.byref(out),
        )  # fmt: skip
        if failed:
            raise BuildError(f"no PTX could be made: {(message.value or b'').decode()}")
        start = self._call("GetBufferStart", Pointer, out)
        size = self._call("GetBufferSize", ctypes.c_size_t, out)
        return ctypes.string_at(start, size)


def in_child(work: Callable[[], bytes], timeout_s: float) -> bytes:
    """What `work` returns when run in a forked child.

    Raises:
        BuildError: it raised one, crashed, or took longer than `timeout_s`.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _run_and_exit(work, writer)
    os.close(writer)
    answer, in_time = _read_until(reader, time.monotonic() + timeout_s)
    os.close(reader)
    if not in_time:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not in_time:
        raise BuildError(f"the compiler took longer than {timeout_s:g} s and was stopped")
    if answer[:1] == b"E":
        raise BuildError(*json.loads(answer[1:]))
    if answer[:1] != b"O" or status != 0:
        raise BuildError(f"the compiler crashed ({_death(status)})")
    return answer[1:]


def _run_and_exit(work: Callable[[], bytes], writer: int) -> None:
    """In the child: answer through the pipe and leave without any clean-up of the parent's."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 2)
    try:
        answer = b"O" + work()
    except BuildError as error:
        answer = b"E" + json.dumps([error.diagnostic.message, error.command, error.output]).encode()
    view = memoryview(answer)
    while view:
        view = view[os.write(writer, view) :]
    os._exit(0)


def _read_until(reader: int, deadline: float) -> tuple[bytes, bool]:
    pieces: list[bytes] = []
    while True:
        ready, _, _ = select.select([reader], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return b"".join(pieces), False
        piece = os.read(reader, 1 << 16)
        if not piece:
            return b"".join(pieces), True
        pieces.append(piece)


def _death(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
