"""Loop fusion: two loops with the same head become one."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._loops import (
    counted,
    declared_counter,
    loop_sites,
    refuse_jumps,
    refuse_pragma,
    refuse_tainted,
    upward,
)
from r3c.rewrites._order import refuse_hidden, varies_in
from r3c.rewrites._text import indent_unit, line_indent, reindented, uses_replaced
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop, NotCounted
from r3c.tree.nodes import Body, For
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Fuse(Rewrite):
    """Runs the body of the loop that follows inside this loop.

    Before:
        // r3c: kernel()
        __global__ void two(float *__restrict__ a, float *__restrict__ b, int n) {
          for (int i = 0; i < n; i++) {
            a[i] = 1.0f;
          }
          for (int j = 0; j < n; j++) {
            b[j] = a[j];
          }
        }
    Step:
        fuse{site=two/loop:i}
    After:
        // r3c: kernel()
        __global__ void two(float *__restrict__ a, float *__restrict__ b, int n) {
          for (int i = 0; i < n; i++) {
            {
              a[i] = 1.0f;
            }
            {
              b[i] = a[i];
            }
          }
        }
    Refuses:
        loops whose next statement is no loop with the same start, bound and step; bodies that leave early; a scalar that
        one body writes and the other uses; an element that the second loop needs before or after the first loop has it.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        first = counted(self, region)
        second = self._next(region, first)
        for loop in (first, second):
            upward(self, region, loop)
            declared_counter(self, region, loop)
            refuse_jumps(self, region, loop)
            refuse_hidden(self, region, analyse(region).effects.of(loop.node))
            refuse_pragma(self, region, loop)
        self._check_heads(region, first, second)
        self._check_scalars(region, first, second)
        self._check_memory(region, first, second)
        between = region.source.text[first.node.span.end : second.node.span.start]
        if between.strip():
            raise self.refuse(
                region, Span(first.node.span.end, second.node.span.start), "something stands between the loops"
            )
        return [self._edit(region, first, second)]

    def _next(self, region: KernelRegion, first: Loop) -> Loop:
        parent = first.node.parent
        siblings = parent.statements if isinstance(parent, Body) else []
        place = next((i for i, node in enumerate(siblings) if node is first.node), len(siblings))
        after = siblings[place + 1] if place + 1 < len(siblings) else None
        if not isinstance(after, For):
            raise self.refuse(region, after or first.node, "the statement after the loop is no for loop")
        refuse_tainted(self, region, after)
        second = analyse(region).loops.read(after)
        if isinstance(second, NotCounted):
            raise self.refuse(region, second.node, second.why)
        return second

    def _check_heads(self, region: KernelRegion, first: Loop, second: Loop) -> None:
        analysis = analyse(region)
        same = first.step == second.step and first.compare == second.compare
        same = same and first.counter.base_type == second.counter.base_type
        for one, two in ((first.start, second.start), (first.bound, second.bound)):
            f, g = analysis.forms.of(one), analysis.forms.of(two)
            same = same and f is not None and g is not None and (f - g).is_zero
        if not same:
            raise self.refuse(region, second.node, "the second loop does not have the same start, bound and step")
        for part in (second.start, second.bound):
            changed = analysis.loops.change_inside(part, analysis.effects.of(first.body))
            if changed is not None:
                raise self.refuse(region, changed, "the first loop may change the second loop's bounds")
        changed = analysis.loops.change_inside(first.bound, analysis.effects.of(second.body))
        if changed is not None:
            raise self.refuse(region, changed, "the second loop may change the first loop's bounds")

    def _check_scalars(self, region: KernelRegion, first: Loop, second: Loop) -> None:
        effects = analyse(region).effects
        one, two = effects.of(first.body), effects.of(second.body)
        for written, other in ((one, two), (two, one)):
            shared = written.written_variables() & (other.written_variables() | other.read_variables())
            for access in other.accesses:
                if access.variable in shared:
                    raise self.refuse(region, access.node, f"both loops use `{access.node.text}`, and one writes it")

    def _check_memory(self, region: KernelRegion, first: Loop, second: Loop) -> None:
        analysis = analyse(region)
        one, two = varies_in(analysis, first.node), varies_in(analysis, second.node)
        conflicts = analysis.dependences.conflicts(
            analysis.effects.of(first.body).memory,
            analysis.effects.of(second.body).memory,
            first.atom,
            lambda name: one(name) or two(name),
            {second.atom: first.atom},
        )
        for conflict in conflicts:
            if conflict.distance is None or conflict.distance < 0:
                why = f"this may need what `{conflict.first.node.text}` does in a later iteration, or come before it"
                raise self.refuse(region, conflict.second.node, why)

    def _edit(self, region: KernelRegion, first: Loop, second: Loop) -> Edit:
        source, scopes = region.source, analyse(region).scopes
        outer, unit = line_indent(source, first.node.span.start), indent_unit(source)
        parts = [source.slice(first.body.span)]
        parts.append(uses_replaced(source, second.body, scopes, {second.counter: first.counter.name}))
        inner = []
        for part, loop in zip(parts, (first, second), strict=True):
            text = part if isinstance(loop.body, Body) else "{ " + part + " }"
            inner.append(outer + unit + reindented(text, outer, outer + unit))
        body = "{\n" + "\n".join(inner) + f"\n{outer}}}"
        span = Span(first.body.span.start, second.node.span.end)
        return Edit(span, body, f"`{second.counter.name}` runs with `{first.counter.name}`")
