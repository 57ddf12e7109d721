"""`r3c rewrites`: the listing and applying themselves; the command's arguments are in rewrites.py, which imports nothing heavy."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from r3c.core.candidate import Candidate, LaunchShape, parse_candidate
from r3c.core.errors import UserError
from r3c.core.source import Source
from r3c.rewrites.base import Refusal, Rewrite, apply_candidate, legal_steps
from r3c.tree.parse import parse
from r3c.tree.regions import KernelRegion, region, regions


def run(args: argparse.Namespace) -> int:
    try:
        source = Source.read(args.file)
    except OSError as error:
        raise UserError(f"{args.file}: {error.strerror}") from None
    found = _regions(source, args.kernel)
    if args.apply is not None:
        return _apply(source, found, args.apply)
    for here in found:
        for line in _lines(here, args):
            print(line)
    return 0


def _regions(source: Source, kernel: str | None) -> list[KernelRegion]:
    file = parse(source)
    if kernel is not None:
        return [region(file, kernel)]
    found = regions(file)
    if not found:
        names = ", ".join(k.name for k in file.kernels) or "none"
        raise UserError(
            f"{source.path}: no kernel is annotated",
            f"write // r3c: kernel() before one, or say --kernel; kernels here: {names}",
        )
    return found


def _apply(source: Source, found: list[KernelRegion], text: str) -> int:
    candidate = parse_candidate(text)
    kernels = {str(spec.as_dict().get("site", "")).split("/")[0] for spec in candidate.steps} or {found[0].name}
    for kernel in sorted(kernels):
        mine = tuple(s for s in candidate.steps if str(s.as_dict().get("site", "")).split("/")[0] == kernel)
        source = apply_candidate(source, kernel, Candidate(mine, candidate.launch)).source
    sys.stdout.buffer.write(source.data)
    sys.stdout.buffer.flush()
    return 0


def _lines(here: KernelRegion, args: argparse.Namespace) -> Iterator[str]:
    for item in legal_steps(here, args.only):
        if isinstance(item, Refusal) and not args.refused:
            continue
        if args.json:
            yield json.dumps(_record(here, item))
        elif isinstance(item, Refusal):
            yield f"{step_text(item.step)}  # {_where(item)}"
        else:
            yield step_text(item)


def step_text(rewrite: Rewrite) -> str:
    """The step as it is written in a candidate; a launch shape is the candidate's `block{...}` part."""
    if rewrite.name == "block-shape":
        sizes = rewrite.spec.as_dict()
        return str(LaunchShape(*(int(sizes[axis]) for axis in ("x", "y", "z"))))
    return str(rewrite)


def _where(item: Refusal) -> str:
    found = item.error.diagnostic
    return f"{found.path}:{found.line}:{found.column}: {found.message}"


def _record(here: KernelRegion, item: Rewrite | Refusal) -> dict[str, Any]:
    step = item.step if isinstance(item, Refusal) else item
    out: dict[str, Any] = {
        "kernel": here.name,
        "step": step_text(step),
        "rewrite": step.name,
        "site": step.site,
        "group": step.group,
    }
    out["legal"] = not isinstance(item, Refusal)
    if isinstance(item, Refusal):
        found = item.error.diagnostic
        out.update(line=found.line, column=found.column, reason=found.message, hint=found.hint)
    return out
