"""Which launches a tuned kernel is for: recorded geometry and scalar arguments in, C++ conditions out."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from r3c.core.candidate import AXES
from r3c.core.contract import Contract
from r3c.core.launch import Shape
from r3c.core.recording import Recording

# Scalar types by their text without const, volatile and signedness order: the struct code that reads them.
_SCALARS = {
    "bool": "?", "char": "b", "signed char": "b", "unsigned char": "B", "short": "h", "unsigned short": "H",
    "int": "i", "unsigned": "I", "unsigned int": "I", "long": "q", "unsigned long": "Q", "long long": "q",
    "unsigned long long": "Q", "size_t": "Q", "std::size_t": "Q", "ptrdiff_t": "q", "int8_t": "b", "uint8_t": "B",
    "int16_t": "h", "uint16_t": "H", "int32_t": "i", "uint32_t": "I", "int64_t": "q", "uint64_t": "Q",
    "float": "f", "double": "d",
}  # fmt: skip


@dataclass(frozen=True)
class Signature:
    """Launches that look like recorded ones; None and an empty tuple mean: whatever it is.

    Attributes:
        block: threads a block.
        grid: blocks.
        shared_bytes: dynamic shared memory.
        scalars: parameter names and the C++ literals they must equal.
    """

    block: Shape
    grid: Shape | None = None
    shared_bytes: int | None = None
    scalars: tuple[tuple[str, str], ...] = ()

    def condition(self) -> str:
        """The C++ condition over the parameters of the launch function."""
        parts = [_equals("r3c_block", self.block)]
        if self.grid is not None:
            parts.append(_equals("r3c_grid", self.grid))
        if self.shared_bytes is not None:
            parts.append(f"r3c_shared == {self.shared_bytes}")
        parts += [f"{name} == {literal}" for name, literal in self.scalars]
        return " && ".join(parts)

    def __str__(self) -> str:
        words = [f"blocks of {_times(self.block)} threads"]
        if self.grid is not None:
            words.append(f"a grid of {_times(self.grid)} blocks")
        if self.shared_bytes is not None:
            words.append(f"{self.shared_bytes} bytes of dynamic shared memory")
        words += [f"{name} = {literal}" for name, literal in self.scalars]
        return ", ".join(words)


@dataclass(frozen=True)
class Guard:
    """One more thing that must hold: a C++ condition over the kernel's parameters, and why."""

    condition: str
    reason: str


def signatures_of(recordings: Iterable[Recording], contract: Contract, any_size: bool) -> tuple[Signature, ...]:
    """What the recorded launches allow a tuned kernel to be used for, without repeats.

    Args:
        any_size: every step is proven legal whatever the sizes: any launch with a recorded block shape counts.
            Otherwise only launches with recorded grid, shared memory and scalar arguments do.
    """
    found: dict[Signature, None] = {}
    for recording in recordings:
        if any_size:
            found[Signature(recording.block)] = None
            continue
        scalars = tuple(_scalars(recording, contract))
        found[Signature(recording.block, recording.grid, recording.shared_bytes, scalars)] = None
    return tuple(found)


def _scalars(recording: Recording, contract: Contract) -> Iterator[tuple[str, str]]:
    packed = bytes.fromhex(recording.packed)
    for argument, (name, type_text) in zip(recording.arguments, contract.parameters, strict=False):
        words = [word for word in type_text.replace("*", " * ").split() if word not in ("const", "volatile")]
        code = _SCALARS.get(" ".join(words))
        raw = packed[argument.offset_bytes : argument.offset_bytes + argument.size_bytes]
        if code is None or not name:
            continue
        if code in "qQ" and len(raw) == 4:
            code = {"q": "i", "Q": "I"}[code]
        if struct.calcsize(code) == len(raw):
            (value,) = struct.unpack(f"<{code}", raw)
            yield name, _literal(value, code)


def _literal(value: float | bool, code: str) -> str:
    if code == "?":
        return "true" if value else "false"
    if code in "fd":
        if not math.isfinite(value):
            return "(0.0 / 0.0)" if math.isnan(value) else ("" if value > 0 else "-") + "(1.0 / 0.0)"
        text = format(value, ".9g" if code == "f" else ".17g")
        text = text if any(c in text for c in ".en") else text + ".0"
        return text + ("f" if code == "f" else "")
    suffix = {"I": "u", "q": "ll", "Q": "ull"}.get(code, "")
    return f"{value}{suffix}" if value != -(2**63) else "(-9223372036854775807ll - 1)"


def _equals(name: str, shape: Shape) -> str:
    return " && ".join(f"{name}.{axis} == {size}" for axis, size in zip(AXES, shape, strict=True))


def _times(shape: Shape) -> str:
    return " x ".join(map(str, shape))
