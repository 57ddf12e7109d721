"""Runs of tuners in, how they stand out: geometric means over spaces and seeds with their standard errors."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, variance
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _simulator import Run
    from _spaces import Measured

COUNTS = (25, 50, 100, 200)


@dataclass(frozen=True)
class Mean:
    """A geometric mean of best/optimum and its standard error."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.3f}±{self.error:.3f}"


@dataclass(frozen=True)
class Standing:
    """One tuner.

    Attributes:
        at: by the number of evaluations.
        over_time: by the number of average configurations that take as long to build and measure.
        spaces: each space's means by the number of evaluations.
        runs: how many.
        tuner_s: the tuner's own seconds in an average run.
    """

    tuner: str
    at: dict[int, Mean]
    over_time: dict[int, Mean]
    spaces: dict[str, dict[int, Mean]]
    runs: int
    tuner_s: float

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def best_over_time(run: Run, measured: Measured) -> dict[str, float]:
    """Best time over the optimum when so many average configurations could have been built and measured.

    The tuner's own seconds count. Until something works it is the slowest time of the space.
    """
    ends_s = [tuner + measuring for tuner, measuring in zip(run.tuner_s, run.measuring_s, strict=True)]
    out = {}
    for count in COUNTS:
        done = bisect_right(ends_s, count * measured.mean_cost_s)
        best = run.best_ms[done - 1] if done else None
        out[str(count)] = round((measured.times_ms[-1] if best is None else best) / measured.optimum_ms, 5)
    return out


def standings(runs: Sequence[dict[str, Any]], counts: Sequence[int]) -> list[Standing]:
    """Best first, by the mean at 100 evaluations or at the last of `counts`."""
    by_tuner: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for run in runs:
        by_tuner[run["tuner"]].append(run)
    found = [_standing(tuner, own, counts) for tuner, own in by_tuner.items()]
    judged = 100 if 100 in counts else counts[-1]
    return sorted(found, key=lambda standing: standing.at[judged].value)


def _standing(tuner: str, runs: list[dict[str, Any]], counts: Sequence[int]) -> Standing:
    spaces: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for run in runs:
        spaces[run["space"]].append(run)

    def at(count: int) -> Callable[[dict[str, Any]], float]:
        return lambda run: run["best"][min(count, len(run["best"])) - 1]

    return Standing(
        tuner,
        at={count: _mean(list(spaces.values()), at(count)) for count in counts},
        over_time={count: _mean(list(spaces.values()), lambda run, c=count: run["over_time"][str(c)]) for count in COUNTS},
        spaces={name: {count: _mean([own], at(count)) for count in counts} for name, own in sorted(spaces.items())},
        runs=len(runs),
        tuner_s=fmean(run["tuner_s"] for run in runs),
    )  # fmt: skip


def _mean(groups: list[list[dict[str, Any]]], value: Callable[[dict[str, Any]], float]) -> Mean:
    """Every space counts the same; the error is that of the seeds, the spaces being given."""
    logs = [[math.log(value(run)) for run in group] for group in groups]
    mean = math.exp(fmean(fmean(group) for group in logs))
    if any(len(group) < 2 for group in logs):
        return Mean(mean, math.nan)
    return Mean(mean, mean * math.sqrt(sum(variance(group) / len(group) for group in logs)) / len(logs))


def table(found: Sequence[Standing], record: dict[str, Any]) -> str:
    """Markdown."""
    counts = list(found[0].at)
    spaces = sorted({name for standing in found for name in standing.spaces})
    judged = 100 if 100 in counts else counts[-1]
    lines = [
        f"{record['date']}: `{record['command']}`",
        ", ".join(f"{name} {text}" for name, text in record["versions"].items()),
        "",
        "Best over optimum after so many evaluations, geometric mean over spaces and seeds, with its standard error:",
        "",
        *_rows(["tuner", "runs", *map(str, counts), "tuner's own s a run"],
               [[s.tuner, str(s.runs), *map(str, s.at.values()), f"{s.tuner_s:.1f}"] for s in found]),
        "",
        "The same after as long as so many average configurations take to build and measure, the tuner's seconds counted:",
        "",
        *_rows(["tuner", *map(str, COUNTS)], [[s.tuner, *map(str, s.over_time.values())] for s in found]),
        "",
        f"Each space after {judged} evaluations:",
        "",
        *_rows(["tuner", *spaces],
               [[s.tuner, *(str(s.spaces[name][judged]) if name in s.spaces else "" for name in spaces)] for s in found]),
    ]  # fmt: skip
    return "\n".join(lines)


def _rows(header: list[str], rows: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(cells) + " |" for cells in [header, ["---"] * len(header), *rows]]
