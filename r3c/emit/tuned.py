"""The tuned kernel as text that stands beside the original: renamed, with the numbers it needs; a rewritten source comes in.

A number that a candidate changed may be used by more than the kernel: by macros, constants and device functions that
the kernel reaches. Those are redefined for the tuned kernel, or copied under a name of its own; the rest of the
program keeps the original ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from r3c.core.config import NamesConfig
from r3c.core.errors import EmitError
from r3c.core.source import Edit, Source, Span
from r3c.emit.enclosure import enclosure
from r3c.tree.file import Define, File, Function, Include
from r3c.tree.lexer import lex
from r3c.tree.parse import parse
from r3c.tree.regions import KernelRegion, region

_ANNOTATION_LINE = re.compile(r"^[ \t]*(?://[ \t]*r3c[ \t]*:|#[ \t]*pragma[ \t]+r3c\b)[^\n]*\n?", re.MULTILINE)
_ANNOTATION_TAIL = re.compile(r"[ \t]*//[ \t]*r3c[ \t]*:[^\n]*")
_CONSTANT = re.compile(
    r"(?:(?:static|inline)\s+)*(?:constexpr|const)\b[^;={}()]*?\b([A-Za-z_]\w*)\s*=\s*([^;{}]*?)\s*;"
)
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class TunedText:
    """What a header holds for one variant of a kernel.

    Attributes:
        macros: names and definitions (`(x) ((x) * 2)` or ` 32`) in force while the rest is read.
        supports: copies of constants and device functions, in order.
        kernel: the kernel's definition.
        includes: headers that the kernel needs and the original does not include.
    """

    macros: tuple[tuple[str, str], ...]
    supports: tuple[str, ...]
    kernel: str
    includes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Item:
    """A macro, constant or function of the file, by name."""

    kind: str
    name: str
    span: Span
    words: frozenset[str]


def tuned_text(original: Source, rewritten: Source, kernel: str, name: str, names: NamesConfig) -> TunedText:
    """The kernel of `rewritten` under the name `name`, so that it can stand after the one of `original`.

    Raises:
        EmitError: `rewritten` differs in something that cannot be said after the original's definition.
    """
    before, after = region(parse(original, names), kernel), region(parse(rewritten, names), kernel)
    includes = _new_includes(before, after)
    changed = _changed_numbers(before, after, includes)
    items = _items(after.file, after.function)
    affected = _affected(items, changed)
    reached = _reached(items, _words(after.function.text))
    _refuse_other_uses(after, items, changed)
    copied = [i for i in items if i.kind != "macro" and i.name in affected & reached]
    _refuse_copies(after, copied)
    renamed = {item.name: f"{name}_{item.name}" for item in copied}
    macros = _macros(after.file, reached, changed, _affected(items, set(renamed)), renamed)
    supports = tuple(_clean(rename(after.source.slice(item.span), renamed)) for item in copied)
    text = rename(after.function.text, {**renamed, after.function.name: name})
    return TunedText(macros, supports, _own(_clean(text), after.function), tuple(i.name for i in includes))


def _new_includes(before: KernelRegion, after: KernelRegion) -> list[Include]:
    """Headers of CUDA that only the rewritten source includes."""
    known = {include.name for include in before.file.includes}
    new = [include for include in after.file.includes if include.name not in known and not include.quoted]
    home = enclosure(before.source, before.function.start)
    if new and home:
        message = f"the winner needs <{new[0].name}>, which cannot be included inside {home[-1]}"
        raise EmitError(before.source.diagnose(before.function.name_span, message))
    return new


def _changed_numbers(before: KernelRegion, after: KernelRegion, includes: list[Include]) -> set[str]:
    """Names of tunables with another value; everything else outside the kernel must be as it was."""
    lines = [Span(i.span.start, i.span.end + 1) for i in includes]
    outside = [_outside(before, []), _outside(after, lines)]
    if outside[0] != outside[1]:
        where = after.source.diagnose(after.function.name_span, "the candidate changes text outside its kernel")
        raise EmitError(where)
    return {
        name
        for name, site in after.tunables.items()
        if name not in before.tunables or before.tunables[name].text != site.text
    }


def _outside(here: KernelRegion, lines: list[Span]) -> str:
    """The file's text with `lines`, the kernel and the values of its tunables left out."""
    spans = [here.function.span, *(site.span for site in here.tunables.values())]
    return here.source.apply([*(Edit(span, "\0") for span in spans), *(Edit(span, "") for span in lines)]).text


