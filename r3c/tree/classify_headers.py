"""Function headers: template heads, specifiers, return type, name, parameters; then the body."""

from __future__ import annotations

from r3c.tree.classify_statements import StatementClassifier
from r3c.tree.classify_types import Marks
from r3c.tree.locate import FunctionExtent

_OPENERS = frozenset(("LPAR", "LSQB", "LBRACE"))
_TYPE_PARAMETER_ENDS = frozenset(("ID", "ELLIPSIS", "COMMA", "TEMPLATE_CLOSE", "ASSIGN"))


class Classifier(StatementClassifier):
    """Classifies whole functions."""

    def function(self, extent: FunctionExtent) -> None:
        """Relabel the tokens of one function; `extents` then holds its statements."""
        self.extents = []
        at = extent.start
        while self.kind(at) == "TEMPLATE" and self.kind(at + 1) == "LT":
            at = self._template_head(at, extent.opener)
        self._before_parameters(at, extent)
        self.tokens[extent.opener].kind = "PARAM_LPAR"
        self.parameters(extent.opener)
        self._after_parameters(self.mate[extent.opener] + 1, extent.body)
        self.body(extent.body)

    def _before_parameters(self, start: int, extent: FunctionExtent) -> None:
        at = start
        while at < extent.opener:
            token = self.tokens[at]
            if token.kind == "STRING" and self.tokens[at - 1].text == "extern":
                token.kind = "SPECIFIER"
            elif token.kind == "LAUNCH_BOUNDS" and self.kind(at + 1) == "LPAR" and self.mate[at + 1] > 0:
                self.expression(at + 2, self.mate[at + 1])
                at = self.mate[at + 1]
            elif token.kind in ("PP", "PP_INSIDE"):
                token.kind = "PP_INSIDE"
            elif token.kind == "ID" and self.kind(at + 1) == "LPAR" and at + 1 < extent.opener:
                self._fold_macro_specifier(at)
            at += 1
        marks: Marks = []
        name = extent.opener - 1
        if self.read_specifiers(start, marks) > 0:
            self.apply([mark for mark in marks if isinstance(mark[1], int) or mark[0] < name])
        at = start
        while at < name:
            if self.kind(at) == "LT" and self.kind(at - 1) in ("ID", "TYPE_NAME"):
                inner: Marks = []
                end = self.read_template_arguments(at, inner, in_type=True)
                if end > 0:
                    self.apply(inner)
                    at = end
                    continue
            at += 1

    def _fold_macro_specifier(self, at: int) -> None:
        """`LB_MACRO(256)` before the name: one specifier; its arguments are dropped from the grammar's sight."""
        token, close = self.tokens[at], self.mate[at + 1]
        if close < 0:
            return
        token.kind = "SPECIFIER"
        token.text = self.text[token.start : self.tokens[close].end]
        for inner in range(at + 1, close + 1):
            self.tokens[inner].kind = "DROPPED"

    def _after_parameters(self, start: int, body: int) -> None:
        if self.kind(start) == "COLON":
            self.expression(start + 1, body)
            return
        for at in range(start, body):
            if self.kind(at) == "PP":
                self.tokens[at].kind = "PP_INSIDE"
            elif self.kind(at) == "ARROW":
                marks: Marks = []
                if self.read_type_id(at + 1, marks) > 0:
                    self.apply(marks)
                return

    # --- template heads -------------------------------------------------------------------------------------------

    def _template_head(self, start: int, limit: int) -> int:
        """Classify `template <...>`; the index after it."""
        self._nested_heads(start + 2, limit)
        opener = start + 1
        self.tokens[opener].kind = "TEMPLATE_OPEN"
        close = self._head_close(opener + 1, limit)
        if close >= limit:
            return limit
        self.tokens[close].kind = "TEMPLATE_CLOSE"
        at = opener + 1
        while at < close:
            end = self._head_parameter_end(at, close)
            self._head_parameter(at, end)
            at = end + 1
        return close + 1

    def _nested_heads(self, start: int, limit: int) -> None:
        """Template template parameters: `template <class, int> class V`."""
        at = start
        while at < limit and self.kind(at) not in ("LPAR", "LBRACE"):
            if self.kind(at) == "TEMPLATE" and self.kind(at + 1) == "LT":
                at = self._nested_head(at + 1, limit)
            at += 1

    def _nested_head(self, at: int, limit: int) -> int:
        depth = 0
        while at < limit:
            kind = self.kind(at)
            if kind == "LT":
                depth += 1
                self.tokens[at].kind = "TEMPLATE_OPEN"
            elif kind == "GT":
                depth -= 1
                self.tokens[at].kind = "TEMPLATE_CLOSE"
            elif kind in ("TYPENAME", "STRUCT"):
                self.tokens[at].kind = "TYPE_PARAM"
            elif kind == "ID" and self.kind(at - 1) != "TYPE_PARAM":
                self.tokens[at].kind = "TYPE_NAME"
            if depth == 0:
                break
            at += 1
        if at + 1 < limit and self.kind(at + 1) in ("STRUCT", "TYPENAME"):
            self.tokens[at + 1].kind = "TYPE_PARAM"
        return at

    def _head_close(self, at: int, limit: int) -> int:
        while at < limit and self.kind(at) != "GT":
            kind = self.kind(at)
            if kind == "TEMPLATE_OPEN":
                at = self._template_close(at, limit) + 1
                continue
            if kind == "LT":
                marks: Marks = []
                end = self.read_template_arguments(at, marks, in_type=True)
                if end > 0:
                    self.apply(marks)
                    at = end
                    continue
            elif kind in _OPENERS and self.mate[at] > 0:
                at = self.mate[at]
            at += 1
        return at

    def _head_parameter_end(self, at: int, close: int) -> int:
        while at < close and self.kind(at) != "COMMA":
            if self.kind(at) == "LPAR" and self.mate[at] > 0:
                at = self.mate[at]
            elif self.kind(at) == "TEMPLATE_OPEN":
                at = self._template_close(at, close)
            at += 1
        return min(at, close)

    def _head_parameter(self, at: int, end: int) -> None:
        if self.kind(at) == "TEMPLATE" or at >= end:
            return
        names_type = self.kind(at) in ("TYPENAME", "STRUCT") and self.kind(at + 1) in _TYPE_PARAMETER_ENDS
        if names_type and (at + 2 >= end or self.kind(at + 2) in ("ASSIGN", "COMMA", "TEMPLATE_CLOSE", "ID")):
            self.tokens[at].kind = "TYPE_PARAM"
            for inner in range(at, end):
                marks: Marks = []
                if self.kind(inner) == "ASSIGN" and self.read_type_id(inner + 1, marks) > 0:
                    self.apply(marks)
            return
        marks = []
        after = self.read_specifiers(at, marks)
        if after > 0:
            self.apply(marks)
            self.expression(after, end, declaring=True)
