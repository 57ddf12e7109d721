"""r3c's tuners beside Kernel Tuner's strategies, on measured search spaces, in Kernel Tuner's own simulator.

python benchmarks/tuners.py SPACE.csv.gz... [--tuners bayes,kt:genetic_algorithm,...] [--seeds 30] [--evaluations 200] [--json]

A tuner is one of r3c's by its name, or a strategy of Kernel Tuner as kt:NAME; kt:bayes_opt_corrected is their bayes_opt
told of failures by the marker that it looks for. A failed configuration costs an evaluation, a repeated one costs none.
All tuners see the same space: the configurations of the file, without their times. A run is as long as its evaluations;
the table over time gives every tuner as long as so many average configurations take to build and measure, its own
seconds counted. Long comparisons can be run in parts: --first-seed and --json, then --merge PART.json...

Needs r3c[surrogate,benchmarks].
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import shlex
import sys
import time
from datetime import datetime, timezone
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # before numpy is imported: fits are small, and runs are side by side

from _simulator import Run, Simulator, check_tuner  # noqa: E402 - the lines above come first
from _spaces import read_space  # noqa: E402
from _standing import COUNTS, Standing, best_over_time, standings, table  # noqa: E402

from r3c.core.errors import R3CError, UserError  # noqa: E402

TUNERS = (
    "bayes,random,kt:adaptive_tabu_greywolf,kt:hybrid_vndx,kt:genetic_algorithm,kt:pso,kt:simulated_annealing,"
    "kt:random_sample,kt:bayes_opt,kt:bayes_opt_corrected"
)
PACKAGES = ("r3c", "kernel-tuner", "gpytorch", "torch", "numpy", "scikit-learn", "optuna")
Record = dict[str, Any]


@cache
def simulator(path: Path) -> Simulator:
    """One a process and space."""
    return Simulator(read_space(path))


def play(job: tuple[Path, str, int, int]) -> Record:
    """One run as plain data."""
    path, tuner, seed, evaluations = job
    began = time.perf_counter()
    simulated = simulator(path)
    run = simulated.run(tuner, seed, evaluations)
    return {
        "space": simulated.measured.name,
        "tuner": tuner,
        "seed": seed,
        "best": _ratios(run, simulated),
        "over_time": best_over_time(run, simulated.measured),
        "tuner_s": round(run.tuner_s[-1], 4) if run.tuner_s else 0.0,
        "measuring_s": round(run.measuring_s[-1], 3) if run.measuring_s else 0.0,
        "wall_s": round(time.perf_counter() - began, 2),
    }


def _ratios(run: Run, simulated: Simulator) -> list[float]:
    """Best time over the optimum after each evaluation; the slowest time of the space until something works."""
    measured = simulated.measured
    worst_ms = measured.times_ms[-1]
    return [round((worst_ms if best is None else best) / measured.optimum_ms, 5) for best in run.best_ms]


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def compare(arguments: argparse.Namespace) -> list[Record]:
    """Every run that was asked for; how far it is goes to stderr."""
    tuners = [name.strip() for name in arguments.tuners.split(",") if name.strip()]
    for path in arguments.spaces:
        read_space(path)
    for tuner in tuners:
        check_tuner(tuner)
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    jobs = [(path, t, seed, arguments.evaluations) for path in arguments.spaces for seed in seeds for t in tuners]
    runs: list[Record] = []
    with multiprocessing.get_context("spawn").Pool(arguments.jobs) as pool:
        for run in pool.imap_unordered(play, jobs):
            runs.append(run)
            if not arguments.quiet:
                print(
                    f"{len(runs)}/{len(jobs)} {run['space']} {run['tuner']} seed {run['seed']}: "
                    f"{run['best'][-1] if run['best'] else 'nothing'} in {run['wall_s']} s",
                    file=sys.stderr, flush=True,
                )  # fmt: skip
    return runs


def read_part(path: Path) -> Record:
    """The output of an earlier call with --json."""
    try:
        part: Record = json.loads(path.read_text())
        return {"runs": list(part["runs"]), "evaluations": int(part["evaluations"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path}: no JSON of this program: {error!r}") from None


def parse_arguments(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spaces", nargs="*", type=Path, metavar="SPACE.csv.gz")
    parser.add_argument("--tuners", default=TUNERS, help="names with commas between (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=30, help="runs of each tuner on each space (default 30)")
    parser.add_argument("--first-seed", type=int, default=0, help="number of the first (default 0)")
    parser.add_argument("--evaluations", type=int, default=200, help="configurations a run may try (default 200)")
    parser.add_argument("--jobs", type=int, default=max(1, os.cpu_count() or 1), help="processes (default: all cores)")
    parser.add_argument("--merge", nargs="+", type=Path, default=[], metavar="PART.json", help="add the runs of parts")
    parser.add_argument("--json", action="store_true", help="print everything as JSON instead of tables")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    arguments = parser.parse_args(words)
    if not arguments.spaces and not arguments.merge:
        parser.error("no space is given")
    if min(arguments.seeds, arguments.evaluations, arguments.jobs) < 1:
        parser.error("--seeds, --evaluations and --jobs are at least 1")
    return arguments


def main(words: list[str] | None = None) -> int:
    arguments = parse_arguments(words)
    try:
        parts = [read_part(path) for path in arguments.merge]
        runs = compare(arguments) if arguments.spaces else []
    except R3CError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    evaluations = max([arguments.evaluations, *(part["evaluations"] for part in parts)])
    if not arguments.spaces:
        evaluations = max(part["evaluations"] for part in parts)
    runs = [run for part in parts for run in part["runs"]] + runs
    places = [count for count in COUNTS if count < evaluations] + [evaluations]
    found: list[Standing] = standings(runs, places)
    record = {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        "command": shlex.join(["python", "benchmarks/tuners.py", *(words if words is not None else sys.argv[1:])]),
        "versions": versions(),
        "evaluations": evaluations,
        "standings": [standing.as_dict() for standing in found],
        "runs": runs,
    }
    print(json.dumps(record) if arguments.json else table(found, record))
    return 0


if __name__ == "__main__":
    sys.exit(main())
