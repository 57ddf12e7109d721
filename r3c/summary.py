"""What one stage left as values for the next: winners for delivery, everything for the report."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Iterator, Sequence

from r3c import plugins
from r3c.build.app import App
from r3c.build.record import RecordedApp
from r3c.core.candidate import parse_candidate
from r3c.devices.base import Device, DeviceInfo
from r3c.emit.deliver import Delivered, Won
from r3c.emit.delivery import delivery
from r3c.emit.lineage import diff_of, lineage
from r3c.emit.report import AppReport, KernelReport, RecordingRow, ReportData, TimeSplit, TrialRow
from r3c.emit.tryout import AppCheck
from r3c.search.journal import Trial
from r3c.search.kernel import KernelStudy


def winners_of(studies: Sequence[KernelStudy]) -> list[Won]:
    """The kernels that have a winner."""
    return [
        Won(
            s.region,
            s.unit,
            s.recordings,
            parse_candidate(s.winner.trial.candidate),
            s.winner.rewritten,
            s.winner.outcome,
        )
        for s in studies
        if s.winner is not None and s.unit is not None
    ]


def report(
    app: App,
    device: Device,
    recorded: RecordedApp,
    studies: Sequence[KernelStudy],
    delivered: Delivered,
    seed: int,
    total_s: float,
) -> ReportData:
    """The report's values."""
    info = device.info()
    check = delivered.check
    trials = [trial for study in studies if study.result for trial in study.result.trials]
    build_s = sum(t.outcome.seconds.get("build", 0.0) for t in trials)
    replay_s = sum(t.outcome.seconds.get("replay", 0.0) for t in trials)
    record_s = recorded.build_s + recorded.run_s
    replaced_s = [t.outcome.seconds["replace"] for t in trials if "replace" in t.outcome.seconds]
    search_s = max(0.0, sum(t.seconds for t in trials) - build_s - replay_s - sum(replaced_s))
    return ReportData(
        application=app.root.resolve().name,
        device=info.name,
        device_kind=info.kind,
        seed=seed,
        kernels=[_kernel(study, delivered, recorded) for study in studies],
        app=_app(check) if check else None,
        time=TimeSplit(record_s, build_s, replay_s, 0.0, search_s, total_s, tuple(replaced_s)),
        not_verified=list(_not_verified(info.kind, studies, delivered)),
        patch=str(delivered.patch) if delivered.patch else "",
        environment=list(_environment(info, device, studies)),
        refused=delivered.refused,
        date=datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat(),
    )


def _app(check: AppCheck) -> AppReport:
    return AppReport(
        check.baseline_s, check.tuned_s, check.output_equal, check.difference, check.baseline_runs_s, check.tuned_runs_s
    )


def _environment(info: DeviceInfo, device: Device, studies: Sequence[KernelStudy]) -> Iterator[tuple[str, str]]:
    """What the numbers depend on, by name."""
    yield "device", ", ".join(word for word in (info.name, info.architecture) if word)
    yield from sorted(info.details.items())
    toolchain = plugins.load("toolchain", device.toolchain)()
    yield "toolchain", toolchain.version() if not toolchain.unavailable() else device.toolchain
    for study in studies:
        if study.unit is not None:
            yield f"build of {study.region.name}", " ".join(study.unit.command.arguments)
    yield "host", f"{platform.system()} {platform.release()}, {platform.machine()}, Python {platform.python_version()}"


def _kernel(study: KernelStudy, delivered: Delivered, recorded: RecordedApp) -> KernelReport:
    name, result = study.region.name, study.result
    baseline = result.baseline.median_us if result and result.baseline else 0.0
    out = KernelReport(name, baseline, baseline, notes=list(study.notes))
    out.recordings = _recordings(study)
    out.source_path = study.region.source.path
    out.launches_count = sum(row.count for row in recorded.counts if row.kernel == name)
    out.device_us = sum(row.total_us for row in recorded.counts if row.kernel == name)
    out.recorded = [
        RecordingRow(r.grid, r.block, r.shared_bytes, r.occurrences, r.heap_bytes, r.withheld, r.digest)
        for r in study.recordings
    ]
    if result is None:
        return out
    out.verdicts, out.stopped = result.verdicts, result.stopped
    out.trials = [_row(trial) for trial in result.trials]
    out.rejected = [(r.trial.candidate, f"{r.outcome.verdict.value}: {r.outcome.detail}") for r in study.rejected]
    winner = study.winner
    if winner is None or name not in delivered.headers or winner.outcome.timing is None:
        return out
    out.best_us = winner.outcome.timing.median_us
    out.speedup, out.speedup_low = winner.outcome.speedup or 1.0, winner.outcome.speedup_low or 1.0
    out.baseline_us = winner.outcome.baseline.median_us if winner.outcome.baseline else baseline
    out.candidate, out.header = winner.trial.candidate, str(delivered.headers[name])
    candidate = parse_candidate(winner.trial.candidate)
    out.baseline, out.tuned = winner.outcome.baseline, winner.outcome.timing
    if winner.cold is not None:
        out.baseline_cold, out.tuned_cold = winner.cold.baseline, winner.cold.timing
    out.steps = list(winner.rewritten.trail)
    out.lineage = lineage(study.region.source, name, candidate, winner.rewritten)
    out.diff = diff_of(study.region.source, winner.rewritten.source)
    out.flags = list(delivery(candidate.toolchain, winner.rewritten.source.text).flags)
    return out


def _row(trial: Trial) -> TrialRow:
    outcome = trial.outcome
    us = outcome.timing.median_us if outcome.timing else None
    return TrialRow(trial.number, trial.candidate, outcome.verdict.value, us, outcome.speedup, outcome.detail)


def _recordings(study: KernelStudy) -> str:
    kept = len(study.recordings)
    withheld = sum(recording.withheld for recording in study.recordings)
    if not kept:
        return "never launched in the recorded run"
    return f"verified on {kept} recorded launches, {withheld} of which the search never saw"


def _not_verified(kind: str, studies: Sequence[KernelStudy], delivered: Delivered) -> Iterator[str]:
    if kind == "cpu":
        yield "any GPU: this ran on the CPU device, whose times and compiler are not a GPU's"
    else:
        yield "other GPUs and drivers than the one named above: there the original kernel is launched"
    yield "launches of other shapes than the recorded ones: there the original kernel is launched"
    for study in studies:
        if study.recordings and not any(recording.withheld for recording in study.recordings):
            yield f"{study.region.name} on a launch the search never saw: only one kind of launch was recorded"
    if delivered.refused:
        yield f"that the tuned kernels help: {delivered.refused}, so no header is offered"
    elif delivered.check is None:
        yield "the application with tuned kernels: nothing was delivered, so it was not built"
    yield from delivered.notes
