"""The application with and without its tuned kernels, run in turn: does it say the same, and is it not slower?"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from r3c.build.app import AppRun
from r3c.build.output import first_difference
from r3c.core.config import CompareConfig

RUNS = 3
MORE_RUNS = 4  # where it looks slower: seven runs of each are apart by chance once in 3432 times
Run = Callable[[], AppRun]


@dataclass(frozen=True)
class AppCheck:
    """Median wall times over interleaved runs.

    `difference` is empty where the outputs agree, else the first difference in words.
    """

    baseline_s: float
    tuned_s: float
    difference: str
    baseline_runs_s: tuple[float, ...] = ()
    tuned_runs_s: tuple[float, ...] = ()

    @property
    def output_equal(self) -> bool:
        return not self.difference

    @property
    def is_slower(self) -> bool:
        """Whether every run with the tuned kernels took longer than every run without."""
        return min(self.tuned_runs_s, default=0.0) > max(self.baseline_runs_s, default=0.0)


def run_in_turn(original: Run, patched: Run, files: Callable[[], str], config: CompareConfig) -> AppCheck:
    """Some runs of each, and some more where the patched application looks slower; `files` compares what they wrote."""
    pairs = [(original(), patched()) for _ in range(RUNS)]
    if _check(pairs, "").is_slower:
        pairs += [(original(), patched()) for _ in range(MORE_RUNS)]
    return _check(pairs, _difference(config, pairs) or files())


def refusal(check: AppCheck | None, trust_times: bool = True) -> str:
    """Why nothing may be offered, empty where something may; None stands for a patched application that does not work."""
    if check is None:
        return "the patched application does not build or run"
    if check.difference:
        return f"the patched application does not do the same: {check.difference}"
    if trust_times and check.is_slower:
        runs = len(check.tuned_runs_s)
        return (
            f"the patched application is slower: {check.tuned_s:.3g} s instead of {check.baseline_s:.3g} s, "
            f"in each of {runs} runs"
        )
    return ""


def _check(pairs: list[tuple[AppRun, AppRun]], difference: str) -> AppCheck:
    before = tuple(original.seconds for original, _ in pairs)
    after = tuple(tuned.seconds for _, tuned in pairs)
    return AppCheck(statistics.median(before), statistics.median(after), difference, before, after)


def _difference(config: CompareConfig, pairs: list[tuple[AppRun, AppRun]]) -> str:
    """The first difference between what the two printed."""
    first, _ = pairs[0]
    if first.exit_code != 0:
        return f"the original ends with exit code {first.exit_code}"
    for again, _ in pairs[1:]:
        found = first_difference(first.stdout, again.stdout, config)
        if found:
            return f"the original itself prints something else at each run, so its output checks nothing: {found}"
    for _, tuned in pairs:
        if tuned.exit_code != 0:
            return f"the patched application ends with exit code {tuned.exit_code}: {tuned.stderr.strip()[-300:]}"
        found = first_difference(first.stdout, tuned.stdout, config)
        if found:
            return found
    return ""
