"""The tree of one file compared with what tree-sitter reads: where loops, calls, subscripts, casts, ... lie.

tree-sitter-cuda is another parser by other people, with mistakes of its own; where both read a function without an
error and still differ, `EXPLANATIONS` says why, or says nothing, and then somebody has to look.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from r3c.core.source import Source
from r3c.tree.file import File, Function
from r3c.tree.lexer import Token
from r3c.tree.node import Node
from r3c.tree.nodes import Cast, InitDeclarator, MacroStmt, Unary

# What is compared, and the kinds of our nodes for it.
CATEGORIES: dict[str, frozenset[str]] = {
    "for": frozenset(("for", "range_for")),
    "while and do": frozenset(("while", "do")),
    "if": frozenset(("if",)),
    "call": frozenset(("call", "type_call", "named_cast")),
    "launch": frozenset(("launch",)),
    "subscript": frozenset(("index",)),
    "member": frozenset(("member",)),
    "cast": frozenset(("cast",)),
    "template list": frozenset(("template_args",)),
    "lambda": frozenset(("lambda",)),
}
_THEIRS = {
    "for_statement": "for", "for_range_loop": "for", "while_statement": "while and do", "do_statement": "while and do",
    "if_statement": "if", "call_expression": "call", "subscript_expression": "subscript", "field_expression": "member",
    "cast_expression": "cast", "template_argument_list": "template list", "lambda_expression": "lambda",
    "compound_literal_expression": "call",
}  # fmt: skip
_NAMED_CASTS = ("static_cast", "reinterpret_cast", "const_cast", "dynamic_cast")

Place = tuple[int, int]
Place3 = tuple[str, int, int]  # category, start, end


@dataclass(frozen=True)
class Difference:
    """A place `[start, end)` that only one parser (`ours` or theirs) takes for a `category`."""

    source: Source
    category: str
    ours: bool
    start: int
    end: int
    explanation: str = ""

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        line, column = self.source.line_column(self.start)
        side = "only here" if self.ours else "only there"
        shown = " ".join(self.text.split())[:90]
        return f"{self.source.path}:{line}:{column}: {self.category} {side}: {shown}"


@dataclass
class Comparison:
    """Counts of equal places by category, the differences, and functions that were compared and wholly equal."""

    equal: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CATEGORIES, 0))
    differences: list[Difference] = field(default_factory=list)
    functions: int = 0
    equal_functions: int = 0

    def add(self, other: Comparison) -> None:
        for category, count in other.equal.items():
            self.equal[category] += count
        self.differences += other.differences
        self.functions += other.functions
        self.equal_functions += other.equal_functions


def compare(file: File) -> Comparison:
    """All functions of `file` that both parsers read without an error.

    Raises:
        ImportError: tree_sitter_cuda is not installed.
    """
    root = _their_tree(file.source.text)
    out = Comparison()
    theirs = sorted(_their_places(root), key=lambda place: place[1])
    faults = sorted(_faults(root))
    for function in file.functions:
        if not function.is_parsed or not function.is_full or _cut(file, function):
            continue
        if any(start < function.end and end >= function.start for start, end in faults):
            continue
        _compare_function(file, function, theirs, out)
    return out


def _compare_function(file: File, function: Function, theirs: list[Place3], out: Comparison) -> None:
    inside = {place for place in theirs if function.start <= place[1] and place[2] <= function.end}
    nodes = dict(_our_places(function))
    here = set(nodes)
    out.functions += 1
    out.equal_functions += inside == here
    for category, _, _ in inside & here:
        out.equal[category] += 1
    whole = _kept_whole_places(function)
    for ours, places in ((True, here - inside), (False, inside - here)):
        for category, start, end in sorted(places):
            found = Difference(file.source, category, ours, start, end)
            out.differences.append(
                replace(found, explanation=_explain(_Context(found, nodes, inside, whole, function)))
            )


def _cut(file: File, function: Function) -> bool:
    return any(function.start <= cut < function.end for cut in file.cuts)


def _our_places(function: Function) -> Iterator[tuple[Place3, Node]]:
    kinds = {kind: category for category, names in CATEGORIES.items() for kind in names}
    stack: list[Node | Token] = [function]
    while stack:
        node = stack.pop()
        if isinstance(node, Token):
            continue
        if node.kind in kinds:
            yield (kinds[node.kind], node.start, node.end), node
        stack += node.children


def _their_tree(text: str) -> Any:
    import tree_sitter
    import tree_sitter_cuda

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))
    return parser.parse(text.encode("latin-1")).root_node


def _walk(root: Any) -> Iterator[Any]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += node.children


def _faults(root: Any) -> Iterator[Place]:
    for node in _walk(root):
        if node.is_error or node.is_missing:
            yield node.start_byte, node.end_byte


def _their_places(root: Any) -> Iterator[Place3]:
    for node in _walk(root):
        category = _THEIRS.get(node.type)
        if category is None:
            continue
        if category == "call" and any(child.type == "kernel_call_syntax" for child in node.children):
            category = "launch"
        if category == "template list" and node.parent is not None and _is_named_cast(node.parent):
            continue
        yield category, node.start_byte, node.end_byte


def _is_named_cast(node: Any) -> bool:
    return node.children[0].text.decode("latin-1") in _NAMED_CASTS


@dataclass(frozen=True)
class _Context:
    """What explanations look at: a difference, all places of both, our node there, and text that is kept whole here."""

    found: Difference
    here: dict[Place3, Node]
    there: set[Place3]
    whole: list[Place]
    function: Function

    @property
    def node(self) -> Node | None:
        return self.here.get((self.found.category, self.found.start, self.found.end)) if self.found.ours else None

    def around(self, kind: str) -> bool:
        """Whether our node lies in one of `kind`."""
        return self.node is not None and any(node.kind == kind for node in self.node.ancestors())


def _cast_of_a_parenthesis(context: _Context) -> bool:
    found, casts = context.found, {start for category, start, _ in context.here if category == "cast"}
    if not found.ours:
        return found.category in ("call", "subscript") and found.start in casts
    if found.category == "cast":
        operand = context.node.nodes[-1] if context.node is not None else None
        return isinstance(operand, Unary) or any(
            category in ("call", "cast") and start == found.start for category, start, _ in context.there
        )
    return context.node is not None and isinstance(context.node.parent, Cast)


def _declared_template(context: _Context) -> bool:
    found = context.found
    after = found.source.text[found.end : found.end + 80]
    named = re.match(r"\s*(::|(const\s+)?[&*\s]*[A-Za-z_]\w*\s*(=|;|\(|\{|,|\)))", after) is not None
    return found.ours and found.category == "template list" and named


def _comparison(context: _Context) -> bool:
    found = context.found
    return not found.ours and re.search(r"<[^;]*(&&|\|\|)[^;]*>", found.text, re.DOTALL) is not None


def _declared_with_arguments(context: _Context) -> bool:
    if not context.found.ours:
        declared = [node for node in context.function.find_all(InitDeclarator) if node.token("LPAR") is not None]
        return any(node.start <= context.found.start and node.end == context.found.end for node in declared)
    above = context.node.ancestors() if context.node is not None else iter(())
    return any(isinstance(node, InitDeclarator) and node.token("LPAR") is not None for node in above)


def _after_a_macro(context: _Context) -> bool:
    found = context.found
    before = found.source.text[max(0, found.start - 400) : found.start]
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", before, flags=re.DOTALL)
    return found.ours and re.search(r"\b[A-Z][A-Z0-9_]+(\([^()]*\))?\s*\n\s*$", code) is not None


def _sum(context: _Context) -> bool:
    found = context.found
    return not found.ours and found.category == "cast" and re.match(r"\(.*\)\s*[-+*&]", found.text) is not None


def _member_pointer(context: _Context) -> bool:
    found = context.found
    there = any(category == "member" and ".*" in found.source.text[start:end] for category, start, end in context.there)
    return there and (".*" in found.text or found.source.text[: found.start].endswith(".*"))


def _call_in_template_list(context: _Context) -> bool:
    return context.found.category == "call" and context.around("template_args")


def _operator_by_name(context: _Context) -> bool:
    return context.found.text.startswith("operator")


def _declared_in_parentheses(context: _Context) -> bool:
    return not context.found.ours and re.match(r"\w+ ?\([&*]", context.found.text) is not None


def _compared_with_a_template(context: _Context) -> bool:
    found, text = context.found, context.found.source.text
    mixed = [
        (start, end)
        for category, start, end in context.there
        if category in ("call", "template list") and re.match(r"(\w+\s*)?<\s*[\w:]+\s*<", text[start:end])
    ]
    return any(start <= found.start and found.start <= end for start, end in mixed)


def _offset(context: _Context) -> bool:
    return context.found.ours and context.found.text.startswith("offsetof")


def _takes_statements(context: _Context) -> bool:
    return not context.found.ours and any(
        node.start == context.found.start for node in context.function.find_all(MacroStmt)
    )


def _kept_whole(context: _Context) -> bool:
    found = context.found
    return not found.ours and any(start <= found.start and found.end <= end for start, end in context.whole)


EXPLANATIONS: dict[str, Callable[[_Context], bool]] = {
    "(T)(x) and (T)-x are casts: T is a type in this file; tree-sitter takes them for a call and a difference": _cast_of_a_parenthesis,
    "T<...> x declares x, T<...>::y is qualified; tree-sitter takes < and > for comparisons": _declared_template,
    "a < b && c > d compares; tree-sitter takes it for template arguments": _comparison,
    "T x(f(a)) declares x with a value; tree-sitter takes it for a function or a call": _declared_with_arguments,
    "a macro without ; stands before it; tree-sitter takes both for one declaration": _after_a_macro,
    "f<g(x)> calls g; tree-sitter takes g(x) for the type of a function": _call_in_template_list,
    "operator==(x) is a call by name; tree-sitter knows it only in declarations": _operator_by_name,
    "(x) + y is a sum; tree-sitter takes it for a cast": _sum,
    "x.*p[i] applies .* last; tree-sitter takes it for a member": _member_pointer,
    "T (&x)[4] declares x; tree-sitter takes it for a call": _declared_in_parentheses,
    "i < f<0>(x) compares; tree-sitter takes < f<0> for template arguments": _compared_with_a_template,
    "offsetof(T, x) is a call here, of its own kind there": _offset,
    "a macro that takes statements is a statement here, a call there": _takes_statements,
    "inside a local class, enum, using or asm, which are kept whole here": _kept_whole,
}


def _explain(context: _Context) -> str:
    """Why the two differ in a way that is no mistake of ours; empty where nobody knows yet."""
    return next((reason for reason, fits in EXPLANATIONS.items() if fits(context)), "")


def _kept_whole_places(function: Function) -> list[Place]:
    kinds = ("CLASS_BODY", "RAW_DECLARATION", "ASM", "ATTRIBUTE")
    folded = [token for token in function.tokens() if token.kind in kinds or " " in token.text.strip()]
    return [(token.start, token.end) for token in folded]
