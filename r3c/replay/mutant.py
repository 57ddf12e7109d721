"""Varied inputs: a recording with some of its floats nudged, for which the original itself gives the answer.

A candidate that only knows the recorded answers, by a constant or a cache, fails on it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from r3c.recording.changes import differing
from r3c.replay.elements import Bytes
from r3c.replay.image import Image, Snapshot, place_of
from r3c.replay.judge import ORDERS, POISON, Judge, Kernel
from r3c.replay.regions import Region

_LEAST_NUDGE = 2.0**-10
_MOST_NUDGE = 0.25
_NUDGE_TIMES_TOLERANCE = 16.0
_KEPT_ENDS = 16


def add_mutant(judge: Judge, original: Kernel, index: int) -> int | None:
    """Index of a varied copy of image `index`, answered by the original; None where inputs cannot be varied.

    That is so without a float buffer, and where the original then differs from run to run or makes values not finite.

    Raises:
        LaunchFailed: the original's launch ended in a fault.
    """
    base = judge.arena.images[index]
    before = _nudged(base, seed=index)
    if before is None or not judge.deterministic[index]:
        return None
    judge.arena.images.append(replace(base, before=before, after=before, changed=[]))
    judge.deterministic.append(True)
    mutant = len(judge.arena.images) - 1
    judge.arena.refresh(mutant)
    runs = [judge.run(original, mutant, order, POISON[0]) for order in ORDERS[:2]]
    if not runs[0].same_as(runs[1]) or _less_finite(base, runs[0]):
        judge.arena.images.pop()
        judge.deterministic.pop()
        return None
    changed = [
        (span.address + start, size)
        for span, old, new in zip(base.ranges, before.memory, runs[0].memory, strict=True)
        for start, size in differing(old, new)
    ]
    judge.arena.images[mutant] = replace(judge.arena.images[mutant], after=runs[0], changed=changed)
    return mutant


def _nudged(image: Image, seed: int) -> Snapshot | None:
    generator = np.random.default_rng(seed)
    memory = list(image.before.memory)
    touched: set[int] = set()
    for region in image.regions:
        if not region.element.is_float or region.element.size_bytes < 4:
            continue
        place = place_of(image.ranges, region.start)
        start = max(region.start, region.origin) - image.ranges[place].address
        count = (region.stop - max(region.start, region.origin)) // region.element.size_bytes
        if count <= 2 * _KEPT_ENDS:
            continue
        if place not in touched:
            touched.add(place)
            memory[place] = memory[place].copy()
        _nudge(memory[place][start : start + count * region.element.size_bytes], region, generator)
    return Snapshot(memory, image.before.globals) if touched else None


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


def _less_finite(base: Image, got: Snapshot) -> bool:
    return any(
        np.any(np.isfinite(_floats(base, base.after, region)) & ~np.isfinite(_floats(base, got, region)))
        for region in base.regions
        if region.element.is_float
    )


def _floats(image: Image, snapshot: Snapshot, region: Region) -> NDArray[np.float64]:
    element = region.element
    place = place_of(image.ranges, region.start)
    start = max(region.start, region.origin) - image.ranges[place].address
    count = (region.stop - max(region.start, region.origin)) // element.size_bytes
    return element.values(snapshot.memory[place][start : start + count * element.size_bytes]).astype(np.float64)
