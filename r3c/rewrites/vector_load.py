"""Neighbouring loads of a short loop as one wide load."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._body import place_before
from r3c.rewrites._expressions import is_place, is_pure_value, steady_loads
from r3c.rewrites._loops import counted, counter_type, declared_counter, loop_sites, refuse_jumps
from r3c.rewrites._order import conflicts_between, refuse_hidden, varies_in
from r3c.rewrites._text import can_be_expanded, expanded, indent_unit
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_dependence import DISTINCT
from r3c.tree.analysis_effects import Access
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_names import VECTOR_BYTES, vector_of
from r3c.tree.analysis_poly import Poly
from r3c.tree.nodes import Assign, Index, Name, Node
from r3c.tree.regions import KernelRegion

LANES = "xyzw"


@dataclass(frozen=True)
class VectorLoad(Rewrite):
    """Reads the 2 or 4 neighbouring elements that a loop reads with one wide load where they are aligned, one by one elsewhere.

    Before:
        // r3c: kernel()
        __global__ void sum(float *__restrict__ out, const float *__restrict__ a, int n) {
          float s = 0.0f;
          for (int i = 0; i < 4; i++) {
            s += a[n * 4 + i];
          }
          out[n] = s;
        }
    Step:
        vector-load{site=sum/loop:i}
    After:
        // r3c: kernel()
        __global__ void sum(float *__restrict__ out, const float *__restrict__ a, int n) {
          float s = 0.0f;
          float a_wide[4];
          if ((size_t)&a[n * 4 + 0] % 16 == 0) {
            const float4 whole = *(const float4 *)&a[n * 4 + 0];
            a_wide[0] = whole.x;
            a_wide[1] = whole.y;
            a_wide[2] = whole.z;
            a_wide[3] = whole.w;
          } else {
            a_wide[0] = a[n * 4 + 0];
            a_wide[1] = a[n * 4 + 1];
            a_wide[2] = a[n * 4 + 2];
            a_wide[3] = a[n * 4 + 3];
          }
          for (int i = 0; i < 4; i++) {
            s += a_wide[i];
          }
          out[n] = s;
        }
    Refuses:
        loops that do not run 2 or 4 times from 0, leave early or write memory; bodies without a load of the next element
        in every iteration.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = counted(self, region)
        counter_type(self, region, loop)
        declared_counter(self, region, loop)
        refuse_jumps(self, region, loop)
        analysis = analyse(region)
        if loop.trip not in (2, 4) or loop.step != 1 or analysis.forms.value(loop.start) != 0:
            raise self.refuse(region, loop.node, "it does not run 2 or 4 times from 0")
        effects = analysis.effects.of(loop.node)
        refuse_hidden(self, region, effects)
        group = self._loads(region, loop)
        if not group:
            raise self.refuse(region, loop.body, "no iteration reads the element after the one before it")
        pointer = analysis.scopes.variable(group[0].base)
        for write in effects.memory_writes:
            if analysis.memory.relation(write.variable, pointer) == DISTINCT:
                continue
            if any(not reads_first(analysis, loop, load, write) for load in group):
                raise self.refuse(region, write.node, f"this may write what `{group[0].text}` reads")
        place, indent = place_before(self, region, loop.node)
        name = analysis.scopes.fresh(f"{group[0].base.text}_wide")
        reason = f"{loop.trip} neighbouring elements of `{group[0].base.text}` at once"
        edits = [Edit(node.span, f"{name}[{loop.counter.name}]") for node in group]
        return [Edit(place, self._lines(region, loop, group[0], name, indent), reason), *edits]

    def _lines(self, region: KernelRegion, loop: Loop, load: Index, name: str, indent: str) -> str:
        analysis, unit = analyse(region), indent_unit(region.source)
        kind, count = analysis.types.of(load), loop.trip or 0
        wide = vector_of(kind, count)
        first = expanded(region.source, load, analysis, loop, "0")
        each = [expanded(region.source, load, analysis, loop, str(i)) for i in range(count)]
        whole = analysis.scopes.fresh("whole")
        lines = [
            f"{kind} {name}[{count}];",
            f"if ((size_t)&{first} % {VECTOR_BYTES[kind] * count} == 0) {{",
            f"{unit}const {wide} {whole} = *(const {wide} *)&{first};",
            *(f"{unit}{name}[{i}] = {whole}.{LANES[i]};" for i in range(count)),
            "} else {",
            *(f"{unit}{name}[{i}] = {text};" for i, text in enumerate(each)),
            "}",
        ]
        return "".join(f"{indent}{line}\n" for line in lines)

    def _loads(self, region: KernelRegion, loop: Loop) -> list[Index]:
        """The largest group of equal loads that every iteration makes, one element further each time."""
        analysis = analyse(region)
        varies = varies_in(analysis, loop.node)
        groups = steady_loads(loop, analysis, lambda node: self._is_next(region, loop, node, varies))
        return max(groups.values(), key=len, default=[])

    def _is_next(self, region: KernelRegion, loop: Loop, node: Index, varies: Callable[[str], bool]) -> bool:
        analysis = analyse(region)
        pointer = analysis.scopes.variable(node.base) if isinstance(node.base, Name) else None
        if pointer is None or not pointer.is_pointer or pointer.is_volatile or analysis.forms.written(pointer):
            return False
        if vector_of(analysis.types.of(node), loop.trip or 0) is None or not is_pure_value(analysis.effects.of(node)):
            return False
        if is_place(node):
            return False
        form = analysis.forms.of(node.index)
        step = form.coefficient(loop.atom) if form is not None else None
        if form is None or step != Poly.constant(1) or any(varies(n) for n in form.names - {loop.atom}):
            return False
        return can_be_expanded(node, analysis, loop) and form.names >= {loop.atom}


def reads_first(analysis: Analysis, loop: Loop, load: Node, write: Access) -> bool:
    """Whether `write` can reach the element that `load` reads only in the same iteration, and after it."""
    reads = [a for a in analysis.effects.of(load).memory if a.node is load]
    for conflict in conflicts_between(analysis, reads, [write], loop):
        if conflict.distance != 0:
            return False
        assign = next((a for a in write.node.ancestors() if isinstance(a, Assign)), None)
        inside = assign is not None and assign.target is write.node and assign.value.span.contains(load.span)
        if not inside and load.start > write.node.start:
            return False
    return True
