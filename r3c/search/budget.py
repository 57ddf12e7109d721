"""What a study may spend, and what it has spent; every number comes from its journal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Upper ends; None is no limit. `gpu_seconds` counts replays on the device."""

    trials: int | None = None
    seconds: float | None = None
    gpu_seconds: float | None = None
    tokens: int | None = None
    usd: float | None = None


@dataclass
class Budget:
    """Spent so far. A trial is counted when it reached a build; refusals and duplicates cost their seconds only."""

    limits: Limits
    trials: int = 0
    seconds: float = 0.0
    gpu_seconds: float = 0.0
    tokens: int = 0
    usd: float = 0.0

    @property
    def is_spent(self) -> bool:
        return bool(self.reason)

    @property
    def reason(self) -> str:
        """Which limit has been reached, in words; empty where none has."""
        for spent, limit, words in (
            (self.trials, self.limits.trials, "trials"),
            (self.seconds, self.limits.seconds, "seconds"),
            (self.gpu_seconds, self.limits.gpu_seconds, "seconds of the device"),
            (self.tokens, self.limits.tokens, "tokens"),
            (self.usd, self.limits.usd, "US dollars"),
        ):
            if limit is not None and spent >= limit:
                return f"{limit:g} {words} are spent"
        return ""

    @property
    def trials_left(self) -> int | None:
        return None if self.limits.trials is None else max(0, self.limits.trials - self.trials)

    @property
    def seconds_left(self) -> float | None:
        return None if self.limits.seconds is None else max(0.0, self.limits.seconds - self.seconds)
