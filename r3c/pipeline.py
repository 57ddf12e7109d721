"""The product, from top to bottom: an application goes in; tuned headers, a patch and a report come out.

    app -> source tree -> recording -> candidates -> builds -> replays -> selection -> headers + patch + report -> app

`optimize` is that line, a paragraph a stage. What a stage does is in the package it calls.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from r3c import plugins
from r3c.build.app import OUTPUT, App, load_app
from r3c.build.record import RecordedApp, RecordOptions, load_record, record_app
from r3c.core.errors import ConfigError, R3CError, UserError
from r3c.core.events import Event, Listener, ignore
from r3c.core.source import Source
from r3c.devices._choice import choose_device
from r3c.devices.base import Device
from r3c.emit.deliver import deliver
from r3c.emit.report import ReportData, write_report
from r3c.recording.store import RecordingStore
from r3c.search.budget import Limits
from r3c.search.kernel import Settings, study
from r3c.summary import report, winners_of
from r3c.tree.parse import parse
from r3c.tree.regions import KernelRegion, regions


@dataclass(frozen=True)
class Request:
    """What the user asks for; `seed` fixes every random choice, `resume` goes on with the studies under `out`."""

    app: Path
    device: str = "auto"
    kernels: tuple[str, ...] = ()
    seed: int = 1
    limits: Limits = field(default_factory=lambda: Limits(trials=100))
    out: Path | None = None
    resume: bool = False
    proposer: str = "auto"
    tuner: str = "auto"
    llm_replay: Path | None = None
    table: Path | None = None
    deliver: str = "source"
    toolchain: str = "auto"


def optimize(request: Request, listener: Listener = ignore) -> ReportData:
    """Everything; the report's `exit_code` is 0 where something verified is faster, 3 where nothing is, 4 where
    the application does not gain from what is.

    Raises:
        UserError: something the user can mend.
        R3CError: a fault of ours, or of the machine.
    """
    started = time.monotonic()
    # Load the application: how it is built and run, its CUDA files.
    app = load_app(request.app)
    out = (request.out or request.app / OUTPUT).absolute()
    device: Device = plugins.load("device", choose_device(request.device))()
    listener(Event("stage", {"name": "load", "detail": f"{app.root} on {device.info().name}"}))

    # Parse its files; which kernels are annotated?
    wanted = find_kernels(app, request.kernels)
    listener(Event("stage", {"name": "parse", "detail": ", ".join(region.name for region in wanted)}))

    # Record one real run of it: launches, memory before and after, how each file was compiled.
    recorded, store = record(request, app, device, wanted, out, listener)

    # Remix, build and replay: one study for each kernel, then the best of it against what it has not seen.
    settings = Settings(
        request.seed, request.limits, request.resume, request.proposer, request.tuner, app.config.llm, request.llm_replay,
        request.table, app.config.names, request.deliver, request.toolchain,
    )  # fmt: skip
    studies = [study(settings, device, recorded, store, region, out, listener) for region in wanted]
    failed = [found.failure for found in studies if found.failure is not None]
    if len(failed) == len(studies):
        raise failed[0]

    # Emit: a header for each winner, the patch that uses them; then the application itself, with and without.
    listener(Event("stage", {"name": "emit", "detail": str(out)}))
    delivered = deliver(app, device, recorded, winners_of(studies), out, listener, request.table is None)

    # Report what was gained, and what was not verified.
    data = report(app, device, recorded, studies, delivered, request.seed, time.monotonic() - started)
    if request.table is not None:
        data.not_verified.insert(0, f"any time: the times come from {request.table}, not from a clock")
    page = write_report(data, out)
    listener(Event("done", {"exit_code": data.exit_code, "report": str(page), "refused": data.refused}))
    return data


def find_kernels(app: App, names: tuple[str, ...]) -> list[KernelRegion]:
    """The annotated kernels of the application, or those of `names`."""
    found: list[KernelRegion] = []
    for path in app.sources:
        text = Source.read(app.root / path).text
        found += regions(parse(Source(str(path), text), app.config.names))
    missing = sorted(set(names) - {region.name for region in found})
    if missing:
        there = ", ".join(region.name for region in found) or "none"
        raise ConfigError(f"no annotated kernel is called {missing[0]}", hint=f"annotated kernels: {there}")
    if not found:
        hint = "write `// r3c: kernel(rtol=1e-5)` on the line before a __global__ function"
        raise UserError(f"{app.root}: no kernel is annotated", hint=hint)
    return [region for region in found if not names or region.name in names]


def record(
    request: Request, app: App, device: Device, wanted: list[KernelRegion], out: Path, listener: Listener
) -> tuple[RecordedApp, RecordingStore]:
    """The recorded run; with `resume` the one that is there."""
    if request.resume:
        try:
            return load_record(out / "record")
        except R3CError:
            listener(Event("note", {"text": "nothing to resume from: recording again"}))
    options = RecordOptions(kernels=tuple(region.name for region in wanted))
    recorded = record_app(app.root, device.name, out / "record", options, listener)
    return recorded, RecordingStore(out / "record" / "recordings")
