"""Kernels that are wrong in one way each, judged on the recordings of a sample: every one must be rejected.

    python benchmarks/verification_strength.py --device cpu

Prints a table of verdicts. Exit code 1 where a wrong kernel passes, gets a verdict that does not fit it, or where the
unchanged kernel does not pass.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from _court import Court, mutants
from _programs import table

from r3c.core.result import Verdict

WRONG = (Verdict.WRONG,)
RACE = (Verdict.NONDETERMINISTIC, Verdict.WRONG)
READ = (Verdict.WRONG, Verdict.LAUNCH_FAILED)
FAULT = (Verdict.LAUNCH_FAILED,)
EXPECTED = {
    "no-op kernel": WRONG,
    "one element wrong": WRONG,
    "NaN written": WRONG,
    "tail dropped": WRONG,
    "input overwritten": RACE,  # other blocks may read it before or after
    "out-of-bounds read, next element": READ,
    "out-of-bounds read, far away": FAULT,
    "out-of-bounds write": FAULT,
    "race, last writer wins": RACE,
    "race, barrier left out": RACE,
    "endless loop": (Verdict.TIMED_OUT,),
}
HEAD = ["kernel", "verdict", "what was said", "judged in s", ""]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda", help="cuda (default) or cpu")
    options = parser.parse_args()
    rows, failed = [], 0
    with tempfile.TemporaryDirectory(prefix="r3c-strength-") as folder, Court(options.device, Path(folder)) as court:
        print(f"{court.device.info().name}: {len(court.recordings)} recordings, {court.gate.detail}", flush=True)
        for name, text in {**mutants(court.text), "unchanged": court.text}.items():
            started = time.monotonic()
            assert text != court.text or name == "unchanged", name
            outcome = court.judge(text)
            wanted = EXPECTED.get(name, (Verdict.SLOWER, Verdict.FASTER))
            failed += outcome.verdict not in wanted
            verdict = "verified" if outcome.verdict.is_verified else outcome.verdict.value
            remark = "" if outcome.verdict in wanted else f"MISSED, expected {' or '.join(v.value for v in wanted)}"
            rows.append([name, verdict, outcome.detail[:120], f"{time.monotonic() - started:.2f}", remark])
            print(" | ".join(rows[-1]), flush=True)
    print("\n" + table(HEAD, rows))
    print(f"\n{len(rows) - failed} of {len(rows)} as they should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
