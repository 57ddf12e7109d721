"""A stencil's neighbourhood of a block, staged in a shared tile with its halo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from r3c.core.candidate import LaunchShape
from r3c.core.dims import Dimension
from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit, Span
from r3c.rewrites._body import plain_body
from r3c.rewrites._order import refuse_hidden
from r3c.rewrites._pointers import pointer_parameters, pointer_variable, subscripted_uses
from r3c.rewrites._staging import (
    AXES,
    block_dimensions,
    bytes_of,
    for_thread,
    is_staged_type,
    refuse_block,
    refuse_launch,
    refuse_too_large,
    settled_for,
    shadows,
)
from r3c.rewrites._stencil import Stencil, counters_around, plus
from r3c.rewrites._text import indent_unit, line_indent
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_dependence import DISTINCT
from r3c.tree.analysis_scopes import Variable
from r3c.tree.nodes import Body
from r3c.tree.regions import KernelRegion

RADIUS_MAX = 16


@dataclass(frozen=True)
class StageHalo(Rewrite):
    """Reads the elements around a block of `x` x `y` threads once into shared memory and takes neighbours from there.

    Before:
        // r3c: kernel()
        __global__ void blur(float *__restrict__ out, const float *__restrict__ in, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i > 0 && i < n - 1) {
            out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f;
          }
        }
    Step:
        stage-halo{site=blur/param:in,x=128,y=1}
    After:
        // r3c: kernel()
        __global__ void blur(float *__restrict__ out, const float *__restrict__ in, int n) {
          __shared__ float in_tile[130];
          const int block_x = blockIdx.x * 128;
          const int first_x = max(0, 1 - block_x);
          const int last_x = min(127, (n - 1) - 1 - block_x);
          for (int t = threadIdx.x; t < 130; t += 128) {
            const int tile_x = t;
            const int i = blockIdx.x * blockDim.x + tile_x;
            if (first_x <= last_x && (tile_x >= first_x && tile_x <= last_x + 2)) in_tile[t] = in[i - 1];
          }
          __syncthreads();
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i > 0 && i < n - 1) {
            out[i] = (in_tile[threadIdx.x] + in_tile[threadIdx.x + 1] + in_tile[threadIdx.x + 2]) / 3.0f;
          }
        }
    Refuses:
        what `block-shape` refuses without `geometry(cover)`; arrays that the kernel may write; arrays without two loads at
        fixed distances under one check that compares each index with bounds of its own.
    """

    x: int = number(16, 32, 64, 128, 256)
    y: int = number(1, 4, 8, 16)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return pointer_parameters(region)

    @classmethod
    def dimensions(cls, region: KernelRegion, site: str) -> tuple[Dimension, ...]:
        return block_dimensions(super().dimensions(region, site), region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        pointer = pointer_variable(self, region)
        analysis = analyse(region)
        if not is_staged_type(analysis.types.element(pointer)):
            raise self.refuse(region, pointer.node, f"`{pointer.name}` does not lead to numbers")
        body = plain_body(self, region)
        refuse_hidden(self, region, analysis.effects.of(body), atomics=True)
        for write in analysis.effects.of(body).accesses:
            outside = write.writes and (write.memory or write.atomic)
            if outside and analysis.memory.relation(write.variable, pointer) != DISTINCT:
                raise self.refuse(region, write.node, f"this may write what `{pointer.name}` leads to")
        uses = [load for load, _ in subscripted_uses(self, region, pointer)]
        refuse_block(self, region, self.x, self.y)
        stencil = Stencil.find(region, uses, self.y > 1)
        if stencil is None:
            why = f"no two loads of `{pointer.name}` lie at fixed distances from each other under the same simple check"
            raise self.refuse(region, pointer.node, why)
        extent = [stencil.extent(axis) for axis in AXES]
        if max(high - low for low, high in extent) > 2 * RADIUS_MAX:
            raise self.refuse(region, stencil.first.node, f"the halo is wider than {2 * RADIUS_MAX}")
        wide, tall = (size + high - low for size, (low, high) in zip((self.x, self.y), extent, strict=True))
        refuse_too_large(self, region, pointer.node, wide * tall * bytes_of(analysis.types.element(pointer)))
        return self._edits(region, body, pointer, stencil)

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        return replace(plan, block=LaunchShape(self.x, self.y))

    def check_launch(self, region: KernelRegion, launch: LaunchShape | None) -> None:
        refuse_launch(self, region, launch, LaunchShape(self.x, self.y))

    def _edits(self, region: KernelRegion, body: Body, pointer: Variable, stencil: Stencil) -> list[Edit]:
        analysis, source, flat = analyse(region), region.source, self.y == 1
        taken: set[str] = set()

        def fresh(base: str) -> str:
            name = analysis.scopes.fresh(base, taken)
            taken.add(name)
            return name

        array, t = fresh(f"{pointer.name}_tile"), fresh("t")
        names = {
            f"{word}_{axis}": fresh(f"{word}_{axis}") for word in ("block", "first", "last", "tile") for axis in AXES
        }
        (left, right), (top, bottom) = (stencil.extent(axis) for axis in AXES)
        wide, tall = self.x + right - left, self.y + bottom - top
        place = {"x": names["tile_x"], "y": names["tile_y"]}
        kind = analysis.types.element(pointer)
        dims = f"[{wide}]" if flat else f"[{tall}][{wide}]"
        lines = [f"__shared__ {kind} {array}{dims};"]
        lines += self._ranges(names, stencil)
        first = "threadIdx.x" if flat else f"threadIdx.y * {self.x} + threadIdx.x"
        unit = indent_unit(source)
        lines.append(f"for (int {t} = {first}; {t} < {wide * tall}; {t} += {self.x * self.y}) {{")
        column, row = (t, "0") if flat else (f"{t} % {wide}", f"{t} / {wide}")
        lines.append(f"{unit}const int {names['tile_x']} = {plus(column, left)};")
        if not flat:
            lines.append(f"{unit}const int {names['tile_y']} = {plus(row, top)};")
        own = stencil.first.node
        for loop in counters_around(analysis, own).values():
            if analysis.scopes.uses_in(loop.counter, own):
                lines.append(f"{unit}const {loop.counter.type_text} {loop.counter.name} = {loop.start.text};")
        lines += [unit + line for line in shadows(source, settled_for(analysis, [own.index]), place)]
        target = f"{array}[{t}]" if flat else f"{array}[{row}][{column}]"
        lines.append(f"{unit}if ({self._condition(names, stencil)}) {target} = {for_thread(source, own, place)};")
        lines += ["}", "__syncthreads();"]
        indent = line_indent(source, body.statements[0].span.start)
        at = Span(body.span.start + 1, body.span.start + 1)
        reason = f"`{pointer.name}` staged with a halo for blocks of {self.x} x {self.y}"
        edits = [Edit(at, "".join(f"\n{indent}{line}" for line in lines), reason)]
        for load in stencil.loads:
            x, y = load.offset["x"], load.offset["y"]
            above = "" if flat else y.subscript("y", top)
            edits.append(Edit(load.node.span, f"{array}{above}{x.subscript('x', left)}"))
        return edits

    def _ranges(self, names: dict[str, str], stencil: Stencil) -> Iterator[str]:
        """Which threads of the block read at all, along each axis."""
        for axis, size in zip(AXES, (self.x, self.y), strict=True):
            if axis == "y" and size == 1:
                continue
            block, found = names[f"block_{axis}"], stencil.ranges[axis]
            yield f"const int {block} = blockIdx.{axis} * {size};"
            for word, combine, start, bounds in (
                ("first", "max", "0", found.low),
                ("last", "min", str(size - 1), found.high),
            ):
                text = start
                for bound in bounds:
                    text = f"{combine}({text}, {bound} - {block})"
                yield f"const int {names[f'{word}_{axis}']} = {text};"

    def _condition(self, names: dict[str, str], stencil: Stencil) -> str:
        """Whether some thread of the block reads the element at `tile_x`, `tile_y`."""
        axes = AXES[: 1 if self.y == 1 else 2]
        some = " && ".join(f"{names[f'first_{a}']} <= {names[f'last_{a}']}" for a in axes)
        parts = []
        for band in stencil.bands():
            tests = []
            for axis in reversed(axes):
                (low, high), tile = band[axis], names[f"tile_{axis}"]
                tests.append(f"{tile} >= {plus(names[f'first_{axis}'], low)}")
                tests.append(f"{tile} <= {plus(names[f'last_{axis}'], high)}")
            parts.append(f"({' && '.join(tests)})")
        alternatives = " || ".join(parts)
        return f"{some} && {alternatives}" if len(parts) == 1 else f"{some} && ({alternatives})"
