"""Mutated and truncated CUDA files: no exception, no hang, every round trip exact. `make fuzz` runs it.

python benchmarks/fuzz_parse.py [--files N] [--seed N] [FOLDER]

Besides, texts that repeat one thing thousands of times. A file that takes longer than a second and 0.2 ms a byte counts as
a hang. Ends with 1 and a reproducer in the current folder at the first fault.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
import traceback
from pathlib import Path

from r3c.cli.parse import round_trips
from r3c.core.source import Source
from r3c.tree.parse import parse

ROOT = Path(__file__).parents[1]
PIECES = ["{", "}", "(", ")", "[", "]", "<", ">", ">>", ">>>", "<<<", "\n#if X\n", "\n#else\n", "\n#endif\n", ";", "\\\n",
          '"', "'", "/*", "*/", "//", "template <", "else ", "for (", "\x80", "\r", "#", "::", "? :", "case 1:", "struct ",
          "operator", "requires ", "decltype(", "[&]", "...", "\x00", "->", ", ", "= ", "MACRO(x) ", "__global__ "]  # fmt: skip
LARGEST = 20_000
OVERDUE_S = 120

# One thing, thousands of times, inside a kernel where %s stands.
KERNEL = "__global__ void k(int *a) {%s}\n"
REPEATED = {
    "comparisons": KERNEL % ("x = " + " < ".join(["a"] * 5000) + ";"),
    "comparisons as arguments": KERNEL % ("f(" + ", ".join(["a < b"] * 5000) + ");"),
    "parentheses": KERNEL % ("x = " + "(" * 5000 + "1" + ")" * 5000 + ";"),
    "bodies": KERNEL % ("{" * 5000 + "}" * 5000),
    "else if": KERNEL % ("if (a) x = 1; " + "else if (b) x = 2; " * 3000),
    "nested if": KERNEL % ("if (a) " * 5000 + "x = 1;"),
    "loops": KERNEL % ("for (;;) " * 5000 + "x = 1;"),
    "conditionals": "#if A\n" * 10_000,
    "stray else": KERNEL % ("else " * 50_000),
    "sums": KERNEL % ("x = " + " + ".join(["a"] * 10_000) + ";"),
    "commas": KERNEL % ("x = " + ", ".join(["a"] * 10_000) + ";"),
    "subscripts": KERNEL % ("x = a" + "[a" * 3000 + "]" * 3000 + ";"),
    "calls": KERNEL % ("x = " + "f(" * 3000 + ")" * 3000 + ";"),
    "choices": KERNEL % ("x = " + "a ? b : " * 3000 + "c;"),
    "casts": KERNEL % ("x = " + "(int)" * 3000 + "c;"),
    "signs": KERNEL % ("x = " + "-" * 5000 + " c;"),
    "lambdas": KERNEL % ("x = " + "[&](){ return " * 1000 + "1;" + "};" * 1000),
    "template heads": "template <" * 3000 + "class T" + ">" * 3000 + " __global__ void k() {}",
    "template lists": KERNEL % ("A<" * 2000 + "int" + ">" * 2000 + " x;"),
    "function pointers": "__global__ void k(int (*f)(" * 1000 + ")" * 2000 + "{}",
    "macros": KERNEL % ("M(" * 3000 + "x;" + ")" * 3000),
    "closers": KERNEL % ("x = a" + ">" * 5000 + "b;"),
    "namespaces": "namespace a {" * 5000 + "}" * 5000,
    "classes": "struct a {" * 3000 + "}" * 3000,
    "assignments": KERNEL % ("x = " * 5000 + "1;"),
    "labels": KERNEL % ("a: " * 5000),
    "cases": KERNEL % ("switch (x) {" + "case 1: " * 5000 + "}"),
    "do": KERNEL % ("do " * 3000 + ";" + "while (1);" * 3000),
    "open braces": "{" * 20_000,
    "close braces": "}" * 20_000,
    "quotes": '"' * 5001,
    "types": KERNEL % ("unsigned " * 10_000 + "x;"),
    "pointers": KERNEL % ("int " + "*" * 5000 + "x;"),
    "regions": KERNEL % ("#if A\nx = 1;\n#endif\n" * 3000),
    "nested regions": KERNEL % ("\n" + "#if A\n" * 3000 + "x = 1;" + "\n#endif" * 3000 + "\n"),
    "nonsense": KERNEL % ("x = = 1;\n" * 3000),
    "nonsense in control": KERNEL % ("if (x = = 1) {y;}\n" * 2000),
    "names": KERNEL % ("a b c " * 5000),
    "constraints": "template<class T> requires " + "(A<T>) && " * 2000 + "B<T> __global__ void k() {}",
}


def mutate(texts: list[str], rng: random.Random) -> str:
    """Cut, doubled, deleted, moved, spliced and inserted pieces of one of `texts`."""
    text = rng.choice(texts)
    if len(text) > LARGEST:
        at = rng.randrange(len(text) - LARGEST)
        text = text[at : at + LARGEST]
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.randint(1, 60))
        kind = rng.randrange(6)
        if kind == 0 and at > len(text) // 3:
            text = text[:at]
        elif kind == 1:
            text = text[:at] + text[end:]
        elif kind == 2:
            text = text[:end] + text[at:]
        elif kind == 3:
            other = rng.choice(texts)
            start = rng.randrange(len(other) + 1)
            text = text[:at] + other[start : start + rng.randint(1, 400)] + text[at:]
        elif kind == 4:
            to = rng.randrange(len(text) + 1)
            text = text[:to] + text[at:end] + text[to:]
        else:
            text = text[:at] + rng.choice(PIECES) * rng.choice([1, 1, 1, 2, 30]) + text[at:]
    return text


def _overdue(*_: object) -> None:
    raise TimeoutError(f"not done after {OVERDUE_S} s")


def fault(text: str) -> str:
    """What is wrong with how `text` is parsed, empty where nothing is."""
    began = time.process_time()
    signal.signal(signal.SIGALRM, _overdue)
    signal.alarm(OVERDUE_S)
    try:
        file = parse(Source("fuzz.cu", text), all_functions=True)
        exact = round_trips(file)
    except Exception:  # noqa: BLE001 - whatever it is, it is what this program looks for
        return traceback.format_exc()
    finally:
        signal.alarm(0)
    spent = time.process_time() - began
    if not exact:
        return "the round trip is not exact"
    allowed = 1 + 2e-4 * len(text)
    return f"took {spent:.1f} s, {allowed:.1f} s are allowed" if spent > allowed else ""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", nargs="?", type=Path, default=ROOT)
    options.add_argument("--files", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    arguments = options.parse_args()
    rng = random.Random(arguments.seed)
    paths = sorted(path for path in arguments.folder.rglob("*.cu") if path.is_file())
    texts = [path.read_bytes().decode("latin-1") for path in paths]
    began = time.monotonic()
    for name, text in REPEATED.items():
        stop(fault(text), f"repeated {name}", text)
    for number in range(arguments.files):
        text = mutate(texts, rng)
        stop(fault(text), f"file {number} of seed {arguments.seed}", text)
        if number % 1000 == 999:
            print(f"{number + 1} files", file=sys.stderr, flush=True)
    print(f"{len(REPEATED)} repetitions and {arguments.files} mutated files from {len(texts)}: no exception, no hang, every "
          f"round trip exact, {time.monotonic() - began:.0f} s")  # fmt: skip


def stop(why: str, name: str, text: str) -> None:
    if why:
        Path("fuzz-reproducer.cu").write_bytes(text.encode("latin-1"))
        raise SystemExit(f"{name}: {why}\nthe text is in fuzz-reproducer.cu")


if __name__ == "__main__":
    main()
