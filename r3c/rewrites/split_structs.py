"""An array of structures of a kernel's own as one array for each member."""

from __future__ import annotations

import re
from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._expressions import is_pure_value
from r3c.rewrites._text import in_braces, line_indent
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_nodes import bare
from r3c.tree.analysis_scopes import LOCAL, SHARED, Variable
from r3c.tree.analysis_types import is_arithmetic
from r3c.tree.nodes import Assign, DeclStmt, ExprStmt, Index, InitDeclarator, Member, Name, Node, SizeOf, Unary
from r3c.tree.regions import KernelRegion

_VECTOR = re.compile(r"(float|double|int|uint)([234])$")
_STRUCT = r"\b(?:struct\s+{name}\s*\{{([^{{}}]*)\}}|typedef\s+struct\s*\w*\s*\{{([^{{}}]*)\}}\s*{name}\s*;)"
_MEMBERS = re.compile(r"([\w\s]+?)\s+(\w+(?:\s*,\s*\w+)*)")


@dataclass(frozen=True)
class SplitStructs(Rewrite):
    """Keeps each member of the structures in a shared or local array in an array of its own.

    Before:
        // r3c: kernel()
        __global__ void first(float *out, const float2 *in) {
          __shared__ float2 tile[64];
          tile[threadIdx.x] = in[threadIdx.x];
          __syncthreads();
          out[threadIdx.x] = tile[63 - threadIdx.x].x + tile[0].y;
        }
    Step:
        split-structs{site=first/decl:tile}
    After:
        // r3c: kernel()
        __global__ void first(float *out, const float2 *in) {
          __shared__ float tile_x[64];
          __shared__ float tile_y[64];
          { tile_x[threadIdx.x] = in[threadIdx.x].x; tile_y[threadIdx.x] = in[threadIdx.x].y; }
          __syncthreads();
          out[threadIdx.x] = tile_x[63 - threadIdx.x] + tile_y[0];
        }
    Refuses:
        arrays whose elements are not CUDA's vectors or structures of plain numbers from the same file; declarations with an
        initialiser or other names; uses that are no member of an element, no copy of a whole element from or to a vector.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        arrays = {
            id(v.node)
            for v in analyse(region).scopes.variables
            if v.is_array and v.kind in (LOCAL, SHARED) and not is_arithmetic(v.base_type)
        }
        return [path for path, node in region.sites.items() if id(node) in arrays and "/decl:" in path]

    def apply(self, region: KernelRegion) -> list[Edit]:
        node = region.sites[self.site]
        variable = analyse(region).scopes.declared_by(node) if isinstance(node, InitDeclarator) else None
        if variable is None or not variable.is_array or variable.is_pointer:
            raise self.refuse(region, node, "this site is not an array of structures")
        members = _members(region, variable)
        if not members:
            raise self.refuse(region, node, f"`{variable.base_type}` is no structure of plain numbers known here")
        statement = next((a for a in node.ancestors() if isinstance(a, DeclStmt)), None)
        if statement is None or len(statement.declaration.declarators) != 1 or variable.init is not None:
            raise self.refuse(region, node, "its declaration has an initialiser or other names")
        if variable.is_volatile or variable.is_static or variable.dims[0] is None or "align" in statement.text:
            raise self.refuse(region, node, "the layout of its declaration matters")
        names: dict[str, str] = {}
        for member in members:
            names[member] = analyse(region).scopes.fresh(f"{variable.name}_{member}", list(names.values()))
        reason = f"`{variable.name}` as {len(names)} arrays"
        edits = [Edit(statement.span, self._declared(region, statement, variable, members, names), reason)]
        done: list[Span] = []
        for use in analyse(region).scopes.uses(variable):
            if not any(span.contains(use.span) for span in done):
                edit = self._use(region, variable, use, names)
                done.append(edit.span)
                edits.append(edit)
        return edits

    def _declared(
        self,
        region: KernelRegion,
        statement: DeclStmt,
        variable: Variable,
        members: dict[str, str],
        names: dict[str, str],
    ) -> str:
        head = "__shared__ " if variable.kind == SHARED else ""
        dims = "".join(f"[{bound.text}]" for bound in variable.dims if bound is not None)
        lines = [f"{head}{kind} {names[member]}{dims};" for member, kind in members.items()]
        return f"\n{line_indent(region.source, statement.span.start)}".join(lines)

    def _use(self, region: KernelRegion, variable: Variable, use: Name, names: dict[str, str]) -> Edit:
        element: Node = use
        for _ in variable.dims:
            above = element.parent
            if not isinstance(above, Index) or above.base is not element:
                raise self.refuse(region, use, f"`{variable.name}` is used here without all its subscripts")
            element = above
        rest = region.source.slice(Span(use.span.end, element.span.end))
        above = element.parent
        if isinstance(above, Member) and above.object is element and above.member in names:
            outer = above.parent
            if (isinstance(outer, Unary) and outer.op == "&") or isinstance(outer, SizeOf):
                raise self.refuse(region, outer, "the layout of a structure matters here")
            self._refuse_inside(region, variable, element)
            return Edit(above.span, names[above.member] + rest)
        return self._whole(region, variable, element, rest, names)

    def _whole(self, region: KernelRegion, variable: Variable, element: Node, rest: str, names: dict[str, str]) -> Edit:
        """A whole element that is set or read."""
        self._refuse_inside(region, variable, element)
        above = element.parent
        effects = analyse(region).effects
        for part in element.walk():
            if isinstance(part, Index) and not effects.of(part.index).is_pure:
                raise self.refuse(region, part, "the subscripts of a whole element do more than compute")
        vector = _VECTOR.match(variable.base_type)
        if isinstance(above, Assign) and above.target is element:
            value = bare(above.value)
            copied = isinstance(value, Index | Name) and is_pure_value(effects.of(value))
            same = copied and analyse(region).types.of(value) == variable.base_type
            own = not any(analyse(region).scopes.variable(n) is variable for n in value.walk())
            statement = above.parent
            if not (same and own and above.op == "=" and isinstance(statement, ExprStmt)):
                raise self.refuse(region, above, "this sets a whole element otherwise than by a copy")
            parts = [f"{name}{rest} = {value.text}.{member};" for member, name in names.items()]
            text = " ".join(parts)
            return Edit(statement.span, in_braces(statement, text) if len(parts) < 2 else f"{{ {text} }}")
        holder = analyse(region).scopes.declared_by(above) if isinstance(above, InitDeclarator) else None
        declares = holder is not None and not holder.is_reference
        copies = isinstance(above, Assign) and above.value is element and above.op == "="
        if vector is None or not (declares or copies):
            raise self.refuse(region, element, f"a whole `{variable.base_type}` is needed here")
        return Edit(element.span, f"make_{variable.base_type}({', '.join(name + rest for name in names.values())})")

    def _refuse_inside(self, region: KernelRegion, variable: Variable, element: Node) -> None:
        """Refuses a subscript that uses the array itself."""
        uses = [n for n in analyse(region).scopes.uses(variable) if element.span.contains(n.span)]
        if len(uses) > 1:
            raise self.refuse(region, uses[1], f"`{variable.name}` is used in a subscript of its own")


def _members(region: KernelRegion, variable: Variable) -> dict[str, str]:
    """Members of the array's elements with their types; empty where they are not known or not plain numbers."""
    name = variable.base_type
    vector = _VECTOR.match(name)
    if vector:
        kind = "unsigned int" if vector[1] == "uint" else vector[1]
        return dict.fromkeys("xyzw"[: int(vector[2])], kind)
    found = re.findall(_STRUCT.format(name=re.escape(name)), region.source.text) if name else []
    if len(found) != 1:
        return {}
    out: dict[str, str] = {}
    for line in re.sub(r"//[^\n]*|/\*.*?\*/", "", found[0][0] or found[0][1], flags=re.DOTALL).split(";"):
        if not line.strip():
            continue
        parts = _MEMBERS.fullmatch(line.strip())
        if parts is None or not is_arithmetic(parts[1]):
            return {}
        out.update(dict.fromkeys((word.strip() for word in parts[2].split(",")), parts[1]))
    return out
