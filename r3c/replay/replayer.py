"""Evaluates candidates on recordings: the one thing that search and selection see of replaying."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from r3c.core.binary import Binary
from r3c.core.contract import Contract
from r3c.core.errors import ReplayError
from r3c.core.launch import LaunchPlan
from r3c.core.recording import Recording
from r3c.core.result import Mismatch, Outcome, Timing, Verdict
from r3c.recording.store import RecordingStore
from r3c.replay.mutant import KINDS
from r3c.replay.process import DisturbedError, KernelFailedError, KernelHungError, WorkerProcess
from r3c.replay.protocol import NotPlacedError, Wire, contract_to_wire, mismatch_from_wire, plan_to_wire
from r3c.replay.repeat import Repetition
from r3c.replay.state import foreign_calls, lasting_bytes
from r3c.replay.timer import Samples, TimingPlan, compare_times

_START_LIMIT_S = 120.0
_TWINS = 3
_PLACING_TRIES = 4
_TRIES = 3
_MOST_NOISE = 0.1
_LEAST_LIMIT_S = 5.0
AS_RECORDED = LaunchPlan()
_LIMIT_TIMES_BASELINE = 50.0


@dataclass(frozen=True)
class Gate:
    """How well the original reproduces one recording; see `judge.Reproduction`."""

    recording: Recording
    exact: bool
    deterministic: bool
    mismatch: Mismatch | None
    error: float
    notes: tuple[str, ...]


@dataclass(frozen=True)
class GateReport:
    """Whether the original kernel, replayed, computes what it did in the application."""

    gates: tuple[Gate, ...]

    @property
    def accepted(self) -> bool:
        return all(gate.mismatch is None for gate in self.gates)

    @property
    def exact(self) -> bool:
        """Every byte equal in every run."""
        return all(gate.exact for gate in self.gates)

    @property
    def deterministic(self) -> bool:
        return all(gate.deterministic for gate in self.gates)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(note for gate in self.gates for note in gate.notes))

    @property
    def detail(self) -> str:
        """One line for people."""
        wrong = next((gate.mismatch for gate in self.gates if gate.mismatch), None)
        error = max((gate.error for gate in self.gates), default=0.0)
        if wrong is not None:
            return f"the original does not reproduce its recording: {wrong}"
        if self.exact:
            return "every byte equal"
        spread = "" if self.deterministic else ", and it differs from run to run"
        return f"equal within the declared tolerance, largest difference {error:.3g}{spread}"

    def require(self) -> None:
        """Raises ReplayError where the original does not reproduce its recordings."""
        if self.accepted:
            return
        gate = next(g for g in self.gates if g.mismatch)
        hint = "declare kernel(rtol=..., atol=...) or buffer(...) tolerances for its floats" if gate.error else ""
        spread = "" if gate.deterministic else "; it differs from run to run"
        raise ReplayError(f"{gate.recording.kernel}: {self.detail}{spread}", hint=hint)


@dataclass(frozen=True)
class Races:
    """Bytes at which threads met unordered, None or negative where nobody could look; and the first place in words."""

    count: int | None
    detail: str = ""


class Replayer:
    """Replays `recordings` of one kernel with any binary of it, in a worker process that is replaced when it fails.

    `baseline` is the binary of the original, timed beside every candidate. `timeout_s` is the most that one step (one
    launch, or one batch of timed launches) may take; once the baseline's time is known, 50 times that or 5 s is enough.
    Use it as a context manager, or `close` it. `noise` is how far copies of the original were apart in time (0.01: 1 %);
    what gains no more is not FASTER. `replacements_s` is how long each new worker took until it could replay again.
    """

    def __init__(
        self,
        device: str,
        store: RecordingStore,
        recordings: Sequence[Recording],
        contract: Contract,
        baseline: Binary,
        timeout_s: float = 60.0,
        timing_plan: TimingPlan | None = None,
        seed: int = 0,
    ) -> None:
        if not recordings:
            raise ReplayError(f"no recording of {contract.kernel} to replay", hint="record the application first")
        self.device = device
        self.recordings = tuple(recordings)
        self.starts_s: list[float] = []
        self.baseline: Timing | None = None
        self.noise = 0.0
        self._store = store
        self._contract = contract
        self._binary = baseline
        self._limit_s = self._timeout_s = timeout_s
        self._plan = timing_plan or TimingPlan()
        self._seed = seed
        self._known: list[Wire] = []
        self._varied: list[tuple[int, str]] = []
        self._least_us: list[float] = []
        self._note = ""
        self._worker: WorkerProcess | None = None
        self._search = [i for i, r in enumerate(self.recordings) if not r.withheld]
        self._withheld = [i for i, r in enumerate(self.recordings) if r.withheld]

    @property
    def replacements_s(self) -> list[float]:
        return self.starts_s[1:]

    def gate(self, runs: int = 3) -> GateReport:
        """Replays the original on every recording and learns its noise; do this before anything else.

        Raises:
            ReplayError: the worker cannot start, or the original crashes or hangs in replay.
        """
        reply = self._ask_original({"do": "gate", "runs": runs})
        gates = [
            Gate(
                recording,
                raw["exact"],
                raw["deterministic"],
                mismatch_from_wire(raw["mismatch"]),
                raw["error"],
                (*raw["notes"], *([self._note] if self._note else [])),
            )
            for recording, raw in zip(self.recordings, reply["reproductions"], strict=True)
        ]
        self._known = [{k: raw[k] for k in ("deterministic", "poison", "outside")} for raw in reply["reproductions"]]
        report = GateReport(tuple(gates))
        if report.accepted:
            self.time_baseline()
            self._vary()
        return report

    def repeat(self, times: int) -> list[Repetition]:
        """Replays the original `times` times on each recording, every byte compared each time; needs no gate.

        Raises:
            ReplayError: the worker cannot start, or the original crashes or hangs in replay.
        """
        if times < 1:
            raise ReplayError(f"replay {times} times: expected at least 1")
        return [Repetition(**raw) for raw in self._ask_original({"do": "repeat", "times": times})["repetitions"]]

    def _vary(self) -> None:
        """Finds recordings whose inputs can be varied; where the original faults on a kind of such inputs, none is."""
        for kind in KINDS:
            with contextlib.suppress(KernelHungError, KernelFailedError):
                self._varied += self._ask({"do": "vary", "indices": self._search, "kind": kind}, self._limit_s)[
                    "varied"
                ]

    def time_baseline(self) -> Timing:
        """Times the original beside copies of itself on the recordings of the search; their spread is the `noise`.

        Raises:
            ReplayError: the original crashes or hangs in replay.
        """
        indices = self._search or self._withheld
        original = Path(self._binary.path)
        with tempfile.TemporaryDirectory(prefix="r3c-twins-") as folder:
            twins = [Path(folder).resolve() / f"{number}-{original.name}" for number in range(_TWINS)]
            for twin in twins:
                shutil.copyfile(original, twin)
            message: Wire = {"do": "baseline", "twins": [str(twin) for twin in twins], "indices": indices}
            pairs = self._ask_original(message)["pairs"]
        timings = [compare_times(self._samples(indices, base, twin), self._seed) for base, twin in pairs]
        ratios = [twin.median_us / base.median_us for twin, base in timings if base.median_us > 0]
        self.noise = max((abs(ratio - 1) for ratio in ratios), default=0.0)
        self.baseline = timings[0][1]
        slowest_s = max(max(times) for base, _ in pairs for times in base) / 1e6
        self._limit_s = min(self._timeout_s, max(_LEAST_LIMIT_S, _LIMIT_TIMES_BASELINE * slowest_s))
        return self.baseline

    def self_test(self) -> list[str]:
        """Weaknesses of the recordings as an oracle; the empty list means that cheats are rejected.

        A kernel that does nothing, and one that copies an answer found in device memory, must fail on at least one
        recording of the search.

        Raises:
            ReplayError: the original crashes or hangs in replay.
        """
        found = self._ask_original({"do": "oracle", "indices": self._search or self._withheld})["weaknesses"]
        common = set(found[0]).intersection(*found[1:])
        return [weakness for weakness in found[0] if weakness in common]

    def evaluate(
        self, binary: Binary, plan: LaunchPlan = AS_RECORDED, time: bool = True, cold: bool = False
    ) -> Outcome:
        """Verifies `binary` on the recordings of the search, then times it beside the baseline.

        With `time=False` a right candidate is SLOWER and has no times. `cold` flushes the device's caches before each
        launch that is timed.

        Raises:
            ReplayError: the recordings cannot be replayed here any more.
        """
        return self._judge(binary, plan, self._search or self._withheld, time, cold)

    def verify(self, binary: Binary, plan: LaunchPlan = AS_RECORDED, time: bool = False) -> Outcome:
        """As `evaluate`, on the withheld recordings; what is wrong there is WRONG_WITHHELD.

        Where none is withheld, a right candidate's detail says so.
        """
        if not self._withheld:
            return Outcome(Verdict.SLOWER, detail="no recording was withheld")
        outcome = self._judge(binary, plan, self._withheld, time)
        if outcome.verdict in (Verdict.WRONG, Verdict.NONDETERMINISTIC):
            return replace(outcome, verdict=Verdict.WRONG_WITHHELD)
        return outcome

    def races(self, binary: Binary, plan: LaunchPlan = AS_RECORDED) -> Races:
        """What threads of `binary`, built to be watched, do unordered in one launch.

        Raises:
            ReplayError: it crashes or hangs, or the recordings cannot be replayed here any more.
        """
        message: Wire = {
            "do": "races",
            "path": str(Path(binary.path).resolve()),
            "symbol": binary.symbol,
            "plan": plan_to_wire(plan),
            "indices": self._search or self._withheld,
        }
        return Races(**self._ask_again(message, self._timeout_s))

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def __enter__(self) -> Replayer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _judge(self, binary: Binary, plan: LaunchPlan, indices: list[int], timed: bool, cold: bool = False) -> Outcome:
        means = self._means_to_cheat_in(binary)
        if means:
            return Outcome(Verdict.REFUSED, detail=means, features=binary.features)
        replaced = self._replace()
        started = time.monotonic()
        message: Wire = {
            "do": "evaluate",
            "path": str(Path(binary.path).resolve()),
            "symbol": binary.symbol,
            "plan": plan_to_wire(plan),
            "indices": indices,
            "time": timed,
            "cold": cold,
        }
        try:
            outcome = self._outcome(self._ask_again(message, self._limit_s), indices)
        except DisturbedError as error:
            outcome = Outcome(Verdict.LAUNCH_FAILED, detail=f"{error.diagnostic.message}, {_TRIES} times")
        except KernelHungError as error:
            outcome = Outcome(Verdict.TIMED_OUT, detail=error.diagnostic.message)
        except KernelFailedError as error:
            outcome = Outcome(Verdict.LAUNCH_FAILED, detail=error.diagnostic.message)
        seconds = {"replay": time.monotonic() - started, **replaced}
        return replace(outcome, features=binary.features, seconds=seconds)

    def _replace(self) -> dict[str, float]:
        """A worker in place of one that failed, and what that took; this candidate is not to blame for it."""
        if self._worker is not None or not self.starts_s:
            return {}
        self._worker = self._start()
        return {"replace": self.starts_s[-1]}

    def _means_to_cheat_in(self, binary: Binary) -> str:
        """A kernel with new static variables could return earlier answers, one with a clock could tell when it is timed."""
        foreign = foreign_calls(Path(binary.path), Path(self._binary.path))
        if foreign:
            return f"it calls {', '.join(foreign[:3])}, which the original does not"
        own, original = lasting_bytes(Path(binary.path)), lasting_bytes(Path(self._binary.path))
        if own is None or original is None or own <= original:
            return ""
        return f"it keeps {own} bytes of variables between launches, the original {original}"

    def _outcome(self, reply: Wire, indices: list[int]) -> Outcome:
        if reply["verdict"] is not None:
            mismatch = mismatch_from_wire(reply["mismatch"])
            return Outcome(Verdict(reply["verdict"]), detail=reply["detail"], mismatch=mismatch)
        if "candidate" not in reply:
            return Outcome(Verdict.SLOWER, detail="verified, not timed")
        samples = self._samples(indices, reply["baseline"], reply["candidate"])
        candidate, baseline = compare_times(samples, self._seed)
        least_us = min(self._least_us[i] for i in indices)
        if candidate.median_us <= least_us:
            detail = f"{candidate.median_us:.3g} us is less than the {least_us:.3g} us that writing its results takes"
            return Outcome(Verdict.IMPLAUSIBLE, detail=detail)
        faster = candidate.high_us < baseline.low_us * (1 - min(self.noise, _MOST_NOISE))
        verdict = Verdict.FASTER if faster else Verdict.SLOWER
        return Outcome(verdict, candidate, baseline, "given up early" if reply["gave_up"] else "")

    def _samples(self, indices: list[int], baseline: list[list[float]], own: list[list[float]]) -> list[Samples]:
        times = zip(indices, baseline, own, strict=True)
        return [Samples(self.recordings[i].occurrences, tuple(base), tuple(mine)) for i, base, mine in times]

    def _ask_original(self, message: Wire) -> Wire:
        try:
            return self._ask_again(message, self._timeout_s)
        except (KernelHungError, KernelFailedError) as error:
            raise ReplayError(f"the original kernel {self._contract.kernel} fails in replay: {error}") from error

    def _ask_again(self, message: Wire, limit_s: float) -> Wire:
        """As `_ask`; what disturbs the worker from outside is no fault of the kernel."""
        for _ in range(_TRIES - 1):
            with contextlib.suppress(DisturbedError):
                return self._ask(message, limit_s)
        return self._ask(message, limit_s)

    def _ask(self, message: Wire, limit_s: float) -> Wire:
        if self._worker is None:
            self._worker = self._start()
        try:
            return self._worker.ask(message, limit_s)
        except ReplayError:
            self._worker = None
            raise

    def _start(self) -> WorkerProcess:
        opening: Wire = {
            "device": self.device,
            "store": str(self._store.root.resolve()),
            "recordings": [r.digest for r in self.recordings],
            "contract": contract_to_wire(self._contract),
            "baseline": {
                "path": str(Path(self._binary.path).resolve()),
                "symbol": self._binary.symbol,
                "known": self._known,
                "varied": self._varied,
            },
            "plan": self._plan.__dict__,
        }
        started = time.monotonic()
        worker = self._open(opening)
        self.starts_s.append(time.monotonic() - started)
        self._least_us, self._note = worker.opened["least_us"], worker.opened["note"]
        return worker

    def _open(self, opening: Wire) -> WorkerProcess:
        """A worker; another process where the recorded addresses are taken in the first ones."""
        limit_s = max(_START_LIMIT_S, self._timeout_s)
        for _ in range(_PLACING_TRIES - 1):
            try:
                return WorkerProcess(opening, limit_s)
            except (NotPlacedError, DisturbedError):
                continue
        return WorkerProcess(opening, limit_s)
