"""Charts of counts and shares: the funnel of verdicts, where time went, the application before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from r3c.core.result import Verdict
from r3c.emit.svg import Scale, dot, rect, svg, words

WIDTH = 720
LEFT = 150

# What a candidate gets through, in order, and the verdicts that end there.
_STAGES: tuple[tuple[str, tuple[Verdict, ...]], ...] = (
    ("proposed", ()),
    ("legal", (Verdict.PARSE_FAILED, Verdict.REFUSED)),
    ("not seen before", (Verdict.DUPLICATE,)),
    ("built", (Verdict.BUILD_FAILED,)),
    ("ran to its end", (Verdict.LAUNCH_FAILED, Verdict.TIMED_OUT)),
    (
        "right result",
        (Verdict.WRONG, Verdict.WRONG_WITHHELD, Verdict.NONDETERMINISTIC, Verdict.IMPLAUSIBLE, Verdict.AUDIT_FAILED),
    ),
    ("faster", (Verdict.SLOWER,)),
)


@dataclass(frozen=True)
class FunnelStage:
    """How many candidates passed a stage, and how many ended there by verdict."""

    name: str
    passed: int
    lost: tuple[tuple[str, int], ...]


def funnel(verdicts: Mapping[str, int]) -> list[FunnelStage]:
    """The stages of `verdicts` (counts by verdict name); those after the last candidate are left out."""
    left = sum(verdicts.values())
    out = []
    for name, ends in _STAGES:
        lost = tuple((verdict.value, verdicts[verdict.value]) for verdict in ends if verdicts.get(verdict.value))
        left -= sum(count for _, count in lost)
        out.append(FunnelStage(name, left, lost))
    return out


def funnel_chart(verdicts: Mapping[str, int]) -> str:
    """A bar a stage, with what was lost on the way; empty where nothing was tried."""
    stages = funnel(verdicts)
    total = stages[0].passed
    if total == 0:
        return ""
    x = Scale(0, total, LEFT, 470)
    parts = []
    for row, stage in enumerate(stages):
        y = 4 + 25 * row
        parts.append(words(LEFT - 8, y + 14, stage.name, "name", "end"))
        parts.append(rect(LEFT, y, 470 - LEFT, 18, "track"))
        parts.append(rect(LEFT, y, x(stage.passed) - LEFT, 18, "bar"))
        parts.append(words(478, y + 14, str(stage.passed), "count"))
        lost = ", ".join(f"{count} {verdict}" for verdict, count in stage.lost)
        if lost:
            parts.append(words(520, y + 14, f"\N{MINUS SIGN} {lost}"))
    label = "Candidates: " + ", ".join(f"{stage.passed} {stage.name}" for stage in stages)
    return svg(WIDTH, 8 + 25 * len(stages), label, parts)


def split_chart(parts_s: Sequence[tuple[str, float]]) -> str:
    """Seconds by part as one bar with a legend below; parts under 0.1 % are left out."""
    total = sum(seconds for _, seconds in parts_s)
    if total <= 0:
        return ""
    shown = [(name, seconds) for name, seconds in parts_s if seconds > total / 1000]
    x = Scale(0, total, 0, WIDTH)
    out, at = [], 0.0
    for number, (name, seconds) in enumerate(shown):
        out.append(rect(x(at) + 1, 0, x(at + seconds) - x(at) - 2, 22, f"part p{number % 6}"))
        column, row = number % 2, number // 2
        out.append(rect(column * 360, 34 + 22 * row, 12, 12, f"part p{number % 6}"))
        text = f"{name}: {seconds:.1f} s ({100 * seconds / total:.0f} %)"
        out.append(words(column * 360 + 18, 44 + 22 * row, text, "name"))
        at += seconds
    label = "Time: " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in shown)
    return svg(WIDTH, 34 + 22 * ((len(shown) + 1) // 2), label, out)


def runs_chart(baseline_s: Sequence[float], tuned_s: Sequence[float]) -> str:
    """Every run of the application as a dot, without and with the tuned kernels."""
    everything = [*baseline_s, *tuned_s]
    if not baseline_s or not tuned_s:
        return ""
    room = max(0.1 * (max(everything) - min(everything)), 0.02 * max(everything))
    x = Scale(max(0.0, min(everything) - room), max(everything) + room, LEFT, WIDTH - 20)
    parts = []
    for row, (name, runs, kind) in enumerate((("original", baseline_s, "dot"), ("tuned", tuned_s, "dot accent"))):
        y = 16 + 26 * row
        parts += [words(LEFT - 8, y + 4, name, "name", "end"), rect(LEFT, y - 1, WIDTH - 20 - LEFT, 2, "track")]
        parts += [dot(x(seconds), y, kind, f"{seconds:.4g} s") for seconds in runs]
    parts += [words(x(tick), 72, f"{tick:.4g} s", anchor="middle") for tick in x.ticks(5)]
    label = f"Runs of the application: {_listed(baseline_s)} without, {_listed(tuned_s)} with the tuned kernels"
    return svg(WIDTH, 82, label, parts)


def _listed(seconds: Sequence[float]) -> str:
    return ", ".join(f"{value:.4g} s" for value in seconds)
