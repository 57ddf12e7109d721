"""Random legal sequences of one to four steps: the baseline for proposers."""

from __future__ import annotations

import random

from r3c.core.spec import Spec
from r3c.proposers.base import LegalPrograms, Problem, Structure, StructureResult, structural_steps
from r3c.tree.parse import parse
from r3c.tree.regions import region

LENGTH_MAX = 4
ATTEMPTS = 40


class Random:
    """Each step is drawn from all that are legal after the steps before it."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self._problem = problem
        self._programs = LegalPrograms(problem)
        self._rng = random.Random(seed)
        self._given: set[Structure] = set()
        self._legal: dict[Structure, list[Spec]] = {}

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
            legal = self._legal_after(structure)
            if not legal:
                break
            structure = (*structure, self._rng.choice(legal))
        return structure

    def _legal_after(self, structure: Structure) -> list[Spec]:
        if structure not in self._legal:
            source = self._programs.source_after(structure)
            problem = self._problem
            here = region(parse(source, problem.names), problem.kernel) if source is not None else None
            self._legal[structure] = structural_steps(here) if here is not None else []
        return self._legal[structure]
