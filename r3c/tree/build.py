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
PRECEDENCE = {operator: level for level, operators in enumerate(_LEVELS, 1) for operator in operators}


def make_node(rule: str, children: list[Node | Token]) -> Node:
    """Called by Lark for each rule; a flat operator chain becomes a tree of left-associative operators."""
    if rule == "binary":
        return _climb([child.children[0] if _is_operator(child) else child for child in children])  # type: ignore[union-attr]
    if rule == "body":
        children = with_regions(children)
    return CLASSES.get(rule, Node)(rule.rstrip("_"), children)


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
    """Give every node below `root` its source, parent and span; an empty node lies where the next token starts."""
    order: list[Node] = []
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        order.append(node)
        node.source = source
        for child in node.children:
            if isinstance(child, Node):
                child.parent = node
                stack.append(child)
    for node in reversed(order):
        if node.children:
            node.start, node.end = node.children[0].start, node.children[-1].end
        else:
            node.start = node.end = -1
    _place_empty(root, start)


def _place_empty(root: Node, at: int) -> None:
    """Spans for nodes without tokens (an empty argument list), in one pass from left to right."""
    stack: list[Node | Token] = [root]
    empty: list[Node] = []
    while stack:
        item = stack.pop()
        if isinstance(item, Token):
            at = item.end
        elif not item.children:
            item.start = item.end = at
            empty.append(item)
        else:
            stack.extend(reversed(item.children))
    for node in empty:
        _widen(node)


def _widen(node: Node) -> None:
    """Ancestors whose first or last child was empty take its place."""
    parent = node.parent
    while parent is not None and (parent.start == -1 or parent.end == -1):
        first, last = parent.children[0], parent.children[-1]
        if first.start < 0 or last.end < 0:
            return
        parent.start, parent.end = first.start, last.end
        parent = parent.parent
