"""Which bracket closes which, across `#if` branches that each open or close their own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from r3c.tree.lexer import Token

CLOSER = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"}
CLOSERS = frozenset(CLOSER.values())
DIRECTIVE = re.compile(r"#\s*(\w+)")


def directive(token: Token) -> str:
    """`if`, `else`, `define`, ... of a preprocessor line."""
    found = DIRECTIVE.match(token.text)
    return found.group(1) if found else ""


@dataclass
class _Branches:
    """The open brackets at `#if`, and at the end of its first branch."""

    at_if: list[int]
    after_first: list[int] | None = None


@dataclass
class Brackets:
    """`mate[i]` is the index of the bracket that belongs to token `i`, -1 where there is none."""

    mate: list[int]
    broken: set[int] = field(default_factory=set)


def match_brackets(tokens: list[Token]) -> Brackets:
    """Pairs of brackets; every `#else` starts again from what was open at its `#if`."""
    brackets = Brackets([-1] * len(tokens))
    stack: list[int] = []
    branches: list[_Branches] = []
    for index, token in enumerate(tokens):
        kind = token.kind
        if kind in CLOSER:
            stack.append(index)
        elif kind in CLOSERS:
            _close(tokens, brackets, stack, index)
        elif kind == "PP":
            stack = _branch(directive(token), stack, branches, brackets, index)
    return brackets


def _close(tokens: list[Token], brackets: Brackets, stack: list[int], index: int) -> None:
    kind = tokens[index].kind
    at = len(stack) - 1
    if at >= 0 and CLOSER[tokens[stack[at]].kind] != kind:
        brackets.broken.add(index)
        while at >= 0 and CLOSER[tokens[stack[at]].kind] != kind:
            at -= 1
    if at < 0:
        return
    opener = stack[at]
    del stack[at:]
    brackets.mate[index] = opener
    if brackets.mate[opener] == -1:
        brackets.mate[opener] = index


def _branch(word: str, stack: list[int], branches: list[_Branches], brackets: Brackets, index: int) -> list[int]:
    if word in ("if", "ifdef", "ifndef"):
        branches.append(_Branches(list(stack)))
    elif word in ("else", "elif", "elifdef", "elifndef") and branches:
        top = branches[-1]
        if stack != top.at_if:
            brackets.broken.add(index)
        if top.after_first is None:
            top.after_first = list(stack)
        return list(top.at_if)
    elif word == "endif" and branches:
        first = branches.pop().after_first
        if first is not None:
            if stack != first:
                brackets.broken.add(index)
            return first
    return stack


def fold(text: str, tokens: list[Token]) -> list[Token]:
    """Attributes, `asm(...)`, `[[...]]` and operator names as one token each: nothing inside them is of interest."""
    mate = match_brackets(tokens).mate
    out: list[Token] = []
    index = 0
    while index < len(tokens):
        last, kind = _fold_end(tokens, mate, index)
        if last < 0:
            out.append(tokens[index])
            index += 1
            continue
        start = tokens[index].start
        out.append(Token(kind, text[start : tokens[last].end], start))
        index = last + 1
    return out


def _fold_end(tokens: list[Token], mate: list[int], index: int) -> tuple[int, str]:
    """Index of the last token to fold with `index` and the kind of the result; -1 for none."""
    kind = tokens[index].kind
    if kind == "ATTRIBUTE" and tokens[index + 1].kind == "LPAR" and mate[index + 1] > 0:
        return mate[index + 1], "ATTRIBUTE"
    if kind == "LSQB" and tokens[index + 1].kind == "LSQB" and tokens[index + 1].start == tokens[index].start + 1:
        if mate[index] > 0 and mate[index + 1] == mate[index] - 1:
            return mate[index], "ATTRIBUTE"
    elif kind == "ASM":
        at = index + 1
        while tokens[at].kind in ("SPECIFIER", "GOTO"):
            at += 1
        if tokens[at].kind == "LPAR" and mate[at] > 0:
            return mate[at], "ASM"
    elif kind == "OPERATOR":
        return _operator_end(tokens, index), "ID"
    return -1, ""


def _operator_end(tokens: list[Token], index: int) -> int:
    """Last token of `operator+`, `operator()`, `operator[]`, `operator>>` or a conversion operator."""
    at = index + 1
    kind, after = tokens[at].kind, tokens[min(at + 1, len(tokens) - 1)].kind
    if (kind, after) in (("LPAR", "RPAR"), ("LSQB", "RSQB"), ("GT", "GT")):
        return at + 1
    if kind in ("BUILTIN", "SPECIFIER", "ID", "STRUCT", "TYPENAME", "SCOPE", "AUTO"):
        while tokens[at + 1].kind not in ("LPAR", "EOF"):
            at += 1
    return min(at, len(tokens) - 2)
