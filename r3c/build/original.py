"""From a recorded kernel back to what was compiled: its file, its compile command, and the binary of the original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from r3c import plugins
from r3c.build.toolchains.base import BuildRequest, Toolchain
from r3c.core.binary import Binary
from r3c.core.compile import CompileCommand
from r3c.core.config import NamesConfig
from r3c.core.errors import AppError, ConfigError
from r3c.core.recording import Recording
from r3c.core.source import Source
from r3c.core.spec import Spec
from r3c.devices.base import Device
from r3c.recording.store import RecordingStore
from r3c.tree.parse import parse


@dataclass(frozen=True)
class CompiledUnit:
    """A translation unit with the kernel in it, and how the application compiles it."""

    source: Source
    command: CompileCommand


def unit_of(commands: Sequence[CompileCommand], kernel: str, names: NamesConfig | None = None) -> CompiledUnit:
    """The compiled file that holds `kernel`.

    Raises:
        AppError: none does; the message lists the files.
    """
    for command in commands:
        source = Source.read(Path(command.file))
        if any(function.name == kernel for function in parse(source, names or NamesConfig()).kernels):
            return CompiledUnit(source, command)
    files = ", ".join(dict.fromkeys(Path(command.file).name for command in commands)) or "none"
    raise AppError(f"no compiled file holds kernel {kernel}; compiled were: {files}")


def build_binary(
    unit: CompiledUnit, source: Source, recording: Recording, device: Device, folder: Path, options: Spec | None = None
) -> Binary:
    """`source`, in place of the unit's own, built for the launch of `recording`.

    Raises:
        ConfigError: the toolchain cannot be used here.
        BuildError: it does not compile.
    """
    options = options or Spec(device.toolchain)
    toolchain: Toolchain = plugins.load("toolchain", options.name)()
    reason = toolchain.unavailable()
    if reason:
        raise ConfigError(f"toolchain {options.name} cannot be used: {reason}")
    folder.mkdir(parents=True, exist_ok=True)
    architecture = device.info().architecture
    request = BuildRequest(source, recording.kernel, recording.symbol, unit.command, options, architecture)
    return toolchain.build(request, folder)


def original_binary(
    unit: CompiledUnit, recording: Recording, store: RecordingStore, device: Device, folder: Path
) -> Binary:
    """The recorded module where there is one, else the unmodified source built by the device's toolchain.

    Raises:
        BuildError: the source does not compile.
    """
    if not recording.module:
        return build_binary(unit, unit.source, recording, device, folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{recording.module[:16]}.cubin"
    path.write_bytes(store.get_chunk(recording.module))
    return Binary(str(path), recording.symbol, recording.module, "recorded")
