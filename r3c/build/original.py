"""From a recorded kernel back to what was compiled: its file, its compile command, and the binary of the original."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from r3c import plugins
from r3c.build.cache import BuildCache
from r3c.build.includes import IncludeGraph, include_graph
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
    """The file with the kernel in it, and how the application compiles it.

    Attributes:
        source: the compiled file itself, or a header that it includes.
        includers: for a header, the files that include it, directly or not.
    """

    source: Source
    command: CompileCommand
    includers: tuple[str, ...] = ()

    def request(self, source: Source, kernel: str, symbol: str, options: Spec, architecture: str = "") -> BuildRequest:
        """What to build where `source` stands in place of the unit's own."""
        if not self.includers:
            return BuildRequest(source, kernel, symbol, self.command, options, architecture)
        header = Source(self.source.path, source.text)
        return BuildRequest(header, kernel, symbol, self.command, options, architecture, includers=self.includers)


def unit_of(
    commands: Sequence[CompileCommand], kernel: str, names: NamesConfig | None = None, root: Path | None = None
) -> CompiledUnit:
    """The compiled file that holds `kernel`, or else the header under `root` that does and a file that includes it.

    Raises:
        AppError: none does, or a file is gone; the message lists the files.
    """
    names = names or NamesConfig()
    try:
        for path, command, graph in source_files(commands, root):
            source = Source.read(path)
            if any(function.name == kernel for function in parse(source, names).kernels):
                return CompiledUnit(source, command, tuple(map(str, graph.includers(path))))
    except OSError as error:
        raise AppError(f"the source of kernel {kernel} cannot be read: {error}") from None
    files = ", ".join(dict.fromkeys(Path(command.file).name for command in commands)) or "none"
    raise AppError(f"no compiled file holds kernel {kernel}; compiled were: {files}")


def source_files(
    commands: Sequence[CompileCommand], root: Path | None = None
) -> Iterator[tuple[Path, CompileCommand, IncludeGraph]]:
    """Compiled files first, then the headers under `root` that they include and that hold kernels, each once."""
    graphs = [(command, include_graph(command, root)) for command in commands]
    seen: set[Path] = set()
    for command, graph in graphs:
        if graph.main not in seen:
            seen.add(graph.main)
            yield graph.main, command, graph
    for command, graph in graphs:
        for path in graph.headers:
            if path not in seen and b"__global__" in path.read_bytes():
                seen.add(path)
                yield path, command, graph


def build_binary(
    unit: CompiledUnit,
    source: Source,
    recording: Recording,
    device: Device,
    folder: Path,
    options: Spec | None = None,
    cache: BuildCache | None = None,
) -> Binary:
    """`source`, in place of the unit's own, built for the launch of `recording`, or taken from the `cache`.

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
    request = unit.request(source, recording.kernel, recording.symbol, options, architecture)
    return (cache or BuildCache()).build(toolchain, request, folder)


def original_binary(
    unit: CompiledUnit | None, recording: Recording, store: RecordingStore, device: Device, folder: Path
) -> Binary:
    """The recorded module where there is one, which needs no source; else the unmodified source, built.

    Raises:
        AppError: there is neither.
        BuildError: the source does not compile.
    """
    if not recording.module:
        if unit is None:
            raise AppError(f"neither the module nor the source of kernel {recording.kernel} is known")
        return build_binary(unit, unit.source, recording, device, folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{recording.module[:16]}.cubin"
    path.write_bytes(store.get_chunk(recording.module))
    return Binary(str(path), recording.symbol, recording.module, "recorded")
