"""Statements: where each one ends, which names are macros that stand for statements, what a preprocessor line cuts."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.tree.classify_macros import MacroClassifier
from r3c.tree.classify_types import Marks

_CONTROL = frozenset(("IF", "FOR", "WHILE", "SWITCH"))
_RAW_DECLARATIONS = frozenset(("USING", "STATIC_ASSERT", "TYPEDEF", "NAMESPACE"))
_JUMPS = frozenset(("RETURN", "GOTO", "BREAK", "CONTINUE", "THROW", "DELETE"))
_OPENERS = frozenset(("LPAR", "LSQB", "LBRACE"))
_CLOSERS = frozenset(("RPAR", "RSQB", "RBRACE"))
_TYPE_PARTS = frozenset(
    ("SPECIFIER", "ATTRIBUTE", "BUILTIN", "AUTO", "STRUCT", "TYPENAME", "TYPE_NAME", "SCOPE", "TEMPLATE_OPEN")
)


# Nesting beyond this is not written by people; it would only exhaust the stack.
_MAX_NESTING = 80


@dataclass(frozen=True)
class Extent:
    """Tokens `[start, end)` of one statement; `kind` is simple, control, body, label, stray or deep."""

    start: int
    end: int
    kind: str


class StatementClassifier(MacroClassifier):
    """Splits bodies into statements; `extents` lists every one for the fallback of the parser."""

    extents: list[Extent]
    _nesting = 0

    def body(self, opener: int) -> None:
        """Classify the statements between `opener` and its mate; every step moves on."""
        at, close = opener + 1, self.mate[opener]
        while at < close:
            at = max(self.statement(at, close), at + 1)

    def found(self, start: int, end: int, limit: int, kind: str) -> int:
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
        if self._nesting >= _MAX_NESTING:
            return self.found(start, self._end_of_any(start, limit), limit, "deep")
        self._nesting += 1
        end = self._statement(start, limit)
        self._nesting -= 1
        return end

    def _end_of_any(self, start: int, limit: int) -> int:
        """Where a statement ends that is nested too deep to be looked into: after its `;` or its braces."""
        at = start
        while at < limit:
            kind = self.kind(at)
            if kind in _OPENERS and self.mate[at] > 0:
                at = self.mate[at]
            elif kind in _CLOSERS:
                return at
            at += 1
            if kind == "SEMI" or (kind == "LBRACE" and self.kind(at) != "ELSE"):
                return at
        return limit

    def _statement(self, start: int, limit: int) -> int:
        kind = self.kind(start)
        if kind in ("PP", "PP_LINE"):
            self.tokens[start].kind = "PP_LINE"
            return start + 1
        if kind == "SEMI":
            return start + 1
        if kind == "LBRACE":
            if self.mate[start] < 0:
                return self.found(start, limit, limit, "simple")
            self.body(start)
            return self.found(start, self.mate[start] + 1, limit, "body")
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
            return self.found(start, self.simple_end(start, limit), limit, "simple")
        if kind == "ID":
            after = self.macro(start, limit)
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
        return self.found(start, end, limit, "simple")

    def _after_type(self, start: int, end: int) -> int:
        """The first token after the type words of a declaration whose type has been relabelled."""
        at = start
        while at < end and self.kind(at) in _TYPE_PARTS:
            if self.kind(at) == "TEMPLATE_OPEN":
                at = self.template_close(at, end)
            at += 1
        if self.kind(at) in ("CLASS_BODY", "BINDING") and self.mate[at] > 0:
            at = self.mate[at] + 1
        return at

    # --- control --------------------------------------------------------------------------------------------------

    def _control(self, start: int, limit: int) -> int:
        opener = start + 1
        if self.tokens[opener].text == "constexpr":
            opener += 1
        close = self.mate[opener] if self.kind(opener) == "LPAR" else -1
        if close < 0:
            return self.found(start, self.simple_end(start, limit), limit, "simple")
        if self.kind(start) == "FOR":
            self._for_head(opener, close)
        else:
            self._condition(opener + 1, close)
        end = self.controlled(close + 1, limit)
        if self.kind(start) == "IF":
            return self._else(start, end, limit)
        return self.found(start, end, limit, "control")

    def _else(self, start: int, end: int, limit: int) -> int:
        """The `else` parts after the first branch of the `if` at `start`, a chain of them without recursion."""
        starts = [start]
        while True:
            at = end
            while at < limit and self.kind(at) in ("PP", "PP_LINE", "PP_INSIDE"):
                at += 1
            if at >= limit or self.kind(at) != "ELSE":
                break
            for line in range(end, at):
                self.tokens[line].kind = "PP_INSIDE"
            head = at + 1
            opener = head + (2 if self.tokens[min(head + 1, limit)].text == "constexpr" else 1)
            if self.kind(head) != "IF" or self.kind(opener) != "LPAR" or self.mate[opener] < 0:
                end = self.controlled(head, limit)
                break
            starts.append(head)
            self._condition(opener + 1, self.mate[opener])
            end = self.controlled(self.mate[opener] + 1, limit)
        for begun in reversed(starts):
            end = self.found(begun, end, limit, "control")
        return end

    def _condition(self, start: int, close: int) -> None:
        marks: Marks = []
        if self.starts_declaration(start, marks, in_condition=True):
            self.apply(marks)
            self.expression(self._after_type(start, close), close, declaring=True)
        else:
            self.expression(start, close)

    def controlled(self, start: int, limit: int) -> int:
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
        end = self.controlled(start + 1, limit)
        if self.kind(end) == "WHILE" and self.kind(end + 1) == "LPAR" and self.mate[end + 1] > 0:
            self.expression(end + 2, self.mate[end + 1])
            end = self.mate[end + 1] + 1
            if self.kind(end) == "SEMI":
                end += 1
        return self.found(start, end, limit, "control")

    def _stray_else(self, start: int, limit: int) -> int:
        self.tokens[start].kind = "STRAY_ELSE"
        return self.found(start, self.controlled(start + 1, limit), limit, "stray")

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
        return self.found(start, end, limit, "control")

    def _case(self, start: int, limit: int) -> int:
        at, questions = start + 1, 0
        while at < limit and not (self.kind(at) == "COLON" and questions == 0):
            kind = self.kind(at)
            questions += (kind == "QUESTION") - (kind == "COLON")
            if kind in _OPENERS and self.mate[at] > 0:
                at = self.mate[at]
            at += 1
        self.expression(start + 1, at)
        return self.found(start, at + 1, limit, "label")


_SPECIAL = {
    "DO": StatementClassifier._do,
    "ELSE": StatementClassifier._stray_else,
    "TRY": StatementClassifier._try,
    "CASE": StatementClassifier._case,
}
