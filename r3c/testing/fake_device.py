"""A device in pure Python, so that everything above the driver is tested without one.

Its binaries are Python files. A kernel is a function that takes a `FakeLaunch`; the file may set `TIME_US` (or
`TIME_US = {"kernel": ...}`), the time of one launch, by which nothing is slept. Memory outside the mapped ranges is a
fault, and the thread order is there for kernels that play a race. Use it as device `r3c.testing.fake_device:Fake`.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from r3c.core.errors import DeviceError
from r3c.core.recording import Allocation, Argument, Extent, GlobalSymbol, Recording
from r3c.devices.base import AddressRange, DeviceInfo, Launch, LaunchFailed
from r3c.recording.changes import differing
from r3c.recording.store import RecordingStore

NAME = "r3c.testing.fake_device:Fake"
_SCRATCH = 1 << 50
_GLOBALS = 1 << 51


class FakeMemory:
    """Mapped ranges; an access that leaves one is a fault."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._data: dict[int, NDArray[np.uint8]] = {}

    def map(self, address: int, size_bytes: int) -> None:
        self._data[address] = np.zeros(size_bytes, np.uint8)
        self._starts = sorted(self._data)

    def view(self, address: int, size_bytes: int) -> NDArray[np.uint8]:
        """The bytes themselves.

        Raises:
            LaunchFailed: some of them are not mapped.
        """
        place = bisect_right(self._starts, address) - 1
        start = self._starts[place] if place >= 0 else 0
        data = self._data.get(start)
        if place < 0 or data is None or address + size_bytes > start + len(data):
            raise LaunchFailed(f"access of {size_bytes} bytes at {address:#x}, outside every allocation")
        return data[address - start : address - start + size_bytes]


