"""Recorded addresses that are taken in one process may be free in the next."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from r3c.core.binary import Binary
from r3c.core.contract import Contract
from r3c.core.errors import ReplayError
from r3c.recording.store import RecordingStore
from r3c.replay.replayer import Replayer
from r3c.testing.fake_device import FakeBuffer, record_fake

DEVICE = """
from pathlib import Path
from r3c.core.errors import DeviceError
from r3c.testing.fake_device import Fake, FakeSession

class Unlucky(FakeSession):
    def map(self, ranges):
        left = Path({counter!r})
        count = int(left.read_text())
        left.write_text(str(count - 1))
        if count > 0:
            raise DeviceError("the address is taken")
        super().map(ranges)

class Device(Fake):
    def open_session(self):
        return Unlucky()
"""


def repeat(folder: Path, monkeypatch: pytest.MonkeyPatch, failures: int) -> int:
    (folder / "left").write_text(str(failures))
    (folder / "unlucky.py").write_text(DEVICE.format(counter=str(folder / "left")))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    original = folder / "original.py"
    original.write_text("def k(k):\n    k.pointer(0, 64)[:] += 1\n")
    store = RecordingStore(folder / "store")
    recording = record_fake(store, original, "k", [FakeBuffer("x", np.zeros(64, "f4"))])
    binary = Binary(str(original), "k", "", "fake")
    with Replayer("unlucky:Device", store, [recording], Contract("k"), binary) as replayer:
        return replayer.repeat(2)[0].equal


def test_the_worker_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert repeat(tmp_path, monkeypatch, failures=2) == 2


def test_an_address_that_is_never_free_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ReplayError, match="recorded memory cannot be placed: the address is taken"):
        repeat(tmp_path, monkeypatch, failures=100)
