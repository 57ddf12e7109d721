"""From one row a thread to one row a warp: the loops over a row are spread over the lanes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from r3c.core.candidate import LaunchShape
from r3c.core.errors import RewriteRefused
from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit, Span
from r3c.rewrites._body import plain_body
from r3c.rewrites._index import index_declaration
from r3c.rewrites._kernel import kernel_sites, refuse_reshaping
from r3c.rewrites._lanes import LaneLoop, lane_loop
from r3c.rewrites._order import refuse_hidden
from r3c.rewrites._text import line_indent
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_effects import Access
from r3c.tree.nodes import Body, DeclStmt, Empty, ExprStmt, For, If, Loop, Node, PpLine, Return
from r3c.tree.regions import KernelRegion

WARP = 32
WHOLE = "0xffffffffu"


@dataclass(frozen=True)
class RowToWarp(Rewrite):
    """Lets the lanes of a warp, or groups of fewer, share the work of one thread; blocks then have `block` threads along x.

    Before:
        // r3c: kernel(rtol=1e-5)
        __global__ void rows(float *y, const float *a, int n, int w) {
          int row = blockIdx.x * blockDim.x + threadIdx.x;
          if (row >= n) return;
          float s = 0.0f;
          for (int j = 0; j < w; j++) {
            s += a[row * w + j];
          }
          y[row] = s;
        }
    Step:
        row-to-warp{site=rows,block=128}
    After:
        // r3c: kernel(rtol=1e-5)
        __global__ void rows(float *y, const float *a, int n, int w) {
          const int lane = threadIdx.x % 32;
          int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
          if (row >= n) return;
          float s = 0.0f;
          float s_lane = 0;
          for (int j = 0 + lane; j < w; j += 32) {
            s_lane += a[row * w + j];
          }
          for (int apart = 16; apart > 0; apart /= 2) s_lane += __shfl_xor_sync(0xffffffffu, s_lane, apart);
          s += s_lane;
          if (lane == 0) y[row] = s;
          __syncwarp();
        }
    Refuses:
        what `block-shape` refuses without `geometry(cover)` along x; indices along other axes; kernels without a loop whose
        iterations only form sums or extremes or write elements of their own; other loops that write memory.
    """

    block: int = number(128, 64, 256)
    lanes: int = number(32, 4, 8, 16)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        analysis = analyse(region)
        refuse_reshaping(self, region, "x")
        if analysis.threads.used_axes() != {"x"}:
            raise self.refuse(region, region.function, "it uses more axes than x")
        if self.block % WARP or not WARP <= self.block <= 1024:
            raise self.refuse(region, region.function, f"{self.block} threads a block are no whole number of warps")
        body = plain_body(self, region)
        statement, index = index_declaration(self, region, body)
        refuse_hidden(self, region, analysis.effects.of(body), atomics=True)
        assert index.init is not None
        lane = analysis.scopes.fresh("lane")
        mask = WHOLE if self.lanes == WARP else analysis.scopes.fresh("lanes")
        indent = line_indent(region.source, statement.span.start)
        lines = [f"const int {lane} = threadIdx.x % {self.lanes};"]
        if mask != WHOLE:
            lines.append(f"const unsigned {mask} = {hex((1 << self.lanes) - 1)}u << (threadIdx.x % {WARP} - {lane});")
        edits = [
            Edit(
                Span(body.span.start + 1, body.span.start + 1),
                "".join(f"\n{indent}{line}" for line in lines),
                f"{self.lanes} lanes a row",
            ),
            Edit(index.init.span, f"({index.init.text}) / {self.lanes}"),
        ]
        spread = _Spread(self, region, lane, mask)
        for part in body.statements:
            if part is not statement:
                edits += spread.statement(part)
        if not spread.loops:
            raise spread.refusal or self.refuse(region, body, "no loop in it can be spread over the lanes")
        return edits

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        shared = plan.threads_per_index
        return replace(
            plan, block=LaunchShape(self.block), threads_per_index=(shared[0] * self.lanes, shared[1], shared[2])
        )


class _Spread:
    """Edits of the statements of a kernel; every value outside a spread loop stays the same in all lanes."""

    def __init__(self, rewrite: RowToWarp, region: KernelRegion, lane: str, mask: str) -> None:
        self.rewrite = rewrite
        self.region = region
        self.lane = lane
        self.mask = mask
        self.wait = "__syncwarp();" if mask == WHOLE else f"__syncwarp({mask});"
        self.loops = 0
        self.refusal: RewriteRefused | None = None

    def statement(self, node: Node) -> Iterator[Edit]:
        if isinstance(node, Body):
            for part in node.statements:
                yield from self.statement(part)
        elif isinstance(node, If):
            self._refuse_atomics(node.cond)
            for branch in node.nodes[1:]:
                yield from self.statement(branch)
        elif isinstance(node, Loop):
            yield from self._loop(node)
        elif isinstance(node, ExprStmt):
            yield from self._expression(node)
        elif isinstance(node, DeclStmt):
            self._refuse_atomics(node)
        elif not isinstance(node, Return | PpLine | Empty):
            raise self.rewrite.refuse(self.region, node, "this kind of statement is not spread over lanes")

    def _refuse_atomics(self, node: Node) -> None:
        for access in self._outside(node):
            raise self.rewrite.refuse(self.region, access.node, "this writes memory and uses a value at once")

    def _outside(self, node: Node) -> list[Access]:
        """Writes to memory that other lanes see."""
        effects = analyse(self.region).effects.of(node)
        return [a for a in effects.accesses if a.writes and _is_seen(a)]

    def _expression(self, node: ExprStmt) -> Iterator[Edit]:
        if not self._outside(node):
            return
        written = analyse(self.region).effects.of(node).written_variables()
        if written:
            raise self.rewrite.refuse(self.region, node, "this writes memory and a local at once")
        start, end = node.span.start, node.span.end
        braces = ("{ ", " }") if not isinstance(node.parent, Body) else ("", "")
        yield Edit(Span(start, start), f"{braces[0]}if ({self.lane} == 0) ", "one lane writes")
        indent = line_indent(self.region.source, start)
        after = f" {self.wait}" if braces[0] else f"\n{indent}{self.wait}"
        yield Edit(Span(end, end), after + braces[1])

    def _loop(self, node: Loop) -> Iterator[Edit]:
        try:
            lanes = self.rewrite.lanes
            spread = lane_loop(self.rewrite, self.region, node, lanes, self.mask) if isinstance(node, For) else None
        except RewriteRefused as error:
            self.refusal = self.refusal or error
            if self._outside(node):
                raise
            spread = None
        if spread is not None:
            self.loops += 1
            yield from self._spread_edits(spread)
        elif self._outside(node):
            raise self.rewrite.refuse(self.region, node, "this loop writes memory and is no counted loop")

    def _spread_edits(self, spread: LaneLoop) -> Iterator[Edit]:
        indent = line_indent(self.region.source, spread.loop.node.span.start)
        if spread.sums:
            declared = "".join(f"{indent}{s.variable.type_text} {s.name} = {s.identity};\n" for s in spread.sums)
            yield Edit(spread.place, declared)
        yield from spread.head_edits(self.lane)
        lines = [line for s in spread.sums for line in s.joined()]
        if spread.writes:
            lines.append(self.wait)
        end = spread.loop.node.span.end
        if lines:
            yield Edit(
                Span(end, end), "".join(f"\n{indent}{line}" for line in lines), "spread over the lanes of a warp"
            )


def _is_seen(access: Access) -> bool:
    variable = access.variable
    if not access.memory and not access.atomic:
        return variable is None
    return variable is None or not (variable.is_array and variable.kind == "local")
