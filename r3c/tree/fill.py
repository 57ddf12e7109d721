"""What lies between the functions of a file becomes nodes, so that the children of a file are the whole file."""

from __future__ import annotations

from collections.abc import Iterator

from r3c.tree.file import Annotation, File, Function, KernelDeclaration, OpaqueText
from r3c.tree.lexer import Token
from r3c.tree.locate import DeclarationExtent, FunctionExtent
from r3c.tree.node import Node
from r3c.tree.statements import PpLine

Located = list[tuple[FunctionExtent, Function]]


def fill(file: File, functions: Located, kernels: list[DeclarationExtent], tokens: list[Token]) -> None:
    """Give `file` its children: `functions` and what stands before, between and after them, in order."""
    starts = {extent.start: extent.end for extent in kernels}
    at = 0
    for extent, function in functions:
        file.children += _between(file, tokens, at, extent.start, starts)
        file.children.append(function)
        at = extent.end
    file.children += _between(file, tokens, at, len(tokens) - 1, starts)
    for child in file.nodes:
        child.parent = file


def _between(file: File, tokens: list[Token], start: int, end: int, kernels: dict[int, int]) -> Iterator[Node]:
    """Nodes for tokens `[start, end)` and the annotations among them."""
    first = tokens[start - 1].end if start else 0
    comments = [t for t in file.annotations if t.kind == "ANNOTATION" and first <= t.start < tokens[end].start]
    text: list[Node | Token] = []
    at = start
    while at < end or comments:
        while comments and at > start and comments[0].start < tokens[at - 1].end:
            comments.pop(0)  # inside an attribute or a declaration
        if at >= end and not comments:
            break
        if comments and (at >= end or comments[0].start < tokens[at].start):
            yield from _opaque(file, text)
            yield _node(file, Annotation("annotation", [comments.pop(0)]))
        elif tokens[at].kind == "PP":
            yield from _opaque(file, text)
            yield _node(file, _line(file, tokens[at]))
            at += 1
        elif at in kernels:
            yield from _opaque(file, text)
            yield _node(file, KernelDeclaration("kernel_declaration", list(tokens[at : kernels[at]])))
            at = kernels[at]
        else:
            text += [tokens[at]] if tokens[at].kind != "DROPPED" else []
            at += 1
    yield from _opaque(file, text)


def _opaque(file: File, text: list[Node | Token]) -> Iterator[Node]:
    if text:
        yield _node(file, OpaqueText("opaque_text", list(text)))
        text.clear()


def _line(file: File, token: Token) -> Node:
    return Annotation("annotation", [token]) if token in file.annotations else PpLine("pp_line", [token])


def _node(file: File, node: Node) -> Node:
    node.source = file.source
    return node
