"""Another order of blocks over the grid, for the caches."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import builtin_members, plain_body
from r3c.rewrites._kernel import kernel_sites
from r3c.rewrites._text import indent_unit, line_indent
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_names import FENCES
from r3c.tree.analysis_nodes import call_name
from r3c.tree.nodes import Call, Member, Name
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Swizzle(Rewrite):
    """Walks the blocks of a two-dimensional grid in groups of `rows` rows, column by column inside a group.

    Before:
        // r3c: kernel()
        __global__ void fill(float *a, int w) {
          a[blockIdx.y * w + blockIdx.x] = 1.0f;
        }
    Step:
        swizzle{site=fill,rows=8}
    After:
        // r3c: kernel()
        __global__ void fill(float *a, int w) {
          const unsigned int block_number = blockIdx.y * gridDim.x + blockIdx.x;
          const unsigned int group_first = block_number / (8 * gridDim.x) * 8;
          const unsigned int group_rows = gridDim.y - group_first < 8 ? gridDim.y - group_first : 8;
          const unsigned int block_y = group_first + block_number % (8 * gridDim.x) % group_rows;
          const unsigned int block_x = block_number % (8 * gridDim.x) / group_rows;
          a[block_y * w + block_x] = 1.0f;
        }
    Refuses:
        kernels that do not use both block indices, or whose blocks may wait for each other (fences, volatile memory,
        unknown functions).
    """

    rows: int = number(2, 4, 8, 16)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        body = plain_body(self, region)
        xs, ys = builtin_members(body, "blockIdx", "x"), builtin_members(body, "blockIdx", "y")
        if not xs or not ys:
            raise self.refuse(region, body, "it does not use both blockIdx.x and blockIdx.y")
        if self.rows < 2:
            raise self.refuse(region, body, f"a group of {self.rows} rows is no group")
        refuse_waiting(self, region)
        scopes = analyse(region).scopes
        names = {n: scopes.fresh(n) for n in ("block_number", "group_first", "group_rows", "block_y", "block_x")}
        edits = [Edit(m.span, names["block_x"]) for m in xs] + [Edit(m.span, names["block_y"]) for m in ys]
        at = body.span.start + 1
        return [Edit(Span(at, at), self._lines(region, names), f"blocks in groups of {self.rows} rows"), *edits]

    def _lines(self, region: KernelRegion, names: dict[str, str]) -> str:
        number_, first, rows = names["block_number"], names["group_first"], names["group_rows"]
        width = f"({self.rows} * gridDim.x)"
        left = f"gridDim.y - {first}"
        values = {
            number_: "blockIdx.y * gridDim.x + blockIdx.x",
            first: f"{number_} / {width} * {self.rows}",
            rows: f"{left} < {self.rows} ? {left} : {self.rows}",
            names["block_y"]: f"{first} + {number_} % {width} % {rows}",
            names["block_x"]: f"{number_} % {width} / {rows}",
        }
        indent = line_indent(region.source, region.function.span.start) + indent_unit(region.source)
        return "".join(f"\n{indent}const unsigned int {name} = {value};" for name, value in values.items())


def refuse_waiting(rewrite: Rewrite, region: KernelRegion) -> None:
    """Refuses kernels whose blocks may wait for each other, or that use `blockIdx` as a whole."""
    analysis = analyse(region)
    effects = analysis.effects.of(region.function.body)
    for node in effects.unknown:
        fence = isinstance(node, Call) and call_name(node) in FENCES
        raise rewrite.refuse(
            region, node, "blocks may wait for each other here" if fence else "what this does is not known"
        )
    for access in effects.accesses:
        if access.variable is not None and access.variable.is_volatile:
            raise rewrite.refuse(region, access.node, "blocks may wait for each other at volatile memory")
    for name in (n for n in region.function.walk() if isinstance(n, Name) and n.text == "blockIdx"):
        if not isinstance(name.parent, Member):
            raise rewrite.refuse(region, name, "blockIdx is used as a whole")
