"""How much of what hand-tuning gains is reached by steps of the catalogue, chosen by hand, on programs nobody changed.

    python benchmarks/hand_sequences.py ~/programs --arch sm_90
    python benchmarks/hand_sequences.py ~/programs --device cpu --small      whether they are right, on small inputs

`hand_sequences.toml` names programs, the annotation that a copy of each is given, the sequences, and the gain that
hand-tuning reached where it was measured. Each sequence is built, verified against the recording and timed in turn with the
original. "share" is the logarithm of the gain over that of the hand-tuned gain. Exit code 1 where a program has no
verified sequence.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomllib
from _programs import NO_TIME, add_arguments, each, name_of, prepare, table

from r3c import plugins
from r3c.build.cache import BuildCache
from r3c.build.original import build_binary, original_binary, unit_of
from r3c.build.record import STORE, RecordOptions, record_app
from r3c.core.candidate import parse_candidate
from r3c.core.errors import R3CError
from r3c.core.result import Outcome
from r3c.core.spec import Spec
from r3c.recording.store import RecordingStore
from r3c.replay.replayer import Replayer
from r3c.rewrites.base import apply_candidate
from r3c.tree.parse import parse
from r3c.tree.regions import region

HEAD = ["program", "kernel", "original us", "candidate us", "gain", "low", "hand gain", "share", "verdict", "sequence"]


@dataclass(frozen=True)
class Program:
    """One entry of the TOML file."""

    name: str
    kernel: str
    file: str
    before: str
    annotation: str
    hand_gain: float
    sequences: tuple[str, ...]
    small_run: str = ""
    run: str = ""
    small_edits: tuple[tuple[str, str], ...] = ()

    def annotate(self, folder: Path, small: bool) -> None:
        """Puts the annotation before the line that begins with `before`."""
        path = folder / self.file
        text = path.read_bytes().decode("latin-1")
        for old, new in self.small_edits if small else ():
            text = text.replace(old, new)
        at = text.index(self.before)
        path.write_bytes((text[:at] + self.annotation.strip() + "\n" + text[at:]).encode("latin-1"))


@dataclass
class Row:
    program: Program
    sequence: str
    outcome: Outcome | None = None
    problem: str = ""

    @property
    def gain(self) -> float:
        return (self.outcome.speedup if self.outcome else None) or 0.0

    @property
    def share(self) -> float:
        return math.log(self.gain) / math.log(self.program.hand_gain) if self.gain > 0 else 0.0

    def cells(self) -> list[str]:
        outcome, shown = self.outcome, [self.program.name, self.program.kernel]
        if outcome is None or outcome.timing is None or outcome.baseline is None:
            word = outcome.verdict.value if outcome else "refused"
            detail = self.problem or (outcome.detail if outcome else "")
            return [*shown, "", "", "", "", f"{self.program.hand_gain:g}", "", f"{word}: {detail}"[:300], self.sequence]
        low = outcome.speedup_low or 0.0
        return [*shown, f"{outcome.baseline.median_us:.1f}", f"{outcome.timing.median_us:.1f}", f"{self.gain:.2f}",
                f"{low:.2f}", f"{self.program.hand_gain:g}", f"{self.share:.0%}", outcome.verdict.value,
                self.sequence]  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--sequences", type=Path, default=Path(__file__).with_suffix(".toml"))
    parser.add_argument("--only", default="", help="programs to take, with commas between them")
    parser.add_argument("--small", action="store_true", help="run each program on its small input")
    parser.add_argument("--toolchain", default="", help="what builds the candidates (default: the device's)")
    options = parser.parse_args()
    programs = {p["name"]: _program(p) for p in tomllib.loads(options.sequences.read_text())["program"]}
    wanted = options.only.split(",") if options.only else list(programs)
    options.apps = [p for p in _folders(options.apps) if name_of(p) in wanted and name_of(p) in programs]
    best: list[Row] = []
    rows: list[Row] = []
    started = time.monotonic()
    for path, folder in each(options):
        program = programs[name_of(path)]
        found = [Row(program, "", problem=NO_TIME)] if folder is None else list(_tried(program, path, folder, options))
        rows += found
        best.append(max(found, key=lambda row: row.gain))
        for row in found:
            print(f"{time.monotonic() - started:6.1f} s  {' | '.join(row.cells())}", flush=True)
    print("\n" + table(HEAD, [row.cells() for row in rows]))
    print("\nbest of each\n\n" + table(HEAD[:-1], [row.cells()[:-1] for row in best]))
    reached = [row.gain for row in best if row.gain > 0]
    if reached:
        enough = sum(row.share >= 0.6 for row in best)
        mean = statistics.geometric_mean(reached)
        print(
            f"\n{enough} of {len(best)} reach 60 % of the logarithm; geometric mean {mean:.2f} times over {len(reached)}"
        )
    return 0 if len(reached) == len(best) > 0 else 1


def _program(entry: dict[str, Any]) -> Program:
    return Program(**{**entry, "sequences": tuple(" ".join(s.split()) for s in entry["sequences"])})


def _folders(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        yield from [path] if (path / "Makefile").is_file() else sorted(p for p in path.iterdir() if p.is_dir())


def _tried(program: Program, path: Path, folder: Path, options: argparse.Namespace) -> Iterator[Row]:
    """Every sequence of one program; a failure before the first is one row."""
    try:
        yield from _measured(program, path, folder, options)
    except (R3CError, OSError, ValueError) as error:
        yield Row(program, "", problem=" ".join(str(error).split())[-300:])


def _measured(program: Program, path: Path, folder: Path, options: argparse.Namespace) -> Iterator[Row]:
    app = prepare(path, folder, options)
    program.annotate(app, options.small)
    run = program.small_run if options.small else program.run
    if run:
        build = " ".join(["make", *([f"ARCH={options.arch}"] if options.arch else []), *options.define])
        (app / "r3c.toml").write_text(f'[app]\nbuild = "{build}"\nrun = "{run}"\ntimeout_s = {options.timeout:.1f}\n')
    recorded = record_app(app, options.device, folder / "record", RecordOptions((program.kernel,), 0, 1, 0))
    device = plugins.load("device", options.device)()
    recordings = recorded.of_kernel(program.kernel)
    unit = unit_of(recorded.commands, program.kernel, recorded.names, recorded.folder)
    store = RecordingStore(folder / "record" / STORE)
    original = original_binary(unit, recordings[0], store, device, folder / "original")
    contract = region(parse(unit.source, recorded.names), program.kernel).contract
    toolchain = options.toolchain or device.toolchain
    with Replayer(options.device, store, recordings, contract, original, options.timeout) as replayer:
        replayer.gate().require()
        for number, sequence in enumerate(program.sequences):
            row = Row(program, sequence)
            try:
                candidate = parse_candidate(sequence)
                done = apply_candidate(unit.source, program.kernel, candidate, recorded.names)
                place = folder / f"candidate{number}"
                flags = candidate.toolchain or Spec(toolchain)
                binary = build_binary(
                    unit, done.source, recordings[0], device, place, flags, BuildCache(place / "cache")
                )
                row.outcome = replayer.evaluate(binary, done.plan, time=not options.small)
            except R3CError as error:
                row.problem = " ".join(str(error).split())[-300:]
            yield row


if __name__ == "__main__":
    sys.exit(main())
