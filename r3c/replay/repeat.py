"""Replays the original again and again and compares every byte each time: how far replays are from the application and each other."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from r3c.core.contract import Tolerance
from r3c.replay.elements import Bytes
from r3c.replay.image import Snapshot
from r3c.replay.judge import ORDERS, POISON, Judge, Kernel

_ANY = Tolerance(0.0, float("inf"))


@dataclass(frozen=True)
class Repetition:
    """`times` replays of one recording, after one more to get ready.

    Attributes:
        equal: replays that left every byte as the application did.
        compared_bytes: what was compared after each.
        differing: most elements that one replay left otherwise than the application.
        varying_bytes: bytes that are not the same after all replays.
        error: largest difference of a float from the recorded one.
        seconds: for all replays, restoring and comparing included.
        note: what else is to be known, in words.
    """

    times: int
    equal: int
    compared_bytes: int
    differing: int
    varying_bytes: int
    error: float
    seconds: float
    note: str = ""

    @property
    def per_s(self) -> float:
        return self.times / self.seconds if self.seconds > 0 else 0.0

    @property
    def reproduces(self) -> bool:
        """Whether all replays were equal, or where not, differ among themselves as well: then the kernel itself varies."""
        return self.equal == self.times or self.varying_bytes > 0

    def __str__(self) -> str:
        size = f"{self.compared_bytes / 2**20:.1f} MiB compared each time, {self.per_s:.1f} replays/s"
        if self.equal == self.times:
            return f"{self.times} of {self.times} replays equal in every byte, {size}"
        why = f"{self.varying_bytes} bytes vary between replays" if self.varying_bytes else "all replays are alike"
        return (
            f"{self.equal} of {self.times} replays equal in every byte, at most {self.differing} elements differ, "
            f"by {self.error:.3g} at most; {why}; {size}"
        )


def repeat(judge: Judge, original: Kernel, index: int, times: int) -> Repetition:
    """Replays image `index`, nothing of it poisoned.

    Raises:
        LaunchFailed: a launch ended in a fault.
    """
    arena = judge.arena
    kept, arena.images[index].poison = arena.images[index].poison, []
    if kept:
        arena.refresh(index)
    first = judge.look(
        original, index, ORDERS[0], POISON[0], _ANY
    )  # the device's copies are made before the clock starts
    snapshot = arena.snapshot(original.module, index)
    varying: dict[int, Bytes] = {}
    equal, differing, error = 0, 0, 0.0
    started = time.monotonic()
    for number in range(times):
        seen = judge.look(original, index, ORDERS[number % len(ORDERS)], POISON[0], _ANY)
        equal += seen.judged.differing == 0
        differing, error = max(differing, seen.judged.differing), max(error, seen.judged.error)
        if not seen.same_as(first):
            _note_varying(varying, snapshot, arena.snapshot(original.module, index))
    seconds = time.monotonic() - started
    arena.images[index].poison = kept
    if kept:
        arena.refresh(index)
    size = sum(len(data) for data in (*snapshot.memory, *snapshot.globals))
    return Repetition(times, equal, size, differing, sum(int(m.sum()) for m in varying.values()), error, seconds)


def _note_varying(varying: dict[int, Bytes], first: Snapshot, got: Snapshot) -> None:
    pairs = zip((*first.memory, *first.globals), (*got.memory, *got.globals), strict=True)
    for place, (then, now) in enumerate(pairs):
        if then is now or np.array_equal(then, now):
            continue
        found = (then != now).view(np.uint8)
        varying[place] = varying[place] | found if place in varying else found
