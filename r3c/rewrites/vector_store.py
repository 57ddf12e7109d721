"""Neighbouring stores of a short loop as one wide store."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import place_before
from r3c.rewrites._loops import counted, counter_type, declared_counter, loop_sites, refuse_jumps
from r3c.rewrites._order import refuse_hidden, varies_in
from r3c.rewrites._text import can_be_expanded, expanded, indent_unit
from r3c.rewrites.base import Rewrite
from r3c.rewrites.vector_load import LANES, reads_first
from r3c.tree.analysis import analyse
from r3c.tree.analysis_dependence import DISTINCT
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_names import VECTOR_BYTES, vector_of
from r3c.tree.analysis_nodes import bare
from r3c.tree.analysis_poly import Poly
from r3c.tree.nodes import Assign, ExprStmt, Index, Name
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class VectorStore(Rewrite):
    """Writes the 2 or 4 neighbouring elements that a loop writes with one wide store where they are aligned, one by one elsewhere.

    Before:
        // r3c: kernel()
        __global__ void twice(float *__restrict__ out, const float *__restrict__ a, int n) {
          for (int i = 0; i < 4; i++) {
            out[n * 4 + i] = a[i] * 2.0f;
          }
        }
    Step:
        vector-store{site=twice/loop:i}
    After:
        // r3c: kernel()
        __global__ void twice(float *__restrict__ out, const float *__restrict__ a, int n) {
          float out_wide[4];
          for (int i = 0; i < 4; i++) {
            out_wide[i] = a[i] * 2.0f;
          }
          if ((size_t)&out[n * 4 + 0] % 16 == 0) {
            float4 whole;
            whole.x = out_wide[0];
            whole.y = out_wide[1];
            whole.z = out_wide[2];
            whole.w = out_wide[3];
            *(float4 *)&out[n * 4 + 0] = whole;
          } else {
            out[n * 4 + 0] = out_wide[0];
            out[n * 4 + 1] = out_wide[1];
            out[n * 4 + 2] = out_wide[2];
            out[n * 4 + 3] = out_wide[3];
          }
        }
    Refuses:
        loops that do not run 2 or 4 times from 0 or leave early; bodies without a plain store to the next element in every
        iteration; other accesses in the loop that may lead to what is stored.
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
        refuse_hidden(self, region, analysis.effects.of(loop.node))
        store = self._store(region, loop)
        if store is None:
            raise self.refuse(region, loop.body, "no iteration plainly writes the element after the one before it")
        self._check_others(region, loop, store)
        place, indent = place_before(self, region, loop.node)
        kind, count = analysis.types.of(store), loop.trip or 0
        name = analysis.scopes.fresh(f"{store.base.text}_wide")
        reason = f"{count} neighbouring elements of `{store.base.text}` at once"
        after = Span(loop.node.span.end, loop.node.span.end)
        return [
            Edit(place, f"{indent}{kind} {name}[{count}];\n", reason),
            Edit(store.span, f"{name}[{loop.counter.name}]"),
            Edit(after, self._lines(region, loop, store, name, indent)),
        ]

    def _store(self, region: KernelRegion, loop: Loop) -> Index | None:
        """The first element that every iteration writes, one further each time."""
        for statement in loop.statements:
            assign = bare(statement.expression) if isinstance(statement, ExprStmt) else None
            target = bare(assign.target) if isinstance(assign, Assign) and assign.op == "=" else None
            if isinstance(target, Index) and self._is_next(region, loop, target):
                return target
        return None

    def _is_next(self, region: KernelRegion, loop: Loop, target: Index) -> bool:
        analysis, varies = analyse(region), varies_in(analyse(region), loop.node)
        pointer = analysis.scopes.variable(target.base) if isinstance(target.base, Name) else None
        if pointer is None or not pointer.is_pointer or pointer.is_volatile or analysis.forms.written(pointer):
            return False
        if vector_of(analysis.types.of(target), loop.trip or 0) is None or region.is_frozen(target.span):
            return False
        effects = analysis.effects.of(target.index)
        form = analysis.forms.of(target.index)
        if effects.memory or not effects.is_pure or form is None:
            return False
        if form.coefficient(loop.atom) != Poly.constant(1) or any(varies(n) for n in form.names - {loop.atom}):
            return False
        return can_be_expanded(target, analysis, loop)

    def _check_others(self, region: KernelRegion, loop: Loop, store: Index) -> None:
        analysis = analyse(region)
        pointer = analysis.scopes.variable(store.base)
        accesses = analysis.effects.of(loop.node).accesses
        write = next(a for a in accesses if a.node is store)
        for access in accesses:
            if access is write or not (access.memory or access.variable is None):
                continue
            plain = isinstance(access.node, Index) and access.reads and not access.writes
            if plain and reads_first(analysis, loop, access.node, write):
                continue
            if analysis.memory.relation(access.variable, pointer) != DISTINCT:
                raise self.refuse(region, access.node, f"this may lead to what `{store.text}` writes")

    def _lines(self, region: KernelRegion, loop: Loop, store: Index, name: str, indent: str) -> str:
        analysis, unit = analyse(region), indent_unit(region.source)
        kind, count = analysis.types.of(store), loop.trip or 0
        wide = vector_of(kind, count)
        first = expanded(region.source, store, analysis, loop, "0")
        each = [expanded(region.source, store, analysis, loop, str(i)) for i in range(count)]
        whole = analysis.scopes.fresh("whole")
        lines = [
            f"if ((size_t)&{first} % {VECTOR_BYTES[kind] * count} == 0) {{",
            f"{unit}{wide} {whole};",
            *(f"{unit}{whole}.{LANES[i]} = {name}[{i}];" for i in range(count)),
            f"{unit}*({wide} *)&{first} = {whole};",
            "} else {",
            *(f"{unit}{text} = {name}[{i}];" for i, text in enumerate(each)),
            "}",
        ]
        return "".join(f"\n{indent}{line}" for line in lines)
