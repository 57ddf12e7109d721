"""Another order of blocks over the grid, for the caches."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import builtin_members, plain_body
from r3c.rewrites._kernel import kernel_sites, refuse_waiting
from r3c.rewrites._text import indent_unit, line_indent
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Swizzle(Rewrite):
    """Walks the blocks of a two-dimensional grid in groups of `rows` rows, inside a group column by column or in Morton order.

    Before:
        // r3c: kernel()
        __global__ void fill(float *a, int w) {
          a[blockIdx.y * w + blockIdx.x] = 1.0f;
        }
    Step:
        swizzle{site=fill,rows=8,order=columns}
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
    order: str = number("columns", "morton")

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
        if self.order == "morton" and self.rows & (self.rows - 1):
            raise self.refuse(region, body, f"Morton order needs a power of two rows, not {self.rows}")
        refuse_waiting(self, region)
        scopes = analyse(region).scopes
        words = ("block_number", "group_first", "group_rows", "in_group", "in_tile", "block_y", "block_x")
        names = {n: scopes.fresh(n) for n in words}
        edits = [Edit(m.span, names["block_x"]) for m in xs] + [Edit(m.span, names["block_y"]) for m in ys]
        at = body.span.start + 1
        values = self._morton(names) if self.order == "morton" else self._columns(names)
        indent = line_indent(region.source, region.function.span.start) + indent_unit(region.source)
        lines = "".join(f"\n{indent}const unsigned int {name} = {value};" for name, value in values.items())
        return [Edit(Span(at, at), lines, f"blocks in groups of {self.rows} rows"), *edits]

    def _groups(self, names: dict[str, str]) -> dict[str, str]:
        """The group of rows that a block lies in: its first row and how many rows it has."""
        block, first = names["block_number"], names["group_first"]
        left = f"gridDim.y - {first}"
        return {
            block: "blockIdx.y * gridDim.x + blockIdx.x",
            first: f"{block} / ({self.rows} * gridDim.x) * {self.rows}",
            names["group_rows"]: f"{left} < {self.rows} ? {left} : {self.rows}",
        }

    def _columns(self, names: dict[str, str]) -> dict[str, str]:
        inside, rows = f"{names['block_number']} % ({self.rows} * gridDim.x)", names["group_rows"]
        return {
            **self._groups(names),
            names["block_y"]: f"{names['group_first']} + {inside} % {rows}",
            names["block_x"]: f"{inside} / {rows}",
        }

    def _morton(self, names: dict[str, str]) -> dict[str, str]:
        """Square tiles of a full group in Morton order; what is left of the group column by column."""
        inside, rows, tile = names["in_group"], names["group_rows"], names["in_tile"]
        area = self.rows * self.rows
        full = f"{rows} == {self.rows} && {inside} < gridDim.x / {self.rows} * {area}"
        bits = range(self.rows.bit_length() - 1)
        x, y = (
            " | ".join(f"{tile} >> {bit + odd} & {1 << bit}" if bit + odd else f"{tile} & 1" for bit in bits)
            for odd in (0, 1)
        )
        return {
            **self._groups(names),
            inside: f"{names['block_number']} % ({self.rows} * gridDim.x)",
            tile: f"{inside} % {area}",
            names["block_y"]: f"{names['group_first']} + ({full} ? {y} : {inside} % {rows})",
            names["block_x"]: f"{full} ? {inside} / {area} * {self.rows} + ({x}) : {inside} / {rows}",
        }
