"""The journal of a study: append-only JSON lines, the first one says which study; everything else is derived from it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from r3c.core.errors import JournalError
from r3c.core.result import Mismatch, Outcome, Timing, Verdict

SCHEMA = 1


@dataclass(frozen=True)
class Trial:
    """One evaluated candidate of a study.

    Attributes:
        number: from 0, which is the original.
        structure: text of its steps with their default numbers, the tuner's subject.
        candidate: its whole text.
        seconds: what it took, replay and build included; virtual where the clock is.
        code_hash: of its machine code, empty where it has none.
    """

    number: int
    structure: str
    candidate: str
    outcome: Outcome
    seconds: float
    code_hash: str = ""

    def to_json(self) -> str:
        raw = asdict(self)
        raw["outcome"]["verdict"] = self.outcome.verdict.value
        return json.dumps({"kind": "trial", **raw}, sort_keys=True)


def trial_from_json(raw: Mapping[str, Any]) -> Trial:
    outcome = dict(raw["outcome"])
    outcome["verdict"] = Verdict(outcome["verdict"])
    for key, kind in (("timing", Timing), ("baseline", Timing), ("mismatch", Mismatch)):
        if outcome[key] is not None:
            outcome[key] = kind(**outcome[key])
    values = {key: value for key, value in raw.items() if key not in ("kind", "outcome")}
    return Trial(outcome=Outcome(**outcome), **values)


@dataclass
class Journal:
    """Trials of one study in one file, each line synced to disk before the next trial starts."""

    path: Path
    header: dict[str, Any] = field(default_factory=dict)

    def open(self, resume: bool) -> list[Trial]:
        """Start the file, or read the trials of an interrupted study.

        A last line that was cut short is dropped, from the file too.

        Raises:
            JournalError: there is a journal of another study, or one that cannot be read.
        """
        head = json.dumps({"kind": "study", "schema": SCHEMA, **self.header}, sort_keys=True)
        if not resume or not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._replace(head + "\n")
            return []
        text = self.path.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        lines = whole.splitlines()
        if not lines:
            self._replace(head + "\n")
            return []
        self._check(lines[0], head)
        if whole != text:
            self._replace(whole)
        return list(self._trials(lines[1:]))

    def _check(self, found: str, expected: str) -> None:
        if found == expected:
            return
        try:
            old, new = json.loads(found), json.loads(expected)
        except ValueError:
            raise JournalError(f"{self.path}:1: not a journal") from None
        changed = ", ".join(sorted(k for k in {*old, *new} if old.get(k) != new.get(k)))
        raise JournalError(
            f"{self.path}: the study there is another one (different: {changed})",
            hint="give --out another folder, or leave --resume out to start again",
        )

    def _trials(self, lines: list[str]) -> Iterator[Trial]:
        for number, line in enumerate(lines, 2):
            try:
                raw = json.loads(line)
                if raw["kind"] == "trial":
                    yield trial_from_json(raw)
            except (ValueError, KeyError, TypeError) as error:
                raise JournalError(f"{self.path}:{number}: not a trial: {error}") from None

    def _replace(self, text: str) -> None:
        beside = self.path.with_suffix(".part")
        beside.write_text(text, encoding="utf-8")
        beside.replace(self.path)

    def append(self, trial: Trial) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(trial.to_json() + "\n")
            file.flush()
            os.fsync(file.fileno())
