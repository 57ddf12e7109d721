"""One candidate evaluated: rewritten, built, compared with what was measured before, replayed."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from r3c.build.cache import BuildCache
from r3c.build.original import CompiledUnit
from r3c.build.toolchains.base import Toolchain
from r3c.core.binary import Binary
from r3c.core.candidate import Candidate
from r3c.core.errors import BuildError, InvalidEdit, MissingExtra, R3CError, RewriteRefused, UserError
from r3c.core.launch import LaunchPlan
from r3c.core.recording import Recording
from r3c.core.result import Outcome, Timing, Verdict
from r3c.core.spec import Spec
from r3c.devices.table import SPREAD, TRIAL_S, Table
from r3c.proposers.base import Problem
from r3c.replay.replayer import Replayer
from r3c.resources import processors
from r3c.rewrites.base import Rewritten, apply_candidate


@dataclass(frozen=True)
class Evaluated:
    """The outcome, what it took, and the machine code it is about (empty where nothing was built)."""

    outcome: Outcome
    seconds: float
    code_hash: str = ""


class Evaluator(Protocol):
    """What a study asks about candidates. Nothing about a candidate may raise; only what ends the study does."""

    def prepare(self, candidates: Sequence[Candidate]) -> None:
        """These will be evaluated next: their builds may begin."""

    def evaluate(self, candidate: Candidate) -> Evaluated: ...

    def remember(self, candidate: Candidate, outcome: Outcome, code_hash: str) -> None:
        """A trial of an earlier run of the same study."""


@dataclass
class Built:
    """A candidate ready to run."""

    rewritten: Rewritten
    binary: Binary


class CandidateBuilder:
    """Builds candidates of one kernel, each in a folder of its own, as many at once as there are processors."""

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
        self._cache = BuildCache()
        self._workers = ThreadPoolExecutor(processors(), thread_name_prefix="r3c-build")
        self._started: dict[str, tuple[Rewritten, Future[Binary]]] = {}  # by the candidate's id

    def build(self, candidate: Candidate) -> Built:
        """Raises RewriteRefused, InvalidEdit, UserError or BuildError, each a verdict of the candidate."""
        if candidate.id not in self._started:
            self._started[candidate.id] = self._start(candidate)
        rewritten, binary = self._started.pop(candidate.id)
        return Built(rewritten, binary.result())

    def build_watched(self, candidate: Candidate) -> Built:
        """As `build`, so that the CPU device sees every access; for the host toolchain only."""
        options = candidate.toolchain or self.default
        return self.build(replace(candidate, toolchain=Spec.of(options.name, {**dict(options.values), "races": True})))

    def start(self, candidates: Sequence[Candidate]) -> None:
        """Begins to build each of `candidates`; `build` waits for it, and says what was wrong."""
        for candidate in candidates:
            with contextlib.suppress(R3CError):
                self._started[candidate.id] = self._start(candidate)

    def wait(self) -> None:
        """Until nothing is being built."""
        wait([binary for _, binary in self._started.values()])

    def close(self) -> None:
        """Drops what was begun and is not wanted any more."""
        for name, (_, binary) in self._started.items():
            binary.cancel()
            wait([binary])
            shutil.rmtree(self._folder / name, ignore_errors=True)
        self._started.clear()

    def _start(self, candidate: Candidate) -> tuple[Rewritten, Future[Binary]]:
        problem = self.problem
        rewritten = apply_candidate(problem.source, problem.kernel, candidate, problem.names, problem.texts)
        options = candidate.toolchain or self.default
        request = self._unit.request(
            rewritten.source, problem.kernel, self._recording.symbol, options, self._architecture
        )
        folder = self._folder / candidate.id
        folder.mkdir(parents=True, exist_ok=True)
        toolchain = self._find_toolchain(options.name)
        return rewritten, self._workers.submit(self._cache.build, toolchain, request, folder)

    def delivered(self, candidate: Candidate) -> Candidate:
        """The candidate with the toolchain that the application's own build stands for."""
        options = candidate.toolchain or self.default
        by = getattr(self._find_toolchain(options.name), "delivered_by", options.name)
        return candidate if by == options.name else replace(candidate, toolchain=Spec(by, options.values))

    def without_folders(self, candidate: Candidate, text: str) -> str:
        """`text` with files named as the application does: the journal says the same wherever its folder lies."""
        for folder in (self._folder / candidate.id, Path(self._unit.command.file).parent):
            text = text.replace(f"{folder}/", "")
        return text

    def discard(self, candidate: Candidate) -> None:
        shutil.rmtree(self._folder / candidate.id, ignore_errors=True)


class ReplayEvaluator:
    """Evaluates on recordings. Machine code that was measured with the same launch is not measured again.

    `quiet`: kernels run on the processors that build, so nothing may be built while one is timed.
    """

    def __init__(
        self, builder: CandidateBuilder, replayer: Replayer, table: Table | None = None, quiet: bool = False
    ) -> None:
        self._builder = builder
        self._replayer = replayer
        self._table = table
        self._quiet = quiet
        self._measured: dict[tuple[str, LaunchPlan], tuple[str, Outcome]] = {}
        self._ended = time.monotonic()  # of the trial before: what choosing the next one takes is part of its time

    def prepare(self, candidates: Sequence[Candidate]) -> None:
        self._builder.start(candidates)

    def evaluate(self, candidate: Candidate) -> Evaluated:
        if self._quiet:
            self._builder.wait()
        outcome, code_hash = self._judge(candidate)
        self._builder.discard(candidate)
        outcome = replace(outcome, detail=self._builder.without_folders(candidate, outcome.detail))
        if self._table is None:
            started, self._ended = self._ended, time.monotonic()
            return Evaluated(outcome, self._ended - started, code_hash)
        if outcome.verdict is Verdict.TIMED_OUT:
            outcome = replace(outcome, detail="still running at its time limit")  # which follows from a clock
        return Evaluated(replace(outcome, seconds={}), TRIAL_S, code_hash)

    def remember(self, candidate: Candidate, outcome: Outcome, code_hash: str) -> None:
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
