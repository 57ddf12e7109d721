"""A node as an S-expression for people and tests: kinds, names and operators, without punctuation.

`a[i] += (float)n;` is `(expr (assign += (index a i) (cast float n)))`.
"""

from __future__ import annotations

from r3c.tree.file import File, Function, OpaqueText
from r3c.tree.lexer import Token
from r3c.tree.node import Node
from r3c.tree.nodes import Assign, Binary, PostInc, Unary

Form = str | list["Form"]

WIDTH = 100
# What the kind of the node around says already.
_PUNCTUATION = frozenset(
    ("LPAR", "RPAR", "LSQB", "RSQB", "LBRACE", "RBRACE", "CAST_LPAR", "PARAM_LPAR", "RANGE_LPAR", "LAMBDA_LSQB",
     "TEMPLATE_OPEN", "TEMPLATE_CLOSE", "LAUNCH_OPEN", "LAUNCH_CLOSE", "SEMI", "COMMA", "COLON", "QUESTION", "IF", "FOR",
     "WHILE", "DO", "SWITCH", "CASE", "BREAK", "CONTINUE", "RETURN", "GOTO", "THROW", "TRY", "CATCH", "NEW", "SIZEOF",
     "TEMPLATE", "STATEMENT_COMMA", "STATEMENT_LPAR", "EXPRESSION_COMMA", "LAUNCH_BOUNDS")
)  # fmt: skip
# Nodes that are no more than their one child.
_TRANSPARENT = frozenset(
    ("name", "literal", "string", "this", "type_name", "declarator", "pack", "pointer", "function_name", "for_init",
     "declaration_statement")
)  # fmt: skip
_SHORTER = {"expression_statement": "expr", "declaration": "decl", "init_declarator": "var", "parameters": "params"}
_OPERATORS = Binary | Assign | Unary | PostInc


def short_form(node: Node) -> str:
    """`node` as text: on one line where it fits in `WIDTH`, else a line a child."""
    form = _form(node)
    return "\n".join(_lines(form, 0))


def _form(item: Node | Token) -> Form:
    if isinstance(item, Token):
        return _cut(item.text) if item.kind in ("PP", "PP_LINE", "CLASS_BODY") else " ".join(item.text.split())
    if isinstance(item, OpaqueText) or (isinstance(item, Function) and not item.nodes):
        return [item.kind, _quoted(item.text)]
    if isinstance(item, File):
        return ["file", *(_form(child) for child in item.children)]
    if isinstance(item, _OPERATORS):
        return [item.kind, item.op, *(_form(child) for child in item.nodes)]
    parts = [_form(child) for child in item.children if not _is_punctuation(child)]
    if item.kind in _TRANSPARENT and (len(parts) == 1 or all(isinstance(part, str) for part in parts)):
        return parts[0] if len(parts) == 1 else _joined([str(part) for part in parts])
    kind = _SHORTER.get(item.kind, item.kind)
    head = f"{kind} {item.role}" if isinstance(item, Function) else kind
    return [head, *parts]


def _is_punctuation(child: Node | Token) -> bool:
    return isinstance(child, Token) and child.kind in _PUNCTUATION


def _joined(words: list[str]) -> str:
    """Words without space between them, unless two would become one."""
    text = "".join(words[:1]) or "()"
    for word in words[1:]:
        text += f" {word}" if text[-1].isidentifier() and word[:1].isidentifier() else word
    return text


def _quoted(text: str) -> str:
    return repr(_cut(text))


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 60 else words[:57] + "..."


def _flat(form: Form) -> str:
    return form if isinstance(form, str) else f"({' '.join(_flat(part) for part in form)})"


def _lines(form: Form, depth: int) -> list[str]:
    flat, indent = _flat(form), "  " * depth
    if isinstance(form, str) or len(indent) + len(flat) <= WIDTH:
        return [indent + flat]
    lines = [f"{indent}({form[0]}"]
    for part in form[1:]:
        lines += _lines(part, depth + 1)
    lines[-1] += ")"
    return lines
