"""The patch that makes an application use its tuned headers: an include after each kernel, launches through functions."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
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


@dataclass(frozen=True)
class Change:
    """One file before and after, by its path relative to the application; `before` is None for a new file."""

    path: PurePosixPath
    before: Source | None
    after: Source


@dataclass(frozen=True)
class PatchedFile:
    """A source with its tuned headers in use, and launches that were left as they are, with the reason."""

    source: Source
    left: tuple[str, ...] = ()


def use_headers(source: Source, headers: Iterable[Header], names: NamesConfig = _DEFAULT_NAMES) -> PatchedFile:
    """`source` with an include after each kernel's definition and its launches in this file through the header.

    Raises:
        EmitError: a kernel has no launch here that could be changed.
    """
    file = parse(source, names)
    edits: list[Edit] = []
    left: list[str] = []
    for header in headers:
        kernel = file.kernel(header.kernel)
        if kernel is None:
            raise EmitError(f"{source.path}: kernel {header.kernel} is not defined here")
        edits.append(_include(source, kernel, header))
        own = [launch for launch in file.launches if _launches(launch, header.kernel)]
        after = [launch for launch in own if launch.start >= kernel.end]
        for launch in after:
            edits += _launch_edits(launch, header)
        for launch in own:
            if launch not in after:
                line, _ = source.line_column(launch.start)
                left.append(
                    f"{source.path}:{line}: this launch stands before the kernel's definition and stays as it is"
                )
        if not after:
            where = source.diagnose(kernel.name_span, f"no launch of {header.kernel} in this file could be changed")
            raise EmitError(where)
    return PatchedFile(source.apply(edits), tuple(left))


def _launches(launch: Launch, kernel: str) -> bool:
    return isinstance(launch.callee, Name) and launch.callee.identifier == kernel


def _include(source: Source, kernel: Function, header: Header) -> Edit:
    """The include on a line of its own after the line on which the kernel ends."""
    end = source.text.find("\n", kernel.end)
    at = len(source.text) if end < 0 else end
    at -= 1 if source.text[at - 1 : at] == "\r" else 0
    newline = "\r\n" if "\r\n" in source.text else "\n"
    return Edit(Span(at, at), f'{newline}#include "{header.file_name}"', f"the tuned {header.kernel}")


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
    yield Edit(Span(callee.end, opener.end), "(", reason)
    yield Edit(Span(closer.start, arguments.end), missing + comma, reason)


def file_of(changes: Iterable[Change]) -> str:
    """Unified diff that `git apply` and `patch -p1` take; latin-1 text, as in `Source`."""
    return "".join(line for change in changes for line in _diff(change))


def _diff(change: Change) -> Iterator[str]:
    before = _lines(change.before.text) if change.before is not None else []
    after = _lines(change.after.text)
    old = f"a/{change.path}" if change.before is not None else "/dev/null"
    if change.before is None:
        yield f"diff --git a/{change.path} b/{change.path}\nnew file mode 100644\n"
    for line in difflib.unified_diff(before, after, old, f"b/{change.path}"):
        yield line if line.endswith("\n") else line + "\n" + _NO_END


def _lines(text: str) -> list[str]:
    """Lines with their ends; only `\\n` ends one, as in patch."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def launch_lines(file: File, kernel: str) -> list[int]:
    """Lines on which `kernel` is launched."""
    return [file.source.line_column(launch.start)[0] for launch in file.launches if _launches(launch, kernel)]
