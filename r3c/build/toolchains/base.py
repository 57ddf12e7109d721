"""What a toolchain offers: a candidate's source goes in, a loadable binary comes out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from r3c.build.includes import lay_out
from r3c.core.binary import Binary
from r3c.core.compile import CompileCommand
from r3c.core.contract import Contract
from r3c.core.dims import Dimension
from r3c.core.source import Source
from r3c.core.spec import Spec


@dataclass(frozen=True)
class BuildRequest:
    """One kernel of one translation unit.

    Attributes:
        source: the whole file with the kernel, rewritten or not; `path` is where the original lies.
        kernel: name in the source.
        symbol: the recorded launch's name in its module; tells instantiations of a template apart.
        command: how the application compiles this file.
        options: the toolchain's spec, e.g. `nvcc{maxrregcount=64}`.
        architecture: of the device, e.g. `sm_90`; the CPU device ignores it.
        timeout_s: after this the compiler is killed.
        includers: where `source` is a header, the files of the unit that include it, directly or not; else empty.
    """

    source: Source
    kernel: str
    symbol: str
    command: CompileCommand
    options: Spec
    architecture: str = ""
    timeout_s: float = 120.0
    includers: tuple[str, ...] = ()

    def lay_out(self, folder: Path) -> Path:
        """Writes what the compiler is to read to `folder`; the translation unit's file there."""
        if self.includers:
            return lay_out(self.command, self.source, self.includers, folder)
        path = folder / Path(self.command.file or self.source.path).with_suffix(".cu").name
        path.write_bytes(self.source.data)
        return path


class Toolchain(Protocol):
    """A plug-in of this folder; made without arguments.

    Attributes:
        name: the plug-in's name, also the name of its option spec.
    """

    name: str

    def unavailable(self) -> str:
        """Why it cannot be used here, with what to install; empty where it can."""

    def version(self) -> str:
        """Identity of the tools that make the code; part of every cache key."""

    def dimensions(self, contract: Contract, deliver: str) -> tuple[Dimension, ...]:
        """Its options as search dimensions named `<toolchain>.<option>`; numerics only where the contract allows.

        `deliver` is `source` (only what source can say), `flag` (also build flags) or `any` (also machine code).
        """

    def build(self, request: BuildRequest, folder: Path) -> Binary:
        """Compile into `folder`, which exists and is this build's own.

        Raises:
            BuildError: with the command and all of its output.
        """
