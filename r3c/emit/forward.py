"""How a launch function takes a kernel's parameters and hands them on: a parsed kernel in, texts out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from r3c.core.errors import EmitError
from r3c.core.source import Source
from r3c.tree.file import Function
from r3c.tree.lexer import Token
from r3c.tree.node import Node
from r3c.tree.nodes import Param

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


@dataclass(frozen=True)
class Forwarding:
    """Texts for a function that launches a kernel.

    Attributes:
        template_head: `template <typename T>`, empty for a kernel that is no template.
        template_arguments: `<T>`, empty likewise.
        parameters: declarations, in order, each with a name.
        arguments: what hands them on, in order.
    """

    template_head: str
    template_arguments: str
    parameters: tuple[str, ...]
    arguments: tuple[str, ...]


def forwarding(source: Source, kernel: Function) -> Forwarding:
    """How to hand everything on to `kernel`.

    Raises:
        EmitError: a parameter without a name that cannot be given one.
    """
    if kernel.body is None or not kernel.name_span:
        raise EmitError(source.diagnose(kernel.name_span, f"kernel {kernel.name} is not understood by the grammar"))
    pairs = [_parameter(source, param, number) for number, param in enumerate(kernel.params, 1)]
    pairs = [pair for pair in pairs if pair[0] != "void"]
    head = " ".join(_flat(node.text) for node in kernel.template_heads)
    return Forwarding(head, _template_arguments(source, kernel), tuple(p for p, _ in pairs), tuple(a for _, a in pairs))


def _parameter(source: Source, param: Param, number: int) -> tuple[str, str]:
    text = re.sub(r"\b__grid_constant__\s*", "", _flat(param.text))
    dots = "..." if "..." in text else ""
    if param.name or text == "void":
        return text, param.name + dots
    declarator = param.declarator
    if declarator is not None and re.search(r"[\[(]", declarator.text):
        message = "a launch function needs a name for this parameter"
        raise EmitError(source.diagnose(param.span, message, hint="give it one"))
    type_text, equals, default = text.partition("=")
    name = f"r3c_argument_{number}"
    return f"{type_text.rstrip()} {name}{' ' + equals + default if equals else ''}", name + dots


def _template_arguments(source: Source, kernel: Function) -> str:
    words: list[str] = []
    for head in kernel.template_heads:
        for node in head.nodes:
            name = _template_name(node)
            if not name:
                message = f"a launch function cannot name this template parameter of {kernel.name}"
                raise EmitError(source.diagnose(node.span, message, hint="give it a name"))
            words.append(name + ("..." if "..." in node.text else ""))
    return f"<{', '.join(words)}>" if words else ""


def _template_name(node: Node) -> str:
    """The parameter's own name, not one of its type or default; empty where it has none."""
    before_default = []
    for token in node.tokens():
        if token.kind == "ASSIGN":
            break
        before_default.append(token)
    last: Token | None = before_default[-1] if before_default else None
    is_type = len(before_default) > 1
    return last.text if last is not None and is_type and re.fullmatch(r"[A-Za-z_]\w*", last.text) else ""


def _flat(text: str) -> str:
    """On one line, without comments."""
    return " ".join(_COMMENT.sub(" ", text).split())
