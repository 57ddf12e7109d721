"""Where the functions of a file are: namespaces, classes and `extern "C"` are entered, everything else is skipped."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.tree.brackets import directive
from r3c.tree.lexer import Token

_BRANCHES = frozenset(("if", "ifdef", "ifndef", "else", "elif", "endif"))
# `__constant__ struct S {...} s;` declares a variable; its declaration goes on behind the class.
_SPACES = frozenset(("__device__", "__constant__", "__managed__", "__shared__"))
_STRAY = frozenset(("RBRACE", "RPAR", "RSQB", "STRAY_CHARACTER"))
_ACCESS = frozenset(("public", "private", "protected"))


@dataclass(frozen=True)
class FunctionExtent:
    """A function definition: tokens `[start, end)`, its `(`, its `{`.

    `role` is kernel, device or host, from the words before the name.
    """

    start: int
    opener: int
    body: int
    end: int
    role: str
    name: str


@dataclass(frozen=True)
class DeclarationExtent:
    """A namespace-scope declaration up to its `;`, which is neither a function nor a class body."""

    start: int
    end: int


class Locator:
    """Walks the top level of a file once; every step moves on."""

    def __init__(self, tokens: list[Token], mate: list[int], whole_macros: set[str]) -> None:
        self.tokens = tokens
        self.mate = mate
        self.whole_macros = whole_macros
        self.functions: list[FunctionExtent] = []
        self.declarations: list[DeclarationExtent] = []
        self.unclosed: list[DeclarationExtent] = []  # up to a `{` that nothing closes
        self._pending: list[tuple[int, int, bool]] = []  # bodies still to walk: start, end, whether of a class

    def run(self) -> None:
        self._pending = [(0, len(self.tokens) - 1, False)]
        while self._pending:
            self._walk(*self._pending.pop())
        self.functions.sort(key=lambda extent: extent.start)
        self.declarations.sort(key=lambda extent: extent.start)

    def _walk(self, start: int, end: int, in_class: bool) -> None:
        tokens, mate = self.tokens, self.mate
        at = head = start
        while at < end:
            kind = tokens[at].kind
            if kind == "PP":
                if not self._splits_header(head, at):
                    head = at + 1
                at += 1
            elif kind == "SEMI":
                self.declarations.append(DeclarationExtent(head, at + 1))
                at = head = at + 1
            elif kind in ("LPAR", "LSQB") and mate[at] > 0:
                at = mate[at] + 1
            elif (kind == "COLON" and in_class and tokens[at - 1].text in _ACCESS) or kind in _STRAY:
                at = head = at + 1
            elif kind == "LBRACE":
                if mate[at] < 0:
                    self.unclosed.append(DeclarationExtent(head, at + 1))
                    at = head = at + 1
                    continue
                if self._brace(head, at):
                    head = mate[at] + 1
                at = mate[at] + 1
            else:
                at += 1

    def _splits_header(self, head: int, at: int) -> bool:
        """Whether a conditional line lies inside a function header that has begun."""
        if head == at or directive(self.tokens[at]) not in _BRANCHES:
            return False
        return any(self.tokens[i].kind in ("SPECIFIER", "TEMPLATE") for i in range(head, at))

    def _brace(self, head: int, opener: int) -> bool:
        """Handle `{` at namespace scope; whether what it opens ends the declaration that began at `head`."""
        tokens, close = self.tokens, self.mate[opener]
        kinds = [token.kind for token in tokens[head:opener]]
        linkage = len(kinds) >= 2 and tokens[head].text == "extern" and kinds[-1] == "STRING"
        if "NAMESPACE" in kinds or linkage:
            self._pending.append((opener + 1, close, False))
            return True
        scan = _HeaderScan(tokens, self.mate, head, opener)
        if scan.assigns or (scan.initialises and tokens[opener - 1].kind in ("ID", "GT")):
            return False
        if scan.parameters >= 0:
            head = self._without_macros(head, scan.parameters)
            words = {token.text for token in tokens[head : scan.parameters]}
            role = "kernel" if "__global__" in words else "device" if "__device__" in words else "host"
            name = tokens[scan.name].text
            self.functions.append(FunctionExtent(head, scan.parameters, opener, close + 1, role, name))
            return True
        if scan.is_class:
            self._pending.append((opener + 1, close, True))
            return not any(token.text in _SPACES for token in tokens[head:opener])
        return False

    def _without_macros(self, head: int, opener: int) -> int:
        """Where a function begins that macros without `;` stand before: `REGISTER(x)` ... `template <class T>`."""
        at = head
        while at < opener and self.tokens[at].kind == "ID":
            whole = self.tokens[at].text in self.whole_macros
            at += 1
            if self.tokens[at].kind == "LPAR" and at < opener and self.mate[at] > 0:
                at = self.mate[at] + 1
            if whole:
                head = at
        return at if self.tokens[at].kind == "TEMPLATE" else head


class _HeaderScan:
    """What stands between the start of a declaration and its `{`.

    `parameters` is the `(` of a function's parameter list or -1: the first `NAME (` outside all brackets and template
    lists that is not a macro with arguments before the name. `initialises`: a constructor's initialisers have begun.
    """

    def __init__(self, tokens: list[Token], mate: list[int], head: int, opener: int) -> None:
        self.parameters = self.name = -1
        self.assigns = self.is_class = self.initialises = False
        at = head
        while at < opener:
            kind = tokens[at].kind
            if kind == "TEMPLATE" and tokens[at + 1].kind == "LT":
                self.parameters = -1
                at = max(at, template_end(tokens, mate, at + 1, opener))
            elif kind in ("LAUNCH_BOUNDS", "DECLTYPE") and tokens[at + 1].kind == "LPAR" and mate[at + 1] > 0:
                at = mate[at + 1]
            elif kind == "ASSIGN":
                self.assigns = True
                return
            elif kind == "COLON" and self.parameters >= 0:
                self.initialises = True
                return
            elif kind == "LT":
                at = max(at, template_end(tokens, mate, at, opener))
            elif kind == "STRUCT":
                self.is_class = True
            elif kind == "LBRACE" and mate[at] > 0:
                at = mate[at]
            elif kind == "LPAR":
                name = _name_before(tokens, at, head)
                if name >= 0 and mate[at] > 0 and (self.parameters < 0 or self._is_macro(tokens, mate)):
                    self.parameters, self.name = at, name
                at = mate[at] if mate[at] > 0 else at
            at += 1

    def _is_macro(self, tokens: list[Token], mate: list[int]) -> bool:
        """Whether the call found first is a macro: more of a header follows it."""
        after = tokens[mate[self.parameters] + 1]
        return after.kind in ("ID", "BUILTIN", "STRUCT", "TYPENAME", "AUTO") or after.text in (
            "__global__", "__device__", "__host__", "static", "inline", "void", "extern",
        )  # fmt: skip


def _name_before(tokens: list[Token], at: int, head: int) -> int:
    """Index of the function's name before `(`, stepping over template arguments; -1 where there is none."""
    at = before_template(tokens, at - 1, head)
    return at if at >= head and tokens[at].kind == "ID" else -1


