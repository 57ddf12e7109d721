"""Random LLVM pass orders on kernels of the samples: what builds, what is verified without a GPU, how much code differs.

    python benchmarks/pass_orders.py --count 500

Each order is built for a GPU, for the table of distinct machine code, and for the CPU device, where it replays the recorded
launches. Nothing an order does may end the run: it is counted with its verdict.
"""

from __future__ import annotations

import argparse
import collections
import random
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from _court import ROOT, Court
from _programs import table

from r3c.build.passes import random_sequence
from r3c.build.toolchains.llvm import SEPARATOR, Llvm
from r3c.core.binary import Binary
from r3c.core.errors import BuildError
from r3c.core.spec import Spec

KERNELS = (("matmul", "matmul"), ("nbody", "accelerate"), ("reduction", "dot"))


@dataclass
class Tally:
    """What became of the orders of one kernel."""

    standard: Binary
    verdicts: collections.Counter[str] = field(default_factory=collections.Counter)
    reasons: collections.Counter[str] = field(default_factory=collections.Counter)
    binaries: list[Binary] = field(default_factory=list)
    check_s: list[float] = field(default_factory=list)

    def row(self, kernel: str) -> list[str]:
        codes = {binary.code_hash for binary in self.binaries}
        total = sum(self.verdicts.values())
        failed = self.verdicts["build-failed"]
        verified = self.verdicts["verified"]
        return [
            kernel,
            str(total),
            str(total - failed),
            str(verified),
            ", ".join(f"{n} {what}" for what, n in self.verdicts.items() if what != "verified") or "none",
            str(len(codes)),
            self._range("instructions"),
            self._range("registers"),
            f"{statistics.median(b.seconds for b in self.binaries) * 1e3:.0f}",
            f"{statistics.median(self.check_s) * 1e3:.0f}",
        ]

    def _range(self, feature: str) -> str:
        values = sorted(binary.features[feature] for binary in self.binaries)
        middle = statistics.median(values)
        return f"{values[0]:.0f} / {middle:.0f} / {values[-1]:.0f} ({self.standard.features[feature]:.0f})"


HEAD = ("kernel", "orders", "built", "verified", "other verdicts", "distinct machine code",
        "instructions least / median / most (O3)", "registers (O3)", "build ms", "check ms")  # fmt: skip


def try_orders(sample: str, kernel: str, count: int, seed: int, folder: Path) -> Tally:
    toolchain = Llvm()
    rng = random.Random(f"{seed} {kernel}")
    with Court("cpu", folder, sample=ROOT / "samples" / sample, kernel=kernel) as court:
        request = court.unit.request(court.unit.source, kernel, kernel, Spec("llvm"), "sm_90")
        tally = Tally(toolchain.build(request, folder))
        for _ in range(count):
            spec = Spec("llvm", (("passes", SEPARATOR.join(random_sequence(rng))),))
            try:
                binary = toolchain.build(court.unit.request(court.unit.source, kernel, kernel, spec, "sm_90"), folder)
                checked = court.build_with(toolchain, spec)
            except BuildError as error:
                tally.verdicts["build-failed"] += 1
                tally.reasons[f"{error.diagnostic.message.splitlines()[0][:120]}"] += 1
                continue
            tally.binaries.append(binary)
            started = time.monotonic()
            outcome = court.replayer.evaluate(checked, time=False)
            tally.check_s.append(time.monotonic() - started)
            what = "verified" if outcome.verdict.is_verified else outcome.verdict.value
            tally.verdicts[what] += 1
            if what != "verified":
                tally.reasons[f"{what}: {outcome.detail[:80]} by {spec}"] += 1
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500, help="orders of each kernel (default 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernel", action="append", help="only this one of " + ", ".join(k for _, k in KERNELS))
    options = parser.parse_args()
    rows = []
    for sample, kernel in KERNELS:
        if options.kernel and kernel not in options.kernel:
            continue
        with tempfile.TemporaryDirectory(prefix="r3c-orders-") as folder:
            tally = try_orders(sample, kernel, options.count, options.seed, Path(folder))
        rows.append(tally.row(kernel))
        print(" | ".join(rows[-1]), flush=True)
        for reason, count in tally.reasons.most_common(8):
            print(f"  {count} x {reason}", flush=True)
    print("\n" + table(HEAD, rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
