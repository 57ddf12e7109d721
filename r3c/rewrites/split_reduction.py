"""Several accumulators for one sum, so that its additions do not wait for each other."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._body import place_before
from r3c.rewrites._loops import loop_sites, refuse_pragma, refuse_unordered_bounds, simple_loop
from r3c.rewrites._order import reduction_operator, refuse_hidden, refuse_rounding, written_outside
from r3c.rewrites._text import indent_unit, line_indent, reindented, replaced, use_changes
from r3c.rewrites._unrolled import counter_changes, main_head, rest_loop
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_scopes import Variable
from r3c.tree.nodes import Body
from r3c.tree.regions import KernelRegion

IDENTITY = {"+": "0", "*": "1", "|": "0", "^": "0"}


@dataclass(frozen=True)
class SplitReduction(Rewrite):
    """Sums `ways` interleaved parts of a loop separately and adds them up after it.

    Before:
        // r3c: kernel(rtol=1e-5)
        __global__ void sum(float *out, const float *a, int n) {
          float s = 0.0f;
          for (int i = 0; i < n; i++) {
            s += a[i];
          }
          *out = s;
        }
    Step:
        split-reduction{site=sum/loop:i,ways=2}
    After:
        // r3c: kernel(rtol=1e-5)
        __global__ void sum(float *out, const float *a, int n) {
          float s = 0.0f;
          float s_1 = 0;
          for (int i = 0; i + 1 < n; i += 2) {
            {
              s += a[i];
            }
            {
              s_1 += a[i + 1];
            }
          }
          s += s_1;
          for (int i = n / 2 * 2; i < n; i++) {
            s += a[i];
          }
          *out = s;
        }
    Refuses:
        what `unroll` in the text refuses; bodies that hand on any value other than one sum or product; a floating-point sum
        under an exact contract.
    """

    ways: int = number(2, 4, 8)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop, step = simple_loop(self, region)
        refuse_hidden(self, region, analyse(region).effects.of(loop.node))
        refuse_pragma(self, region, loop)
        refuse_unordered_bounds(self, region, loop)
        if self.ways < 2 or (loop.trip is not None and loop.trip < 2 * self.ways):
            raise self.refuse(region, loop.node, f"the loop runs too few times for {self.ways} sums")
        variable, operator = self._accumulator(region, loop)
        place, indent = place_before(self, region, loop.node)
        kind = variable.type_text
        names = [analyse(region).scopes.fresh(f"{variable.name}_{i}") for i in range(1, self.ways)]
        declared = "".join(f"{indent}{kind} {name} = {IDENTITY[operator]};\n" for name in names)
        text = self._loop(region, loop, step, variable, names)
        outer = line_indent(region.source, loop.node.span.start)
        joined = "".join(f"\n{outer}{variable.name} {operator}= {name};" for name in names)
        rest = f"\n{outer}{rest_loop(region, loop, step, self.ways)}"
        reason = f"{self.ways} accumulators for `{variable.name}`"
        return [Edit(place, declared, reason), Edit(loop.node.span, text + joined + rest, reason)]

    def _accumulator(self, region: KernelRegion, loop: Loop) -> tuple[Variable, str]:
        analysis = analyse(region)
        found = written_outside(analysis, loop)
        if not found:
            raise self.refuse(region, loop.body, "no sum is formed in it")
        if len(found) > 1:
            raise self.refuse(region, loop.body, f"it hands on several values: {', '.join(v.name for v in found)}")
        variable = found[0]
        operator = reduction_operator(analysis, loop.body, variable) if variable.is_scalar else None
        if operator not in IDENTITY:
            raise self.refuse(region, loop.body, f"`{variable.name}` is not only a sum or product")
        refuse_rounding(self, region, loop.body, variable, operator)
        return variable, operator

    def _loop(self, region: KernelRegion, loop: Loop, step: int, variable: Variable, names: list[str]) -> str:
        source, scopes = region.source, analyse(region).scopes
        outer, unit = line_indent(source, loop.node.span.start), indent_unit(source)
        copies = []
        for index, name in enumerate([variable.name, *names]):
            changes = counter_changes(region, loop, index * step)
            changes += use_changes(loop.body, scopes, {variable: name})
            copy = replaced(source, loop.body.span, changes)
            inner = copy if isinstance(loop.body, Body) else "{ " + copy + " }"
            copies.append(outer + unit + reindented(inner, outer, outer + unit))
        return main_head(region, loop, step, self.ways) + " {\n" + "\n".join(copies) + "\n" + outer + "}"
