"""Nodes of declarations, declarators and parameters."""

from __future__ import annotations

from r3c.tree.lexer import Token
from r3c.tree.node import Node
from r3c.tree.statements import Statement


class Declarator(Node):
    """A declared name with its pointers, array bounds and parameters: `*p`, `a[4][N]`."""

    __slots__ = ()

    @property
    def name_token(self) -> Token | None:
        return next((t for t in self.tokens() if t.kind == "ID"), None)

    @property
    def name(self) -> str:
        token = self.name_token
        return token.text if token else ""

    @property
    def is_pointer(self) -> bool:
        return any(t.kind == "STAR" for node in self.nodes if node.kind == "pointer" for t in node.tokens())

    @property
    def is_reference(self) -> bool:
        return any(t.kind == "AMP" for node in self.nodes if node.kind == "pointer" for t in node.tokens())

    @property
    def bounds(self) -> list[Node | None]:
        """The array bounds, outermost first; None for `[]`."""
        out: list[Node | None] = []
        for node in self.walk():
            if node.kind == "suffix" and isinstance(node.children[0], Token) and node.children[0].kind == "LSQB":
                out.append(node.nodes[0] if node.nodes else None)
        return sorted(out, key=lambda n: n.start if n else self.end) if None not in out else out


class InitDeclarator(Node):
    __slots__ = ()

    @property
    def declarator(self) -> Declarator:
        node = self.nodes[0]
        assert isinstance(node, Declarator)
        return node

    @property
    def name(self) -> str:
        return self.declarator.name

    @property
    def init(self) -> Node | None:
        """The initialiser after `=`, or the braces or arguments that stand for one."""
        return self.nodes[1] if len(self.nodes) > 1 else None


class Decl(Node):
    """Specifiers and the names they declare."""

    __slots__ = ()

    @property
    def declarators(self) -> list[InitDeclarator]:
        return [node for node in self.children if isinstance(node, InitDeclarator)]

    @property
    def specifiers(self) -> list[str]:
        """Words before the first declarator, one entry a specifier or type."""
        return [child.text for child in self.children if not _is_separator(child)]

    @property
    def type_text(self) -> str:
        """The specifiers that make the type, without storage and CUDA words."""
        return " ".join(word for word in self.specifiers if word not in STORAGE)

    @property
    def is_shared(self) -> bool:
        return "__shared__" in self.specifiers


STORAGE = frozenset(
    ("static", "extern", "inline", "register", "constexpr", "__shared__", "__device__", "__constant__", "__global__",
     "__host__", "__managed__", "__forceinline__", "mutable", "thread_local")
)  # fmt: skip


def _is_separator(child: Node | Token) -> bool:
    return isinstance(child, InitDeclarator) or (isinstance(child, Token) and child.kind in ("COMMA", "SEMI"))


class Param(Node):
    """A function parameter; unnamed ones have an empty name."""

    __slots__ = ()

    @property
    def declarator(self) -> Declarator | None:
        return self.first(Declarator)

    @property
    def name(self) -> str:
        declarator = self.declarator
        return declarator.name if declarator else ""

    @property
    def is_pointer(self) -> bool:
        declarator = self.declarator
        return declarator is not None and (declarator.is_pointer or bool(declarator.bounds))

    @property
    def specifiers(self) -> list[str]:
        out: list[str] = []
        for child in self.children:
            if isinstance(child, Declarator) or (isinstance(child, Token) and child.kind == "ASSIGN"):
                break
            out.append(child.text)
        return out

    @property
    def type_text(self) -> str:
        """Type with its pointers, without the name: `const float *`."""
        stars = " *" if self.is_pointer else ""
        return " ".join(word for word in self.specifiers if "restrict" not in word) + stars


class DeclStmt(Statement):
    """A declaration with its `;`."""

    __slots__ = ()

    @property
    def declaration(self) -> Decl:
        node = self.nodes[0]
        assert isinstance(node, Decl)
        return node
