"""Records an application: builds and runs a copy of it with the device's recorder inside, and keeps its launches."""

from __future__ import annotations

import json
import shutil
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from r3c import plugins
from r3c.build.app import OUTPUT, AppRun, build_app, copy_app, load_app, run_app
from r3c.build.original import source_files
from r3c.core.compile import CompileCommand, compile_command_from_json
from r3c.core.config import NamesConfig
from r3c.core.errors import AppError, ConfigError, RecordError, UserError
from r3c.core.events import Event, Listener, ignore
from r3c.core.recording import Recording
from r3c.core.source import Source
from r3c.devices.base import Device
from r3c.recording.capture import LaunchCount, ingest, read_counts
from r3c.recording.store import RecordingStore
from r3c.tree.parse import parse

STORE = "recordings"
_NOTE = "run"
_TAIL_LINES = 15
_NO_NAMES = NamesConfig()


@dataclass(frozen=True)
class RecordOptions:
    """Which launches to record: of `kernels` (names or shell patterns, all where empty), after `skip` of each,
    `max_instances` of each, `withhold` of them kept back from the search; `whole_heap` keeps all memory, not only what
    the arguments reach. The memory of all of them together is `max_bytes` at most, and a quarter of it where a kernel has
    more than one.
    """

    kernels: tuple[str, ...] = ()
    skip: int = 0
    max_instances: int = 4
    withhold: int = 1
    whole_heap: bool = False
    max_bytes: int = 8 << 30

    def environment(self, capture: Path) -> dict[str, str]:
        return {
            "R3C_CAPTURE": str(capture),
            "R3C_CAPTURE_KERNELS": ",".join(self.kernels) or "*",
            "R3C_CAPTURE_SKIP": str(self.skip),
            "R3C_CAPTURE_MAX": str(self.max_instances),
            "R3C_CAPTURE_WHOLE": str(int(self.whole_heap)),
            "R3C_CAPTURE_BYTES": str(self.max_bytes),
        }


@dataclass(frozen=True)
class RecordedApp:
    """An application that was built and run once under the recorder.

    Attributes:
        device: name of the device plug-in.
        folder: the built copy.
        commands: how each of its files was compiled, in the copy.
        counts: launches by kernel and kind, the most time first.
        recordings: what was kept.
        left_out: launches that could not be kept, with the reason.
        stdout: what the application printed.
        build_s, run_s: what building and the recorded run took.
        names: what its `r3c.toml` tells the parser.
        max_bytes: the most memory that all recordings together might have.
    """

    device: str
    folder: Path
    commands: tuple[CompileCommand, ...]
    counts: tuple[LaunchCount, ...]
    recordings: tuple[Recording, ...]
    left_out: tuple[str, ...] = ()
    stdout: str = ""
    build_s: float = 0.0
    run_s: float = 0.0
    names: NamesConfig = _NO_NAMES
    max_bytes: int = 0

    def of_kernel(self, kernel: str) -> list[Recording]:
        return [recording for recording in self.recordings if recording.kernel == kernel]

    def instantiations(self, kernel: str) -> list[list[Recording]]:
        """Its recordings, those of each symbol together: a template has several, and each is a kernel of its own.

        The one with the most device time comes first.
        """
        by_symbol: dict[str, list[Recording]] = {}
        for recording in self.of_kernel(kernel):
            by_symbol.setdefault(recording.symbol, []).append(recording)
        total_us: dict[str, float] = defaultdict(float)
        for row in self.counts:
            total_us[row.symbol] += row.total_us
        return sorted(by_symbol.values(), key=lambda recordings: -total_us[recordings[0].symbol])


def record_app(
    root: Path, device: str, out: Path, options: RecordOptions | None = None, listener: Listener = ignore
) -> RecordedApp:
    """Builds and runs a copy of the application at `root`; its recordings go to the store `out/recordings`.

    Raises:
        AppError: the application does not build or run.
        RecordError: nothing was recorded.
        ConfigError: the device cannot be used here, or `out` or an option is not one that can be used.
    """
    options = options or RecordOptions()
    _check(root, out, options)
    plugin: Device = plugins.load("device", device)()
    reason = plugin.unavailable()
    if reason:
        raise ConfigError(f"device {device} cannot be used: {reason}")
    app = load_app(root)
    out.mkdir(parents=True, exist_ok=True)
    capture = (out / "capture").resolve()
    shutil.rmtree(capture, ignore_errors=True)
    folder = copy_app(app, out / "app")
    if app.build:
        listener(Event("stage", {"name": "build", "detail": app.build}))
    started = time.monotonic()
    commands = build_app(folder, app, plugin, out / "logs")
    build_s = time.monotonic() - started
    listener(Event("stage", {"name": "record", "detail": app.run}))
    run = run_app(folder, app, {**plugin.recorder_environment(), **options.environment(capture)})
    ran = RecordedApp(
        device, folder, tuple(commands), (), (), (), run.stdout, build_s, run.seconds, app.config.names,
        options.max_bytes,
    )  # fmt: skip
    recorded = _keep(ran, plugin, capture, RecordingStore(out / STORE), options, run)
    shutil.rmtree(capture, ignore_errors=True)
    return recorded


