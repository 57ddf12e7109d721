"""Division by a constant as multiplication, shift or mask."""

from __future__ import annotations

import math
from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._expressions import (
    kernel_and_loops,
    literal_value,
    replaced_expressions,
)
from r3c.rewrites._text import operand
from r3c.rewrites.base import Rewrite, allows_rounding
from r3c.tree.analysis import analyse
from r3c.tree.analysis_types import is_unsigned_type
from r3c.tree.nodes import Binary, Node
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class DivByConstant(Rewrite):
    """Multiplies with the reciprocal of a constant, and shifts or masks unsigned numbers by powers of two.

    Before:
        // r3c: kernel()
        __global__ void halve(float *a, unsigned int n) {
          unsigned int i = threadIdx.x % 64u;
          if (i < n / 4) a[i] = a[i] / 2.0f;
        }
    Step:
        div-by-constant{site=halve}
    After:
        // r3c: kernel()
        __global__ void halve(float *a, unsigned int n) {
          unsigned int i = (threadIdx.x & 63u);
          if (i < (n >> 2)) a[i] = a[i] * 0.5f;
        }
    Refuses:
        code without such a division; reciprocals that are not exact under an exact contract; signed numbers.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_and_loops(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        def text_of(part: Node) -> str:
            if isinstance(part, Binary) and part.op in ("/", "%"):
                return self._float(region, part) or self._unsigned(region, part)
            return ""

        missing = "no division by a constant whose reciprocal or power of two may be used is here"
        return replaced_expressions(self, region, text_of, "no division by a constant", missing)

    def _float(self, region: KernelRegion, part: Binary) -> str:
        divisor = literal_value(part.right)
        types = analyse(region).types
        kind = types.of(part)
        if part.op != "/" or not divisor or kind not in ("float", "double") or not types.is_float(part.right):
            return ""
        exact = math.frexp(abs(divisor))[0] == 0.5 and 2.0**-100 < abs(divisor) < 2.0**100
        if not exact and not allows_rounding(region):
            return ""
        left = (
            part.left.text if not isinstance(part.left, Binary) or part.left.op in ("*", "/") else f"({part.left.text})"
        )
        if exact:
            suffix = "f" if types.of(part.right) == "float" else ""
            return f"{left} * {1.0 / divisor!r}{suffix}"
        one = "1.0f" if types.of(part.right) == "float" else "1.0"
        return f"{left} * ({one} / {part.right.text})"

    def _unsigned(self, region: KernelRegion, part: Binary) -> str:
        analysis = analyse(region)
        divisor = analysis.forms.value(part.right)
        kind = analysis.types.of(part.left)
        if (
            divisor is None
            or divisor < 1
            or divisor & (divisor - 1)
            or not is_unsigned_type(kind)
            or divisor >= 1 << 31
        ):
            return ""
        if analysis.types.of(part.right) not in ("int", "unsigned int"):
            return ""
        left = operand(part.left.text, part.left)
        return f"({left} >> {divisor.bit_length() - 1})" if part.op == "/" else f"({left} & {divisor - 1}u)"
