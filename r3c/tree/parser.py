"""One function from classified tokens to a tree; what does not fit becomes opaque, as little of it as possible."""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field

from lark.exceptions import UnexpectedInput

from r3c.core.errors import Diagnostic
from r3c.core.source import Source, Span
from r3c.tree.classify_headers import Classifier
from r3c.tree.classify_statements import Extent
from r3c.tree.grammar import parse_tokens
from r3c.tree.lexer import Token
from r3c.tree.locate import FunctionExtent
from r3c.tree.node import Node

_RAW = frozenset(("USING", "TYPEDEF", "STATIC_ASSERT", "NAMESPACE"))
_UNSEEN = frozenset(("PP_INSIDE", "PP", "DROPPED"))
_ROUNDS = 40

Collapsed = dict[int, tuple[int, str]]


@dataclass
class ParsedFunction:
    """`tree` is None where not even the body could be kept apart; `opaque` counts collapsed statements."""

    tree: Node | None
    opaque: int = 0
    diagnostics: list[Diagnostic] = field(default_factory=list)


class FunctionParser:
    """Parses functions of one file."""

    def __init__(self, source: Source, classifier: Classifier) -> None:
        self.source = source
        self.classifier = classifier

    def parse(self, extent: FunctionExtent) -> ParsedFunction:
        """Never raises: the fallback goes from simple statement to control statement to header to whole body."""
        classifier = self.classifier
        classifier.function(extent)
        raw: Collapsed = {
            e.start: (e.end, "RAW_DECLARATION")
            for e in classifier.extents
            if e.kind == "simple" and classifier.kind(e.start) in _RAW
        }
        try:
            tree = parse_tokens(self.emit(extent.start, extent.end, raw), "function")
            return ParsedFunction(tree)
        except UnexpectedInput as error:
            first = self._diagnose(extent, error)
        return self._fall_back(extent, raw, first)

    def emit(self, start: int, end: int, collapsed: Collapsed) -> Iterator[Token]:
        """Tokens `[start, end)` as the grammar takes them; each collapsed range is one token."""
        tokens, mate = self.classifier.tokens, self.classifier.mate
        at = start
        while at < end:
            token = tokens[at]
            kind = token.kind
            if at in collapsed:
                after, kind = collapsed[at]
                after = max(after, at + 1)
                yield self._merged(kind, at, after)
                at = after
            elif kind in _UNSEEN:
                at += 1
            elif kind in ("CLASS_BODY", "BINDING") and mate[at] > 0:
                yield self._merged(kind, at, mate[at] + 1)
                at = mate[at] + 1
            elif kind == "GT" and tokens[at + 1].kind == "GT" and tokens[at + 1].start == token.start + 1:
                yield Token("SHIFT", ">>", token.start)
                at += 2
            else:
                yield token
                at += 1

    def _merged(self, kind: str, first: int, after: int) -> Token:
        tokens = self.classifier.tokens
        start = tokens[first].start
        return Token(kind, self.source.text[start : tokens[after - 1].end], start)

    def _fall_back(self, extent: FunctionExtent, raw: Collapsed, first: Diagnostic) -> ParsedFunction:
        opaque = self._opaque_statements(raw)
        for _ in range(_ROUNDS):
            try:
                tree = parse_tokens(self.emit(extent.start, extent.end, _disjoint({**raw, **opaque})), "function")
            except UnexpectedInput as error:
                if not self._widen(extent, opaque, error):
                    break
                continue
            kept = _disjoint({**raw, **opaque})
            count = sum(kind != "RAW_DECLARATION" for _, kind in kept.values())
            return ParsedFunction(tree, count, [first])
        return ParsedFunction(None, 1, [first])

    def _opaque_statements(self, raw: Collapsed) -> Collapsed:
        """Every simple statement that does not parse alone."""
        opaque: Collapsed = {}
        for extent in self.classifier.extents:
            if extent.kind in ("stray", "deep"):
                opaque[extent.start] = (extent.end, "OPAQUE")
            elif extent.kind == "simple" and extent.start not in raw:
                try:
                    parse_tokens(self.emit(extent.start, extent.end, {}), "statement")
                except UnexpectedInput:
                    opaque[extent.start] = (extent.end, "OPAQUE")
        return opaque

    def _widen(self, function: FunctionExtent, opaque: Collapsed, error: UnexpectedInput) -> bool:
        """Collapse the smallest statement around the error that is not collapsed yet; False where nothing is left."""
        at = self._index_of(error, function)
        if at <= function.body:
            if function.start in opaque:
                return False
            opaque[function.start] = (function.body, "OPAQUE_HEAD")
            return True
        around = [e for e in self.classifier.extents if e.start <= at < e.end and not _covered(e, opaque)]
        if not around:
            return False
        smallest = min(around, key=lambda e: e.end - e.start)
        opaque[smallest.start] = (smallest.end, "OPAQUE")
        return True

    def _index_of(self, error: UnexpectedInput, function: FunctionExtent) -> int:
        token = getattr(error, "token", None)
        offset = getattr(token, "start_pos", None)
        if offset is None or getattr(token, "type", "") == "$END":
            return function.end - 1
        tokens = self.classifier.tokens
        return bisect.bisect_right(tokens, offset, function.start, function.end, key=lambda t: t.start) - 1

    def _diagnose(self, extent: FunctionExtent, error: UnexpectedInput) -> Diagnostic:
        token = self.classifier.tokens[self._index_of(error, extent)]
        expected = sorted(getattr(error, "expected", None) or getattr(error, "accepts", None) or ())
        some = ", ".join(expected[:6]) + (", ..." if len(expected) > 6 else "")
        span = Span(token.start, max(token.end, token.start))
        return self.source.diagnose(span, f"{extent.name}: not understood here; expected {some}")


def _covered(extent: Extent, opaque: Collapsed) -> bool:
    return extent.start in opaque and opaque[extent.start][0] >= extent.end


def _disjoint(collapsed: Collapsed) -> Collapsed:
    """The outermost ranges, in order."""
    out: Collapsed = {}
    last = -1
    for start in sorted(collapsed):
        if start >= last:
            out[start] = collapsed[start]
            last = collapsed[start][0]
    return out
