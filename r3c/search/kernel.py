"""One kernel from its recordings to a winner: the oracle is judged first, then the study, then the selection."""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from r3c import plugins
from r3c.build.original import CompiledUnit, build_binary, original_binary, unit_of
from r3c.build.record import RecordedApp
from r3c.build.toolchains.base import Toolchain
from r3c.build.toolchains.host import Host
from r3c.build.toolchains.nvcc import Nvcc
from r3c.build.toolchains.nvrtc import instantiation_of
from r3c.core.binary import Binary
from r3c.core.config import LlmConfig, NamesConfig
from r3c.core.errors import AppError, BuildError, ConfigError, R3CError, ReplayError
from r3c.core.events import Event, Listener
from r3c.core.recording import Recording
from r3c.core.source import Source
from r3c.core.spec import Spec
from r3c.devices.base import Device
from r3c.devices.table import Table
from r3c.proposers.base import Problem
from r3c.recording.store import RecordingStore
from r3c.replay.replayer import Replayer
from r3c.replay.timer import TimingPlan
from r3c.search.audit import RaceAudit
from r3c.search.budget import Budget, Limits
from r3c.search.evaluator import CandidateBuilder, ReplayEvaluator
from r3c.search.journal import Journal
from r3c.search.selection import Rejected, Winner, select
from r3c.search.study import Study, StudyResult
from r3c.tree.regions import KernelRegion

FINALISTS = 9  # at most, since those that turn out wrong make room for others


@dataclass(frozen=True)
class Settings:
    """How to search; `proposer`, `tuner` and `toolchain` may be `auto`."""

    seed: int
    limits: Limits
    resume: bool = False
    proposer: str = "auto"
    tuner: str = "auto"
    llm: LlmConfig = field(default_factory=LlmConfig)
    llm_replay: Path | None = None
    table: Path | None = None
    names: NamesConfig = field(default_factory=NamesConfig)
    deliver: str = "source"
    toolchain: str = "auto"


@dataclass
class KernelStudy:
    """What became of one kernel; `winner` is None where the original stays."""

    region: KernelRegion
    unit: CompiledUnit | None = None
    recordings: list[Recording] = field(default_factory=list)
    result: StudyResult | None = None
    winner: Winner | None = None
    rejected: list[Rejected] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failure: R3CError | None = None


def study(
    settings: Settings,
    device: Device,
    recorded: RecordedApp,
    store: RecordingStore,
    region: KernelRegion,
    out: Path,
    listener: Listener,
) -> KernelStudy:
    """Search for one kernel and select its winner; `failure` is set where that cannot be done, the original stays then."""
    try:
        return _study(settings, device, recorded, store, region, out, listener)
    except (AppError, ReplayError) as error:
        note = f"{region.name} stays as it is: {error}"
        listener(Event("note", {"text": note}))
        return KernelStudy(region, recordings=recorded.of_kernel(region.name), notes=[note], failure=error)


