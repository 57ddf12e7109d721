"""What stands around a place in a file: namespaces and classes, outermost first."""

from __future__ import annotations

import re

from r3c.core.source import Source
from r3c.tree.brackets import fold, match_brackets
from r3c.tree.lexer import lex

_C_LINKAGE = re.compile(r'extern\s*"C"')


def enclosure(source: Source, offset: int) -> tuple[str, ...]:
    """Head of every open brace before `offset`: `namespace a`, `struct S`; blocks of C linkage do not count."""
    tokens = fold(source.text, lex(source.text)[0])
    mate = match_brackets(tokens).mate
    heads: list[str] = []
    start = 0  # index of the first token of the current declaration
    for index, token in enumerate(tokens):
        if token.start >= offset:
            break
        if token.kind == "LBRACE" and (mate[index] < 0 or tokens[mate[index]].start >= offset):
            head = " ".join(t.text for t in tokens[start:index])
            if not _C_LINKAGE.fullmatch(head):
                heads.append(head)
        if token.kind in ("LBRACE", "RBRACE", "SEMI") or token.text.startswith("#"):
            start = index + 1
    return tuple(heads)
