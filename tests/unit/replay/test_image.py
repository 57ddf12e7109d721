from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from r3c.core.contract import BufferContract, Contract, Role
from r3c.core.recording import Allocation, Argument, Extent, GlobalSymbol, Recording
from r3c.devices.base import AddressRange
from r3c.replay.elements import ElementType
from r3c.replay.image import build_image, element_ranges, joined, union
from r3c.replay.regions import Region

PAGE = 2 << 20


class Chunks(dict):
    def put(self, data: bytes) -> str:
        self[str(len(self))] = data
        return str(len(self) - 1)


def recording(allocations, argument: int, symbols=()) -> Recording:
    packed = argument.to_bytes(8, "little").hex()
    return Recording(
        "k", "k", "cpu", "", (1, 1, 1), (1, 1, 1), 0, (Argument(0, 8, "p"),), packed, tuple(allocations), tuple(symbols)
    )


def image_of(made: Recording, chunks: Chunks, contract: Contract = Contract("k", parameters=(("p", "float *"),))):  # noqa: B008
    return build_image(made, union([made]), contract, chunks.__getitem__)


def test_epilogue_is_laid_over_the_prologue():
    chunks = Chunks()
    before, after = bytes(range(32)), b"\xff" * 4
    made = recording(
        [Allocation(4096, 32, (Extent(0, 32, chunks.put(before)),), (Extent(8, 4, chunks.put(after)),))],
        4096,
        [GlobalSymbol("g", 2, (Extent(0, 2, chunks.put(b"ab")),), (Extent(1, 1, chunks.put(b"c")),))],
    )
    image = image_of(made, chunks)
    assert image.before.memory[0].tobytes() == before
    assert image.after.memory[0].tobytes() == before[:8] + after + before[12:]
    assert image.changed == [(4104, 4)]
    assert (image.before.globals[0].tobytes(), image.after.globals[0].tobytes()) == (b"ab", b"ac")


def test_whole_changed_elements_of_out_buffers_are_poisoned():
    chunks = Chunks()
    after = np.array([0, 1, 0, 2, 3, 0], np.float32).tobytes()
    made = recording(
        [Allocation(4096, 24, (Extent(0, 24, chunks.put(bytes(24))),), (Extent(0, 24, chunks.put(after)),))], 4096
    )
    contract = Contract("k", buffers={"p": BufferContract(Role.OUT)}, parameters=(("p", "float *"),))
    image = image_of(made, chunks, contract)
    assert image.poison == [(4100, 4), (4108, 8)]
    assert image.poisoned(0xFF)[0].tobytes() == bytes(4) + b"\xff" * 4 + bytes(4) + b"\xff" * 8 + bytes(4)
    assert image.before.memory[0].tobytes() == bytes(24)
    assert image_of(made, chunks).poison == []


def test_memory_behind_a_pointer_is_named_after_the_buffer_that_holds_it():
    chunks = Chunks()
    pointer = bytes(8) + (8192 + 4).to_bytes(8, "little")
    made = recording(
        [
            Allocation(4096, 16, (Extent(0, 16, chunks.put(pointer)),)),
            Allocation(8192, 8, (Extent(0, 8, chunks.put(bytes(8))),)),
        ],
        4096,
    )
    assert [r.buffer for r in image_of(made, chunks).regions] == ["p", "memory reached through p"]


def test_ranges_of_several_recordings_are_joined_where_they_overlap():
    one = recording([Allocation(4096, 100, ()), Allocation(9000, 10, ())], 0)
    two = recording([Allocation(4150, 100, ()), Allocation(4250, 10, ())], 0)
    assert union([one, two]) == [AddressRange(4096, 154), AddressRange(4250, 10), AddressRange(9000, 10)]


def test_guards_stay_within_the_pages_of_their_allocation():
    start, end = 10 * PAGE, 12 * PAGE
    made = recording([Allocation(start, 100, ()), Allocation(end - 10, 10, ())], 0)
    assert union([made], 4096, PAGE) == [AddressRange(start, 100 + 4096), AddressRange(end - 10 - 4096, 10 + 4096)]


ranges = st.lists(st.tuples(st.integers(0, 200), st.integers(1, 20)), max_size=12)


@given(ranges, st.integers(0, 5))
def test_joined_ranges_cover_the_same_and_do_not_touch(given_ranges, near):
    found = joined(given_ranges, near)
    covered = {b for at, size in found for b in range(at, at + size)}
    assert {b for at, size in given_ranges for b in range(at, at + size)} <= covered
    assert all(a + n + near < b for (a, n), (b, _) in pairwise(found))


@given(st.sampled_from(["u1", "bf16", "i2", "f4", "f8"]), st.integers(0, 9), st.binary(max_size=90))
def test_elements_with_a_marked_byte_are_found_whatever_their_size(code, lead, bits):
    element = ElementType(code)
    size, marked = element.size_bytes, np.frombuffer(bits, np.uint8) & 1
    region = Region("p", 1000, 1000 + len(bits), 1000 + lead, element)
    first = 1000 + lead % size
    expected = [
        (first + i * size, size)
        for i in range((len(bits) - lead % size) // size)
        if marked[lead % size + i * size : lead % size + (i + 1) * size].any()
    ]
    assert element_ranges(region, marked) == joined(expected, 0)
