"""Headers and the patch written, the patched application built and run beside the original."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from r3c import __version__
from r3c.build.app import App, build_app, copy_app, run_app
from r3c.build.original import CompiledUnit
from r3c.build.output import first_file_difference
from r3c.build.record import RecordedApp
from r3c.build.toolchains.nvrtc import instantiation_of
from r3c.core.candidate import Candidate
from r3c.core.errors import AppError, EmitError
from r3c.core.events import Event, Listener
from r3c.core.recording import Recording
from r3c.core.result import Outcome
from r3c.core.source import Source
from r3c.devices.base import Device, DeviceInfo
from r3c.emit.header import Header, Provenance, Variant, make_header
from r3c.emit.patch import Change, file_of, use_headers
from r3c.emit.signature import signatures_of
from r3c.emit.tryout import RUNS, AppCheck, refusal, run_in_turn
from r3c.rewrites.base import Rewritten, rewrite_class
from r3c.tree.regions import KernelRegion

PATCH = "r3c.patch"


@dataclass
class Delivered:
    """What lies under the output folder now; `headers` by kernel, `notes` on what could not be delivered.

    `refused` says why nothing is offered though there were winners; empty where something is, or where there were none.
    """

    headers: dict[str, Path] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    patch: Path | None = None
    check: AppCheck | None = None
    notes: list[str] = field(default_factory=list)
    refused: str = ""


@dataclass(frozen=True)
class Won:
    """A kernel with a winner: where it is, its recordings (all of one instantiation where it is a template), what the
    winner is, and how it did on its worst occasion.
    """

    region: KernelRegion
    unit: CompiledUnit
    recordings: list[Recording]
    candidate: Candidate
    rewritten: Rewritten
    outcome: Outcome


def deliver(
    app: App,
    device: Device,
    recorded: RecordedApp,
    winners: Sequence[Won],
    out: Path,
    listener: Listener,
    trust_times: bool = True,
) -> Delivered:
    """Write headers and patch for `winners`, then try them in a patched copy of the application.

    Where the patched application does not build, fails, prints something else or is slower, nothing is offered: what was
    written is taken away again. `trust_times` is False where times of kernels come from a table.
    """
    delivered = Delivered()
    _take_away(out)
    headers: dict[Path, list[Header]] = {}
    for won in winners:
        try:
            variant = _variant(device.info(), won)
            header = make_header(won.unit.source, won.region.name, [variant], app.config.names)
        except EmitError as error:
            delivered.notes.append(str(error))
            continue
        path = Path(won.unit.source.path).relative_to(recorded.folder.resolve())
        headers.setdefault(path, []).append(header)
    changes = _changes(app, headers, delivered)
    if not changes:
        return delivered
    _write(changes, headers, out, delivered)
    delivered.check = _try_out(app, device, recorded, changes, out, delivered, listener)
    delivered.refused = refusal(delivered.check, trust_times)
    if delivered.refused:
        delivered.headers, delivered.patch = {}, None
        _take_away(out)
    return delivered


def _variant(info: DeviceInfo, won: Won) -> Variant:
    candidate, recordings = won.candidate, won.recordings
    timing, baseline = won.outcome.timing, won.outcome.baseline
    assert timing is not None
    assert baseline is not None
    provenance = Provenance(
        version=__version__,
        date=datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat(),
        device=info.name,
        driver=info.details.get("driver", ""),
        toolchain=candidate.toolchain.name if candidate.toolchain else "",
        flags=",".join(f"{k}={v}" for k, v in candidate.toolchain.values) if candidate.toolchain else "",
        recordings=tuple(r.digest for r in recordings),
        baseline=baseline,
        tuned=timing,
        speedup=won.outcome.speedup or 1.0,
        speedup_low=won.outcome.speedup_low or 1.0,
    )
    proven = all(rewrite_class(step.name).proven for step in candidate.steps)
    architecture = "cpu" if info.kind == "cpu" else info.architecture
    return Variant(
        candidate,
        won.rewritten,
        architecture,
        signatures_of(recordings, won.region.contract, proven),
        provenance,
        instantiation=instantiation_of(recordings[0].symbol),
    )


def _changes(app: App, headers: dict[Path, list[Header]], delivered: Delivered) -> list[Change]:
    paths = {*map(Path, app.sources), *headers}
    files = {PurePosixPath(*p.parts): Source(str(p), Source.read(app.root / p).text) for p in sorted(paths)}
    homes = {PurePosixPath(*path.parts): several for path, several in headers.items()}
    patched = use_headers(files, homes, app.config.names)
    delivered.notes += patched.left
    delivered.texts = {header.kernel: header.text for header in patched.used}
    return list(patched.changes)


def _write(changes: Sequence[Change], headers: dict[Path, list[Header]], out: Path, delivered: Delivered) -> None:
    folder = out / "headers"
    folder.mkdir(parents=True, exist_ok=True)
    for several in headers.values():
        for header in several:
            if header.kernel in delivered.texts:
                delivered.headers[header.kernel] = folder / header.file_name
                _replace(folder / header.file_name, header.data)
    delivered.patch = out / PATCH
    _replace(delivered.patch, file_of(changes).encode("latin-1"))


def _take_away(out: Path) -> None:
    """Headers and patch, of an earlier study too: what lies there is what is offered."""
    (out / PATCH).unlink(missing_ok=True)
    for header in (out / "headers").glob("*"):
        header.unlink()


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.part")
    beside.write_bytes(data)
    beside.replace(path)


def _try_out(
    app: App,
    device: Device,
    recorded: RecordedApp,
    changes: Sequence[Change],
    out: Path,
    delivered: Delivered,
    listener: Listener,
) -> AppCheck | None:
    """The patched application against the recorded copy of the original, in turn; None where it does not build."""
    listener(Event("stage", {"name": "app", "detail": f"{RUNS} runs with and without the tuned kernels"}))
    folder = copy_app(app, out / "patched")
    for change in changes:
        target = folder / change.path
        target.write_bytes(change.after.data)
    try:
        build_app(folder, app, device, out / "patched-logs")
        check = run_in_turn(
            lambda: run_app(recorded.folder, app),
            lambda: run_app(folder, app),
            lambda: first_file_difference(recorded.folder, folder, app.config.compare),
            app.config.compare,
        )
    except AppError as error:
        delivered.notes.append(f"the patched application: {error}")
        return None
    listener(
        Event("app", {"baseline_s": check.baseline_s, "tuned_s": check.tuned_s, "output_equal": check.output_equal})
    )
    return check
