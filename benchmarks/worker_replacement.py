"""How long it takes until a candidate can be judged again after one that faults and after one that hangs.

    python benchmarks/worker_replacement.py --device cpu --times 5

A worker is replaced when the next candidate comes: a process starts, takes the device, maps the recorded memory and
uploads it. Exit code 1 where a candidate got another verdict than its own, or the kernel after it was not verified.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from _court import HANGS, ILLEGAL, Court, mutants
from _programs import table

from r3c.core.result import Verdict

KINDS = {ILLEGAL: Verdict.LAUNCH_FAILED, HANGS: Verdict.TIMED_OUT}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda", help="cuda (default) or cpu")
    parser.add_argument("--times", type=int, default=5, help="of each kind (default 5)")
    options = parser.parse_args()
    failed, rows = 0, []
    with tempfile.TemporaryDirectory(prefix="r3c-workers-") as folder, Court(options.device, Path(folder)) as court:
        right = court.build(court.text)
        print(f"{court.device.info().name}: first worker ready after {court.replayer.starts_s[0]:.2f} s", flush=True)
        for name, verdict in KINDS.items():
            wrong = court.build(mutants(court.text)[name])
            noticed, replaced = [], []
            for _ in range(options.times):
                started = time.monotonic()
                outcome = court.replayer.evaluate(wrong, time=False)
                noticed.append(time.monotonic() - started)
                after = court.replayer.evaluate(right, time=False)
                replaced.append(after.seconds.get("replace", 0.0))
                failed += outcome.verdict is not verdict or not after.verdict.is_verified
            spread = f"{min(replaced):.2f} to {max(replaced):.2f}"
            rows.append([name, f"{statistics.median(noticed):.2f}", f"{statistics.median(replaced):.2f}", spread])
            print(" | ".join(rows[-1]), flush=True)
    print("\n" + table(["after", "noticed and killed in s (median)", "replaced in s (median)", "spread"], rows))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
