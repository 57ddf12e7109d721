"""Machine code of one kernel, read without a disassembler: what it is made of, how deep in loops, how long it stalls."""

from __future__ import annotations

import struct
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

INSTRUCTION_BYTES = 16  # since compute capability 7.0
OPCODES = Path(__file__).with_name("opcodes.toml")
OPCODE_MASK, NOP, BRANCH = 0x1FF, 0x118, 0x147
WIDE_ACCESS = 6  # the size field of a 128-bit load or store
LOOP_WEIGHT = 16.0  # an instruction counts as if each loop around it ran so often
DEPTH_MAX = 4
OTHER = "other"


@dataclass(frozen=True)
class Instruction:
    """One instruction: the low nine bits of its opcode, both 64-bit halves, and the loops around it."""

    opcode: int
    low: int
    high: int
    depth: int = 0

    @property
    def weight(self) -> float:
        return LOOP_WEIGHT ** min(self.depth, DEPTH_MAX)

    @property
    def control(self) -> int:
        """Stall cycles (4 bits), yield, write and read barrier (3 each), barriers waited for (6), register reuse (4)."""
        return self.high >> 41


@cache
def _kinds() -> dict[int, str]:
    raw: dict[str, list[int]] = tomllib.loads(OPCODES.read_text(encoding="utf-8"))
    return {code: kind for kind, codes in raw.items() for code in codes}


def instructions(code: bytes) -> list[Instruction]:
    """The instructions of a `.text` section, padding left out, each with its loop depth."""
    words = [
        struct.unpack_from("<QQ", code, at) for at in range(0, len(code) - INSTRUCTION_BYTES + 1, INSTRUCTION_BYTES)
    ]
    loops = _loops(words)
    return [
        Instruction(low & OPCODE_MASK, low, high, sum(head <= at <= end for head, end in loops))
        for at, (low, high) in enumerate(words)
        if low & OPCODE_MASK != NOP
    ]


def _loops(words: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """First and last instruction of each loop: where a branch leads back to, up to the last branch that does."""
    last: dict[int, int] = {}
    for at, (low, high) in enumerate(words):
        if low & OPCODE_MASK != BRANCH:
            continue
        target = at + 1 + branch_offset(low, high)
        if 0 <= target < at:
            last[target] = at
    return sorted(last.items())


def branch_offset(low: int, high: int) -> int:
    """How many instructions after the next one a branch leads to; negative: back."""
    quarters = ((high & 0x3FFFF) << 38) | (low >> 34 << 8) | (low >> 16 & 0xFF)
    return (quarters - (1 << 56) if quarters >> 55 else quarters) * 4 // INSTRUCTION_BYTES


def features(code: bytes) -> dict[str, float]:
    """Counts and sums over one kernel's machine code.

    `mix_<kind>` is the share of that kind of instruction, `weighted_...` counts an instruction 16 times for each loop
    around it, `wide_accesses` are loads and stores of 16 bytes.
    """
    found = instructions(code)
    kinds = _kinds()
    total = sum(one.weight for one in found) or 1.0
    mix = {f"mix_{kind}": 0.0 for kind in (*dict.fromkeys(kinds.values()), OTHER)}
    for one in found:
        mix[f"mix_{kinds.get(one.opcode, OTHER)}"] += one.weight / total
    memory = [one for one in found if kinds.get(one.opcode) in ("global", "shared", "local")]
    return {
        "instructions": float(len(found)),
        "weighted_instructions": sum(one.weight for one in found),
        "loop_depth": float(max((one.depth for one in found), default=0)),
        "stall_cycles": float(sum(one.control & 15 for one in found)),
        "weighted_stall_cycles": sum((one.control & 15) * one.weight for one in found),
        "barrier_waits": float(sum((one.control >> 11 & 63).bit_count() for one in found)),
        "register_reuse": float(sum((one.control >> 17 & 15).bit_count() for one in found)),
        "wide_accesses": float(sum(one.high >> 9 & 7 == WIDE_ACCESS for one in memory)),
        "local_accesses": float(sum(kinds.get(one.opcode) == "local" for one in found)),
        **{name: round(share, 6) for name, share in mix.items()},
    }
