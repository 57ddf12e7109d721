"""What a cubin says without being run: its kernels, a hash of their machine code, and static features."""

from __future__ import annotations

import hashlib
import math
import struct
from dataclasses import dataclass
from functools import cached_property

from r3c.build.elf import Section, read_sections
from r3c.core.errors import BuildError

INSTRUCTION_BYTES = 16  # since sm_70
EIATTR_FRAME_SIZE = 0x11
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
    shared_reserve_bytes: int = 1024


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
        """SHA-256 over the machine code of `symbol`, of every device function beside it, and of the constants."""
        digest = hashlib.sha256()
        for section in self.sections:
            own = any(section.name == prefix + symbol for prefix in KERNEL_SECTIONS)
            callee = section.name.startswith(".text.") and section.name[6:] not in self.kernels
            if own or callee or section.name.startswith((".nv.constant3", ".nv.constant4", ".nv.global.init")):
                digest.update(section.name.encode() + section.data + struct.pack("<Q", section.size_bytes))
        return digest.hexdigest()

    def features(self, symbol: str, block_threads: int = 256) -> dict[str, float]:
        """Registers, spills, shared memory, instructions, stall cycles and occupancy of one kernel."""
        code = self._section(".text." + symbol)
        shared = next((s.size_bytes for s in self.sections if s.name == ".nv.shared." + symbol), 0)
        registers = self._attribute(EIATTR_REGCOUNT, symbol)
        return {
            "registers": float(registers),
            "stack_bytes": float(self._attribute(EIATTR_FRAME_SIZE, symbol)),
            "shared_bytes": float(shared),
            "instructions": float(len(code) // INSTRUCTION_BYTES),
            "occupancy": occupancy(registers, shared, block_threads),
            **control_words(code),
        }

    def _attribute(self, wanted: int, symbol: str) -> int:
        data, at = self._section(".nv.info"), 0
        while at + 4 <= len(data):
            form, kind, size = data[at], data[at + 1], struct.unpack_from("<H", data, at + 2)[0]
            at += 4
            if form != EIATTR_SIZED:
                continue
            if kind == wanted and size >= 8:
                index, value = struct.unpack_from("<II", data, at)
                if index < len(self.symbols) and self.symbols[index] == symbol:
                    return int(value)
            at += size
        return 0


def control_words(code: bytes) -> dict[str, float]:
    """Sums over the control bits of each 128-bit instruction: stall cycles, barrier waits, register reuse."""
    words = [struct.unpack_from("<Q", code, at + 8)[0] >> 41 for at in range(0, len(code) - 15, INSTRUCTION_BYTES)]
    return {
        "stall_cycles": float(sum(word & 15 for word in words)),
        "barrier_waits": float(sum((word >> 11 & 63).bit_count() for word in words)),
        "register_reuse": float(sum((word >> 17 & 15).bit_count() for word in words)),
    }


def occupancy(registers: int, shared_bytes: int, block_threads: int, limits: OccupancyLimits | None = None) -> float:
    """Share of a multiprocessor's warps that can be resident, 0 where a block does not fit."""
    limits = limits or OccupancyLimits()
    warps = math.ceil(block_threads / 32)
    per_warp = math.ceil(registers * 32 / limits.register_granule) * limits.register_granule
    by_registers = (limits.registers // per_warp) // warps if per_warp else limits.blocks
    shared = math.ceil((shared_bytes + limits.shared_reserve_bytes) / 128) * 128
    blocks = min(limits.warps // warps, limits.blocks, by_registers, limits.shared_bytes // shared)
    return blocks * warps / limits.warps
