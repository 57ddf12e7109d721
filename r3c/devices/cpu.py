"""The CPU device: kernels compiled for the host run as fibers on memory with guard pages at fixed addresses."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import secrets
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from r3c.core.errors import BuildError, DeviceError, MissingExtra
from r3c.devices.base import AddressRange, DeviceInfo, Launch, LaunchFailed
from r3c.resources import user_cache

NATIVE = Path(__file__).parent / "native" / "cpu"
INCLUDE = NATIVE / "include"
CAPTURE_HEADER = Path(__file__).parent.parent / "recording" / "native"
ORDERS = {"ascending": 0, "descending": 1, "random": 2}
FLUSH_BYTES = 64 << 20
BASE_FLAGS = ("-std=gnu++17", "-fPIC", "-pthread", "-fno-gnu-unique", "-w")


class Cpu:
    """Makes sessions on the processor of this machine; needs g++ only."""

    name = "cpu"
    toolchain = "host"

    def unavailable(self) -> str:
        if platform.machine() not in ("x86_64", "AMD64", "aarch64", "arm64"):
            return f"the CPU device runs on x86-64 and aarch64, this is {platform.machine()}"
        try:
            compiler_version()
        except MissingExtra as error:
            return error.diagnostic.message
        return ""

    def info(self) -> DeviceInfo:
        return DeviceInfo(
            kind="cpu",
            name=f"CPU device on {_processor()}",
            architecture=platform.machine(),
            units_count=os.cpu_count() or 1,
            shared_bytes_per_block=227 << 10,
            registers_per_block_count=65536,
            details={"compiler": compiler_version()},
        )

    def recorder_environment(self) -> dict[str, str]:
        """None: the recorder is part of the runtime library."""
        return {}

    def open_session(self) -> CpuSession:
        return CpuSession(self.info())


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def compiler_version() -> str:
    """First line of `g++ --version`.

    Raises:
        MissingExtra: there is no g++.
    """
    try:
        done = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise MissingExtra("the CPU device needs g++", hint="apt-get install g++") from None
    return done.stdout.splitlines()[0]


def runtime_library() -> Path:
    """The runtime, compiled at first use; kept in the user's cache by the content of its sources.

    Raises:
        BuildError: it does not compile.
        MissingExtra: there is no g++.
    """
    sources = [*sorted(NATIVE.rglob("*.cpp")), *sorted(NATIVE.rglob("*.h")), *sorted(CAPTURE_HEADER.glob("*.h"))]
    key = hashlib.sha256(compiler_version().encode())
    for source in sources:
        key.update(source.read_bytes())
    library = user_cache() / "native" / key.hexdigest()[:16] / "libr3c_cpu.so"
    if not library.exists():
        _compile_runtime(library)
    return library


def _compile_runtime(library: Path) -> None:
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as scratch:
        made = Path(scratch) / library.name
        command = ["g++", *BASE_FLAGS, "-O2", "-shared", f"-I{INCLUDE}", f"-I{NATIVE}", f"-I{CAPTURE_HEADER}"]
        command += [str(source) for source in sorted(NATIVE.glob("*.cpp"))]
        command += [f"-Wl,-soname,{library.name}", "-o", str(made), "-ldl"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BuildError("the CPU device's runtime does not compile", " ".join(command), done.stdout + done.stderr)
        made.replace(library)


class _Kernel(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("pretty", ctypes.c_char_p),
        ("run", ctypes.c_void_p),
        ("offsets", ctypes.POINTER(ctypes.c_uint)),
        ("sizes", ctypes.POINTER(ctypes.c_uint)),
        ("count", ctypes.c_uint),
        ("fibers", ctypes.c_int),
    ]


class _Variable(ctypes.Structure):
    pass


_Variable._fields_ = [
    ("name", ctypes.c_char_p),
    ("address", ctypes.c_void_p),
    ("size_bytes", ctypes.c_size_t),
    ("next", ctypes.POINTER(_Variable)),
]


@dataclass
class CpuModule:
    """A shared library with one kernel and the variables of its translation unit."""

    library: Any
    kernel: Any

    def global_range(self, name: str) -> AddressRange | None:
        node = self.library.r3c_variables()
        while node:
            variable = node.contents
            if variable.name.decode() == name:
                return AddressRange(variable.address, variable.size_bytes)
            node = variable.next
        return None


class CpuSession:
    """Kernels run inside this process: a fault ends it, with exit code 86 and a line on standard error.

    One OS thread runs all blocks, so that results and times repeat.
    """

    def __init__(self, info: DeviceInfo) -> None:
        self.info = info
        self._runtime = ctypes.CDLL(str(runtime_library()), mode=ctypes.RTLD_GLOBAL)
        self._runtime.r3c_failure.restype = ctypes.c_char_p
        self._runtime.r3c_time_us.restype = ctypes.c_double
        self._runtime.r3c_map.argtypes = [ctypes.c_uint64, ctypes.c_uint64]
        self._runtime.r3c_set_threads(1)
        self._runtime.r3c_watched.restype = ctypes.c_longlong
        self._scratch: list[Any] = []
        self._flush: Any = None

    def map(self, ranges: Sequence[AddressRange]) -> None:
        for piece in ranges:
            failed = self._runtime.r3c_map(piece.address, piece.size_bytes)
            if failed:
                raise DeviceError(
                    f"memory at {piece.address:#x} cannot be had: {os.strerror(failed) if failed > 0 else 'taken'}"
                )

    def write(self, address: int, data: bytes) -> None:
        ctypes.memmove(address, data, len(data))

    def read(self, address: int, size_bytes: int) -> bytes:
        return ctypes.string_at(address, size_bytes)

    def fill(self, address: int, size_bytes: int, byte: int) -> None:
        ctypes.memset(address, byte, size_bytes)

    def copy(self, target: int, source: int, size_bytes: int) -> None:
        ctypes.memmove(target, source, size_bytes)

    def scratch(self, size_bytes: int) -> int:
        self._scratch.append(ctypes.create_string_buffer(max(1, size_bytes)))
        return ctypes.addressof(self._scratch[-1])

    def load(self, binary: Path) -> CpuModule:
        try:
            library = ctypes.CDLL(str(binary.resolve()), mode=ctypes.RTLD_LOCAL | os.RTLD_LAZY)
            library.r3c_entry.restype = ctypes.POINTER(_Kernel)
            library.r3c_variables.restype = ctypes.POINTER(_Variable)
        except (OSError, AttributeError) as error:
            raise LaunchFailed(f"{binary.name} could not be loaded: {error}") from None
        return CpuModule(library, library.r3c_entry())

    def launch(self, launch: Launch) -> None:
        if self._runtime.r3c_replay(*_native(launch)):
            raise LaunchFailed(self._runtime.r3c_failure().decode(errors="replace"))

    def time_us(self, launch: Launch, launches: int, cold: bool) -> float:
        native = _native(launch)
        if not cold:
            return self._timed(native, launches)
        total = 0.0
        for index in range(launches):
            self._flush = self._flush or ctypes.create_string_buffer(FLUSH_BYTES)
            ctypes.memset(self._flush, index & 0xFF, FLUSH_BYTES)
            total += self._timed(native, 1)
        return total / launches

    def _timed(self, native: tuple[Any, ...], launches: int) -> float:
        us = float(self._runtime.r3c_time_us(*native, ctypes.c_uint(launches)))
        if us < 0:
            raise LaunchFailed(self._runtime.r3c_failure().decode(errors="replace"))
        return us

    def set_order(self, order: str) -> None:
        """As the protocol says. Shared memory and stacks start with random bytes in every block, but not in `descending`
        order: there they hold what the launch before left, which a kernel might count on.
        """
        kind, _, seed = order.partition(":")
        self._runtime.r3c_set_order(ORDERS[kind], ctypes.c_uint64(int(seed or 1)))
        self._runtime.r3c_set_spoiling(int(kind != "descending"), ctypes.c_uint64(secrets.randbits(63) | 1))

    def races(self, launch: Launch) -> tuple[int, str]:
        """Bytes at which threads of a launch meet unordered, and the first such place; -1 where it is too long to look at.

        The launch's module has to be built with `host{races=true}`.
        """
        text = ctypes.create_string_buffer(256)
        self._runtime.r3c_watch()
        try:
            self.launch(launch)
        finally:
            count = int(self._runtime.r3c_watched(text, ctypes.c_size_t(len(text))))
        return count, text.value.decode(errors="replace")

    def close(self) -> None:
        self._scratch.clear()


def _native(launch: Launch) -> tuple[Any, ...]:
    """A launch as the runtime's functions take it: kernel, grid and block, bytes of shared memory, arguments."""
    shape = (ctypes.c_uint * 6)(*launch.grid, *launch.block)
    return launch.module.kernel, shape, ctypes.c_size_t(launch.shared_bytes), _arguments(launch.packed)


def _arguments(packed: bytes) -> Any:
    """The packed buffer, 16-byte aligned as its arguments may need."""
    buffer = ctypes.create_string_buffer(len(packed) + 16)
    start = -(-ctypes.addressof(buffer) // 16) * 16
    ctypes.memmove(start, packed, len(packed))
    pointer = ctypes.c_char_p(start)
    pointer._keep = buffer  # type: ignore[attr-defined]
    return pointer
