from __future__ import annotations

import os

import pytest

from r3c.core.errors import ReplayError
from r3c.replay.process import WorkerProcess, scrubbed_environment
from r3c.testing.fake_device import NAME


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
