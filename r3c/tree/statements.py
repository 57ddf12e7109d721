"""Nodes of statements, without declarations."""

from __future__ import annotations

from r3c.tree.lexer import Token
from r3c.tree.node import Node


class Statement(Node):
    __slots__ = ()


class Body(Statement):
    """`{ ... }`."""

    __slots__ = ()

    @property
    def statements(self) -> list[Node]:
        return self.nodes


class Control(Statement):
    """A statement that controls others."""

    __slots__ = ()

    @property
    def body(self) -> Node:
        """What is controlled, without preprocessor lines before it."""
        node = self.nodes[-1]
        while isinstance(node, PpBefore):
            node = node.nodes[-1]
        return node


class Loop(Control):
    __slots__ = ()


class For(Loop):
    __slots__ = ()

    @property
    def init(self) -> Node:
        """What stands before the first `;`, with it."""
        return self.nodes[0]

    def _between(self) -> tuple[Node | None, Node | None]:
        found: list[Node | None] = [None, None]
        part = 0
        for child in self.children[3:]:
            if isinstance(child, Token):
                if child.kind == "RPAR":
                    break
                part += child.kind == "SEMI"
            elif part < 2:
                found[part] = child
        return found[0], found[1]

    @property
    def cond(self) -> Node | None:
        return self._between()[0]

    @property
    def step(self) -> Node | None:
        return self._between()[1]


class RangeFor(Loop):
    __slots__ = ()


class While(Loop):
    __slots__ = ()

    @property
    def cond(self) -> Node:
        return self.nodes[0]


class Do(Loop):
    __slots__ = ()

    @property
    def body(self) -> Node:
        return self.nodes[0]

    @property
    def cond(self) -> Node:
        return self.nodes[1]


class If(Control):
    __slots__ = ()

    @property
    def cond(self) -> Node:
        return self.nodes[0]

    @property
    def then(self) -> Node:
        return self.nodes[1]

    @property
    def otherwise(self) -> Node | None:
        return self.nodes[2] if len(self.nodes) > 2 else None


class Switch(Control):
    __slots__ = ()


class Try(Statement):
    __slots__ = ()


class PpBefore(Statement):
    """A preprocessor line and the controlled statement it stands before."""

    __slots__ = ()

    @property
    def line(self) -> str:
        child = self.children[0]
        return child.text


class PpLine(Statement):
    """A preprocessor line between statements."""

    __slots__ = ()


class PpRegion(Node):
    """`#if` to `#endif` between statements: its arms, then the `#endif`.

    Attributes:
        is_decided: the definitions at hand say which arm is compiled, if any.
    """

    __slots__ = ("is_decided",)

    def __init__(self, kind: str, children: list[Node | Token]) -> None:
        super().__init__(kind, children)
        self.is_decided = False

    @property
    def arms(self) -> list[PpArm]:
        return [node for node in self.nodes if isinstance(node, PpArm)]

    @property
    def chosen(self) -> PpArm | None:
        """The arm that is compiled; None where that is not known, or none is."""
        return next((arm for arm in self.arms if not arm.is_dead), None) if self.is_decided else None


class PpArm(Node):
    """One `#if`, `#elif` or `#else` with the statements up to the next.

    Attributes:
        is_dead: the definitions at hand leave it out; `walk` does not enter it.
    """

    __slots__ = ("is_dead",)

    def __init__(self, kind: str, children: list[Node | Token]) -> None:
        super().__init__(kind, children)
        self.is_dead = False

    @property
    def line(self) -> str:
        return self.children[0].text

    @property
    def statements(self) -> list[Node]:
        return self.nodes[1:]


class Return(Statement):
    __slots__ = ()

    @property
    def value(self) -> Node | None:
        return self.nodes[0] if self.nodes else None


class Break(Statement):
    __slots__ = ()


class Continue(Statement):
    __slots__ = ()


class Goto(Statement):
    __slots__ = ()


class Label(Statement):
    __slots__ = ()


class Case(Statement):
    """`case x:` or `default:`."""

    __slots__ = ()


class Throw(Statement):
    __slots__ = ()


class Delete(Statement):
    __slots__ = ()


class Asm(Statement):
    __slots__ = ()


class Empty(Statement):
    __slots__ = ()


class ExprStmt(Statement):
    __slots__ = ()

    @property
    def expression(self) -> Node:
        return self.nodes[0]


class MacroStmt(Statement):
    """A macro that stands for a statement: `TICK(3)`, `BEGIN_LOOP`, `FOR_ALL(i, n) {...}`."""

    __slots__ = ()


class RawDeclaration(Statement):
    """`using`, `typedef`, `static_assert` or a namespace alias, kept as text."""

    __slots__ = ()


class OpaqueStmt(Statement):
    """What the grammar does not know; the diagnostic of the file says why."""

    __slots__ = ()
