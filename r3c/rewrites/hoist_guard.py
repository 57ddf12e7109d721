"""A bound check of every iteration asked once before a short loop."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._loops import counted, counter_type, declared_counter, loop_sites, refuse_pragma, upward
from r3c.rewrites._order import varies_in
from r3c.rewrites._text import can_be_expanded, expanded, in_braces, indent_unit, line_indent, reindented, replaced
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_nodes import bare
from r3c.tree.analysis_types import is_integer_type, is_unsigned_type
from r3c.tree.nodes import Binary, Body, Continue, DeclStmt, If, Node
from r3c.tree.regions import KernelRegion

TRIP_MAX = 16
_TURNED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@dataclass(frozen=True)
class HoistGuard(Rewrite):
    """Runs a short loop without the upper bound that each iteration checks, where the last iteration keeps it.

    Before:
        // r3c: kernel()
        __global__ void clear(float *a, int n) {
          int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
          for (int k = 0; k < 4; k++) {
            if (first + k < n) a[first + k] = 0.0f;
          }
        }
    Step:
        hoist-guard{site=clear/loop:k}
    After:
        // r3c: kernel()
        __global__ void clear(float *a, int n) {
          int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
          if (first + 3 < n) {
            for (int k = 0; k < 4; k++) {
              a[first + k] = 0.0f;
            }
          } else {
            for (int k = 0; k < 4; k++) {
              if (first + k < n) a[first + k] = 0.0f;
            }
          }
        }
    Refuses:
        loops that do not run a known number of times, at most 16; bodies that do not begin, after declarations, with a check
        `index < bound` whose index grows with the counter and whose bound stays the same.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = counted(self, region)
        step = upward(self, region, loop)
        counter_type(self, region, loop)
        declared_counter(self, region, loop)
        refuse_pragma(self, region, loop)
        start = analyse(region).forms.value(loop.start)
        if loop.trip is None or not 2 <= loop.trip <= TRIP_MAX or start is None:
            raise self.refuse(region, loop.node, f"it does not run a known number of times from 2 to {TRIP_MAX}")
        check, holds = self._check(region, loop)
        condition = self._comparison(region, loop, bare(check.cond), holds)
        last = start + step * (loop.trip - 1)
        left, right = (expanded(region.source, p, analyse(region), loop, str(last)) for p in condition.nodes)
        asked = f"{left} {condition.op if holds else _TURNED[condition.op]} {right}"
        outer, unit = line_indent(region.source, loop.node.span.start), indent_unit(region.source)
        bodies = [self._without(region, loop, check), loop.node.text]
        fast, safe = (reindented(text, outer, outer + unit) for text in bodies)
        text = f"if ({asked}) {{\n{outer}{unit}{fast}\n{outer}}} else {{\n{outer}{unit}{safe}\n{outer}}}"
        return [Edit(loop.node.span, in_braces(loop.node, text), f"the check of `{loop.counter.name}` asked once")]

    def _check(self, region: KernelRegion, loop: Loop) -> tuple[If, bool]:
        """The check and whether iterations go on where it is true."""
        for statement in loop.statements:
            if isinstance(statement, If) and statement.otherwise is None:
                then = statement.then
                if isinstance(then, Body) and len(then.statements) == 1:
                    then = then.statements[0]
                if isinstance(then, Continue):
                    return statement, False
                if statement is loop.statements[-1]:
                    return statement, True
            effects = analyse(region).effects.of(statement)
            if not isinstance(statement, DeclStmt) or effects.memory or effects.unknown:
                raise self.refuse(region, statement, "this runs before the check, or there is none")
        raise self.refuse(region, loop.body, "no iteration begins with a check")

    def _comparison(self, region: KernelRegion, loop: Loop, condition: Node, holds: bool) -> Binary:
        """The check, an upper bound that the last iteration keeps only if all do."""
        analysis = analyse(region)
        compare = condition.op if isinstance(condition, Binary) else ""
        if not isinstance(condition, Binary) or compare not in _TURNED:
            raise self.refuse(region, condition, "the check is not one comparison")
        compare = compare if holds else _TURNED[compare]
        sides = (condition.left, condition.right) if compare in ("<", "<=") else (condition.right, condition.left)
        low, high = (analysis.forms.of(side) for side in sides)
        factor = low.coefficient(loop.atom) if low is not None else None
        grows = factor is not None and factor.value is not None and factor.value > 0
        varies = varies_in(analysis, loop.node)
        moving = [n for form in (low, high) if form is not None for n in form.names - {loop.atom} if varies(n)]
        known = can_be_expanded(condition, analysis, loop)
        if not grows or high is None or loop.atom in high.names or moving or not known:
            raise self.refuse(
                region, condition, "the check is not an upper bound on an index that grows with the counter"
            )
        kinds = [analysis.types.of(side) for side in sides]
        if any(is_unsigned_type(kind) or not is_integer_type(kind) for kind in kinds):
            raise self.refuse(region, condition, "the index or its bound is not known to be signed and may wrap around")
        return condition

    def _without(self, region: KernelRegion, loop: Loop, check: If) -> str:
        """The loop without the check."""
        source, then = region.source, check.then
        inside = then.statements if isinstance(then, Body) else [then]
        if isinstance(inside[0], Continue):
            line, _ = source.line_column(check.span.start)
            whole = Span(source.line_starts[line - 1], check.span.end)
            alone = not source.text[whole.start : check.span.start].strip() and source.text[whole.end :].startswith(
                "\n"
            )
            gone = Span(whole.start, whole.end + 1) if alone else check.span
            return replaced(source, loop.node.span, [(gone, "")])
        if isinstance(then, Body) and inside and check.parent is loop.body:
            text = source.slice(Span(inside[0].span.start, inside[-1].span.end))
            old, new = (line_indent(source, node.span.start) for node in (inside[0], check))
            return replaced(source, loop.node.span, [(check.span, reindented(text, old, new))])
        return replaced(source, loop.node.span, [(Span(check.span.start, then.span.start), "")])
