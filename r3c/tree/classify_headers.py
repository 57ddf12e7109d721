"""Function headers: template heads, specifiers, return type, name, parameters; then the body."""

from __future__ import annotations

from r3c.tree.classify_statements import StatementClassifier
from r3c.tree.classify_types import Marks
from r3c.tree.locate import FunctionExtent, name_start, template_end

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
        name = name_start(self.tokens, extent.opener, start)
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
            elif token.text == "requires":
                at = self._requires(at, name)
            elif token.kind == "LT" and self.kind(at - 1) == "ID":
                at = max(at, template_end(self.tokens, self.mate, at, extent.opener))
            elif token.kind in ("ID", "SPECIFIER") and self.kind(at + 1) == "LPAR" and at < name:
                self._fold_macro_specifier(at)
                at = max(at, self.mate[at + 1])
            at += 1
        marks: Marks = []
        if self.read_specifiers(start, marks) > 0:
            self.apply([mark for mark in marks if mark[0] < name])
        self._template_lists(start, extent.opener)

    def _template_lists(self, start: int, end: int) -> None:
        """Every `<...>` after a name among tokens `[start, end)` of a header."""
        at = start
        while at < end:
            if self.kind(at) == "LT" and self.kind(at - 1) in ("ID", "TYPE_NAME"):
                inner: Marks = []
                after = self.read_template_arguments(at, inner, in_type=True)
                if after > 0:
                    self.apply(inner)
                    at = after
                    continue
            at += 1

    def _requires(self, start: int, limit: int) -> int:
        """Fold a requires clause into one specifier; the index of its last token."""
        at = start + 1
        while at < limit:
            while self.kind(at) == "NOT":
                at += 1
            if self.kind(at) == "LPAR" and self.mate[at] > 0:
                at = self.mate[at] + 1
            else:
                at = self._read_chain(at, [])
                if self.kind(at) == "LPAR" and self.mate[at] > 0:
                    at = self.mate[at] + 1
            if self.kind(at) not in ("AND_AND", "OR_OR"):
                break
            at += 1
        last = min(at, limit) - 1
        self.fold(start, last, "SPECIFIER")
        return last

    def _fold_macro_specifier(self, at: int) -> None:
        """`LB_MACRO(256)` before the name: one specifier; its arguments are dropped from the grammar's sight."""
        if self.mate[at + 1] > 0:
            self.fold(at, self.mate[at + 1], "SPECIFIER")

    def _after_parameters(self, start: int, body: int) -> None:
        """`const noexcept(...) override -> T`, or a constructor's initialisers."""
        at = start
        while at < body:
            kind = self.kind(at)
            if kind == "COLON":
                self.expression(at + 1, body)
                return
            if kind == "ARROW":
                marks: Marks = []
                if self.read_type_id(at + 1, marks) > 0:
                    self.apply(marks)
                return
            if kind == "LAUNCH_BOUNDS" and self.kind(at + 1) == "LPAR" and self.mate[at + 1] > 0:
                self.expression(at + 2, self.mate[at + 1])
                at = self.mate[at + 1]
            elif self.tokens[at].text == "requires":
                at = self._requires(at, body)
            elif kind in ("ID", "SPECIFIER"):
                self.tokens[at].kind = "SPECIFIER"
                if self.kind(at + 1) == "LPAR":
                    self._fold_macro_specifier(at)
                    at = max(at, self.mate[at + 1])
            elif kind == "PP":
                self.tokens[at].kind = "PP_INSIDE"
            at += 1

    # --- template heads -------------------------------------------------------------------------------------------

    def _template_head(self, start: int, limit: int) -> int:
        """Classify `template <...>`; the index after it."""
        return self.template_parameters(start + 1, limit)

    def template_parameters(self, opener: int, limit: int) -> int:
        """Classify `<class T, int N>` from its `<` on; the index after it."""
        self._nested_heads(opener + 1, template_end(self.tokens, self.mate, opener, limit))
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
        while at < limit:
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
                at = self.template_close(at, limit) + 1
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
                at = self.template_close(at, close)
            at += 1
        return min(at, close)

    def _head_parameter(self, at: int, end: int) -> None:
        if self.kind(at) == "TEMPLATE" or at >= end:
            return
        names_type = self.kind(at) in ("TYPENAME", "STRUCT") and self.kind(at + 1) in _TYPE_PARAMETER_ENDS
        value = self.kind(at + 1) == "ID" and at + 2 < end and self.kind(at + 2) != "ASSIGN"  # `enum Mode mode`
        if names_type and not value:
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