@dataclass(frozen=True)
class FakeLaunch:
    """What a kernel gets: geometry, arguments, memory, and the order in which its threads would run."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    packed: bytes
    order: str
    memory: FakeMemory
    globals: Mapping[str, AddressRange]

    def pointer(self, offset: int, count: int, dtype: str = "f4") -> NDArray[Any]:
        """`count` elements at the pointer that lies at `offset` of the packed arguments, writable."""
        address = struct.unpack_from("<Q", self.packed, offset)[0]
        kind = np.dtype(dtype)
        return self.memory.view(address, count * kind.itemsize).view(kind)

    def scalar(self, offset: int, form: str = "i") -> Any:
        return struct.unpack_from("<" + form, self.packed, offset)[0]

    def global_array(self, name: str, dtype: str = "f4") -> NDArray[Any]:
        span = self.globals[name]
        return self.memory.view(span.address, span.size_bytes).view(np.dtype(dtype))

    @property
    def threads(self) -> int:
        """Threads along x."""
        return self.grid[0] * self.block[0]


class FakeModule:
    """A Python file; `GLOBALS = {"name": size_bytes}` in it declares variables."""

    def __init__(self, path: Path, memory: FakeMemory, next_address: int) -> None:
        self.names: dict[str, Any] = {"__file__": str(path)}
        try:
            exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), self.names)  # noqa: S102 - it is the "machine code"
        except (OSError, SyntaxError) as error:
            raise DeviceError(f"{path} cannot be loaded: {error}") from error
        self.globals: dict[str, AddressRange] = {}
        for name, size in self.names.get("GLOBALS", {}).items():
            memory.map(next_address, size)
            self.globals[name] = AddressRange(next_address, size)
            next_address += size + 256

    def kernel(self, symbol: str) -> Callable[[FakeLaunch], None]:
        if symbol not in self.names:
            raise DeviceError(f"the module has no kernel {symbol!r}")
        found: Callable[[FakeLaunch], None] = self.names[symbol]
        return found

    def global_range(self, name: str) -> AddressRange | None:
        return self.globals.get(name)


class FakeSession:
    """Follows `r3c.devices.base.Session`. Times are those the modules declare, with a repeatable ripple of 1 %."""

    def __init__(self) -> None:
        self.info = DeviceInfo("fake", "fake device", "python", memory_bytes=1 << 30)
        self.memory = FakeMemory()
        self._order = "ascending"
        self._scratch = _SCRATCH
        self._modules = 0
        self._samples = 0

    def map(self, ranges: Sequence[AddressRange]) -> None:
        for span in ranges:
            self.memory.map(span.address, span.size_bytes)

    def write(self, address: int, data: bytes) -> None:
        self.memory.view(address, len(data))[:] = np.frombuffer(data, np.uint8)

    def read(self, address: int, size_bytes: int) -> bytes:
        return self.memory.view(address, size_bytes).tobytes()

    def fill(self, address: int, size_bytes: int, byte: int) -> None:
        self.memory.view(address, size_bytes)[:] = byte

    def copy(self, target: int, source: int, size_bytes: int) -> None:
        self.memory.view(target, size_bytes)[:] = self.memory.view(source, size_bytes)

    def scratch(self, size_bytes: int) -> int:
        address = self._scratch
        self.memory.map(address, size_bytes)
        self._scratch += size_bytes + 256
        return address

    def load(self, binary: Path) -> FakeModule:
        self._modules += 1
        return FakeModule(Path(binary), self.memory, _GLOBALS + (self._modules << 24))

    def launch(self, launch: Launch) -> None:
        x, y, z = launch.block
        if x * y * z > self.info.threads_per_block_count:
            raise LaunchFailed(f"a block of {launch.block} threads is too large")
        seen = FakeLaunch(
            launch.grid,
            launch.block,
            launch.shared_bytes,
            launch.packed,
            self._order,
            self.memory,
            launch.module.globals,
        )
        try:
            launch.module.kernel(launch.symbol)(seen)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise LaunchFailed(f"{launch.symbol}: {error}") from error

    def time_us(self, launch: Launch, launches: int, cold: bool) -> float:
        self.launch(launch)
        declared = launch.module.names.get("TIME_US", 100.0)
        self._samples += 1
        base: float = declared[launch.symbol] if isinstance(declared, dict) else declared
        return base * (1.0 + 0.01 * (self._samples * 7 % 11) / 11)

    def set_order(self, order: str) -> None:
        self._order = order

    def close(self) -> None:
        pass


class Fake:
    """The device plug-in."""

    name = NAME
    toolchain = ""

    def unavailable(self) -> str:
        return ""

    def info(self) -> DeviceInfo:
        return FakeSession().info

    def recorder_environment(self) -> dict[str, str]:
        return {}

    def open_session(self) -> FakeSession:
        return FakeSession()


@dataclass(frozen=True)
class FakeBuffer:
    """An array argument of a recorded launch, at `address` where given."""

    name: str
    data: NDArray[Any]
    address: int = 0


def record_fake(
    store: RecordingStore,
    binary: Path,
    symbol: str,
    arguments: Sequence[FakeBuffer | tuple[str, Any]],
    grid: tuple[int, int, int] = (1, 1, 1),
    block: tuple[int, int, int] = (32, 1, 1),
    globals_: Mapping[str, NDArray[Any]] | None = None,
    occurrences: int = 1,
    withheld: bool = False,
) -> Recording:
    """Runs a kernel once on the given arguments and stores the launch; scalars are `(name, int or float)`."""
    session = FakeSession()
    module = session.load(binary)
    packed, layout, buffers = _pack(arguments)
    session.map([AddressRange(address, len(data)) for address, data in buffers])
    for address, data in buffers:
        session.write(address, data.tobytes())
    before = {name: np.ascontiguousarray(data).view(np.uint8).reshape(-1) for name, data in (globals_ or {}).items()}
    for name, data in before.items():
        session.write(module.globals[name].address, data.tobytes())
    session.launch(Launch(module, symbol, grid, block, 0, packed))
    spans = [(address, data, session.read(address, len(data))) for address, data in buffers]
    symbols = [(n, d, session.read(module.globals[n].address, len(d))) for n, d in before.items()]
    recording = Recording(
        kernel=symbol,
        symbol=symbol,
        device="fake",
        device_name=session.info.name,
        grid=grid,
        block=block,
        shared_bytes=0,
        arguments=tuple(layout),
        packed=packed.hex(),
        allocations=tuple(Allocation(a, len(d), *_extents(store, d, now)) for a, d, now in spans),
        globals=tuple(GlobalSymbol(n, len(d), *_extents(store, d, now)) for n, d, now in symbols),
        occurrences=occurrences,
        withheld=withheld,
    )
    store.add(recording)
    return recording


def _pack(
    arguments: Sequence[FakeBuffer | tuple[str, Any]],
) -> tuple[bytes, list[Argument], list[tuple[int, NDArray[np.uint8]]]]:
    """The packed arguments, their layout, and each buffer's address and bytes."""
    packed, layout, buffers = b"", [], []
    for place, argument in enumerate(arguments):
        if isinstance(argument, FakeBuffer):
            address = argument.address or (place + 1) << 32
            buffers.append((address, np.ascontiguousarray(argument.data).view(np.uint8).reshape(-1)))
            piece, name = struct.pack("<Q", address), argument.name
        else:
            name, value = argument
            piece = struct.pack("<f" if isinstance(value, float) else "<i", value)
        packed += bytes(-len(packed) % len(piece))
        layout.append(Argument(len(packed), len(piece), name))
        packed += piece
    return packed, layout, buffers


def _extents(
    store: RecordingStore, before: NDArray[np.uint8], after: bytes
) -> tuple[tuple[Extent, ...], tuple[Extent, ...]]:
    prologue = (Extent(0, len(before), store.put_chunk(before.tobytes())),)
    ranges = differing(before, np.frombuffer(after, np.uint8))
    return prologue, tuple(Extent(at, size, store.put_chunk(after[at : at + size])) for at, size in ranges)
