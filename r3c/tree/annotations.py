"""The payload of annotations as values; a mistake points at its line and column and names the nearest right word."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from r3c.core.errors import AnnotationError
from r3c.core.source import Source, Span
from r3c.resources import resource
from r3c.tree.lexer import ANNOTATION, Token

DIRECTIVES = {
    "kernel": "kernel(name?, rtol=, atol=, fast_math)",
    "buffer": "buffer(pointer, in|out|inout, float|double|half, rtol=, atol=)",
    "tune": "tune(NAME: 8|16|32) or tune(NAME: 32..1024:32)",
    "where": "where(condition)",
    "loop": "loop(label) or loop(label, only(unroll, tile))",
    "freeze": "freeze",
    "geometry": "geometry(fixed) or geometry(cover)",
    "pure": "pure(function, MACRO)",
}
NUMBERS = ("rtol", "atol")


@dataclass(frozen=True)
class Directive:
    """One directive: `name`, its plain words, `key=number` settings, and named texts (domains, the condition).

    `span` is the whole annotation in its source.
    """

    name: str
    span: Span
    words: tuple[str, ...] = ()
    settings: dict[str, float] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


@cache
def _parser() -> Any:
    from lark import Lark

    return Lark(resource("grammar", "annotations.lark").read_text(encoding="utf-8"), parser="lalr")


def read_annotation(source: Source, token: Token) -> list[Directive]:
    """The directives of one annotation.

    Raises:
        AnnotationError: with the place of the mistake.
    """
    found = ANNOTATION.match(token.text)
    assert found is not None
    group = "comment" if found.group("comment") is not None else "pragma"
    payload, offset = found.group(group), token.start + found.start(group)
    payload = payload.split("//")[0] if group == "pragma" else payload
    tree = _parse(source, payload, offset)
    span = Span(token.start, token.end)
    return [_directive(source, node, span, offset) for node in tree.children]


def _parse(source: Source, payload: str, offset: int) -> Any:
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    try:
        return _parser().parse(payload.rstrip())
    except UnexpectedInput as error:
        at = error.pos_in_stream if isinstance(error, UnexpectedCharacters) else None
        if isinstance(error, UnexpectedToken) and error.token.type != "$END":
            at = error.token.start_pos
        at = len(payload.rstrip()) if at is None else at
        raise AnnotationError(_mistake(source, payload, offset, at)) from None


def _mistake(source: Source, payload: str, offset: int, at: int) -> Any:
    """The diagnostic for a payload that does not parse at `at`."""
    word = re.match(r"[\w-]*", payload[at:])
    text = word.group() if word else ""
    inside = payload.count("(", 0, at) > payload.count(")", 0, at)
    span = Span(offset + at, min(offset + at + max(1, len(text)), len(source.text)))
    if text and not inside and text not in DIRECTIVES:
        near = difflib.get_close_matches(text, DIRECTIVES, 1)
        hint = f"did you mean {DIRECTIVES[near[0]]}?" if near else f"there are: {', '.join(DIRECTIVES)}"
        return source.diagnose(span, f"there is no annotation {text!r}", hint=hint)
    before = re.findall(r"[A-Za-z_]\w*(?=\s*\()|^\s*(?:\w+)", payload[:at])
    name = next((w.strip() for w in reversed(before) if w.strip() in DIRECTIVES), "")
    found = repr(payload[at : at + 10].strip()) if payload[at:].strip() else "the end"
    form = f"the form is {DIRECTIVES[name]}" if name else f"there are: {', '.join(DIRECTIVES)}"
    return source.diagnose(span, f"annotation not understood: unexpected {found}", hint=form)


def _directive(source: Source, node: Any, span: Span, offset: int) -> Directive:
    words: list[str] = []
    settings: dict[str, float] = {}
    texts: dict[str, str] = {}
    for child in node.children:
        kind = getattr(child, "data", None)
        if kind == "number":
            key, value = child.children
            if str(key) not in NUMBERS:
                raise AnnotationError(_unknown(source, key, offset, NUMBERS))
            settings[str(key)] = float(value)
        elif kind == "domain":
            texts[str(child.children[0])] = str(child.children[1]).strip()
        elif kind == "condition":
            first, last = _extent(child)
            texts["condition"] = source.text[offset + first : offset + last].strip()
        elif kind in ("flag", "word"):
            words.append(str(child.children[0]))
        elif child is not None:
            words.append(str(child))
    return Directive(str(node.data), span, tuple(words), settings, texts)


def _extent(node: Any) -> tuple[int, int]:
    """Offsets of a condition in its payload, parentheses that belong to it included."""
    tokens = list(node.scan_values(lambda v: hasattr(v, "start_pos")))
    return tokens[0].start_pos - _leading(node), tokens[-1].end_pos + _trailing(node)


def _leading(node: Any) -> int:
    first = node.children[0]
    return 1 + _leading(first.children[0]) if getattr(first, "data", "") == "nested" else 0


def _trailing(node: Any) -> int:
    last = node.children[-1]
    return 1 + _trailing(last.children[0]) if getattr(last, "data", "") == "nested" else 0


def _unknown(source: Source, word: Any, offset: int, known: tuple[str, ...]) -> Any:
    near = difflib.get_close_matches(str(word), known, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
    span = Span(offset + word.start_pos, offset + word.end_pos)
    return source.diagnose(span, f"there is no setting {str(word)!r}", hint=hint)
