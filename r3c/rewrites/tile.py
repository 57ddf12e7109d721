"""Strip-mining: a loop becomes a loop over tiles and a loop inside a tile."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._loops import loop_sites, simple_loop
from r3c.rewrites._text import indent_unit, line_indent, operand, reindented
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Tile(Rewrite):
    """Cuts a counted loop into tiles of `size` iterations, which run in the same order as before.

    Before:
        // r3c: kernel()
        __global__ void scale(float *a, int n) {
          for (int i = 0; i < n; i++) {
            a[i] = a[i] * 2.0f;
          }
        }
    Step:
        tile{site=scale/loop:i,size=32}
    After:
        // r3c: kernel()
        __global__ void scale(float *a, int n) {
          for (int i_tile = 0; i_tile < n; i_tile += 32) {
            for (int i = i_tile; i < (i_tile + 32 < n ? i_tile + 32 : n); i++) {
              a[i] = a[i] * 2.0f;
            }
          }
        }
    Refuses:
        loops that are not counted loops, bodies that leave early, counters used after the loop, loops that run at most
        `size` times.
    """

    size: int = number(4, 8, 16, 32, 64, 128)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop, step = simple_loop(self, region, allow_return=True)
        if self.size < 2:
            raise self.refuse(region, loop.node, f"a tile of {self.size} is no tile")
        if loop.trip is not None and loop.trip <= self.size:
            raise self.refuse(
                region, loop.node, f"the loop runs only {loop.trip} times, a tile of {self.size} would hold it all"
            )
        outer, unit = line_indent(region.source, loop.node.span.start), indent_unit(region.source)
        name = analyse(region).scopes.fresh(f"{loop.counter.name}_tile")
        text = tiled_head(region, loop, name, step * self.size) + " {\n"
        text += f"{outer}{unit}{self._inner_head(region, loop, name, step)} "
        text += reindented(region.source.slice(loop.body.span), outer, outer + unit)
        text += f"\n{outer}}}"
        return [Edit(loop.node.span, text, f"tiles of {self.size} at {self.site}")]

    def _inner_head(self, region: KernelRegion, loop: Loop, name: str, step: int) -> str:
        kind, counter = loop.counter.type_text, loop.counter.name
        by = region.source.slice(loop.node.step.span) if loop.node.step else ""
        if loop.trip is not None and loop.trip % self.size == 0:
            return f"for ({kind} {counter} = {name}; {counter} < {name} + {step * self.size}; {by})"
        bound = region.source.slice(loop.bound.span)
        high = operand(bound, loop.bound)
        end = f"{name} + {step * self.size - (1 if loop.compare == '<=' else 0)}"
        limit = f"({end} < {high} ? {end} : {bound})"
        return f"for ({kind} {counter} = {name}; {counter} {loop.compare} {limit}; {by})"


def tiled_head(region: KernelRegion, loop: Loop, name: str, stride: int) -> str:
    """Head of the loop over tiles, `name` its counter."""
    start, bound = region.source.slice(loop.start.span), region.source.slice(loop.bound.span)
    return f"for ({loop.counter.type_text} {name} = {start}; {name} {loop.compare} {bound}; {name} += {stride})"
