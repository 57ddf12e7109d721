"""The patch that makes an application use its tuned headers: an include after each kernel, launches through functions."""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from r3c.core.config import NamesConfig
from r3c.core.errors import EmitError
from r3c.core.source import Edit, Source, Span
from r3c.emit.header import Header
from r3c.tree.expressions import Launch, Name
from r3c.tree.file import File, Function
from r3c.tree.lexer import Token
from r3c.tree.parse import parse

_DEFAULT_NAMES = NamesConfig()
_NO_END = "\\ No newline at end of file\n"
# What may follow a definition on its last line so that the include goes below that line.
_REST_OF_LINE = re.compile(r"[ \t;]*(//[^\n]*[^\n\\])?\r?(?=\n|\Z)")


@dataclass(frozen=True)
class Change:
    """One file before and after, by its path relative to the application; `before` is None for a new file."""

    path: PurePosixPath
    before: Source | None
    after: Source


@dataclass(frozen=True)
class PatchedApp:
    """The application's files with tuned headers in use.

    Attributes:
        changes: files with includes or launches changed, then the new headers.
        used: headers that at least one launch now goes through.
        left: launches that were left as they are, and headers that nothing uses, with the reason.
    """

    changes: tuple[Change, ...]
    used: tuple[Header, ...]
    left: tuple[str, ...] = ()


def use_headers(
    files: Mapping[PurePosixPath, Source],
    headers: Mapping[PurePosixPath, Sequence[Header]],
    names: NamesConfig = _DEFAULT_NAMES,
) -> PatchedApp:
    """The CUDA files of an application with includes after the kernels' definitions and launches through the headers.

    Args:
        files: every CUDA file, by its path relative to the application.
        headers: tuned headers by the file that defines their kernel; each header is to lie beside that file.
    """
    trees = {path: parse(source, names) for path, source in files.items()}
    edits: dict[PurePosixPath, list[Edit]] = {path: [] for path in files}
    used: list[Header] = []
    left: list[str] = []
    for home, several in headers.items():
        visible = {path: _seen_from(path, home, trees) for path in files}
        for header in several:
            found, notes = _launches_of(header, home, trees, visible)
            left += notes
            kernel = trees[home].kernel(header.kernel)
            if kernel is None or not any(found.values()):
                left.append(f"{home}: kernel {header.kernel} keeps its launches: none could go through the header")
                continue
            used.append(header)
            edits[home].append(_include(files[home], kernel, header))
            for path, launches in found.items():
                edits[path] += [edit for launch in launches for edit in _launch_edits(launch, header)]
    changes = [Change(path, files[path], files[path].apply(own)) for path, own in edits.items() if own]
    for home, several in headers.items():
        new = [(home.with_name(header.file_name), header.text) for header in several if header in used]
        changes += [Change(path, None, Source(str(path), text)) for path, text in new]
    return PatchedApp(tuple(changes), tuple(used), tuple(left))


def _seen_from(path: PurePosixPath, home: PurePosixPath, trees: Mapping[PurePosixPath, File]) -> int | None:
    """Offset in `path` after which what `home` defines is visible; None where `path` does not include it."""
    if path == home:
        return 0
    waiting, done = [(include.name, path, include.span.end) for include in trees[path].includes], {path}
    while waiting:
        name, includer, offset = waiting.pop(0)
        target = _resolve(name, includer, trees)
        if target == home:
            return offset
        if target is not None and target not in done:
            done.add(target)
            waiting += [(include.name, target, offset) for include in trees[target].includes]
    return None


def _resolve(name: str, includer: PurePosixPath, trees: Mapping[PurePosixPath, File]) -> PurePosixPath | None:
    """The file an include names: beside the includer, else the only one whose path ends so."""
    beside = PurePosixPath(posixpath.normpath(includer.parent / name))
    if beside in trees:
        return beside
    tail = [part for part in PurePosixPath(name).parts if part != ".."]
    ending = [path for path in trees if list(path.parts[-len(tail) :]) == tail]
    return ending[0] if len(ending) == 1 else None


