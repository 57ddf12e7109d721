"""What the owner of a kernel declared: tolerances, buffer roles, tunable numbers, geometry."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from r3c.core.constraints import Constraint
from r3c.core.dims import Dimension


class Geometry(str, Enum):
    """Whether the launch shape may change: `cover` when any shape that covers the same indices is right."""

    FIXED = "fixed"
    COVER = "cover"


class Role(str, Enum):
    IN = "in"
    OUT = "out"
    INOUT = "inout"


@dataclass(frozen=True)
class Tolerance:
    """`|got - expected| <= atol + rtol * |expected|`; both 0 means every byte equal."""

    rtol: float = 0.0
    atol: float = 0.0

    @property
    def exact(self) -> bool:
        return self.rtol == 0.0 and self.atol == 0.0


@dataclass(frozen=True)
class BufferContract:
    """Role and tolerance of the memory one pointer argument leads to."""

    role: Role = Role.INOUT
    tolerance: Tolerance | None = None


@dataclass(frozen=True)
class Contract:
    """All that the annotations of one kernel say about results and freedom.

    `pure` names functions and macros of other files that only compute, perhaps from memory that the kernel does not write.
    `buffers` is keyed by parameter name. `parameters` holds each parameter's name and its type text, in order.
    """

    kernel: str
    tolerance: Tolerance = Tolerance()
    fast_math: bool = False
    geometry: Geometry = Geometry.FIXED
    buffers: dict[str, BufferContract] = field(default_factory=dict)
    tunables: tuple[Dimension, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    pure: frozenset[str] = frozenset()

    def tolerance_of(self, buffer: str) -> Tolerance:
        own = self.buffers.get(buffer)
        return own.tolerance if own is not None and own.tolerance is not None else self.tolerance
