"""What replaying needs of a device: memory at given addresses, modules, launches, times.

A `Session` lives inside one replay worker process. A fault of the device may end that process; the process that
owns the worker sees this and starts another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from r3c.core.errors import DeviceError


@dataclass(frozen=True)
class DeviceInfo:
    """A device as r3c shows it to people and models; sizes in bytes, 0 where unknown."""

    kind: str
    name: str
    architecture: str
    units_count: int = 0
    memory_bytes: int = 0
    shared_bytes_per_block: int = 0
    registers_per_block_count: int = 0
    threads_per_block_count: int = 1024
    l2_bytes: int = 0
    bandwidth_gb_per_s: float = 0.0
    details: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class AddressRange:
    """`size_bytes` of device memory from `address` on."""

    address: int
    size_bytes: int


class LaunchFailed(DeviceError):
    """A launch that the device refused or that ended in a fault; the session may be unusable afterwards."""


class Module(Protocol):
    """A loaded binary: a cubin, or a shared library on the CPU device."""

    def global_range(self, name: str) -> AddressRange | None:
        """Where variable `name` lies, None where the module has no such variable."""


@dataclass(frozen=True)
class Launch:
    """One launch of kernel `symbol` of a module that the same session has loaded.

    Attributes:
        packed: the arguments, laid out as the kernel's parameters.
        attributes: `cooperative`, `cluster_x` and the like, as recorded.
    """

    module: Any
    symbol: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    packed: bytes
    attributes: Mapping[str, int] = field(default_factory=dict)


class Session(Protocol):
    """One process's hold on a device. Calls block until the device has finished."""

    info: DeviceInfo

    def map(self, ranges: Sequence[AddressRange]) -> None:
        """Make memory at exactly these addresses; called once, before anything else.

        Raises:
            DeviceError: an address is not to be had.
        """

    def write(self, address: int, data: bytes) -> None: ...

    def read(self, address: int, size_bytes: int) -> bytes: ...

    def fill(self, address: int, size_bytes: int, byte: int) -> None: ...

    def copy(self, target: int, source: int, size_bytes: int) -> None:
        """Device to device."""

    def scratch(self, size_bytes: int) -> int:
        """Address of memory that no kernel can reach by a recorded pointer (for pristine copies)."""

    def load(self, binary: Path) -> Module: ...

    def launch(self, launch: Launch) -> None:
        """Run once and wait.

        Raises:
            LaunchFailed: with the device's own words.
        """

    def time_us(self, launch: Launch, launches: int, cold: bool) -> float:
        """Mean time of one launch in us over `launches` back to back; `cold` flushes the caches first."""

    def set_order(self, order: str) -> None:
        """Thread order `ascending`, `descending` or `random:SEED` where the device can choose one, else nothing."""

    def close(self) -> None: ...


@runtime_checkable
class Watching(Protocol):
    """A session that can see threads meet."""

    def races(self, launch: Launch) -> tuple[int, str]:
        """Bytes at which threads of a launch meet unordered, one of them writing, and the first such place in words.

        The count is negative where the launch is too long to look at. The module has to be built for it.
        """


class Device(Protocol):
    """A kind of device: the class of a plug-in in this folder, made without arguments.

    Attributes:
        name: the plug-in's name, `cuda` or `cpu`.
        toolchain: the toolchain that builds candidates for it by default.
    """

    name: str
    toolchain: str

    def unavailable(self) -> str:
        """Why it cannot be used here, in one line with what to install; empty where it can."""

    def info(self) -> DeviceInfo: ...

    def recorder_environment(self) -> dict[str, str]:
        """Variables that put the recorder into a process of the application, beside the `R3C_CAPTURE*` ones."""

    def open_session(self) -> Session: ...