def _check(root: Path, out: Path, options: RecordOptions) -> None:
    inside = out.resolve().relative_to(root.resolve()).parts if out.resolve().is_relative_to(root.resolve()) else None
    if inside is not None and inside[:1] != (OUTPUT,):
        raise ConfigError(f"{out} lies inside the application", hint=f"use a folder under {root / OUTPUT} or elsewhere")
    if options.max_instances < 1 or options.skip < 0 or options.max_bytes < 1:
        raise ConfigError("record at least 1 launch of a kernel and 1 byte, and skip 0 launches or more")


def _keep(
    ran: RecordedApp, plugin: Device, capture: Path, store: RecordingStore, options: RecordOptions, run: AppRun
) -> RecordedApp:
    """What the run left in `capture`, stored; an application that failed after its launches is noted, not an error."""
    left_out: list[str] = []
    failure = _failure(run)
    counts = tuple(read_counts(capture))
    try:
        recordings = ingest(
            capture,
            store,
            plugin.info().name,
            parameter_names(ran.commands, ran.names, ran.folder),
            options.withhold,
            ran.device,
            left_out.append,
        )
    except RecordError:
        if failure:
            raise AppError(failure) from None
        raise
    notes = (*left_out, *([failure] if failure else []))
    recorded = replace(ran, counts=counts, recordings=tuple(recordings), left_out=notes)
    store.put_note(_NOTE, _to_json(recorded))
    return recorded


def _failure(run: AppRun) -> str:
    if run.exit_code == 0:
        return ""
    tail = "\n".join((run.stderr or run.stdout).strip().splitlines()[-_TAIL_LINES:])
    return f"the application ended with exit code {run.exit_code}:\n{tail}"


def load_record(out: Path) -> tuple[RecordedApp, RecordingStore]:
    """What `record_app` left under `out`, which may be the store itself, and the store.

    Raises:
        UserError: there is no recording of an application.
    """
    for root in (out / STORE, out):
        store = RecordingStore(root)
        text = store.get_note(_NOTE)
        if text is not None:
            return _from_json(text, store), store
    raise UserError(f"{out}: no recorded application is here", hint="python -m r3c record APP --out DIR makes one")


def parameter_names(
    commands: Sequence[CompileCommand], names: NamesConfig = _NO_NAMES, root: Path | None = None
) -> dict[str, list[str]]:
    """Names of the parameters of each kernel in the compiled files and the headers under `root` that they include."""
    found: dict[str, list[str]] = {}
    for path, _, _ in source_files(commands, root):
        for kernel in parse(Source.read(path), names).kernels:
            found.setdefault(kernel.name, [param.name for param in kernel.params])
    return found


def _to_json(recorded: RecordedApp) -> str:
    raw = {
        "device": recorded.device,
        "folder": str(recorded.folder.resolve()),
        "commands": [json.loads(command.to_json()) for command in recorded.commands],
        "counts": [asdict(row) for row in recorded.counts],
        "recordings": [recording.digest for recording in recorded.recordings],
        "left_out": recorded.left_out,
        "stdout": recorded.stdout,
        "build_s": recorded.build_s,
        "run_s": recorded.run_s,
        "names": asdict(recorded.names),
        "max_bytes": recorded.max_bytes,
    }
    return json.dumps(raw, sort_keys=True, indent=1)


def _from_json(text: str, store: RecordingStore) -> RecordedApp:
    raw: dict[str, Any] = json.loads(text)
    rows = [LaunchCount(**{**row, "grid": tuple(row["grid"]), "block": tuple(row["block"])}) for row in raw["counts"]]
    return RecordedApp(
        raw["device"],
        Path(raw["folder"]),
        tuple(compile_command_from_json(json.dumps(command)) for command in raw["commands"]),
        tuple(rows),
        tuple(store.get(digest) for digest in raw["recordings"]),
        tuple(raw["left_out"]),
        raw["stdout"],
        raw["build_s"],
        raw["run_s"],
        NamesConfig(**{name: tuple(words) for name, words in raw["names"].items()}),
        raw["max_bytes"],
    )
