"""Records a small program of this folder on the GPU, and replays what was kept."""

from __future__ import annotations

import shutil
from pathlib import Path

from r3c.build.original import original_binary
from r3c.build.record import STORE, RecordedApp, RecordOptions, record_app
from r3c.core.contract import Contract
from r3c.core.recording import Recording
from r3c.devices.cuda import Cuda
from r3c.recording.store import RecordingStore
from r3c.replay.repeat import Repetition
from r3c.replay.replayer import GateReport, Replayer


def record(source: Path, folder: Path, flags: str = "", options: RecordOptions | None = None) -> RecordedApp:
    """Builds and runs `source` by itself in `folder / app`; recordings go to `folder / record`."""
    app = folder / "app"
    app.mkdir()
    shutil.copy(source, app)
    build = f"nvcc -arch=native -o program {source.name} {flags}"
    (app / "r3c.toml").write_text(f'[app]\nbuild = "{build}"\nrun = "./program"\ntimeout_s = 60.0\n')
    return record_app(app, "cuda", folder / "record", options)


def opened(recordings: list[Recording], folder: Path) -> Replayer:
    store = RecordingStore(folder / "record" / STORE)
    original = original_binary(None, recordings[0], store, Cuda(), folder / "original")
    return Replayer("cuda", store, recordings, Contract(recordings[0].kernel), original)


def replay(recordings: list[Recording], folder: Path, times: int = 3) -> list[Repetition]:
    with opened(recordings, folder) as replayer:
        return replayer.repeat(times)


def gate(recordings: list[Recording], folder: Path) -> GateReport:
    with opened(recordings, folder) as replayer:
        return replayer.gate()
