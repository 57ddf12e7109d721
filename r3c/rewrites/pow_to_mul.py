"""Powers with small constant exponents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from r3c.core.source import Edit
from r3c.rewrites._expressions import (
    is_pure_value,
    kernel_and_loops,
    literal_value,
    replaced_expressions,
)
from r3c.rewrites._text import operand
from r3c.rewrites.base import NUMERICS, Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_nodes import call_name
from r3c.tree.nodes import Call, Node
from r3c.tree.regions import KernelRegion

EXPONENT_MAX = 4


@dataclass(frozen=True)
class PowToMul(Rewrite):
    """Multiplies instead of calling `pow` with the exponent 2, 3, 4, 0.5 or -1.

    Before:
        // r3c: kernel(rtol=1e-5)
        __global__ void cube(float *a) {
          float x = a[threadIdx.x];
          a[threadIdx.x] = powf(x, 3.0f);
        }
    Step:
        pow-to-mul{site=cube}
    After:
        // r3c: kernel(rtol=1e-5)
        __global__ void cube(float *a) {
          float x = a[threadIdx.x];
          a[threadIdx.x] = (x * x * x);
        }
    Refuses:
        exact contracts; bases with side effects or of unknown type; code without such a power.
    """

    group: ClassVar[str] = NUMERICS

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_and_loops(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        def text_of(part: Node) -> str:
            if isinstance(part, Call) and call_name(part) in ("pow", "powf", "__powf") and len(part.args) == 2:
                return self._product(region, part)
            return ""

        missing = "no power with a small constant exponent and a base of known type is here"
        return replaced_expressions(self, region, text_of, "products instead of a power", missing)

    def _product(self, region: KernelRegion, part: Call) -> str:
        base, exponent = part.args[0], literal_value(part.args[1])
        analysis = analyse(region)
        kind = analysis.types.of(base)
        if kind not in ("float", "double") or not is_pure_value(analysis.effects.of(base)):
            return ""
        wide = kind == "float" and call_name(part) == "pow" and analysis.types.of(part.args[1]) == "double"
        factor = operand(base.text, base)
        factor = f"(double){factor}" if wide else factor
        if exponent == 0.5:
            return f"sqrt({factor})" if wide or kind == "double" else f"sqrtf({base.text})"
        if exponent == -1.0:
            return f"(1.0 / {factor})" if wide or kind == "double" else f"(1.0f / {factor})"
        if exponent is None or exponent != int(exponent) or not 2 <= exponent <= EXPONENT_MAX:
            return ""
        return "(" + " * ".join([factor] * int(exponent)) + ")"
