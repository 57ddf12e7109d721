"""Which files of the application a translation unit includes, and that unit laid out with one of them replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from r3c.core.compile import CompileCommand
from r3c.core.source import Edit, Source, Span

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?P<what>"(?P<quoted>[^"\n]+)"|<(?P<angle>[^>\n]+)>)', re.MULTILINE)


@dataclass(frozen=True)
class Inclusion:
    """One `#include` line of a file: where its name stands with its quotes, and the file it leads to."""

    span: Span
    quoted: bool
    path: Path


def resolve(name: str, quoted: bool, folder: Path, include_paths: Sequence[Path]) -> Path | None:
    """The file an include in a file of `folder` leads to, None where it is none of these folders'."""
    folders = ([folder] if quoted else []) + list(include_paths)
    return next((p.resolve() for p in (base / name for base in folders) if p.is_file()), None)


def inclusions(source: Source, folder: Path, include_paths: Sequence[Path]) -> Iterator[Inclusion]:
    """Every include of `source`, which lies in `folder`, that leads to a file known here."""
    for found in _INCLUDE.finditer(source.text):
        quoted = found["quoted"] is not None
        path = resolve(found["quoted"] or found["angle"], quoted, folder, include_paths)
        if path is not None:
            yield Inclusion(Span(*found.span("what")), quoted, path)


@dataclass(frozen=True)
class IncludeGraph:
    """The files that one unit reads: `edges` leads from each to those that it includes, the unit's own file first."""

    main: Path
    edges: Mapping[Path, tuple[Path, ...]]

    @property
    def headers(self) -> list[Path]:
        return [path for path in self.edges if path != self.main]

    def includers(self, header: Path) -> tuple[Path, ...]:
        """Every file that includes `header`, directly or not."""
        found = {header}
        while True:
            more = {path for path, into in self.edges.items() if found.intersection(into)} - found
            if not more:
                return tuple(path for path in self.edges if path in found - {header})
            found |= more


def include_graph(command: CompileCommand, root: Path | None = None) -> IncludeGraph:
    """What the file of `command` includes; only files under `root` are followed where it is given."""
    main = Path(command.file).resolve()
    include_paths = [Path(path) for path in command.include_paths]
    edges: dict[Path, tuple[Path, ...]] = {}
    waiting = [main]
    while waiting:
        path = waiting.pop(0)
        if path in edges:
            continue
        into = [one.path for one in inclusions(Source.read(path), path.parent, include_paths)]
        edges[path] = tuple(p for p in into if root is None or p.is_relative_to(root.resolve()))
        waiting += edges[path]
    return IncludeGraph(main, edges)


def lay_out(command: CompileCommand, header: Source, includers: Sequence[str], folder: Path) -> Path:
    """Writes the unit of `command` to `folder` with `header` in place of the file of that path; the unit's new file.

    Each of `includers` is copied; what it includes is named by its absolute path, or by its copy where there is one.
    """
    main = Path(command.file).resolve()
    place = folder / "included"
    place.mkdir(parents=True, exist_ok=True)
    replaced = Path(header.path).resolve()
    copies = {path: place / f"{number}-{path.name}" for number, path in enumerate([*map(Path, includers), replaced])}
    copies[main] = folder / main.with_suffix(".cu").name
    include_paths = [Path(path) for path in command.include_paths]
    for path, copy in copies.items():
        source = header if path == replaced else Source.read(path)
        edits = [
            Edit(one.span, f'"{copies.get(one.path, one.path)}"')
            for one in inclusions(source, path.parent, include_paths)
            if one.quoted or one.path in copies
        ]
        copy.write_bytes(source.apply(edits).data)
    return copies[main]
