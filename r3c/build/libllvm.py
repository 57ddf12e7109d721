"""libLLVM in process: bitcode through a pass pipeline to PTX, each variant in a forked child that may crash or hang."""

from __future__ import annotations

import ctypes
import faulthandler
import json
import os
import platform
import select
import signal
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from r3c.build.llvm_install import INSTALL_SYSTEM, MAJOR, find_system
from r3c.core.errors import BuildError, MissingExtra

TRIPLE = "nvptx64-nvidia-cuda"
ASSEMBLY, OBJECT = 0, 1  # LLVMCodeGenFileType
OPTIMISE_MOST = 3  # LLVMCodeGenLevelAggressive
RELOCATIONS_ANY, RELOCATIONS_SHARED = 0, 2  # LLVMRelocMode: default, PIC
LINKAGE_INTERNAL = 8
CALL_PLAIN, CALL_KERNEL = 0, 71  # calling conventions C and ptx_kernel
MOST_SAID_BYTES = 1 << 20
HOST_TARGETS = {"x86_64": "X86", "AMD64": "X86", "aarch64": "AArch64", "arm64": "AArch64"}

Pointer = ctypes.c_void_p
_FORKING = threading.Lock()


@dataclass(frozen=True)
class Target:
    """What code is made for, e.g. `Target("sm_90", "+ptx87")`."""

    cpu: str
    features: str = ""
    triple: str = TRIPLE
    relocations: int = RELOCATIONS_ANY


def find_libllvm() -> Path | None:
    """libLLVM of the version the pass names belong to, None where it is not installed."""
    return find_system().library


class LibLlvm:
    """The few C functions of libLLVM that are needed; what they make is never freed: every use is in a child.

    Raises:
        MissingExtra: the library is not there.
    """

    def __init__(self, path: Path | None = None) -> None:
        path = path or find_libllvm()
        if path is None:
            raise MissingExtra(f"toolchain llvm needs libLLVM {MAJOR}", hint=INSTALL_SYSTEM)
        self._library = ctypes.CDLL(str(path))
        for target in ("NVPTX", HOST_TARGETS.get(platform.machine(), "X86")):
            for part in ("TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser"):
                initialise = getattr(self._library, f"LLVMInitialize{target}{part}", None)
                if initialise is not None:
                    initialise()

    @property
    def has_nvptx(self) -> bool:
        """Whether it can emit PTX; the libLLVM of the PyPI packages cannot."""
        return hasattr(self._library, "LLVMInitializeNVPTXTarget")

    def version(self) -> str:
        """Such as `22.1.8`."""
        numbers = [ctypes.c_uint() for _ in range(3)]
        self.call("GetVersion", None, *(ctypes.byref(number) for number in numbers))
        return ".".join(str(number.value) for number in numbers)

    def call(self, name: str, result: Any, *arguments: Any) -> Any:
        """`LLVM<name>` of the C interface."""
        function = getattr(self._library, f"LLVM{name}")
        function.restype = result
        return function(*arguments)

    def set_options(self, options: Sequence[str]) -> None:
        """Options of opt and llc; they hold for the whole process, so set them in a child only."""
        words = [b"r3c", *(option.encode() for option in options)]
        array = (ctypes.c_char_p * len(words))(*words)
        self.call("ParseCommandLineOptions", None, len(words), array, None)

    def compile(self, bitcode: bytes, passes: str, target: Target) -> bytes:
        """PTX of `bitcode` after the pipeline `passes`.

        Raises:
            BuildError: LLVM's own message.
        """
        machine = self.machine(target)
        module = self.parse(bitcode)
        self.run_passes(module, passes, machine)
        return self.emit(module, machine, ASSEMBLY)

    def parse(self, bitcode: bytes) -> Pointer:
        """A module from bitcode."""
        module = Pointer()
        context = Pointer(self.call("ContextCreate", Pointer))
        buffer = self._buffer(bitcode)
        if self.call("ParseBitcodeInContext2", ctypes.c_int, context, buffer, ctypes.byref(module)):
            raise BuildError("the bitcode cannot be read by this libLLVM")
        return module

    def parse_text(self, text: str) -> Pointer:
        """A module from LLVM's assembly language."""
        module, message = Pointer(), ctypes.c_char_p()
        context = Pointer(self.call("ContextCreate", Pointer))
        data = text.encode("latin-1") + b"\0"
        buffer = self._buffer(data, len(data) - 1, terminated=1)
        if self.call("ParseIRInContext", ctypes.c_int, context, buffer, ctypes.byref(module), ctypes.byref(message)):
            raise BuildError(f"LLVM does not read its own text: {(message.value or b'').decode(errors='replace')}")
        return module

    def _buffer(self, data: bytes, size: int | None = None, terminated: int = 0) -> Pointer:
        length = ctypes.c_size_t(len(data) if size is None else size)
        made = Pointer(self.call("CreateMemoryBufferWithMemoryRange", Pointer, data, length, b"candidate", terminated))
        made._keep = data  # type: ignore[attr-defined]
        return made

    def text_of(self, module: Pointer) -> str:
        """The module in LLVM's assembly language."""
        return ctypes.string_at(self.call("PrintModuleToString", Pointer, module)).decode("latin-1")

    def bitcode_of(self, module: Pointer) -> bytes:
        return self._bytes(Pointer(self.call("WriteBitcodeToMemoryBuffer", Pointer, module)))

    def run_passes(self, module: Pointer, passes: str, machine: Pointer | None) -> None:
        """Runs a pipeline text; without a `machine`, target-independent passes only.

        Raises:
            BuildError: LLVM does not take the text.
        """
        options = Pointer(self.call("CreatePassBuilderOptions", Pointer))
        error = self.call("RunPasses", Pointer, module, passes.encode(), machine, options)
        if error:
            text = ctypes.string_at(self.call("GetErrorMessage", Pointer, Pointer(error))).decode()
            raise BuildError(f"the pass pipeline is not accepted: {text}", passes)

    def machine(self, target: Target) -> Pointer:
        """A code generator.

        Raises:
            BuildError: this libLLVM has none for the target.
        """
        found, message = Pointer(), ctypes.c_char_p()
        triple = target.triple.encode()
        if self.call("GetTargetFromTriple", ctypes.c_int, triple, ctypes.byref(found), ctypes.byref(message)):
            raise BuildError(f"this libLLVM has no target {target.triple}: {(message.value or b'').decode()}")
        return Pointer(
            self.call(
                "CreateTargetMachine", Pointer, found, triple, target.cpu.encode(), target.features.encode(),
                OPTIMISE_MOST, target.relocations, 0,
            )
        )  # fmt: skip

    def host_triple(self) -> str:
        return ctypes.string_at(self.call("GetDefaultTargetTriple", Pointer)).decode()

    def emit(self, module: Pointer, machine: Pointer, kind: int) -> bytes:
        """Assembly text or an object file.

        Raises:
            BuildError: the code generator refuses the module.
        """
        message, out = ctypes.c_char_p(), Pointer()
        if self.call(
            "TargetMachineEmitToMemoryBuffer", ctypes.c_int, machine, module, kind, ctypes.byref(message),
            ctypes.byref(out),
        ):  # fmt: skip
            raise BuildError(f"no code could be made: {(message.value or b'').decode()}")
        return self._bytes(out)

    def _bytes(self, buffer: Pointer) -> bytes:
        start = self.call("GetBufferStart", Pointer, buffer)
        return ctypes.string_at(start, self.call("GetBufferSize", ctypes.c_size_t, buffer))

    # --- what is in a module ------------------------------------------------------------------------------------------

    def functions(self, module: Pointer) -> Iterator[Pointer]:
        yield from self._walk("Function", module)

    def variables(self, module: Pointer) -> Iterator[Pointer]:
        yield from self._walk("Global", module)

    def _walk(self, what: str, module: Pointer) -> Iterator[Pointer]:
        at = self.call(f"GetFirst{what}", Pointer, module)
        while at:
            yield Pointer(at)
            at = self.call(f"GetNext{what}", Pointer, Pointer(at))

    def name_of(self, value: Pointer) -> str:
        size = ctypes.c_size_t()
        return ctypes.string_at(self.call("GetValueName2", Pointer, value, ctypes.byref(size)), size.value).decode()

    def is_kernel(self, function: Pointer) -> bool:
        return bool(self.call("GetFunctionCallConv", ctypes.c_uint, function) == CALL_KERNEL)

    def kernels(self, module: Pointer) -> tuple[str, ...]:
        """Symbols of the kernels."""
        return tuple(self.name_of(function) for function in self.functions(module) if self.is_kernel(function))

    def keep_kernel(self, module: Pointer, symbol: str) -> None:
        """Drops every other kernel and what only they use, so that passes have less to do."""
        for function in self.functions(module):
            if self.name_of(function) == symbol or self.call("IsDeclaration", ctypes.c_int, function):
                continue
            if self.is_kernel(function):
                self.call("SetFunctionCallConv", None, function, CALL_PLAIN)
            self.call("SetLinkage", None, function, LINKAGE_INTERNAL)
        self.run_passes(module, "globaldce", None)


