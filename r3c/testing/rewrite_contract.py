"""What every rewrite must keep, as checks that a test calls for each plug-in; a new rewrite is tested by dropping its file in."""

from __future__ import annotations

import hashlib
import inspect
import itertools
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import FrozenInstanceError, fields, replace

from r3c.core.candidate import parse_candidate
from r3c.core.errors import RewriteRefused
from r3c.core.source import Edit, Source
from r3c.core.spec import parse_spec
from r3c.rewrites.base import (
    BENIGN,
    NUMERICS,
    Rewrite,
    apply_candidate,
    edits_of,
    rewrite_class,
    rewrite_from_spec,
    rewrite_names,
    steps_at,
)
from r3c.tree.parse import parse
from r3c.tree.regions import KernelRegion, region, regions
from r3c.tree.verify import check

SECTIONS = ("Before", "Step", "After", "Refuses")
STEPS_PER_SITE = 6


def docstring_sections(kind: type[Rewrite]) -> dict[str, str]:
    """First sentence under "", and the texts below `Before:`, `Step:`, `After:`, `Refuses:`."""
    text = inspect.cleandoc(kind.__doc__ or "")
    pieces = re.split(r"^(Before|Step|After|Refuses):\n", text, flags=re.MULTILINE)
    out = {"": pieces[0].strip()}
    for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
        out[name] = textwrap.dedent(body).strip("\n") + "\n"
    return out


def check_declaration(name: str) -> None:
    """Name, group, fields and docstring of the plug-in `name` have the agreed form."""
    kind = rewrite_class(name)
    assert issubclass(kind, Rewrite)
    assert kind.name == name, f"class {kind.__name__} of {name}"
    assert kind.group in (BENIGN, NUMERICS)
    assert fields(kind)[0].name == "site"
    for f in fields(kind)[1:]:
        default = f.metadata.get("values", (f.default,))
        assert f.default in default, f"{name}.{f.name}: the default is one of its values"
    sections = docstring_sections(kind)
    assert sections[""].endswith(".")
    for section in SECTIONS:
        assert section in sections, f"{name}: the docstring has no {section}:"


def check_docstring_example(name: str) -> None:
    """The step of the docstring turns its Before into its After."""
    kind = rewrite_class(name)
    sections = docstring_sections(kind)
    source = Source(f"{name}.cu", sections["Before"])
    kernel = regions(parse(source))[0].name
    body = regions(parse(Source(f"{name}.cu", sections["After"])))[0].function.body
    assert body is not None
    texts = {hashlib.sha256(body.text.encode()).hexdigest(): body.text}
    done = apply_candidate(source, kernel, parse_candidate(sections["Step"]), texts=texts)
    assert done.source.text == sections["After"], done.source.text


def check_text_form(name: str) -> None:
    """A step's text parses back to the same step, and a step cannot be changed."""
    kind = rewrite_class(name)
    if not kind.searchable():
        return
    rewrite = kind(site="k/loop:i")
    assert rewrite_from_spec(parse_spec(str(rewrite))) == rewrite
    try:
        rewrite.site = "other"  # type: ignore[misc]
    except FrozenInstanceError:
        return
    raise AssertionError(f"{name}: its class is not a frozen dataclass")


def check_on(name: str, source: Source) -> int:
    """Every step of `name` in `source` is refused with a place or gives sound edits; returns how many were legal."""
    legal = 0
    for here in regions(parse(source)):
        for rewrite in _steps(here, rewrite_class(name)):
            legal += _check_step(rewrite, here)
    return legal


def _steps(here: KernelRegion, kind: type[Rewrite]) -> Iterator[Rewrite]:
    if not kind.searchable():
        assert isinstance(kind.sites(here), list)
        return
    by_site = itertools.groupby(steps_at(here, kind), key=lambda step: step.site)
    for _, steps in by_site:
        yield from itertools.islice(steps, STEPS_PER_SITE)


def _check_step(rewrite: Rewrite, here: KernelRegion) -> int:
    try:
        edits = edits_of(rewrite, here)
    except RewriteRefused as error:
        _check_refusal(rewrite, error, here)
        return 0
    assert edits == edits_of(rewrite, here), f"{rewrite} gives other edits the second time"
    if not edits:
        return 1
    assert any(edit.reason for edit in edits), f"{rewrite}: no edit says why"
    after = check(here.file, edits, here.source.apply(edits))
    region(after, here.name)
    _check_frozen(rewrite, here, edits)
    return 1


def _check_refusal(rewrite: Rewrite, error: RewriteRefused, here: KernelRegion) -> None:
    found = error.diagnostic
    assert found.line > 0, f"{rewrite}: its refusal has no place: {found.message}"
    assert found.path == here.source.path
    assert " refused: " in found.message


def _check_frozen(rewrite: Rewrite, here: KernelRegion, edits: Iterable[Edit]) -> None:
    """With everything frozen that a step would change, the step is refused, or finds something else to change."""
    spans = [edit.span for edit in edits if len(edit.span)]
    if not spans:
        return
    frozen = replace(here, frozen=[*here.frozen, *spans])
    try:
        edits = edits_of(rewrite, frozen)
    except RewriteRefused:
        return
    assert not any(e.span.overlaps(s) for e in edits for s in spans), f"{rewrite} changes what is frozen"


def check_line_ends(name: str, source: Source) -> None:
    """In a file with CRLF line ends every line end stays or becomes CRLF."""
    text = source.text.replace("\r\n", "\n").replace("\n", "\r\n")
    for here in regions(parse(Source(source.path, text))):
        for rewrite in itertools.islice(_steps(here, rewrite_class(name)), 40):
            try:
                edits = edits_of(rewrite, here)
            except RewriteRefused:
                continue
            after = here.source.apply(edits).text
            assert "\n" not in after.replace("\r\n", ""), f"{rewrite}: a bare line feed"


def all_rewrites() -> list[str]:
    """Names to parametrise a test with."""
    return rewrite_names()
