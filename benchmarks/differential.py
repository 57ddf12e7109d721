"""How r3c's trees compare with tree-sitter's over folders of CUDA sources.

python benchmarks/differential.py FOLDER... [--show N]

Compared are functions that both read without an error, without preprocessor lines inside statements. Ends with 1 where a
difference is not explained.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from r3c.core.source import Source
from r3c.testing.tree_sitter_oracle import CATEGORIES, Comparison, compare
from r3c.tree.parse import parse

SUFFIXES = (".cu", ".cuh")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", nargs="+", type=Path)
    options.add_argument("--show", type=int, default=0, metavar="N", help="print N differences that are not explained")
    arguments = options.parse_args()
    total, files = Comparison(), 0
    for folder in arguments.folders:
        for path in sorted(path for path in folder.rglob("*") if path.name.endswith(SUFFIXES) and path.is_file()):
            total.add(compare(parse(Source.read(path))))
            files += 1
    report(total, files)
    unexplained = [found for found in total.differences if not found.explanation]
    for found in unexplained[: arguments.show]:
        print(found)
    sys.exit(1 if unexplained else 0)


def report(total: Comparison, files: int) -> None:
    share = 100 * total.equal_functions / max(1, total.functions)
    print(
        f"{files} files, {total.functions} functions that both read without an error, {share:.1f}% equal in everything\n"
    )
    ours = Counter(found.category for found in total.differences if found.ours)
    theirs = Counter(found.category for found in total.differences if not found.ours)
    print(f"{'':15}{'equal':>10}{'only ours':>12}{'only theirs':>12}")
    for category in CATEGORIES:
        print(f"{category:15}{total.equal[category]:>10}{ours[category]:>12}{theirs[category]:>12}")
    print()
    for explanation, count in Counter(found.explanation for found in total.differences).most_common():
        print(f"{count:8}  {explanation or 'NOT EXPLAINED'}")


if __name__ == "__main__":
    main()
