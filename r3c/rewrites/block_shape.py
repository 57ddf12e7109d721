"""The launch shape of a candidate: threads a block, with the grid that covers the recorded threads."""

from __future__ import annotations

from dataclasses import dataclass, replace

from r3c.core.candidate import AXES, LaunchShape
from r3c.core.dims import Dimension, Point
from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit
from r3c.rewrites._kernel import free_axes, kernel_sites
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_threads import may_reshape
from r3c.tree.regions import KernelRegion

THREADS_MAX = 1024


@dataclass(frozen=True)
class BlockShape(Rewrite):
    """Launches `x * y * z` threads a block; the source stays as it is. In a candidate this is its `block{...}` part.

    Before:
        // r3c: kernel()
        __global__ void clear(float *a, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) a[i] = 0.0f;
        }
    Step:
        block-shape{site=clear,x=128,y=1,z=1}
    After:
        // r3c: kernel()
        __global__ void clear(float *a, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) a[i] = 0.0f;
        }
    Refuses:
        kernels whose contract does not say `geometry(cover)` and that use an index otherwise than as the index of the
        thread in the whole launch, have an effect without an upper bound on that index, or whose threads work together;
        more than 1024 threads, and threads along an axis that the kernel does not use.
    """

    x: int = number(32, 64, 128, 256, 512, 1024)
    y: int = number(1, 2, 4, 8, 16, 32)
    z: int = number(1, 2, 4)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    @classmethod
    def axes_of(cls, region: KernelRegion) -> list[str]:
        """Axes along which the launch shape may change."""
        return free_axes(region)

    @classmethod
    def dimensions(cls, region: KernelRegion, site: str) -> tuple[Dimension, ...]:
        used = analyse(region).threads.used_axes()
        declared = {d.name: d for d in region.contract.tunables}
        out = []
        for dimension in super().dimensions(region, site):
            axis = dimension.name
            values = declared.get(f"block_size_{axis}", dimension).values if axis in used or axis == "x" else (1,)
            out.append(Dimension(axis, values))
        return tuple(out)

    def apply(self, region: KernelRegion) -> list[Edit]:
        shape = {"x": self.x, "y": self.y, "z": self.z}
        if min(shape.values()) < 1 or self.x * self.y * self.z > THREADS_MAX:
            raise self.refuse(
                region, region.function, f"{self.x} x {self.y} x {self.z} threads are not 1 to {THREADS_MAX}"
            )
        used = analyse(region).threads.used_axes()
        for axis in AXES:
            if axis not in used and shape[axis] == 1:
                continue
            obstacle = may_reshape(region.contract.geometry, analyse(region).threads, axis)
            if obstacle is not None:
                hint = "say geometry(cover) where any shape that covers the same indices is right"
                raise self.refuse(region, obstacle.node, obstacle.why, hint)
        self._check_constraints(region, shape)
        return []

    def _check_constraints(self, region: KernelRegion, shape: dict[str, int]) -> None:
        point: Point = {d.name: d.default for d in region.contract.tunables if d.default is not None}
        point.update({f"block_size_{axis}": size for axis, size in shape.items()})
        for constraint in region.contract.constraints:
            if constraint.names <= set(point) and not constraint.holds(point):
                raise self.refuse(region, region.function, f"the contract asks for {constraint}")

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        return replace(plan, block=LaunchShape(self.x, self.y, self.z))
