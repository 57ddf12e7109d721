"""Expressions: settles cast or parenthesis, template list or comparison, lambda or subscript, launch brackets."""

from __future__ import annotations

from abc import abstractmethod

from r3c.tree.classify_types import MAX_DEPTH, Marks, TypeClassifier

_OPERANDS = frozenset(("LITERAL", "STRING", "THIS"))
_AFTER_CAST_ALWAYS = frozenset(("ID", "LITERAL", "STRING", "THIS", "SIZEOF", "NAMED_CAST", "BUILTIN", "NEW"))
_AFTER_CAST_IF_SURE = frozenset(("LPAR", "SIGN", "STAR", "AMP", "NOT", "INCREMENT", "SCOPE", "LBRACE"))
_AFTER_CAPTURES = frozenset(("LPAR", "LBRACE", "SPECIFIER", "ARROW", "ATTRIBUTE", "LT"))
_TYPE_STARTS = frozenset(("ID", "BUILTIN", "TYPENAME", "SPECIFIER", "SCOPE", "STRUCT"))
_OPENERS = frozenset(("LPAR", "LSQB", "LBRACE"))


class ExpressionClassifier(TypeClassifier):
    """Relabels the tokens of expressions, initialisers and parameter lists."""

    def expression(self, start: int, end: int, declaring: bool = False) -> None:
        """Classify tokens `[start, end)`; `declaring`: a declarator comes first, so `[` and `{` belong to it."""
        at, after_operand, last, tokens = start, False, start - 1, self.tokens
        while at < end:
            at = last = max(at, last + 1)  # every step moves on, whatever the brackets are
            kind = tokens[at].kind
            if kind in _OPERANDS or kind in ("RPAR", "RSQB", "RBRACE"):
                at, after_operand = at + 1, True
                if declaring and kind == "RPAR" and at < end and self._declares_function(at):
                    self.tokens[at].kind = "PARAM_LPAR"
                    self.parameters(at)
                    at = self.mate[at] + 1
            elif kind == "ID" and self._is_string_macro(at, end):
                self.tokens[at].kind = "STRING"
                at, after_operand = at + 1, True
            elif kind == "ID":
                at, after_operand = self._name(at, end, declaring), True
            elif kind in ("BUILTIN", "TYPENAME", "AUTO", "DECLTYPE"):
                at, after_operand = self._called_type(at, after_operand), True
            elif kind == "LPAR":
                if not after_operand and self._cast(at):
                    at = self.mate[at] + 1
                else:
                    at = self._type_argument(at + 1) if after_operand and not declaring else at + 1
                after_operand = False
            elif kind == "LSQB":
                at, after_operand = self._bracket(at, after_operand, declaring)
            elif kind in _READERS:
                at, after_operand = _READERS[kind](self, at, end)
            elif kind == "PP":
                self.tokens[at].kind = "PP_INSIDE"
                at += 1
            elif kind == "ELLIPSIS" and not after_operand and not declaring:
                self.tokens[at].kind = "PACK"  # the open end of a fold expression
                at, after_operand = at + 1, True
            elif kind in ("INCREMENT", "ASM", "LAMBDA_LSQB"):
                at += 1
            elif kind == "COMMA" and not declaring:
                at, after_operand = self._type_argument(at + 1), False
            else:
                declaring = declaring and kind != "ASSIGN"
                at, after_operand = at + 1, False

    def _type_argument(self, at: int) -> int:
        """Step over a macro's argument that is a type, `const char*` or `Cell *`, relabelled; `at` where there is none."""
        kind = self.kind(at)
        pointer = kind == "ID" and self.kind(at + 1) == "STAR"
        if not pointer and kind not in ("SPECIFIER", "STRUCT"):
            return at
        marks: Marks = []
        end = self.read_type_id(at, marks)
        if end < 0 or self.kind(end) not in ("COMMA", "RPAR"):
            return at
        self.apply(marks)
        return end

    def _declares_function(self, at: int) -> bool:
        """Whether the `(` at `at` holds the parameters of the pointer before it: `(*f)(int)`, `(&)(float)`."""
        if self.kind(at) != "LPAR" or self.mate[at] < 0 or self.mate[at - 1] < 0:
            return False
        return self.kind(self.mate[at - 1] + 1) in ("STAR", "AMP", "AND_AND")

    def _is_string_macro(self, at: int, end: int) -> bool:
        """Whether a name stands beside a string literal, as in `"%" PRIu64 "\\n"`: then it stands for one."""
        before = at > 0 and self.kind(at - 1) == "STRING"
        return before or (at + 1 < end and self.kind(at + 1) == "STRING")

    def _name(self, at: int, end: int, declaring: bool) -> int:
        after = self.kind(at + 1)
        if after == "LT":
            marks: Marks = []
            close = self.read_template_arguments(at + 1, marks, in_type=False)
            if 0 < close <= end + 1:
                self.apply(marks)
                if self.kind(close) == "LBRACE" and self.kind(close - 1) != "TEMPLATE_CLOSE":
                    self.tokens[at].kind = "CALLED_TYPE"
                return close
        elif after == "LBRACE" and not declaring and at + 1 < end and self.kind(at - 1) != "SCOPE":
            self.tokens[at].kind = "CALLED_TYPE"
        return at + 1

    def _called_type(self, at: int, after_operand: bool) -> int:
        """`float(x)`, `typename T::V{}`: a type that is called."""
        marks: Marks = []
        end = self.read_specifiers(at, marks)
        if end < 0 or self.kind(end) not in ("LPAR", "LBRACE") or after_operand or self.kind(at) == "DECLTYPE":
            return at + 1
        typename = self.kind(at) == "TYPENAME"
        self.apply(marks)
        if end == at + 1 or not typename:
            self.tokens[at].kind = "CALLED_TYPE"
        return end

    def _cast(self, at: int) -> bool:
        """Whether the parenthesis at `at` holds a type and casts what follows; relabels it if so."""
        close = self.mate[at]
        if close < 0:
            return False
        marks: Marks = []
        if self.read_type_id(at + 1, marks) != close:
            return False
        operand = close + 1
        while self.kind(operand) in ("PP", "PP_INSIDE"):
            operand += 1
        sure, after = self.sure, self.kind(operand)
        if after in _AFTER_CAST_ALWAYS:
            doubtful = not sure and self.tokens[at + 1].text in self.names.variables
            casts = after != "ID" or not doubtful
        else:
            casts = sure and after in _AFTER_CAST_IF_SURE
        if casts:
            self.apply(marks)
            self.tokens[at].kind = "CAST_LPAR"
        return casts

    def _bracket(self, at: int, after_operand: bool, declaring: bool) -> tuple[int, bool]:
        starts_operand = not after_operand and (
            not declaring or self.kind(at - 1) in ("ASSIGN", "LPAR", "COMMA", "RETURN")
        )
        close = self.mate[at]
        if starts_operand and close > 0 and self.kind(close + 1) in _AFTER_CAPTURES:
            return self._lambda(at), True
        return at + 1, False

    def _lambda(self, at: int) -> int:
        after = self.mate[at] + 1
        self.tokens[at].kind = "LAMBDA_LSQB"
        if self.kind(after) == "LT":
            after = self.template_parameters(after, len(self.tokens) - 1)
        while self.kind(after) in ("SPECIFIER", "ATTRIBUTE"):
            after += 1
        if self.kind(after) == "LPAR" and self.mate[after] > 0:
            self.tokens[after].kind = "PARAM_LPAR"
            self.parameters(after)
            after = self.mate[after] + 1
        while self.kind(after) in ("SPECIFIER", "ATTRIBUTE"):
            after += 1
        if self.kind(after) == "ARROW":
            marks: Marks = []
            end = self.read_type_id(after + 1, marks)
            if end > 0:
                self.apply(marks)
                after = end
        if self.kind(after) == "LBRACE" and self.mate[after] > 0:
            self.body(after)
            return self.mate[after] + 1
        return after

    @abstractmethod
    def body(self, opener: int) -> None:
        """Classify the statements of a function's or lambda's body from its brace on."""

    def _sizeof(self, at: int, _: int) -> tuple[int, bool]:
        if self.kind(at + 1) == "LPAR":
            marks: Marks = []
            end = self.read_type_id(at + 2, marks)
            if end == self.mate[at + 1] and self.sure:
                self.apply(marks)
                self.tokens[at + 1].kind = "PARAM_LPAR"
                return end + 1, True
        elif self.kind(at + 1) == "ELLIPSIS":  # sizeof...(Ts)
            return at + 3, False
        return at + 1, False

    def _new(self, at: int, _: int) -> tuple[int, bool]:
        start = at + 1
        if self.kind(start) == "LPAR" and self.mate[start] > 0 and self.kind(self.mate[start] + 1) in _TYPE_STARTS:
            self.expression(start + 1, self.mate[start])
            start = self.mate[start] + 1
        marks: Marks = []
        end = self.read_specifiers(start, marks)
        if end < 0:
            return at + 1, False
        self.apply(marks)
        return end, True

    def _named_cast(self, at: int, _: int) -> tuple[int, bool]:
        if self.kind(at + 1) == "LT":
            marks: Marks = []
            end = self.read_template_arguments(at + 1, marks, in_type=True)
            if end > 0:
                self.apply(marks)
                return end, True
        return at + 1, False

    def _launch(self, at: int, end: int) -> tuple[int, bool]:
        """`<<<` up to its `>>>`, which is three tokens of which the last two are dropped."""
        close = self.launch_close(at, end)
        if close >= end:
            return at + 1, False
        self.expression(at + 1, close)
        self.fold(close, close + 2, "LAUNCH_CLOSE")
        return close + 3, True

    def launch_close(self, at: int, end: int) -> int:
        """Index of the `>>>` of the `<<<` at `at`, or `end`."""
        close = at + 1
        while close < end and not self._closes_launch(close):
            close = self.mate[close] + 1 if self.kind(close) in _OPENERS and self.mate[close] > 0 else close + 1
        return min(close, end)

    def _closes_launch(self, at: int) -> bool:
        run = 0
        while self.kind(at + run) == "GT" and self.tokens[at + run].start == self.tokens[at].start + run:
            run += 1
        return run == 3

    # --- parameters and declarators -------------------------------------------------------------------------------

    def parameters(self, opener: int) -> None:
        """Classify the parameter list between `opener` and its mate."""
        if self.depth < MAX_DEPTH:
            self.depth += 1
            self._parameters(opener)
            self.depth -= 1

    def _parameters(self, opener: int) -> None:
        at, close = opener + 1, self.mate[opener]
        while at < close:
            kind = self.kind(at)
            if kind in ("PP", "PP_INSIDE"):
                self.tokens[at].kind = "PP_INSIDE"
                at += 1
                continue
            if kind == "ELLIPSIS":
                at += 1
            else:
                at = self._parameter(at, close)
            if at < close and self.kind(at) not in ("PP", "PP_INSIDE"):
                at += 1

    def _parameter(self, at: int, close: int) -> int:
        self._fold_macro_type(at, close)
        marks: Marks = []
        declarator = self.read_specifiers(at, marks)
        if declarator > 0:
            self.apply(marks)
        else:
            declarator = at
        end = declarator
        while end < close and self.kind(end) != "COMMA":
            if self.kind(end) in _OPENERS and self.mate[end] > 0:
                end = self.mate[end]
            elif self.kind(end) == "LT":
                after = self.read_template_arguments(end, [], in_type=True)
                end = after - 1 if after > 0 else end
            end += 1
        is_call = declarator < end and self.kind(declarator) == "ID" and self.kind(declarator + 1) == "LPAR"
        if is_call and self.mate[declarator + 1] == end - 1:
            self.tokens[declarator].kind = "MACRO_DECLARATOR"
        self.expression(declarator, end, declaring=True)
        return max(end, at + 1) if end == at and end < close and self.kind(end) != "COMMA" else end

    def _fold_macro_type(self, at: int, close: int) -> None:
        """`const VEC(float, 2) &v`: the macro with its arguments is one specifier."""
        while self.kind(at) == "SPECIFIER":
            at += 1
        if self.kind(at) == "ID" and self.kind(at + 1) == "LPAR" and self.mate[at + 1] > 0:
            last = self.mate[at + 1]
            if last + 1 < close and self.kind(last + 1) in ("STAR", "AMP", "AND_AND", "ID", "SPECIFIER"):
                self.fold(at, last, "BUILTIN")

    def declarators(self, start: int, end: int) -> None:
        """Classify comma separated declarators with their initialisers."""
        at = first = start
        while at < end:
            kind = self.kind(at)
            if kind in _OPENERS and self.mate[at] > 0:
                at = self.mate[at] + 1
                continue
            if kind == "LT" and self.kind(at - 1) == "ID":
                after = self.read_template_arguments(at, [], in_type=False)
                if after > 0:
                    at = after
                    continue
            if kind == "COMMA":
                self.expression(first, at, declaring=True)
                first = at + 1
            at += 1
        self.expression(first, end, declaring=True)


_READERS = {
    "SIZEOF": ExpressionClassifier._sizeof,
    "NEW": ExpressionClassifier._new,
    "NAMED_CAST": ExpressionClassifier._named_cast,
    "LAUNCH_OPEN": ExpressionClassifier._launch,
}