def before_template(tokens: list[Token], at: int, head: int) -> int:
    """Index before the template list that `at` closes, `at` itself where it closes none."""
    if at < head or tokens[at].kind != "GT":
        return at
    depth = 0
    while at >= head:
        depth += (tokens[at].kind == "GT") - (tokens[at].kind == "LT")
        at -= 1
        if depth == 0:
            break
    return at


def name_start(tokens: list[Token], opener: int, head: int) -> int:
    """First token of the qualified name before the `(` at `opener`: `Grid<T>::Cell::~Cell(`."""
    at = before_template(tokens, opener - 1, head)
    while at > head:
        if tokens[at - 1].kind == "NOT":
            at -= 1
        before = before_template(tokens, at - 2, head) if tokens[at - 1].kind == "SCOPE" else -1
        if before < head or tokens[before].kind != "ID":
            break
        at = before
    return at


def template_end(tokens: list[Token], mate: list[int], at: int, limit: int) -> int:
    """Index of the `>` that closes the list opened at `at`, -1 where none does before `limit`."""
    depth = 0
    while at < limit:
        kind = tokens[at].kind
        depth += (kind == "LT") - (kind == "GT")
        if depth == 0:
            return at
        if kind == "LPAR" and mate[at] > 0:
            at = mate[at]
        at += 1
    return -1