def _launches_of(
    header: Header,
    home: PurePosixPath,
    trees: Mapping[PurePosixPath, File],
    visible: Mapping[PurePosixPath, int | None],
) -> tuple[dict[PurePosixPath, list[Launch]], list[str]]:
    """Launches to change, by file, and notes on those that stay."""
    found: dict[PurePosixPath, list[Launch]] = {}
    notes: list[str] = []
    for path, tree in trees.items():
        kernel = tree.kernel(header.kernel)
        if kernel is not None and path != home:
            continue  # a kernel of its own with this name
        start = kernel.end if kernel is not None else visible[path]
        found[path] = []
        for launch in tree.launches:
            if not _launches(launch, header.kernel):
                continue
            why = _obstacle(launch, start, tree, header.kernel)
            if why:
                notes.append(f"{path}:{tree.source.line_column(launch.start)[0]}: this launch stays as it is: {why}")
            else:
                found[path].append(launch)
        notes += _in_macros(path, tree, header.kernel)
    return found, notes


def _obstacle(launch: Launch, start: int | None, tree: File, kernel: str) -> str:
    if start is None:
        return f"the file does not include the definition of {kernel}"
    if launch.start < start:
        return f"it stands before the definition of {kernel}"
    if re.search(rf"\busing\s+[\w:]+::{kernel}\s*;", tree.source.text):
        return f"{kernel} is known here by a using-declaration"
    if not 2 <= len(launch.config) <= 4:
        return "its launch configuration was not understood"
    return ""


def _in_macros(path: PurePosixPath, tree: File, kernel: str) -> Iterator[str]:
    for define in tree.defines:
        if re.search(rf"\b{kernel}\s*(<[^<>]*>)?\s*<<<", define.value):
            line, _ = tree.source.line_column(define.span.start)
            yield f"{path}:{line}: launches by macro {define.name} stay as they are"


def _launches(launch: Launch, kernel: str) -> bool:
    return isinstance(launch.callee, Name) and launch.callee.identifier == kernel


def _include(source: Source, kernel: Function, header: Header) -> Edit:
    """The include on a line of its own: below the line on which the kernel ends, or at once where more follows there."""
    newline = "\r\n" if "\r\n" in source.text else "\n"
    line = f'#include "{header.file_name}"'
    rest = _REST_OF_LINE.match(source.text, kernel.end)
    if rest is None:
        at = kernel.end
        return Edit(Span(at, at), f"{newline}{line}{newline}", f"the tuned {header.kernel}")
    at = rest.end() - rest[0].endswith("\r")
    return Edit(Span(at, at), f"{newline}{line}", f"the tuned {header.kernel}")


def _launch_edits(launch: Launch, header: Header) -> Iterator[Edit]:
    """`k<T><<<g, b>>>(a)` becomes `r3c_launch_k<T>(g, b, 0, 0, a)`; the texts between keep their form."""
    callee = launch.callee
    assert isinstance(callee, Name)
    name = [token for token in callee.children if isinstance(token, Token) and token.kind == "ID"][-1]
    reason = f"{header.kernel} through its launch function"
    yield Edit(Span(name.start, name.end), header.launcher, reason)
    tokens = [child for child in launch.children if isinstance(child, Token)]
    opener = next(t for t in tokens if t.kind == "LAUNCH_OPEN")
    closer = next(t for t in tokens if t.kind == "LAUNCH_CLOSE")
    arguments = next(t for t in tokens if t.kind == "LPAR")
    missing = ", 0" * (4 - len(launch.config))
    comma = ", " if launch.args else ""
    yield Edit(Span(opener.start, opener.end), "(", reason)
    yield Edit(Span(closer.start, closer.end), missing + comma, reason)
    yield Edit(Span(arguments.start, arguments.end), "", reason)


def file_of(changes: Iterable[Change]) -> str:
    """Unified diff that `git apply` and `patch -p1` take; latin-1 text, as in `Source`."""
    return "".join(line for change in changes for line in _diff(change))


def _diff(change: Change) -> Iterator[str]:
    before = _lines(change.before.text) if change.before is not None else []
    after = _lines(change.after.text)
    name = str(change.path)
    if re.search(r'[\n\t"\\]', name):
        raise EmitError(f"{name!r}: a patch cannot name this file", hint="rename it")
    end = "\t" if " " in name else ""  # where the name ends, for a name with spaces
    old = f"a/{name}{end}" if change.before is not None else "/dev/null"
    yield f"diff --git a/{name} b/{name}\n"
    if change.before is None:
        yield "new file mode 100644\n"
    for line in difflib.unified_diff(before, after, old, f"b/{name}{end}"):
        yield line if line.endswith("\n") else line + "\n" + _NO_END


def _lines(text: str) -> list[str]:
    """Lines with their ends; only `\\n` ends one, as in patch."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
