"""The report: what was gained, how it was found, and what was not verified; as JSON for programs, HTML and Markdown for people.

Plain values come in, filled by the pipeline; docs/report.md describes the fields of report.json.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from r3c import __version__
from r3c.core.result import Timing
from r3c.emit import bars, charts
from r3c.emit.bars import FunnelStage
from r3c.emit.charts import Mark
from r3c.emit.lineage import LineageStep
from r3c.emit.render import render_page
from r3c.emit.svg import time_text

SCHEMA = 1
FASTER, NOTHING_FASTER, NOT_IN_APPLICATION = 0, 3, 4


@dataclass(frozen=True)
class TrialRow:
    """One trial for the table and the curve; times in us, None where there is none."""

    number: int
    candidate: str
    verdict: str
    us: float | None
    speedup: float | None
    detail: str

    @property
    def mark(self) -> Mark:
        verified = self.us if self.verdict in ("faster", "slower") else None
        time = f", {time_text(verified)}" if verified is not None else ""
        return Mark(self.number, verified, f"trial {self.number}: {self.verdict}{time}: {self.candidate}")


@dataclass(frozen=True)
class RecordingRow:
    """One recorded launch: `occurrences` launches of the run looked like it; `heap_bytes` of memory were kept."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    occurrences: int
    heap_bytes: int
    withheld: bool
    digest: str


@dataclass
class KernelReport:
    """One kernel. Times are of one launch in us; `speedup_low` is the lower end of the interval of the worst occasion.

    `best_us` equals `baseline_us` where nothing faster was verified: the baseline is kept.

    Attributes:
        baseline, tuned: with intervals, timed beside each other, caches as the launches leave them; None where there is
            no winner. `baseline_cold` and `tuned_cold`: the same with caches flushed before each launch.
        source_path: the file that defines the kernel.
        launches_count: launches in the recorded run, `device_us` what they took together; 0 where it is not known.
        steps, lineage: of the winner; the lineage has the diff of each step.
        diff: of the whole winner.
        flags: options the build would need for the winner, which the header does not carry.
    """

    name: str
    baseline_us: float
    best_us: float
    speedup: float = 1.0
    speedup_low: float = 1.0
    candidate: str = "original"
    header: str = ""
    verdicts: dict[str, int] = field(default_factory=dict)
    steps: list[tuple[str, str]] = field(default_factory=list)
    diff: str = ""
    trials: list[TrialRow] = field(default_factory=list)
    rejected: list[tuple[str, str]] = field(default_factory=list)
    recordings: str = ""
    stopped: str = ""
    notes: list[str] = field(default_factory=list)
    source_path: str = ""
    baseline: Timing | None = None
    tuned: Timing | None = None
    baseline_cold: Timing | None = None
    tuned_cold: Timing | None = None
    launches_count: int = 0
    device_us: float = 0.0
    lineage: list[LineageStep] = field(default_factory=list)
    recorded: list[RecordingRow] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)

    @property
    def is_faster(self) -> bool:
        return bool(self.header) and self.speedup_low > 1.0

    @property
    def speedup_cold(self) -> float:
        """0 where it is not known."""
        if self.baseline_cold is None or self.tuned_cold is None or self.tuned_cold.median_us <= 0:
            return 0.0
        return self.baseline_cold.median_us / self.tuned_cold.median_us

    @property
    def curve(self) -> str:
        """SVG of the best time so far over the trials."""
        return charts.search_curve(self.baseline_us, [trial.mark for trial in self.trials])

    @property
    def histogram(self) -> str:
        """SVG of how many candidates took how long."""
        tuned_us = self.best_us if self.is_faster else None
        return charts.histogram(self.baseline_us, tuned_us, [trial.mark for trial in self.trials])

    @property
    def before_after(self) -> str:
        """SVG of the original's and the winner's time with their intervals."""
        return charts.before_after(self.baseline, self.tuned) if self.baseline and self.tuned else ""

    @property
    def funnel(self) -> list[FunnelStage]:
        return bars.funnel(self.verdicts)

    @property
    def funnel_chart(self) -> str:
        return bars.funnel_chart(self.verdicts)


@dataclass(frozen=True)
class AppReport:
    """The whole application: median seconds of a run without and with the tuned kernels, and whether outputs agree.

    `baseline_runs_s` and `tuned_runs_s` are the single runs, made in turn.
    """

    baseline_s: float
    tuned_s: float
    output_equal: bool
    difference: str = ""
    baseline_runs_s: tuple[float, ...] = ()
    tuned_runs_s: tuple[float, ...] = ()

    @property
    def speedup(self) -> float:
        return self.baseline_s / self.tuned_s if self.tuned_s > 0 else 1.0

    @property
    def judgement(self) -> str:
        """Whether the single runs show a difference at all, in a sentence; empty where there are none."""
        before, after = self.baseline_runs_s, self.tuned_runs_s
        if not before or not after:
            return ""
        if max(after) < min(before):
            return "Every run with the tuned kernels was faster than every run without."
        if min(after) > max(before):
            return "Every run with the tuned kernels was slower than every run without: keep the original kernels."
        return "The runs overlap, so they show no difference for certain."

    @property
    def chart(self) -> str:
        """SVG of the single runs."""
        return bars.runs_chart(self.baseline_runs_s, self.tuned_runs_s)


