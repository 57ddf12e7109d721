"""Macros that stand for statements, or take them as arguments: found by what follows, read as far as can be."""

from __future__ import annotations

from abc import abstractmethod

from r3c.tree.classify_expressions import ExpressionClassifier
from r3c.tree.words import KEYWORD_KINDS

_CONTROL = frozenset(("IF", "FOR", "WHILE", "SWITCH", "DO"))
_OPENERS = frozenset(("LPAR", "LSQB", "LBRACE"))
_CANNOT_CONTINUE_A_CALL = frozenset(
    ("ID", "RBRACE", "PP", "PP_LINE", "BUILTIN", "SPECIFIER", "STRUCT", "AUTO", "LITERAL")
) | (KEYWORD_KINDS - {"AND_AND", "OR_OR", "NOT", "LAUNCH_BOUNDS", "OPERATOR"})
_AFTER_MACRO_WORD = frozenset(("RBRACE", "PP", "PP_LINE", "FOR", "IF", "WHILE", "RETURN"))
# What an argument that is a statement begins with.
_STARTS_STATEMENT = frozenset(
    ("USING", "RETURN", "SPECIFIER", "BUILTIN", "AUTO", "TYPEDEF", "BREAK", "CONTINUE", "STATIC_ASSERT")
)
_MACROS_IN_MACROS = 12


class MacroClassifier(ExpressionClassifier):
    """Macro statements: `TICK(3)`, `BEGIN_LOOP`, `FOR_ALL(i, n) {...}`, `DISPATCH(type, NAME, { ... });`."""

    @abstractmethod
    def statement(self, start: int, limit: int) -> int:
        """Classify the statement at `start`; the index after it."""

    @abstractmethod
    def controlled(self, start: int, limit: int) -> int:
        """Classify what a control statement controls, from `start` on; the index after it."""

    @abstractmethod
    def found(self, start: int, end: int, limit: int, kind: str) -> int:
        """Note the extent of a statement; the index after it."""

    @abstractmethod
    def simple_end(self, start: int, limit: int) -> int:
        """Index after the `;` that ends the simple statement at `start`, or where something else cuts it."""

    def macro(self, start: int, limit: int) -> int:
        """A name that must be a macro standing for a statement; the index after it, or -1."""
        token, after = self.tokens[start], self.kind(start + 1)
        if after == "LPAR" and self.mate[start + 1] > 0:
            close = self.mate[start + 1]
            follows = self.kind(close + 1)
            comma = self._statement_argument(start + 1, close)
            if comma >= 0:
                return self._macro_statements(start, comma, limit)
            if follows in _CANNOT_CONTINUE_A_CALL and close + 1 <= limit:
                token.kind = "MACRO_CALL"
                self.expression(start + 2, close)
                return self.found(start, close + 1, limit, "simple")
            if follows == "LBRACE" and self.mate[close + 1] > 0:
                token.kind = "MACRO_CALL"
                self.expression(start + 2, close)
                self.body(close + 1)
                end = self.mate[close + 1] + 1
                if end < limit and self.kind(end) == "ELSE":
                    end = self.controlled(end + 1, limit)
                return self.found(start, end, limit, "control")
            return -1
        if after in _AFTER_MACRO_WORD or self._is_macro_word(start, after):
            token.kind = "MACRO_WORD"
            return self.found(start, start + 1, limit, "simple")
        return -1

    def _statement_argument(self, opener: int, close: int, depth: int = 0) -> int:
        """The `(` or `,` before the first argument that is statements, -1 where all are expressions or types."""
        before = at = opener
        while at < close:
            at += 1
            kind = self.kind(at)
            if at == before + 1 and self._begins_statements(at, close, depth):
                return before
            if kind == "LT" and self.kind(at - 1) == "ID":
                after = self.read_template_arguments(at, [], in_type=True)
                at = after - 1 if after > 0 else at
            elif kind in _OPENERS and self.mate[at] > 0:
                at = self.mate[at]
            elif kind == "LAUNCH_OPEN":
                at = self.launch_close(at, close)
            elif kind == "COMMA":
                before = at
            elif kind == "SEMI":
                return before
        return -1

    def _begins_statements(self, at: int, close: int, depth: int) -> bool:
        if self.kind(at) in _CONTROL:
            return True
        if self.kind(at) == "LPAR" and self.kind(at + 1) == "RPAR":
            return True
        if self.kind(at) in ("LBRACE", "LPAR"):
            return self._holds_statements(at)
        if self.kind(at) == "ID" and self.kind(at + 1) == "LPAR" and depth < _MACROS_IN_MACROS:
            inner = self.mate[at + 1]
            return inner + 1 == close and self._statement_argument(at + 1, inner, depth + 1) >= 0
        return self.kind(at) in _STARTS_STATEMENT and self.simple_end(at, close) < close

    def _holds_statements(self, opener: int) -> bool:
        """Whether a `;` stands directly between a bracket and its mate."""
        at, close = opener + 1, self.mate[opener]
        while at < close:
            if self.kind(at) == "SEMI":
                return True
            at = self.mate[at] + 1 if self.kind(at) in _OPENERS and self.mate[at] > 0 else at + 1
        return False

    def _macro_statements(self, start: int, comma: int, limit: int) -> int:
        """`DISPATCH(type, NAME, { ... });`: the arguments before `comma` are expressions, the rest statements."""
        self.tokens[start].kind = "MACRO_CALL"
        close = self.mate[start + 1]
        self.expression(start + 2, comma)
        self.tokens[comma].kind = "STATEMENT_COMMA" if comma > start + 1 else "STATEMENT_LPAR"
        at = comma + 1
        while at < close:
            at = max(self._macro_item(at, close), at + 1)
        end = close + 2 if self.kind(close + 1) == "SEMI" else close + 1
        return self.found(start, end, limit, "control")

    def _macro_item(self, at: int, close: int) -> int:
        """One statement of a macro's argument, the comma before the next argument, or statements in parentheses."""
        if self.kind(at) == "COMMA":
            end = self._plain_argument(at + 1, close)
            self.tokens[at].kind = "EXPRESSION_COMMA" if end > 0 else "STATEMENT_COMMA"
            self.expression(at + 1, end)
            return max(end, at + 1)
        last = self.mate[at] if self.kind(at) == "LPAR" else -1
        if last < 0 or self.kind(last + 1) not in ("COMMA", "RPAR"):
            return self.statement(at, close)
        self.tokens[at].kind = "STATEMENT_LPAR"
        at += 1
        while at < last:
            at = max(self.statement(at, last), at + 1)
        return last + 1

    def _plain_argument(self, start: int, close: int) -> int:
        """Where the argument at `start` ends if it is an expression, -1 if it is statements."""
        if self._begins_statements(start, close, 0):
            return -1
        at = start
        while at < close and self.kind(at) != "COMMA":
            if self.kind(at) == "SEMI":
                return -1
            at = self.mate[at] + 1 if self.kind(at) in _OPENERS and self.mate[at] > 0 else at + 1
        return at

    def _is_macro_word(self, start: int, after: str) -> bool:
        token = self.tokens[start]
        if after not in ("ID", "BUILTIN", "SPECIFIER") or token.text in self.names.types:
            return False
        if token.text in self.names.statement_macros or token.text in self.names.object_macros:
            return True
        return token.text.isupper() and "\n" in self.text[token.end : self.tokens[start + 1].start]
