"""What the rewrites of one pointer parameter share."""

from __future__ import annotations

from r3c.rewrites._rewrite import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_scopes import Variable
from r3c.tree.nodes import Assign, Index, Member, Node, Param, Paren, PostInc, Unary
from r3c.tree.regions import KernelRegion


def pointer_parameters(region: KernelRegion) -> list[str]:
    return [path for path, node in region.sites.items() if isinstance(node, Param) and node.is_pointer]


def pointer_variable(rewrite: Rewrite, region: KernelRegion) -> Variable:
    """The pointer parameter of the step's site."""
    node = region.sites[rewrite.site]
    variable = next((v for v in analyse(region).scopes.variables if v.node is node), None)
    if variable is None or not variable.is_pointer:
        raise rewrite.refuse(region, node, "this site is not a pointer parameter")
    if node.text.count("*") > 1 or variable.is_reference:
        raise rewrite.refuse(region, node, f"`{variable.name}` is more than a pointer to numbers")
    if variable.is_volatile:
        raise rewrite.refuse(region, node, f"`{variable.name}` leads to volatile memory")
    return variable


def subscripted_uses(rewrite: Rewrite, region: KernelRegion, variable: Variable) -> list[tuple[Index, bool]]:
    """Each `p[...]` with whether it is written, in source order.

    Raises:
        RewriteRefused: a use that is no subscript, or a subscript whose address is taken.
    """
    analysis = analyse(region)
    for node in analysis.effects.of(region.function.body).unknown:
        if any(analysis.scopes.variable(n) is variable for n in node.walk()):
            raise rewrite.refuse(region, node, f"what this does with `{variable.name}` is not known")
    out: list[tuple[Index, bool]] = []
    for name in analysis.scopes.uses(variable):
        above = name.parent
        if not isinstance(above, Index) or above.base is not name:
            raise rewrite.refuse(region, name, f"`{variable.name}` is used here otherwise than by a subscript")
        outer = above.parent
        if isinstance(outer, Unary) and outer.op == "&":
            raise rewrite.refuse(region, outer, f"the address of an element of `{variable.name}` is taken here")
        out.append((above, _is_written(above)))
    return out


def _is_written(node: Node) -> bool:
    above = node.parent
    while above is not None and isinstance(above, Paren | Member | Index) and above.nodes[0] is node:
        node, above = above, above.parent
    if isinstance(above, Assign) and above.target is node:
        return True
    return isinstance(above, Unary | PostInc) and above.op in ("++", "--")
