"""The Lark parser of grammar/cuda.lark, built once a process and cached between processes."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from lark import Lark, __version__
from lark.lexer import Lexer

from r3c.resources import resource, user_cache
from r3c.tree.build import make_node
from r3c.tree.lexer import Token
from r3c.tree.node import Node

STARTS = ["function", "statement", "declaration", "expression", "type_id", "parameters"]


class ClassifiedTokens(Lexer):
    """Hands on tokens that are lexed and classified already."""

    def __init__(self, _conf: object) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Any]:
        for token in lexer_state:
            token.type = token.kind
            yield token


class _MakeNode:
    """`make_node` under a name that stays the same: Lark's cache goes by the text of its options."""

    def __call__(self, rule: str, children: list[Node | Token]) -> Node:
        return make_node(rule, children)

    def __repr__(self) -> str:
        return "make_node"


OPTIONS: dict[str, Any] = {
    "parser": "lalr", "lexer": ClassifiedTokens, "keep_all_tokens": True, "maybe_placeholders": False,
    "start": STARTS, "tree_class": _MakeNode(),
}  # fmt: skip


@cache
def cuda_parser() -> Lark:
    """The parser; its tables come from the user's cache folder where they were built before."""
    parser = _load()
    for rule in parser.rules:  # names as plain strings: they are looked up at every reduction
        rule.origin.name = str(rule.origin.name)
    return parser


def _load() -> Lark:
    text = resource("grammar", "cuda.lark").read_text(encoding="utf-8")
    with contextlib.suppress(OSError):
        folder = user_cache()
        folder.mkdir(parents=True, exist_ok=True)
        key = hashlib.sha256(f"{__version__} {text}".encode()).hexdigest()[:16]
        return Lark(text, cache=os.fspath(folder / f"cuda-{key}.lark"), **OPTIONS)
    return Lark(text, **OPTIONS)


def parse_tokens(tokens: Iterable[Token], start: str) -> Node:
    """The tree of classified tokens; Lark's UnexpectedInput where they do not fit the rule `start`."""
    node: Any = cuda_parser().parse(tokens, start=start)
    return node if isinstance(node, Node) else Node(start, [node])
