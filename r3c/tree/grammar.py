"""The Lark parser of grammar/cuda.lark, built once a process and cached between processes."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Lark, __version__
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

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


@dataclass(frozen=True)
class _Tables:
    """Lark's tables laid out for `_run`: an action is the next state, or (length, callback, rule) to reduce."""

    actions: dict[int, dict[str, Any]]
    starts: dict[str, int]
    ends: dict[str, int]


@cache
def _tables() -> _Tables:
    table = cuda_parser().parser.parser._parse_table
    callbacks = cuda_parser().parser.parser.parser.callbacks
    actions: dict[int, dict[str, Any]] = {}
    for state, row in table.states.items():
        actions[state] = {
            str(name): target
            if action is Shift
            else (len(target.expansion), callbacks[target], str(target.origin.name))
            for name, (action, target) in row.items()
        }
    return _Tables(actions, table.start_states, table.end_states)


def parse_tokens(tokens: Iterable[Token], start: str) -> Node:
    """The tree of classified tokens; Lark's UnexpectedInput where they do not fit the rule `start`."""
    fed = list(tokens)
    node = _run(fed, start)
    if node is None:  # Lark itself says what it expected where
        node = cuda_parser().parse(fed, start=start)
    return node if isinstance(node, Node) else Node(start, [node])


def _run(tokens: list[Token], start: str) -> Any:
    """What Lark's own loop does, without what it does for the general case: a quarter less time. None on an error."""
    tables = _tables()
    actions, end = tables.actions, tables.ends[start]
    states, values = [tables.starts[start]], []  # type: list[int], list[Any]
    row = actions[states[0]]
    for token in [*tokens, None]:
        kind = "$END" if token is None else token.kind
        while True:
            action = row.get(kind)
            if action is None:
                return None
            if action.__class__ is int:
                states.append(action)
                values.append(token)
                row = actions[action]
                break
            length, callback, rule = action
            children = values[-length:] if length else []
            if length:
                del values[-length:], states[-length:]
            values.append(callback(children))
            state = actions[states[-1]][rule]
            if token is None and state == end:
                return values[-1]
            states.append(state)
            row = actions[state]
    return None
