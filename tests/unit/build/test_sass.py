from __future__ import annotations

import struct

from r3c.build.sass import BRANCH, NOP, branch_offset, features, instructions

FFMA, LDG, STL = 0x223, 0x981, 0x387
# Two branches of real code: instruction 12 leads to 0xbd0, instruction 107 back to 0x260.
FORWARD, BACK = (0x800C08947, 0xFEA0003800000), (0xFFFFFFF800E81947, 0xFEC000383FFFF)


def test_branches_lead_where_a_disassembler_says() -> None:
    assert 12 + 1 + branch_offset(*FORWARD) == 0xBD0 // 16
    assert 107 + 1 + branch_offset(*BACK) == 0x260 // 16


def back(count: int) -> tuple[int, int]:
    """A branch over `count` instructions backwards, itself included."""
    quarters = -count * 4 & (1 << 56) - 1
    low = BRANCH | 0x800 | (quarters & 0xFF) << 16 | (quarters >> 8 & (1 << 30) - 1) << 34
    return low, quarters >> 38 & 0x3FFFF


def code(*words: tuple[int, int]) -> bytes:
    return b"".join(struct.pack("<QQ", low, high) for low, high in words)


def test_loops_are_found_by_branches_back_and_padding_is_left_out() -> None:
    made = code((LDG, 6 << 9), (FFMA, 0), (FFMA, 0), back(2), back(4), (STL, 0), back(1), (NOP, 0), (NOP, 0))
    found = instructions(made)
    assert [one.depth for one in found] == [0, 1, 2, 2, 1, 0, 0]  # the last branch leads to itself
    counted = features(made)
    assert counted["instructions"] == 7
    assert counted["weighted_instructions"] == 3 + 2 * 16 + 2 * 256
    assert counted["loop_depth"] == 2
    assert counted["wide_accesses"] == 1
    assert counted["local_accesses"] == 1


def test_stalls_waits_and_reuse_are_read_from_the_control_bits() -> None:
    control = 5 | 0b101 << 11 | 0b11 << 17
    counted = features(code((FFMA, control << 41)))
    assert (counted["stall_cycles"], counted["barrier_waits"], counted["register_reuse"]) == (5, 2, 2)
    assert counted["mix_fp32"] == 1


def test_no_code_has_features_too() -> None:
    assert set(features(b"").values()) == {0.0}
    assert features(code((0x1FF, 0)))["mix_other"] == 1
