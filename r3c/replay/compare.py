"""Compares memory after a replay with the recorded epilogue, each buffer with its own tolerance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from r3c.core.contract import Tolerance
from r3c.core.result import Mismatch
from r3c.replay.elements import Bytes, ElementType

Indices = NDArray[np.int64]
_PIECE_BYTES = 32 << 20


@dataclass(frozen=True)
class Difference:
    """What one buffer's comparison found.

    Attributes:
        mismatch: the first element that is wrong, with how many are; None where all are right.
        differing: elements whose bytes are not the recorded ones, right or wrong.
        error: largest `|got - expected|` among those that are within tolerance.
    """

    mismatch: Mismatch | None = None
    differing: int = 0
    error: float = 0.0


@dataclass(frozen=True)
class View:
    """How to read the bytes being compared.

    Attributes:
        buffer: name for messages.
        element: type of the elements.
        tolerance: allowed where the original changed something.
        lead_bytes: bytes before the first whole element; they compare exactly.
        first: index of the first whole element.
        changed: `(offset, size)` of what the original changed, sorted; bytes elsewhere must be the recorded ones.
    """

    buffer: str
    element: ElementType
    tolerance: Tolerance
    lead_bytes: int
    first: int
    changed: Sequence[tuple[int, int]]


def compare(view: View, expected: Bytes, got: Bytes) -> Difference:
    """`expected` and `got` have the same length. NaN matches only NaN, and an infinity only itself."""
    if np.array_equal(expected, got):
        return Difference()
    size = view.element.size_bytes
    wrong_count, differing_count, error = 0, 0, 0.0
    first_wrong: int | None = None
    step = _PIECE_BYTES // size * size
    bounds = [0, *range(view.lead_bytes, len(expected), step), len(expected)]
    for start, stop in pairwise(bounds):
        whole = 0 if start < view.lead_bytes else (stop - start) // size * size
        for at, end, width in ((start, start + whole, size), (start + whole, stop, 1)):
            differing = _differing(expected[at:end], got[at:end], width)
            if not len(differing):
                continue
            bad, worst = _judge(view, expected[at:end], got[at:end], differing, at, width)
            differing_count += len(differing)
            error = max(error, worst)
            wrong_count += len(bad)
            if len(bad) and first_wrong is None:
                first_wrong = at + int(bad[0]) * width
    if first_wrong is None:
        return Difference(None, differing_count, error)
    mismatch = mismatch_at(view, expected, lambda start, stop: got[start:stop], first_wrong, wrong_count)
    return Difference(mismatch, differing_count, error)


def within(expected: NDArray[np.generic], got: NDArray[np.generic], tolerance: Tolerance) -> NDArray[np.bool_]:
    """Elementwise `|got - expected| <= atol + rtol * |expected|`; NaN matches only NaN, an infinity only itself."""
    e, g = expected.astype(np.float64), got.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(g - e) <= tolerance.atol + tolerance.rtol * np.abs(e)
    finite = np.isfinite(e) & np.isfinite(g)
    same: NDArray[np.bool_] = (finite & near) | (e == g) | (np.isnan(e) & np.isnan(g))
    return same


def _differing(expected: Bytes, got: Bytes, width: int) -> Indices:
    """Indices of the elements of `width` bytes whose bytes differ."""
    if not len(expected) or np.array_equal(expected, got):
        return np.empty(0, np.int64)
    if width == 1:
        return np.flatnonzero(expected != got)
    unequal = (expected != got).reshape(-1, width).any(axis=1)
    return np.flatnonzero(unequal)


def _judge(
    view: View, expected: Bytes, got: Bytes, differing: Indices, offset: int, width: int
) -> tuple[Indices, float]:
    """Those of `differing` that are wrong, and the largest error of the others."""
    if view.tolerance.exact or width != view.element.size_bytes:
        return differing, 0.0
    allowed = differing[_touched(differing * width + offset, width, view.changed)]
    e = view.element.values(expected.reshape(-1, width)[allowed].reshape(-1))
    g = view.element.values(got.reshape(-1, width)[allowed].reshape(-1))
    right = within(e, g, view.tolerance)
    with np.errstate(invalid="ignore", over="ignore"):
        errors = np.abs(g[right].astype(np.float64) - e[right].astype(np.float64))
    errors = errors[np.isfinite(errors)]
    bad = np.setdiff1d(differing, allowed[right], assume_unique=True)
    return bad, float(errors.max()) if len(errors) else 0.0


def _touched(offsets: Indices, width: int, changed: Sequence[tuple[int, int]]) -> NDArray[np.bool_]:
    """Whether each element at `offsets` overlaps one of the ranges."""
    if not changed:
        return np.zeros(len(offsets), np.bool_)
    starts = np.array([start for start, _ in changed], np.int64)
    stops = np.array([start + size for start, size in changed], np.int64)
    before = np.searchsorted(starts, offsets + width - 1, side="right") - 1
    found: NDArray[np.bool_] = (before >= 0) & (stops[np.maximum(before, 0)] > offsets)
    return found


def mismatch_at(view: View, expected: Bytes, got: Callable[[int, int], Bytes], at: int, count: int) -> Mismatch:
    """What is wrong at offset `at`, the first of `count`; `got` gives the bytes from one offset to another."""
    size = view.element.size_bytes
    index, within_bytes = divmod(at - view.lead_bytes, size)
    start = at - within_bytes
    if start < 0 or start + size > len(expected):
        return Mismatch(view.buffer, view.first + index, f"byte {expected[at]}", f"byte {got(at, at + 1)[0]}", count)
    both = (expected[start : start + size], got(start, start + size))
    texts = (view.element.text(both[0]), view.element.text(both[1]))
    if texts[0] == texts[1]:
        texts = (f"{texts[0]} (0x{_hex(both[0])})", f"{texts[1]} (0x{_hex(both[1])})")
    return Mismatch(view.buffer, view.first + index, *texts, count)


def _hex(data: Bytes) -> str:
    return data[::-1].tobytes().hex()
