"""Types and template arguments: relabels tokens where a type stands, and says how sure that is.

Every `read_*` method takes the index of a token, returns the index after what it read, or -1, and appends to `marks`
what should be relabelled if its caller agrees. Nothing changes before `apply`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from r3c.tree.brackets import Brackets
from r3c.tree.lexer import Token
from r3c.tree.names import NameFacts
from r3c.tree.words import KNOWN_TEMPLATES, KNOWN_TYPES

# What to do at a token: give it a kind, or classify the expression from it to an end.
Mark = tuple[int, str | int]
Marks = list[Mark]

_TYPE_STARTS = frozenset(("BUILTIN", "AUTO", "STRUCT", "TYPENAME"))
_POINTERS = frozenset(("STAR", "AMP", "AND_AND", "SPECIFIER", "ATTRIBUTE"))
_NEVER_IN_TEMPLATE_ARGUMENTS = frozenset(
    ("SEMI", "LBRACE", "RBRACE", "ASSIGN", "OP_ASSIGN", "STRING", "INCREMENT", "EOF", "PP", "LAUNCH_OPEN", "RETURN",
     "RPAR", "RSQB")
)  # fmt: skip
# After `a < b >`: what makes `>` a comparison, and what cannot be the right side of one.
_STARTS_OPERAND = frozenset(("ID", "LITERAL", "STRING", "THIS", "SIZEOF", "NEW", "NAMED_CAST", "BUILTIN", "TYPENAME"))
_NEVER_AN_OPERAND = frozenset(
    ("RPAR", "RSQB", "RBRACE", "COMMA", "SEMI", "COLON", "QUESTION", "LBRACE", "LAUNCH_OPEN", "DOT", "ELLIPSIS",
     "ASSIGN", "EQUALITY", "OR_OR", "AND_AND", "PIPE", "CARET", "SLASH", "COMPARE", "SHIFT", "OP_ASSIGN", "LT", "ARROW",
     "EOF")
)  # fmt: skip
# Nesting beyond this is not written by people; it would only exhaust the stack.
MAX_DEPTH = 40
_AFTER_DECLARED = frozenset(("COMMA", "RPAR", "SEMI", "ASSIGN", "LSQB"))
_OPENERS = frozenset(("LPAR", "LSQB", "LBRACE"))


class TypeClassifier(ABC):
    """The token list of one file with the decisions that need to know what a type is."""

    def __init__(self, text: str, tokens: list[Token], brackets: Brackets, names: NameFacts) -> None:
        self.text = text
        self.tokens = tokens
        self.mate = brackets.mate
        self.names = names
        self._lists: dict[tuple[int, bool], tuple[int, Marks]] = {}  # what each `<` opens
        self.depth = 0
        self.sure = False  # whether the type read last cannot be anything else

    def kind(self, index: int) -> str:
        return self.tokens[index].kind

    def apply(self, marks: Marks) -> None:
        for index, what in marks:
            if isinstance(what, int):
                self.expression(index, what)
            else:
                self.tokens[index].kind = what
                if what == "PARAM_LPAR":
                    self.parameters(index)

    def fold(self, first: int, last: int, kind: str) -> None:
        """Make tokens `first` to `last` one token of `kind`; the grammar does not see the others."""
        token = self.tokens[first]
        token.kind, token.text = kind, self.text[token.start : self.tokens[last].end]
        token.end = token.start + len(token.text)
        for inner in range(first + 1, last + 1):
            self.tokens[inner].kind = "DROPPED"

    @abstractmethod
    def expression(self, start: int, end: int, declaring: bool = False) -> None:
        """Classify the tokens of an expression; `declaring` where a declarator may stand in its place."""

    @abstractmethod
    def template_parameters(self, opener: int, limit: int) -> int:
        """Classify `<class T, int N>` from its `<` on; the index after it."""

    @abstractmethod
    def parameters(self, opener: int) -> None:
        """Classify a parameter list from its parenthesis on."""

    # --- types ----------------------------------------------------------------------------------------------------

    def read_specifiers(self, index: int, marks: Marks) -> int:
        """Specifiers and one type name: `static const unsigned int`, `typename A::B`, `MACRO_SPECIFIER T<int>`."""
        seen = sure = False
        at = index
        while True:
            kind = self.kind(at)
            if kind in ("SPECIFIER", "ATTRIBUTE", "PP_INSIDE", "DROPPED"):
                sure = sure or kind == "SPECIFIER"
                at += 1
            elif kind == "PP" and not seen and at > index and self.kind(at - 1) == "SPECIFIER":
                marks.append((at, "PP_INSIDE"))
                at += 1
            elif kind in ("BUILTIN", "AUTO"):
                seen = sure = True
                at += 1
            elif kind == "LAUNCH_BOUNDS" and self.kind(at + 1) == "LPAR" and self.mate[at + 1] > 0:
                at = self.mate[at + 1] + 1
            elif kind == "DECLTYPE" and self.kind(at + 1) == "LPAR" and self.mate[at + 1] > 0:
                seen = sure = True
                marks.append((at + 2, self.mate[at + 1]))
                at = self.mate[at + 1] + 1
                if self.kind(at) == "SCOPE" and self.kind(at + 1) == "ID":
                    at = self._read_chain(at, marks)
            elif kind == "TYPENAME" and self.kind(at + 1) == "DECLTYPE":
                marks.append((at, "SPECIFIER"))
                at += 1
            elif kind in ("STRUCT", "TYPENAME") and not seen:
                at = self._read_elaborated(at, marks)
                if at < 0:
                    return -1
                seen = sure = True
            elif not seen and (kind == "ID" or (kind == "SCOPE" and self.kind(at + 1) == "ID")):
                after = self._read_chain(at, marks)
                if after == at + 1 and self._is_macro_specifier(at):
                    marks.append((at, "SPECIFIER"))
                    at, sure = after, True
                    continue
                seen = True
                sure = sure or self.kind(after - 1) == "GT" or self.tokens[at].text in self.names.types
                at = after
            elif kind == "ID" and self.kind(at + 1) == "ID" and self.kind(at + 2) in _AFTER_DECLARED:
                marks.append((at, "SPECIFIER"))
                at, sure = at + 1, True
            else:
                break
        self.sure = sure
        return at if seen else -1

    def _read_elaborated(self, index: int, marks: Marks) -> int:
        """`struct S`, `struct {...}`, `typename T::type`."""
        keyword, at = self.kind(index), index + 1
        while self.kind(at) in ("ATTRIBUTE", "STRUCT"):
            at += 1
        if self.kind(at) in ("ID", "SCOPE"):
            at = self._read_chain(at, marks)
        elif keyword != "STRUCT":
            return -1
        if keyword == "STRUCT" and self.kind(at) == "COLON":
            at = self._class_body(at, marks)
        if keyword == "STRUCT" and self.kind(at) == "LBRACE" and self.mate[at] > 0:
            marks.append((at, "CLASS_BODY"))
            return self.mate[at] + 1
        return at

    def _class_body(self, colon: int, marks: Marks) -> int:
        """Bases of a local class, or the type below an enum, become part of its body; the index of its `{`."""
        at = self.read_specifiers(colon + 1, [])
        while at > 0 and self.kind(at) == "COMMA":
            at = self.read_specifiers(at + 1, [])
        if at < 0 or self.kind(at) != "LBRACE" or self.mate[at] < 0:
            return colon
        self.mate[colon] = self.mate[at]
        marks.append((colon, "CLASS_BODY"))
        return self.mate[at] + 1

    def _is_macro_specifier(self, at: int) -> bool:
        """Whether the lone name at `at` must be a macro that stands for specifiers: a type follows it."""
        name, after = self.tokens[at].text, at + 1
        kind = self.kind(after)
        if kind in _TYPE_STARTS:
            return True
        if kind == "SPECIFIER":
            return name not in self.names.types and self._type_follows_specifiers(after)
        if kind != "ID" or name in KNOWN_TYPES:
            return False
        second, third = self.kind(after + 1), self.kind(min(after + 2, len(self.tokens) - 1))
        if second == "ID" or (second == "SPECIFIER" and third in ("ID", "AMP", "STAR")):
            return True
        return second in ("STAR", "AMP") and third in ("ID", "SPECIFIER", "STAR") and name.isupper()

    def _type_follows_specifiers(self, at: int) -> bool:
        while self.kind(at) in ("SPECIFIER", "ATTRIBUTE"):
            at += 1
        if self.kind(at) in _TYPE_STARTS:
            return True
        return self.kind(at) == "ID" and self.kind(at + 1) in ("ID", "STAR", "AMP", "SCOPE", "LT")

    def _read_chain(self, index: int, marks: Marks) -> int:
        """`::a::b<int>::c` in type position; always reads at least one name."""
        at = index + 1 if self.kind(index) == "SCOPE" else index
        while True:
            marks.append((at, "TYPE_NAME"))
            at += 1
            if self.kind(at) == "LT":
                inner: Marks = []
                end = self.read_template_arguments(at, inner, in_type=True)
                if end < 0:
                    return at
                marks.extend(inner)
                at = end
            elif self.kind(at) == "TEMPLATE_OPEN":
                at = self.template_close(at, len(self.tokens) - 1) + 1
            if self.kind(at) != "SCOPE":
                return at
            after = at + 2 if self.kind(at + 1) == "TEMPLATE" else at + 1
            if self.kind(after) != "ID":
                return at
            at = after

    def template_close(self, at: int, end: int) -> int:
        """Index of the `>` that closes the classified list opened at `at`, or `end`."""
        depth = 0
        while at < end:
            depth += (self.kind(at) == "TEMPLATE_OPEN") - (self.kind(at) == "TEMPLATE_CLOSE")
            if depth == 0:
                return at
            at += 1
        return end

    def skip_pointers(self, at: int) -> int:
        while self.kind(at) in _POINTERS:
            at += 1
        return at

    def read_type_id(self, index: int, marks: Marks) -> int:
        """A whole type without a name: `const float*`, `T (&)[4]`, `R(A, B)`."""
        end = self.read_specifiers(index, marks)
        if end < 0:
            return -1
        named, at = self.sure, self.skip_pointers(end)
        sure = named or at > end
        if self.kind(at) == "LPAR" and self.kind(at + 1) in ("STAR", "AMP") and self.kind(at + 2) == "RPAR":
            at += 3
            while self.kind(at) == "LSQB" and self.mate[at] > 0:
                at = self.mate[at] + 1
            if self.kind(at) == "LPAR" and self.mate[at] > 0:
                marks.append((at, "PARAM_LPAR"))
                at = self.mate[at] + 1
        elif (
            self.kind(at) == "LPAR" and named and self.mate[at] > 0 and self.kind(self.mate[at] + 1) in ("GT", "COMMA")
        ):
            marks.append((at, "PARAM_LPAR"))
            at = self.mate[at] + 1
        while (
            self.kind(at) == "LSQB"
            and self.mate[at] > 0
            and (
                self.mate[at] == at + 1
                or (sure and (self.kind(at - 1) != "ID" or self.tokens[at - 1].text in KNOWN_TYPES))
            )
        ):
            at = self.mate[at] + 1
        if self.kind(at) == "ELLIPSIS":
            at += 1
        self.sure = sure
        return at

    # --- template arguments ---------------------------------------------------------------------------------------

    def read_template_arguments(self, opener: int, marks: Marks, in_type: bool) -> int:
        """`<...>` after the name before `opener`, or -1 where `<` compares.

        Answers are kept: without that, `a < b < c < d` would cost twice as much for every further `<`.
        """
        key = (opener, in_type)
        if key not in self._lists:
            self._lists[key] = (-1, [])
            if self.depth < MAX_DEPTH:
                self.depth += 1
                self._lists[key] = self._read_list(opener, in_type)
                self.depth -= 1
        end, found = self._lists[key]
        marks += found
        return end

    def _read_list(self, opener: int, in_type: bool) -> tuple[int, Marks]:
        found: Marks = [(opener, "TEMPLATE_OPEN")]
        at = opener + 1
        if self.kind(at) == "GT":
            return at + 1, [*found, (at, "TEMPLATE_CLOSE")]
        while True:
            inner: Marks = []
            end = self.read_type_id(at, inner)
            if end >= 0 and self.kind(end) in ("COMMA", "GT"):
                found += inner
            else:
                end = self._argument_end(at)
                if end <= at:
                    return -1, []
                found.append((at, end))
            if self.kind(end) != "COMMA":
                break
            at = end + 1
        if not self._accepts(opener, end, in_type):
            return -1, []
        return end + 1, [*found, (end, "TEMPLATE_CLOSE")]

    def _argument_end(self, start: int) -> int:
        """Where an argument that is an expression ends, or -1 where it cannot be one."""
        at = start
        while self.kind(at) not in ("COMMA", "GT"):
            kind = self.kind(at)
            if kind in ("LPAR", "LSQB") or (kind == "LBRACE" and self.kind(at - 1) in ("ID", "GT", "BUILTIN")):
                if self.mate[at] < 0:
                    return -1
                at = self.mate[at] + 1
                continue
            if kind in _NEVER_IN_TEMPLATE_ARGUMENTS:
                return -1
            if kind == "LT":
                at = self.read_template_arguments(at, [], in_type=True)
                if at < 0:
                    return -1
                continue
            at += 1
        return at

    def _accepts(self, opener: int, closer: int, in_type: bool) -> bool:
        """Whether `<` ... `>` after a name is a template argument list, from what follows and from what is known."""
        name, after = self.tokens[opener - 1].text, self.kind(closer + 1)
        if in_type or self.kind(opener - 2) == "TEMPLATE":
            return after != "LITERAL"
        if after in _STARTS_OPERAND:
            return False
        if after in _NEVER_AN_OPERAND or (after == "LPAR" and self.kind(closer + 2) == "RPAR"):
            return True
        inside = range(opener, closer)
        if any(self._names_type(i) for i in inside):
            return True
        if name in self.names.templates and (name not in self.names.variables or name not in KNOWN_TEMPLATES):
            return True
        if name.startswith("make_") or name.endswith("_v"):
            return True
        local = self.kind(opener - 2) != "SCOPE" and name in self.names.variables
        if local or any(self.kind(i) in ("AND_AND", "OR_OR", "QUESTION") for i in inside):
            return False
        return after in ("LPAR", "SCOPE")

    def _names_type(self, at: int) -> bool:
        """Whether a type stands at `at` for certain, and not a call of it: `float`, `T`."""
        kind, text = self.kind(at), self.tokens[at].text
        known = kind == "ID" and text in self.names.types and text not in self.names.variables
        return (kind == "BUILTIN" or known) and self.kind(at + 1) not in ("LPAR", "LBRACE")

    # --- declarations ---------------------------------------------------------------------------------------------

    def starts_declaration(self, index: int, marks: Marks, in_condition: bool = False) -> bool:
        """Whether a declaration starts here; `marks` then relabels its type."""
        end = self.read_specifiers(index, marks)
        if end < 0:
            return False
        sure, at = self.sure, self.skip_pointers(end)
        kind, after = self.kind(at), self.kind(min(at + 1, len(self.tokens) - 1))
        if kind == "ID":
            if after == "SCOPE":
                return False
            if after == "LPAR" and not in_condition and self.kind(self.mate[at + 1] + 1) == "ASSIGN":
                marks.append((at, "MACRO_DECLARATOR"))
                return True
            if in_condition:
                return after in ("ASSIGN", "LBRACE")
            if not sure and any(self.kind(i) == "AND_AND" for i in range(end, at)):
                return False
            return after in ("ASSIGN", "SEMI", "COMMA", "LSQB", "LPAR", "LBRACE", "COLON", "RPAR", "ATTRIBUTE")
        if kind == "ELLIPSIS":
            return True
        if kind == "LPAR":
            inner = after in ("STAR", "AMP") and self.kind(at + 2) in ("ID", "SPECIFIER", "STAR")
            return inner and self.mate[at] > 0 and self.kind(self.mate[at] + 1) in ("LSQB", "LPAR")
        if kind == "LSQB" and any(self.kind(i) == "AUTO" for i in range(index, at)):
            marks.append((at, "BINDING"))
            return True
        return (
            kind == "SEMI"
            and sure
            and (self.kind(index) in ("STRUCT", "SPECIFIER", "TYPEDEF") or self.kind(end - 1) == "RBRACE")
        )
