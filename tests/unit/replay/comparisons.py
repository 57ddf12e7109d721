"""Buffers to compare, for the host and for devices: what one says, the other must say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from r3c.core.contract import Tolerance
from r3c.devices.base import Session
from r3c.replay.compare import Difference, View, compare
from r3c.replay.elements import Bytes, ElementType
from r3c.replay.on_device import OnDevice, Stored

CODES = ("f4", "f8", "f2", "bf16", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")
TOLERANCES = (Tolerance(), Tolerance(1e-3, 0.0), Tolerance(0.0, 1e-4), Tolerance(1e-6, 1e-30), Tolerance(0.0, 2.0))


@dataclass(frozen=True)
class Case:
    view: View
    expected: Bytes
    got: Bytes


def special(code: str, generator: np.random.Generator, count: int) -> tuple[Bytes, Bytes]:
    """Elements of every kind of value, beside the same, a near one, or any other."""
    size = ElementType(code).size_bytes
    if not ElementType(code).is_float:
        expected = generator.integers(0, 256, count * size, np.uint8)
        got = expected.copy()
        for at in generator.integers(0, count, count // 4):
            got[at * size] ^= np.uint8(generator.integers(0, 3))
        return expected, got
    dtype = {"f2": "<f2", "f4": "<f4", "f8": "<f8", "bf16": "<f4"}[code]
    kind = np.dtype(dtype)
    smallest = np.finfo(kind).smallest_subnormal
    values = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, smallest, -smallest, 3 * smallest, np.finfo(kind).max,
                       np.finfo(kind).tiny, 1.0, -2.5, 1e-4, 3.14159], kind)  # fmt: skip
    first = np.where(generator.random(count) < 0.5, values[generator.integers(0, len(values), count)],
                     generator.standard_normal(count).astype(kind))  # fmt: skip
    with np.errstate(all="ignore"):
        near = first * kind.type(1.0005) + kind.type(3e-5)
    chosen = generator.integers(0, 4, count)
    other = values[generator.integers(0, len(values), count)]
    second = np.where(chosen < 2, first, np.where(chosen == 2, near.astype(kind), other)).astype(kind)
    return _bytes(first.astype(kind), code), _bytes(second, code)


def _bytes(values: np.ndarray, code: str) -> Bytes:
    if code == "bf16":
        return (np.ascontiguousarray(values).view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)
    return np.ascontiguousarray(values).view(np.uint8).copy()


def cases(seed: int = 0) -> list[Case]:
    """Every element type and tolerance, with bytes before the first whole element and after the last."""
    generator = np.random.default_rng(seed)
    found = []
    for code in CODES:
        element = ElementType(code)
        for number, tolerance in enumerate(TOLERANCES):
            lead = number % element.size_bytes
            expected, got = special(code, generator, 301)
            extra = generator.integers(0, 256, lead + number, np.uint8)
            expected, got = (np.concatenate((extra[:lead], part, extra[lead:])) for part in (expected, got))
            if number == 3:
                got[-1] ^= 1
            if number == 4 and lead:
                got[0] ^= 255
            changed = [(0, len(got))] if number % 2 else [(5, 300), (500, 77), (900, 4)]
            found.append(Case(View(f"{code}-{number}", element, tolerance, lead, 10, changed), expected, got))
    return found


def check(one: Case, session: Session, comparer: OnDevice, address: int, store: int, shift: int = 0) -> Difference:
    """Asserts that device and host say the same of `one`, stored masked `shift` bytes from where its masks begin."""
    count = len(one.got)
    key = comparer.new_key()
    whole = np.concatenate((np.zeros(shift, np.uint8), one.expected))
    session.write(address, one.got.tobytes())
    session.write(store, whole.tobytes())
    comparer.mask(store, len(whole), key)
    assert session.read(store, len(whole)) != whole.tobytes()

    def read(start: int, size: int) -> Bytes:
        return np.frombuffer(session.read(start, size), np.uint8)

    found = comparer.compare(one.view, address, Stored(store, key).at(shift), one.expected, read)
    assert found == (told := compare(one.view, one.expected, one.got)), (one.view, found, told)
    if shift == 0:
        same, digest = comparer.same(address, count, Stored(store, key))
        assert same == bool(np.array_equal(one.expected, one.got))
        comparer.mask(store, count, key)
        assert session.read(store, count) == one.expected.tobytes()
        assert comparer.same(address, count, Stored(address)) == (True, digest)
        assert (comparer.same(store, count, Stored(store))[1] == digest) == same
    return found
