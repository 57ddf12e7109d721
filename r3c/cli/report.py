"""`r3c report DIR`: the result of a study that has run, in a few lines."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from r3c.core.errors import UserError

DESCRIPTION = """\
Shows what a study found, in a few lines. The page for people is report.html in the same folder.
"""
EPILOG = """\
examples:
  python -m r3c report samples/matmul
  python -m r3c report app/ --json | jq '.kernels[].speedup'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="the application's folder, or the --out of optimize")
    parser.add_argument("--json", action="store_true", help="print report.json as it is")


def run(args: argparse.Namespace) -> int:
    path = find_report(args.folder)
    text = path.read_text(encoding="utf-8")
    if args.json:
        print(text, end="")
        return 0
    for line in summary(json.loads(text)):
        print(line)
    print(f"page: {path.with_suffix('.html')}")
    return 0


def find_report(folder: Path) -> Path:
    """Path of report.json.

    Raises:
        UserError: there is none.
    """
    for path in (folder / "report.json", folder / "r3c-out" / "report.json", folder):
        if path.is_file() and path.suffix == ".json":
            return path
    raise UserError(f"{folder}: there is no report", hint="python -m r3c optimize APP writes one")


def summary(report: dict[str, Any]) -> Iterator[str]:
    """The report in lines."""
    yield f"{report['application']} on {report['device']}"
    for kernel in report["kernels"]:
        faster = f"{kernel['speedup']:.2f}x (at least {kernel['speedup_low']:.2f}x)" if kernel["header"] else "kept"
        yield f"  {kernel['name']}: {kernel['baseline_us']:.1f} -> {kernel['best_us']:.1f} us, {faster}"
        yield f"    {kernel['candidate']}"
        if kernel["header"]:
            yield f"    header: {kernel['header']}"
        verdicts = ", ".join(f"{count} {name}" for name, count in sorted(kernel["verdicts"].items()))
        yield f"    candidates: {verdicts or 'none'}"
    app = report["app"]
    if app:
        same = "same output" if app["output_equal"] else f"output differs: {app['difference']}"
        yield f"  application: {app['baseline_s']:.3f} -> {app['tuned_s']:.3f} s, {same}"
    for line in report["not_verified"]:
        yield f"  not verified: {line}"
