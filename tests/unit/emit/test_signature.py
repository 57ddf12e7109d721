"""Conditions on launches, from recordings."""

from __future__ import annotations

import struct

from r3c.core.contract import Contract
from r3c.core.recording import Argument, Recording
from r3c.emit.signature import Signature, signatures_of

CONTRACT = Contract("k", parameters=(("p", "float *"), ("n", "int"), ("scale", "const float"), ("m", "unsigned long")))


def recorded(n: int, grid: int = 4, scale: float = 0.5) -> Recording:
    packed = struct.pack("<QifQ", 0x7F0000000000, n, scale, 2**40)
    layout = (Argument(0, 8), Argument(8, 4), Argument(12, 4), Argument(16, 8))
    return Recording("k", "k", "cpu", "cpu", (grid, 1, 1), (64, 2, 1), 128, layout, packed.hex(), ())


def test_proven_winners_are_for_every_launch_with_a_recorded_block() -> None:
    assert signatures_of([recorded(1), recorded(2, grid=9)], CONTRACT, any_size=True) == (Signature((64, 2, 1)),)


def test_other_winners_are_for_recorded_sizes_and_scalars_only() -> None:
    found = signatures_of([recorded(1), recorded(1), recorded(2)], CONTRACT, any_size=False)
    assert len(found) == 2
    assert found[0] == Signature((64, 2, 1), (4, 1, 1), 128, (("n", "1"), ("scale", "0.5f"), ("m", "1099511627776ull")))
    assert found[0].condition() == (
        "r3c_block.x == 64 && r3c_block.y == 2 && r3c_block.z == 1"
        " && r3c_grid.x == 4 && r3c_grid.y == 1 && r3c_grid.z == 1"
        " && r3c_shared == 128 && n == 1 && scale == 0.5f && m == 1099511627776ull"
    )


def test_floats_are_written_so_that_they_read_back_exactly() -> None:
    (found,) = signatures_of([recorded(1, scale=0.1)], CONTRACT, any_size=False)
    assert dict(found.scalars)["scale"] == "0.100000001f"


def test_a_nan_matches_no_launch() -> None:
    (found,) = signatures_of([recorded(1, scale=float("nan"))], CONTRACT, any_size=False)
    assert dict(found.scalars)["scale"] == "(0.0 / 0.0)"
