"""The two commands on the device made of Python; the application is a source file and a run that writes its capture."""

from __future__ import annotations

import argparse
import json
import shutil
import types
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from r3c.cli import record, replay
from r3c.core.compile import CompileCommand
from r3c.core.config import Config
from r3c.core.errors import AppError, R3CError, RecordError, UserError
from r3c.testing.fake_device import NAME

SOURCE = "__global__ void twice(const float *x, float *y, int n) { y[0] = 2 * x[0]; }\n"
MODULE = """
def twice(k):
    n = k.scalar(16)
    k.pointer(8, n)[:] = 2 * k.pointer(0, n)
"""
X, Y, COUNT = 1 << 20, 1 << 24, 64


@dataclass
class Run:
    stdout: str = "sum 1\n"
    stderr: str = ""
    seconds: float = 0.5
    exit_code: int = 0


class Application(types.SimpleNamespace):
    """Stands in for r3c.build.app: what the run leaves is made by `write_capture`."""

    def __init__(self) -> None:
        super().__init__(ran=Run(), launches=3)

    def load_app(self, root):
        return types.SimpleNamespace(root=root, build="make", run="./app", config=Config())

    def copy_app(self, app, target):
        shutil.copytree(app.root, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("r3c-out"))
        return target

    def build_app(self, folder, app, device, log_dir):
        return [CompileCommand(str(folder / "app.cu"))]

    def run_app(self, folder, app, env):
        assert env["R3C_CAPTURE_MAX"] == "4"
        write_capture(Path(env["R3C_CAPTURE"]), self.launches)
        return self.ran


def write_capture(folder: Path, launches: int) -> None:
    (folder / "modules").mkdir(parents=True)
    (folder / "pieces").mkdir()
    (folder / "modules" / "m.cubin").write_text(MODULE)
    counts = {
        "kernel": "twice",
        "symbol": "twice",
        "grid": [2, 1, 1],
        "block": [32, 1, 1],
        "shared_bytes": 0,
        "key": "1",
    }
    (folder / "counts.json").write_text(json.dumps([{**counts, "count": 10 * launches, "total_us": 5000.0}]))
    for number in range(1, launches + 1):
        here = folder / f"{number:06d}"
        here.mkdir()
        packed = X.to_bytes(8, "little") + Y.to_bytes(8, "little") + COUNT.to_bytes(4, "little")
        x, y = np.random.default_rng(number).random(COUNT).astype("f4"), np.zeros(COUNT, "f4")
        launch = {
            **counts,
            "arguments": [{"offset": 0, "size": 8}, {"offset": 8, "size": 8}, {"offset": 16, "size": 4}],
            "packed": packed.hex(),
            "attributes": {},
            "allocations": [
                {"address": a, "size": 4 * COUNT, "kind": "device", "before": [f"pieces/{number}-{a:x}"]}
                for a in (X, Y)
            ],
            "globals": [],
            "module": "modules/m.cubin",
        }
        (here / "launch.json").write_text(json.dumps(launch))
        for address, values in ((X, x), (Y, y)):
            (folder / "pieces" / f"{number}-{address:x}").write_bytes(values.tobytes())
        (here / "after.bin").write_bytes((2 * x).tobytes())
        (here / "after.json").write_text(json.dumps([{"of": f"{Y:x}", "offset": 0, "size": 4 * COUNT, "at": 0}]))
        (here / "done").write_text("100.0")


@pytest.fixture
def application(monkeypatch: pytest.MonkeyPatch) -> Application:
    made = Application()
    for name in ("load_app", "copy_app", "build_app", "run_app"):
        monkeypatch.setattr(f"r3c.build.record.{name}", getattr(made, name))
    return made


@pytest.fixture
def app(tmp_path: Path) -> Path:
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "app.cu").write_text(SOURCE)
    return folder


def command(module: types.ModuleType, *words: object) -> int:
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    code: int = module.run(parser.parse_args([str(word) for word in words]))
    return code


def test_record_ranks_kernels_and_replay_finds_every_byte_equal(application, app, capsys):
    assert command(record, app, "--device", NAME) == 0
    shown = capsys.readouterr()
    assert shown.err.splitlines() == ["build: make", "record: ./app"]
    assert "twice          30       5.000  100.0%     0.1667  2 + 1 withheld, 0.0 MiB" in shown.out
    assert command(replay, app / "r3c-out" / "record") == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("twice: 3 recordings, every byte equal\n  original   0.1")


