"""What the replay worker and its owner say to each other: one JSON object a line.

The owner sends `{"do": ...}`; the worker answers with any number of `{"beat": what}` lines, one before each step that a
kernel can hang in, and then one `{"reply": {...}}`, `{"failed": why}` where the device refused or failed, or
`{"error": why, "hint": what}` where this recording cannot be replayed here (with `"again": true` where another process
may have more luck).
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from r3c.core.candidate import LaunchShape
from r3c.core.contract import BufferContract, Contract, Role, Tolerance
from r3c.core.errors import ReplayError
from r3c.core.launch import LaunchPlan
from r3c.core.result import Mismatch

Wire = dict[str, Any]


class NotPlacedError(ReplayError):
    """Something else of the replaying process lies where recorded memory has to be."""


def contract_to_wire(contract: Contract) -> Wire:
    """What comparing needs: tolerances, roles and parameters."""
    return {
        "kernel": contract.kernel,
        "tolerance": asdict(contract.tolerance),
        "buffers": {
            name: {"role": own.role.value, "tolerance": asdict(own.tolerance) if own.tolerance else None}
            for name, own in contract.buffers.items()
        },
        "parameters": [list(parameter) for parameter in contract.parameters],
    }


def contract_from_wire(wire: Wire) -> Contract:
    buffers = {
        name: BufferContract(Role(own["role"]), Tolerance(**own["tolerance"]) if own["tolerance"] else None)
        for name, own in wire["buffers"].items()
    }
    parameters = tuple((name, type_text) for name, type_text in wire["parameters"])
    return Contract(wire["kernel"], Tolerance(**wire["tolerance"]), buffers=buffers, parameters=parameters)


def plan_to_wire(plan: LaunchPlan) -> Wire:
    return asdict(plan)


def plan_from_wire(wire: Wire) -> LaunchPlan:
    return LaunchPlan(
        LaunchShape(**wire["block"]) if wire["block"] else None,
        _shape(wire["indices_per_thread"]),
        _shape(wire["threads_per_index"]),
        wire["extra_shared_bytes"],
    )


def _shape(values: list[int]) -> tuple[int, int, int]:
    return values[0], values[1], values[2]


def mismatch_to_wire(mismatch: Mismatch | None) -> Wire | None:
    return asdict(mismatch) if mismatch else None


def mismatch_from_wire(wire: Wire | None) -> Mismatch | None:
    return Mismatch(**wire) if wire else None
