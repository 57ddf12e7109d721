"""Annotated kernels: what their owner declared, and a name for every place in them."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from r3c.core.constraints import Constraint
from r3c.core.contract import BufferContract, Contract, Geometry, Role, Tolerance
from r3c.core.dims import Dimension, parse_domain
from r3c.core.errors import AnnotationError, SpecError
from r3c.core.source import Source, Span
from r3c.tree.analysis_scopes import number_aliases
from r3c.tree.annotations import Directive, read_annotation
from r3c.tree.declarations import InitDeclarator
from r3c.tree.file import File, Function
from r3c.tree.lexer import is_trivia
from r3c.tree.node import Node
from r3c.tree.nodes import Loop, Statement
from r3c.tree.views import loop_counter

BLOCK_SIZES = ("block_size_x", "block_size_y", "block_size_z")
_CONSTANT = re.compile(r"(?:static\s+|inline\s+)*(?:constexpr|const)\b[^;={]*?\b([A-Za-z_]\w*)\s*=\s*([^;]*?)\s*;")
ELEMENTS = ("float", "double", "half")
_ON_KERNEL = ("kernel", "buffer", "where", "geometry", "pure")


@dataclass(frozen=True)
class TunableSite:
    """Where the value of a tunable `#define` or constant stands."""

    name: str
    span: Span
    text: str


@dataclass
class KernelRegion:
    """One annotated kernel.

    Attributes:
        sites: node of each path: `K`, `K/loop:i`, `K/decl:x`, `K/param:p`, `K/stmt:N`; repeats in source order get
            `#2`, `#3`.
        frozen: spans that no rewrite may touch.
        only: rewrites allowed at a site; a site that is not a key allows all.
        tunables: where the value of each tunable number stands; block sizes have no place.
    """

    name: str
    file: File
    function: Function
    contract: Contract
    sites: dict[str, Node] = field(default_factory=dict)
    frozen: list[Span] = field(default_factory=list)
    only: dict[str, frozenset[str]] = field(default_factory=dict)
    tunables: dict[str, TunableSite] = field(default_factory=dict)

    @property
    def source(self) -> Source:
        return self.file.source

    def path_of(self, node: Node) -> str:
        """The path of `node`, empty where it has none."""
        return next((path for path, site in self.sites.items() if site is node), "")

    def is_frozen(self, span: Span) -> bool:
        return any(frozen.overlaps(span) for frozen in self.frozen)


@dataclass
class _Placed:
    """Directives by what they stand before."""

    on_function: dict[str, list[Directive]] = field(default_factory=dict)
    on_node: list[tuple[Directive, Node]] = field(default_factory=list)
    tunables: dict[str, tuple[TunableSite, Dimension]] = field(default_factory=dict)


def regions(file: File) -> list[KernelRegion]:
    """Every kernel with a `kernel` annotation, in source order.

    Raises:
        AnnotationError: an annotation that is not understood or stands in the wrong place.
    """
    placed = _place(file)
    out = []
    for function in file.kernels:
        directives = placed.on_function.get(_key(function), [])
        if any(directive.name == "kernel" for directive in directives):
            out.append(_region(file, function, directives, placed))
        elif directives:
            message = f"{directives[0].name} stands before a kernel without a kernel annotation"
            raise AnnotationError(file.source.diagnose(directives[0].span, message, "add: // r3c: kernel(rtol=...)"))
    return out


def region(file: File, kernel: str) -> KernelRegion:
    """The region of one kernel, annotated or not (then with an empty contract).

    Raises:
        AnnotationError: there is no such kernel.
    """
    placed = _place(file)
    for function in file.kernels:
        directives = placed.on_function.get(_key(function), [])
        named = [d.words[0] for d in directives if d.name == "kernel" and d.words and d.words[0] != "fast_math"]
        if kernel in (function.name, *named):
            return _region(file, function, directives, placed)
    names = [function.name for function in file.kernels]
    near = difflib.get_close_matches(kernel, names, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"kernels here: {', '.join(names) or 'none'}"
    raise AnnotationError(f"{file.source.path}: there is no kernel {kernel!r}", hint=hint)


def _key(function: Function) -> str:
    return f"{function.name}@{function.start}"


# --- which annotation stands before what --------------------------------------------------------------------------------


def _place(file: File) -> _Placed:
    placed = _Placed()
    for token in file.annotations:
        for directive in read_annotation(file.source, token):
            _place_one(file, directive, placed)
    return placed


def _place_one(file: File, directive: Directive, placed: _Placed) -> None:
    inside = next((f for f in file.functions if f.start <= directive.span.start < f.end), None)
    if inside is not None and directive.span.start >= inside.header_end:
        placed.on_node.append((directive, _statement_after(file, inside, directive)))
        return
    function = inside or _function_after(file, directive.span.end)
    if function is not None:
        _check_function(file, directive, function)
        placed.on_function.setdefault(_key(function), []).append(directive)
        return
    if directive.name == "tune":
        _place_tunable(file, directive, placed)
        return
    place = "a __global__ function" if directive.name in _ON_KERNEL else "a statement inside a kernel"
    raise AnnotationError(file.source.diagnose(directive.span, f"{directive.name} must stand directly before {place}"))


def _function_after(file: File, offset: int) -> Function | None:
    """The function before which only comments and preprocessor lines other than definitions stand."""
    after = next((f for f in file.functions if f.start >= offset), None)
    if after is None or any(offset <= d.span.start < after.start for d in file.defines):
        return None
    return after if is_trivia(file.source.text[offset : after.start]) else None


def _check_function(file: File, directive: Directive, function: Function) -> None:
    if directive.name == "loop" or (directive.name != "freeze" and not function.is_kernel):
        what = "a loop" if directive.name == "loop" else "a __global__ function"
        message = f"{directive.name} must stand directly before {what}, not before function {function.name}"
        raise AnnotationError(file.source.diagnose(directive.span, message))


def _statement_after(file: File, function: Function, directive: Directive) -> Node:
    """The outermost statement that starts next after an annotation inside a body."""
    if directive.name not in ("loop", "freeze"):
        message = f"{directive.name} stands inside a function; it belongs before it"
        raise AnnotationError(file.source.diagnose(directive.span, message))
    after = [n for n in function.walk() if isinstance(n, Statement) and n.start >= directive.span.end]
    first = min(after, key=lambda n: (n.start, -n.end), default=None)
    while first is not None and first.kind in ("pp_line",):
        rest = [n for n in after if n.start >= first.end]
        first = min(rest, key=lambda n: (n.start, -n.end), default=None)
    if first is None or (directive.name == "loop" and not isinstance(first, Loop)):
        what = "a loop" if directive.name == "loop" else "a statement"
        raise AnnotationError(
            file.source.diagnose(directive.span, f"{directive.name} must stand directly before {what}")
        )
    return first


def _place_tunable(file: File, directive: Directive, placed: _Placed) -> None:
    """`tune(NAME: ...)` before `#define NAME value` or a constant."""
    text, at = file.source.text, directive.span.end
    define = next((d for d in file.defines if d.span.start >= at and not d.function_like), None)
    constant = _CONSTANT.search(text, at)
    if define and is_trivia(text[at : define.span.start]) and define.name in directive.texts:
        site = TunableSite(define.name, define.value_span, define.value)
    elif constant and is_trivia(text[at : constant.start()]) and constant[1] in directive.texts:
        site = TunableSite(constant[1], Span(constant.start(2), constant.end(2)), constant[2])
    else:
        names = ", ".join(directive.texts)
        message = (
            f"tune({names}: ...) must stand directly before the #define or constexpr of {names}, or before a kernel"
        )
        raise AnnotationError(file.source.diagnose(directive.span, message))
    dimension = _dimension(file, directive, site.name, directive.texts[site.name], site.text)
    placed.tunables[site.name] = (site, dimension)


def _dimension(file: File, directive: Directive, name: str, domain: str, original: str = "") -> Dimension:
    try:
        dimension = parse_domain(name, domain)
    except SpecError as error:
        raise AnnotationError(file.source.diagnose(directive.span, error.diagnostic.message)) from None
    default = next((v for v in dimension.values if str(v) == original), None)
    return Dimension(name, dimension.values, dimension.ordered, default)


# --- one kernel -----------------------------------------------------------------------------------------------------


def _region(file: File, function: Function, directives: list[Directive], placed: _Placed) -> KernelRegion:
    name = function.name
    contract = _contract(file, function, directives, placed)
    out = KernelRegion(name, file, function, contract)
    out.tunables = {n: placed.tunables[n][0] for n in (d.name for d in contract.tunables) if n in placed.tunables}
    labels = {id(node): d.words[0] for d, node in placed.on_node if d.name == "loop"}
    _name_sites(out, labels)
    if any(directive.name == "freeze" for directive in directives):
        out.frozen.append(function.span)
    for directive, node in placed.on_node:
        if not function.span.contains(node.span):
            continue
        if directive.name == "freeze":
            out.frozen.append(node.span)
        elif len(directive.words) > 1:
            out.only[out.path_of(node)] = frozenset(directive.words[1:])
    return out


def _name_sites(out: KernelRegion, labels: dict[int, str]) -> None:
    counts: Counter[str] = Counter()

    def add(path: str, node: Node) -> None:
        counts[path] += 1
        out.sites[path if counts[path] == 1 else f"{path}#{counts[path]}"] = node

    add(out.name, out.function)
    for param in out.function.params:
        if param.name:
            add(f"{out.name}/param:{param.name}", param)
    body = out.function.body
    number = 0
    for node in body.walk() if body else ():
        if isinstance(node, Loop):
            add(f"{out.name}/loop:{labels.get(id(node)) or loop_counter(node) or node.kind}", node)
        elif isinstance(node, InitDeclarator) and node.name:
            add(f"{out.name}/decl:{node.name}", node)
        if isinstance(node, Statement):
            number += 1
            out.sites[f"{out.name}/stmt:{number}"] = node


def _contract(file: File, function: Function, directives: list[Directive], placed: _Placed) -> Contract:
    aliases = number_aliases(function)
    elements: dict[str, str] = {}
    tolerance, fast_math, geometry = Tolerance(), False, Geometry.FIXED
    buffers: dict[str, BufferContract] = {}
    tunables: list[Dimension] = []
    constraints: list[Constraint] = []
    for directive in directives:
        if directive.name == "kernel":
            tolerance, fast_math = _tolerance(directive), "fast_math" in directive.words
        elif directive.name == "buffer":
            buffers.update(_buffer(file, directive, {p.name for p in function.params}, elements))
        elif directive.name == "tune":
            tunables += [_dimension(file, directive, name, text) for name, text in directive.texts.items()]
        elif directive.name == "where":
            constraints.append(_constraint(file, directive))
        elif directive.name == "geometry":
            geometry = _geometry(file, directive)
    words = set(re.findall(r"[A-Za-z_]\w*", function.text)) | {n for c in constraints for n in c.names}
    tunables += [dimension for name, (_, dimension) in placed.tunables.items() if name in words]
    _check_names(file, directives, constraints, tunables)
    parameters = tuple(
        (p.name, elements.get(p.name) or _without_aliases(p.type_text, aliases)) for p in function.params
    )
    pure = frozenset(word for directive in directives if directive.name == "pure" for word in directive.words)
    return Contract(
        kernel=function.name, tolerance=tolerance, fast_math=fast_math, geometry=geometry, buffers=buffers,
        tunables=tuple(tunables), constraints=tuple(constraints), parameters=parameters, pure=pure,
    )  # fmt: skip


def _tolerance(directive: Directive) -> Tolerance:
    return Tolerance(directive.settings.get("rtol", 0.0), directive.settings.get("atol", 0.0))


def _without_aliases(type_text: str, aliases: Mapping[str, str]) -> str:
    return re.sub(r"[A-Za-z_]\w*", lambda word: aliases.get(word[0], word[0]), type_text)


def _buffer(
    file: File, directive: Directive, parameters: set[str], elements: dict[str, str]
) -> dict[str, BufferContract]:
    """Role and tolerance; what the memory is made of, where it is said, goes to `elements` as a pointer type."""
    name, *words = directive.words
    rest = [word for word in words if word not in ELEMENTS]
    for word in words:
        if word in ELEMENTS:
            elements[name] = f"{word} *"
    if name not in parameters:
        near = difflib.get_close_matches(name, parameters, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"parameters: {', '.join(sorted(parameters))}"
        where = file.source.diagnose(directive.span, f"buffer({name}): the kernel has no such parameter", hint=hint)
        raise AnnotationError(where)
    roles = [word for word in rest if word in ("in", "out", "inout")]
    if len(roles) != len(rest) or len(roles) > 1:
        wrong = next((word for word in rest if word not in roles), ", ".join(rest))
        message = f"buffer({name}, {wrong}): expected one of in, out, inout"
        raise AnnotationError(file.source.diagnose(directive.span, message))
    tolerance = _tolerance(directive) if directive.settings else None
    return {name: BufferContract(Role(roles[0]) if roles else Role.INOUT, tolerance)}


def _constraint(file: File, directive: Directive) -> Constraint:
    constraint = Constraint(directive.texts["condition"])
    try:
        _ = constraint.names
    except SpecError as error:
        raise AnnotationError(file.source.diagnose(directive.span, error.diagnostic.message)) from None
    return constraint


def _geometry(file: File, directive: Directive) -> Geometry:
    word = directive.words[0]
    if word not in ("fixed", "cover"):
        raise AnnotationError(file.source.diagnose(directive.span, f"geometry({word}): expected fixed or cover"))
    return Geometry(word)


def _check_names(
    file: File, directives: list[Directive], constraints: list[Constraint], tunables: list[Dimension]
) -> None:
    known = {dimension.name for dimension in tunables} | set(BLOCK_SIZES)
    for directive in (d for d in directives if d.name == "where"):
        for name in sorted(Constraint(directive.texts["condition"]).names - known):
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}"
            raise AnnotationError(file.source.diagnose(directive.span, f"where: {name!r} is not tuned", hint=hint))
