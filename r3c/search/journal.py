"""The journal of a study: append-only JSON lines, the first one says which study; everything else is derived from it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from r3c.core.errors import JournalError
from r3c.core.result import Mismatch, Outcome, Timing, Verdict

SCHEMA = 1


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Keeps other studies out of `folder`; the system lets go of it when this process ends, however that happens.

    Raises:
        JournalError: another study works there, or nothing can be written there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "lock").open("a+", encoding="utf-8")
    except OSError as error:
        hint = "give --out a folder that can be written to"
        raise JournalError(f"{folder} cannot be written to: {error.strerror}", hint=hint) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            who = file.read().strip() or "another process"
            raise JournalError(
                f"{folder}: another study works there ({who})", hint="wait for it, or give --out another folder"
            ) from None
        with contextlib.suppress(OSError):  # a disk that is full is met, and named, where something is lost by it
            file.truncate(0)
            file.write(f"process {os.getpid()}")
            file.flush()
        yield


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
    """The trial written as `raw`; a KeyError, TypeError or ValueError means that it is none."""
    outcome = dict(raw["outcome"])
    outcome["verdict"] = Verdict(outcome["verdict"])
    for key, kind in (("timing", Timing), ("baseline", Timing), ("mismatch", Mismatch)):
        if outcome[key] is not None:
            outcome[key] = kind(**outcome[key])
    values = {key: value for key, value in raw.items() if key not in ("kind", "outcome")}
    trial = Trial(outcome=Outcome(**outcome), **values)
    _check_types(trial)
    return trial


def _check_types(trial: Trial) -> None:
    outcome = trial.outcome
    texts = (trial.structure, trial.candidate, trial.code_hash, outcome.detail)
    times = [trial.seconds, *outcome.features.values(), *outcome.seconds.values()]
    for timing in (outcome.timing, outcome.baseline):
        times += [timing.median_us, timing.low_us, timing.high_us] if timing is not None else []
    if not all(isinstance(text, str) for text in texts) or not all(isinstance(us, int | float) for us in times):
        raise TypeError("a text or a number is of another type")


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
        data = self.path.read_bytes()
        whole, cut = data[: data.rfind(b"\n") + 1], data[data.rfind(b"\n") + 1 :]
        if not whole and head.encode().startswith(cut):
            self._replace(head + "\n")
            return []
        lines = (whole or cut).decode("utf-8", errors="replace").split("\n")
        self._check(lines[0], head)
        trials = list(self._trials(lines[1:-1]))
        if cut:
            self._replace(whole.decode("utf-8"))
        return trials

    def _check(self, found: str, expected: str) -> None:
        if found == expected:
            return
        try:
            old, new = json.loads(found), json.loads(expected)
        except ValueError:
            old, new = None, {}
        if not isinstance(old, dict) or old.get("kind") != "study":
            raise JournalError(f"{self.path}:1: not the journal of a study", hint="give --out another folder")
        changed = ", ".join(sorted(k for k in {*old, *new} if old.get(k) != new.get(k)))
        if not changed:
            return
        raise JournalError(
            f"{self.path}: the study there is another one (different: {changed})",
            hint="give --out another folder, or leave --resume out to start again",
        )

    def _trials(self, lines: list[str]) -> Iterator[Trial]:
        for number, line in enumerate(lines, 2):
            try:
                raw = json.loads(line)
                if raw["kind"] != "trial":
                    raise ValueError(f"a line of kind {raw['kind']!r}")
                yield trial_from_json(raw)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                hint = "take this line and all after it out of the file, and what they held is tried again"
                raise JournalError(f"{self.path}:{number}: not a trial: {error}", hint=hint) from None

    def _replace(self, text: str) -> None:
        beside = self.path.with_suffix(".part")
        beside.write_text(text, encoding="utf-8")
        beside.replace(self.path)

    def append(self, trial: Trial) -> None:
        with self.path.open("ab") as file:
            end = file.tell()
            try:
                file.write(trial.to_json().encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                with contextlib.suppress(OSError):
                    os.truncate(self.path, end)  # a trial is there as a whole or not at all
                raise
