"""What became of a candidate: one verdict, its times, and the first thing that was wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Verdict(str, Enum):
    """Set where it happens, never derived from a message."""

    PARSE_FAILED = "parse-failed"
    REFUSED = "refused"
    DUPLICATE = "duplicate"
    BUILD_FAILED = "build-failed"
    LAUNCH_FAILED = "launch-failed"
    TIMED_OUT = "timed-out"
    WRONG = "wrong"
    WRONG_WITHHELD = "wrong-withheld"
    NONDETERMINISTIC = "nondeterministic"
    IMPLAUSIBLE = "implausible"
    SLOWER = "slower"
    FASTER = "faster"
    AUDIT_FAILED = "audit-failed"

    @property
    def is_verified(self) -> bool:
        """Whether the candidate computed what the original did."""
        return self in (Verdict.SLOWER, Verdict.FASTER)


@dataclass(frozen=True)
class Timing:
    """Times of one kernel launch in us: median of `count` samples and its bootstrap interval."""

    median_us: float
    low_us: float
    high_us: float
    count: int


@dataclass(frozen=True)
class Mismatch:
    """The first element that differs from the recorded epilogue.

    `buffer` is the argument's name (or `global NAME`), `element` its index in elements of the buffer's type.
    """

    buffer: str
    element: int
    expected: str
    got: str
    count: int

    def __str__(self) -> str:
        return f"{self.buffer}[{self.element}]: expected {self.expected}, got {self.got} ({self.count} differ)"


@dataclass(frozen=True)
class Outcome:
    """One evaluated candidate.

    Attributes:
        verdict: what became of it.
        timing: only for verified candidates.
        baseline: the original timed beside it in the same worker, for verified candidates.
        detail: one line for people: the refusal, the first compiler error, the signal.
        mismatch: for wrong results.
        features: static numbers of the build (registers, shared_bytes, ...) for the surrogate and the archive.
        seconds: where the time went: `build`, `replay`, and `replace` where a worker that an earlier candidate had
            ended was replaced first.
    """

    verdict: Verdict
    timing: Timing | None = None
    baseline: Timing | None = None
    detail: str = ""
    mismatch: Mismatch | None = None
    features: dict[str, float] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def speedup(self) -> float | None:
        """Baseline median over candidate median."""
        if self.timing is None or self.baseline is None or self.timing.median_us <= 0:
            return None
        return self.baseline.median_us / self.timing.median_us

    @property
    def speedup_low(self) -> float | None:
        """Lower end: the baseline's low end over the candidate's high end."""
        if self.timing is None or self.baseline is None or self.timing.high_us <= 0:
            return None
        return self.baseline.low_us / self.timing.high_us
