"""`r3c record APP`: one run of the application under the recorder, and where its time on the device went."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from r3c.core.errors import ConfigError

DESCRIPTION = """\
Builds a copy of an application, runs it once under the recorder, and shows where its time on the device went. Of each
kernel a few launches are kept, with their arguments, the memory they can reach before and after, and their module. Each
instantiation of a template is a kernel of its own.
"""
EPILOG = """\
examples:
  python -m r3c record samples/nbody
  python -m r3c record app/ --kernel stencil --max-instances 8 --skip 100
  python -m r3c record app/ --max-bytes 40G
"""
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("app", type=Path, metavar="APP", help="folder of the application")
    parser.add_argument("--device", default="auto", help="auto (default), cuda or cpu")
    parser.add_argument("--kernel", action="append", metavar="NAME", help="record this kernel only (may be repeated)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where recordings go (default: APP/r3c-out/record)")
    parser.add_argument("--max-instances", type=int, default=4, metavar="N", help="launches to keep of each kernel")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="launches of each kernel to let pass first")
    parser.add_argument(
        "--max-bytes",
        default="8G",
        metavar="SIZE",
        help="most memory that all recorded launches may have together; after its first launch, one kernel gets a quarter "
        "of it (default 8G)",
    )
    parser.add_argument("--whole-heap", action="store_true", help="keep all memory, not only what arguments lead to")


def run(args: argparse.Namespace) -> int:
    from r3c.cli import _record

    return _record.run(args)


def parse_size(text: str) -> int:
    """Bytes of `512`, `64M` or `1.5 GiB`.

    Raises:
        ConfigError: it is none of these.
    """
    found = _SIZE.fullmatch(text.strip())
    if not found:
        raise ConfigError(f"--max-bytes {text}: expected a size such as 800M or 8G")
    return int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " "))
