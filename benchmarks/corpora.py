"""How r3c parses a folder of CUDA sources: one row a sub-folder, and the slowest file of each.

python benchmarks/corpora.py FOLDER [--show]

Read are .cu and .cuh files, and every other C or C++ file that defines or launches kernels. "full" is without an opaque
node; "launching" are host functions with launches; "lost" are kernel definitions that a plain search for `__global__`
finds and the parser does not; a round trip is exact when the tokens and what lies between them give the file's bytes.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from r3c.cli.parse import round_trips
from r3c.core.errors import Diagnostic
from r3c.core.source import Source, Span
from r3c.tree.file import File
from r3c.tree.parse import parse

CUDA_SUFFIXES = (".cu", ".cuh")
OTHER_SUFFIXES = (".h", ".hpp", ".hh", ".hxx", ".cpp", ".cc", ".cxx", ".c", ".inl", ".inc", ".cuknl", ".in")
# What a plain search must not look into: comments, literals, preprocessor lines.
_NOT_CODE = re.compile(
    r"""//(?:\\\r?\n|[^\n])*|/\*.*?\*/|R"([^()\\\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:\\\r?\n|/\*.*?\*/|[^\n])*""",
    re.DOTALL | re.MULTILINE,
)


@dataclass
class Row:
    """What one folder gave; times are CPU seconds."""

    folder: str
    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    slowest: tuple[float, str] = (0.0, "")
    faults: list[str] = field(default_factory=list)

    def cells(self) -> list[str]:
        counts = self.counts
        return [
            self.folder, str(counts["files"]), str(counts["bytes"]), str(counts["kernel"]), str(counts["lost"]),
            self.share("kernel"), str(counts["device"]), self.share("device"), str(counts["host"]), self.share("host"),
            str(counts["opaque"]), f"{counts['round']}/{counts['files']}",
            f"{counts['bytes'] / 1000 / max(self.seconds, 1e-9):.0f}", f"{self.slowest[1]} {self.slowest[0]:.1f} s",
        ]  # fmt: skip

    def share(self, role: str) -> str:
        counts = self.counts
        return f"{100 * counts[role + '_full'] / counts[role]:.1f}%" if counts[role] else "-"

    def add(self, other: Row) -> None:
        self.counts += other.counts
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)
        self.faults += other.faults


COLUMNS = [
    "folder", "files", "bytes", "kernels", "lost", "full", "device", "d-full", "launching", "l-full", "opaque",
    "round trip", "kB/s", "slowest",
]  # fmt: skip


def sources(folder: Path) -> Iterator[Source]:
    """Every file that holds CUDA, in order of path."""
    paths = [Path(base) / name for base, _, names in os.walk(folder) for name in names]
    for path in sorted(paths):
        if not path.name.endswith(CUDA_SUFFIXES + OTHER_SUFFIXES) or not path.is_file():
            continue
        source = Source.read(path)
        if path.name.endswith(CUDA_SUFFIXES) or re.search(r"\b__global__\b|<<<", source.text):
            yield source


def measure(folder: Path) -> Row:
    row = Row(folder.name)
    for source in sources(folder):
        started = time.process_time()
        file = parse(source)
        took = time.process_time() - started
        row.seconds += took
        row.slowest = max(row.slowest, (took, Path(source.path).name))
        row.counts["files"] += 1
        row.counts["bytes"] += len(source.text)
        count(file, row)
    return row


def count(file: File, row: Row) -> None:
    counts = row.counts
    for function in file.functions:
        if not function.is_parsed:
            continue
        counts[function.role] += 1
        counts[function.role + "_full"] += function.is_full
        counts["opaque"] += function.opaque_statements
    counts["round"] += round_trips(file)
    row.faults += [str(diagnostic) for diagnostic in file.diagnostics]
    if not round_trips(file):
        row.faults.append(f"{file.source.path}: the round trip is not exact")
    for place in lost_kernels(file):
        counts["lost"] += 1
        row.faults.append(str(place))


def lost_kernels(file: File) -> list[Diagnostic]:
    """Kernel definitions that a plain search finds outside the kernels that were parsed."""
    code = _NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), file.source.text)
    known = [(kernel.start, kernel.header_end) for kernel in file.kernels]
    return [
        file.source.diagnose(Span(found.start(), found.end()), "this kernel is lost")
        for found in re.finditer(r"\b__global__\b", code)
        if _is_definition(code, found.end()) and not any(start <= found.start() < end for start, end in known)
    ]


def _is_definition(code: str, at: int) -> bool:
    """Whether `{` comes before `;` outside parentheses."""
    depth = 0
    for found in re.finditer(r"[(){};]", code[at : at + 20_000]):
        mark = found.group()
        depth += (mark == "(") - (mark == ")")
        if depth < 0:
            return False
        if depth == 0 and mark in "{;}":
            return mark == "{"
    return False


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--show", action="store_true", help="print what was not understood, and why")
    arguments = options.parse_args()
    folders = sorted(path for path in arguments.folder.iterdir() if path.is_dir()) or [arguments.folder]
    total, table = Row("all"), [COLUMNS]
    for folder in folders:
        row = measure(folder)
        table.append(row.cells())
        total.add(row)
        print(" ".join(table[-1]), file=sys.stderr, flush=True)
        for fault in row.faults if arguments.show else ():
            print(fault, file=sys.stderr)
    table.append(total.cells())
    widths = [max(len(cells[at]) for cells in table) for at in range(len(COLUMNS))]
    for cells in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())


if __name__ == "__main__":
    main()
