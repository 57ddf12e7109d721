"""What a launch changed, as byte ranges of two files, and where memory holds pointers into a span."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ranges = list[tuple[int, int]]

_NEAR_BYTES = 4096
_MOST_RANGES = 512
_LINE_BYTES = 16


def changed_ranges(before: Path, after: Path, piece_bytes: int) -> Ranges:
    """`(offset, size)` of what differs, rounded out to 16 bytes; no range crosses a multiple of `piece_bytes`."""
    found: Ranges = []
    size = before.stat().st_size
    for at in range(0, size, piece_bytes):
        count = min(piece_bytes, size - at)
        old = np.fromfile(before, np.uint8, count, offset=at)
        new = np.fromfile(after, np.uint8, count, offset=at)
        found += [(at + start, length) for start, length in differing(old, new)]
    return found


def differing(old: Bytes, new: Bytes) -> Ranges:
    """`(offset, size)` of where two arrays of `n` bytes differ: few ranges, the unchanged bytes between near ones included."""
    size = len(old)
    if np.array_equal(old, new):
        return []
    lines = _differing_lines(old, new)
    near = _NEAR_BYTES
    while True:
        cuts = np.flatnonzero(np.diff(lines) > max(1, near // _LINE_BYTES))
        if len(cuts) < _MOST_RANGES:
            break
        near *= 2
    starts = lines[np.concatenate(([0], cuts + 1))] * _LINE_BYTES
    stops = np.minimum((lines[np.concatenate((cuts, [len(lines) - 1]))] + 1) * _LINE_BYTES, size)
    return [(int(start), int(stop - start)) for start, stop in zip(starts, stops, strict=True)]


def _differing_lines(old: Bytes, new: Bytes) -> NDArray[np.int64]:
    """Indices of the 16-byte lines that differ."""
    whole = len(old) // _LINE_BYTES * _LINE_BYTES
    unequal = old[:whole].view(np.uint64) != new[:whole].view(np.uint64)
    lines = np.flatnonzero(unequal[0::2] | unequal[1::2])
    if np.array_equal(old[whole:], new[whole:]):
        return lines
    return np.append(lines, whole // _LINE_BYTES)


def words_within(data: bytes | Path, spans: Mapping[str, tuple[int, int]]) -> str:
    """Name of a span, given as `(address, size)`, at least one, that an aligned 8-byte word of `data` points into."""
    low = np.uint64(min(address for address, _ in spans.values()))
    high = np.uint64(max(address + size for address, size in spans.values()))
    for every in _words(data):
        words = every[(every >= low) & (every < high)]
        for name, (address, size) in spans.items():
            if len(words) and bool(np.any((words >= np.uint64(address)) & (words < np.uint64(address + size)))):
                return name
    return ""


def _words(data: bytes | Path) -> Iterator[NDArray[np.uint64]]:
    if isinstance(data, bytes):
        yield np.frombuffer(data, np.uint64, len(data) // 8)
        return
    count = data.stat().st_size // 8
    step = 1 << 20
    for at in range(0, count, step):
        yield np.fromfile(data, np.uint64, min(step, count - at), offset=at * 8)
