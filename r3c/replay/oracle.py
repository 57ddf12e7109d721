"""Judges the judge: kernels that do nothing, or copy an answer found lying about, must be rejected."""

from __future__ import annotations

import numpy as np

from r3c.replay.elements import Bytes
from r3c.replay.image import Image
from r3c.replay.judge import POISON, Judge, Kernel

_NEEDLE_BYTES = 64


def weaknesses(judge: Judge, original: Kernel, index: int) -> list[str]:
    """Why image `index` would let a cheat pass, in words; empty where it would not.

    Raises:
        LaunchFailed: the original's launch ended in a fault.
    """
    image = judge.arena.images[index]
    found: list[str] = []
    judge.arena.prepare(index, POISON[0])
    judge.arena.put_globals(original.module, index)
    if judge.compare(index, judge.arena.snapshot(original.module, index)).mismatch is None:
        found.append("a kernel that does nothing would pass")
    judge.run(original, index, "ascending", POISON[0])
    judge.arena.prepare(index, POISON[1])
    needle = _longest_change(image)
    # The inputs of another recording may be this one's results: one step of an iteration after the other.
    given = any(_lies_in(needle, other.before.memory) for other in judge.arena.images) if needle is not None else True
    if needle is not None and not given and _lies_on_device(judge, needle):
        found.append("the answer lies in device memory before the launch, so a kernel that copies it would pass")
    return found


def _longest_change(image: Image) -> Bytes | None:
    """Bytes of the epilogue that cannot be met by chance: the start of the longest run that is not one value repeated."""
    best: Bytes | None = None
    for before, after in zip(image.before.memory, image.after.memory, strict=True):
        differs = np.flatnonzero(before != after)
        if not len(differs):
            continue
        first = int(differs[0])
        needle = after[first : first + _NEEDLE_BYTES]
        if len(np.unique(needle)) > 4 and (best is None or len(needle) > len(best)):
            best = needle
    return best if best is not None and len(best) >= 16 else None


def _lies_in(needle: Bytes, memory: list[Bytes]) -> bool:
    return any(needle.tobytes() in data.tobytes() for data in memory)


def _lies_on_device(judge: Judge, needle: Bytes) -> bool:
    session = judge.arena.session
    ranges = judge.arena.device_copies()
    return any(needle.tobytes() in session.read(r.address, r.size_bytes) for r in ranges)
