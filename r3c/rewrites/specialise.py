"""A body of its own for one value of a scalar argument."""

from __future__ import annotations

from dataclasses import dataclass, field

from r3c.core.source import Edit
from r3c.core.spec import Value, format_value
from r3c.rewrites._body import plain_body
from r3c.rewrites._text import indent_unit, line_indent, reindented, uses_replaced
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_scopes import SHARED
from r3c.tree.analysis_types import canonical_type, is_integer_type, typed_literal
from r3c.tree.nodes import Param
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Specialise(Rewrite):
    """Runs a copy of the body with `value` for a scalar parameter where it has that value, the original otherwise.

    Before:
        // r3c: kernel()
        __global__ void fill(float *a, int n) {
          for (int i = 0; i < n; i++) a[i] = 1.0f;
        }
    Step:
        specialise{site=fill/param:n,value=16}
    After:
        // r3c: kernel()
        __global__ void fill(float *a, int n) {
          if (n == 16) {
            for (int i = 0; i < 16; i++) a[i] = 1.0f;
          } else {
            for (int i = 0; i < n; i++) a[i] = 1.0f;
          }
        }
    Refuses:
        parameters that are no whole numbers or are written, kernels with shared memory (it would be needed twice).
    """

    value: Value = field(default=0)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return [path for path, node in region.sites.items() if isinstance(node, Param) and not node.is_pointer]

    def apply(self, region: KernelRegion) -> list[Edit]:
        node = region.sites[self.site]
        analysis = analyse(region)
        variable = next((v for v in analysis.scopes.variables if v.node is node), None)
        if variable is None or not variable.is_scalar or not is_integer_type(canonical_type(variable.base_type)):
            raise self.refuse(region, node, "this site is not a parameter with a whole number")
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.refuse(region, node, f"{format_value(self.value)} is not a whole number")
        if analysis.forms.written(variable):
            place = next(iter(analysis.forms.write_places(variable)), variable.node)
            raise self.refuse(region, place, f"`{variable.name}` is written here")
        for shared in analysis.scopes.variables:
            if shared.kind == SHARED or shared.is_static:
                raise self.refuse(region, shared.node, f"`{shared.name}` would be needed twice")
        body = plain_body(self, region)
        kind = canonical_type(variable.base_type)
        literal = typed_literal(self.value, kind)
        special = uses_replaced(region.source, body, analysis.scopes, {variable: literal})
        outer = line_indent(region.source, body.span.start)
        unit = indent_unit(region.source)
        one, two = (reindented(text, outer, outer + unit) for text in (special, body.text))
        text = f"{{\n{outer}{unit}if ({variable.name} == {literal}) {one} else {two}\n{outer}}}"
        return [Edit(body.span, text, f"a body for {variable.name} = {self.value}")]
