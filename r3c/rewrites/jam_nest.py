"""Several iterations of an outer loop share all the loops inside it: what does not depend on the outer loop is done once."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._loops import counted, counter_type, declared_counter, loop_sites, refuse_jumps, refuse_pragma
from r3c.rewrites._order import (
    conflicts_between,
    head_span,
    reduction_operator,
    refuse_hidden,
    refuse_rounding,
    varies_in,
    written_outside,
)
from r3c.rewrites._text import indent_unit, line_indent, reindented, replaced, use_changes
from r3c.rewrites._unrolled import copy_names
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_effects import Access
from r3c.tree.analysis_loops import Loop, NotCounted
from r3c.tree.analysis_nodes import bare, names_in
from r3c.tree.analysis_scopes import LOCAL, Variable
from r3c.tree.nodes import Assign, Body, DeclStmt, Empty, ExprStmt, For, InitDeclarator, Node
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class JamNest(Rewrite):
    """Runs `factor` iterations of a loop together through the loops inside it, whose bodies only form sums.

    Before:
        // r3c: kernel(rtol=1e-5)
        __global__ void sums(float *y, const float *a, const float *b, int n, int w) {
          float s[1];
          s[0] = 0.0f;
          for (int i = blockIdx.x; i < n; i += gridDim.x) {
            float f = a[i];
            for (int j = 0; j < w; j++) {
              s[0] += f * expf(b[j]);
            }
          }
          atomicAdd(y, s[0]);
        }
    Step:
        jam-nest{site=sums/loop:i,factor=2}
    After:
        // r3c: kernel(rtol=1e-5)
        __global__ void sums(float *y, const float *a, const float *b, int n, int w) {
          float s[1];
          s[0] = 0.0f;
          {
            int i = blockIdx.x;
            for (; i + (int)(gridDim.x) < n; i += 2 * (int)(gridDim.x)) {
              float f = a[i];
              float f_1 = a[(i + (int)(gridDim.x))];
              for (int j = 0; j < w; j++) {
                {
                  s[0] += f * expf(b[j]);
                }
                {
                  s[0] += f_1 * expf(b[j]);
                }
              }
            }
            for (; i < n; i += gridDim.x) {
              float f = a[i];
              for (int j = 0; j < w; j++) {
                s[0] += f * expf(b[j]);
              }
            }
          }
          atomicAdd(y, s[0]);
        }
    Refuses:
        loops that do not count up with an int, leave early or stand without braces; bodies that are not plain statements
        around one loop whose head stays the same; values handed on otherwise than as sums, products or extremes; memory
        that two iterations may share and one writes.
    """

    factor: int = number(4, 2, 8, 16)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = counted(self, region)
        if counter_type(self, region, loop) != "int" or not loop.is_upward or (loop.step is not None and loop.step < 1):
            raise self.refuse(region, loop.node, "it does not count up with an int")
        declared_counter(self, region, loop)
        refuse_jumps(self, region, loop)
        refuse_pragma(self, region, loop)
        if not isinstance(loop.node.parent, Body):
            raise self.refuse(region, loop.node, "it stands without braces, so nothing can be put beside it")
        if self._inner(region, loop, loop.statements) is None:
            raise self.refuse(region, loop.body, "no single loop stands in it whose head stays the same")
        self._check_order(region, loop)
        return [
            Edit(
                loop.node.span, self._text(region, loop), f"{self.factor} iterations of `{loop.counter.name}` together"
            )
        ]

    # --- legality ---------------------------------------------------------------------------------------------------

    def _inner(self, region: KernelRegion, loop: Loop, statements: list[Node]) -> Loop | None:
        """The only loop among plain `statements`, if its head is the same in all iterations of `loop`."""
        if any(not isinstance(s, ExprStmt | DeclStmt | For | Empty) for s in statements):
            return None
        inside = [s for s in statements if isinstance(s, For)]
        inner = analyse(region).loops.read(inside[0]) if len(inside) == 1 else None
        if inner is None or isinstance(inner, NotCounted) or not inner.declares:
            return None
        scopes, varies = analyse(region).scopes, varies_in(analyse(region), loop.node)
        for part in (inner.start, inner.bound, inner.step_node):
            for name in names_in(part) if part is not None else ():
                variable = scopes.variable(name)
                if variable is not None and varies(variable.unique):
                    return None
            if part is not None and analyse(region).effects.of(part).memory:
                return None
        return inner

    def _check_order(self, region: KernelRegion, loop: Loop) -> None:
        analysis = analyse(region)
        effects = analysis.effects.of(loop.node)
        refuse_hidden(self, region, effects)
        for variable in written_outside(analysis, loop):
            operator = reduction_operator(analysis, loop.body, variable) if variable.is_scalar else None
            place = next(a.node for a in effects.accesses if a.variable is variable and a.writes)
            if operator is None:
                raise self.refuse(region, place, f"`{variable.name}` is handed from one iteration to the next")
            refuse_rounding(self, region, place, variable, operator)
        for variable in analysis.scopes.declared_in(loop.body):
            if variable.is_array or variable.is_reference or variable.is_static or variable.is_volatile:
                raise self.refuse(region, variable.node, f"`{variable.name}` is not a plain local")
        sums = self._summed_arrays(region, loop)
        others = [a for a in effects.memory if a.variable not in sums]
        for conflict in conflicts_between(analysis, others, others, loop):
            if conflict.distance != 0:
                raise self.refuse(
                    region, conflict.second.node, f"another iteration's `{conflict.first.node.text}` may meet this"
                )

    def _summed_arrays(self, region: KernelRegion, loop: Loop) -> set[Variable]:
        """Arrays of the thread to whose elements the loop only adds."""
        analysis = analyse(region)
        by_variable: dict[Variable, list[Access]] = {}
        for access in analysis.effects.of(loop.body).memory:
            variable = access.variable
            if variable is not None and variable.is_array and variable.kind == LOCAL:
                by_variable.setdefault(variable, []).append(access)
        out = set()
        for variable, accesses in by_variable.items():
            if all(self._adds(access) for access in accesses):
                refuse_rounding(self, region, accesses[0].node, variable, "+")
                out.add(variable)
        return out

    @staticmethod
    def _adds(access: Access) -> bool:
        above = access.node.parent
        target = isinstance(above, Assign) and bare(above.target) is access.node and above.op in ("+=", "-=")
        return target and isinstance(above.parent, ExprStmt) if above is not None else False

    # --- text -------------------------------------------------------------------------------------------------------

    def _text(self, region: KernelRegion, loop: Loop) -> str:
        source, unit = region.source, indent_unit(region.source)
        outer = line_indent(source, loop.node.span.start)
        deep, counter = outer + unit, loop.counter.name
        stride = str(loop.step) if loop.step_node is None or loop.step is not None else f"(int)({loop.step_node.text})"
        cond, step = source.slice(loop.node.cond.span), source.slice(loop.node.step.span)  # type: ignore[union-attr]
        last = self.factor - 1
        if loop.step is not None:
            reach, by = str(last * loop.step), str(self.factor * loop.step)
        else:
            reach, by = stride if last == 1 else f"{last} * {stride}", f"{self.factor} * {stride}"
        head = f"for (; {counter} + {reach} {loop.compare} {source.slice(loop.bound.span)}; {counter} += {by})"
        body = self._jammed(region, loop, loop.statements, [], stride, deep)
        rest = reindented(source.slice(loop.body.span), outer, deep)
        return (
            f"{{\n{deep}{loop.counter.type_text} {counter} = {source.slice(loop.start.span)};\n{deep}{head} {{{body}\n{deep}}}"
            f"\n{deep}for (; {cond}; {step}) {rest}\n{outer}}}"
        )

    def _jammed(
        self, region: KernelRegion, loop: Loop, statements: list[Node], own: list[Variable], stride: str, indent: str
    ) -> str:
        """Lines of a body in which every statement stands for all iterations, and the loop among them is shared."""
        source, unit, inner = region.source, indent_unit(region.source), self._inner(region, loop, statements)
        deep = indent + unit
        if inner is None:
            copies = [[self._copy(region, loop, s, own, i, stride, deep + unit) for s in statements] for i in self._all]
            return "".join(
                f"\n{deep}{{" + "".join(f"\n{deep}{unit}{text}" for text in copy) + f"\n{deep}}}" for copy in copies
            )
        declared = [v for s in statements if isinstance(s, DeclStmt) for v in analyse(region).scopes.declared_in(s)]
        lines = []
        for statement in statements:
            if statement is inner.node:
                body = self._jammed(region, loop, inner.statements, own + declared, stride, deep)
                lines.append(f"{source.slice(head_span(inner))} {{{body}\n{deep}}}")
            else:
                lines += [self._copy(region, loop, statement, own + declared, i, stride, deep) for i in self._all]
        return "".join(f"\n{deep}{line}" for line in lines)

    @property
    def _all(self) -> range:
        return range(self.factor)

    def _copy(
        self, region: KernelRegion, loop: Loop, node: Node, own: list[Variable], index: int, stride: str, indent: str
    ) -> str:
        """Text of `node` for the iteration `index` further on, the locals of the loops around it renamed."""
        old = line_indent(region.source, node.span.start)
        if not index:
            return reindented(region.source.slice(node.span), old, indent)
        scopes = analyse(region).scopes
        names = copy_names(region, own, self.factor)[index]
        changes: list[tuple[Span, str]] = use_changes(node, scopes, names)
        for variable, name in names.items():
            if node.span.contains(variable.node.span) and isinstance(variable.node, InitDeclarator):
                token = next(t for t in variable.node.nodes[0].tokens() if t.kind == "ID")
                changes.append((Span(token.start, token.start + len(variable.name)), name))
        if loop.step is not None:
            stride, index = str(index * loop.step), 1
        offset = stride if index == 1 else f"{index} * {stride}"
        changes += [(use.span, f"({loop.counter.name} + {offset})") for use in scopes.uses_in(loop.counter, node)]
        return reindented(replaced(region.source, node.span, changes), old, indent)
