"""What judging one candidate costs, beside building the application again and running it.

    python benchmarks/evaluation_cost.py ~/programs/jacobi-cuda ~/programs/haccmk-cuda --arch sm_90

For each application the kernel with the most device time is recorded. A candidate is its unchanged source with another
register limit, so that it is built, restored, verified and timed as any other, nothing taken from a cache. "candidate" is
one alone, start to end; "in a study" is the wall time a candidate where twelve are built side by side and judged one after
the other, as a study does. Medians; exit code 1 where none worked.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from _programs import NO_TIME, add_arguments, each, name_of, prepare, table

from r3c import plugins
from r3c.build.app import clean_environment, load_app, run_app, run_command
from r3c.build.cache import BuildCache
from r3c.build.original import build_binary, original_binary, unit_of
from r3c.build.record import STORE, RecordedApp, RecordOptions, record_app
from r3c.core.binary import Binary
from r3c.core.contract import Contract, Tolerance
from r3c.core.errors import R3CError
from r3c.core.spec import Spec
from r3c.recording.store import RecordingStore
from r3c.replay.replayer import Replayer
from r3c.resources import processors
from r3c.tree.parse import parse
from r3c.tree.regions import region

HEAD = ["application", "kernel", "rebuild s", "run s", "build by nvcc s", "build s", "restore and verify s", "time s",
        "candidate s", "ratio", "in a study s", "ratio", "gate s, once", "remarks"]  # fmt: skip
LIMITS = (40, 48, 56, 64, 72, 80, 96, 128)
TOGETHER = (0, 32, 40, 48, 56, 64, 72, 80, 96, 128, 168, 255)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--candidates", type=int, default=5, help="for each application (default 5, at most 8)")
    parser.add_argument("--runs", type=int, default=3, help="rebuilds and runs of each application (default 3)")
    parser.add_argument("--bar", type=float, default=30.0, help="the ratio to reach (default 30)")
    options = parser.parse_args()
    rows, ratios, started = [], [], time.monotonic()
    for path, folder in each(options):
        if folder is None:
            rows.append([name_of(path), *[""] * (len(HEAD) - 2), NO_TIME])
            continue
        try:
            cells, both = measure(path, folder, options)
            rows.append([name_of(path), *cells])
            ratios.append(both)
        except (R3CError, OSError) as error:
            rows.append([name_of(path), *[""] * (len(HEAD) - 2), " ".join(str(error).split())[-300:]])
        print(f"{time.monotonic() - started:6.1f} s  {' | '.join(rows[-1])}", flush=True)
    print("\n" + table(HEAD, rows))
    for what, found in zip(("alone", "in a study"), zip(*ratios, strict=True), strict=False):
        reached = sum(ratio >= options.bar for ratio in found)
        print(f"\n{what}: geometric mean {statistics.geometric_mean(found):.1f} times, "
              f"{reached} of {len(found)} reach {options.bar:g}")  # fmt: skip
    return 0 if ratios else 1


def measure(path: Path, folder: Path, options: argparse.Namespace) -> tuple[list[str], tuple[float, float]]:
    app_folder, out = prepare(path, folder, options), folder / "record"
    recorded = record_app(app_folder, options.device, out, RecordOptions(max_instances=3))
    rebuilds, runs = rebuild_and_run(app_folder, recorded, options.runs)
    kernel = heaviest(recorded)
    candidate = Candidates(kernel, recorded, out, options.device)
    with candidate.replayer:
        cost = candidate.measure(LIMITS[: options.candidates])
        study_s = candidate.together(TOGETHER)
    app_s = statistics.median(rebuilds) + statistics.median(runs)
    nvcc_s, build_s, verify_s, whole_s = (statistics.median(times) for times in cost)
    alone, in_study = app_s / (build_s + whole_s), app_s / study_s
    numbers = (statistics.median(rebuilds), statistics.median(runs), nvcc_s, build_s, verify_s, max(0.0, whole_s - verify_s),
               build_s + whole_s, alone, study_s, in_study, candidate.gate_s)  # fmt: skip
    return [kernel, *(f"{number:.2f}" for number in numbers), candidate.remark], (alone, in_study)


def rebuild_and_run(app_folder: Path, recorded: RecordedApp, times: int) -> tuple[list[float], list[float]]:
    """Seconds of the application's own build from nothing, and of a plain run of it."""
    app, builds = load_app(app_folder), []
    if recorded.device == "cpu":
        builds = [recorded.build_s]  # there may be no nvcc
    for _ in range(0 if builds else times):
        run_command("make -s clean", app_folder, clean_environment(), 60.0)
        started = time.monotonic()
        done = run_command(app.build, app_folder, clean_environment(), app.config.app.timeout_s)
        builds.append(time.monotonic() - started)
        if done.exit_code:
            raise R3CError(f"`{app.build}` failed: {done.stderr[-200:]}")
    return builds, [run_app(recorded.folder, app).seconds for _ in range(times)]


