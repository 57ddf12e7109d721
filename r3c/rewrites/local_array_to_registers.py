"""Small local arrays as scalars of their own."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_scopes import LOCAL, Variable
from r3c.tree.nodes import DeclStmt, Index, InitDeclarator, Node, Unary
from r3c.tree.regions import KernelRegion

ELEMENTS_MAX = 64


@dataclass(frozen=True)
class LocalArrayToRegisters(Rewrite):
    """Gives each element of a small local array a name of its own.

    Before:
        // r3c: kernel()
        __global__ void sum(float *a) {
          float part[2];
          part[0] = a[0];
          part[1] = a[1];
          a[2] = part[0] + part[1];
        }
    Step:
        local-array-to-registers{site=sum/decl:part}
    After:
        // r3c: kernel()
        __global__ void sum(float *a) {
          float part_0, part_1;
          part_0 = a[0];
          part_1 = a[1];
          a[2] = part_0 + part_1;
        }
    Refuses:
        arrays that are shared, initialised, declared with other names, of more than 64 elements or unknown size; a
        subscript that is no constant inside the array (write the loop out first).
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        arrays = {id(v.node) for v in analyse(region).scopes.variables if v.is_array and v.kind == LOCAL}
        return [path for path, node in region.sites.items() if id(node) in arrays]

    def apply(self, region: KernelRegion) -> list[Edit]:
        node = region.sites[self.site]
        analysis = analyse(region)
        variable = analysis.scopes.declared_by(node) if isinstance(node, InitDeclarator) else None
        if variable is None or not variable.is_array or variable.kind != LOCAL or variable.is_static:
            raise self.refuse(region, node, "this site is not a local array")
        sizes = self._sizes(region, variable)
        statement = next((a for a in node.ancestors() if isinstance(a, DeclStmt)), None)
        plain = statement is not None and len(statement.declaration.declarators) == 1
        if (
            statement is None
            or not plain
            or variable.init is not None
            or variable.is_pointer
            or "alignas" in statement.text
        ):
            raise self.refuse(region, node, "its declaration has an initialiser, other names or more than a plain type")
        names = self._names(region, variable, sizes)
        edits = []
        for use in analysis.scopes.uses(variable):
            whole, place = self._element(region, variable, use, sizes)
            edits.append(Edit(whole.span, names[place]))
        declared = f"{variable.type_text} {', '.join(names.values())};"
        reason = f"`{variable.name}` as {len(names)} scalars"
        return [Edit(Span(statement.span.start, statement.span.end), declared, reason), *edits]

    def _sizes(self, region: KernelRegion, variable: Variable) -> list[int]:
        sizes = [analyse(region).forms.value(bound) for bound in variable.dims]
        known = [size for size in sizes if size is not None and size > 0]
        total = 1
        for size in known:
            total *= size
        if len(known) != len(sizes) or total > ELEMENTS_MAX:
            raise self.refuse(
                region, variable.node, f"it does not have a known number of at most {ELEMENTS_MAX} elements"
            )
        return known

    def _names(self, region: KernelRegion, variable: Variable, sizes: list[int]) -> dict[tuple[int, ...], str]:
        scopes = analyse(region).scopes
        places = itertools.product(*(range(size) for size in sizes))
        return {place: scopes.fresh("_".join([variable.name, *map(str, place)])) for place in places}

    def _element(
        self, region: KernelRegion, variable: Variable, use: Node, sizes: list[int]
    ) -> tuple[Node, tuple[int, ...]]:
        place: list[int] = []
        at = use
        for size in sizes:
            above = at.parent
            if not isinstance(above, Index) or above.base is not at:
                raise self.refuse(region, use, f"`{variable.name}` is used here without all its subscripts")
            value = analyse(region).forms.value(above.index)
            if value is None or not 0 <= value < size:
                raise self.refuse(
                    region,
                    above.index,
                    "this subscript is no constant inside the array",
                    "write the loop out first: unroll-full",
                )
            place.append(value)
            at = above
        if isinstance(at.parent, Unary) and at.parent.op == "&":
            raise self.refuse(region, at.parent, "the address of an element is taken")
        return at, tuple(place)
