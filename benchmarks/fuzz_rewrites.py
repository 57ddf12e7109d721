"""Random legal candidates of every kernel in tests/kernels against the original, for as long as it is told.

    python benchmarks/fuzz_rewrites.py --minutes 60 --per-kernel 200

Prints one line a kernel and round; a candidate that is wrong ends the run with its text and exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from r3c.testing.rewrite_runs import check_kernel

KERNELS = sorted((Path(__file__).resolve().parents[1] / "tests" / "kernels").glob("*.cu"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--per-kernel", type=int, default=25, help="candidates a kernel and round")
    parser.add_argument("--steps", type=int, default=6, help="most steps of a candidate")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kernel", help="only kernel files whose name contains this")
    parser.add_argument("--go-on", action="store_true", help="go on after a wrong candidate")
    options = parser.parse_args()
    end = time.monotonic() + options.minutes * 60
    paths = [p for p in KERNELS if not options.kernel or options.kernel in p.stem]
    total = wrong = 0
    seed = options.seed
    while time.monotonic() < end:
        seed += 1
        for path in paths:
            if time.monotonic() >= end:
                break
            with tempfile.TemporaryDirectory(prefix="r3c-fuzz-") as folder:
                try:
                    total += check_kernel(path, seed, options.per_kernel, Path(folder), options.steps)
                except AssertionError as error:
                    wrong += 1
                    print(f"WRONG seed {seed}: {error}", flush=True)
                    if not options.go_on:
                        return 1
            print(f"round {seed} {path.stem}: {total} candidates so far, {wrong} kernels wrong", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
