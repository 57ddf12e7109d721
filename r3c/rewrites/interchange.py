"""Loop interchange: the inner loop of a perfect nest becomes the outer one."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._loops import counted, declared_counter, loop_sites, pragma_before, refuse_jumps, upward
from r3c.rewrites._order import head_span, refuse_carried_scalars, refuse_hidden, varies_in
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_dependence import DISTINCT, SAME
from r3c.tree.analysis_effects import Access
from r3c.tree.analysis_loops import Loop, NotCounted
from r3c.tree.analysis_nodes import names_in
from r3c.tree.analysis_poly import Poly
from r3c.tree.nodes import For
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Interchange(Rewrite):
    """Swaps the two outermost loops of a perfect nest.

    Before:
        // r3c: kernel()
        __global__ void copy(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
          for (int j = 0; j < w; j++) {
            for (int i = 0; i < h; i++) {
              b[i * w + j] = a[i * w + j];
            }
          }
        }
    Step:
        interchange{site=copy/loop:j}
    After:
        // r3c: kernel()
        __global__ void copy(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
          for (int i = 0; i < h; i++) {
            for (int j = 0; j < w; j++) {
              b[i * w + j] = a[i * w + j];
            }
          }
        }
    Refuses:
        loops that hold more than one inner loop, inner bounds that depend on the outer counter, sums whose rounding
        would change under an exact contract, and accesses that may meet in two iterations in an order that turns round.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        outer = counted(self, region)
        inner = self._inner(region, outer)
        for loop in (outer, inner):
            upward(self, region, loop)
            declared_counter(self, region, loop)
            refuse_jumps(self, region, loop)
        if pragma_before(inner.node) is not None or pragma_before(outer.node) is not None:
            raise self.refuse(region, outer.node, "a pragma belongs to one of the loops")
        analysis = analyse(region)
        body = analysis.effects.of(inner.body)
        refuse_hidden(self, region, body)
        refuse_carried_scalars(self, region, inner)
        self._check_memory(region, outer, inner, body.memory)
        one, two = head_span(outer), head_span(inner)
        reason = f"`{inner.counter.name}` outside, `{outer.counter.name}` inside"
        return [Edit(one, region.source.slice(two), reason), Edit(two, region.source.slice(one), reason)]

    def _inner(self, region: KernelRegion, outer: Loop) -> Loop:
        statements = outer.statements
        if len(statements) != 1 or not isinstance(statements[0], For):
            raise self.refuse(region, outer.body, "the body is not exactly one inner loop")
        inner = analyse(region).loops.read(statements[0])
        if isinstance(inner, NotCounted):
            raise self.refuse(region, inner.node, inner.why)
        scopes, varies = analyse(region).scopes, varies_in(analyse(region), outer.node)
        for part in (inner.start, inner.bound):
            for name in names_in(part):
                variable = scopes.variable(name)
                if variable is not None and varies(variable.unique):
                    raise self.refuse(
                        region,
                        part,
                        f"the inner loop's bounds depend on `{variable.name}`, which the outer loop changes",
                    )
            if analyse(region).effects.of(part).memory:
                raise self.refuse(region, part, "the inner loop's bounds are read from memory")
        return inner

    def _check_memory(self, region: KernelRegion, outer: Loop, inner: Loop, memory: list[Access]) -> None:
        for index, a in enumerate(memory):
            for b in memory[index:]:
                if not (a.writes or b.writes) or self._keeps_order(region, outer, inner, a, b):
                    continue
                raise self.refuse(
                    region, b.node, f"this and `{a.node.text}` may meet in two iterations whose order turns round"
                )

    def _keeps_order(self, region: KernelRegion, outer: Loop, inner: Loop, a: Access, b: Access) -> bool:
        """Whether no two iterations, one later outside and earlier inside, touch the same element."""
        dependences = analyse(region).dependences
        relation = dependences.memory.relation(a.variable, b.variable)
        if relation == DISTINCT:
            return True
        if relation != SAME or a.variable is not b.variable or a.subscripts is None or b.subscripts is None:
            return False
        varies = varies_in(analyse(region), outer.node)
        extents = {loop.atom: self._extent(region, loop) for loop in (outer, inner)}
        steps: dict[str, set[int]] = {outer.atom: set(), inner.atom: set()}
        for x, y in zip(a.subscripts, b.subscripts, strict=False):
            f, g = dependences.forms.of(x), dependences.forms.of(y)
            if f is None or g is None or any(varies(n) for n in (f.names | g.names) - set(steps)):
                continue
            found = _distances(f, g, outer, inner, extents)
            for atom, distance in found.items():
                steps[atom].add(distance)
        if any(len(found) > 1 for found in steps.values()):
            return True
        known = {atom: found.pop() for atom, found in steps.items() if found}
        if len(known) == 2:
            return known[outer.atom] * known[inner.atom] >= 0
        return 0 in known.values()

    def _extent(self, region: KernelRegion, loop: Loop) -> Poly | None:
        """How many counter values lie between the loop's start and bound."""
        forms = analyse(region).forms
        low, high = forms.of(loop.start), forms.of(loop.bound)
        return None if low is None or high is None or loop.compare != "<" else high - low


def _distances(f: Poly, g: Poly, outer: Loop, inner: Loop, extents: dict[str, Poly | None]) -> dict[str, int]:
    """Counter distances that equal subscripts force, by atom; a counter that is not forced is left out."""
    a, b = f.coefficient(outer.atom), f.coefficient(inner.atom)
    c, d = g.coefficient(outer.atom), g.coefficient(inner.atom)
    if a is None or b is None or c is None or d is None or not (a - c).is_zero or not (b - d).is_zero:
        return {}
    difference = f.without(outer.atom).without(inner.atom) - g.without(outer.atom).without(inner.atom)
    if a.is_zero and not b.is_zero:
        steps = difference.divided_by(b)
        return {} if steps is None else {inner.atom: steps}
    if b.is_zero and not a.is_zero:
        steps = difference.divided_by(a)
        return {} if steps is None else {outer.atom: steps}
    if a.is_zero or not difference.is_zero:
        return {}
    rows = _fits(a, b, extents[inner.atom]) or _fits(b, a, extents[outer.atom])
    return {outer.atom: 0, inner.atom: 0} if rows else {}


def _fits(row: Poly, unit: Poly, extent: Poly | None) -> bool:
    """Whether a counter that moves by `unit` over `extent` values stays inside one row of length `row`."""
    if extent is None or unit.value is None or unit.value <= 0:
        return False
    room = (row - extent * unit).value
    return room is not None and room >= 0
