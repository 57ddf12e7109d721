"""Everything the rewrites ask about one annotated kernel, computed when first asked and kept with the region."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

from r3c.tree.analysis_dependence import Dependences, Memory, escaping_arrays
from r3c.tree.analysis_effects import EffectReader
from r3c.tree.analysis_forms import Constants, Forms
from r3c.tree.analysis_loops import LoopReader
from r3c.tree.analysis_macros import OutsideNames
from r3c.tree.analysis_pure import pure_functions
from r3c.tree.analysis_scopes import Scopes
from r3c.tree.analysis_threads import ThreadIndices
from r3c.tree.analysis_types import Types
from r3c.tree.analysis_uniform import Uniformity
from r3c.tree.regions import KernelRegion

_KEPT = 16
T = TypeVar("T")


class Analysis:
    """Lazy facts about `region`."""

    def __init__(self, region: KernelRegion) -> None:
        self.region = region
        self.function = region.function
        self.notes: dict[Hashable, Any] = {}  # what rewrites have found out and would find out again

    def noted(self, key: Hashable, find: Callable[[], T]) -> T:
        """What `find` returned when it was first asked for `key`."""
        if key not in self.notes:
            self.notes[key] = find()
        found: T = self.notes[key]
        return found

    @cached_property
    def scopes(self) -> Scopes:
        return Scopes.of(self.function)

    @cached_property
    def effects(self) -> EffectReader:
        return EffectReader(self.scopes, self.outside, pure_functions(self.region.file) | self.region.contract.pure)

    @cached_property
    def outside(self) -> OutsideNames:
        return OutsideNames(self.region.file)

    @cached_property
    def constants(self) -> Constants:
        return Constants(self.region.source.text)

    @cached_property
    def forms(self) -> Forms:
        return Forms(self.function, self.scopes, self.effects, self.constants)

    @cached_property
    def types(self) -> Types:
        return Types(self.scopes)

    @cached_property
    def loops(self) -> LoopReader:
        return LoopReader(self.scopes, self.effects, self.forms)

    @cached_property
    def uniform(self) -> Uniformity:
        return Uniformity(self.function, self.scopes, self.effects)

    @cached_property
    def threads(self) -> ThreadIndices:
        return ThreadIndices(self.function, self.scopes, self.effects, self.forms, self.uniform)

    @cached_property
    def memory(self) -> Memory:
        return Memory(self.scopes, self.forms, self.region.contract, escaping_arrays(self.scopes))

    @cached_property
    def dependences(self) -> Dependences:
        return Dependences(self.forms, self.memory)


_analyses: OrderedDict[int, Analysis] = OrderedDict()


def analyse(region: KernelRegion) -> Analysis:
    """The facts about `region`; asked again for the same region, the same object."""
    key = id(region)
    found = _analyses.get(key)
    if found is None or found.region is not region:
        found = _analyses[key] = Analysis(region)
        while len(_analyses) > _KEPT:
            _analyses.popitem(last=False)
    return found
