"""What the original writes right outside its buffers. Nothing was recorded there, so what its own replay leaves counts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from r3c.recording.changes import differing
from r3c.replay.image import Image, place_of
from r3c.replay.judge import ORDERS, POISON, Judge, Kernel
from r3c.replay.regions import OUTSIDE, Region

NEAR_BYTES = 4096
Pieces = list[tuple[int, bytes]]


def written_outside(judge: Judge, original: Kernel, index: int) -> Pieces:
    """`(address, bytes)` of what one launch on image `index` changes within 4096 bytes of its buffers, outside them all.

    Raises:
        LaunchFailed: the launch ended in a fault.
    """
    image, found = judge.arena.images[index], []
    spans = list(_near(image))
    if not spans:
        return []
    judge.launch(original, index, ORDERS[0], POISON[0])
    for start, stop in spans:
        got = judge.arena.read_at(start, stop - start)
        place = place_of(image.ranges, start)
        base = image.ranges[place].address
        before = image.before.memory[place][start - base : stop - base]
        for at, size in differing(before, got):
            found.append((start + at, got[at : at + size].tobytes()))
    return found


def expect_outside(image: Image, pieces: Pieces) -> None:
    """Takes what the original writes outside its buffers for recorded. Call it before the image is compared on a device."""
    for address, data in pieces:
        place = place_of(image.ranges, address)
        memory, start = image.after.memory, address - image.ranges[place].address
        if memory[place] is image.before.memory[place]:
            memory[place] = memory[place].copy()
        memory[place][start : start + len(data)] = np.frombuffer(data, np.uint8)
    image.changed = sorted([*image.changed, *((address, len(data)) for address, data in pieces)])


def note_on(image: Image, pieces: Pieces) -> str:
    """For people; empty where nothing is written outside."""
    if not pieces:
        return ""
    count = 0
    for address, data in pieces:
        place = place_of(image.ranges, address)
        start = address - image.ranges[place].address
        count += int(
            np.count_nonzero(image.before.memory[place][start : start + len(data)] != np.frombuffer(data, "u1"))
        )
    return (
        f"the original writes {count} bytes outside its buffers, {_where(image, pieces[0][0])}: "
        "an error in the application, which candidates must repeat"
    )


def _near(image: Image) -> Iterator[tuple[int, int]]:
    for region in image.regions:
        if region.buffer != OUTSIDE:
            continue
        if region.size_bytes <= 2 * NEAR_BYTES:
            yield region.start, region.stop
        else:
            yield region.start, region.start + NEAR_BYTES
            yield region.stop - NEAR_BYTES, region.stop


def _where(image: Image, address: int) -> str:
    """The nearest buffer, by the distance from its end or its start."""

    def distance(region: Region) -> int:
        return min(abs(address - region.stop), abs(region.start - address))

    nearest = min((r for r in image.regions if r.buffer != OUTSIDE), key=distance)
    return f"{'behind the end' if address >= nearest.stop else 'before the start'} of {nearest.buffer}"
