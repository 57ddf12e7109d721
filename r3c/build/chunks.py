"""The namespace-scope declarations of a file: what each declares, what it uses, whether device code may need it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from r3c.core.source import Source
from r3c.tree.brackets import fold, match_brackets
from r3c.tree.lexer import Token, lex
from r3c.tree.locate import before_template, template_end

_WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINE = re.compile(r"#\s*define\s+([A-Za-z_]\w*)(?:\([^)]*\))?(.*)", re.DOTALL)
_DEVICE_WORDS = frozenset(("__device__", "__global__", "__constant__", "__managed__", "__shared__", "constexpr"))
_DECLARED_BEFORE = frozenset(("SEMI", "ASSIGN", "LSQB", "COMMA", "LBRACE", "LPAR"))


@dataclass(frozen=True)
class Chunk:
    """One declaration, `[start, end)` of the text.

    Attributes:
        kind: `scope` (what opens or closes a namespace or `extern "C"`), `type`, `function`, `variable`, `using`
            (names a namespace), or `other` (nothing that device code refers to).
        declares, uses: names.
        specifiers: the words before the name of a function or variable.
        pieces: what of it is code; preprocessor lines between the pieces are not part of it.
    """

    start: int
    end: int
    kind: str
    declares: frozenset[str]
    uses: frozenset[str]
    specifiers: frozenset[str]
    pieces: tuple[tuple[int, int], ...]

    def may_be_device(self, device_macros: frozenset[str]) -> bool:
        """Whether device code could refer to it; a function without any space is the host's."""
        if self.kind in ("type", "scope", "using"):
            return True
        words = self.specifiers
        if self.kind == "variable":
            return bool(words & (_DEVICE_WORDS | {"const"} | device_macros))
        return self.kind == "function" and bool(words & (_DEVICE_WORDS | device_macros))


@dataclass(frozen=True)
class Chunks:
    """A file cut up; `macros` holds the words of each `#define`, `lines` its preprocessor lines."""

    source: Source
    chunks: tuple[Chunk, ...]
    macros: dict[str, frozenset[str]]
    lines: tuple[Token, ...]


def cut_up(source: Source) -> Chunks:
    """Every namespace-scope declaration of `source`."""
    tokens = fold(source.text, lex(source.text)[0])
    mate = match_brackets(tokens).mate
    macros: dict[str, frozenset[str]] = {}
    lines = tuple(token for token in tokens if token.kind == "PP")
    for line in lines:
        found = _DEFINE.match(line.text)
        if found:
            macros[found[1]] = macros.get(found[1], frozenset()) | set(_WORD.findall(found[2]))
    return Chunks(source, tuple(_Cutter(tokens, mate).run()), macros, lines)