def heaviest(recorded: RecordedApp) -> str:
    """The recorded kernel that took most of the device's time."""
    total_us: dict[str, float] = defaultdict(float)
    for row in recorded.counts:
        total_us[row.kernel] += row.total_us
    return max((r.kernel for r in recorded.recordings), key=lambda kernel: total_us[kernel])


class Candidates:
    """Builds and judges candidates of one recorded kernel."""

    def __init__(self, kernel: str, recorded: RecordedApp, out: Path, device_name: str) -> None:
        self.device = plugins.load("device", device_name)()
        self.recordings = recorded.instantiations(kernel)[0]
        self.unit = unit_of(recorded.commands, kernel, recorded.names, recorded.folder)
        self.folder = out / "builds"
        store = RecordingStore(out / STORE)
        original = original_binary(self.unit, self.recordings[0], store, self.device, self.folder / "original")
        declared = region(parse(self.unit.source, recorded.names), kernel).contract
        self.contract = Contract(kernel, Tolerance(1e-4, 1e-6), parameters=declared.parameters)
        self.replayer = Replayer(device_name, store, self.recordings, self.contract, original)
        self.gate_s, self.remark, self._numbers = 0.0, "", itertools.count()
        self.toolchain = "nvrtc" if self.device.toolchain == "nvcc" else self.device.toolchain

    def measure(self, limits: tuple[int, ...]) -> tuple[list[float], ...]:
        """Seconds of each build by nvcc and by the search's toolchain, of each judgement without times, and with them."""
        by_nvcc, builds, verified, whole = [], [], [], []
        started = time.monotonic()
        self.replayer.gate().require()
        self.gate_s = time.monotonic() - started
        for limit in limits:
            by_nvcc.append(self.build(self.device.toolchain, limit)[1])
            binary, seconds = self.build(self.toolchain, limit)
            builds.append(seconds)
            for timed, times in ((False, verified), (True, whole)):
                outcome = self.replayer.evaluate(binary, time=timed)
                times.append(outcome.seconds["replay"])
                if not outcome.verdict.is_verified:
                    self.remark = f"{outcome.verdict.value}: {outcome.detail}"
        return by_nvcc, builds, verified, whole

    def together(self, limits: tuple[int, ...]) -> float:
        """Seconds a candidate, building side by side while earlier ones are judged."""
        with ThreadPoolExecutor(processors()) as workers:
            list(workers.map(lambda _: self.build(self.toolchain, -1), range(processors())))  # compilers start
            started = time.monotonic()
            waiting = [workers.submit(self.build, self.toolchain, limit) for limit in limits]
            for one in waiting:
                self.replayer.evaluate(one.result()[0])
            return (time.monotonic() - started) / len(limits)

    def build(self, toolchain: str, limit: int) -> tuple[Binary, float]:
        """A candidate and what building it took; a limit below 0 is none."""
        options = Spec(toolchain, (("maxrregcount", limit),)) if limit >= 0 and toolchain != "host" else Spec(toolchain)
        folder = self.folder / str(next(self._numbers))
        started = time.monotonic()
        binary = build_binary(
            self.unit, self.unit.source, self.recordings[0], self.device, folder, options, BuildCache(folder / "cache")
        )
        return binary, time.monotonic() - started


if __name__ == "__main__":
    sys.exit(main())
