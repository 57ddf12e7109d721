"""Several blocks' work done by one block, one after the other; what they add up is added to memory once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from r3c.core.dims import Dimension
from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit, Span
from r3c.rewrites._additive import additive_end
from r3c.rewrites._body import builtin_members, plain_body, returns_as_continue
from r3c.rewrites._kernel import kernel_sites
from r3c.rewrites._order import refuse_rounding
from r3c.rewrites._text import indent_unit, line_indent, reindented, replaced, whole_line
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_effects import Access
from r3c.tree.analysis_scopes import LOCAL, SHARED, Variable
from r3c.tree.analysis_threads import AXES
from r3c.tree.nodes import Body, DeclStmt, Member, Name, Node, Return
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class TilesPerBlock(Rewrite):
    """Gives each block the work of `count` blocks along an axis; sums over the threads of a block are formed once, at the end.

    Before:
        // r3c: kernel()
        __global__ void count(int *total, const int *a, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          int found = 0;
          if (i < n) found = a[i] > 3;
          for (int apart = 16; apart > 0; apart /= 2) found += __shfl_down_sync(0xffffffffu, found, apart);
          if (threadIdx.x % 32 == 0) atomicAdd(total, found);
        }
    Step:
        tiles-per-block{site=count,count=4,axis=x}
    After:
        // r3c: kernel()
        __global__ void count(int *total, const int *a, int n) {
          int found_sum = 0;
          for (int turn = 0; turn < 4; turn++) {
            const unsigned int tile = blockIdx.x * 4 + turn;
            int i = tile * blockDim.x + threadIdx.x;
            int found = 0;
            if (i < n) found = a[i] > 3;
            found_sum += found;
          }
          int found = found_sum;
          for (int apart = 16; apart > 0; apart /= 2) found += __shfl_down_sync(0xffffffffu, found, apart);
          if (threadIdx.x % 32 == 0) atomicAdd(total, found);
        }
    Refuses:
        kernels without a block index along the axis, with one used otherwise, or that use the number of blocks; reads and
        writes that are not under an upper bound on the index along it; returns with threads that wait for each other; a
        floating-point sum under an exact contract.
    """

    count: int = number(8, 2, 4, 16)
    axis: str = number("x", "y", "z")

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    @classmethod
    def dimensions(cls, region: KernelRegion, site: str) -> tuple[Dimension, ...]:
        used = [axis for axis in AXES if axis in analyse(region).threads.used_axes()] or ["x"]
        axes = tuple(reversed(used))
        return tuple(
            replace(d, values=axes, default=axes[0]) if d.name == "axis" else d
            for d in super().dimensions(region, site)
        )

    def apply(self, region: KernelRegion) -> list[Edit]:
        body = plain_body(self, region)
        self._check_indices(region, body)
        found = additive_end(region, body, self.axis)
        place, total = found if found is not None else (len(body.statements), None)
        head = list(body.statements[:place])
        while head and isinstance(head[0], DeclStmt) and head[0].declaration.is_shared:
            head.pop(0)
        if not head:
            raise self.refuse(region, body, "its body is empty")
        self._check_head(region, head, list(body.statements))
        if total is not None:
            refuse_rounding(self, region, total.node, total, "+")
        return self._edits(region, head, total)

    def _check_indices(self, region: KernelRegion, body: Body) -> None:
        if not builtin_members(body, "blockIdx", self.axis):
            raise self.refuse(region, region.function, f"it has no block index along {self.axis}")
        for member in builtin_members(body, "gridDim", self.axis):
            raise self.refuse(region, member, f"it depends on the number of blocks along {self.axis}")
        for node in body.walk():
            if isinstance(node, Name) and node.text in ("blockIdx", "gridDim") and not isinstance(node.parent, Member):
                raise self.refuse(region, node, f"{node.text} is used as a whole")

    def _check_head(self, region: KernelRegion, head: list[Node], whole: list[Node]) -> None:
        analysis = analyse(region)
        effects = analysis.effects.of(*head)
        for node in effects.unknown:
            raise self.refuse(region, node, "what this does is not known")
        together = [*analysis.effects.of(*whole).barriers, *analysis.effects.of(*whole).warp]
        for jump in effects.jumps if together else []:
            if isinstance(jump, Return):
                raise self.refuse(region, jump, "a thread that returns here would be missed by those that wait for it")
        for access in effects.accesses:
            variable = access.variable
            if variable is not None and variable.is_volatile:
                raise self.refuse(region, access.node, f"`{variable.name}` is volatile")
            if _is_elsewhere(access) and not analysis.threads.is_bounded(access.node, self.axis):
                why = f"this is not under an upper bound on the {self.axis} index, which a last block may pass"
                raise self.refuse(region, access.node, why)

    def _edits(self, region: KernelRegion, head: list[Node], total: Variable | None) -> list[Edit]:
        source, scopes, unit = region.source, analyse(region).scopes, indent_unit(region.source)
        tile, turn = scopes.fresh("tile"), scopes.fresh("turn")
        span = Span(head[0].span.start, head[-1].span.end)
        indent = line_indent(source, span.start)
        shared = [s for s in head if isinstance(s, DeclStmt) and s.declaration.is_shared]
        changes = [(m.span, tile) for s in head for m in builtin_members(s, "blockIdx", self.axis)]
        changes += [(whole_line(source, s.span), "") for s in shared]
        for statement in head:
            changes += returns_as_continue(self, region, statement)
        changes = [c for c in changes if span.contains(c[0])]
        inner = reindented(replaced(source, span, changes), indent, indent + unit)
        lines = [s.text for s in shared]
        after = []
        if total is not None:
            name = scopes.fresh(f"{total.name}_sum")
            lines.append(f"{total.type_text} {name} = 0;")
            inner += f"\n{indent}{unit}{name} += {total.name};"
            after.append(f"{total.type_text} {total.name} = {name};")
        if any(
            a.variable is not None and a.variable.kind == SHARED for a in analyse(region).effects.of(*head).accesses
        ):
            inner += f"\n{indent}{unit}__syncthreads();"
        lines += [
            f"for (int {turn} = 0; {turn} < {self.count}; {turn}++) {{",
            f"{unit}const unsigned int {tile} = blockIdx.{self.axis} * {self.count} + {turn};",
        ]
        text = f"\n{indent}".join(lines) + f"\n{indent}{unit}{inner.lstrip()}"
        text += "".join(f"\n{indent}{line}" for line in ["}", *after])
        return [Edit(span, text, f"{self.count} blocks' work a block")]

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        each = [
            n * (self.count if axis == self.axis else 1) for n, axis in zip(plan.indices_per_thread, AXES, strict=True)
        ]
        return replace(plan, indices_per_thread=(each[0], each[1], each[2]))


def _is_elsewhere(access: Access) -> bool:
    """Whether an access may leave the memory of the block."""
    variable = access.variable
    if variable is None:
        return access.writes or access.memory
    own = variable.kind == SHARED or (variable.is_array and variable.kind == LOCAL)
    return access.memory and (variable.is_pointer or not own)
