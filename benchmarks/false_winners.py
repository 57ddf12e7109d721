"""Candidates that are the original again, under other names: how many are reported faster?

    python benchmarks/false_winners.py --device cpu --count 300

Each differs from the original in comments, names of locals, empty statements or flags that change no code, so that it is
as fast. Each is judged as in a study, and what comes out faster there as a finalist: in a new process, on three occasions.
Machine code that was measured before is measured again here, which a study would not do. Exit code 1 where more than
1 % are reported.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from pathlib import Path

from _court import KERNEL, ROOT, Court
from _programs import table

from r3c.core.binary import Binary
from r3c.core.candidate import Candidate
from r3c.core.launch import LaunchPlan
from r3c.core.result import Verdict
from r3c.core.source import Source
from r3c.rewrites.base import Rewritten
from r3c.search.evaluator import Built
from r3c.search.journal import Trial
from r3c.search.selection import select

MOST = 0.01
HEAD = ["kind", "candidates", "right", "faster in the study", "reported faster"]


def renamings(text: str, kernel: str, number: int) -> dict[str, str]:
    """The source again, by kind of change."""
    at = re.search(rf"\b{kernel}\s*\(", text)
    assert at is not None
    opening = text.index("{", at.end())
    head, body = text[: opening + 1], text[opening + 1 :]
    return {
        "comment": f"{head}\n  // candidate {number}\n{body}",
        "empty statements": f"{head}{' ;' * (1 + number % 5)}{body}",
        "local that is not used": f"{head}\n  const int unused_{number} = {number}; (void)unused_{number};\n{body}",
        "blank lines": head + "\n" * (1 + number % 7) + body,
        "body in braces": f"{head} {{ {body[: closing(body)]} }} {body[closing(body) :]}",
    }


def closing(body: str) -> int:
    """Where the brace closes that opened before `body`."""
    depth = 1
    for at, character in enumerate(body):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return at
    raise ValueError("a brace is missing")


class Given:
    """A builder that has built already."""

    def __init__(self, built: Built) -> None:
        self.built = built

    def build(self, candidate: Candidate) -> Built:
        return self.built

    def delivered(self, candidate: Candidate) -> Candidate:
        return candidate

    def without_folders(self, candidate: Candidate, text: str) -> str:
        return text


def is_reported(court: Court, binary: Binary, source: Source, number: int) -> bool:
    """Whether the candidate, faster in a study, stays so as a finalist."""
    text = f"patch{{site={KERNEL},text={number:08x}}}"
    trial = Trial(number, text, text, court.replayer.evaluate(binary), 0.0, binary.code_hash)
    winner, _ = select([trial], Given(Built(Rewritten(source, LaunchPlan()), binary)), court.fresh_replayer)  # type: ignore[arg-type]
    return winner is not None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda", help="cuda (default) or cpu")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--sample", type=Path, default=ROOT / "samples" / "matmul")
    parser.add_argument("--kernel", default=KERNEL)
    options = parser.parse_args()
    rows: dict[str, list[int]] = {}
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="r3c-false-") as folder,
        Court(options.device, Path(folder), sample=options.sample, kernel=options.kernel) as court,
    ):
        print(
            f"{court.device.info().name}, load {os.getloadavg()[0]:.1f}, noise {court.replayer.noise:.1%}", flush=True
        )
        kinds = list(renamings(court.text, options.kernel, 0))
        for number in range(options.count):
            kind = kinds[number % len(kinds)]
            text = renamings(court.text, options.kernel, number)[kind]
            binary = court.build(text)
            outcome = court.replayer.evaluate(binary)
            faster = outcome.verdict is Verdict.FASTER
            reported = faster and is_reported(court, binary, Source("candidate.cu", text), number)
            row = rows.setdefault(kind, [0, 0, 0, 0])
            for place, found in enumerate((True, outcome.verdict.is_verified, faster, reported)):
                row[place] += found
            if number % 50 == 49:
                print(f"{number + 1} judged, {sum(r[2] for r in rows.values())} faster in the study", flush=True)
    total = [sum(column) for column in zip(*rows.values(), strict=True)]
    print(table(HEAD, [[kind, *map(str, row)] for kind, row in [*rows.items(), ("all", total)]]))
    share = total[3] / total[0]
    print(f"\n{total[3]} of {total[0]} reported faster ({share:.1%}), at most {MOST:.0%} may be; ", end="")
    print(f"{time.monotonic() - started:.0f} s, load {os.getloadavg()[0]:.1f}")
    return 1 if share > MOST or total[1] < total[0] else 0


if __name__ == "__main__":
    sys.exit(main())
