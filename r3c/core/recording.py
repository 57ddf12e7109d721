"""A recorded launch as plain values; the same form for every device, with a JSON text form."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any

SCHEMA = 1


@dataclass(frozen=True)
class Argument:
    """One kernel argument inside the packed buffer: `offset_bytes`, `size_bytes`, and the name where it is known."""

    offset_bytes: int
    size_bytes: int
    name: str = ""


@dataclass(frozen=True)
class Extent:
    """A run of bytes of an allocation held by one content-hashed chunk."""

    offset_bytes: int
    size_bytes: int
    chunk: str


@dataclass(frozen=True)
class Allocation:
    """Device memory the launch could reach.

    `prologue` covers all of it; `epilogue` lists only the ranges the launch changed.
    """

    address: int
    size_bytes: int
    prologue: tuple[Extent, ...]
    epilogue: tuple[Extent, ...] = ()
    kind: str = "device"


@dataclass(frozen=True)
class GlobalSymbol:
    """A `__device__` or `__constant__` variable of the module, restored by name."""

    name: str
    size_bytes: int
    prologue: tuple[Extent, ...]
    epilogue: tuple[Extent, ...] = ()


@dataclass(frozen=True)
class Recording:
    """One launch of one kernel.

    Attributes:
        kernel: name in the source.
        symbol: name in the module (mangled, or the host entry of the CPU device).
        device: `cpu` or `cuda`; a recording replays only on its own kind.
        device_name: what the device calls itself.
        grid, block: launch geometry in blocks and in threads a block, x y z.
        shared_bytes: dynamic shared memory.
        arguments: layout of `packed`.
        packed: the argument buffer as hex digits.
        module: chunk holding the compiled module that was launched (a cubin), empty where there is none.
        attributes: function and launch attributes to set again (names of the driver API, lower case).
        occurrences: how many launches of the run looked like this one (same geometry and scalar arguments).
        duration_us: device time of the launch in the recorded run, 0 where it was not measured.
        withheld: kept back from the search and shown to finalists only.
    """

    kernel: str
    symbol: str
    device: str
    device_name: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    arguments: tuple[Argument, ...]
    packed: str
    allocations: tuple[Allocation, ...]
    globals: tuple[GlobalSymbol, ...] = ()
    module: str = ""
    attributes: dict[str, int] = field(default_factory=dict)
    occurrences: int = 1
    duration_us: float = 0.0
    withheld: bool = False
    schema: int = SCHEMA

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @property
    def digest(self) -> str:
        """SHA-256 of the JSON form: equal recordings have equal digests."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    @property
    def content_digest(self) -> str:
        """As `digest`, without what differs from one recorded run to the next: times."""
        return replace(self, duration_us=0.0).digest

    @property
    def heap_bytes(self) -> int:
        return sum(a.size_bytes for a in self.allocations)


def recording_from_json(text: str) -> Recording:
    """The recording in `text`; a KeyError or ValueError means that it is not one of this schema."""
    raw: dict[str, Any] = json.loads(text)
    if raw.get("schema") != SCHEMA:
        raise ValueError(f"recording schema {raw.get('schema')!r}, this r3c reads {SCHEMA}")
    raw["grid"], raw["block"] = tuple(raw["grid"]), tuple(raw["block"])
    raw["arguments"] = tuple(Argument(**a) for a in raw["arguments"])
    raw["allocations"] = tuple(Allocation(**_with_extents(a)) for a in raw["allocations"])
    raw["globals"] = tuple(GlobalSymbol(**_with_extents(g)) for g in raw["globals"])
    return Recording(**raw)


def _with_extents(raw: dict[str, Any]) -> dict[str, Any]:
    return {
        **raw,
        "prologue": tuple(Extent(**e) for e in raw["prologue"]),
        "epilogue": tuple(Extent(**e) for e in raw["epilogue"]),
    }
