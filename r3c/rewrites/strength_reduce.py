"""Subscripts that move by a fixed amount, added up instead of multiplied out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import place_before
from r3c.rewrites._expressions import divides_integers
from r3c.rewrites._loops import counted, counter_type, declared_counter, loop_sites, refuse_jumps
from r3c.rewrites._order import varies_in
from r3c.rewrites._text import indent_unit, line_indent, operand, uses_replaced
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_poly import Poly
from r3c.tree.nodes import Body, Index, Literal, Node
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class StrengthReduce(Rewrite):
    """Keeps a subscript of the form `counter * stride + rest` in a variable and adds the stride after each iteration.

    Before:
        // r3c: kernel()
        __global__ void column(float *out, const float *a, int n, int w) {
          float s = 0.0f;
          for (int i = 0; i < n; i++) {
            s += a[i * w + threadIdx.x];
          }
          out[threadIdx.x] = s;
        }
    Step:
        strength-reduce{site=column/loop:i}
    After:
        // r3c: kernel()
        __global__ void column(float *out, const float *a, int n, int w) {
          float s = 0.0f;
          auto place = 0 * w + threadIdx.x;
          for (int i = 0; i < n; i++) {
            s += a[place];
            place += w;
          }
          out[threadIdx.x] = s;
        }
    Refuses:
        loops that are not counted loops in steps of 1, bodies that leave early or stand without braces, loops without a
        subscript that is a product of the counter and a value that stays the same.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = counted(self, region)
        kind = counter_type(self, region, loop)
        declared_counter(self, region, loop)
        refuse_jumps(self, region, loop, allow_return=True)
        if loop.step != 1:
            raise self.refuse(region, loop.node, "it does not count in steps of 1")
        body = loop.body
        if not isinstance(body, Body) or not body.statements:
            raise self.refuse(region, body, "its body stands without braces")
        chosen, stride = self._best(region, loop)
        place, indent = place_before(self, region, loop.node)
        analysis = analyse(region)
        name = analysis.scopes.fresh("place")
        start = operand(loop.start.text, loop.start)
        if analysis.types.of(loop.start) != kind:
            start = f"({loop.counter.base_type})({loop.start.text})"
        first = uses_replaced(region.source, chosen[0], analysis.scopes, {loop.counter: start})
        last = body.statements[-1].span.end
        inner = line_indent(region.source, body.statements[-1].span.start)
        inner = (
            inner
            if "\n" in body.text
            else line_indent(region.source, loop.node.span.start) + indent_unit(region.source)
        )
        reason = f"`{chosen[0].text}` grows by `{stride}`"
        edits = [Edit(place, f"{indent}auto {name} = {first};\n", reason)]
        edits += [Edit(node.span, name) for node in chosen]
        return [*edits, Edit(Span(last, last), f"\n{inner}{name} += {stride};")]

    def _best(self, region: KernelRegion, loop: Loop) -> tuple[list[Node], str]:
        analysis = analyse(region)
        varies = varies_in(analysis, loop.node)
        groups: dict[Poly, list[Node]] = {}
        strides: dict[Poly, str] = {}
        for node in loop.body.walk():
            if not isinstance(node, Index):
                continue
            form = analysis.forms.of(node.index)
            stride = form.coefficient(loop.atom) if form is not None else None
            if form is None or stride is None or stride.value is not None:
                continue
            if any(varies(name) for name in form.names - {loop.atom}) or not self._is_written_out(
                region, loop, node.index
            ):
                continue
            text = self._stride_text(stride)
            if text and not divides_integers(node.index, analysis):
                groups.setdefault(form, []).append(node.index)
                strides[form] = text
        if not groups:
            raise self.refuse(region, loop.node, "no subscript in it is the counter times a value that stays the same")
        counts = Counter({form: len(nodes) for form, nodes in groups.items()})
        best = max(groups, key=lambda form: (counts[form], -groups[form][0].span.start))
        return groups[best], strides[best]

    def _is_written_out(self, region: KernelRegion, loop: Loop, node: Node) -> bool:
        """Whether the subscript itself names the counter, not through a local declared in the body."""
        scopes = analyse(region).scopes
        if isinstance(node, Literal) or not scopes.uses_in(loop.counter, node):
            return False
        declared = {v.unique for v in scopes.declared_in(loop.body)}
        used = {v.unique for v in scopes.variables for _ in scopes.uses_in(v, node)}
        return not (declared & used)

    def _stride_text(self, stride: Poly) -> str:
        """The stride as text, where it is one product of names."""
        if len(stride.terms) != 1:
            return ""
        monomial, coefficient = stride.terms[0]
        if coefficient < 1 or any(atom.args for atom in monomial):
            return ""
        factors = [str(atom) for atom in monomial]
        return " * ".join(([str(coefficient)] if coefficient != 1 else []) + factors)
