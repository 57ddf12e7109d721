"""The report: what was gained, how it was found, and what was not verified; as JSON for programs and HTML for people."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from r3c import __version__
from r3c.emit.charts import Curve, search_curve
from r3c.emit.render import render_page

SCHEMA = 1
FASTER, NOTHING_FASTER = 0, 3


@dataclass(frozen=True)
class TrialRow:
    """One trial for the table and the curve; times in us, None where there is none."""

    number: int
    candidate: str
    verdict: str
    us: float | None
    speedup: float | None
    detail: str


@dataclass
class KernelReport:
    """One kernel. Times are of one launch in us; `speedup_low` is the lower end of the interval of the worst occasion.

    `best_us` equals `baseline_us` where nothing faster was verified: the baseline is kept.
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

    @property
    def is_faster(self) -> bool:
        return bool(self.header) and self.speedup_low > 1.0

    @property
    def curve(self) -> str:
        """SVG of the best time so far over the trials."""
        points = [(t.number, t.us) for t in self.trials if t.us is not None and t.verdict in ("faster", "slower")]
        return search_curve(Curve(self.baseline_us, points))


@dataclass(frozen=True)
class AppReport:
    """The whole application: median seconds of a run without and with the tuned kernels, and whether outputs agree."""

    baseline_s: float
    tuned_s: float
    output_equal: bool
    difference: str = ""


@dataclass(frozen=True)
class TimeSplit:
    """Where the time of this `optimize` went, in seconds."""

    record_s: float
    build_s: float
    replay_s: float
    llm_s: float
    search_s: float
    total_s: float


@dataclass
class ReportData:
    """All of it; plain values, filled by the pipeline."""

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

    @property
    def exit_code(self) -> int:
        return FASTER if any(kernel.is_faster for kernel in self.kernels) else NOTHING_FASTER

    def to_dict(self) -> dict[str, Any]:
        """Schema 1 of report.json."""
        app = self.app
        return {
            "schema": SCHEMA,
            "version": self.version,
            "application": self.application,
            "device": self.device,
            "seed": self.seed,
            "kernels": [
                {
                    "name": k.name, "baseline_us": k.baseline_us, "best_us": k.best_us, "speedup": k.speedup,
                    "speedup_low": k.speedup_low, "candidate": k.candidate, "header": k.header, "verdicts": k.verdicts,
                    "steps": k.steps, "rejected": k.rejected, "recordings": k.recordings, "stopped": k.stopped,
                    "notes": k.notes,
                }
                for k in self.kernels
            ],
            "app": None if app is None else {
                "baseline_s": app.baseline_s, "tuned_s": app.tuned_s, "output_equal": app.output_equal,
                "difference": app.difference,
            },
            "time": vars(self.time),
            "not_verified": self.not_verified,
            "patch": self.patch,
            "exit_code": self.exit_code,
        }  # fmt: skip


def write_report(data: ReportData, out: Path) -> Path:
    """`report.json` and `report.html` in `out`; the path of the page."""
    out.mkdir(parents=True, exist_ok=True)
    _replace(out / "report.json", json.dumps(data.to_dict(), indent=1) + "\n")
    _replace(out / "report.html", render_page("report.html.j2", report=data))
    return out / "report.html"


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.part")
    beside.write_text(text, encoding="utf-8", errors="replace")
    beside.replace(path)
