"""`r3c replay DIR`: replays what `r3c record` kept, with the original kernel or with a candidate, and reports equality and time."""

from __future__ import annotations

import argparse
from pathlib import Path

DESCRIPTION = """\
Runs recorded launches again in a process of their own: with the original, which must reproduce what was recorded, or with
a candidate, which is compared and timed beside the original.
"""
EPILOG = """\
examples:
  python -m r3c replay app/r3c-out/record
  python -m r3c replay app/r3c-out/record --times 20
  python -m r3c replay app/r3c-out/record --candidate 'unroll{site=k/loop:i,factor=4} @ block{x=128}'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recording", type=Path, metavar="DIR", help="what `r3c record` wrote")
    parser.add_argument("--candidate", metavar="TEXT", help="a candidate, e.g. 'unroll{site=k/loop:i,factor=4}'")
    parser.add_argument("--kernel", metavar="NAME", help="replay this kernel only")
    parser.add_argument("--device", help="the device to replay on (default: the one that recorded)")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="most seconds one launch may take")
    parser.add_argument(
        "--times", type=int, metavar="N", help="only replay the original N times and compare every byte each time"
    )
    parser.add_argument("--json", action="store_true", help="with --times: one JSON line for each recording")


def run(args: argparse.Namespace) -> int:
    from r3c.cli import _replay

    return _replay.run(args)
