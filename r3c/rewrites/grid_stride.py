"""Grid-stride loops: a launch of any size covers all indices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit, Span
from r3c.rewrites._body import plain_body, returns_as_continue
from r3c.rewrites._index import index_declaration
from r3c.rewrites._kernel import kernel_sites, refuse_reshaping
from r3c.rewrites._text import indent_unit, line_indent, reindented, replaced
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_nodes import bare
from r3c.tree.analysis_scopes import Variable
from r3c.tree.nodes import Binary, Body, Name, Node
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class GridStride(Rewrite):
    """Loops from the thread's index in steps of the whole launch, so that `factor` times fewer threads do the work.

    Before:
        // r3c: kernel()
        __global__ void clear(float *a, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) a[i] = 0.0f;
        }
    Step:
        grid-stride{site=clear,factor=4}
    After:
        // r3c: kernel()
        __global__ void clear(float *a, int n) {
          for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
            if (i < n) a[i] = 0.0f;
          }
        }
    Refuses:
        what `block-shape` refuses without `geometry(cover)` along x; kernels whose first local is not the index along x
        under a bound that stays the same, or that use the index along x otherwise; returns from inside a loop.
    """

    factor: int = number(2, 4, 8, 16, 32)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        refuse_reshaping(self, region, "x")
        body = plain_body(self, region)
        statement, index = index_declaration(self, region, body)
        bound = self._bound(region, body, index)
        changes = returns_as_continue(self, region, body)
        source, unit = region.source, indent_unit(region.source)
        assert index.init is not None
        counter = f"{index.type_text.replace('const ', '')} {index.name}"
        start = source.slice(index.init.span)
        head = f"for ({counter} = {start}; {index.name} < {bound}; {index.name} += blockDim.x * gridDim.x) {{"
        indent = line_indent(source, statement.span.start)
        rest = Span(statement.span.end, body.span.end - 1)
        inner = replaced(source, rest, [c for c in changes if rest.contains(c[0])]).rstrip()
        text = (
            head + reindented(inner, indent, indent + unit) + f"\n{indent}}}\n" + line_indent(source, body.span.end - 1)
        )
        return [
            Edit(
                Span(statement.span.start, body.span.end - 1), text, f"grid-stride loop, {self.factor} indices a thread"
            )
        ]

    def _bound(self, region: KernelRegion, body: Body, index: Variable) -> str:
        """Text of the bound below which, and only below which, the index has an effect."""
        analysis = analyse(region)
        found: dict[str, Node] = {}
        for access in analysis.effects.of(body).accesses:
            own = access.variable is not None and access.variable.kind == "local"
            if own or not (access.memory or access.variable is None) or not access.writes:
                continue
            bounds = {b.text: b for b in self._bounds_of(region, access.node, index)}
            if not bounds:
                raise self.refuse(region, access.node, f"no condition `{index.name} < bound` guards this")
            found = bounds if not found else {text: b for text, b in found.items() if text in bounds}
        if not found:
            raise self.refuse(region, body, f"no one condition `{index.name} < bound` guards all effects")
        bound = next(iter(found.values()))
        self._check_bound(region, bound)
        return bound.text

    def _bounds_of(self, region: KernelRegion, node: Node, index: Variable) -> Iterator[Node]:
        """Bounds below which the index is known to lie wherever `node` runs."""
        for condition, holds in analyse(region).threads.known_conditions(node):
            yield from self._bounds_in(region, condition, holds, index)

    def _bounds_in(self, region: KernelRegion, condition: Node, holds: bool, index: Variable) -> Iterator[Node]:
        condition = bare(condition)
        if not isinstance(condition, Binary):
            return
        if condition.op == ("&&" if holds else "||"):
            yield from self._bounds_in(region, condition.left, holds, index)
            yield from self._bounds_in(region, condition.right, holds, index)
        left = bare(condition.left)
        compares = condition.op == ("<" if holds else ">=")
        if compares and isinstance(left, Name) and analyse(region).scopes.variable(left) is index:
            yield condition.right

    def _check_bound(self, region: KernelRegion, bound: Node) -> None:
        analysis = analyse(region)
        form = analysis.forms.of(bound)
        names = [n for n in bound.walk() if isinstance(n, Name)]
        variables = [analysis.scopes.variable(n) for n in names]
        if form is None or any(
            v is not None and (v.kind != "parameter" or analysis.forms.written(v)) for v in variables
        ):
            raise self.refuse(region, bound, "the bound is not made of parameters and constants")

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        each = plan.indices_per_thread
        return replace(plan, indices_per_thread=(each[0] * self.factor, each[1], each[2]))
