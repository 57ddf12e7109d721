"""Finalists built once more, to be watched: threads that meet at a byte unordered may be right by chance only."""

from __future__ import annotations

from collections.abc import Callable

from r3c.build.toolchains.host import Host
from r3c.core.candidate import Candidate
from r3c.core.errors import R3CError
from r3c.core.result import Outcome, Verdict
from r3c.replay.process import KernelFailedError, KernelHungError
from r3c.replay.replayer import Races, Replayer
from r3c.search.evaluator import CandidateBuilder

Audit = Callable[
    [Candidate, Replayer], Outcome | None
]  # the rejection of a candidate, None where nothing speaks against it


def accept(candidate: Candidate, replayer: Replayer) -> Outcome | None:
    """The audit that looks for nothing."""
    return None


class RaceAudit:
    """Judges candidates of one kernel; `note` says why it cannot, empty where it can.

    A kernel whose original has races is not judged: what its owners accept is no fault of a candidate.
    """

    def __init__(self, builder: CandidateBuilder) -> None:
        self.note = ""
        self._builder = builder
        self._original: Races | None = None

    def __call__(self, candidate: Candidate, replayer: Replayer) -> Outcome | None:
        if self._builder.default.name != Host.name or not self._original_is_clean(replayer):
            return None
        try:
            found = self._watch(candidate, replayer)
        except (KernelFailedError, KernelHungError) as error:
            return Outcome(Verdict.AUDIT_FAILED, detail=f"fails while it is watched: {error.diagnostic.message}")
        except R3CError as error:
            self.note = f"races were not looked for: {error.diagnostic.message.splitlines()[0]}"
            return None
        if found.count is None or found.count <= 0:
            return None
        return Outcome(Verdict.NONDETERMINISTIC, detail=f"{found.detail}; the original has no such race")

    def _original_is_clean(self, replayer: Replayer) -> bool:
        if self._original is None:
            try:
                self._original = self._watch(Candidate(), replayer)
            except R3CError as error:
                self.note = f"races were not looked for: {error.diagnostic.message.splitlines()[0]}"
                self._original = Races(None)
            if self._original.count:
                self.note = f"races were not looked for, since the original has some: {self._original.detail}"
        return self._original.count == 0

    def _watch(self, candidate: Candidate, replayer: Replayer) -> Races:
        built = self._builder.build_watched(candidate)
        return replayer.races(built.binary, built.rewritten.plan)
