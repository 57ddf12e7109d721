"""What a proposer is: asked for structures of a kernel, told how the best numbers of each did."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from r3c.core.candidate import Candidate
from r3c.core.config import NamesConfig
from r3c.core.contract import Contract
from r3c.core.dims import Space
from r3c.core.errors import R3CError, RewriteRefused
from r3c.core.result import Verdict
from r3c.core.source import Source
from r3c.core.spec import Spec
from r3c.rewrites.base import Rewrite, apply_candidate, edits_of, rewrite_class, rewrite_names
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
    """Every legal pair of rewrite and site that changes the structure of a kernel, with numbers it is legal with."""
    steps = (first_legal(here, kind, site) for kind, site in structural_pairs(here))
    return [step for step in steps if step is not None]


def structural_pairs(here: KernelRegion) -> list[tuple[type[Rewrite], str]]:
    """Every rewrite that changes the structure of a kernel, with every site where it could be tried."""
    if here.function.body is None:
        return []
    kinds = [rewrite_class(name) for name in rewrite_names() if name not in _NOT_STRUCTURE]
    return [(kind, site) for kind in kinds if kind.searchable() for site in dict.fromkeys(kind.sites(here))]


def first_legal(here: KernelRegion, kind: type[Rewrite], site: str) -> Spec | None:
    """The step with the numbers the rewrite starts from, or the first legal ones; None where there are none."""
    dimensions = kind.dimensions(here, site)
    start = kind(site=site, **{d.name: d.start for d in dimensions})
    others = (kind(site=site, **point) for point in Space(dimensions).points())
    for step in itertools.chain([start], others):
        try:
            edits_of(step, here)
            step.check_launch(here, None)
        except RewriteRefused:
            continue
        return step.spec
    return None


class LegalPrograms:
    """Rewritten sources of structures, each made once."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._after: dict[Structure, Source | None] = {(): problem.source}

    def source_after(self, structure: Structure) -> Source | None:
        """The source with all steps made, None where one is not legal."""
        if structure not in self._after:
            before = self.source_after(structure[:-1])
            self._after[structure] = None if before is None else self._apply(structure)
        return self._after[structure]

    def _apply(self, steps: Structure) -> Source | None:
        problem = self._problem
        try:
            return apply_candidate(
                problem.source, problem.kernel, Candidate(steps), problem.names, problem.texts
            ).source
        except R3CError:
            return None

    def keep_legal(self, steps: Structure) -> Structure:
        """`steps` without those that are not legal after the ones before them."""
        kept: Structure = ()
        for spec in steps:
            if self.source_after((*kept, spec)) is not None:
                kept = (*kept, spec)
        return kept
