"""How r3c parses a folder of CUDA sources: one row a sub-folder, and the slowest file of each.

python benchmarks/corpora.py FOLDER [--show opaque]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from pathlib import Path

from r3c.cli.parse import round_trips
from r3c.core.source import Source
from r3c.tree.file import File
from r3c.tree.parse import parse

SUFFIXES = (".cu", ".cuh")
COLUMNS = [
    "folder",
    "files",
    "bytes",
    "kernels",
    "full",
    "device",
    "d-full",
    "launching",
    "l-full",
    "opaque",
    "round-trip",
    "kB/s",
    "slowest",
]


def measure(folder: Path, show: bool) -> dict[str, str]:
    counts: Counter[str] = Counter()
    spent, slowest = 0.0, (0.0, "")
    paths = [Path(base) / name for base, _, names in os.walk(folder) for name in names if name.endswith(SUFFIXES)]
    for path in sorted(paths):
        source = Source.read(path)
        started = time.process_time()
        file = parse(source)
        took = time.process_time() - started
        spent += took
        slowest = max(slowest, (took, path.name))
        counts["files"] += 1
        counts["bytes"] += len(source.text)
        count_functions(file, counts)
        for diagnostic in file.diagnostics if show else ():
            print(diagnostic, file=sys.stderr)
    return {
        "folder": folder.name, "files": str(counts["files"]), "bytes": str(counts["bytes"]),
        "kernels": str(counts["kernel"]), "full": share(counts, "kernel"), "device": str(counts["device"]),
        "d-full": share(counts, "device"), "launching": str(counts["host"]), "l-full": share(counts, "host"),
        "opaque": str(counts["opaque"]), "round-trip": f"{counts['round']}/{counts['parsed']}",
        "kB/s": f"{counts['parsed_bytes'] / 1000 / max(spent, 1e-9):.0f}",
        "slowest": f"{slowest[1]} {slowest[0]:.1f} s",
    }  # fmt: skip


def count_functions(file: File, counts: Counter[str]) -> None:
    for function in file.functions:
        if not function.is_parsed:
            continue
        counts[function.role] += 1
        counts[function.role + "_full"] += function.is_full
        counts["opaque"] += function.opaque_statements
        counts["parsed"] += 1
        counts["parsed_bytes"] += function.end - function.start
        counts["round"] += round_trips(function)


def share(counts: Counter[str], role: str) -> str:
    return f"{100 * counts[role + '_full'] / counts[role]:.1f}%" if counts[role] else "-"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--show", choices=["opaque"], help="print why each function is not full")
    arguments = options.parse_args()
    folders = sorted(path for path in arguments.folder.iterdir() if path.is_dir()) or [arguments.folder]
    rows = [dict(zip(COLUMNS, COLUMNS, strict=True))]
    for folder in folders:
        rows.append(measure(folder, arguments.show == "opaque"))
        print(" ".join(rows[-1].values()), file=sys.stderr, flush=True)
    widths = {column: max(len(row[column]) for row in rows) for column in COLUMNS}
    for row in rows:
        print("  ".join(row[column].ljust(widths[column]) for column in COLUMNS).rstrip())


if __name__ == "__main__":
    main()
