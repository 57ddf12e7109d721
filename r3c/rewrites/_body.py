"""What the rewrites that wrap a kernel's whole body share: index replacement, returns, places before a statement."""

from __future__ import annotations

import re

from r3c.core.source import Span
from r3c.rewrites._loops import refuse_tainted
from r3c.rewrites._rewrite import Rewrite
from r3c.rewrites._text import indent_unit, line_indent, reindented
from r3c.tree.analysis_nodes import body_of
from r3c.tree.nodes import Body, Lambda, Loop, Member, Name, Node, Return, Switch
from r3c.tree.regions import KernelRegion


def builtin_members(node: Node, base: str, axis: str) -> list[Member]:
    """Uses of e.g. `blockIdx.x` in `node`."""
    return [
        m
        for m in node.walk()
        if isinstance(m, Member) and isinstance(m.object, Name) and m.object.text == base and m.member == axis
    ]


def returns_as_continue(rewrite: Rewrite, region: KernelRegion, body: Node) -> list[tuple[Span, str]]:
    """Changes that let `return` end one pass of a loop around `body`.

    Raises:
        RewriteRefused: a return inside an inner loop or switch, where `continue` would mean something else.
    """
    out = []
    for node in body.walk():
        if isinstance(node, Lambda):
            raise rewrite.refuse(region, node, "there is a lambda here")
        if not isinstance(node, Return):
            continue
        for above in node.ancestors():
            if isinstance(above, Loop | Switch):
                raise rewrite.refuse(region, node, "it returns from inside a loop")
            if above is body:
                break
        out.append((node.span, "continue;"))
    return out


def wrapped(region: KernelRegion, inner: str, head: str) -> str:
    """A kernel body whose text between the braces, `inner`, runs under the loop head `head`."""
    outer = line_indent(region.source, body_of(region.function).span.start)
    unit = indent_unit(region.source)
    moved = reindented("\n" + inner.strip("\r\n").rstrip(), outer, outer + unit).lstrip("\n")
    return f"{{\n{outer}{unit}{head} {{\n{moved}\n{outer}{unit}}}\n{outer}}}"


def plain_body(rewrite: Rewrite, region: KernelRegion) -> Body:
    """The kernel's body, refused where it cannot be copied or moved."""
    body = body_of(region.function)
    refuse_tainted(rewrite, region, body)
    return body


_KEPT_WITH = re.compile(r"\s*(//\s*r3c:|#\s*pragma\b)")


def place_before(rewrite: Rewrite, region: KernelRegion, statement: Node) -> tuple[Span, str]:
    """An empty span before `statement`, its annotations and pragmas, and the indentation there.

    Raises:
        RewriteRefused: the statement is the whole body of a control statement without braces, or does not begin its line.
    """
    if not isinstance(statement.parent, Body):
        raise rewrite.refuse(region, statement, "it stands without braces, so nothing can be put before it")
    source = region.source
    line, _ = source.line_column(statement.span.start)
    start = source.line_starts[line - 1]
    if source.text[start : statement.span.start].strip():
        raise rewrite.refuse(region, statement, "it does not begin its line, so nothing can be put before it")
    while line > 1 and _KEPT_WITH.match(source.line_text(line - 1)):
        line -= 1
    start = source.line_starts[line - 1]
    return Span(start, start), line_indent(source, statement.span.start)


def has_annotation(region: KernelRegion, statement: Node) -> bool:
    """Whether an annotation stands above `statement` and belongs to it."""
    line, _ = region.source.line_column(statement.span.start)
    while line > 1 and _KEPT_WITH.match(region.source.line_text(line - 1)):
        line -= 1
        if "r3c" in region.source.line_text(line):
            return True
    return False
