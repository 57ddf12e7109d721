"""The structure of a kernel as lines of text, so that two versions can be compared whatever their index arithmetic.

Kept, in source order: loops, conditions, barriers, calls, assignments with the shape of their expressions, declared arrays
with memory space, type and size, locals with a value, pragmas, attributes, qualifiers of parameters.
Left out: names of locals (numbered in the order they appear), parentheses, casts, plain braces, and everything that only
computes whole numbers or truth values from indices: subscripts, loop heads, conditions, and locals that hold such values.
"""

from __future__ import annotations

from collections.abc import Iterator

from r3c.rewrites._expressions import literal_value
from r3c.tree.analysis import analyse
from r3c.tree.analysis_nodes import bare, body_of, call_name
from r3c.tree.analysis_scopes import SHARED
from r3c.tree.analysis_types import is_integer_type
from r3c.tree.nodes import (
    Assign,
    Body,
    Call,
    Cast,
    Decl,
    DeclStmt,
    Empty,
    ExprStmt,
    If,
    Index,
    InitDeclarator,
    Literal,
    Loop,
    Member,
    Name,
    Node,
    Paren,
    PpBefore,
    PpLine,
    Unary,
)
from r3c.tree.regions import KernelRegion

INDEX = "#"


def structure(here: KernelRegion) -> str:
    """The structure of one kernel."""
    return "\n".join([_head(here), *_Lines(here).of(body_of(here.function), 1)]) + "\n"


def _head(here: KernelRegion) -> str:
    words = [w for w in here.function.specifiers if w not in ("__global__", "void")]
    parameters = [" ".join(p.text.split()).replace("* ", "*").replace(" *", "* ") for p in here.function.params]
    attributes = here.source.text[here.function.start : here.function.header_end].partition("__launch_bounds__")
    bounds = attributes[1] + attributes[2].partition(")")[0] + ")" if attributes[1] else ""
    return " ".join(word for word in [*words, bounds, here.name] if word) + f"({', '.join(parameters)})"


class _Lines:
    """Lines of one kernel's statements."""

    def __init__(self, here: KernelRegion) -> None:
        self.here = here
        self.analysis = analyse(here)
        self.names: dict[str, str] = {}

    def of(self, node: Node, depth: int) -> Iterator[str]:
        indent = "  " * depth
        if isinstance(node, Body):
            for part in node.statements:
                yield from self.of(part, depth)
        elif isinstance(node, PpBefore):
            yield indent + " ".join(node.line.split())
            yield from self.of(node.nodes[-1], depth)
        elif isinstance(node, PpLine):
            yield indent + " ".join(node.text.split())
        elif isinstance(node, Loop):
            yield indent + "loop"
            yield from self.of(node.body, depth + 1)
        elif isinstance(node, If):
            yield indent + "if"
            yield from self.of(node.then, depth + 1)
            if node.otherwise is not None:
                yield indent + "else"
                yield from self.of(node.otherwise, depth + 1)
        elif isinstance(node, DeclStmt):
            yield from (indent + line for line in self._declared(node.declaration))
        elif isinstance(node, ExprStmt):
            text = self._expression(bare(node.expression))
            if text != INDEX:
                yield indent + text
        elif not isinstance(node, Empty):
            yield indent + node.kind.rstrip("_")

    def _declared(self, decl: Decl) -> Iterator[str]:
        for declarator in decl.declarators:
            yield from self._declarator(declarator)

    def _declarator(self, declarator: InitDeclarator) -> Iterator[str]:
        variable = self.analysis.scopes.declared_by(declarator)
        assert variable is not None, "a declared name is a variable"
        if variable.is_array:
            sizes = [self.analysis.forms.value(bound) for bound in variable.dims]
            space = "shared" if variable.kind == SHARED else "local"
            bounds = "".join("[]" if size is None else f"[{size}]" for size in sizes)
            yield f"{space} {variable.base_type} {self._name(variable.unique)}{bounds}"
        elif variable.init is not None:
            counts = is_integer_type(variable.base_type) or variable.base_type in ("bool", "auto")
            if not (counts and self._is_index(variable.init)):
                value = self._expression(bare(variable.init))
                yield f"{self._name(variable.unique)} = {value}"

    def _name(self, unique: str) -> str:
        return self.names.setdefault(unique, f"v{len(self.names) + 1}")

    def _is_index(self, node: Node) -> bool:
        """Whether `node` only computes with whole numbers and truth values, without memory and calls that matter."""
        effects = self.analysis.effects.of(node)
        if effects.unknown or effects.memory or effects.barriers or effects.warp or isinstance(node, Assign):
            return False
        kind = self.analysis.types.of(node)
        return is_integer_type(kind) or kind == "bool"

    def _expression(self, node: Node) -> str:
        node = bare(node)
        while isinstance(node, Cast):
            node = bare(node.operand)
        if isinstance(node, Literal) and (value := literal_value(node)) is not None:
            return INDEX if is_integer_type(self.analysis.types.of(node)) and value else f"{value:g}"
        if isinstance(node, Name):
            return self._named(node)
        if self._is_index(node):
            return INDEX
        if isinstance(node, Index):
            base: Node = node
            while isinstance(base, Index):
                base = bare(base.base)
            return f"{self._expression(base)}[]"
        if isinstance(node, Member):
            return f"{self._expression(node.object)}.{node.member}"
        if isinstance(node, Unary) and node.op == "&":
            return f"&{self._expression(node.operand)}"
        if isinstance(node, Call):
            return f"{call_name(node)}({', '.join(self._expression(arg) for arg in node.args)})"
        return self._compound(node)

    def _named(self, node: Name) -> str:
        variable = self.analysis.scopes.variable(node)
        if variable is None or variable.kind == "parameter":
            scalar = variable is not None and variable.is_scalar and is_integer_type(variable.base_type)
            return INDEX if scalar else node.text
        if self._is_index(node) and self.analysis.forms.is_settled(variable):
            return INDEX
        return self._name(variable.unique)

    def _compound(self, node: Node) -> str:
        """Operators and operands in source order."""
        pieces: list[str] = []
        for child in node.children:
            if isinstance(child, Node):
                text = self._expression(child)
                pieces.append(f"({text})" if " " in text and not isinstance(bare(child), Call | Name | Paren) else text)
            else:
                pieces.append(child.text)
        return " ".join(pieces)
