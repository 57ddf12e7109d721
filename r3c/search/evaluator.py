"""One candidate evaluated: rewritten, built, compared with what was measured before, replayed."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from r3c.build.original import CompiledUnit
from r3c.build.toolchains.base import Toolchain
from r3c.core.binary import Binary
from r3c.core.candidate import Candidate
from r3c.core.errors import BuildError, InvalidEdit, MissingExtra, RewriteRefused, UserError
from r3c.core.launch import LaunchPlan
from r3c.core.recording import Recording
from r3c.core.result import Outcome, Timing, Verdict
from r3c.core.spec import Spec
from r3c.devices.table import SPREAD, TRIAL_S, Table
from r3c.proposers.base import Problem
from r3c.replay.replayer import Replayer
from r3c.rewrites.base import Rewritten, apply_candidate


@dataclass(frozen=True)
class Evaluated:
    """The outcome, what it took, and the machine code it is about (empty where nothing was built)."""

    outcome: Outcome
    seconds: float
    code_hash: str = ""


class Evaluator(Protocol):
    """What a study asks about candidates. Nothing about a candidate may raise; only what ends the study does."""

    def evaluate(self, candidate: Candidate) -> Evaluated: ...


@dataclass
class Built:
    """A candidate ready to run."""

    rewritten: Rewritten
    binary: Binary


class CandidateBuilder:
    """Builds candidates of one kernel, each in a folder of its own."""

    def __init__(
        self,
        problem: Problem,
        unit: CompiledUnit,
        recording: Recording,
        find_toolchain: Callable[[str], Toolchain],
        default_toolchain: str,
        architecture: str,
        folder: Path,
    ) -> None:
        self.problem = problem
        self.default = Spec(default_toolchain)
        self._unit = unit
        self._recording = recording
        self._find_toolchain = find_toolchain
        self._architecture = architecture
        self._folder = folder

    def build(self, candidate: Candidate) -> Built:
        """Raises RewriteRefused, InvalidEdit, UserError or BuildError, each a verdict of the candidate."""
        problem = self.problem
        rewritten = apply_candidate(problem.source, problem.kernel, candidate, problem.names, problem.texts)
        options = candidate.toolchain or self.default
        request = self._unit.request(
            rewritten.source, problem.kernel, self._recording.symbol, options, self._architecture
        )
        folder = self._folder / candidate.id
        folder.mkdir(parents=True, exist_ok=True)
        return Built(rewritten, self._find_toolchain(options.name).build(request, folder))

    def without_folders(self, candidate: Candidate, text: str) -> str:
        """`text` with files named as the application does: the journal says the same wherever its folder lies."""
        for folder in (self._folder / candidate.id, Path(self._unit.command.file).parent):
            text = text.replace(f"{folder}/", "")
        return text

    def discard(self, candidate: Candidate) -> None:
        shutil.rmtree(self._folder / candidate.id, ignore_errors=True)


class ReplayEvaluator:
    """Evaluates on recordings. Machine code that was measured with the same launch is not measured again."""

    def __init__(self, builder: CandidateBuilder, replayer: Replayer, table: Table | None = None) -> None:
        self._builder = builder
        self._replayer = replayer
        self._table = table
        self._measured: dict[tuple[str, LaunchPlan], tuple[str, Outcome]] = {}

    def evaluate(self, candidate: Candidate) -> Evaluated:
        started = time.monotonic()
        outcome, code_hash = self._judge(candidate)
        self._builder.discard(candidate)
        outcome = replace(outcome, detail=self._builder.without_folders(candidate, outcome.detail))
        if self._table is None:
            return Evaluated(outcome, time.monotonic() - started, code_hash)
        if outcome.verdict is Verdict.TIMED_OUT:
            outcome = replace(outcome, detail="still running at its time limit")  # which follows from a clock
        return Evaluated(replace(outcome, seconds={}), TRIAL_S, code_hash)

    def remember(self, candidate: Candidate, outcome: Outcome, code_hash: str) -> None:
        """A trial of an earlier run of the same study."""
        if not code_hash or outcome.verdict is Verdict.DUPLICATE:
            return
        problem = self._builder.problem
        plan = apply_candidate(problem.source, problem.kernel, candidate, problem.names, problem.texts).plan
        self._measured.setdefault((code_hash, plan), (str(candidate), outcome))

    def _judge(self, candidate: Candidate) -> tuple[Outcome, str]:
        started = time.monotonic()
        try:
            built = self._builder.build(candidate)
        except RewriteRefused as error:
            return Outcome(Verdict.REFUSED, detail=_line(error)), ""
        except MissingExtra:
            raise
        except (InvalidEdit, UserError) as error:
            return Outcome(Verdict.PARSE_FAILED, detail=_line(error)), ""
        except BuildError as error:
            return Outcome(Verdict.BUILD_FAILED, detail=_line(error)), ""
        build_s = time.monotonic() - started
        key = (built.binary.code_hash, built.rewritten.plan)
        if key in self._measured:
            text, earlier = self._measured[key]
            detail = f"the same machine code and launch as {text}"
            return replace(earlier, verdict=Verdict.DUPLICATE, detail=detail, seconds={"build": build_s}), key[0]
        outcome = self._replay(candidate, built)
        outcome = replace(outcome, seconds={"build": build_s, **outcome.seconds})
        self._measured[key] = (str(candidate), outcome)
        return outcome, key[0]

    def _replay(self, candidate: Candidate, built: Built) -> Outcome:
        if self._table is None:
            return self._replayer.evaluate(built.binary, built.rewritten.plan)
        outcome = self._replayer.evaluate(built.binary, built.rewritten.plan, time=False)
        if not outcome.verdict.is_verified:
            return outcome
        own, base = (_timing(self._table.time_us(text)) for text in (str(candidate), "original"))
        verdict = Verdict.FASTER if own.high_us < base.low_us else Verdict.SLOWER
        return replace(outcome, verdict=verdict, timing=own, baseline=base, detail="")


def _timing(us: float) -> Timing:
    return Timing(us, round(us * (1 - SPREAD), 3), round(us * (1 + SPREAD), 3), 1)


def _line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