def _study(
    settings: Settings,
    device: Device,
    recorded: RecordedApp,
    store: RecordingStore,
    region: KernelRegion,
    out: Path,
    listener: Listener,
) -> KernelStudy:
    """As `study`.

    Raises:
        AppError: the kernel's source is not among what was compiled.
        ReplayError: the original does not reproduce its recording, or the recording cannot tell right from wrong.
    """
    kernel, contract = region.name, region.contract
    instantiations = recorded.instantiations(kernel)
    if not instantiations:
        return KernelStudy(region, notes=["it was not launched in the recorded run, so nothing could be tried"])
    study = KernelStudy(region, recordings=instantiations[0])
    if instantiations[1:]:
        first, *others = (instantiation_of(group[0].symbol) or group[0].symbol for group in instantiations)
        study.notes.append(f"only {first} was tuned; as they are stay {', '.join(others)}")
    unit = study.unit = unit_of(recorded.commands, kernel, settings.names, recorded.folder)
    builds = out / "builds" / kernel
    original = original_binary(unit, study.recordings[0], store, device, builds / "original")

    plan = TimingPlan(samples=1, least_samples=1, sample_us=1.0) if settings.table else None  # no clock is asked then

    def replayer(binary: Binary = original) -> Replayer:
        """A new process that has shown that the original reproduces its recordings."""
        fresh = Replayer(device.name, store, study.recordings, contract, binary, timing_plan=plan, seed=settings.seed)
        try:
            gate = fresh.gate()
            gate.require()
        except R3CError:
            fresh.close()
            raise
        study.notes = list(dict.fromkeys([*study.notes, *gate.notes]))
        return fresh

    listener(Event("stage", {"name": "search", "detail": kernel}))
    find_toolchain = _toolchains()
    problem = _problem(settings, device, unit, region, study.recordings, out)
    name = _toolchain_name(settings, device)
    yardstick = original
    if name != device.toolchain:
        try:
            yardstick = build_binary(unit, unit.source, study.recordings[0], device, builds / "draft", Spec(name))
            replayer(yardstick).close()
        except (BuildError, ReplayError) as error:
            study.notes.append(f"searched with {device.toolchain}, since {name} fails on the original: {error}")
            name, yardstick = device.toolchain, original
    builder = CandidateBuilder(
        problem, unit, study.recordings[0], find_toolchain, name, device.info().architecture, builds
    )
    with replayer(yardstick) as judge, contextlib.closing(builder):
        weaknesses = judge.self_test()
        if weaknesses:
            raise ReplayError(f"{kernel}: its recordings cannot tell right from wrong: {'; '.join(weaknesses)}")
        table = Table(settings.table) if settings.table else None
        tuner, toolchain = _tuner_name(settings, listener), find_toolchain(name)
        header = _header(settings, study, unit, tuner, f"{name} {toolchain.version()}", table)
        journal = Journal(out / "studies" / f"{kernel}.jsonl", header)
        earlier = journal.open(settings.resume)
        proposer = plugins.load("proposer", _proposer_name(settings))(problem, settings.seed)
        evaluator = ReplayEvaluator(builder, judge, table, quiet=device.toolchain == Host.name)
        study.result = Study(
            problem, evaluator, proposer, plugins.load("tuner", tuner), name,
            toolchain.dimensions(contract, settings.deliver), journal, Budget(settings.limits), settings.seed, earlier,
            listener,
        ).run()  # fmt: skip
        study.notes += getattr(proposer, "notes", []) + getattr(toolchain, "notes", [])

    listener(Event("stage", {"name": "select", "detail": kernel}))
    finalists = study.result.finalists(FINALISTS)
    audit = RaceAudit(builder)
    study.winner, study.rejected = select(finalists, builder, replayer, table is None, audit)
    study.notes += [audit.note] if audit.note else []
    return study


def _problem(
    settings: Settings,
    device: Device,
    unit: CompiledUnit,
    region: KernelRegion,
    recordings: list[Recording],
    out: Path,
) -> Problem:
    from r3c.proposers.llm import Cassette

    info = device.info()
    launches = [
        f"{r.grid} x {r.block}, {r.shared_bytes} bytes, {r.occurrences} times" for r in recordings if not r.withheld
    ]
    folder = settings.llm_replay or out / "answers"
    context: dict[str, Any] = {
        "device_name": f"{info.name} ({info.architecture})",
        "launches": launches,
        "llm": settings.llm,
        "cassette": Cassette(folder, replay_only=settings.llm_replay is not None),
    }
    # Messages end up in the journal: they name the file as the application does, not where the copy lies.
    source = Source(region.source.path, unit.source.text)
    return Problem(source, region.name, region.contract, settings.names, {}, context)


def _toolchains() -> Callable[[str], Toolchain]:
    """Toolchains by name, each made once."""
    made: dict[str, Toolchain] = {}

    def find(name: str) -> Toolchain:
        if name not in made:
            made[name] = plugins.load("toolchain", name)()
            why = made[name].unavailable()
            if why:
                raise ConfigError(f"toolchain {name} cannot be used: {why}")
        return made[name]

    return find


def _toolchain_name(settings: Settings, device: Device) -> str:
    """What builds candidates: NVRTC where nvcc would do and the header can carry what is searched, for its speed."""
    if settings.toolchain != "auto":
        return settings.toolchain
    if device.toolchain != Nvcc.name or settings.deliver == "any":
        return device.toolchain
    return device.toolchain if plugins.load("toolchain", "nvrtc")().unavailable() else "nvrtc"


def _header(
    settings: Settings, study: KernelStudy, unit: CompiledUnit, tuner: str, toolchain: str, table: Table | None
) -> dict[str, Any]:
    """What makes a study the same study: a journal of another one is not gone on with."""
    return {
        "kernel": study.region.name,
        "seed": settings.seed,
        "proposer": _proposer_name(settings),
        "tuner": tuner,
        "toolchain": toolchain,
        "table": table.digest if table is not None else "",
        "deliver": settings.deliver,
        "source": unit.source.digest,
        "recordings": [recording.content_digest for recording in study.recordings],
    }


def _proposer_name(settings: Settings) -> str:
    if settings.proposer != "auto":
        return settings.proposer
    return "llm" if settings.llm.base_url or settings.llm_replay else "genetic"


def _tuner_name(settings: Settings, listener: Listener) -> str:
    if settings.tuner != "auto":
        return settings.tuner
    if importlib.util.find_spec("gpytorch") is not None:
        return "bayes"
    text = "gpytorch is not installed, so numbers are chosen at random: pip install 'r3c[surrogate]'"
    listener(Event("note", {"text": text}))
    return "random"
