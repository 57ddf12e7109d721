"""One structure in a study: its tuner, the candidates its numbers make, and the best of them so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from r3c.core.candidate import Candidate
from r3c.core.dims import Point
from r3c.core.result import Outcome, Verdict
from r3c.proposers.base import Structure
from r3c.search.journal import Trial
from r3c.tuners.base import Observation, Tuner

_TRIES = 200  # points asked for one candidate that is new


@dataclass
class Race:
    """Runs round after round until its numbers are exhausted or it falls behind.

    Attributes:
        candidate_of: the candidate that a point of the structure's space makes.
        best: its fastest usable trial; `last` the outcome it had last.
    """

    structure: Structure
    tuner: Tuner
    candidate_of: Callable[[Point], Candidate]
    best: Trial | None = None
    last: Outcome | None = None
    _asked: dict[str, Point] = field(default_factory=dict)

    def ask(self, count: int, known: Mapping[str, Outcome]) -> list[Candidate]:
        """Up to `count` candidates that nobody has tried; results of the others go to the tuner at once."""
        out: list[Candidate] = []
        for _ in range(_TRIES):
            points = self.tuner.ask(count - len(out))
            for point in points:
                candidate = self.candidate_of(point)
                text = str(candidate)
                if text in known:
                    self.tuner.tell(point, _observation(known[text]))
                elif text not in self._asked:
                    self._asked[text] = point
                    out.append(candidate)
            if len(out) >= count or not points:
                break
        return out

    def learn(self, candidate: Candidate, outcome: Outcome) -> None:
        """The result of a candidate that was asked for, tried for another structure."""
        self.tuner.tell(self._asked[str(candidate)], _observation(outcome))

    def tell(self, trial: Trial) -> Point:
        """The result of a candidate that was asked for; the point it came from."""
        point = self._asked[trial.candidate]
        self.tuner.tell(point, _observation(trial.outcome, trial.seconds))
        self.last = trial.outcome
        if _is_usable(trial.outcome) and (self.best is None or median_us(trial.outcome) < median_us(self.best.outcome)):
            self.best = trial
        return point


def _observation(outcome: Outcome, seconds: float = 0.0) -> Observation:
    if not _is_usable(outcome) or outcome.timing is None:
        return Observation(None, feasible=False, seconds=seconds, features=outcome.features)
    timing = outcome.timing
    noise = (timing.high_us - timing.low_us) / (4 * timing.median_us)
    return Observation(timing.median_us, noise, True, seconds, outcome.features)


def _is_usable(outcome: Outcome) -> bool:
    """Whether the outcome has a time that counts: verified, or the same code as something verified."""
    verified = outcome.verdict.is_verified or outcome.verdict is Verdict.DUPLICATE
    return verified and outcome.timing is not None


def median_us(outcome: Outcome) -> float:
    assert outcome.timing is not None
    return outcome.timing.median_us
