"""Thread coarsening: one thread does the work of several."""

from __future__ import annotations

from dataclasses import dataclass, replace

from r3c.core.dims import Dimension
from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit, Span
from r3c.rewrites._body import builtin_members, plain_body, returns_as_continue, wrapped
from r3c.rewrites._kernel import kernel_sites, refuse_reshaping
from r3c.rewrites._text import replaced
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_threads import AXES
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Coarsen(Rewrite):
    """Lets each thread do the work of `factor` threads along an axis: of `factor` blocks, of blocks a launch apart, or of neighbouring threads.

    Before:
        // r3c: kernel()
        __global__ void clear(float *a, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i >= n) return;
          a[i] = 0.0f;
        }
    Step:
        coarsen{site=clear,factor=4,axis=x,order=blocks}
    After:
        // r3c: kernel()
        __global__ void clear(float *a, int n) {
          for (unsigned int part = 0; part < 4; part++) {
            int i = (blockIdx.x * 4 + part) * blockDim.x + threadIdx.x;
            if (i >= n) continue;
            a[i] = 0.0f;
          }
        }
    Refuses:
        what `block-shape` refuses without `geometry(cover)`: threads that work together, indices that are not the index in
        the whole launch, effects without an upper bound; and returns from inside a loop.
    """

    factor: int = number(2, 4, 8)
    axis: str = number("x", "y", "z")
    order: str = number("blocks", "neighbours", "strided")

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    @classmethod
    def dimensions(cls, region: KernelRegion, site: str) -> tuple[Dimension, ...]:
        used = tuple(axis for axis in AXES if axis in analyse(region).threads.used_axes()) or AXES[:1]
        return tuple(
            replace(d, values=used, default=used[0]) if d.name == "axis" else d
            for d in super().dimensions(region, site)
        )

    def apply(self, region: KernelRegion) -> list[Edit]:
        refuse_reshaping(self, region, self.axis)
        body = plain_body(self, region)
        part = analyse(region).scopes.fresh("part")
        changes = returns_as_continue(self, region, body)
        one, all_of = ("threadIdx", "blockDim") if self.order == "neighbours" else ("blockIdx", "gridDim")
        index = f"{one}.{self.axis} * {self.factor} + {part}"
        if self.order == "strided":
            index = f"{one}.{self.axis} + {part} * {all_of}.{self.axis}"
        for member in builtin_members(body, one, self.axis):
            changes.append((member.span, f"({index})"))
        for member in builtin_members(body, all_of, self.axis):
            changes.append((member.span, f"({all_of}.{self.axis} * {self.factor})"))
        inner = replaced(region.source, Span(body.span.start + 1, body.span.end - 1), changes)
        head = f"for (unsigned int {part} = 0; {part} < {self.factor}; {part}++)"
        reason = f"each thread does the work of {self.factor} along {self.axis}"
        return [Edit(body.span, wrapped(region, inner, head), reason)]

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        each = [
            n * (self.factor if axis == self.axis else 1) for n, axis in zip(plan.indices_per_thread, AXES, strict=True)
        ]
        return replace(plan, indices_per_thread=(each[0], each[1], each[2]))