class _Cutter:
    def __init__(self, tokens: list[Token], mate: list[int]) -> None:
        self.tokens = tokens
        self.mate = mate

    def run(self) -> Iterator[Chunk]:
        tokens, at, last = self.tokens, 0, len(self.tokens) - 1
        while at < last:
            kind = tokens[at].kind
            if kind == "PP":
                at += 1
                continue
            end, scope = self._end(at, last)
            yield self._chunk(at, end, scope)
            at = end

    def _end(self, head: int, last: int) -> tuple[int, bool]:
        """Index behind the declaration that begins at `head`, and whether it only opens or closes a scope."""
        tokens, mate = self.tokens, self.mate
        if tokens[head].kind == "RBRACE":
            return head + 1, True
        at, names_class, assigns, calls = head, False, False, False
        while at < last:
            kind = tokens[at].kind
            if kind == "SEMI":
                return at + 1, False
            if kind == "TEMPLATE" and tokens[at + 1].kind == "LT":
                at = max(at, template_end(tokens, mate, at + 1, last))
            elif kind in ("LPAR", "LSQB") and mate[at] > 0:
                calls = calls or kind == "LPAR"
                at = mate[at]
            elif kind == "STRUCT" and not calls:
                names_class = True
            elif kind == "ASSIGN":
                assigns = True
            elif kind == "RBRACE":
                return at, False
            elif kind == "LBRACE":
                if self._opens_scope(head, at):
                    return at + 1, True
                if mate[at] < 0:
                    return last, False
                at = mate[at]
                if not (assigns or (names_class and not calls)) and tokens[at + 1].kind not in (
                    "SEMI",
                    "COMMA",
                    "LBRACE",
                ):
                    return at + 1, False
            at += 1
        return last, False

    def _opens_scope(self, head: int, at: int) -> bool:
        kinds = [token.kind for token in self.tokens[head:at]]
        return "NAMESPACE" in kinds or (kinds[-2:] == ["SPECIFIER", "STRING"] and self.tokens[at - 2].text == "extern")

    def _chunk(self, start: int, end: int, scope: bool) -> Chunk:
        tokens = self.tokens[start:end]
        uses = {token.text for token in tokens if token.kind in ("ID", "BUILTIN")}
        for token in tokens:
            if token.kind in ("PP", "ATTRIBUTE", "LAUNCH_BOUNDS") or (token.kind == "ID" and " " in token.text):
                uses |= set(_WORD.findall(token.text))
        kind, declared, specifiers = ("scope", set[str](), set[str]()) if scope else self._declared(start, end)
        return Chunk(
            tokens[0].start, tokens[-1].end, kind, frozenset(declared), frozenset(uses), frozenset(specifiers),
            tuple(self._pieces(tokens)),
        )  # fmt: skip

    @staticmethod
    def _pieces(tokens: list[Token]) -> Iterator[tuple[int, int]]:
        """Spans of what lies between preprocessor lines."""
        first = -1
        for index, token in enumerate(tokens):
            if token.kind == "PP":
                if first >= 0:
                    yield tokens[first].start, tokens[index - 1].end
                first = -1
            elif first < 0:
                first = index
        if first >= 0:
            yield tokens[first].start, tokens[-1].end

    def _declared(self, start: int, end: int) -> tuple[str, set[str], set[str]]:
        tokens, mate = self.tokens, self.mate
        at = start
        while tokens[at].kind == "TEMPLATE":
            if tokens[at + 1].kind != "LT":
                return "other", set(), set()  # an explicit instantiation
            at = template_end(tokens, mate, at + 1, end) + 1
            if at <= start:
                return "other", set(), set()
        head = tokens[at:end]
        first = head[0].kind if head else "SEMI"
        if first == "USING":
            if len(head) > 1 and head[1].kind == "NAMESPACE":
                return "using", {token.text for token in head if token.kind == "ID"}, set()
            named = [token.text for token in head if token.kind == "ID"]
            alias = len(head) > 2 and head[2].kind == "ASSIGN"
            return "type", {named[0] if alias else named[-1]} if named else set(), set()
        if first == "TYPEDEF":
            return "type", self._typedef(at, end), set()
        if first in ("SEMI", "STATIC_ASSERT", "NAMESPACE"):
            return (
                ("type", {token.text for token in head[1:2]}, set())
                if first == "NAMESPACE"
                else ("other", set(), set())
            )
        return self._function_or_variable(at, end)

    def _typedef(self, at: int, end: int) -> set[str]:
        """The new names: those before `,` or `;`, of `(*name)`, and of a class declared on the way."""
        tokens, mate, names, is_enum = self.tokens, self.mate, set[str](), False
        while at < end:
            token = tokens[at]
            if token.kind == "LBRACE" and mate[at] > 0:
                names |= self._enumerators(at, is_enum)
                at = mate[at]
            elif token.text == "enum":
                is_enum = True
            elif token.kind == "LPAR" and mate[at] > 0:
                inner = tokens[mate[at] - 1]  # of `(*name)`; the parameter list that follows holds none
                names |= {inner.text} if inner.kind == "ID" else set()
                at = mate[mate[at] + 1] if tokens[mate[at] + 1].kind == "LPAR" else mate[at]
            elif token.kind == "ID" and tokens[at + 1].kind in ("SEMI", "COMMA", "LSQB"):
                names.add(token.text)
            at += 1
        return names

    def _enumerators(self, opener: int, is_enum: bool) -> set[str]:
        tokens, mate, names = self.tokens, self.mate, set[str]()
        for at in range(opener, mate[opener] if is_enum else opener):
            if tokens[at].kind in ("LBRACE", "COMMA") and tokens[at + 1].kind == "ID":
                names.add(tokens[at + 1].text)
        return names

    def _function_or_variable(self, at: int, end: int) -> tuple[str, set[str], set[str]]:
        tokens, mate = self.tokens, self.mate
        names, specifiers, is_type, is_enum = set[str](), set[str](), False, False
        begin, initialising = at, False
        while at < end:
            token = tokens[at]
            kind = token.kind
            if kind == "LPAR":
                name = before_template(tokens, at - 1, begin)
                if name >= begin and tokens[name].kind == "ID" and not is_type and not initialising:
                    if not _is_attribute_macro(tokens, mate, at):
                        return "function", {tokens[name].text}, specifiers
                    specifiers.add(tokens[name].text)
                at = max(at, mate[at])
            elif kind == "STRUCT" and not initialising:
                is_type, is_enum = True, is_enum or token.text == "enum"
            elif kind == "LBRACE" and mate[at] > 0:
                if not initialising:
                    names |= self._enumerators(at, is_enum)
                at = mate[at]
            elif kind == "ASSIGN":
                initialising = True
            elif kind == "COMMA":
                initialising = False
            elif kind == "LT" and template_end(tokens, mate, at, end) > 0:
                at = template_end(tokens, mate, at, end)
            elif kind == "ID" and not initialising:
                after = tokens[at + 1].kind
                if after in _DECLARED_BEFORE or (is_type and after in ("COLON", "LT") and not names):
                    names.add(token.text)
                specifiers.add(token.text)
            elif not initialising:
                specifiers.add(token.text)
            at += 1
        return ("type" if is_type else "variable"), names, specifiers


def _is_attribute_macro(tokens: list[Token], mate: list[int], at: int) -> bool:
    """Whether `NAME (...)` before a header is a macro: more of a declaration follows it."""
    after = tokens[mate[at] + 1] if mate[at] > 0 else tokens[at]
    return after.kind in ("BUILTIN", "STRUCT", "AUTO", "TYPENAME") or after.text in (
        "__global__", "__device__", "__host__", "static", "inline", "void",
    )  # fmt: skip
