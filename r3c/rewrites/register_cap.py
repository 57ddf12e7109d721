"""`__maxnreg__`: a cap on the registers of a thread."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._kernel import attribute_edits, kernel_sites
from r3c.rewrites.base import Rewrite, number
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class RegisterCap(Rewrite):
    """Lets a thread use at most `registers` registers, so that more threads fit a multiprocessor (CUDA 12.4 and later).

    Before:
        // r3c: kernel()
        __global__ void clear(float *a) {
          a[threadIdx.x] = 0.0f;
        }
    Step:
        register-cap{site=clear,registers=64}
    After:
        // r3c: kernel()
        __global__ void __maxnreg__(64) clear(float *a) {
          a[threadIdx.x] = 0.0f;
        }
    Refuses:
        kernels with `__launch_bounds__`, which CUDA does not allow together with it.
    """

    registers: int = number(32, 40, 48, 64, 80, 96, 128, 168)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        if not 16 <= self.registers <= 255:
            raise self.refuse(region, region.function, f"{self.registers} registers are not 16 to 255")
        bounds = region.function.launch_bounds
        if bounds is not None:
            raise self.refuse(region, bounds, "a kernel has either launch bounds or a register cap")
        return attribute_edits(
            self, region, "__maxnreg__", str(self.registers), f"at most {self.registers} registers a thread"
        )
