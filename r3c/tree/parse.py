"""`parse`: any source text to a `File`; never raises, whatever the text."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

from r3c.core.config import NamesConfig
from r3c.core.errors import Diagnostic
from r3c.core.source import Source, Span
from r3c.tree.brackets import directive, fold, match_brackets
from r3c.tree.build import link
from r3c.tree.classify_headers import Classifier
from r3c.tree.file import File, Function, GlobalVariable, read_lines
from r3c.tree.fill import fill
from r3c.tree.lexer import Token, lex
from r3c.tree.locate import DeclarationExtent, FunctionExtent, Locator
from r3c.tree.names import NameFacts, collect_names
from r3c.tree.node import Node
from r3c.tree.parser import FunctionParser
from r3c.tree.pp_regions import choose_arms

_SPACES = ("__device__", "__constant__", "__managed__", "__shared__")
_DEFAULT_NAMES = NamesConfig()


def parse(source: Source, names: NamesConfig = _DEFAULT_NAMES, all_functions: bool = False) -> File:
    """The file as a tree.

    Kernels, device functions and host functions that launch are parsed; other host functions only with
    `all_functions`.
    """
    with _collection.put_off(len(source.text)):
        return _parse(source, names, all_functions)


class _Collection:
    """Garbage collection, put off while a file is parsed: nothing becomes garbage then, and looking for it takes half
    the time. Freezing and unfreezing puts what was made among the old objects, which Python then looks through only when
    told to: after every million bytes of text.
    """

    EVERY_BYTES = 1_000_000

    def __init__(self) -> None:
        self.waiting_bytes = 0

    @contextlib.contextmanager
    def put_off(self, size_bytes: int) -> Iterator[None]:
        enabled = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if enabled:
                self._resume(size_bytes)

    def _resume(self, size_bytes: int) -> None:
        self.waiting_bytes += size_bytes
        if self.waiting_bytes > self.EVERY_BYTES:
            self.waiting_bytes = 0
            gc.collect()
        elif gc.get_freeze_count() == 0:
            gc.freeze()
            gc.unfreeze()
        gc.enable()


_collection = _Collection()


def _parse(source: Source, names: NamesConfig, all_functions: bool) -> File:
    tokens, annotations = lex(source.text)
    tokens = fold(source.text, tokens)
    brackets = match_brackets(tokens)
    facts = collect_names(source.text, tokens, brackets.mate, names)
    file = File(source)
    file.broken = len(brackets.broken)
    file.annotations = annotations + [t for t in tokens if t.kind == "PP" and _is_r3c_pragma(t)]
    file.annotations.sort(key=lambda token: token.start)
    lines = read_lines(tokens)
    file.includes, file.defines = lines.includes, lines.defines
    locator = Locator(tokens, brackets.mate, facts.whole_macros)
    locator.run()
    parser = FunctionParser(source, Classifier(source.text, tokens, brackets, facts))
    functions = [_function(file, parser, extent, all_functions) for extent in locator.functions]
    kernels = [d for d in locator.declarations if _declares_kernel(tokens[d.start : d.end])]
    fill(file, list(zip(locator.functions, functions, strict=True)), kernels, tokens)
    if any(token.kind == "PP_LINE" and directive(token).startswith("if") for token in tokens):
        choose_arms(file, definitions(names))
    file.globals = [g for d in locator.declarations for g in _globals(source, tokens, brackets.mate, d)]
    file.cuts = [token.start for token in tokens if token.kind == "PP_INSIDE"]
    file.kernel_refusals = _macro_kernels(source, tokens, facts)
    file.diagnostics += [_unclosed(source, tokens, extent) for extent in locator.unclosed]
    return file


def parse_expression(text: str, names: NamesConfig = _DEFAULT_NAMES) -> Node | None:
    """`text` as an expression node over a source of its own, None where it is none."""
    from lark.exceptions import UnexpectedInput

    from r3c.tree.grammar import parse_tokens

    source = Source("<expression>", text)
    tokens = fold(text, lex(text)[0])
    brackets = match_brackets(tokens)
    classifier = Classifier(text, tokens, brackets, collect_names(text, tokens, brackets.mate, names))
    classifier.expression(0, len(tokens) - 1)
    try:
        node = parse_tokens(FunctionParser(source, classifier).emit(0, len(tokens) - 1, {}), "expression")
    except UnexpectedInput:
        return None
    link(node, source, 0)
    return node


def definitions(names: NamesConfig) -> dict[str, str | None]:
    """What `-D` and `-U` say: `NAME` stands for 1, an undefined name for None."""
    pairs = (text.partition("=") for text in names.defines)
    given: dict[str, str | None] = {name: value if equals else "1" for name, equals, value in pairs}
    return given | dict.fromkeys(names.undefines)


def _declares_kernel(tokens: list[Token]) -> bool:
    return any(t.text == "__global__" for t in tokens) and all(t.kind not in ("LBRACE", "PP") for t in tokens)


def _is_r3c_pragma(token: Token) -> bool:
    from r3c.tree.lexer import ANNOTATION

    return ANNOTATION.match(token.text) is not None


def _function(file: File, parser: FunctionParser, extent: FunctionExtent, every: bool) -> Function:
    tokens = parser.classifier.tokens
    start, end = tokens[extent.start].start, tokens[extent.end - 1].end
    launches = any(token.kind == "LAUNCH_OPEN" for token in tokens[extent.body : extent.end])
    function = Function("function", [])
    if every or launches or extent.role != "host":
        parsed = parser.parse(extent)
        file.diagnostics += parsed.diagnostics
        function.opaque_statements = parsed.opaque
        if parsed.tree is not None:
            function.children = parsed.tree.children
            link(function, file.source, start)
        else:
            function.kind = "opaque_function"
    else:
        function.is_parsed = False
    if not function.children:
        function.children = [token for token in tokens[extent.start : extent.end] if token.kind != "DROPPED"]
    function.source, function.start, function.end = file.source, start, end
    function.name, function.role = extent.name, extent.role
    function.header_end = tokens[extent.body].start
    return function


def _globals(source: Source, tokens: list[Token], mate: list[int], extent: DeclarationExtent) -> list[GlobalVariable]:
    """Variables with a memory space that one namespace-scope declaration declares."""
    words = tokens[extent.start : extent.end]
    space = next((token.text for token in words if token.text in _SPACES), "")
    if not space or any(token.text == "__global__" for token in words):
        return []
    out: list[GlobalVariable] = []
    at, first = extent.start, -1
    while at < extent.end:
        token = tokens[at]
        after = tokens[at + 1].kind if at + 1 < extent.end else "SEMI"
        if token.kind == "LPAR" and first < 0 and tokens[at - 1].kind == "ID":
            return []  # a function declaration
        if token.kind == "ID" and after in ("SEMI", "LSQB", "ASSIGN", "COMMA", "LBRACE"):
            first = at if first < 0 else first
            stop = _declarator_end(tokens, mate, at + 1, extent.end)
            type_text = source.text[tokens[extent.start].start : tokens[first].start].strip()
            suffix = source.text[token.end : tokens[stop].start].strip()
            whole = Span(tokens[extent.start].start, tokens[extent.end - 1].end)
            out.append(GlobalVariable(token.text, Span(token.start, token.end), space, type_text, suffix, whole))
            at = stop
        elif token.kind in ("LPAR", "LSQB", "LBRACE") and mate[at] > 0:
            at = mate[at]
        at += 1
    return out


def _declarator_end(tokens: list[Token], mate: list[int], at: int, end: int) -> int:
    """Index of the `,` or `;` that ends a declarator and its initialiser."""
    while at < end - 1 and tokens[at].kind not in ("COMMA", "SEMI"):
        at = mate[at] + 1 if tokens[at].kind in ("LPAR", "LSQB", "LBRACE") and mate[at] > at else at + 1
    return at


def _unclosed(source: Source, tokens: list[Token], extent: DeclarationExtent) -> Diagnostic:
    brace = tokens[extent.end - 1]
    return source.diagnose(Span(brace.start, brace.end), "nothing closes this {; what it opens stays text")


def _macro_kernels(source: Source, tokens: list[Token], facts: NameFacts) -> list[Diagnostic]:
    """Kernels that exist only after macro expansion: found, and refused with the reason."""
    return [
        source.diagnose(
            Span(token.start, token.end),
            f"macro {token.text} generates a kernel; r3c cannot change text that only the preprocessor sees",
            hint="write the kernel out, or annotate a kernel that is",
        )
        for token in tokens
        if token.kind in ("ID", "MACRO_CALL") and token.text in facts.kernel_macros
    ]
