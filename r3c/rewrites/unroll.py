"""Loop unrolling: by a pragma for the compiler, or in the text with a loop for the rest."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._loops import any_for, loop_sites, pragma_before, refuse_unordered_bounds, simple_loop
from r3c.rewrites._text import in_braces, indent_unit, line_indent, reindented, replaced
from r3c.rewrites._unrolled import counter_changes, main_head, needs_rest, rest_loop
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis_loops import Loop
from r3c.tree.nodes import Body
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Unroll(Rewrite):
    """Runs `factor` iterations of a loop one after the other, by `#pragma unroll` or by copies in the text.

    Before:
        // r3c: kernel()
        __global__ void scale(float *a, int n) {
          for (int i = 0; i < n; i++) {
            a[i] = a[i] * 2.0f;
          }
        }
    Step:
        unroll{site=scale/loop:i,factor=2,how=text}
    After:
        // r3c: kernel()
        __global__ void scale(float *a, int n) {
          for (int i = 0; i + 1 < n; i += 2) {
            {
              a[i] = a[i] * 2.0f;
            }
            {
              a[i + 1] = a[i + 1] * 2.0f;
            }
          }
          for (int i = n / 2 * 2; i < n; i++) {
            a[i] = a[i] * 2.0f;
          }
        }
    Refuses:
        loops that are not `for`; and in the text: bodies that write the counter or leave early, counters used after
        the loop, steps that are no constants, and bounds that might lie below the start of an unsigned counter.
    """

    factor: int = number(2, 3, 4, 8, 16)
    how: str = number("pragma", "text")

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        if self.factor < 1:
            raise self.refuse(region, region.sites[self.site], f"a factor of {self.factor} is not at least 1")
        return self._pragma(region) if self.how == "pragma" else self._text(region)

    def _pragma(self, region: KernelRegion) -> list[Edit]:
        node = any_for(self, region)
        reason = f"unroll by {self.factor} at {self.site}"
        pragma = pragma_before(node)
        if pragma is not None:
            line = Span(
                pragma.span.start, pragma.span.start + len(region.source.slice(pragma.span).split("\n")[0].rstrip())
            )
            if region.source.slice(line).split()[1:2] != ["unroll"]:
                raise self.refuse(region, line, "the loop already has another pragma")
            return [Edit(line, f"#pragma unroll {self.factor}", reason)]
        start = node.span.start
        indent = line_indent(region.source, start)
        line_start = region.source.line_starts[region.source.line_column(start)[0] - 1]
        if region.source.text[line_start:start].strip():
            raise self.refuse(
                region, node, "the loop does not stand at the start of its line, where a pragma could go above it"
            )
        return [Edit(Span(line_start, line_start), f"{indent}#pragma unroll {self.factor}\n", reason)]

    def _text(self, region: KernelRegion) -> list[Edit]:
        loop, step = simple_loop(self, region, allow_return=True)
        pragma = pragma_before(loop.node)
        if pragma is not None:
            raise self.refuse(region, pragma, "the loop already has a pragma")
        refuse_unordered_bounds(self, region, loop)
        if loop.trip is not None and loop.trip < self.factor:
            raise self.refuse(region, loop.node, f"the loop runs only {loop.trip} times")
        text = f"{main_head(region, loop, step, self.factor)} {self._copies(region, loop, step)}"
        if needs_rest(loop, self.factor):
            indent = line_indent(region.source, loop.node.span.start)
            text = in_braces(loop.node, f"{text}\n{indent}{rest_loop(region, loop, step, self.factor)}")
        return [Edit(loop.node.span, text, f"unroll by {self.factor} in the text at {self.site}")]

    def _copies(self, region: KernelRegion, loop: Loop, step: int) -> str:
        source = region.source
        outer, unit = line_indent(source, loop.node.span.start), indent_unit(source)
        copies = []
        for index in range(self.factor):
            copy = replaced(source, loop.body.span, counter_changes(region, loop, index * step))
            inner = copy if isinstance(loop.body, Body) else "{ " + copy + " }"
            copies.append(outer + unit + reindented(inner, outer, outer + unit))
        return "{\n" + "\n".join(copies) + "\n" + outer + "}"
