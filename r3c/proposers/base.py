"""What a proposer is: asked for structures of a kernel, told how the best numbers of each did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from r3c.core.candidate import Candidate
from r3c.core.config import NamesConfig
from r3c.core.contract import Contract
from r3c.core.errors import R3CError
from r3c.core.result import Verdict
from r3c.core.source import Source
from r3c.core.spec import Spec
from r3c.rewrites.base import Refusal, apply_candidate, legal_steps, rewrite_names
from r3c.tree.regions import KernelRegion

# Ordered steps with their default numbers; a tuner chooses the numbers.
Structure = tuple[Spec, ...]


@dataclass(frozen=True)
class Problem:
    """A kernel to make faster.

    Attributes:
        source: its whole translation unit.
        texts: stored texts by their SHA-256, for steps that replace text; proposers add to it.
        context: what prompts may show: device card, recording summary; plain values only.
    """

    source: Source
    kernel: str
    contract: Contract
    names: NamesConfig = field(default_factory=NamesConfig)
    texts: dict[str, str] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StructureResult:
    """What became of a structure: the best verified time its numbers reached, None where none was right."""

    best_us: float | None
    baseline_us: float
    verdict: Verdict
    detail: str = ""

    @property
    def speedup(self) -> float:
        """Baseline over best, 0 where nothing was right."""
        return self.baseline_us / self.best_us if self.best_us else 0.0


class Proposer(Protocol):
    """A plug-in of this folder. Same problem, same seed, same results: same structures."""

    def __init__(self, problem: Problem, seed: int) -> None: ...

    def ask(self) -> Structure | None:
        """A structure not proposed before, or None where there is nothing more to propose."""

    def tell(self, structure: Structure, result: StructureResult) -> None: ...


# Rewrites whose steps are numbers for the tuner, or need a text that someone wrote.
_NOT_STRUCTURE = ("block-shape", "define", "patch")


def structural_steps(here: KernelRegion) -> list[Spec]:
    """Every legal pair of rewrite and site that changes the structure of a kernel, with its first legal numbers."""
    names = [name for name in rewrite_names() if name not in _NOT_STRUCTURE]
    found: dict[tuple[str, object], Spec] = {}
    for step in legal_steps(here, names):
        if not isinstance(step, Refusal):
            found.setdefault((step.name, step.site), step.spec)
    return list(found.values())


class LegalPrograms:
    """Rewritten sources of structures, each prefix made once."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._after: dict[Structure, Source | None] = {(): problem.source}

    def source_after(self, structure: Structure) -> Source | None:
        """The source with all steps made, None where one is not legal."""
        if structure not in self._after:
            before = self.source_after(structure[:-1])
            self._after[structure] = None if before is None else self._step(before, structure[-1])
        return self._after[structure]

    def _step(self, before: Source, spec: Spec) -> Source | None:
        problem = self._problem
        try:
            return apply_candidate(before, problem.kernel, Candidate((spec,)), problem.names, problem.texts).source
        except R3CError:
            return None

    def keep_legal(self, steps: Structure) -> Structure:
        """`steps` without those that are not legal after the ones before them."""
        kept: Structure = ()
        for spec in steps:
            if self.source_after((*kept, spec)) is not None:
                kept = (*kept, spec)
        return kept
