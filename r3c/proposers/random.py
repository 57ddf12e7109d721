"""Random legal sequences of one to four steps: the baseline for proposers."""

from __future__ import annotations

import random

from r3c.core.spec import Spec
from r3c.proposers.base import (
    LegalPrograms,
    Problem,
    Structure,
    StructureResult,
    first_legal,
    structural_pairs,
)
from r3c.rewrites.base import Rewrite
from r3c.tree.parse import parse
from r3c.tree.regions import KernelRegion, region

Pairs = list[tuple[type[Rewrite], str]]


LENGTH_MAX = 4
ATTEMPTS = 40


class Random:
    """Each step is drawn from all that are legal after the steps before it."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self._problem = problem
        self._programs = LegalPrograms(problem)
        self._rng = random.Random(seed)
        self._given: set[Structure] = set()
        self._regions: dict[Structure, tuple[KernelRegion, Pairs]] = {}
        self._steps: dict[tuple[Structure, str, str], Spec | None] = {}

    def ask(self) -> Structure | None:
        for _ in range(ATTEMPTS):
            structure = self._draw(self._rng.randint(1, LENGTH_MAX))
            if structure and structure not in self._given:
                self._given.add(structure)
                return structure
        return None

    def tell(self, structure: Structure, result: StructureResult) -> None:
        """Nothing to learn."""

    def _draw(self, length: int) -> Structure:
        structure: Structure = ()
        for _ in range(length):
            longer = self._longer(structure)
            if longer is None:
                break
            structure = longer
        return structure

    def _longer(self, structure: Structure) -> Structure | None:
        """The structure and one more step; the first legal one of a random order is a uniform choice of the legal ones."""
        here, pairs = self._after(structure)
        for kind, site in self._rng.sample(pairs, len(pairs)):
            key = (structure, kind.name, site)
            if key not in self._steps:
                self._steps[key] = first_legal(here, kind, site)
            step = self._steps[key]
            if step is not None and self._programs.source_after((*structure, step)) is not None:
                return (*structure, step)
        return None

    def _after(self, structure: Structure) -> tuple[KernelRegion, Pairs]:
        if structure not in self._regions:
            source = self._programs.source_after(structure)
            assert source is not None
            here = region(parse(source, self._problem.names), self._problem.kernel)
            self._regions[structure] = here, structural_pairs(here)
        return self._regions[structure]
