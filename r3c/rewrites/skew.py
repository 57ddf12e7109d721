"""An inner loop that starts later the further the outer one is."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._loops import counter_type, declared_counter, loop_sites, simple_loop, upward
from r3c.rewrites._text import operand
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop
from r3c.tree.nodes import For, Index
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Skew(Rewrite):
    """Counts a loop from `factor` times the counter of the loop around it, so that diagonals of a nest become columns.

    Before:
        // r3c: kernel()
        __global__ void walk(float *a, int h, int w) {
          for (int i = 0; i < h; i++) {
            for (int j = 0; j < w; j++) {
              a[i * w + j] += 1.0f;
            }
          }
        }
    Step:
        skew{site=walk/loop:j,factor=1}
    After:
        // r3c: kernel()
        __global__ void walk(float *a, int h, int w) {
          for (int i = 0; i < h; i++) {
            for (int j = 0 + i; j < w + i; j++) {
              a[i * w + (j - i)] += 1.0f;
            }
          }
        }
    Refuses:
        loops that are not counted, leave early or do not stand in another counted loop; counters that are no int.
    """

    factor: int = number(1, 2)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop, _ = simple_loop(self, region, allow_return=True)
        above = next((a for a in loop.node.ancestors() if isinstance(a, For)), None)
        outer = analyse(region).loops.read(above) if above is not None else None
        if not isinstance(outer, Loop):
            raise self.refuse(region, loop.node, "it does not stand in another counted loop")
        upward(self, region, outer)
        declared_counter(self, region, outer)
        for one in (loop, outer):
            if counter_type(self, region, one) != "int":
                raise self.refuse(region, one.node.init, "its counter is no int")
        if self.factor < 1:
            raise self.refuse(region, loop.node, f"a skew by {self.factor} is none")
        name = outer.counter.name
        for variable in analyse(region).scopes.declared_in(loop.node):
            if variable.name == name:
                raise self.refuse(region, variable.node, f"another `{name}` hides the outer counter here")
        amount = name if self.factor == 1 else f"{self.factor} * {name}"
        edits = [
            Edit(part.span, f"{operand(part.text, part)} + {amount}", f"starts {amount} later")
            for part in (loop.start, loop.bound)
        ]
        for use in analyse(region).scopes.uses_in(loop.counter, loop.body):
            text = f"{loop.counter.name} - {amount}"
            alone = isinstance(use.parent, Index) and use.parent.index is use
            edits.append(Edit(Span(use.span.start, use.span.end), text if alone else f"({text})"))
        return edits
