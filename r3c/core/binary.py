"""A built candidate: where its machine code lies, and what is known about it without running it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Binary:
    """One loadable file with one kernel of interest.

    Attributes:
        path: a cubin, or a shared library for the CPU device.
        symbol: the kernel's name inside it.
        code_hash: SHA-256 over the machine code alone: equal hashes run alike.
        toolchain: text form of the toolchain spec that made it.
        features: static numbers (registers, shared_bytes, spill_bytes, instructions, ...).
        command: the command line that built it, for people.
        seconds: time the build took, 0 for a cached one.
    """

    path: str
    symbol: str
    code_hash: str
    toolchain: str
    features: dict[str, float] = field(default_factory=dict)
    command: str = ""
    seconds: float = 0.0
