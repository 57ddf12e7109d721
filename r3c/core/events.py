"""What happens while r3c works, as plain values: the screen, `--json` and the tests all listen to these."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Event:
    """`kind` is one of `stage`, `note`, `baseline`, `trial`, `best`, `app`, `done`; `data` is JSON-able.

    stage: name, detail. note: text. baseline: kernel, us, low_us, high_us. trial: kernel, number, candidate, verdict,
    us, speedup, detail, trials_left, seconds_left. best: kernel, candidate, us, speedup, speedup_low.
    app: baseline_s, tuned_s, output_equal. done: exit_code, report.
    """

    kind: str
    data: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        return json.dumps({"event": self.kind, **self.data}, sort_keys=True)


Listener = Callable[[Event], None]


def ignore(_: Event) -> None:
    """A listener that does nothing."""
