"""Which declaration each name of a function means: parameters, locals, shared variables; the rest is unknown here."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter

from r3c.tree.analysis_nodes import body_of, names_in
from r3c.tree.file import Function
from r3c.tree.nodes import Body, Decl, For, If, InitDeclarator, Name, Node, Param, Switch, While

PARAMETER, LOCAL, SHARED = "parameter", "local", "shared"
_WORD = re.compile(r"[A-Za-z_]\w*")
_start = attrgetter("start")


@dataclass(frozen=True, eq=False)
class Variable:
    """One declared variable of a function; two variables of one name differ in `unique`."""

    name: str
    kind: str
    type_text: str
    is_pointer: bool
    is_reference: bool
    dims: tuple[Node | None, ...]
    node: Node
    scope: Node
    init: Node | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)

    @property
    def unique(self) -> str:
        return f"{self.name}@{self.node.span.start}"

    @property
    def is_array(self) -> bool:
        return bool(self.dims)

    @property
    def is_scalar(self) -> bool:
        """Neither array nor pointer nor reference nor shared: one value of each thread's own."""
        return not (self.dims or self.is_pointer or self.is_reference or self.kind == SHARED)

    @property
    def base_type(self) -> str:
        """The type without qualifiers, pointers and storage, e.g. `unsigned int`; names that the file gives to numbers are looked through."""
        words = [w for w in _WORD.findall(self.type_text) if w not in _QUALIFIERS]
        plain = " ".join(words)
        return self.aliases.get(plain, plain)

    @property
    def is_volatile(self) -> bool:
        return "volatile" in self._head_words

    @property
    def is_static(self) -> bool:
        return "static" in self._head_words and self.kind == LOCAL

    @property
    def is_restrict(self) -> bool:
        return any("__restrict" in word for word in self._head_words)

    @cached_property
    def _head_words(self) -> list[str]:
        """Words of the declaration, those of its initialiser left out."""
        above = self.node.parent if isinstance(self.node, InitDeclarator) else self.node
        declared = self.node.declarator.text if isinstance(self.node, InitDeclarator) else ""
        head = " ".join(above.specifiers) if isinstance(above, Decl) else above.text if above is not None else ""
        return _WORD.findall(f"{head} {declared}")


_QUALIFIERS = frozenset(
    [
        "const",
        "constexpr",
        "volatile",
        "static",
        "extern",
        "register",
        "inline",
        "__shared__",
        "__constant__",
        "__device__",
        "__restrict__",
        "__restrict",
        "restrict",
        "__align__",
        "alignas",
        "struct",
        "typename",
    ]
)


@dataclass
class Scopes:
    """The variables of one function and what each `Name` node means."""

    function: Function
    variables: list[Variable] = field(default_factory=list)
    _meaning: dict[int, Variable] = field(default_factory=dict)
    _uses: dict[str, list[Name]] = field(default_factory=dict)
    _declared: dict[int, list[Variable]] = field(default_factory=dict)

    @classmethod
    def of(cls, function: Function) -> Scopes:
        scopes = cls(function)
        scopes._build()
        return scopes

    def variable(self, name: Node) -> Variable | None:
        """The variable that a `Name` node means, None where it is declared outside or unknown."""
        return self._meaning.get(id(name))

    def uses(self, variable: Variable) -> list[Name]:
        """Every `Name` that means `variable`, in source order; its declaration is not one of them."""
        return self._uses.get(variable.unique, [])

    def uses_in(self, variable: Variable, node: Node) -> list[Name]:
        uses = self.uses(variable)
        first = bisect_left(uses, node.start, key=_start)
        return uses[first : bisect_left(uses, node.end, first, key=_start)]

    def declared_in(self, node: Node) -> list[Variable]:
        """Variables declared inside `node`."""
        found = self._declared.get(id(node))
        if found is None:
            found = [v for v in self.variables if node.start <= v.node.start and v.node.end <= node.end]
            self._declared[id(node)] = found
        return list(found)

    def declared_by(self, declarator: Node) -> Variable | None:
        return next((v for v in self.variables if v.node is declarator), None)

    def fresh(self, base: str, taken: Collection[str] = ()) -> str:
        """`base`, or `base_2`, ...: none of `taken`, and no word that the function contains, in whatever role."""
        name, count = base, 1
        while name in self._words or name in taken:
            count += 1
            name = f"{base}_{count}"
        return name

    @cached_property
    def _words(self) -> set[str]:
        return set(_WORD.findall(self.function.text))

    def _build(self) -> None:
        aliases = number_aliases(self.function)
        for param in self.function.params:
            if param.name:
                self.variables.append(_of_param(param, self.function, aliases))
        for node in body_of(self.function).walk():
            if isinstance(node, Decl):
                scope = _scope_of(node)
                self.variables += [_of_declarator(d, node, scope, aliases) for d in node.declarators if d.name]
        by_name: dict[str, list[Variable]] = {}
        for variable in self.variables:
            by_name.setdefault(variable.name, []).append(variable)
        for name in names_in(body_of(self.function)):
            self._bind(name, by_name.get(name.text, []))

    def _bind(self, name: Name, candidates: list[Variable]) -> None:
        best: Variable | None = None
        for variable in candidates:
            inside = variable.scope.span.contains(name.span) and variable.node.span.start <= name.span.start
            if inside and (best is None or best.scope.span.contains(variable.scope.span)):
                best = variable
        if best is not None:
            self._meaning[id(name)] = best
            self._uses.setdefault(best.unique, []).append(name)


_ALIAS = re.compile(
    r"^(?:typedef[ \t]+((?:(?:unsigned|signed|long|short|int|char|float|double)[ \t]+)+)(\w+)[ \t]*;"
    r"|using[ \t]+(\w+)[ \t]*=[ \t]*((?:unsigned|signed|long|short|int|char|float|double)(?:[ \t]+\w+)*)[ \t]*;)",
    re.MULTILINE,
)


def number_aliases(function: Function) -> dict[str, str]:
    """Other names of arithmetic types, where the file gives each at the beginning of a line and only once."""
    found = [(m[2] or m[3], (m[1] or m[4])) for m in _ALIAS.finditer(function.source.text)]
    count = Counter(name for name, _ in found)
    return {
        name: " ".join(kind.split())
        for name, kind in found
        if count[name] == 1 and name not in function.template_params
    }


def _scope_of(node: Node) -> Node:
    for above in node.ancestors():
        if isinstance(above, Body | For | If | While | Switch):
            return above
    raise AssertionError("a declaration of a function lies inside the function")


def _of_param(param: Param, function: Function, aliases: Mapping[str, str]) -> Variable:
    return Variable(
        name=param.name,
        kind=PARAMETER,
        type_text=param.type_text,
        is_pointer=param.is_pointer,
        is_reference="&" in param.text,
        dims=(),
        node=param,
        scope=function,
        aliases=aliases,
    )


def _of_declarator(item: InitDeclarator, decl: Decl, scope: Node, aliases: Mapping[str, str]) -> Variable:
    return Variable(
        name=item.name,
        kind=SHARED if decl.is_shared else LOCAL,
        type_text=decl.type_text,
        is_pointer=item.declarator.is_pointer or "*" in decl.type_text,
        is_reference=item.declarator.is_reference,
        dims=tuple(item.declarator.bounds),
        node=item,
        scope=scope,
        init=item.init,
        aliases=aliases,
    )
