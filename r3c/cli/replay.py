"""`r3c replay DIR`: replays what `r3c record` kept, with the original kernel or with a candidate, and reports equality and time."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recording", type=Path, metavar="DIR", help="what `r3c record` wrote")
    parser.add_argument("--candidate", metavar="TEXT", help="a candidate, e.g. 'unroll{site=k/loop:i,factor=4}'")
    parser.add_argument("--kernel", metavar="NAME", help="replay this kernel only")
    parser.add_argument("--device", help="the device to replay on (default: the one that recorded)")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="most seconds one launch may take")
    parser.add_argument("--cold", action="store_true", help="flush the device's caches before each timed launch")


def run(args: argparse.Namespace) -> int:
    from r3c.cli import _replay

    return _replay.run(args)
