"""Mutated and truncated CUDA files: no exception, every round trip exact. `make fuzz` runs it.

python benchmarks/fuzz_parse.py [--files N] [--seed N] [FOLDER]
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

from r3c.cli.parse import round_trips
from r3c.core.source import Source
from r3c.tree.parse import parse

ROOT = Path(__file__).parents[1]
PIECES = ["{", "}", "(", ")", "[", "]", "<", ">", ">>", ">>>", "<<<", "\n#if X\n", "\n#else\n", "\n#endif\n", ";", "\\\n",
          '"', "'", "/*", "*/", "//", "template <", "else ", "for (", "\x80", "\r", "#", "::", "? :", "case 1:"]  # fmt: skip


def mutate(text: str, rng: random.Random) -> str:
    """Cut, doubled, deleted and inserted pieces."""
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.randint(1, 40))
        kind = rng.randrange(4)
        text = (
            text[:at] if kind == 0 and at > len(text) // 3
            else text[:at] + text[end:] if kind == 1
            else text[:end] + text[at:] if kind == 2
            else text[:at] + rng.choice(PIECES) + text[at:]
        )  # fmt: skip
    return text


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="?", type=Path, default=ROOT)
    options.add_argument("--files", type=int, default=20000)
    options.add_argument("--seed", type=int, default=1)
    arguments = options.parse_args()
    rng = random.Random(arguments.seed)
    texts = [path.read_bytes().decode("latin-1") for path in sorted(arguments.folder.rglob("*.cu"))]
    functions, slowest, started = 0, (0.0, 0), time.monotonic()
    for number in range(arguments.files):
        text = mutate(rng.choice(texts), rng)
        began = time.perf_counter()
        file = parse(Source(f"fuzz-{number}.cu", text))
        slowest = max(slowest, (time.perf_counter() - began, number))
        for function in file.functions:
            functions += 1
            if not round_trips(function):
                raise SystemExit(f"file {number}: {function.name} does not round-trip")
    print(f"{arguments.files} files, {functions} functions, all round trips exact, {time.monotonic() - started:.0f} s; "
          f"slowest {slowest[0]:.2f} s (file {slowest[1]})")  # fmt: skip


if __name__ == "__main__":
    main()
