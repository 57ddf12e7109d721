"""Runs kernels on restored memory and says whether they computed what the original did."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from r3c.core.contract import Role, Tolerance
from r3c.core.launch import LaunchGeometry, LaunchPlan
from r3c.core.result import Mismatch, Verdict
from r3c.devices.base import Launch, Module
from r3c.replay.arena import Arena
from r3c.replay.compare import Difference
from r3c.replay.elements import Bytes
from r3c.replay.image import Ranges, Snapshot, element_ranges, place_of
from r3c.replay.regions import Region

ORDERS = ("ascending", "descending", "random:1")
POISON = (0xFF, 0x7B)
_ANY = Tolerance(0.0, float("inf"))
_SECOND_LOOKS = 20  # runs of the original before a candidate is called nondeterministic for rounding

AS_RECORDED = LaunchPlan()

Beat = Callable[[str], None]


@dataclass(frozen=True)
class Kernel:
    """What is run: a loaded module, the kernel's name in it, and what its candidate did to the launch."""

    module: Module
    symbol: str
    plan: LaunchPlan = AS_RECORDED
    label: str = "candidate"


@dataclass(frozen=True)
class Judgement:
    """`mismatch` is the first wrong element; `agrees` whether all runs left the same bytes; `error` the largest one allowed."""

    mismatch: Mismatch | None
    agrees: bool
    differing: int = 0
    error: float = 0.0


@dataclass(frozen=True)
class Seen:
    """What one run left: how it compares with the recording, and a mark that is equal for runs that left the same."""

    judge: Callable[[], Judgement]
    mark: object

    @cached_property
    def judged(self) -> Judgement:
        return self.judge()

    def same_as(self, other: Seen) -> bool:
        if isinstance(self.mark, Snapshot) and isinstance(other.mark, Snapshot):
            return self.mark.same_as(other.mark)
        return self.mark == other.mark


@dataclass(frozen=True)
class Reproduction:
    """How well the original reproduces one recording.

    Attributes:
        exact: every byte equal in every run.
        deterministic: all runs left the same bytes.
        mismatch: what was outside the tolerance, if anything.
        error: largest absolute difference of a float from the recorded one, tolerated or not.
        poison: `(address, size)` of what may be spoilt before each run.
        notes: weaknesses found, in words.
    """

    exact: bool
    deterministic: bool
    mismatch: Mismatch | None
    error: float
    poison: Ranges
    notes: tuple[str, ...]


