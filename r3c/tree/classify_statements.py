"""Statements: where each one ends, which names are macros that stand for statements, what a preprocessor line cuts."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.tree.classify_expressions import ExpressionClassifier
from r3c.tree.classify_types import Marks
from r3c.tree.words import KEYWORD_KINDS

_CONTROL = frozenset(("IF", "FOR", "WHILE", "SWITCH"))
_RAW_DECLARATIONS = frozenset(("USING", "STATIC_ASSERT", "TYPEDEF", "NAMESPACE"))
_JUMPS = frozenset(("RETURN", "GOTO", "BREAK", "CONTINUE", "THROW", "DELETE"))
_OPENERS = frozenset(("LPAR", "LSQB", "LBRACE"))
_CLOSERS = frozenset(("RPAR", "RSQB", "RBRACE"))
_CANNOT_CONTINUE_A_CALL = frozenset(
    ("ID", "RBRACE", "PP", "PP_LINE", "BUILTIN", "SPECIFIER", "STRUCT", "AUTO", "LITERAL")
) | (KEYWORD_KINDS - {"AND_AND", "OR_OR", "NOT", "LAUNCH_BOUNDS", "OPERATOR"})
_AFTER_MACRO_WORD = frozenset(("RBRACE", "PP", "PP_LINE", "FOR", "IF", "WHILE", "RETURN"))
_TYPE_PARTS = frozenset(
    ("SPECIFIER", "ATTRIBUTE", "BUILTIN", "AUTO", "STRUCT", "TYPENAME", "TYPE_NAME", "SCOPE", "TEMPLATE_OPEN")
)


@dataclass(frozen=True)
class Extent:
    """Tokens `[start, end)` of one statement; `kind` is simple, control, body, label or stray."""

    start: int
    end: int
    kind: str


class StatementClassifier(ExpressionClassifier):
    """Splits bodies into statements; `extents` lists every one for the fallback of the parser."""

    extents: list[Extent]

    def body(self, opener: int) -> None:
        """Classify the statements between `opener` and its mate; every step moves on."""
        at, close = opener + 1, self.mate[opener]
        while at < close:
            at = max(self.statement(at, close), at + 1)

    def _found(self, start: int, end: int, limit: int, kind: str) -> int:
        end = min(max(end, start + 1), max(limit, start + 1))
        self.extents.append(Extent(start, end, kind))
        return end

    def simple_end(self, start: int, limit: int) -> int:
        """Index after the `;` that ends the simple statement at `start`, or where something else cuts it."""
        at = start
        while at < limit:
            kind = self.kind(at)
            if kind == "SEMI":
                return at + 1
            if kind in _OPENERS:
                if self.mate[at] < 0:
                    return limit
                at = self.mate[at] + 1
                continue
            if kind in _CLOSERS:
                return at
            at += 1
        return limit

    def statement(self, start: int, limit: int) -> int:
        """Classify the statement at `start`; the index after it."""
        kind = self.kind(start)
        if kind in ("PP", "PP_LINE"):
            self.tokens[start].kind = "PP_LINE"
            return start + 1
        if kind == "SEMI":
            return start + 1
        if kind == "LBRACE":
            if self.mate[start] < 0:
                return self._found(start, limit, limit, "simple")
            self.body(start)
            return self._found(start, self.mate[start] + 1, limit, "body")
        if kind in _CONTROL:
            return self._control(start, limit)
        if kind in _SPECIAL:
            return _SPECIAL[kind](self, start, limit)
        if kind == "DEFAULT" and self.kind(start + 1) == "COLON":
            return start + 2
        if kind == "ID" and self.kind(start + 1) == "COLON":
            self.tokens[start].kind = "LABEL"
            return start + 2
        if kind in _RAW_DECLARATIONS:
            return self._found(start, self.simple_end(start, limit), limit, "simple")
        if kind == "ID":
            after = self._macro(start, limit)
            if after > 0:
                return after
        return self._simple(start, limit)

    def _simple(self, start: int, limit: int) -> int:
        end = self.simple_end(start, limit)
        marks: Marks = []
        if self.kind(start) in _JUMPS:
            self.expression(start + 1, max(end - 1, start + 1))
        elif self.starts_declaration(start, marks):
            self.apply(marks)
            self.declarators(self._after_type(start, end), end)
        else:
            self.expression(start, end)
        return self._found(start, end, limit, "simple")

    def _after_type(self, start: int, end: int) -> int:
        """The first token after the type words of a declaration whose type has been relabelled."""
        at = start
        while at < end and self.kind(at) in _TYPE_PARTS:
            if self.kind(at) == "TEMPLATE_OPEN":
                at = self._template_close(at, end)
            at += 1
        if self.kind(at) in ("CLASS_BODY", "BINDING") and self.mate[at] > 0:
            at = self.mate[at] + 1
        return at

    def _template_close(self, at: int, end: int) -> int:
        depth = 0
        while at < end:
            depth += (self.kind(at) == "TEMPLATE_OPEN") - (self.kind(at) == "TEMPLATE_CLOSE")
            if depth == 0:
                return at
            at += 1
        return end

    # --- control --------------------------------------------------------------------------------------------------

    def _control(self, start: int, limit: int) -> int:
        opener = start + 1
        if self.tokens[opener].text == "constexpr":
            opener += 1
        close = self.mate[opener] if self.kind(opener) == "LPAR" else -1
        if close < 0:
            return self._found(start, self.simple_end(start, limit), limit, "simple")
        if self.kind(start) == "FOR":
            self._for_head(opener, close)
        else:
            self._condition(opener + 1, close)
        end = self._controlled(close + 1, limit)
        if self.kind(start) == "IF" and end < limit and self.kind(end) == "ELSE":
            end = self._controlled(end + 1, limit)
        return self._found(start, end, limit, "control")

    def _condition(self, start: int, close: int) -> None:
        marks: Marks = []
        if self.starts_declaration(start, marks, in_condition=True):
            self.apply(marks)
            self.expression(self._after_type(start, close), close, declaring=True)
        else:
            self.expression(start, close)

    def _controlled(self, start: int, limit: int) -> int:
        while start < limit and self.kind(start) in ("PP", "PP_LINE"):
            self.tokens[start].kind = "PP_LINE"
            start += 1
        return self.statement(start, limit) if start < limit else limit

    def _for_head(self, opener: int, close: int) -> None:
        at, questions, colon, semicolon = opener + 1, 0, -1, -1
        while at < close:
            kind = self.kind(at)
            if kind in _OPENERS and self.mate[at] > 0:
                at = self.mate[at] + 1
                continue
            if kind == "SEMI":
                semicolon = at
                break
            if kind == "QUESTION":
                questions += 1
            elif kind == "COLON":
                questions, colon = (questions - 1, colon) if questions else (0, at)
            at += 1
        if semicolon < 0 <= colon:
            self.tokens[opener].kind = "RANGE_LPAR"
        marks: Marks = []
        first = opener + 1
        if self.starts_declaration(first, marks):
            self.apply(marks)
            end = semicolon if semicolon > 0 else close
            self.declarators(self._after_type(first, end), end)
            self.expression(end, close)
        else:
            self.expression(first, close)

    def _do(self, start: int, limit: int) -> int:
        end = self._controlled(start + 1, limit)
        if self.kind(end) == "WHILE" and self.kind(end + 1) == "LPAR" and self.mate[end + 1] > 0:
            self.expression(end + 2, self.mate[end + 1])
            end = self.mate[end + 1] + 1
            if self.kind(end) == "SEMI":
                end += 1
        return self._found(start, end, limit, "control")

    def _stray_else(self, start: int, limit: int) -> int:
        self.tokens[start].kind = "STRAY_ELSE"
        return self._found(start, self._controlled(start + 1, limit), limit, "stray")

    def _try(self, start: int, limit: int) -> int:
        end = start + 1
        if self.kind(end) == "LBRACE" and self.mate[end] > 0:
            self.body(end)
            end = self.mate[end] + 1
        while self.kind(end) == "CATCH" and self.kind(end + 1) == "LPAR" and self.mate[end + 1] > 0:
            self.parameters(end + 1)
            self.tokens[end + 1].kind = "PARAM_LPAR"
            end = self.mate[end + 1] + 1
            if self.kind(end) != "LBRACE" or self.mate[end] < 0:
                break
            self.body(end)
            end = self.mate[end] + 1
        return self._found(start, end, limit, "control")

    def _case(self, start: int, limit: int) -> int:
        at, questions = start + 1, 0
        while at < limit and not (self.kind(at) == "COLON" and questions == 0):
            kind = self.kind(at)
            questions += (kind == "QUESTION") - (kind == "COLON")
            if kind in _OPENERS and self.mate[at] > 0:
                at = self.mate[at]
            at += 1
        self.expression(start + 1, at)
        return self._found(start, at + 1, limit, "label")

    # --- macros ---------------------------------------------------------------------------------------------------

    def _macro(self, start: int, limit: int) -> int:
        """A name that must be a macro standing for a statement; the index after it, or -1."""
        token, after = self.tokens[start], self.kind(start + 1)
        if after == "LPAR" and self.mate[start + 1] > 0:
            close = self.mate[start + 1]
            follows = self.kind(close + 1)
            if follows in _CANNOT_CONTINUE_A_CALL and close + 1 <= limit:
                token.kind = "MACRO_CALL"
                self.expression(start + 2, close)
                return self._found(start, close + 1, limit, "simple")
            if follows == "LBRACE" and self.mate[close + 1] > 0:
                token.kind = "MACRO_CALL"
                self.expression(start + 2, close)
                self.body(close + 1)
                return self._found(start, self.mate[close + 1] + 1, limit, "control")
            return -1
        if after in _AFTER_MACRO_WORD or self._is_macro_word(start, after):
            token.kind = "MACRO_WORD"
            return self._found(start, start + 1, limit, "simple")
        return -1

    def _is_macro_word(self, start: int, after: str) -> bool:
        token = self.tokens[start]
        if after not in ("ID", "BUILTIN", "SPECIFIER") or token.text in self.names.types:
            return False
        if token.text in self.names.statement_macros or token.text in self.names.object_macros:
            return True
        return token.text.isupper() and "\n" in self.text[token.end : self.tokens[start + 1].start]


_SPECIAL = {
    "DO": StatementClassifier._do,
    "ELSE": StatementClassifier._stray_else,
    "TRY": StatementClassifier._try,
    "CASE": StatementClassifier._case,
}
