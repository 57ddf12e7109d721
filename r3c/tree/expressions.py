"""Nodes of expressions."""

from __future__ import annotations

from r3c.tree.lexer import Token
from r3c.tree.node import Node


class Expr(Node):
    __slots__ = ()


class Binary(Expr):
    __slots__ = ()

    @property
    def left(self) -> Node:
        return self.nodes[0]

    @property
    def right(self) -> Node:
        return self.nodes[1]

    @property
    def op(self) -> str:
        return self.children[1].text


class Unary(Expr):
    """A prefix operator: `-x`, `*p`, `&a`, `!b`, `++i`."""

    __slots__ = ()

    @property
    def op(self) -> str:
        return self.children[0].text

    @property
    def operand(self) -> Node:
        return self.nodes[0]


class PostInc(Expr):
    __slots__ = ()

    @property
    def op(self) -> str:
        return self.children[-1].text

    @property
    def operand(self) -> Node:
        return self.nodes[0]


class Assign(Expr):
    __slots__ = ()

    @property
    def target(self) -> Node:
        return self.nodes[0]

    @property
    def op(self) -> str:
        return self.children[1].text

    @property
    def value(self) -> Node:
        return self.nodes[1]


class Ternary(Expr):
    __slots__ = ()


class Cast(Expr):
    """`(T)x` or `static_cast<T>(x)`."""

    __slots__ = ()

    @property
    def operand(self) -> Node:
        return self.nodes[-1]


class NamedCast(Cast):
    __slots__ = ()


class TypeCall(Expr):
    """`float(x)`, `T{}`, `make<int>{...}`."""

    __slots__ = ()


class SizeOf(Expr):
    __slots__ = ()


class Call(Expr):
    __slots__ = ()

    @property
    def callee(self) -> Node:
        return self.nodes[0]

    @property
    def args(self) -> list[Node]:
        return _arguments(self.nodes[1]) if len(self.nodes) > 1 else []


class Launch(Expr):
    """`k<<<config>>>(args)`."""

    __slots__ = ()

    @property
    def callee(self) -> Node:
        return self.nodes[0]

    @property
    def config(self) -> list[Node]:
        return _arguments(self.nodes[1])

    @property
    def args(self) -> list[Node]:
        return _arguments(self.nodes[2])


def _arguments(node: Node) -> list[Node]:
    return node.nodes if node.kind == "arguments" else [node]


class Index(Expr):
    __slots__ = ()

    @property
    def base(self) -> Node:
        return self.nodes[0]

    @property
    def index(self) -> Node:
        return self.nodes[1]


class Member(Expr):
    __slots__ = ()

    @property
    def object(self) -> Node:
        return self.nodes[0]

    @property
    def op(self) -> str:
        return self.children[1].text

    @property
    def member(self) -> str:
        return self.nodes[1].text


class Name(Expr):
    """A name, perhaps qualified and with template arguments."""

    __slots__ = ()

    @property
    def identifier(self) -> str:
        """The last name of the chain, without template arguments."""
        return [c.text for c in self.children if isinstance(c, Token) and c.kind == "ID"][-1]


class Literal(Expr):
    __slots__ = ()


class String(Expr):
    __slots__ = ()


class Paren(Expr):
    __slots__ = ()

    @property
    def inner(self) -> Node:
        return self.nodes[0]


class Braced(Expr):
    __slots__ = ()


class Lambda(Expr):
    __slots__ = ()


class New(Expr):
    __slots__ = ()


class CommaExpr(Expr):
    __slots__ = ()


class This(Expr):
    __slots__ = ()
