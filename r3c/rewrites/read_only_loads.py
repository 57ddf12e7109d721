"""Loads through the read-only cache."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.contract import Role
from r3c.core.source import Edit, Span
from r3c.rewrites._pointers import pointer_parameters, pointer_variable, subscripted_uses
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_types import is_integer_type
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class ReadOnlyLoads(Rewrite):
    """Reads a pointer parameter with `__ldg` where nothing writes its memory while the kernel runs.

    Before:
        // r3c: kernel()
        __global__ void gather(float *__restrict__ out, const float *__restrict__ in, int n) {
          int i = threadIdx.x;
          if (i < n) out[i] = in[i] + in[i + 1];
        }
    Step:
        read-only-loads{site=gather/param:in}
    After:
        // r3c: kernel()
        __global__ void gather(float *__restrict__ out, const float *__restrict__ in, int n) {
          int i = threadIdx.x;
          if (i < n) out[i] = __ldg(&in[i]) + __ldg(&in[i + 1]);
        }
    Refuses:
        parameters that are written, that are neither `in` by contract nor `__restrict__`, whose elements are no plain
        numbers, or that are used otherwise than by subscript.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return pointer_parameters(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        variable = pointer_variable(self, region)
        analysis = analyse(region)
        uses = subscripted_uses(self, region, variable)
        for use, writes in uses:
            if writes:
                raise self.refuse(region, use, f"`{variable.name}` is written here")
        own = region.contract.buffers.get(variable.name)
        if not variable.is_restrict and (own is None or own.role is not Role.IN):
            why = f"another pointer may write what `{variable.name}` leads to"
            raise self.refuse(
                region, variable.node, why, f"say buffer({variable.name}, in), or use const-restrict first"
            )
        element = analysis.types.element(variable)
        if element not in ("float", "double") and not is_integer_type(element):
            raise self.refuse(
                region, variable.node, f"elements of type `{element}` have no read-only load that is known here"
            )
        if not uses:
            raise self.refuse(region, variable.node, f"`{variable.name}` is not read")
        edits = []
        for use, _ in uses:
            edits.append(
                Edit(Span(use.span.start, use.span.start), "__ldg(&", f"`{variable.name}` through the read-only cache")
            )
            edits.append(Edit(Span(use.span.end, use.span.end), ")"))
        return edits