def test_replay_compares_every_byte_as_often_as_asked(application, app, tmp_path, capsys):
    command(record, app, "--device", NAME, "--out", tmp_path / "kept")
    capsys.readouterr()
    assert command(replay, tmp_path / "kept", "--times", 5) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("twice 1 of 3, (2, 1, 1) x (32, 1, 1): 5 of 5 replays equal in every byte, 0.0 MiB")
    assert lines[-1].startswith("twice: 15 of 15 replays equal in every byte, ")
    assert command(replay, tmp_path / "kept", "--times", 2, "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["kernel"], row["equal"]) for row in rows] == [("twice", 2)] * 3
    with pytest.raises(UserError, match="at least once"):
        command(replay, tmp_path / "kept", "--times", 0)


def test_replay_needs_no_source(application, app, tmp_path, capsys):
    command(record, app, "--device", NAME, "--out", tmp_path / "kept")
    (tmp_path / "kept" / "app" / "app.cu").write_text("int main() {}")
    capsys.readouterr()
    assert command(replay, tmp_path / "kept", "--times", 1) == 0
    shown = capsys.readouterr().err
    assert shown.startswith("twice: no compiled file holds kernel twice; compiled were: app.cu; every byte is compared")


def test_recordings_can_be_named_by_their_store(application, app, tmp_path):
    command(record, app, "--device", NAME, "--out", tmp_path / "kept")
    assert command(replay, tmp_path / "kept" / "recordings") == 0


def test_parameter_names_come_from_the_source(application, app, tmp_path):
    from r3c.build.record import load_record

    command(record, app, "--device", NAME, "--out", tmp_path / "kept")
    recorded, _ = load_record(tmp_path / "kept")
    assert [argument.name for argument in recorded.recordings[0].arguments] == ["x", "y", "n"]
    assert recorded.stdout == "sum 1\n"
    assert not (tmp_path / "kept" / "capture").exists()


def test_replay_refuses_another_device_and_an_unknown_kernel(application, app, tmp_path):
    command(record, app, "--device", NAME, "--out", tmp_path / "kept")
    with pytest.raises(UserError, match="it replays there only"):
        command(replay, tmp_path / "kept", "--device", "cpu")
    with pytest.raises(UserError, match="nothing is recorded of kernel thrice; recorded: twice"):
        command(replay, tmp_path / "kept", "--kernel", "thrice")
    with pytest.raises(UserError, match="no recorded application is here"):
        command(replay, tmp_path)


def test_failing_application_keeps_what_it_launched(application, app, tmp_path, capsys):
    application.ran = Run(stderr="assertion failed", exit_code=134)
    command(record, app, "--device", NAME, "--out", tmp_path / "kept")
    assert "left out: the application ended with exit code 134:\nassertion failed" in capsys.readouterr().out


def test_failing_application_without_launches_is_an_error(application, app, tmp_path):
    application.ran, application.launches = Run(stderr="no input", exit_code=1), 0
    with pytest.raises(AppError, match=r"exit code 1:\nno input"):
        command(record, app, "--device", NAME, "--out", tmp_path / "kept")
    application.ran = Run()
    with pytest.raises(RecordError):
        command(record, app, "--device", NAME, "--out", tmp_path / "other")


def test_folder_inside_the_application_is_refused(application, app):
    with pytest.raises(UserError, match="lies inside the application"):
        command(record, app, "--device", NAME, "--out", app / "kept")
    with pytest.raises(UserError, match="lies inside the application"):
        command(record, app, "--device", NAME, "--out", app)


def test_numbers_that_make_no_sense_are_refused(application, app):
    with pytest.raises(UserError, match="at least 1 launch"):
        command(record, app, "--device", NAME, "--max-instances", 0)


def test_unknown_device_is_refused(app):
    with pytest.raises(R3CError, match="no device is called 'abacus'"):
        command(record, app, "--device", "abacus")


def test_sizes_are_read_with_their_units():
    assert [record.parse_size(text) for text in ("512", "64M", "1.5 GiB", "2g")] == [512, 64 << 20, 3 << 29, 2 << 30]
    with pytest.raises(UserError, match="--max-bytes many: expected a size"):
        record.parse_size("many")
