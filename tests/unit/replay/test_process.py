from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from r3c.core.errors import ReplayError
from r3c.core.launch import LaunchPlan
from r3c.recording.store import RecordingStore
from r3c.replay.process import WorkerProcess, scrubbed_environment
from r3c.replay.protocol import plan_to_wire
from r3c.testing.fake_device import NAME, FakeBuffer, record_fake


def opening(tmp_path, device=NAME):
    binary = tmp_path / "k.py"
    binary.write_text("def k(launch): pass")
    return {
        "device": device,
        "store": str(tmp_path),
        "recordings": [],
        "contract": {"kernel": "k", "tolerance": {"rtol": 0, "atol": 0}, "buffers": {}, "parameters": []},
        "baseline": {"path": str(binary), "symbol": "k", "known": [], "varied": []},
        "plan": {},
    }


def test_environment_of_the_worker_has_no_keys(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("R3C_CAPTURE", "/nowhere")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    environment = scrubbed_environment()
    assert "secret" not in environment.values()
    assert "R3C_CAPTURE" not in environment
    assert environment["CUDA_VISIBLE_DEVICES"] == "1"


def test_worker_is_the_head_of_its_own_group_and_ends_when_closed(tmp_path):
    worker = WorkerProcess(opening(tmp_path), 30)
    pid = worker._process.pid
    assert os.getpgid(pid) == pid != os.getpgid(0)
    worker.close()
    assert worker._process.returncode == 0


def test_worker_works_in_a_folder_of_its_own_that_goes_with_it(tmp_path):
    worker = WorkerProcess(opening(tmp_path), 30)
    folder = Path(f"/proc/{worker._process.pid}/cwd").readlink()
    assert list(folder.iterdir()) == []
    worker.close()
    assert not folder.exists()


OWNER = """
import sys
from r3c.replay.process import WorkerProcess
import json
worker = WorkerProcess(json.loads(sys.argv[1]), 30)
print(worker._process.pid, flush=True)
worker.ask({"do": "evaluate", "path": sys.argv[2], "symbol": "k", "plan": json.loads(sys.argv[3]), "indices": [0],
            "time": False, "cold": False}, 600)
"""


def test_hanging_worker_ends_when_its_owner_is_killed(tmp_path):
    message = opening(tmp_path)
    store = RecordingStore(tmp_path)
    recording = record_fake(store, tmp_path / "k.py", "k", [FakeBuffer("x", np.zeros(4, "f4"))])
    message["recordings"] = [recording.digest]
    hang = tmp_path / "hang.py"
    hang.write_text("import time\ndef k(launch):\n    while True: time.sleep(1)")
    plan = json.dumps(plan_to_wire(LaunchPlan()))
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, json.dumps(message), str(hang), plan], stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    pid = int(owner.stdout.readline())
    owner.kill()
    owner.wait()
    owner.stdout.close()
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_worker_that_cannot_open_its_device_says_why(tmp_path):
    with pytest.raises(ReplayError, match="no device is called 'abacus'"):
        WorkerProcess(opening(tmp_path, device="abacus"), 30)


def test_worker_without_its_recording_says_why(tmp_path):
    message = {**opening(tmp_path), "recordings": ["0" * 64]}
    with pytest.raises(ReplayError, match="holds no complete recording"):
        WorkerProcess(message, 30)


def test_fault_of_the_worker_itself_is_not_a_failed_kernel(tmp_path):
    with pytest.raises(ReplayError, match="replay worker failed: KeyError"):
        WorkerProcess({**opening(tmp_path), "contract": {}}, 30)