def _items(file: File, kernel: Function) -> list[_Item]:
    """Macros and constants before the kernel and every function but it, in source order."""
    text = file.source.text
    taken = [f.span for f in file.functions] + [d.span for d in file.defines]
    out = [
        _Item("macro", d.name, d.span, frozenset(_words(text[d.span.start : d.span.end])) - {d.name})
        for d in file.defines
        if d.span.start < kernel.start
    ]
    for found in _CONSTANT.finditer(text, 0, kernel.start):
        span = Span(found.start(), found.end())
        if not any(other.overlaps(span) for other in taken):
            out.append(_Item("constant", found[1], span, frozenset(_words(found[2]))))
    out += [
        _Item(f.role, f.name, f.span, frozenset(_words(f.text)) - {f.name}) for f in file.functions if f is not kernel
    ]
    return sorted(out, key=lambda item: item.span)


def _affected(items: list[_Item], changed: set[str]) -> set[str]:
    """`changed` and the names of items that use one of them, directly or not."""
    found = set(changed)
    while True:
        more = {item.name for item in items if item.words & found} - found
        if not more:
            return found
        found |= more


def _reached(items: list[_Item], words: Iterable[str]) -> set[str]:
    """Names of items that `words` use, directly or not."""
    found: set[str] = set()
    waiting = set(words)
    while waiting:
        found |= waiting
        waiting = {word for item in items if item.name in waiting for word in item.words} - found
    return found


def _refuse_other_uses(after: KernelRegion, items: list[_Item], changed: set[str]) -> None:
    """Refuses changed numbers in types, variables and conditionals before the kernel: those cannot be copied."""
    if not changed:
        return
    for token in lex(after.source.text[: after.function.start])[0]:
        span = Span(token.start, token.end)
        if any(item.span.overlaps(span) for item in items):
            continue
        used = changed & set(_words(token.text)) if token.text.startswith("#") else changed & {token.text}
        if used and not re.match(r"#\s*(ifndef|ifdef|undef|include|pragma|endif|else)\b", token.text):
            message = f"the winner needs another {sorted(used)[0]}, which this text outside the kernel uses too"
            hint = "keep types and conditionals out of what is tuned, or set the number in the source by hand"
            raise EmitError(after.source.diagnose(span, message, hint))


def _refuse_copies(after: KernelRegion, copied: list[_Item]) -> None:
    home = enclosure(after.source, after.function.start)
    for item in copied:
        place = enclosure(after.source, item.span.start)
        if item.span.start > after.function.start:
            why = "is defined after the kernel"
        elif home[: len(place)] != place:
            why = "stands in a class or another namespace"
        elif item.kind == "constant" and "," in re.sub(r"\([^()]*\)", "", after.source.slice(item.span)):
            why = "is declared together with others"
        else:
            continue
        message = f"the winner needs its own {item.name}, which cannot be copied: it {why}"
        raise EmitError(after.source.diagnose(item.span, message))


def _macros(
    file: File, reached: set[str], changed: set[str], following: set[str], renamed: dict[str, str]
) -> tuple[tuple[str, str], ...]:
    """Macros that the tuned kernel needs otherwise; `following` are the names that use a renamed one."""
    last: dict[str, Define] = {d.name: d for d in file.defines}
    out = []
    for name, define in last.items():
        if name not in reached or (name not in changed and (name in renamed or name not in following)):
            continue
        text = file.source.slice(define.span)
        rest = text[re.match(r"#\s*define\s+", text).end() + len(name) :]  # type: ignore[union-attr]  # it is a define
        out.append((name, rename(rest, renamed).rstrip()))
    return tuple(out)


def rename(text: str, names: dict[str, str]) -> str:
    """`text` with identifiers renamed, except members, comments and strings."""
    pieces, at, before = [], 0, ""
    for token in lex(text)[0]:
        new = token.text
        if token.text.startswith("#"):
            new = _WORD.sub(lambda word: names.get(word[0], word[0]), token.text)
        elif before not in (".", "->"):
            new = names.get(token.text, token.text)
        pieces += [text[at : token.start], new]
        at, before = token.end, token.text
    return "".join([*pieces, text[at:]])


def _clean(text: str) -> str:
    """Without annotations, which would be read again as ours, and with plain line ends."""
    return _ANNOTATION_TAIL.sub("", _ANNOTATION_LINE.sub("", text.replace("\r\n", "\n")))


def _own(text: str, kernel: Function) -> str:
    """The definition as one of this translation unit: `static`, without C linkage."""
    text = re.sub(r'^extern\s+"C"\s+', "", text)
    if kernel.template_heads or {"static", "inline"} & set(kernel.specifiers):
        return text
    return f"static {text}"


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))
