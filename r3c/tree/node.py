"""Typed nodes of the tree. A node is a span of its source and its children, in order; nothing is ever re-printed.

`children` holds nodes and tokens. Comments and white space are the gaps between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from r3c.core.source import Source, Span
from r3c.tree.lexer import Token

N = TypeVar("N", bound="Node")


class Node:
    """`kind` is the rule's name in grammar/cuda.lark; `[start, end)` is its span, without leading comments."""

    __slots__ = ("children", "end", "kind", "parent", "source", "start")
    source: Source
    parent: Node | None
    start: int
    end: int
    is_dead = False  # whether the preprocessor certainly leaves this node out

    def __init__(self, kind: str, children: list[Node | Token]) -> None:
        self.kind = kind
        self.children = children
        self.parent = None
        if children:
            self.start, self.end = children[0].start, children[-1].end
            if self.start < 0 or self.end < 0:
                self._span_without_empty()
        else:
            self.start = self.end = -1

    def _span_without_empty(self) -> None:
        """A span from the children that have tokens; nodes without any lie nowhere until the tree is linked."""
        placed = [child for child in self.children if child.start >= 0]
        self.start, self.end = (placed[0].start, placed[-1].end) if placed else (-1, -1)

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def nodes(self) -> list[Node]:
        """Children that are nodes."""
        return [child for child in self.children if isinstance(child, Node)]

    def walk(self) -> Iterator[Node]:
        """This node and all below it that is compiled, in source order."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            if node.is_dead:
                continue
            stack.extend(child for child in reversed(node.children) if isinstance(child, Node))

    def find_all(self, kind: type[N]) -> list[N]:
        return [node for node in self.walk() if isinstance(node, kind)]

    def tokens(self) -> Iterator[Token]:
        """All tokens below, in source order."""
        stack: list[Node | Token] = [self]
        while stack:
            item = stack.pop()
            if isinstance(item, Token):
                yield item
            else:
                stack.extend(reversed(item.children))

    def ancestors(self) -> Iterator[Node]:
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def token(self, kind: str) -> Token | None:
        """The first direct child token of `kind`."""
        return next((c for c in self.children if isinstance(c, Token) and c.kind == kind), None)

    def first(self, kind: type[N]) -> N | None:
        """The first direct child that is a `kind`."""
        return next((c for c in self.children if isinstance(c, kind)), None)

    @property
    def tainted(self) -> str:
        """Why rewrites must not change inside this node, empty where they may."""
        from r3c.tree.taint import taint

        return taint(self)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.start}:{self.end}>"
