"""Pairs of a plain kernel and its hand-tuned form, with the steps that lead from one to the structure of the other.

A pair is one `.cu` file: the plain kernel with its launch and arguments as in `rewrite_soundness`, a line
`// steps: CANDIDATE`, and after `//== hand LAUNCH` the form that a person would write. `LAUNCH` says what the steps do to the
launch, as in the case files of rewrites.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from r3c.core.candidate import Candidate, parse_candidate
from r3c.core.source import Source
from r3c.rewrites.base import Rewritten, apply_candidate
from r3c.testing.rewrite_cases import launch_words
from r3c.testing.rewrite_soundness import KernelFile, Trial
from r3c.testing.structure import structure
from r3c.tree.parse import parse
from r3c.tree.regions import region

_STEPS = re.compile(r"^// steps: *(.*)$", re.MULTILINE)
_HAND = re.compile(r"^//== hand *(.*)\n", re.MULTILINE)


@dataclass(frozen=True)
class Pair:
    """One plain kernel, the steps, and the hand-tuned form."""

    file: KernelFile
    candidate: Candidate
    hand: Source
    launch: str

    @property
    def rewritten(self) -> Rewritten:
        return apply_candidate(self.file.source, self.file.kernel, self.candidate)

    def plain(self) -> str:
        """What the steps start from."""
        return _described(self.file.source, self.file.kernel, "")

    def reached(self) -> str:
        """What the steps lead to."""
        done = self.rewritten
        return _described(done.source, self.file.kernel, launch_words(done.plan))

    def wanted(self) -> str:
        """What the hand-tuned form is."""
        return _described(self.hand, self.file.kernel, self.launch)

    def trials(self) -> list[Trial]:
        """The rewritten kernel and the hand-tuned one, both launched as the steps say."""
        done = self.rewritten
        by_hand = Rewritten(self.hand, done.plan)
        return [Trial(self.candidate, done), Trial(self.candidate, by_hand)]


def _described(source: Source, kernel: str, launch: str) -> str:
    return f"launch {launch}\n{structure(region(parse(source), kernel))}"


def read_pair(path: Path) -> Pair:
    """The pair in `path`."""
    text = path.read_text(encoding="latin-1")
    found, steps = _HAND.search(text), _STEPS.search(text)
    assert found, f"{path}: no `//== hand`"
    assert steps, f"{path}: no `// steps:`"
    plain = KernelFile.read(Source(path.name, text[: found.start()]))
    return Pair(plain, parse_candidate(steps[1]), Source(path.name, text[found.end() :]), found[1].strip())