@dataclass(frozen=True)
class TimeSplit:
    """Where the time of this `optimize` went, in seconds; `replacements_s` is each replacement of a worker that a candidate ended."""

    record_s: float
    build_s: float
    replay_s: float
    llm_s: float
    search_s: float
    total_s: float
    replacements_s: tuple[float, ...] = ()

    @property
    def replacing(self) -> str:
        """How often and how fast workers were replaced, in a sentence; empty where none was."""
        if not self.replacements_s:
            return ""
        times = f"{len(self.replacements_s)} time{'s' if len(self.replacements_s) != 1 else ''}"
        return f"A worker was replaced {times}, in {statistics.median(self.replacements_s):.2f} s (median)."

    @property
    def parts(self) -> list[tuple[str, float]]:
        """What adds up to `total_s`, by name."""
        named = [
            ("recording", self.record_s),
            ("builds of candidates", self.build_s),
            ("replays", self.replay_s),
            ("model", self.llm_s),
            ("choosing", self.search_s),
        ]
        named += [("replacing workers", sum(self.replacements_s))] if self.replacements_s else []
        rest = self.total_s - sum(seconds for _, seconds in named)
        return [*named, ("selection, application, the rest", max(0.0, rest))]

    @property
    def chart(self) -> str:
        return bars.split_chart(self.parts)


@dataclass(frozen=True)
class Expectation:
    """What Amdahl's law says of the application.

    Attributes:
        share: of the application's time that the tuned kernels took in the recorded run, 0 to 1.
        expected: times as fast, given their speedups.
        limit: times as fast if they took no time at all.
    """

    share: float
    expected: float
    limit: float


@dataclass
class ReportData:
    """All of it; plain values, filled by the pipeline.

    Attributes:
        environment: names and values of what the numbers depend on: versions, device, flags.
        date: day of the study, ISO form; empty where it does not matter.
        refused: why nothing is offered though a kernel was faster; empty where that is not so.
    """

    application: str
    device: str
    device_kind: str
    seed: int
    kernels: list[KernelReport]
    app: AppReport | None
    time: TimeSplit
    not_verified: list[str] = field(default_factory=list)
    patch: str = ""
    version: str = __version__
    environment: list[tuple[str, str]] = field(default_factory=list)
    date: str = ""
    refused: str = ""

    @property
    def exit_code(self) -> int:
        if self.winners:
            return FASTER
        return NOT_IN_APPLICATION if self.refused else NOTHING_FASTER

    @property
    def winners(self) -> list[KernelReport]:
        return [kernel for kernel in self.kernels if kernel.is_faster]

    @property
    def expectation(self) -> Expectation | None:
        """What the application can gain; None where the kernels' share of its time is not known."""
        return expectation(self.app.baseline_s if self.app else 0.0, self.winners)

    def to_dict(self) -> dict[str, Any]:
        """Schema 1 of report.json."""
        return {
            "schema": SCHEMA,
            "version": self.version,
            "date": self.date,
            "application": self.application,
            "device": self.device,
            "device_kind": self.device_kind,
            "seed": self.seed,
            "kernels": [_kernel(kernel) for kernel in self.kernels],
            "app": None if self.app is None else {**asdict(self.app), "speedup": self.app.speedup},
            "expectation": None if self.expectation is None else asdict(self.expectation),
            "time": asdict(self.time),
            "not_verified": self.not_verified,
            "patch": self.patch,
            "refused": self.refused,
            "environment": dict(self.environment),
            "exit_code": self.exit_code,
        }


def _kernel(kernel: KernelReport) -> dict[str, Any]:
    """Everything but the trials, which are in the journal."""
    whole = asdict(kernel)
    del whole["trials"]
    return whole


def expectation(app_s: float, winners: Sequence[KernelReport]) -> Expectation | None:
    """Amdahl's law for an application that takes `app_s` seconds."""
    inside_s = sum(kernel.device_us for kernel in winners) / 1e6
    if app_s <= 0 or inside_s <= 0:
        return None
    share = min(inside_s / app_s, 0.999)
    tuned = sum(kernel.device_us / kernel.speedup for kernel in winners) / sum(kernel.device_us for kernel in winners)
    return Expectation(share, 1 / (1 - share + share * tuned), 1 / (1 - share))


def write_report(data: ReportData, out: Path) -> Path:
    """`report.json`, `report.html` and `report.md` in `out`; the path of the page."""
    out.mkdir(parents=True, exist_ok=True)
    _replace(out / "report.json", json.dumps(data.to_dict(), indent=1) + "\n")
    _replace(out / "report.md", render_page("report.md.j2", report=data))
    _replace(out / "report.html", render_page("report.html.j2", report=data))
    return out / "report.html"


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.part")
    beside.write_text(text, encoding="utf-8", errors="replace")
    beside.replace(path)
