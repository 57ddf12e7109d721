"""Loop peeling: the first or last iteration stands on its own."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._body import place_before
from r3c.rewrites._loops import loop_sites, refuse_pragma, refuse_unordered_bounds, simple_loop
from r3c.rewrites._text import in_braces, indent_unit, line_indent, operand, reindented
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Peel(Rewrite):
    """Takes the first or the last iteration out of a loop.

    Before:
        // r3c: kernel()
        __global__ void edge(float *a, int n) {
          for (int i = 0; i < n; i++) {
            a[i] = i == 0 ? 1.0f : 2.0f;
          }
        }
    Step:
        peel{site=edge/loop:i,side=first}
    After:
        // r3c: kernel()
        __global__ void edge(float *a, int n) {
          if (0 < n) {
            const int i = 0;
            {
              a[i] = i == 0 ? 1.0f : 2.0f;
            }
          }
          for (int i = 0 + 1; i < n; i++) {
            a[i] = i == 0 ? 1.0f : 2.0f;
          }
        }
    Refuses:
        loops that are not counted loops, bodies that leave early, counters used after the loop, and for the last iteration
        bounds that might lie below the start of an unsigned counter.
    """

    side: str = number("first", "last")

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop, step = simple_loop(self, region, allow_return=True)
        refuse_pragma(self, region, loop)
        if self.side == "last":
            refuse_unordered_bounds(self, region, loop)
        reason = f"the {self.side} iteration on its own"
        if self.side == "last":
            rest, single = self._last(region, loop, step)
            outer = line_indent(region.source, loop.node.span.start)
            return [Edit(loop.node.span, in_braces(loop.node, f"{rest}\n{outer}{single}"), reason)]
        place, indent = place_before(self, region, loop.node)
        rest, single = self._first(region, loop, step)
        return [Edit(place, f"{indent}{single}\n", reason), Edit(loop.node.span, rest, reason)]

    def _head(self, region: KernelRegion, loop: Loop, start: str, condition: str) -> str:
        by = region.source.slice(loop.node.step.span) if loop.node.step else ""
        body = region.source.slice(loop.body.span)
        return f"for ({loop.counter.type_text} {loop.counter.name} = {start}; {condition}; {by}) {body}"

    def _single(self, region: KernelRegion, loop: Loop, value: str) -> str:
        """The body once, with the counter a constant, under the condition that the loop runs at all."""
        source = region.source
        outer, unit = line_indent(source, loop.node.span.start), indent_unit(source)
        start, bound = source.slice(loop.start.span), source.slice(loop.bound.span)
        kind = loop.counter.type_text.replace("const ", "")
        body = reindented(source.slice(loop.body.span), outer, outer + unit)
        return (
            f"if ({operand(start, loop.start)} {loop.compare} {bound}) {{\n{outer}{unit}const {kind} {loop.counter.name} = {value};\n"
            f"{outer}{unit}{body}\n{outer}}}"
        )

    def _first(self, region: KernelRegion, loop: Loop, step: int) -> tuple[str, str]:
        start, bound = region.source.slice(loop.start.span), region.source.slice(loop.bound.span)
        rest = self._head(
            region, loop, f"{operand(start, loop.start)} + {step}", f"{loop.counter.name} {loop.compare} {bound}"
        )
        return rest, self._single(region, loop, start)

    def _last(self, region: KernelRegion, loop: Loop, step: int) -> tuple[str, str]:
        start, bound = region.source.slice(loop.start.span), region.source.slice(loop.bound.span)
        rest = self._head(region, loop, start, f"{loop.counter.name} + {step} {loop.compare} {bound}")
        low, high = operand(start, loop.start), operand(bound, loop.bound)
        zero = analyse(region).forms.value(loop.start) == 0
        less = "" if loop.compare == "<=" else " - 1"
        distance = f"({high}{less})" if zero else f"({high} - {low}{less})"
        value = distance if step == 1 else f"{distance} / {step} * {step}"
        return rest, self._single(region, loop, value if zero else f"{low} + {value}")
