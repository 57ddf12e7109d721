"""A parsed file: its functions, launches, variables, includes, defines and annotations."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from r3c.core.errors import Diagnostic
from r3c.core.source import Source, Span
from r3c.tree.declarations import Declarator, Param
from r3c.tree.expressions import Launch
from r3c.tree.lexer import Token
from r3c.tree.node import Node
from r3c.tree.statements import Body

_INCLUDE = re.compile(r'#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
_DEFINE = re.compile(r"#\s*define\s+([A-Za-z_]\w*)(\([^)]*\))?[ \t]*((?:\\\r?\n|[^\n])*)")


class Function(Node):
    """A function definition.

    Attributes:
        name: without namespace and template arguments.
        role: kernel, device or host.
        opaque_statements: statements the grammar did not understand.
        is_parsed: False for host functions without launches, whose bodies nobody needs.
        is_full: parsed without anything opaque.
    """

    __slots__ = ("header_end", "is_parsed", "name", "opaque_statements", "role")

    def __init__(self, kind: str, children: list[Node | Token]) -> None:
        super().__init__(kind, children)
        self.name = ""
        self.role = "host"
        self.opaque_statements = 0
        self.is_parsed = True
        self.header_end = 0

    @property
    def is_kernel(self) -> bool:
        return self.role == "kernel"

    @property
    def is_full(self) -> bool:
        return self.is_parsed and self.opaque_statements == 0

    @property
    def params(self) -> list[Param]:
        holder = next((node for node in self.nodes if node.kind == "parameters"), None)
        return [node for node in holder.nodes if isinstance(node, Param)] if holder else []

    @property
    def body(self) -> Body | None:
        return self.first(Body)

    @property
    def header(self) -> Span:
        """From the template head or first specifier to before the `{`."""
        return Span(self.start, self.header_end)

    @property
    def name_span(self) -> Span:
        node = next((node for node in self.nodes if node.kind == "function_name"), None)
        return node.span if node else Span(self.start, self.start)

    @property
    def specifiers(self) -> list[str]:
        """Words before the name: `__global__`, `static`, `void`, `__launch_bounds__(256)`."""
        out: list[str] = []
        for child in self.children:
            if isinstance(child, Node) and child.kind in ("function_name", "template_head"):
                if child.kind == "function_name":
                    break
                continue
            out.append(child.text)
        return out

    @property
    def template_heads(self) -> list[Node]:
        return [node for node in self.nodes if node.kind == "template_head"]

    @property
    def template_params(self) -> list[str]:
        """Names of the template parameters, in order."""
        names: list[str] = []
        for head in self.template_heads:
            for param in head.nodes:
                value = next((child.name for child in param.children if isinstance(child, Declarator)), "")
                if value:
                    names.append(value)
                    continue
                found = [t.text for t in param.children if isinstance(t, Token) and t.kind == "ID"]
                names += found[:1] if param.token("ASSIGN") else found[-1:]
        return names

    @property
    def launch_bounds(self) -> Node | None:
        return next((node for node in self.nodes if node.kind == "launch_bounds"), None)


class OpaqueText(Node):
    """Text between functions that nobody needs to understand: declarations, classes, prose."""

    __slots__ = ()


class KernelDeclaration(Node):
    """A `__global__` declaration without a body."""

    __slots__ = ()


class Annotation(Node):
    """A comment or pragma of r3c's outside functions."""

    __slots__ = ()


@dataclass(frozen=True)
class GlobalVariable:
    """A variable at namespace scope with a CUDA memory space: `__constant__ float coef[3];`.

    `span` is its name, `declaration` the whole declaration with its `;`.
    """

    name: str
    span: Span
    space: str
    type_text: str
    suffix: str
    declaration: Span


@dataclass(frozen=True)
class Define:
    """`#define NAME value`; `value_span` is the value without trailing comment."""

    name: str
    span: Span
    value_span: Span
    value: str
    function_like: bool


@dataclass(frozen=True)
class Include:
    name: str
    span: Span
    quoted: bool


class File(Node):
    """The root. Its children are opaque text, preprocessor lines, functions, kernel declarations and annotations in
    source order; their tokens and the trivia between them are the whole file.
    """

    __slots__ = (
        "annotations", "broken", "cuts", "defines", "diagnostics", "globals", "includes", "kernel_macros", "kernel_refusals",
    )  # fmt: skip

    def __init__(self, source: Source) -> None:
        super().__init__("file", [])
        self.source = source
        self.start, self.end = 0, len(source.text)
        self.annotations: list[Token] = []
        self.diagnostics: list[Diagnostic] = []
        self.globals: list[GlobalVariable] = []
        self.defines: list[Define] = []
        self.includes: list[Include] = []
        self.kernel_refusals: list[Diagnostic] = []
        self.broken = 0  # brackets that do not match
        self.cuts: list[int] = []  # offsets of preprocessor lines inside statements

    @property
    def functions(self) -> list[Function]:
        return [child for child in self.children if isinstance(child, Function)]

    @property
    def kernels(self) -> list[Function]:
        return [function for function in self.functions if function.is_kernel]

    @property
    def launches(self) -> list[Launch]:
        return [node for function in self.functions for node in function.find_all(Launch)]

    def kernel(self, name: str) -> Function | None:
        return next((kernel for kernel in self.kernels if kernel.name == name), None)


@dataclass
class Lines:
    """Preprocessor lines of a file, sorted out."""

    includes: list[Include] = field(default_factory=list)
    defines: list[Define] = field(default_factory=list)


def read_lines(tokens: list[Token]) -> Lines:
    """Includes and defines among `tokens`."""
    lines = Lines()
    for token in tokens:
        if token.kind not in ("PP", "PP_LINE", "PP_INSIDE"):
            continue
        span = Span(token.start, token.end)
        include, define = _INCLUDE.match(token.text), _DEFINE.match(token.text)
        if include:
            lines.includes.append(Include(include[1] or include[2], span, include[1] is not None))
        elif define:
            value = re.sub(r"\s*(//.*|/\*.*?\*/\s*)$", "", define[3].rstrip(), flags=re.DOTALL)
            start = token.start + define.start(3)
            lines.defines.append(Define(define[1], span, Span(start, start + len(value)), value, bool(define[2])))
    return lines
