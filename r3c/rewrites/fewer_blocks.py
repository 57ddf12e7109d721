"""A smaller grid for kernels whose loops stride by it: the same blocks take more turns."""

from __future__ import annotations

from dataclasses import dataclass, replace

from r3c.core.contract import Geometry
from r3c.core.dims import Dimension
from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit
from r3c.rewrites._body import builtin_members
from r3c.rewrites._kernel import kernel_sites
from r3c.rewrites._rewrite import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import NotCounted
from r3c.tree.analysis_nodes import body_of
from r3c.tree.analysis_poly import Poly
from r3c.tree.analysis_threads import AXES
from r3c.tree.nodes import For, Member, Name
from r3c.tree.regions import KernelRegion
from r3c.tree.views import canonical_loop


@dataclass(frozen=True)
class FewerBlocks(Rewrite):
    """Launches `factor` times fewer blocks along an axis where the kernel's loops stride by the number of blocks.

    Before:
        // r3c: kernel()
        __global__ void twice(float *__restrict__ y, const float *__restrict__ a, int n) {
          for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
            y[i] = a[i] * 2.0f;
          }
        }
    Step:
        fewer-blocks{site=twice,factor=4,axis=x}
    After:
        // r3c: kernel()
        __global__ void twice(float *__restrict__ y, const float *__restrict__ a, int n) {
          for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
            y[i] = a[i] * 2.0f;
          }
        }
    Refuses:
        kernels without a loop that starts at the block index and strides by the number of blocks, or that use either
        elsewhere; without `geometry(cover)`, writes outside such loops and values that the loops hand on.
    """

    factor: int = number(4, 2, 8, 16, 32)
    axis: str = number("x", "y", "z")

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
        body = body_of(region.function)
        members = [m for base in ("blockIdx", "gridDim") for m in builtin_members(body, base, self.axis)]
        for node in body.walk():
            if isinstance(node, Name) and node.text in ("blockIdx", "gridDim") and not isinstance(node.parent, Member):
                raise self.refuse(region, node, f"{node.text} is used as a whole")
        loops = {self._loop(region, member) for member in members}
        if not loops:
            raise self.refuse(
                region, region.function, f"no loop in it strides by the number of blocks along {self.axis}"
            )
        if region.contract.geometry is not Geometry.COVER:
            self._check_outside(region, loops)
        return []

    def _loop(self, region: KernelRegion, member: Member) -> For:
        """The loop that starts at a block index and strides by the number of blocks, of which `member` is a part."""
        loop = next((a for a in member.ancestors() if isinstance(a, For)), None)
        found = canonical_loop(loop) if loop is not None else None
        heads = [part for part in (loop.init, loop.step) if part is not None] if loop is not None else []
        if loop is None or found is None or not any(part.span.contains(member.span) for part in heads):
            raise self.refuse(
                region, member, "this is used otherwise than by a loop that strides by the number of blocks"
            )
        counted = analyse(region).loops.read(loop)
        if isinstance(counted, NotCounted) and region.contract.geometry is not Geometry.COVER:
            raise self.refuse(region, counted.node, counted.why)
        forms = analyse(region).forms
        start = forms.of(found.start)
        stride = forms.of(found.stride) if found.stride is not None and found.direction > 0 else None
        factor = start.coefficient(f"blockIdx.{self.axis}") if start is not None else None
        if factor is None or stride is None or stride != factor * Poly.atom(f"gridDim.{self.axis}") or factor.is_zero:
            raise self.refuse(region, loop, "it does not stride by what all blocks together cover")
        return loop

    def _check_outside(self, region: KernelRegion, loops: set[For]) -> None:
        analysis = analyse(region)
        effects = analysis.effects.of(region.function.body)
        for node in [*effects.unknown, *effects.barriers, *effects.warp]:
            raise self.refuse(region, node, "what this does is not known, or waits for other threads")
        for access in effects.accesses:
            inside = any(loop.body.span.contains(access.node.span) for loop in loops)
            elsewhere = access.variable is None or (access.memory and not access.variable.is_array)
            if access.writes and elsewhere and not inside:
                raise self.refuse(
                    region, access.node, "this is written once a thread, and there would be fewer threads"
                )
        for loop in loops:
            for variable in analysis.effects.of(loop.body).written_variables():
                if not loop.span.contains(variable.node.span):
                    raise self.refuse(region, variable.node, f"`{variable.name}` is handed from one turn to the next")
            for access in analysis.effects.of(loop.body).memory_writes:
                own = access.variable is not None and access.variable.is_array
                if own and access.variable is not None and not loop.span.contains(access.variable.node.span):
                    raise self.refuse(
                        region, access.node, f"`{access.variable.name}` is handed from one turn to the next"
                    )

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        each = [n * (self.factor if a == self.axis else 1) for n, a in zip(plan.indices_per_thread, AXES, strict=True)]
        return replace(plan, indices_per_thread=(each[0], each[1], each[2]))
