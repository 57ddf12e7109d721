"""`__launch_bounds__`: what the compiler may assume about the threads of a block."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.candidate import LaunchShape
from r3c.core.source import Edit
from r3c.rewrites._kernel import attribute_edits, kernel_sites, known_block, may_change_shape
from r3c.rewrites.base import Rewrite, number
from r3c.tree.regions import KernelRegion

ATTRIBUTE = "__launch_bounds__"


@dataclass(frozen=True)
class LaunchBounds(Rewrite):
    """Promises the compiler at most `threads` threads a block, and asks for `blocks` blocks a multiprocessor.

    Before:
        // r3c: kernel()
        __global__ void clear(float *a, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) a[i] = 0.0f;
        }
    Step:
        launch-bounds{site=clear,threads=256,blocks=2} @ block{x=256,y=1,z=1}
    After:
        // r3c: kernel()
        __global__ void __launch_bounds__(256, 2) clear(float *a, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) a[i] = 0.0f;
        }
    Refuses:
        fewer threads than a launch in the file has, or than the candidate's own launch shape; and where neither is
        known, anything below the 1024 threads that a block can have; kernels with a register cap.
    """

    threads: int = number(64, 128, 256, 512, 1024)
    blocks: int = number(0, 1, 2, 4, 8)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        if "__maxnreg__" in region.source.slice(region.function.header):
            raise self.refuse(region, region.function, "a kernel has either launch bounds or a register cap")
        block = known_block(region)
        if block is not None and block.threads > self.threads:
            raise self.refuse(region, region.function, f"the kernel is launched with {block.threads} threads a block")
        if block is None and self.threads < 1024 and not may_change_shape(region):
            why = "the threads a block of its launches are not known, and the launch shape cannot change"
            raise self.refuse(region, region.function, why, hint="threads=1024 is always right")
        if self.threads * max(1, self.blocks) > 2048:
            raise self.refuse(
                region, region.function, f"{self.blocks} blocks of {self.threads} threads do not fit a multiprocessor"
            )
        bounds = f"{self.threads}, {self.blocks}" if self.blocks else str(self.threads)
        return attribute_edits(self, region, ATTRIBUTE, bounds, f"at most {self.threads} threads a block")

    def check_launch(self, region: KernelRegion, launch: LaunchShape | None) -> None:
        block = launch or known_block(region)
        if block is None and self.threads < 1024:
            raise self.refuse(
                region,
                region.function,
                "the threads a block of its launch are not known",
                "give the candidate a launch shape",
            )
        if block is not None and block.threads > self.threads:
            raise self.refuse(region, region.function, f"the candidate launches {block.threads} threads a block")
