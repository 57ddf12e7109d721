"""Reciprocal square roots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from r3c.core.source import Edit
from r3c.rewrites._expressions import (
    kernel_and_loops,
    literal_value,
    replaced_expressions,
)
from r3c.rewrites._text import operand
from r3c.rewrites.base import NUMERICS, Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_nodes import bare, call_name
from r3c.tree.nodes import Binary, Call, Node
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Rsqrt(Rewrite):
    """Multiplies with `rsqrt(x)` instead of dividing by `sqrt(x)`.

    Before:
        // r3c: kernel(rtol=1e-5)
        __global__ void unit(float *a) {
          a[threadIdx.x] = 1.0f / sqrtf(a[threadIdx.x]);
        }
    Step:
        rsqrt{site=unit}
    After:
        // r3c: kernel(rtol=1e-5)
        __global__ void unit(float *a) {
          a[threadIdx.x] = rsqrtf(a[threadIdx.x]);
        }
    Refuses:
        exact contracts; code without a division by a square root of known type.
    """

    group: ClassVar[str] = NUMERICS

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_and_loops(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        def text_of(part: Node) -> str:
            if isinstance(part, Binary) and part.op == "/":
                return self._product(region, part)
            return ""

        missing = "no division by a square root of known type is here"
        return replaced_expressions(self, region, text_of, "reciprocal square root", missing)

    def _product(self, region: KernelRegion, part: Binary) -> str:
        root = bare(part.right)
        if not isinstance(root, Call) or call_name(root) not in ("sqrt", "sqrtf") or len(root.args) != 1:
            return ""
        kind = analyse(region).types.of(root)
        if kind not in ("float", "double"):
            return ""
        name = "rsqrtf" if kind == "float" else "rsqrt"
        call = f"{name}({root.args[0].text})"
        if literal_value(part.left) == 1.0:
            wide = kind == "float" and analyse(region).types.of(part.left) == "double"
            return f"(double){call}" if wide else call
        return f"{operand(part.left.text, part.left)} * {call}"
