"""Fused multiply-add, asked for by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from r3c.core.source import Edit
from r3c.rewrites._expressions import expressions, inside, kernel_and_loops
from r3c.rewrites.base import NUMERICS, Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_nodes import bare
from r3c.tree.nodes import Assign, Binary, Node
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Fma(Rewrite):
    """Writes `a * b + c` as `fmaf(a, b, c)`, rounded once.

    Before:
        // r3c: kernel(rtol=1e-5)
        __global__ void axpy(float *y, const float *x, float a) {
          y[threadIdx.x] += a * x[threadIdx.x];
        }
    Step:
        fma{site=axpy}
    After:
        // r3c: kernel(rtol=1e-5)
        __global__ void axpy(float *y, const float *x, float a) {
          y[threadIdx.x] = fmaf(a, x[threadIdx.x], y[threadIdx.x]);
        }
    Refuses:
        exact contracts; code without a sum of a product and a value of one floating type.
    """

    group: ClassVar[str] = NUMERICS

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_and_loops(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        node = inside(self, region)
        taken: list[Edit] = []
        for part in expressions(node, region):
            text = self._sum(region, part) if isinstance(part, Binary) else self._update(region, part)
            if text and not any(edit.span.overlaps(part.span) for edit in taken):
                taken.append(Edit(part.span, text, "fused multiply-add"))
        if not taken:
            raise self.refuse(region, node, "no sum of a product and a value of one floating type is here")
        return taken

    def _sum(self, region: KernelRegion, part: Binary) -> str:
        if part.op != "+":
            return ""
        for product, rest in ((bare(part.left), part.right), (bare(part.right), part.left)):
            text = self._call(region, product, rest)
            if text:
                return text
        return ""

    def _update(self, region: KernelRegion, part: Node) -> str:
        if not isinstance(part, Assign) or part.op != "+=":
            return ""
        target = analyse(region).effects.of(part.target)
        if not target.is_pure:
            return ""
        text = self._call(region, bare(part.value), part.target)
        return f"{part.target.text} = {text}" if text else ""

    def _call(self, region: KernelRegion, product: Node, rest: Node) -> str:
        if not isinstance(product, Binary) or product.op != "*":
            return ""
        types = analyse(region).types
        kinds = {types.of(product.left), types.of(product.right), types.of(rest)}
        if kinds not in ({"float"}, {"double"}):
            return ""
        name = "fmaf" if kinds == {"float"} else "fma"
        return f"{name}({product.left.text}, {product.right.text}, {rest.text})"
