"""The same program with parentheses around every operator and braces around every controlled statement.

A compiler must make the same code of it. Where it does not, the tree was wrong: an operator took another's operand, a
statement was taken out of its loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeGuard

from r3c.tree.expressions import Assign, Binary, Call, Cast, NamedCast, Paren, PostInc, Ternary, Unary
from r3c.tree.file import File
from r3c.tree.lexer import Token
from r3c.tree.node import Node
from r3c.tree.statements import Body, Control, Do, ExprStmt, If, Loop, MacroStmt, OpaqueStmt, PpBefore, PpLine, Switch

_OPERATORS = Binary | Unary | PostInc | Ternary | Assign | Cast
# Kinds of nodes whose operands must stand as they are.
_LEFT_ALONE = frozenset(("decltype", "asm", "attributed"))


def parenthesised(file: File) -> str:
    """Text of `file` with every operator application in parentheses and every controlled statement in braces.

    Left as they are: functions that were not parsed, what preprocessor lines cut, and arguments of macros, which may
    turn them into strings.
    """
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    open_count: Counter[int] = Counter()
    close_count: Counter[int] = Counter()
    macros = {define.name for define in file.defines if define.function_like}
    for function in file.functions:
        for node in _inside(function, macros):
            if _is_cut(file, node):
                continue
            if isinstance(node, _OPERATORS) and not isinstance(node, NamedCast) and _may_stand_in_parentheses(node):
                open_count[node.start] += 1
                close_count[node.end] += 1
            for body in _bare_bodies(node):
                if not _is_cut(file, body):
                    before[body.start] = before.get(body.start, "") + ("{\n" if isinstance(body, PpBefore) else "{ ")
                    after[body.end] = after.get(body.end, "") + " }"
    text, out, at = file.source.text, [], 0
    for place in sorted({*before, *after, *open_count, *close_count}):
        closing = ")" * close_count[place] + after.get(place, "")
        out += [text[at:place], closing, before.get(place, ""), "(" * open_count[place]]
        at = place
    return "".join(out) + text[at:]


def _inside(root: Node, macros: set[str]) -> Iterator[Node]:
    """Nodes below `root` in which operators may be wrapped."""
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        yield node
        if node.kind in _LEFT_ALONE or node.is_dead or (isinstance(node, Call) and _may_be_macro(node, macros)):
            continue
        stack += node.nodes


def _may_be_macro(call: Call, macros: set[str]) -> bool:
    name = call.callee.text
    return name in macros or name.isupper() or "assert" in name.lower()


def _may_stand_in_parentheses(node: Node) -> bool:
    if isinstance(node.parent, ExprStmt | Paren) or any(token.kind == "PACK" for token in node.tokens()):
        return False
    return node.parent is not None and node.parent.kind != "capture"


def _is_cut(file: File, node: Node) -> bool:
    return any(node.start <= cut < node.end for cut in file.cuts)


def _bare_bodies(node: Node) -> Iterator[Node]:
    """Statements that `node` controls and that are not braced."""
    if isinstance(node, Do):
        controlled = [node.nodes[0]]
    elif isinstance(node, If):
        controlled = node.nodes[1:]
    elif isinstance(node, Loop):
        controlled = node.nodes[-1:]
    else:
        return
    for statement in controlled:
        last, plain = statement, True
        while isinstance(last, PpBefore):
            plain = plain and last.line.split()[:1] == ["#pragma"]
            last = last.nodes[-1]
        if (
            plain
            and not isinstance(last, Body | MacroStmt | OpaqueStmt | PpLine)
            and last.kind
            not in (
                "label",
                "case",
                "default",
            )
        ):
            yield statement


def essence(node: Node | Token) -> object:
    """The tree without parentheses and without braces around single controlled statements: the same before and after."""
    if isinstance(node, Token):
        return node.text
    children: list[Node | Token] = node.children
    if isinstance(node, Paren):
        return essence(node.nodes[0]) if node.nodes else ()
    parts = [essence(child) for child in children]
    if isinstance(node, PpBefore):
        return ("body", "{", ("pp_line", parts[0]), *(parts[1][2:-1] if _is_body(parts[1]) else parts[1:]), "}")
    if isinstance(node, Control) and not isinstance(node, Switch):
        parts = [_unbraced(part) for part in parts]
    return (node.kind, *parts)


def _unbraced(part: object) -> object:
    """`{ x }` as x."""
    while _is_body(part) and len(part) == 4:
        part = part[2]
    return part


def _is_body(part: object) -> TypeGuard[tuple[object, ...]]:
    return isinstance(part, tuple) and part[:1] == ("body",)
