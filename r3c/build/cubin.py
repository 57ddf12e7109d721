"""What a cubin says without being run: its kernels, a hash of their machine code, and static features."""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from r3c.build import sass
from r3c.build.elf import Section, read_sections
from r3c.core.errors import BuildError

ABI_OF_CUDA_13 = 8  # before it the architecture stood elsewhere
SHARED_RESERVE_BYTES, RESERVED_SECTION = 1024, ".nv.shared.reserved.0"
EIATTR_MAX_THREADS = 0x05
EIATTR_FRAME_SIZE = 0x11
EIATTR_MAXREG_COUNT = 0x1B
EIATTR_REGCOUNT = 0x2F
EIATTR_SIZED = 4  # attribute formats: 4 carries its length and bytes, the others two bytes in place

# Section prefixes that make up one kernel; the note sections, which hold the command line, stay out of the hash.
KERNEL_SECTIONS = (".text.", ".nv.info.", ".nv.constant0.", ".nv.shared.")


@dataclass(frozen=True)
class OccupancyLimits:
    """Resources of one multiprocessor (defaults: compute capability 9.0)."""

    registers: int = 65536
    register_granule: int = 256
    warps: int = 64
    blocks: int = 32
    shared_bytes: int = 233472
    shared_reserve_bytes: int = SHARED_RESERVE_BYTES


# By compute capability times ten, as the CUDA programming guide has them; others count as 9.0.
LIMITS = {
    75: OccupancyLimits(warps=32, blocks=16, shared_bytes=64 << 10, shared_reserve_bytes=0),
    80: OccupancyLimits(warps=64, blocks=32, shared_bytes=164 << 10),
    86: OccupancyLimits(warps=48, blocks=16, shared_bytes=100 << 10),
    87: OccupancyLimits(warps=48, blocks=16, shared_bytes=164 << 10),
    89: OccupancyLimits(warps=48, blocks=24, shared_bytes=100 << 10),
    120: OccupancyLimits(warps=48, blocks=24, shared_bytes=100 << 10),
}


def limits_of(architecture: int) -> OccupancyLimits:
    return LIMITS.get(architecture, OccupancyLimits())


