"""What differs between two arrays of bytes, as few ranges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ranges = list[tuple[int, int]]

_NEAR_BYTES = 4096
_MOST_RANGES = 512
_LINE_BYTES = 16


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