class Judge:
    """`deterministic` holds, for each image, whether the original leaves the same bytes every time."""

    def __init__(self, arena: Arena, beat: Beat) -> None:
        self.arena = arena
        self.beat = beat
        self.deterministic = [True] * len(arena.images)
        self.original: Kernel | None = None  # set once it is loaded

    def run(self, kernel: Kernel, index: int, order: str, poison: int) -> Snapshot:
        """Memory after one launch of `kernel` on image `index`.

        Raises:
            LaunchFailed: the device refused the launch, or it ended in a fault.
        """
        self.launch(kernel, index, order, poison)
        return self.arena.snapshot(kernel.module, index)

    def look(self, kernel: Kernel, index: int, order: str, poison: int, tolerant: Tolerance | None = None) -> Seen:
        """As `run`, compared where the memory lies if the device can do that, else read back.

        Raises:
            LaunchFailed: the device refused the launch, or it ended in a fault.
        """
        self.launch(kernel, index, order, poison)
        found = self.arena.compare_on_device(kernel.module, index, tolerant)
        if found is None:
            got = self.arena.snapshot(kernel.module, index)
            return Seen(lambda: self.compare(index, got, tolerant), got)
        differences, mark = found
        return Seen(lambda: _summed(differences), mark)

    def launch(self, kernel: Kernel, index: int, order: str, poison: int) -> None:
        """Restores memory and launches.

        Raises:
            LaunchFailed: the device refused the launch, or it ended in a fault.
        """
        launch = self.launch_of(kernel, index)
        self.arena.prepare(index, poison)
        self.arena.put_globals(kernel.module, index)
        self.arena.session.set_order(order)
        self.beat(f"run {kernel.label}")
        self.arena.session.launch(launch)
        self.beat("compare")

    def launch_of(self, kernel: Kernel, index: int) -> Launch:
        """The recorded launch of image `index` with `kernel` and the geometry of its plan."""
        r = self.arena.images[index].recording
        shape = kernel.plan.apply(LaunchGeometry(r.grid, r.block, r.shared_bytes))
        packed = bytes.fromhex(r.packed)
        return Launch(kernel.module, kernel.symbol, shape.grid, shape.block, shape.shared_bytes, packed, r.attributes)

    def compare(self, index: int, got: Snapshot, tolerant: Tolerance | None = None) -> Judgement:
        """One run against the recording; `tolerant` replaces the tolerance of all float buffers."""
        return _summed(self.arena.images[index].differences(got, tolerant))

    def verify(self, kernel: Kernel, indices: Iterable[int]) -> tuple[Verdict | None, Judgement]:
        """Every image in three thread orders, images by turns; None stands for right.

        The verdict is NONDETERMINISTIC where runs disagree though the original's do not, else WRONG.
        """
        left = list(indices)
        firsts: dict[int, Seen] = {}
        worst = Judgement(None, True)
        for order in ORDERS:
            for index in left:
                seen = self.look(kernel, index, order, POISON[0])
                if index not in firsts:
                    firsts[index] = seen
                    worst = replace(worst, error=max(worst.error, seen.judged.error))
                    continue
                if seen.same_as(firsts[index]):
                    continue
                judged, earlier = seen.judged, firsts[index].judged
                within = judged.mismatch is None and earlier.mismatch is None
                if self.deterministic[index] and not (within and self._original_varies(index)):
                    return Verdict.NONDETERMINISTIC, replace(
                        judged, mismatch=earlier.mismatch or judged.mismatch, agrees=False
                    )
                if judged.mismatch and not earlier.mismatch:
                    return Verdict.WRONG, judged
            left = self._worth_repeating(left, firsts)
        wrong = [seen.judged for seen in firsts.values() if seen.judged.mismatch]
        return (Verdict.WRONG, wrong[0]) if wrong else (None, worst)

    def _original_varies(self, index: int) -> bool:
        """Whether the original, run more often than at the gate, leaves other bytes too: sums of atomics may."""
        if self.original is None:
            return False
        first = self.look(self.original, index, ORDERS[0], POISON[0])
        for _ in range(_SECOND_LOOKS):
            if not self.look(self.original, index, ORDERS[0], POISON[0]).same_as(first):
                self.deterministic[index] = False
                return True
        return False

    @staticmethod
    def _worth_repeating(left: list[int], firsts: dict[int, Seen]) -> list[int]:
        """Once something is wrong, only that is run again, to tell wrong from nondeterministic."""
        wrong = [index for index in left if firsts[index].judged.mismatch]
        return wrong[:1] or left

    def verify_once(self, kernel: Kernel, indices: Iterable[int], poison: int) -> Judgement:
        """Each image once; the first that is wrong, if any."""
        for index in indices:
            judged = self.look(kernel, index, ORDERS[0], poison).judged
            if judged.mismatch:
                return judged
        return Judgement(None, True)

    # --- the original itself -------------------------------------------------------------------------------------

    def reproduce(self, original: Kernel, index: int, runs: int) -> Reproduction:
        """Replays the original `runs` times and finds what may be poisoned for its candidates."""
        image = self.arena.images[index]
        promised, image.poison = image.poison, []
        self.arena.refresh(index)
        snapshots = [self.run(original, index, ORDERS[k % len(ORDERS)], POISON[0]) for k in range(runs)]
        judged = [self.compare(index, got) for got in snapshots]
        error = max(self.compare(index, got, _ANY).error for got in snapshots)
        deterministic = all(got.same_as(snapshots[0]) for got in snapshots)
        self.deterministic[index] = deterministic
        wrong = next((j.mismatch for j in judged if j.mismatch), None)
        exact = not any(j.differing for j in judged)
        notes: list[str] = []
        if wrong is None and any(region.role is Role.OUT for region in image.regions):
            image.poison, note = self._poisonable(original, index, promised)
            notes += [note] if note else []
        self.arena.refresh(index)
        return Reproduction(exact, deterministic, wrong, error, image.poison, (*notes, *self._weaknesses(index)))

    def _poisonable(self, original: Kernel, index: int, promised: Ranges) -> tuple[Ranges, str]:
        """All that the original writes in its `out` buffers, whatever was there before; else what it changed; else nothing."""
        written = self._written(original, index)
        if written is not None:
            return written, ""
        image = self.arena.images[index]
        image.poison = promised
        self.arena.refresh(index)
        judged = [self.compare(index, self.run(original, index, ORDERS[0], poison)) for poison in POISON]
        wrong = next((j.mismatch for j in judged if j.mismatch), None)
        if wrong is None:
            return promised, ""
        return [], f"declared out, but what was in it before matters, so it is not poisoned: {wrong}"

    def _written(self, original: Kernel, index: int) -> Ranges | None:
        """Elements of `out` buffers that no poison survives in; None where the original needs what was there."""
        image = self.arena.images[index]
        outs = [region for region in image.regions if region.role is Role.OUT]
        image.poison = [(max(r.start, r.origin), r.stop - max(r.start, r.origin)) for r in outs]
        self.arena.refresh(index)
        runs = [(poison, self.run(original, index, ORDERS[0], poison)) for poison in POISON]
        found: Ranges = []
        for region in outs:
            place = place_of(self.arena.ranges, region.start)
            base = self.arena.ranges[place].address
            cut = slice(region.start - base, region.stop - base)
            written = np.zeros(region.size_bytes, np.uint8)
            for poison, got in runs:
                written |= (got.memory[place][cut] != poison).view(np.uint8)
            written[: max(0, region.origin - region.start)] = 0
            found += element_ranges(region, written)
        image.poison = sorted(found)
        mended = [self._mend(index, outs, got) for _, got in runs]
        return image.poison if not any(self.compare(index, got).mismatch for got in mended) else None

    def _mend(self, index: int, outs: list[Region], got: Snapshot) -> Snapshot:
        """`got` with what was never written in `outs` as it was before the launch."""
        image = self.arena.images[index]
        memory: list[Bytes] = list(got.memory)
        for region in outs:
            place = place_of(self.arena.ranges, region.start)
            base = self.arena.ranges[place].address
            mended = memory[place].copy()
            mended[region.start - base : region.stop - base] = image.before.memory[place][
                region.start - base : region.stop - base
            ]
            for address, size in image.poison:
                if region.start <= address < region.stop:
                    cut = slice(address - base, address - base + size)
                    mended[cut] = got.memory[place][cut]
            memory[place] = mended
        return Snapshot(memory, got.globals)

    def _weaknesses(self, index: int) -> list[str]:
        image = self.arena.images[index]
        if image.before.same_as(image.after):
            return ["the launch changes no memory, so it proves nothing about a candidate"]
        return []


def _summed(differences: Iterable[Difference]) -> Judgement:
    """One judgement on all buffers; the first that is wrong is named."""
    first: Mismatch | None = None
    wrong, differing, error = 0, 0, 0.0
    for found in differences:
        differing += found.differing
        error = max(error, found.error)
        if found.mismatch:
            wrong += found.mismatch.count
            first = first or found.mismatch
    return Judgement(replace(first, count=wrong) if first else None, True, differing, error)
