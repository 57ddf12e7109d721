"""Records applications that nobody changed, replays each recording 20 times in a new process, and tabulates both.

    python benchmarks/replay_apps.py samples ~/programs --arch sm_90

An application that fails has the reason in its row, and the next one is tried. Exit code 1 where none was replayed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from _programs import NO_TIME, add_arguments, each, name_of, prepare, size_text, table

from r3c.build.app import load_app, run_app
from r3c.build.record import STORE, RecordedApp, RecordOptions, record_app
from r3c.core.errors import R3CError
from r3c.recording.store import RecordingStore

HEAD = ["application", "kernels", "launches", "recorded", "heap", "on disk", "plain s", "recorded s", "overhead",
        "replays equal", "spread", "replays/s", "remarks"]  # fmt: skip
ROOT = Path(__file__).resolve().parents[1]


@dataclass
class Row:
    """One application; what is not known yet stays empty."""

    name: str
    cells: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    replayed: bool = False

    def texts(self) -> list[str]:
        missing = len(HEAD) - 2 - len(self.cells)
        return [self.name, *self.cells, *[""] * missing, "; ".join(self.remarks)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--times", type=int, default=20, help="replays of each recording (default 20)")
    parser.add_argument("--runs", type=int, default=3, help="plain runs of each application (default 3)")
    parser.add_argument("--max-instances", type=int, default=2, help="launches to record of each kernel (default 2)")
    options = parser.parse_args()
    started, rows = time.monotonic(), []
    for path, folder in each(options):
        row = Row(name_of(path))
        rows.append(row)
        if folder is None:
            row.remarks.append(NO_TIME)
            continue
        try:
            measure(path, folder, row, options)
        except (R3CError, subprocess.SubprocessError, OSError) as error:
            row.remarks.append(" ".join(str(error).split())[-300:])
        print(f"{time.monotonic() - started:6.1f} s  {' | '.join(row.texts())}", flush=True)
    print("\n" + table(HEAD, [row.texts() for row in rows]))
    return 0 if any(row.replayed for row in rows) else 1


def measure(path: Path, folder: Path, row: Row, options: argparse.Namespace) -> None:
    app_folder, out = prepare(path, folder, options), folder / "record"
    record_options = RecordOptions(max_instances=options.max_instances)
    recorded = record_app(app_folder, options.device, out, record_options)
    app = load_app(app_folder)
    plain = [run_app(recorded.folder, app).seconds for _ in range(options.runs)]
    row.cells = recorded_cells(recorded, out, statistics.median(plain))
    row.remarks += recorded.left_out
    row.cells += replay(out, row, options)


def recorded_cells(recorded: RecordedApp, out: Path, plain_s: float) -> list[str]:
    return [
        str(len({count.kernel for count in recorded.counts})),
        str(sum(count.count for count in recorded.counts)),
        str(len(recorded.recordings)),
        size_text(max(recording.heap_bytes for recording in recorded.recordings)),
        size_text(RecordingStore(out / STORE).stored_bytes()),
        f"{plain_s:.2f}",
        f"{recorded.run_s:.2f}",
        f"{recorded.run_s / plain_s:.2f}",
    ]


def replay(out: Path, row: Row, options: argparse.Namespace) -> list[str]:
    """Cells on the replays of all kernels, by `r3c replay` in a new process."""
    command = [sys.executable, "-m", "r3c", "replay", str(out), "--times", str(options.times), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=10 * options.timeout)
    found: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    row.remarks += [line for line in done.stderr.strip().splitlines()[-1:] if done.returncode not in (0, 3)]
    if not found:
        return []
    row.replayed = True
    times, equal = sum(one["times"] for one in found), sum(one["equal"] for one in found)
    varying = {one["kernel"] for one in found if one["varying_bytes"]}
    wrong = {one["kernel"] for one in found if one["equal"] < one["times"] and not one["varying_bytes"]}
    row.remarks += [f"not reproduced: {', '.join(sorted(wrong))}"] if wrong else []
    row.remarks += [f"not deterministic: {', '.join(sorted(varying))}"] if varying else []
    most = max(one["differing"] for one in found)
    spread = f"{most} elements, by {max(one['error'] for one in found):.3g}" if equal < times else "none"
    per_s = times / max(sum(one["seconds"] for one in found), 1e-9)
    return [f"{equal} of {times}", spread, f"{per_s:.1f}"]


if __name__ == "__main__":
    sys.exit(main())
