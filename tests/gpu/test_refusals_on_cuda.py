"""What cannot be recorded is refused, each with its own reason, and the application runs on as if nothing were."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from r3c.build.app import load_app, run_app
from r3c.build.original import original_binary, unit_of
from r3c.build.record import STORE, RecordedApp, record_app
from r3c.core.contract import Contract
from r3c.core.errors import RecordError, ReplayError
from r3c.devices.cuda import Cuda
from r3c.recording.store import RecordingStore
from r3c.replay.replayer import Replayer

pytestmark = [pytest.mark.gpu, pytest.mark.nvcc]

PROGRAMS = Path(__file__).with_name("refusals")
REASONS = {
    "texture": "k: it takes a texture or surface object",
    "surface": "k: it takes a texture or surface object",
    "graph": "run the application with its graphs off",
    "heap": "k: it allocates from the in-kernel heap",
    "nested": "k: it launches kernels itself",
    "virtual": "k: it calls functions through pointers or virtual functions",
    "pointer_to_global": "holds a pointer to the global counter",
    "several_devices": "one launch on several devices cannot be recorded",
    "profiler": "CUPTI is taken by another tool of this process",
}
FLAGS = {"nested": "-rdc=true -lcudadevrt", "several_devices": "-ldl", "profiler": "-ldl"}


def record(name: str, folder: Path) -> RecordedApp:
    app = folder / "app"
    app.mkdir()
    shutil.copy(PROGRAMS / f"{name}.cu", app)
    build = f"nvcc -arch=native -o program {name}.cu {FLAGS.get(name, '')}"
    (app / "r3c.toml").write_text(f'[app]\nbuild = "{build}"\nrun = "./program"\ntimeout_s = 60.0\n')
    return record_app(app, "cuda", folder / "record")


@pytest.mark.parametrize("name", REASONS)
def test_each_is_refused_with_its_reason(name: str, tmp_path: Path) -> None:
    try:
        said = "\n".join(record(name, tmp_path).left_out)
    except RecordError as error:
        said = str(error)
    built = tmp_path / "record" / "app"
    code = run_app(built, load_app(built), {"R3C_CUPTI": Cuda().recorder_environment()["R3C_CUPTI"]}).exit_code
    if code == 77:
        pytest.skip("this driver or CUPTI has no such function")
    assert code == 0
    assert REASONS[name] in said


def test_managed_memory_is_replayed_or_refused_by_name(tmp_path: Path) -> None:
    recorded = record("managed", tmp_path)
    assert recorded.recordings[0].allocations[0].kind == "managed"
    store, unit = RecordingStore(tmp_path / "record" / STORE), unit_of(recorded.commands, "k")
    original = original_binary(unit, recorded.recordings[0], store, Cuda(), tmp_path / "original")
    with Replayer("cuda", store, recorded.recordings, Contract("k"), original) as replayer:
        try:
            found = [one.equal for one in replayer.repeat(3)]
        except ReplayError as error:
            found = [str(error)]
    assert found == [3] or "managed" in str(found)
