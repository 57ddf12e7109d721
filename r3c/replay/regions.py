"""Which buffer each byte of the replayed memory belongs to: its name, element type, role and tolerance."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.contract import Contract, Role, Tolerance
from r3c.core.recording import Recording
from r3c.devices.base import AddressRange
from r3c.replay.elements import BYTE, ElementType, element_type

EXACT = Tolerance()
OUTSIDE = "memory outside every buffer"


@dataclass(frozen=True)
class Region:
    """Bytes from `start` to `stop` (addresses) of one buffer.

    Attributes:
        buffer: the parameter's name, `memory reached through NAME`, or OUTSIDE.
        origin: address of element 0.
        element: how the bytes are read.
        tolerance: for the ranges the original changed; exact for all but floats.
        role: what the owner declared, INOUT where nothing was.
        indirect: no argument points here; it is reached through other memory.
    """

    buffer: str
    start: int
    stop: int
    origin: int
    element: ElementType = BYTE
    tolerance: Tolerance = EXACT
    role: Role = Role.INOUT
    indirect: bool = False

    @property
    def size_bytes(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True)
class _Pointer:
    address: int
    name: str
    type_text: str


def regions_of(recording: Recording, ranges: list[AddressRange], contract: Contract) -> list[Region]:
    """Regions that cover `ranges` without gap, ordered by address."""
    pointers = _pointers(recording, contract)
    found: list[Region] = []
    for allocation in sorted(recording.allocations, key=lambda a: a.address):
        start, stop = allocation.address, allocation.address + allocation.size_bytes
        inside = {p.address: p for p in reversed(pointers) if start <= p.address < stop}
        if not inside:
            found.append(Region(f"memory reached indirectly at {start:#x}", start, stop, start, indirect=True))
            continue
        cuts = sorted(inside)
        for place, address in enumerate(cuts):
            first = start if place == 0 else address
            last = cuts[place + 1] if place + 1 < len(cuts) else stop
            same = [p for p in pointers if p.address == address]
            found.append(_region(same, first, last, contract))
    return _with_gaps(found, ranges)


def _region(pointers: list[_Pointer], start: int, stop: int, contract: Contract) -> Region:
    """Several parameters may lead to one buffer: it is poisoned only if all say `out`, and named after one that writes."""
    declared = {p.name: contract.buffers[p.name] for p in pointers if p.name in contract.buffers}
    written = [p for p in pointers if p.name not in declared or declared[p.name].role is not Role.IN]
    chosen = (written or pointers)[0]
    element = element_type(chosen.type_text)
    own = declared.get(chosen.name)
    tolerance = contract.tolerance_of(chosen.name)
    if element is None or not (element.is_float or (own is not None and own.tolerance is not None)):
        tolerance = EXACT
    all_out = len(declared) == len(pointers) and all(d.role is Role.OUT for d in declared.values())
    role = Role.OUT if all_out else Role.INOUT
    return Region(chosen.name, start, stop, chosen.address, element or BYTE, tolerance, role)


def _pointers(recording: Recording, contract: Contract) -> list[_Pointer]:
    """Every word of the arguments that leads into an allocation, in the order of the parameters."""
    packed = bytes.fromhex(recording.packed)
    named = len(contract.parameters) == len(recording.arguments)
    spans = [(a.address, a.address + a.size_bytes) for a in recording.allocations]
    found: list[_Pointer] = []
    for index, argument in enumerate(recording.arguments):
        name, type_text = contract.parameters[index] if named else (argument.name, "")
        name = name or argument.name or f"argument {index}"
        for at in range(argument.offset_bytes, argument.offset_bytes + argument.size_bytes - 7, 8):
            address = int.from_bytes(packed[at : at + 8], "little")
            if not any(start <= address < stop for start, stop in spans):
                continue
            if argument.size_bytes == 8:
                found.append(_Pointer(address, name, type_text))
            else:
                found.append(_Pointer(address, f"memory reached through {name}+{at - argument.offset_bytes}", ""))
    return found


def _with_gaps(found: list[Region], ranges: list[AddressRange]) -> list[Region]:
    out: list[Region] = []
    for span in ranges:
        at, end = span.address, span.address + span.size_bytes
        for region in found:
            if region.stop <= at or region.start >= end:
                continue
            if region.start > at:
                out.append(Region(OUTSIDE, at, region.start, at))
            out.append(region)
            at = region.stop
        if at < end:
            out.append(Region(OUTSIDE, at, end, at))
    return out
