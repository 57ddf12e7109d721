"""Comparison of device memory with the recorded epilogue where it lies; `compare.py` says the same on the host.

Only masked answers lie in device memory. The mask comes from a key of this process that no kernel under test is told;
what kernels of `native/compare.cu` are told, they are told after the launch that they judge.
"""

from __future__ import annotations

import secrets
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from r3c.devices.base import Launch, Module, Session
from r3c.replay.compare import Difference, View, mismatch_at
from r3c.replay.elements import Bytes, ElementType

KERNELS = ("r3c_mask", "r3c_same", "r3c_compare")
PLAIN = 0  # the key of bytes that are stored as they are
_BLOCK = 256
_MOST_BLOCKS = 1024
_WORDS_EACH = 4
_NOTHING = (1 << 64) - 1
_KINDS = {"f4": 1, "f8": 2, "f2": 3, "bf16": 4}

Digest = tuple[int, int]
Read = Callable[[int, int], Bytes]


@dataclass(frozen=True)
class Stored:
    """Bytes in device memory to compare with: masked where `key` is not PLAIN; `offset` from where the masks begin."""

    address: int
    key: int = PLAIN
    offset: int = 0

    def at(self, offset: int) -> Stored:
        return Stored(self.address + offset, self.key, self.offset + offset)


@runtime_checkable
class Comparing(Protocol):
    """A session whose device can compare."""

    def comparison_module(self) -> Module:
        """Holds all of KERNELS.

        Raises:
            DeviceError: it cannot be had here; the message says why.
        """


class OnDevice:
    """Comparisons by `modules`, which hold a kernel each of KERNELS (all may be one module)."""

    def __init__(self, session: Session, modules: dict[str, Module]) -> None:
        self._session = session
        self._modules = modules
        self._secret = secrets.randbits(63) | 1
        self._next_key = secrets.randbits(62) | 1
        self._out = session.scratch(32)
        self._ranges: tuple[int, int] = (session.scratch(16), 1)  # address, room for so many

    def new_key(self) -> int:
        self._next_key = (self._next_key + 2 * secrets.randbits(40) + 2) & _NOTHING
        return self._next_key or 1

    def mask(self, address: int, size_bytes: int, key: int) -> None:
        """Masks plain bytes, unmasks masked ones."""
        self._launch("r3c_mask", size_bytes // 8, struct.pack("<QQQ", address, size_bytes, key))

    def same(self, address: int, size_bytes: int, expected: Stored) -> tuple[bool, Digest]:
        """Whether every byte is as in `expected`, which begins where its masks do; and a digest of the bytes there now."""
        self._session.write(self._out, bytes(24))
        packed = struct.pack("<6Q", address, expected.address, size_bytes, expected.key, self._secret, self._out)
        self._launch("r3c_same", size_bytes // 8, packed)
        differing, first, second = struct.unpack("<3Q", self._session.read(self._out, 24))
        return differing == 0, (first, second)

    def compare(self, view: View, address: int, stored: Stored, expected: Bytes, read: Read) -> Difference:
        """As `compare.compare` of what lies at `address`; `expected` is what `stored` holds, here."""
        size = view.element.size_bytes
        kind = 0 if view.tolerance.exact else _kind(view.element)
        self._session.write(self._out, struct.pack("<4Q", 0, _NOTHING, 0, 0))
        packed = struct.pack(
            "<8QddIIQ", address, stored.address, stored.offset, len(expected), view.lead_bytes, stored.key,
            *self._put_ranges(view), view.tolerance.rtol, view.tolerance.atol, size, kind, self._out,
        )  # fmt: skip
        self._launch("r3c_compare", len(expected) // size, packed)
        wrong, first, differing, error = struct.unpack("<3Qd", self._session.read(self._out, 32))
        if not wrong:
            return Difference(None, differing, error)

        def read_there(start: int, stop: int) -> Bytes:
            return read(address + start, stop - start)

        return Difference(mismatch_at(view, expected, read_there, first, wrong), differing, error)

    def _put_ranges(self, view: View) -> tuple[int, int]:
        """Address and count of the ranges in which the tolerance holds."""
        address, room = self._ranges
        count = len(view.changed)
        if count > room:
            room = max(count, 2 * room)
            address = self._session.scratch(16 * room)
            self._ranges = (address, room)
        pairs = np.array([(max(start, 0), start + length) for start, length in view.changed], np.uint64)
        self._session.write(address, pairs.tobytes())
        return address, count

    def _launch(self, kernel: str, items: int, packed: bytes) -> None:
        blocks = max(1, min(_MOST_BLOCKS, items // (_BLOCK * _WORDS_EACH)))
        self._session.launch(Launch(self._modules[kernel], kernel, (blocks, 1, 1), (_BLOCK, 1, 1), 0, packed))


def _kind(element: ElementType) -> int:
    """Number of the element's type in compare.cu."""
    return _KINDS.get(element.code) or (5 if element.code[0] == "i" else 6)
