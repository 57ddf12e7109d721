"""Small readings of nodes that every analysis needs: without parentheses, what a call calls, what is a variable's name."""

from __future__ import annotations

from collections.abc import Iterator

from r3c.core.errors import InvalidEdit
from r3c.tree.file import Function
from r3c.tree.nodes import Body, Call, Member, Name, Node, Paren, TypeCall


def body_of(function: Function) -> Body:
    """The body of a kernel that the grammar understands."""
    body = function.body
    if body is None:
        raise InvalidEdit(f"{function.name}: its body is not understood")
    return body


def bare(node: Node) -> Node:
    """`node` without parentheses, and without the head of a control statement, around it."""
    while isinstance(node, Paren) or (node.kind == "condition" and len(node.nodes) == 1):
        node = node.nodes[0]
    return node


def call_name(node: Call) -> str:
    """Last word of what is called, without namespace and template arguments."""
    callee = node.callee
    return callee.identifier if isinstance(callee, Name) else callee.text


def called_type(node: TypeCall) -> str:
    """`float` of `float(x)`."""
    return node.source.text[node.start : node.end].split("(")[0].split("{")[0].strip()


def operands_of(node: TypeCall) -> list[Node]:
    """What stands in the parentheses of `float(x)`."""
    out: list[Node] = []
    for child in node.nodes:
        if child.kind == "arguments":
            out += child.nodes
        elif child.kind not in ("type_name", "name", "template_args"):
            out.append(child)
    return out


def names_in(node: Node) -> Iterator[Name]:
    """Every name inside `node` that can mean a variable: members of structures are left out."""
    return (n for n in node.walk() if isinstance(n, Name) and not is_member_name(n))


def is_member_name(name: Name) -> bool:
    above = name.parent
    return isinstance(above, Member) and above.object is not name
