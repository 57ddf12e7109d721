"""Ranges of device memory, rounded out and joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from r3c.devices.base import AddressRange


def merge(ranges: Sequence[AddressRange], alignment: int) -> Iterator[tuple[int, int]]:
    """Disjoint `[low, high)` regions that cover `ranges`, both ends rounded out to `alignment`."""
    low = high = None
    for piece in sorted(ranges, key=lambda r: r.address):
        start = piece.address // alignment * alignment
        end = -(-(piece.address + piece.size_bytes) // alignment) * alignment
        if high is None or low is None or start > high:
            if low is not None and high is not None:
                yield low, high
            low, high = start, end
        high = max(high, end)
    if low is not None and high is not None:
        yield low, high
