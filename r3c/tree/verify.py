"""What must hold after every rewrite: the new text parses as well as the old one, and only edits changed it."""

from __future__ import annotations

from collections.abc import Sequence

from r3c.core.config import NamesConfig
from r3c.core.errors import InvalidEdit
from r3c.core.source import Edit, Source
from r3c.tree.file import File
from r3c.tree.parse import parse

_DEFAULT_NAMES = NamesConfig()


def check(before: File, edits: Sequence[Edit], after: Source, names: NamesConfig = _DEFAULT_NAMES) -> File:
    """The tree of `after`.

    Raises:
        InvalidEdit: bytes outside the edits changed, a bracket is left open, or something became opaque.
    """
    if before.source.apply(edits).text != after.text:
        raise InvalidEdit(f"{after.path}: text outside the edits changed")
    file = parse(after, names)
    _compare(before, file)
    if file.broken > before.broken:
        raise InvalidEdit(f"{after.path}: a bracket does not match any more")
    return file


def _compare(before: File, after: File) -> None:
    opaque_before = sum(function.opaque_statements for function in before.functions)
    opaque_after = sum(function.opaque_statements for function in after.functions)
    if opaque_after > opaque_before:
        raise InvalidEdit(
            after.diagnostics[-1] if after.diagnostics else f"{after.source.path}: not understood any more"
        )
    names_before = {function.name for function in before.kernels}
    if not names_before <= {function.name for function in after.kernels}:
        raise InvalidEdit(f"{after.source.path}: a kernel was lost")
