"""How the winner came to be: a candidate in; each of its steps with its reason and the diff it made out."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

from r3c.core.candidate import Candidate
from r3c.core.config import NamesConfig
from r3c.core.errors import RewriteRefused
from r3c.core.source import Source
from r3c.rewrites.base import Rewritten, apply_candidate

_DEFAULT_NAMES = NamesConfig()


@dataclass(frozen=True)
class LineageStep:
    """One step: its text, what it did and why it is legal, and the unified diff it made (empty for a launch shape)."""

    text: str
    reason: str
    diff: str = ""


def lineage(
    source: Source,
    kernel: str,
    candidate: Candidate,
    rewritten: Rewritten,
    names: NamesConfig = _DEFAULT_NAMES,
    texts: Mapping[str, str] | None = None,
) -> list[LineageStep]:
    """The steps of a candidate that made `rewritten` of `source`; its launch shape and build options come last.

    A step that is legal only together with later ones has no diff of its own; it is part of the next one's.
    """
    out: list[LineageStep] = []
    before = source
    for count, (text, reason) in enumerate(rewritten.trail, 1):
        try:
            part = Candidate(candidate.steps[:count], candidate.launch)
            after = apply_candidate(source, kernel, part, names, texts).source if count < len(rewritten.trail) else None
        except RewriteRefused:
            out.append(LineageStep(text, reason))
            continue
        after = after or rewritten.source
        out.append(LineageStep(text, reason, diff_of(before, after)))
        before = after
    if candidate.launch is not None:
        reason = f"{candidate.launch.threads} threads a block, as many blocks as cover what the original launch covers"
        out.append(LineageStep(str(candidate.launch), reason))
    if candidate.toolchain is not None and candidate.toolchain.values:
        out.append(LineageStep(str(candidate.toolchain), "options of the build"))
    return out


def diff_of(before: Source, after: Source) -> str:
    """Unified diff of two sources without file names."""
    lines = difflib.unified_diff(_lines(before), _lines(after), lineterm="", n=3)
    return "\n".join(list(lines)[2:])


def _lines(source: Source) -> list[str]:
    return source.data.decode("utf-8", "replace").splitlines()
