"""Varied inputs: a recording with some of its values changed, for which the original itself gives the answer.

A candidate that only knows the recorded answers, by a constant or a cache, fails on one, and so does one that takes what
it finds in its output for an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from r3c.recording.changes import differing
from r3c.replay.elements import Bytes
from r3c.replay.image import Image, Snapshot, joined, place_of
from r3c.replay.judge import ORDERS, POISON, Judge, Kernel
from r3c.replay.regions import OUTSIDE, Region

NUDGED, CONTINUED = "nudged", "continued"
KINDS = (NUDGED, CONTINUED)
_LEAST_NUDGE = 2.0**-10
_MOST_NUDGE = 0.25
_NUDGE_TIMES_TOLERANCE = 16.0
_KEPT_ENDS = 16
_SWAPPED = ("i1", "u1", "i2", "u2", "i4", "u4", "i8")  # words of 8 bytes without sign may be addresses

Change = Callable[[Bytes, Region, np.random.Generator], None]


def add_mutant(judge: Judge, original: Kernel, index: int, kind: str = NUDGED) -> int | None:
    """Index of a varied copy of image `index`, answered by the original; None where inputs cannot be varied.

    `nudged`: half of the floats a little larger, or where there are none, some whole numbers in each other's place.
    `continued`: what is only read is varied so, what is written holds the launch's results as if it ran once more.
    Not possible where there is nothing to vary, and where the original then differs from run to run or makes values not
    finite.

    Raises:
        LaunchFailed: the original's launch ended in a fault.
    """
    base = judge.arena.images[index]
    before = _varied(base, seed=index, continued=kind == CONTINUED)
    if before is None or not judge.deterministic[index]:
        return None
    judge.arena.images.append(replace(base, before=before, after=before, changed=[]))
    judge.deterministic.append(True)
    mutant = len(judge.arena.images) - 1
    if kind == CONTINUED:
        judge.arena.images[mutant].poison = []
    judge.arena.refresh(mutant)
    runs = [judge.run(original, mutant, order, POISON[0]) for order in ORDERS[:2]]
    if not runs[0].same_as(runs[1]) or _less_finite(base, runs[0]) or runs[0].same_as(before):
        judge.arena.images.pop()
        judge.deterministic.pop()
        return None
    changed = [
        (span.address + start, size)
        for span, old, new in zip(base.ranges, before.memory, runs[0].memory, strict=True)
        for start, size in differing(old, new)
    ]
    # What the recorded launch changed may be written with the value it has now: rounding is allowed there too.
    judge.arena.images[mutant] = replace(
        judge.arena.images[mutant], after=runs[0], changed=joined([*changed, *base.changed, *base.poison], 0)
    )
    return mutant


def _varied(image: Image, seed: int, continued: bool) -> Snapshot | None:
    written = [region for region in image.regions if _is_written(image, region)]
    inside = [r for r in image.regions if r.buffer != OUTSIDE and not (continued and r in written)]
    start = image.after if continued else image.before
    floats = [region for region in inside if region.element.is_float and region.element.size_bytes >= 4]
    found = _changed(image, start, floats, _nudge, seed)
    if found is None:
        numbers = [
            r for r in inside if r.element.code in _SWAPPED and not r.indirect and not _holds_addresses(image, r)
        ]
        found = _changed(image, start, numbers, _swap, seed)
    return found


def _changed(image: Image, start: Snapshot, regions: list[Region], change: Change, seed: int) -> Snapshot | None:
    """`start` with `change` made to each of `regions` that is long enough; None where nothing came of it."""
    generator = np.random.default_rng(seed)
    memory = list(start.memory)
    touched: set[int] = set()
    for region in regions:
        place, cut, count = _whole_elements(image, region)
        if count <= 2 * _KEPT_ENDS:
            continue
        if place not in touched:
            touched.add(place)
            memory[place] = memory[place].copy()
        change(memory[place][cut], region, generator)
    found = Snapshot(memory, start.globals)
    return found if touched and not found.same_as(start) else None


def _whole_elements(image: Image, region: Region) -> tuple[int, slice, int]:
    """The mapped range that holds `region`, its whole elements there, and how many they are."""
    place = place_of(image.ranges, region.start)
    start = max(region.start, region.origin) - image.ranges[place].address
    count = (region.stop - max(region.start, region.origin)) // region.element.size_bytes
    return place, slice(start, start + count * region.element.size_bytes), count


def _is_written(image: Image, region: Region) -> bool:
    return any(address < region.stop and address + size > region.start for address, size in image.changed)


def _holds_addresses(image: Image, region: Region) -> bool:
    place = place_of(image.ranges, region.start)
    start = region.start + -region.start % 8 - image.ranges[place].address
    stop = region.stop - image.ranges[place].address
    words = image.before.memory[place][start : start + max(0, stop - start) // 8 * 8].view(np.uint64)
    return any(
        bool(np.any((words >= np.uint64(span.address)) & (words < np.uint64(span.address + span.size_bytes))))
        for span in image.ranges
    )


def _nudge(data: Bytes, region: Region, generator: np.random.Generator) -> None:
    """Half of the elements, none at the ends, become a little larger; the rest stay, so a spot check sees no change."""
    values = data.view(np.dtype(f"<{region.element.code}"))
    size = min(_MOST_NUDGE, max(_LEAST_NUDGE, _NUDGE_TIMES_TOLERANCE * region.tolerance.rtol))
    chosen = generator.random(len(values)) < 0.5
    chosen[:_KEPT_ENDS] = chosen[-_KEPT_ENDS:] = False
    with np.errstate(over="ignore", invalid="ignore"):
        more = values * values.dtype.type(1.0 + size)
    chosen &= np.isfinite(values) & np.isfinite(more)
    values[chosen] = more[chosen]


def _swap(data: Bytes, region: Region, generator: np.random.Generator) -> None:
    """A quarter of the elements, none at the ends, trade places: indices stay within what they were."""
    values = data.view(np.dtype(f"<{region.element.code}"))
    inner = np.arange(_KEPT_ENDS, len(values) - _KEPT_ENDS)
    chosen = generator.choice(inner, max(2, len(inner) // 4), replace=False)
    values[chosen] = values[generator.permutation(chosen)]


def _less_finite(base: Image, got: Snapshot) -> bool:
    return any(
        np.any(np.isfinite(_floats(base, base.after, region)) & ~np.isfinite(_floats(base, got, region)))
        for region in base.regions
        if region.element.is_float
    )


def _floats(image: Image, snapshot: Snapshot, region: Region) -> NDArray[np.float64]:
    place, cut, _ = _whole_elements(image, region)
    return region.element.values(snapshot.memory[place][cut]).astype(np.float64)
