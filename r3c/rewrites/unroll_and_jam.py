"""Unroll and jam: several iterations of an outer loop share one pass of its inner loop."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._loops import (
    counted,
    counter_type,
    declared_counter,
    loop_sites,
    refuse_jumps,
    refuse_pragma,
    refuse_unordered_bounds,
    upward,
)
from r3c.rewrites._order import conflicts_between, head_span, refuse_hidden, varies_in, written_outside
from r3c.rewrites._text import in_braces, indent_unit, line_indent, reindented, replaced, use_changes
from r3c.rewrites._unrolled import copy_names, main_head, needs_rest, rest_loop
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop, NotCounted
from r3c.tree.analysis_nodes import names_in
from r3c.tree.analysis_scopes import Variable
from r3c.tree.nodes import Body, DeclStmt, Empty, ExprStmt, For, Index, Node
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class UnrollAndJam(Rewrite):
    """Runs `factor` iterations of a loop together: what stands around its inner loop is copied, the inner loop is shared.

    Before:
        // r3c: kernel()
        __global__ void rows(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
          for (int i = 0; i < h; i++) {
            float s = 0.0f;
            for (int j = 0; j < w; j++) {
              s += a[i * w + j] * x[j];
            }
            y[i] = s;
          }
        }
    Step:
        unroll-and-jam{site=rows/loop:i,factor=2}
    After:
        // r3c: kernel()
        __global__ void rows(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
          for (int i = 0; i + 1 < h; i += 2) {
            float s = 0.0f;
            float s_1 = 0.0f;
            for (int j = 0; j < w; j++) {
              {
                s += a[i * w + j] * x[j];
              }
              {
                s_1 += a[(i + 1) * w + j] * x[j];
              }
            }
            y[i] = s;
            y[i + 1] = s_1;
          }
          for (int i = h / 2 * 2; i < h; i++) {
            float s = 0.0f;
            for (int j = 0; j < w; j++) {
              s += a[i * w + j] * x[j];
            }
            y[i] = s;
          }
        }
    Refuses:
        what `unroll` in the text refuses; bodies that are not plain statements around one inner loop whose bounds stay the
        same; values handed from one iteration to the next; memory that two iterations may share and one writes.
    """

    factor: int = number(2, 4)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = counted(self, region)
        step = upward(self, region, loop)
        counter_type(self, region, loop)
        inner = self._inner(region, loop)
        for one in (loop, inner):
            declared_counter(self, region, one)
            refuse_jumps(self, region, one)
            refuse_pragma(self, region, one)
        refuse_unordered_bounds(self, region, loop)
        if self.factor < 2 or (loop.trip is not None and loop.trip < self.factor):
            raise self.refuse(region, loop.node, f"the loop does not run {self.factor} times")
        self._check_order(region, loop)
        indent = line_indent(region.source, loop.node.span.start)
        text = f"{main_head(region, loop, step, self.factor)} {self._jammed(region, loop, inner, step)}"
        if needs_rest(loop, self.factor):
            text = in_braces(loop.node, f"{text}\n{indent}{rest_loop(region, loop, step, self.factor)}")
        return [Edit(loop.node.span, text, f"{self.factor} iterations of `{loop.counter.name}` together")]

    def _inner(self, region: KernelRegion, loop: Loop) -> Loop:
        inside = [s for s in loop.statements if isinstance(s, For)]
        for statement in loop.statements:
            if not isinstance(statement, ExprStmt | DeclStmt | For | Empty):
                raise self.refuse(region, statement, "the body is more than plain statements around one inner loop")
        if len(inside) != 1:
            raise self.refuse(region, loop.body, "the body does not hold exactly one inner loop")
        inner = analyse(region).loops.read(inside[0])
        if isinstance(inner, NotCounted):
            raise self.refuse(region, inner.node, inner.why)
        scopes, varies = analyse(region).scopes, varies_in(analyse(region), loop.node)
        for part in (inner.start, inner.bound, inner.step_node):
            for name in names_in(part) if part is not None else ():
                variable = scopes.variable(name)
                if variable is not None and varies(variable.unique):
                    raise self.refuse(
                        region,
                        name,
                        f"the inner loop's head depends on `{variable.name}`, which the outer loop changes",
                    )
            if part is not None and analyse(region).effects.of(part).memory:
                raise self.refuse(region, part, "the inner loop's head reads memory")
        return inner

    def _check_order(self, region: KernelRegion, loop: Loop) -> None:
        analysis = analyse(region)
        effects = analysis.effects.of(loop.node)
        refuse_hidden(self, region, effects)
        for variable in written_outside(analysis, loop):
            place = next(a.node for a in effects.accesses if a.variable is variable and a.writes)
            raise self.refuse(region, place, f"`{variable.name}` is handed from one iteration to the next")
        for variable in analysis.scopes.declared_in(loop.body):
            if variable.is_array or variable.is_reference or variable.is_static or variable.is_volatile:
                raise self.refuse(region, variable.node, f"`{variable.name}` is not a plain local")
        for conflict in conflicts_between(analysis, effects.memory, effects.memory, loop):
            if conflict.distance != 0:
                raise self.refuse(
                    region, conflict.second.node, f"another iteration's `{conflict.first.node.text}` may meet this"
                )

    def _jammed(self, region: KernelRegion, loop: Loop, inner: Loop, step: int) -> str:
        source = region.source
        outer, unit = line_indent(source, loop.node.span.start), indent_unit(source)
        own = [v for v in analyse(region).scopes.declared_in(loop.body) if not inner.node.span.contains(v.node.span)]
        lines: list[str] = []
        for statement in loop.statements:
            if statement is not inner.node:
                lines += [self._copy(region, loop, statement, own, index, step) for index in range(self.factor)]
                continue
            old = line_indent(source, inner.node.span.start)
            parts = [self._copy(region, loop, inner.body, own, index, step) for index in range(self.factor)]
            parts = [p if isinstance(inner.body, Body) else "{ " + p + " }" for p in parts]
            deep = outer + unit + unit
            block = "".join(f"\n{deep}{reindented(p, old, deep)}" for p in parts)
            lines.append(f"{source.slice(head_span(inner))} {{{block}\n{outer}{unit}}}")
        return "{" + "".join(f"\n{outer}{unit}{line}" for line in lines) + f"\n{outer}}}"

    def _copy(self, region: KernelRegion, loop: Loop, node: Node, own: list[Variable], index: int, step: int) -> str:
        """Text of `node` for the iteration `index` further on, its own locals renamed."""
        if not index:
            return region.source.slice(node.span)
        scopes = analyse(region).scopes
        names = copy_names(region, own, self.factor)[index]
        changes: list[tuple[Span, str]] = use_changes(node, scopes, names)
        for variable, name in names.items():
            if node.span.contains(variable.node.span):
                start = _declared_at(variable)
                changes.append((Span(start, start + len(variable.name)), name))
        offset = index * step
        for use in scopes.uses_in(loop.counter, node):
            alone = isinstance(use.parent, Index) and use.parent.index is use
            text = f"{loop.counter.name} + {offset}"
            changes.append((use.span, text if alone else f"({text})"))
        return replaced(region.source, node.span, changes)


def _declared_at(variable: Variable) -> int:
    """Offset of the name in its declaration."""
    declarator = variable.node.nodes[0]
    token = next(t for t in declarator.tokens() if t.kind == "ID")
    return token.start
