"""Text of nodes with pieces replaced, and how it is laid out: indentation, bodies, copies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from r3c.core.source import Edit, Source, Span
from r3c.tree.analysis import Analysis
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_names import THREAD_BUILTINS
from r3c.tree.analysis_nodes import names_in
from r3c.tree.analysis_poly import Poly
from r3c.tree.analysis_scopes import Scopes, Variable
from r3c.tree.nodes import Assign, Binary, Body, Cast, CommaExpr, Node, Ternary, Unary


def line_indent(source: Source, offset: int) -> str:
    """White space at the start of the line that `offset` lies in."""
    line, _ = source.line_column(offset)
    text = source.line_text(line)
    return text[: len(text) - len(text.lstrip())]


def indent_unit(source: Source) -> str:
    """One level of indentation as the file uses it."""
    found = re.findall(r"\{[^\S\n]*\r?\n([ \t]+)\S", source.text)
    first = min(found, key=len, default="  ")
    return "\t" if first.startswith("\t") else " " * min(len(first), 8)


def reindented(text: str, old: str, new: str) -> str:
    """`text` with lines (but the first) that start with `old` starting with `new`; preprocessor lines stay."""
    lines = text.split("\n")
    out = [lines[0]]
    for line in lines[1:]:
        if line.lstrip().startswith("#") or not line.strip():
            out.append(line)
        elif line.startswith(old):
            out.append(new + line[len(old) :])
        else:
            out.append(line)
    return "\n".join(out)


def whole_line(source: Source, span: Span) -> Span:
    """`span` with its line, where nothing else stands on it."""
    line, _ = source.line_column(span.start)
    start = source.line_starts[line - 1]
    end = source.text.find("\n", span.end)
    alone = not source.text[start : span.start].strip() and end >= 0 and not source.text[span.end : end].strip()
    return Span(start, end + 1) if alone else span


def poly_text(form: Poly) -> str:
    """`form` as an int expression; its atoms are names, and thread indices count as ints."""
    products = []
    for monomial, coefficient in form.terms:
        factors = [f"(int){atom}" if atom.name.split(".")[0] in THREAD_BUILTINS else str(atom) for atom in monomial]
        size = [str(abs(coefficient))] if abs(coefficient) != 1 or not factors else []
        products.append(("-" if coefficient < 0 else "") + " * ".join(size + factors))
    return " + ".join(products).replace("+ -", "- ") or "0"


def replaced(source: Source, within: Span, changes: Iterable[tuple[Span, str]]) -> str:
    """The text at `within` with each of `changes` (spans of the file inside it) made."""
    edits = [Edit(Span(s.start - within.start, s.end - within.start), text) for s, text in changes]
    return Source("", source.slice(within)).apply(edits).text


def uses_replaced(source: Source, node: Node, scopes: Scopes, changes: Mapping[Variable, str]) -> str:
    """Text of `node` with every use of the variables replaced by a text."""
    return replaced(source, node.span, use_changes(node, scopes, changes))


def use_changes(node: Node, scopes: Scopes, changes: Mapping[Variable, str]) -> list[tuple[Span, str]]:
    return [(use.span, text) for variable, text in changes.items() for use in scopes.uses_in(variable, node)]


def operand(text: str, node: Node) -> str:
    """`text`, the text of `node`, safe as an operand of any operator."""
    weak = isinstance(node, Binary | Ternary | Unary | Assign | Cast | CommaExpr)
    return f"({text})" if weak else text


def in_braces(node: Node, text: str) -> str:
    """`text`, several statements in place of `node`, in braces where `node` is controlled without them."""
    return text if isinstance(node.parent, Body) else "{ " + text + " }"


def expanded(source: Source, node: Node, analysis: Analysis, loop: Loop, value: str) -> str:
    """Text of `node` before `loop`: the counter has `value`, settled locals of the loop's body are written out."""
    changes: list[tuple[Span, str]] = []
    for name in names_in(node):
        variable = analysis.scopes.variable(name)
        if variable is loop.counter:
            changes.append((name.span, value))
        elif variable is not None and loop.body.span.contains(variable.node.span) and variable.init is not None:
            inner = expanded(source, variable.init, analysis, loop, value)
            kind = variable.type_text.replace("const ", "")
            changes.append((name.span, f"({kind})({inner})"))
    return replaced(source, node.span, changes)


def can_be_expanded(node: Node, analysis: Analysis, loop: Loop) -> bool:
    """Whether every local of the loop's body that `node` uses keeps a value that can be written out before the loop."""
    for name in names_in(node):
        variable = analysis.scopes.variable(name)
        if variable is None or variable is loop.counter or not loop.body.span.contains(variable.node.span):
            continue
        if not analysis.forms.is_settled(variable) or variable.init is None:
            return False
        if not can_be_expanded(variable.init, analysis, loop):
            return False
    return True
