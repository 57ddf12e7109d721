"""The best trial of each niche: structures that use the device differently are kept apart, so that none crowds out the rest."""

from __future__ import annotations

import math
from collections.abc import Iterator

from r3c.search.journal import Trial

# Axes of the map and how each number is binned; what a build does not tell counts as 0.
AXES = ("registers", "shared_bytes", "barriers", "code_bytes")

Niche = tuple[int, ...]


class Archive:
    """A map from niches to elites (MAP-Elites: Mouret and Clune, Illuminating search spaces, 2015)."""

    def __init__(self) -> None:
        self._elites: dict[Niche, Trial] = {}

    def add(self, trial: Trial) -> bool:
        """Whether the trial became the elite of its niche; only verified trials with a time can."""
        if not trial.outcome.verdict.is_verified or trial.outcome.timing is None:
            return False
        niche = niche_of(trial)
        elite = self._elites.get(niche)
        if elite is not None and _time(elite) <= _time(trial):
            return False
        self._elites[niche] = trial
        return True

    def __iter__(self) -> Iterator[Trial]:
        """Elites, the fastest first."""
        return iter(sorted(self._elites.values(), key=lambda t: (_time(t), t.number)))

    def __len__(self) -> int:
        return len(self._elites)

    @property
    def best(self) -> Trial | None:
        return next(iter(self), None)


def niche_of(trial: Trial) -> Niche:
    """Each axis on a logarithmic scale: a factor of two is a bin."""
    return tuple(round(math.log2(1 + trial.outcome.features.get(axis, 0.0))) for axis in AXES)


def _time(trial: Trial) -> float:
    assert trial.outcome.timing is not None
    return trial.outcome.timing.median_us
