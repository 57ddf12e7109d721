"""Where a command stands, as plain values: events go in one by one, a screen reads what it shows."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from r3c.core.events import Event
from r3c.emit.svg import time_text

GOOD = ("faster",)
NEUTRAL = ("slower", "duplicate", "refused")


@dataclass
class Stage:
    """One stage; `took_s` is None while it lasts, `outcome` is what it came to, in words."""

    name: str
    detail: str
    started_s: float
    took_s: float | None = None
    outcome: str = ""


@dataclass
class Progress:
    """What is known so far.

    Attributes:
        stages: finished ones and, last, the current one.
        verdicts: trials of the current stage by verdict.
        best: data of the last `best` event that was better than the original, `baseline` and `trial` likewise.
        notes: remarks, in order.
        app, done: data of those events.
    """

    clock: Callable[[], float] = time.monotonic
    stages: list[Stage] = field(default_factory=list)
    verdicts: Counter[str] = field(default_factory=Counter)
    baseline: dict[str, Any] = field(default_factory=dict)
    best: dict[str, Any] = field(default_factory=dict)
    trial: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    app: dict[str, Any] = field(default_factory=dict)
    done: dict[str, Any] = field(default_factory=dict)

    def take(self, event: Event) -> None:
        if event.kind == "stage":
            self.end_stage()
            self.stages.append(Stage(str(event.data["name"]), str(event.data["detail"]), self.clock()))
            self.verdicts.clear()
            self.baseline, self.best, self.trial = {}, {}, {}
        elif event.kind == "trial":
            self.verdicts[event.data["verdict"]] += 1
            self.trial = event.data
        elif event.kind == "baseline":
            self.baseline = event.data
        elif event.kind == "best" and event.data["speedup"] > 1:
            self.best = event.data
        elif event.kind == "note":
            self.notes.append(str(event.data["text"]))
        elif event.kind == "app":
            self.app = event.data
        elif event.kind == "done":
            self.end_stage()
            self.done = event.data

    def end_stage(self) -> None:
        """The current stage, if there is one, is over."""
        if not self.stages or self.stages[-1].took_s is not None:
            return
        stage = self.stages[-1]
        stage.took_s = self.clock() - stage.started_s
        if self.trial:
            tried = f"{sum(self.verdicts.values())} tried, {self.verdicts['faster']} faster"
            stage.outcome = f"{tried}; best {best_words(self.best)}" if self.best else tried

    @property
    def current(self) -> Stage | None:
        return self.stages[-1] if self.stages and self.stages[-1].took_s is None else None


def baseline_words(data: dict[str, Any]) -> str:
    """`409 us (409 us to 416 us)`."""
    return f"{time_text(data['us'])} ({time_text(data['low_us'])} to {time_text(data['high_us'])})"


def best_words(data: dict[str, Any]) -> str:
    """`300 us, 1.36x (at least 1.31x)`."""
    return f"{time_text(data['us'])}, {data['speedup']:.2f}x (at least {data['speedup_low']:.2f}x)"


def app_words(data: dict[str, Any]) -> str:
    same = "same output" if data["output_equal"] else "OUTPUT DIFFERS"
    return f"{time_text(1e6 * data['baseline_s'])} -> {time_text(1e6 * data['tuned_s'])}, {same}"


def done_words(data: dict[str, Any]) -> str:
    if data["exit_code"] == 0:
        return "something verified is faster"
    if data.get("refused"):
        return f"{data['refused']}; no header is offered"
    return "nothing faster was verified, the original stays"


def counted(verdicts: Counter[str]) -> str:
    """`3 faster, 7 slower`: what matters first."""
    first = {name: place for place, name in enumerate((*GOOD, *NEUTRAL))}
    order = sorted(verdicts.items(), key=lambda item: (first.get(item[0], len(first)), item[0]))
    return ", ".join(f"{count} {verdict}" for verdict, count in order)


def left_words(data: dict[str, Any]) -> str:
    """`14 trials left, 3m 20s left`, empty without a budget."""
    words = []
    if data.get("trials_left") is not None:
        words.append(f"{data['trials_left']} trials left")
    if data.get("seconds_left") is not None:
        words.append(f"{duration(data['seconds_left'])} left")
    return ", ".join(words)


def duration(seconds: float) -> str:
    """`4.2 s`, `3m 20s`, `1h 05m`."""
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}m {rest:02d}s" if minutes < 60 else f"{minutes // 60}h {minutes % 60:02d}m"
