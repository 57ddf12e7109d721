"""Loop fission: one loop becomes two with the same head."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._loops import counted, declared_counter, loop_sites, refuse_jumps, refuse_pragma
from r3c.rewrites._order import conflicts_between, head_span, refuse_hidden
from r3c.rewrites._text import line_indent
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop
from r3c.tree.nodes import Body, Node
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Fission(Rewrite):
    """Runs the statements of a body after the first `at` in a loop of their own.

    Before:
        // r3c: kernel()
        __global__ void two(float *__restrict__ a, float *__restrict__ b, int n) {
          for (int i = 0; i < n; i++) {
            a[i] = 1.0f;
            b[i] = 2.0f;
          }
        }
    Step:
        fission{site=two/loop:i,at=1}
    After:
        // r3c: kernel()
        __global__ void two(float *__restrict__ a, float *__restrict__ b, int n) {
          for (int i = 0; i < n; i++) {
            a[i] = 1.0f;
          }
          for (int i = 0; i < n; i++) {
            b[i] = 2.0f;
          }
        }
    Refuses:
        bodies with fewer statements or that leave early; a scalar that one part writes and the other uses; an element that
        the second part touches before the first part does in a later iteration.
    """

    at: int = number(1, 2, 3, 4)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = counted(self, region)
        declared_counter(self, region, loop)
        refuse_jumps(self, region, loop)
        if (loop.step or 0) < 0:
            raise self.refuse(region, loop.node, "it does not count up")
        refuse_pragma(self, region, loop)
        if not isinstance(loop.node.parent, Body):
            raise self.refuse(region, loop.node, "it stands without braces, so no second loop can follow it")
        if not isinstance(loop.body, Body) or not 0 < self.at < len(loop.statements):
            raise self.refuse(region, loop.body, f"the body has no statement after the first {self.at}")
        first, second = loop.statements[: self.at], loop.statements[self.at :]
        refuse_hidden(self, region, analyse(region).effects.of(loop.node))
        self._check_scalars(region, first, second)
        self._check_memory(region, loop, first, second)
        indent = line_indent(region.source, loop.node.span.start)
        start = second[0].span.start
        gap = region.source.text[first[-1].span.end : start]
        line = line_indent(region.source, start)
        text = f"\n{indent}}}\n{indent}{region.source.slice(head_span(loop))} {{\n{line}"
        kept = gap.rstrip()
        return [Edit(Span(first[-1].span.end + len(kept), start), text, f"two loops over `{loop.counter.name}`")]

    def _check_scalars(self, region: KernelRegion, first: list[Node], second: list[Node]) -> None:
        effects = analyse(region).effects
        one, two = effects.of(*first), effects.of(*second)
        for written, other in ((one, two), (two, one)):
            shared = written.written_variables() & (other.written_variables() | other.read_variables())
            for access in other.accesses:
                if access.variable in shared:
                    raise self.refuse(region, access.node, f"both parts use `{access.node.text}`, and one writes it")
        declared = {v.unique for node in first for v in analyse(region).scopes.declared_in(node)}
        for access in two.accesses:
            if access.variable is not None and access.variable.unique in declared:
                raise self.refuse(region, access.node, f"`{access.variable.name}` is declared in the first part")

    def _check_memory(self, region: KernelRegion, loop: Loop, first: list[Node], second: list[Node]) -> None:
        effects = analyse(region).effects
        for conflict in conflicts_between(analyse(region), effects.of(*first).memory, effects.of(*second).memory, loop):
            if conflict.distance is None or conflict.distance < 0:
                why = f"`{conflict.first.node.text}` may meet this in a later iteration"
                raise self.refuse(region, conflict.second.node, why)
