"""`r3c cache`: how much the built candidates of earlier studies take, and their removal."""

from __future__ import annotations

import argparse

DESCRIPTION = """\
Candidates that were built once are kept by their content, so that no later study compiles them again.
"""
EPILOG = """\
examples:
  python -m r3c cache size        entries and bytes
  python -m r3c cache clear       remove them all; studies build again what they need

The folder is builds/ under $R3C_CACHE, else under r3c/ of the user's cache folder (docs/environment.md).
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("size", "clear"), metavar="ACTION", help="size or clear")


def run(args: argparse.Namespace) -> int:
    from r3c.build.cache import BuildCache

    cache = BuildCache()
    entries, size_bytes = cache.size()
    held = f"{entries} built candidates, {size_bytes / 1e6:.1f} MB"
    if args.action == "clear":
        cache.clear()
        print(f"removed {held} from {cache.root}")
    else:
        print(f"{held} in {cache.root}")
    return 0
