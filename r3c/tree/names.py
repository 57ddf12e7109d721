"""What the names of one file are, as far as its tokens tell: types, templates, macros, variables.

Tokens only, never the raw text: a name inside a comment, a string or an `#include` says nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from r3c.core.config import NamesConfig
from r3c.tree.lexer import Token
from r3c.tree.words import KNOWN_TEMPLATES, KNOWN_TYPES, WORDS

_DEFINE = re.compile(r"#\s*define\s+([A-Za-z_]\w*)(\()?\s*(.*)", re.DOTALL)
_ASSIGNED = frozenset(("ASSIGN", "LSQB", "OP_ASSIGN", "INCREMENT", "DOT", "ARROW"))
_STATEMENT_STARTS = frozenset(("SEMI", "LBRACE", "RBRACE", "PP", "SPECIFIER"))
_BEFORE_NO_VARIABLE = frozenset(("DOT", "ARROW", "SCOPE", "USING", "TYPENAME", "STRUCT", "NAMESPACE"))
_AFTER_DECLARED = frozenset(("SEMI", "ASSIGN", "COMMA", "RPAR", "LSQB"))
_LONGEST_HEAD = 2000  # tokens of a template head; longer ones are not written by people
_TYPE_WORDS = frozenset(("BUILTIN", "SPECIFIER"))


@dataclass
class NameFacts:
    """Sets of names; a name may be in several of them."""

    types: set[str] = field(default_factory=set)
    templates: set[str] = field(default_factory=set)
    object_macros: set[str] = field(default_factory=set)
    function_macros: set[str] = field(default_factory=set)
    statement_macros: set[str] = field(default_factory=set)
    variables: set[str] = field(default_factory=set)
    kernel_macros: set[str] = field(default_factory=set)
    whole_macros: set[str] = field(default_factory=set)  # stand for whole functions or statements


def collect_names(text: str, tokens: list[Token], mate: list[int], config: NamesConfig) -> NameFacts:
    """Facts from the tokens of a file with `text`; `config` adds what the owner said."""
    facts = NameFacts(
        types=set(KNOWN_TYPES) | set(config.types), templates=set(KNOWN_TEMPLATES) | set(config.templates)
    )
    facts.statement_macros |= set(config.statement_macros)
    collector = _Collector(text, tokens, mate, facts)
    for index, token in enumerate(tokens):
        handler = _HANDLERS.get(token.kind)
        if handler is not None:
            handler(collector, index)
    return facts


class _Collector:
    def __init__(self, text: str, tokens: list[Token], mate: list[int], facts: NameFacts) -> None:
        self.text = text
        self.tokens = tokens
        self.mate = mate
        self.facts = facts

    def kind(self, index: int) -> str:
        try:
            return self.tokens[index].kind
        except IndexError:
            return "EOF"

    def define(self, index: int) -> None:
        found = _DEFINE.match(self.tokens[index].text)
        if not found:
            return
        name, function_like, body = found.groups()
        if function_like:
            self.facts.function_macros.add(name)
            if "{" in body:
                self.facts.whole_macros.add(name)
            if "__global__" in body:
                self.facts.kernel_macros.add(name)
            return
        self.facts.object_macros.add(name)
        words = re.sub(r"//.*|/\*.*?\*/", "", body).split()
        if words and all(self._is_type_word(word) for word in words):
            self.facts.types.add(name)

    def _is_type_word(self, word: str) -> bool:
        return WORDS.get(word) in _TYPE_WORDS or word in KNOWN_TYPES or word.endswith("_t")

    def star(self, index: int) -> None:
        """`float * RESTRICT p`: between a pointer and a name only a macro for qualifiers can stand."""
        at = index + 1
        while self.kind(at) == "SPECIFIER":
            at += 1
        if self.kind(at) == "ID" and self.kind(at + 1) == "ID":
            self.tokens[at].kind = "SPECIFIER"

    def typedef(self, index: int) -> None:
        name, at = "", index + 1
        while self.kind(at) not in ("SEMI", "EOF"):
            kind = self.kind(at)
            if kind in ("LBRACE", "LSQB") and self.mate[at] > 0:
                at = self.mate[at]
            elif kind == "ID":
                name = self.tokens[at].text
            elif kind == "LPAR" and self.kind(at + 1) == "STAR" and self.kind(at + 2) == "ID":
                name = self.tokens[at + 2].text
                break
            at += 1
        if name:
            self.facts.types.add(name)

    def struct(self, index: int) -> None:
        at = index + 1
        while self.kind(at) in ("ATTRIBUTE", "STRUCT", "ELLIPSIS"):
            at += 1
        if self.kind(at) == "ID":
            self.facts.types.add(self.tokens[at].text)

    def using(self, index: int) -> None:
        if self.kind(index + 1) == "ID" and self.kind(index + 2) == "ASSIGN":
            self.facts.types.add(self.tokens[index + 1].text)

    def template(self, index: int) -> None:
        at = self._after_template_head(index)
        if at < 0:
            return
        limit = at + _LONGEST_HEAD
        while at < limit and self.kind(at) not in ("EOF", "SEMI", "LBRACE"):
            if self.kind(at) in ("LAUNCH_BOUNDS", "DECLTYPE") and self.mate[at + 1] > 0:
                at = self.mate[at + 1]
            elif self.kind(at) == "ID" and self.kind(at + 1) in (
                "LPAR", "LBRACE", "COLON", "LSQB", "ASSIGN", "SEMI",
            ):  # fmt: skip
                self.facts.templates.add(self.tokens[at].text)
                return
            at += 1

    def _after_template_head(self, index: int) -> int:
        at, depth, limit = index + 1, 0, index + _LONGEST_HEAD
        while at < limit and self.kind(at) not in ("EOF", "SEMI", "LBRACE"):
            kind = self.kind(at)
            if kind == "LT":
                depth += 1
            elif kind == "GT":
                depth -= 1
                if depth == 0:
                    return at + 1
            elif kind == "LPAR" and self.mate[at] > 0:
                at = self.mate[at]
            at += 1
        return -1

    def identifier(self, index: int) -> None:
        tokens, facts = self.tokens, self.facts
        text, after, before = tokens[index].text, self.kind(index + 1), self.kind(index - 1)
        if text.endswith("_t"):
            facts.types.add(text)
        if after in _ASSIGNED and before not in _BEFORE_NO_VARIABLE:
            facts.variables.add(text)
        if before in ("DOT", "ARROW"):
            return
        if before in ("BUILTIN", "ID") and after in _AFTER_DECLARED:
            facts.variables.add(text)
        declared = index + 1
        while self.kind(declared) == "STAR":
            declared += 1
        starred = declared > index + 1
        if self.kind(declared) == "ID" and self.kind(declared + 1) in _AFTER_DECLARED:
            if (not starred and not self._is_macro_word(index)) or (starred and before in _STATEMENT_STARTS):
                facts.types.add(text)
        elif starred and self.kind(declared) == "RPAR" and before == "LPAR":
            facts.types.add(text)

    def _is_macro_word(self, index: int) -> bool:
        """Whether a name before another one is rather a macro for a statement than a type: `CHECK_LAST_ERROR`."""
        token = self.tokens[index]
        if not token.text.isupper():
            return False
        alone = "\n" in self.text[token.end : self.tokens[index + 1].start]
        return alone or token.text in self.facts.object_macros

    def parenthesis(self, index: int) -> None:
        """The parameter list of a function definition: the first word of each parameter is a type."""
        close = self.mate[index]
        if close < 0 or self.kind(close + 1) != "LBRACE" or self.kind(index - 1) != "ID":
            return
        if self.kind(index - 2) not in ("BUILTIN", "ID", "STAR", "AMP", "SPECIFIER", "GT"):
            return
        at, fresh = index + 1, True
        while at < close:
            kind = self.kind(at)
            if fresh and kind == "ID" and self.kind(at + 1) in ("STAR", "AMP", "ID", "SPECIFIER"):
                self.facts.types.add(self.tokens[at].text)
            fresh = kind == "COMMA" or (fresh and kind == "SPECIFIER")
            at = self.mate[at] if kind in ("LPAR", "LSQB", "LBRACE") and self.mate[at] > 0 else at
            at += 1


_HANDLERS = {
    "PP": _Collector.define,
    "STAR": _Collector.star,
    "TYPEDEF": _Collector.typedef,
    "STRUCT": _Collector.struct,
    "TYPENAME": _Collector.struct,
    "USING": _Collector.using,
    "TEMPLATE": _Collector.template,
    "ID": _Collector.identifier,
    "LPAR": _Collector.parenthesis,
}
