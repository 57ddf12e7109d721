"""A recording laid out over the replayed address ranges: memory before, memory after, and what to poison."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from r3c.core.contract import Contract, Role, Tolerance
from r3c.core.recording import Extent, Recording
from r3c.devices.base import AddressRange
from r3c.replay.compare import Difference, View, compare
from r3c.replay.elements import BYTE, Bytes
from r3c.replay.regions import OUTSIDE, Region, regions_of
from r3c.resources import processors

Ranges = list[tuple[int, int]]
Chunk = Callable[[str], bytes]

_FILLER = 0xDB
_ALONE_BYTES = 8 << 20  # less is read faster by one thread
_NEAR_BYTES = 65536
_MOST_POISON_RANGES = 65536


@dataclass(frozen=True)
class Snapshot:
    """Memory at one moment: one array for each mapped range, one for each global."""

    memory: list[Bytes]
    globals: list[Bytes]

    def same_as(self, other: Snapshot) -> bool:
        pairs = zip((*self.memory, *self.globals), (*other.memory, *other.globals), strict=True)
        return all(a is b or np.array_equal(a, b) for a, b in pairs)


@dataclass
class Image:
    """One recording over `ranges`; bytes no allocation of it covers hold a filler and must keep it.

    `changed` lists `(address, size)` of what the original changed, few and rounded out; `poison` what is spoilt before
    each run because the original certainly overwrites it.
    """

    recording: Recording
    ranges: list[AddressRange]
    regions: list[Region]
    before: Snapshot
    after: Snapshot
    changed: Ranges
    poison: Ranges = field(default_factory=list)

    def poisoned(self, byte: int) -> list[Bytes]:
        """The memory before the launch with every byte to poison set to `byte`."""
        arrays = list(self.before.memory)
        touched: set[int] = set()
        for address, size in self.poison:
            index = place_of(self.ranges, address)
            if index not in touched:
                touched.add(index)
                arrays[index] = arrays[index].copy()
            start = address - self.ranges[index].address
            arrays[index][start : start + size] = byte
        return arrays

    def differences(self, got: Snapshot, tolerant: Tolerance | None = None) -> Iterable[Difference]:
        """Of each buffer that is not byte for byte as recorded; `tolerant` replaces the tolerance of all float buffers."""
        for index in range(len(self.ranges)):
            if self.after.memory[index] is got.memory[index]:
                continue
            for cut, view in self.views(index, tolerant):
                expected, now = self.after.memory[index][cut], got.memory[index][cut]
                if not np.array_equal(expected, now):
                    yield compare(view, expected, now)
        yield from self.global_differences(got.globals)

    def global_differences(self, got: Sequence[Bytes]) -> Iterable[Difference]:
        for symbol, expected, now in zip(self.recording.globals, self.after.globals, got, strict=True):
            found = compare(View(f"global {symbol.name}", BYTE, Tolerance(), 0, 0, ()), expected, now)
            if found.differing:
                yield found

    def views(self, place: int, tolerant: Tolerance | None = None) -> Iterable[tuple[slice, View]]:
        """Each buffer in mapped range `place`: where it lies there, and how it is read and compared."""
        span = self.ranges[place]
        allowed = joined([*self.changed, *self.poison], 0)
        for region in self.regions:
            if span.address <= region.start < span.address + span.size_bytes:
                cut = slice(region.start - span.address, region.stop - span.address)
                yield cut, _view(region, allowed, tolerant)

    def as_before(self, place: int) -> bool:
        """Whether the original leaves range `place` as it was and nothing in it is poisoned."""
        span = self.ranges[place]
        poisoned = any(span.address <= address < span.address + span.size_bytes for address, _ in self.poison)
        return not poisoned and self.after.memory[place] is self.before.memory[place]

    def dirty(self) -> Ranges:
        """Few `(address, size)`, none across mapped ranges, that hold all the original writes and all that is poisoned."""
        found: Ranges = []
        touched = [*self.changed, *self.poison]
        for span in self.ranges:
            inside = [r for r in touched if span.address <= r[0] < span.address + span.size_bytes]
            found += joined(inside, _NEAR_BYTES)
        return found

    def changed_elements(self, role: Role | None = None) -> Ranges:
        """`(address, size)` of the elements that the original changed, in buffers of `role` or in all, exact and joined."""
        found: Ranges = []
        for index, span in enumerate(self.ranges):
            for region in self.regions:
                if role in (None, region.role) and span.address <= region.start < span.address + span.size_bytes:
                    found += self._changed_in(region, index)
        return found

    def _changed_in(self, region: Region, place: int) -> Ranges:
        inside = [(a, a + n) for a, n in self.changed if a < region.stop and a + n > region.start]
        if not inside:
            return []
        base, marked = self.ranges[place].address, np.zeros(region.size_bytes, np.uint8)
        for start, stop in inside:
            low, high = max(start, region.start), min(stop, region.stop)
            old, new = (memory[place][low - base : high - base] for memory in (self.before.memory, self.after.memory))
            marked[low - region.start : high - region.start] = old != new
        return element_ranges(region, marked)


def element_ranges(region: Region, marked: Bytes) -> Ranges:
    """`(address, size)` of the whole elements of `region` with a marked byte, joined, at most 65536 (the longest)."""
    size = region.element.size_bytes
    lead = (region.origin - region.start) % size
    whole = (len(marked) - lead) // size
    if whole <= 0:
        return []
    hit = np.flatnonzero(marked[lead : lead + whole * size].view(f"u{size}"))
    if not len(hit):
        return []
    cuts = np.flatnonzero(np.diff(hit) > 1)
    first = hit[np.concatenate(([0], cuts + 1))]
    last = hit[np.concatenate((cuts, [len(hit) - 1]))]
    base = region.start + lead
    runs = [(base + int(a) * size, (int(b) - int(a) + 1) * size) for a, b in zip(first, last, strict=True)]
    if len(runs) > _MOST_POISON_RANGES:
        runs = sorted(sorted(runs, key=lambda r: -r[1])[:_MOST_POISON_RANGES])
    return runs


def joined(ranges: Ranges, near_bytes: int) -> Ranges:
    """Sorted and without overlap; those at most `near_bytes` apart become one."""
    out: Ranges = []
    for start, size in sorted(ranges):
        if out and start <= out[-1][0] + out[-1][1] + near_bytes:
            out[-1] = (out[-1][0], max(out[-1][1], start + size - out[-1][0]))
        else:
            out.append((start, size))
    return out


def _view(region: Region, changed: Ranges, tolerant: Tolerance | None) -> View:
    size = region.element.size_bytes
    lead = (region.origin - region.start) % size
    first = (region.start + lead - region.origin) // size
    inside = [(a - region.start, n) for a, n in changed if a < region.stop and a + n > region.start]
    tolerance = tolerant if tolerant is not None and region.element.is_float else region.tolerance
    return View(region.buffer, region.element, tolerance, lead, first, inside)


def union(recordings: Iterable[Recording], guard_bytes: int = 0, page_bytes: int = 1) -> list[AddressRange]:
    """The address ranges that all `recordings` need, overlapping ones joined, ordered.

    Each allocation gets up to `guard_bytes` on both sides, within the pages of `page_bytes` in which it lies anyway:
    they are compared too.
    """
    spans: Ranges = []
    for allocation in (a for r in recordings for a in r.allocations):
        start, stop = allocation.address, allocation.address + allocation.size_bytes
        before, behind = min(guard_bytes, start % page_bytes), min(guard_bytes, -stop % page_bytes)
        spans.append((start - before, before + allocation.size_bytes + behind))
    return [AddressRange(start, size) for start, size in joined(spans, -1)]


def place_of(ranges: list[AddressRange], address: int) -> int:
    """Index of the range that holds `address`."""
    return bisect_right(ranges, address, key=lambda r: r.address) - 1


def build_image(
    recording: Recording,
    ranges: list[AddressRange],
    contract: Contract,
    chunk: Chunk,
    shared: dict[object, Bytes] | None = None,
) -> Image:
    """Reads all chunks of `recording`; what the original changed in `out` buffers is poisoned.

    Ranges that are alike in several recordings are one array when those are built with the same `shared`.
    """
    shared = {} if shared is None else shared
    before = [_range_before(span, recording, ranges, chunk, shared) for span in ranges]
    after: list[Bytes] = list(before)
    changed: Ranges = []
    for allocation in recording.allocations:
        changed += [(allocation.address + e.offset_bytes, e.size_bytes) for e in allocation.epilogue]
    for allocation in recording.allocations:
        if not allocation.epilogue:
            continue
        index = place_of(ranges, allocation.address)
        if after[index] is before[index]:
            after[index] = before[index].copy()
        _put(after[index], allocation.address - ranges[index].address, allocation.epilogue, chunk)
    symbols = [_global(g.size_bytes, g.prologue, g.epilogue, chunk) for g in recording.globals]
    image = Image(
        recording,
        ranges,
        name_indirect(regions_of(recording, ranges, contract), ranges, before),
        Snapshot(before, [b for b, _ in symbols]),
        Snapshot(after, [a for _, a in symbols]),
        sorted(changed),
    )
    image.poison = image.changed_elements(Role.OUT)
    return image


def _range_before(
    span: AddressRange, recording: Recording, ranges: list[AddressRange], chunk: Chunk, shared: dict[object, Bytes]
) -> Bytes:
    inside = [a for a in recording.allocations if ranges[place_of(ranges, a.address)] == span]
    key = (span, tuple((a.address, a.prologue) for a in inside))
    if key not in shared:
        memory = shared[key] = np.empty(span.size_bytes, np.uint8)
        end = 0
        for allocation in sorted(inside, key=lambda a: a.address):
            start = allocation.address - span.address
            memory[end:start] = _FILLER
            _put(memory, start, allocation.prologue, chunk)
            end = max(end, start + allocation.size_bytes)
        memory[end:] = _FILLER
    return shared[key]


def name_indirect(regions: list[Region], ranges: list[AddressRange], memory: list[Bytes]) -> list[Region]:
    """Memory no argument points to is named after the first buffer that holds a pointer into it."""
    named: list[Region] = []
    for region in regions:
        if region.indirect:
            holders = (r for r in regions if r.buffer != OUTSIDE and not r.indirect)
            holder = next((r for r in holders if _holds_pointer(r, region, ranges, memory)), None)
            region = replace(region, buffer=f"memory reached through {holder.buffer}") if holder else region
        named.append(region)
    return named


def _holds_pointer(holder: Region, region: Region, ranges: list[AddressRange], memory: list[Bytes]) -> bool:
    place = place_of(ranges, holder.start)
    start = holder.start + -holder.start % 8 - ranges[place].address
    stop = holder.stop - ranges[place].address
    words = memory[place][start : start + max(0, stop - start) // 8 * 8].view(np.uint64)
    return bool(np.any((words >= np.uint64(region.start)) & (words < np.uint64(region.stop))))


def _global(size: int, prologue: Sequence[Extent], epilogue: Sequence[Extent], chunk: Chunk) -> tuple[Bytes, Bytes]:
    before = np.zeros(size, np.uint8)
    _put(before, 0, prologue, chunk)
    after = before.copy()
    _put(after, 0, epilogue, chunk)
    return before, after


def _put(target: Bytes, base: int, extents: Sequence[Extent], chunk: Chunk) -> None:
    def put(extent: Extent) -> None:
        start = base + extent.offset_bytes
        target[start : start + extent.size_bytes] = np.frombuffer(chunk(extent.chunk), np.uint8)

    if sum(extent.size_bytes for extent in extents) < _ALONE_BYTES:
        for extent in extents:
            put(extent)
        return
    with ThreadPoolExecutor(processors()) as pool:
        list(pool.map(put, extents))