def in_child(work: Callable[[], bytes], timeout_s: float) -> bytes:
    """What `work` returns when run in a forked child.

    Raises:
        BuildError: it raised one, crashed, or took longer than `timeout_s`; with what it wrote to standard error.
    """
    with tempfile.TemporaryFile() as errors:
        with _FORKING:  # no other child may hold the writing end, or this one's death would go unseen
            reader, writer = os.pipe()
            child = os.fork()
            if child == 0:
                os.close(reader)
                os.dup2(errors.fileno(), 2)
                _run_and_exit(work, writer)
            os.close(writer)
        answer, in_time = _read_until(reader, time.monotonic() + timeout_s)
        os.close(reader)
        if not in_time:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        errors.seek(0)
        said = errors.read(MOST_SAID_BYTES).decode(errors="replace")
    if not in_time:
        raise BuildError(f"the compiler took longer than {timeout_s:g} s and was stopped", output=said)
    if answer[:1] == b"E":
        raise BuildError(*json.loads(answer[1:]))
    if answer[:1] != b"O" or status != 0:
        raise BuildError(f"the compiler crashed ({_death(status)}){_first_line(said)}", output=said)
    return answer[1:]


def _run_and_exit(work: Callable[[], bytes], writer: int) -> None:
    """In the child: answer through the pipe and leave without any clean-up of the parent's."""
    faulthandler.disable()  # the parent says what happened
    code = 1
    try:
        try:
            answer = b"O" + work()
        except BuildError as error:
            answer = b"E" + json.dumps([error.diagnostic.message, error.command, error.output]).encode()
        view = memoryview(answer)
        while view:
            view = view[os.write(writer, view) :]
        code = 0
    finally:
        if code:
            os.write(2, traceback.format_exc().splitlines()[-1].encode())
        os._exit(code)


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


def _first_line(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith((" #", "Stack dump"))]
    return f": {lines[0]}" if lines else ""
