"""The order in which a grid's blocks are handed out: another axis first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from r3c.core.dims import Dimension
from r3c.core.source import Edit, Span
from r3c.rewrites._body import builtin_members, plain_body
from r3c.rewrites._kernel import kernel_sites, refuse_waiting
from r3c.rewrites._text import indent_unit, line_indent
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.nodes import Body
from r3c.tree.regions import KernelRegion

_ORDERS = {"xy": ("yx",), "xz": ("zx",), "yz": ("zy",), "xyz": ("zyx", "yxz", "yzx", "xzy", "zxy")}


@dataclass(frozen=True)
class BlockOrder(Rewrite):
    """Lets blocks that follow each other be neighbours along the first axis of `order`, so that they share what is cached.

    Before:
        // r3c: kernel()
        __global__ void fill(float *a, int w) {
          a[blockIdx.y * w + blockIdx.x] = 1.0f;
        }
    Step:
        block-order{site=fill,order=yx}
    After:
        // r3c: kernel()
        __global__ void fill(float *a, int w) {
          const unsigned int block_number = blockIdx.y * gridDim.x + blockIdx.x;
          const unsigned int block_y = block_number % gridDim.y;
          const unsigned int block_x = block_number / gridDim.y;
          a[block_y * w + block_x] = 1.0f;
        }
    Refuses:
        kernels that do not use exactly the axes of `order`, or whose blocks may wait for each other.
    """

    order: str = number("yx", "zx", "zy", "zyx", "yxz", "yzx", "xzy", "zxy")

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    @classmethod
    def dimensions(cls, region: KernelRegion, site: str) -> tuple[Dimension, ...]:
        body = region.function.body
        orders = _ORDERS.get(_axes(body) if isinstance(body, Body) else "", ("yx",))
        return tuple(replace(d, values=orders, default=orders[0]) for d in super().dimensions(region, site))

    def apply(self, region: KernelRegion) -> list[Edit]:
        body = plain_body(self, region)
        used = _axes(body)
        if "".join(sorted(self.order)) != used or len(used) < 2:
            raise self.refuse(region, body, f"it uses block indices along {used or 'no axis'}, not along {self.order}")
        refuse_waiting(self, region)
        scopes = analyse(region).scopes
        count = scopes.fresh("block_number")
        names = {axis: scopes.fresh(f"block_{axis}") for axis in self.order}
        number_of = ""
        for axis in reversed(used):
            number_of = f"({number_of}) * gridDim.{axis} + blockIdx.{axis}" if number_of else f"blockIdx.{axis}"
        number_of = number_of.replace(f"(blockIdx.{used[-1]})", f"blockIdx.{used[-1]}")
        lines, left = [f"{count} = {number_of}"], count
        for axis in self.order[:-1]:
            lines.append(f"{names[axis]} = {left} % gridDim.{axis}")
            left = f"{left} / gridDim.{axis}"
        lines.append(f"{names[self.order[-1]]} = {left}")
        indent = line_indent(region.source, region.function.span.start) + indent_unit(region.source)
        text = "".join(f"\n{indent}const unsigned int {line};" for line in lines)
        at = body.span.start + 1
        edits = [Edit(m.span, names[axis]) for axis in used for m in builtin_members(body, "blockIdx", axis)]
        return [Edit(Span(at, at), text, f"neighbours along {self.order[0]} follow each other"), *edits]


def _axes(body: Body) -> str:
    """The axes along which a body uses block indices."""
    return "".join(axis for axis in "xyz" if builtin_members(body, "blockIdx", axis))
