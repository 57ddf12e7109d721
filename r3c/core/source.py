"""Source text as bytes in and the same bytes out: files, spans in them, and edits over them."""

from __future__ import annotations

import bisect
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from r3c.core.errors import Diagnostic, InvalidEdit


@dataclass(frozen=True, order=True)
class Span:
    """Half-open range `[start, end)` of character offsets in one source (one byte is one character)."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: [{self.start}, {self.end})")

    def __len__(self) -> int:
        return self.end - self.start

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class Edit:
    """Replace the text at `span` with `text`; `reason` is one clause a reader of the report understands."""

    span: Span
    text: str
    reason: str = ""


@dataclass(frozen=True)
class Source:
    """One file: `path` is for messages only, `text` is latin-1 so that offsets are byte offsets."""

    path: str
    text: str

    @classmethod
    def from_bytes(cls, path: str, data: bytes) -> Source:
        return cls(path, data.decode("latin-1"))

    @classmethod
    def read(cls, path: Path) -> Source:
        return cls.from_bytes(str(path), path.read_bytes())

    @property
    def data(self) -> bytes:
        return self.text.encode("latin-1")

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return tuple(starts)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of `offset`, both counted from 1."""
        line = bisect.bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """Text of `line` (from 1) without its line end."""
        start = self.line_starts[line - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

    def slice(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def diagnose(self, span: Span, message: str, hint: str = "", trail: tuple[str, ...] = ()) -> Diagnostic:
        """A message that points at `span` of this file."""
        line, column = self.line_column(span.start)
        return Diagnostic(
            message=message,
            path=self.path,
            line=line,
            column=column,
            source_line=self.line_text(line),
            width=max(1, len(span)),
            hint=hint,
            trail=trail,
        )

    def apply(self, edits: Iterable[Edit]) -> Source:
        """The source with all `edits` made at once.

        Edits keep the order they were given in where they insert at one place.

        Raises:
            InvalidEdit: two edits overlap, or one lies outside the text.
        """
        pieces: list[str] = []
        at = 0
        for edit in sorted(edits, key=lambda e: e.span):
            if edit.span.start < at or edit.span.end > len(self.text):
                where = self.diagnose(
                    Span(min(edit.span.start, len(self.text)), min(edit.span.end, len(self.text))),
                    f"two edits overlap here, or one leaves the file: {edit.reason or edit.text[:40]!r}",
                )
                raise InvalidEdit(where)
            pieces += (self.text[at : edit.span.start], edit.text)
            at = edit.span.end
        pieces.append(self.text[at:])
        return Source(self.path, "".join(pieces))
