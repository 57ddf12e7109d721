"""Another value for a number the owner declared tunable."""

from __future__ import annotations

from dataclasses import dataclass, field

from r3c.core.dims import Dimension
from r3c.core.source import Edit
from r3c.core.spec import Value, format_value
from r3c.rewrites.base import Rewrite
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Define(Rewrite):
    """Gives a tunable `#define` or `constexpr` another of its declared values.

    Before:
        // r3c: tune(STEPS: 2|4|8)
        #define STEPS 2
        // r3c: kernel()
        __global__ void add(float *a) {
          for (int s = 0; s < STEPS; s++) a[threadIdx.x] += 1.0f;
        }
    Step:
        define{site=add/STEPS,value=4}
    After:
        // r3c: tune(STEPS: 2|4|8)
        #define STEPS 4
        // r3c: kernel()
        __global__ void add(float *a) {
          for (int s = 0; s < STEPS; s++) a[threadIdx.x] += 1.0f;
        }
    Refuses:
        values that the owner's `tune(...)` does not name.
    """

    value: Value = field(default=0, metadata={"values": (0,), "start": 0})

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return [f"{region.name}/{name}" for name in region.tunables]

    @classmethod
    def dimensions(cls, region: KernelRegion, site: str) -> tuple[Dimension, ...]:
        name = site.rsplit("/", 1)[-1]
        return tuple(
            Dimension("value", d.values, d.ordered, d.default) for d in region.contract.tunables if d.name == name
        )

    def apply(self, region: KernelRegion) -> list[Edit]:
        name = self.site.rsplit("/", 1)[-1]
        tunable = region.tunables.get(name)
        declared = next((d for d in region.contract.tunables if d.name == name), None)
        if tunable is None or declared is None:
            raise self.refuse(region, region.function, "this site is not a tunable number")
        if self.value not in declared.values:
            raise self.refuse(region, tunable.span, f"{format_value(self.value)} is not one of {declared}")
        return [Edit(tunable.span, format_value(self.value), f"{name} = {format_value(self.value)}")]
