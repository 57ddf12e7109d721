"""Loops of few iterations written out, the counter replaced by its values."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._body import has_annotation
from r3c.rewrites._loops import (
    constant_step,
    counted,
    counter_type,
    declared_counter,
    loop_sites,
    pragma_before,
    refuse_jumps,
)
from r3c.rewrites._text import in_braces, indent_unit, line_indent, reindented, uses_replaced
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_types import typed_literal
from r3c.tree.nodes import Body, Unary
from r3c.tree.regions import KernelRegion

TRIP_MAX = 32
CHARACTERS_MAX = 20_000


@dataclass(frozen=True)
class UnrollFull(Rewrite):
    """Writes out every iteration of a loop whose bounds are constants.

    Before:
        // r3c: kernel()
        __global__ void two(float *a) {
          for (int i = 0; i < 2; i++) {
            a[i] = 1.0f;
          }
        }
    Step:
        unroll-full{site=two/loop:i}
    After:
        // r3c: kernel()
        __global__ void two(float *a) {
          {
            a[0] = 1.0f;
          }
          {
            a[1] = 1.0f;
          }
        }
    Refuses:
        loops that do not run 1 to 32 times by constants, bodies that leave early, counters used after the loop or whose
        address is taken, loops with an annotation or pragma of their own.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = counted(self, region)
        step = constant_step(self, region, loop)
        kind = counter_type(self, region, loop)
        declared_counter(self, region, loop)
        refuse_jumps(self, region, loop, allow_return=True)
        analysis = analyse(region)
        start = analysis.forms.value(loop.start)
        if loop.trip is None or start is None:
            raise self.refuse(region, loop.node, "how often it runs is not a constant")
        if not 1 <= loop.trip <= TRIP_MAX or loop.trip * len(loop.body.text) > CHARACTERS_MAX:
            raise self.refuse(
                region, loop.node, f"it runs {loop.trip} times, which is not 1 to {TRIP_MAX}, or is too long"
            )
        if pragma_before(loop.node) is not None or has_annotation(region, loop.node):
            raise self.refuse(region, loop.node, "an annotation or pragma belongs to the loop")
        for use in analysis.scopes.uses_in(loop.counter, loop.body):
            if isinstance(use.parent, Unary) and use.parent.op == "&":
                raise self.refuse(region, use, "the counter's address is taken")
        literals = [typed_literal(start + index * step, kind) for index in range(loop.trip)]
        return [Edit(loop.node.span, in_braces(loop.node, self._copies(region, loop, literals)), "written out")]

    def _copies(self, region: KernelRegion, loop: Loop, literals: list[str]) -> str:
        source, scopes = region.source, analyse(region).scopes
        outer, unit = line_indent(source, loop.node.span.start), indent_unit(source)
        own = line_indent(source, loop.body.span.start)
        copies = []
        for literal in literals:
            text = uses_replaced(source, loop.body, scopes, {loop.counter: literal})
            if not isinstance(loop.body, Body):
                text = f"{{\n{outer}{unit}{reindented(text, own, outer + unit)}\n{outer}}}"
            copies.append(text)
        return f"\n{outer}".join(copies)
