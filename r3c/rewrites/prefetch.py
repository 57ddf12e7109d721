"""Loads issued one iteration ahead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import place_before
from r3c.rewrites._expressions import is_place, is_pure_value, steady_loads
from r3c.rewrites._loops import loop_sites, simple_loop
from r3c.rewrites._order import refuse_hidden, varies_in
from r3c.rewrites._text import indent_unit, line_indent, operand, uses_replaced
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_nodes import names_in
from r3c.tree.analysis_types import is_integer_type
from r3c.tree.nodes import Body, Index, Name
from r3c.tree.regions import KernelRegion

LOADS_MAX = 4


@dataclass(frozen=True)
class Prefetch(Rewrite):
    """Reads what the next iteration needs before this one computes with what was read before.

    Before:
        // r3c: kernel()
        __global__ void sum(float *out, const float *a, int n) {
          float s = 0.0f;
          for (int i = 0; i < n; i++) {
            s += a[i] * 2.0f;
          }
          out[0] = s;
        }
    Step:
        prefetch{site=sum/loop:i}
    After:
        // r3c: kernel()
        __global__ void sum(float *out, const float *a, int n) {
          float s = 0.0f;
          float a_next = 0 < n ? a[0] : 0;
          for (int i = 0; i < n; i++) {
            const float a_now = a_next;
            if (i + 1 < n) a_next = a[(i + 1)];
            s += a_now * 2.0f;
          }
          out[0] = s;
        }
    Refuses:
        loops that are not counted loops or write memory, bodies that leave early or stand without braces, and bodies
        that do not read a plain number in every iteration at a place that depends on the counter alone.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop, step = simple_loop(self, region)
        analysis = analyse(region)
        effects = analysis.effects.of(loop.node)
        refuse_hidden(self, region, effects)
        for write in effects.memory_writes:
            raise self.refuse(region, write.node, "the loop writes memory, perhaps what the next iteration reads")
        body = loop.body
        if not isinstance(body, Body) or not body.statements:
            raise self.refuse(region, body, "its body stands without braces")
        loads = self._loads(region, loop)
        if not loads:
            raise self.refuse(
                region, body, "it does not read a plain number in every iteration at a place made of the counter"
            )
        return self._edits(region, loop, step, loads)

    def _edits(self, region: KernelRegion, loop: Loop, step: int, loads: list[list[Index]]) -> list[Edit]:
        analysis = analyse(region)
        place, indent = place_before(self, region, loop.node)
        inner = line_indent(region.source, loop.statements[0].span.start)
        inner = inner if "\n" in loop.body.text else indent + indent_unit(region.source)
        before: list[str] = []
        inside: list[str] = []
        edits: list[Edit] = []
        taken: set[str] = set()
        start, bound, name = operand(loop.start.text, loop.start), loop.bound.text, loop.counter.name
        for group in loads:
            kind = analysis.types.of(group[0])
            stem = group[0].base.text if isinstance(group[0].base, Name) else "load"
            later, now = (analysis.scopes.fresh(f"{stem}_{word}", taken) for word in ("next", "now"))
            taken |= {later, now}
            first, following = (
                uses_replaced(region.source, group[0], analysis.scopes, {loop.counter: text})
                for text in (start, f"({name} + {step})")
            )
            before.append(f"{indent}{kind} {later} = {start} {loop.compare} {bound} ? {first} : 0;\n")
            inside.append(f"\n{inner}const {kind} {now} = {later};")
            inside.append(f"\n{inner}if ({name} + {step} {loop.compare} {bound}) {later} = {following};")
            edits += [Edit(node.span, now) for node in group]
        at = Span(loop.body.span.start + 1, loop.body.span.start + 1)
        reason = f"{len(loads)} loads one iteration ahead"
        return [Edit(place, "".join(before), reason), Edit(at, "".join(inside)), *edits]

    def _loads(self, region: KernelRegion, loop: Loop) -> list[list[Index]]:
        """Equal loads that every iteration makes, by what they read."""
        analysis = analyse(region)
        varies = varies_in(analysis, loop.node)
        groups = steady_loads(loop, analysis, lambda node: self._is_load(region, loop, node, varies))
        return list(groups.values())[:LOADS_MAX]

    def _is_load(self, region: KernelRegion, loop: Loop, node: Index, varies: Callable[[str], bool]) -> bool:
        analysis = analyse(region)
        kind = analysis.types.of(node)
        if kind not in ("float", "double") and not is_integer_type(kind):
            return False
        effects = analysis.effects.of(node)
        nested = len(effects.memory) != 1 or is_place(node) or region.is_frozen(node.span)
        if nested or not is_pure_value(effects) or not analysis.scopes.uses_in(loop.counter, node):
            return False
        for name in names_in(node):
            variable = analysis.scopes.variable(name)
            if variable is None:
                if analysis.constants.value(name.text) is None and name.text not in (
                    "threadIdx",
                    "blockIdx",
                    "blockDim",
                    "gridDim",
                ):
                    return False
            elif variable is not loop.counter and varies(variable.unique):
                return False
        return True