@dataclass(frozen=True)
class Cubin:
    """An ELF cubin in memory.

    Raises:
        BuildError: from any property, where `data` is not a 64-bit ELF file.
    """

    data: bytes

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        try:
            return read_sections(self.data)
        except ValueError:
            raise BuildError("the compiler's output is not a cubin, or is cut short") from None

    def _section(self, name: str) -> bytes:
        return next((s.data for s in self.sections if s.name == name), b"")

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """Names of the symbol table, in its order."""
        table, strings = self._section(".symtab"), self._section(".strtab")
        starts = (struct.unpack_from("<I", table, at)[0] for at in range(0, len(table) - 23, 24))
        return tuple(strings[at : strings.index(b"\0", at)].decode() for at in starts)

    @cached_property
    def kernels(self) -> tuple[str, ...]:
        """Symbols of the kernels: functions with a parameter bank of their own."""
        banks = {s.name.removeprefix(".nv.constant0.") for s in self.sections if s.name.startswith(".nv.constant0.")}
        return tuple(s.name[6:] for s in self.sections if s.name.startswith(".text.") and s.name[6:] in banks)

    def code_hash(self, symbol: str) -> str:
        """SHA-256 over the machine code of `symbol`, of every device function beside it, and of the constants.

        The limit on registers that the compiler was given is left out; how many it took is not.
        """
        taken = [self._attribute(kind, symbol) for kind in (EIATTR_REGCOUNT, EIATTR_FRAME_SIZE)]
        digest = hashlib.sha256(struct.pack("<2I", *taken))
        for section in self.sections:
            own = any(section.name == prefix + symbol for prefix in KERNEL_SECTIONS)
            callee = section.name.startswith(".text.") and section.name[6:] not in self.kernels
            if own or callee or section.name.startswith((".nv.constant3", ".nv.constant4", ".nv.global.init")):
                data = _without_limit(section.data) if section.name.startswith(".nv.info.") else section.data
                digest.update(section.name.encode() + data + struct.pack("<Q", section.size_bytes))
        return digest.hexdigest()

    def features(self, symbol: str, block_threads: int = 0) -> dict[str, float]:
        """Registers, stack, shared memory, occupancy, and what sass.py finds in the code of one kernel.

        Without `block_threads` a block is as large as the kernel's launch bounds say, else 256 threads.
        """
        threads = block_threads or self._most_threads(symbol) or 256
        code = self._section(".text." + symbol)
        shared = self._shared_bytes(symbol)
        registers = self._attribute(EIATTR_REGCOUNT, symbol)
        return {
            "registers": float(registers),
            "stack_bytes": float(self._attribute(EIATTR_FRAME_SIZE, symbol)),
            "shared_bytes": float(shared),
            "occupancy": occupancy(registers, shared, threads, limits_of(self.architecture)),
            **sass.features(code),
        }

    def _shared_bytes(self, symbol: str) -> int:
        """Of the kernel's own variables; since sm_90 the section counts what the system keeps, too."""
        sizes = {section.name: section.size_bytes for section in self.sections}
        size = sizes.get(f".nv.shared.{symbol}", 0)
        return max(0, size - SHARED_RESERVE_BYTES) if RESERVED_SECTION in sizes else size

    @property
    def architecture(self) -> int:
        """Compute capability times ten, e.g. 90."""
        flags, abi = struct.unpack_from("<I", self.data, 48)[0], self.data[8]
        return int(flags >> 8 & 0xFF if abi >= ABI_OF_CUDA_13 else flags & 0xFF)

    def _most_threads(self, symbol: str) -> int:
        """Threads of a block by the kernel's launch bounds, 0 where it has none."""
        for kind, data in _attributes(self._section(f".nv.info.{symbol}")):
            if kind == EIATTR_MAX_THREADS and len(data) >= 12:
                return math.prod(struct.unpack_from("<III", data))
        return 0

    def _attribute(self, wanted: int, symbol: str) -> int:
        for kind, data in _attributes(self._section(".nv.info")):
            if kind == wanted and len(data) >= 8:
                index, value = struct.unpack_from("<II", data)
                if index < len(self.symbols) and self.symbols[index] == symbol:
                    return int(value)
        return 0


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Kind and bytes of each entry of a `.nv.info` section that has bytes."""
    for start, stop in _entries(data):
        if data[start] == EIATTR_SIZED:
            yield data[start + 1], data[start + 4 : stop]


def _without_limit(data: bytes) -> bytes:
    return b"".join(data[start:stop] for start, stop in _entries(data) if data[start + 1] != EIATTR_MAXREG_COUNT)


def _entries(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each entry of a `.nv.info` section lies: form, kind and size in four bytes, and what follows."""
    at = 0
    while at + 4 <= len(data):
        stop = at + 4 + (struct.unpack_from("<H", data, at + 2)[0] if data[at] == EIATTR_SIZED else 0)
        yield at, stop
        at = stop


def occupancy(registers: int, shared_bytes: int, block_threads: int, limits: OccupancyLimits | None = None) -> float:
    """Share of a multiprocessor's warps that can be resident, 0 where a block does not fit."""
    limits = limits or OccupancyLimits()
    warps = math.ceil(block_threads / 32)
    per_warp = math.ceil(registers * 32 / limits.register_granule) * limits.register_granule
    by_registers = (limits.registers // per_warp) // warps if per_warp else limits.blocks
    shared = math.ceil((shared_bytes + limits.shared_reserve_bytes) / 128) * 128
    blocks = min(limits.warps // warps, limits.blocks, by_registers, limits.shared_bytes // shared)
    return blocks * warps / limits.warps
