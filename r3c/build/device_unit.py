"""The device part of a translation unit, cut out for a compiler that knows no host code: NVRTC.

What stays is the kernel and what it refers to, by name and transitively, in place: every preprocessor line keeps its
line number. Headers of the application are cut in the same way; of the others only those that NVRTC can read are left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from r3c.build.chunks import Chunk, Chunks, cut_up
from r3c.build.includes import Inclusion, inclusions
from r3c.core.compile import CompileCommand
from r3c.core.errors import BuildError
from r3c.core.source import Edit, Source, Span

MOST_BYTES = 4_000_000  # of the files of one unit; a larger one is a library's, not an application's
PRELUDE = "r3c_prelude.h"
_INCLUDE = re.compile(r"#\s*include\b")
_DEVICE_MACRO_WORDS = frozenset(("__device__", "__global__", "__constant__"))
# Headers of the toolkit that NVRTC reads; runtime and driver interfaces are built in or of no use to a kernel.
# Each is left where a word that stays gives away that it is used: some take seconds to read.
_READABLE = (
    (re.compile(r"cooperative_groups(\.h$|/)"), re.compile(r"cooperative_groups$")),
    (re.compile(r"cuda_fp16\.h(pp)?$"), re.compile(r".*half|__h(?!ost)|h(exp|log|sqrt|rcp|sin|cos)")),
    (re.compile(r"cuda_bf16\.h(pp)?$"), re.compile(r".*(bfloat|bf16)")),
    (re.compile(r"cuda_fp[468]\.h(pp)?$"), re.compile(r"__nv_fp|.*fp[468]")),
    (re.compile(r"cuda_(pipeline|awbarrier)(_primitives)?\.h$"), re.compile(r".*(pipeline|awbarrier)|nvcuda$")),
    (re.compile(r"mma\.h$"), re.compile(r"nvcuda$|wmma$")),
    (re.compile(r"curand\w*\.h$"), re.compile(r"curand|CURAND")),
    (re.compile(r"math_constants\.h$"), re.compile(r"CUDART_")),
    (re.compile(r"cub/"), re.compile(r"cub$")),
    (re.compile(r"cuda/|nv/"), re.compile(r"cuda$|nv$")),
)
_PRELUDE_FILE = Path(__file__).parent / "native" / "nvrtc_prelude.h"


@dataclass(frozen=True)
class DeviceUnit:
    """`text` includes the files of `headers`, which are in memory only: name and text."""

    text: str
    headers: dict[str, str]

    @property
    def needs_toolkit(self) -> bool:
        """Whether it reads headers of the CUDA toolkit."""
        return any(re.search(r"#\s*include\s*<", text) for text in (self.text, *self.headers.values()))


def device_unit(command: CompileCommand, source: Source, kernel: str) -> DeviceUnit:
    """The device part of the unit of `command` that `kernel` needs, with `source` in place of the file of its path.

    Raises:
        BuildError: it cannot be cut; why.
    """
    main = Path(command.file or source.path)
    files = _Files(command, source, main)
    needed, words = _needed(files, kernel)
    readable = tuple(header for header, word in _READABLE if any(map(word.match, words)))
    names = {path: f"r3c_{number}_{path.name}" for number, path in enumerate(files.cut) if path != main.resolve()}
    texts = {path: _text(chunks, needed, files.into[path], names, readable) for path, chunks in files.cut.items()}
    own_types = any(header.match("cuda/std/cstdint") for header in readable) or "cooperative_groups" in words
    head = "#define R3C_OWN_TYPES\n" if own_types else ""
    head += f'#include "{PRELUDE}"\n#line 1 "{main.name}"\n'
    headers = {names[path]: text for path, text in texts.items() if path in names}
    return DeviceUnit(head + texts[main.resolve()], {PRELUDE: _prelude(), **headers})


class _Files:
    """The files of the unit, cut up; `into` has what each of them includes."""

    def __init__(self, command: CompileCommand, source: Source, main: Path) -> None:
        self.cut: dict[Path, Chunks] = {}
        self.into: dict[Path, list[Inclusion]] = {}
        include_paths = [Path(path) for path in command.include_paths if not _is_toolkit(Path(path))]
        replaced = Path(source.path).resolve() if command.file else main.resolve()
        waiting = [main.resolve(), *(Path(path).resolve() for path in command.include_files)]
        size = 0
        while waiting:
            path = waiting.pop(0)
            if path in self.cut:
                continue
            file = source if path == replaced else _read(path)
            size += len(file.text)
            if size > MOST_BYTES:
                raise BuildError(f"the files it includes hold more than {MOST_BYTES // 1_000_000} MB")
            self.cut[path] = cut_up(file) if file is source else _cut_up(file)
            self.into[path] = list(inclusions(file, path.parent, include_paths))
            waiting += [one.path for one in self.into[path]]
        if replaced not in self.cut:
            raise BuildError(f"{replaced.name} is not among the files that the unit includes")


@lru_cache(maxsize=1)
def _prelude() -> str:
    return _PRELUDE_FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=256)
def _cut_up(source: Source) -> Chunks:
    return cut_up(source)


def _read(path: Path) -> Source:
    try:
        return Source.read(path)
    except OSError as error:
        raise BuildError(f"{path} cannot be read: {error.strerror}") from None


def _is_toolkit(folder: Path) -> bool:
    return (folder / "cuda_runtime.h").is_file() or str(folder).startswith("/usr/include")


def _needed(files: _Files, kernel: str) -> tuple[set[int], set[str]]:
    """Identities of the chunks that stay, all that `kernel` names and what those name; and every word in them."""
    chunks = [chunk for one in files.cut.values() for chunk in one.chunks]
    macros: dict[str, frozenset[str]] = {}
    for one in files.cut.values():
        for name, body in one.macros.items():
            macros[name] = macros.get(name, frozenset()) | body
    device_macros = frozenset(name for name, body in macros.items() if body & _DEVICE_MACRO_WORDS)
    by_name: dict[str, list[Chunk]] = {}
    kept: set[int] = set()
    waiting: list[str] = [kernel]
    opened: set[str] = {"std", "cooperative_groups", "nvcuda", "cuda"}
    for chunk in chunks:
        if chunk.kind == "scope":
            kept.add(id(chunk))
            opened |= chunk.uses
        elif chunk.may_be_device(device_macros):
            for name in chunk.declares:
                by_name.setdefault(name, []).append(chunk)
                if name.startswith("operator") and chunk.kind == "function":
                    waiting.append(name)
    if not any(chunk.kind == "function" for chunk in by_name.get(kernel, ())):
        raise BuildError(f"kernel {kernel} is not at namespace scope of the unit's files")
    known = set(waiting)
    for chunk in chunks:
        if chunk.kind == "using" and chunk.declares <= opened:
            kept.add(id(chunk))
            known |= chunk.declares
    while waiting:
        name = waiting.pop()
        words: set[str] = set(macros.get(name, ()))
        for chunk in by_name.get(name, ()):
            if id(chunk) not in kept:
                kept.add(id(chunk))
                words |= chunk.uses
        waiting += words - known
        known |= words
    return kept, known


def _text(
    chunks: Chunks,
    needed: set[int],
    into: list[Inclusion],
    names: dict[Path, str],
    readable: tuple[re.Pattern[str], ...],
) -> str:
    """The file with everything else taken out; lines stay where they are."""
    own = {one.span.start: one.path for one in into}
    edits = list(_dropped(chunks, needed))
    for line in chunks.lines:
        if _INCLUDE.match(line.text):
            path = next((own[at] for at in own if line.start <= at < line.end), None)
            edits.append(Edit(Span(line.start, line.end), _include(line.text, path, names, readable)))
    return chunks.source.apply(edits).text


def _dropped(chunks: Chunks, needed: set[int]) -> Iterator[Edit]:
    text = chunks.source.text
    for chunk in chunks.chunks:
        if id(chunk) not in needed:
            for start, end in chunk.pieces:
                yield Edit(Span(start, end), "\n" * text.count("\n", start, end))


def _include(line: str, path: Path | None, names: dict[Path, str], readable: tuple[re.Pattern[str], ...]) -> str:
    if path is not None:
        return f'#include "{names[path]}"' if path in names else ""
    found = re.search(r'[<"]([^>"]+)[>"]', line)
    return f"#include <{found[1]}>" if found and any(one.match(found[1]) for one in readable) else ""
