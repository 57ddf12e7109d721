"""`r3c rewrites FILE`: every legal step of every kernel as text, refusals with their reasons, or the file after some steps."""

from __future__ import annotations

import argparse
from pathlib import Path

DESCRIPTION = """\
Lists every legal step at every site of the annotated kernels of a file, in the text form of candidates, or prints the file
after some steps. The file itself is not changed.
"""
EPILOG = """\
examples:
  python -m r3c rewrites samples/jacobi/jacobi.cu --list
  python -m r3c rewrites kernel.cu --refused --only tile       what is refused, and why
  python -m r3c rewrites kernel.cu --apply 'unroll{site=k/loop:i,factor=4}' > faster.cu
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a CUDA source file")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--list", action="store_true", help="print every legal step (this is what happens without --apply)"
    )
    what.add_argument(
        "--apply",
        metavar="STEPS",
        help="print the file after these steps, for example 'unroll{site=k/loop:i,factor=4}'",
    )
    parser.add_argument("--kernel", help="only this kernel; it need not be annotated")
    parser.add_argument("--only", metavar="NAME", action="append", help="list only this rewrite (may be repeated)")
    parser.add_argument("--refused", action="store_true", help="list what is refused, and why, too")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    from r3c.cli import _rewrites

    return _rewrites.run(args)
