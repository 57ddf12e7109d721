"""From what Lark returns to the tree: operator chains get their precedence, nodes their spans and parents."""

from __future__ import annotations

from r3c.core.source import Source
from r3c.tree.lexer import Token
from r3c.tree.node import Node
from r3c.tree.nodes import CLASSES, Binary
from r3c.tree.pp_regions import with_regions

_LEVELS = (
    ("||", "or"), ("&&", "and"), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">=", "<=>"), ("<<", ">>"),
    ("+", "-"), ("*", "/", "%"), (".*", "->*"),
)  # fmt: skip
_KINDS = {rule: (rule.rstrip("_"), node_class) for rule, node_class in CLASSES.items()}
PRECEDENCE = {operator: level for level, operators in enumerate(_LEVELS, 1) for operator in operators}


def make_node(rule: str, children: list[Node | Token]) -> Node:
    """Called by Lark for each rule; a flat operator chain becomes a tree of left-associative operators."""
    if rule == "binary":
        return _climb([child.children[0] if _is_operator(child) else child for child in children])  # type: ignore[union-attr]
    if rule == "body":
        children = with_regions(children)
    kind, node_class = _KINDS.get(rule) or (rule, Node)
    return node_class(kind, children)


def _is_operator(child: Node | Token) -> bool:
    return isinstance(child, Node) and child.kind == "operator"


def _climb(chain: list[Node | Token]) -> Node:
    """Shunting-yard over `operand operator operand ...`."""
    operands: list[Node | Token] = [chain[0]]
    operators: list[Token] = []

    def reduce() -> None:
        right, left = operands.pop(), operands.pop()
        operands.append(Binary("binary", [left, operators.pop(), right]))

    for at in range(1, len(chain), 2):
        operator = chain[at]
        assert isinstance(operator, Token)
        while operators and PRECEDENCE[operators[-1].text] >= PRECEDENCE[operator.text]:
            reduce()
        operators.append(operator)
        operands.append(chain[at + 1])
    while operators:
        reduce()
    whole = operands[0]
    assert isinstance(whole, Node)
    return whole


def link(root: Node, source: Source, start: int) -> None:
    """Give every node below `root` its source and parent; an empty node lies where the token before it ends."""
    if root.start < 0:
        root.start = root.end = start
    root.source = source
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        at = node.start
        for child in node.children:
            if isinstance(child, Node):
                child.source = source
                child.parent = node
                if child.start < 0:
                    child.start = child.end = at
                stack.append(child)
            at = child.end
