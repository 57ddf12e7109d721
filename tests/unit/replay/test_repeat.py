"""Replays that are equal, that vary, and that are always wrong are told apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from r3c.core.binary import Binary
from r3c.core.contract import Contract
from r3c.core.errors import ReplayError
from r3c.recording.store import RecordingStore
from r3c.replay.repeat import Repetition
from r3c.replay.replayer import Replayer
from r3c.testing.fake_device import NAME, FakeBuffer, record_fake

COPY = "def copy(k):\n    k.pointer(8, 64)[:] = k.pointer(0, 64)\n"
VARIES = "import itertools\nRUNS = itertools.count()\n" + COPY + "    k.pointer(8, 64)[3] += next(RUNS) % 2\n"
WRONG = COPY + "    k.pointer(8, 64)[3:5] += 1\n"


def repetition(folder: Path, body: str, times: int = 6) -> Repetition:
    original, other = folder / "original.py", folder / "other.py"
    original.write_text(COPY)
    other.write_text(body)
    store = RecordingStore(folder / "store")
    x = np.random.default_rng(0).random(64).astype("f4")
    recording = record_fake(store, original, "copy", [FakeBuffer("x", x), FakeBuffer("y", np.zeros(64, "f4"))])
    contract = Contract("copy", parameters=(("x", "const float *"), ("y", "float *")))
    with Replayer(NAME, store, [recording], contract, Binary(str(other), "copy", "", "fake")) as replayer:
        (found,) = replayer.repeat(times)
    return found


def test_a_kernel_that_reproduces_is_equal_every_time(tmp_path: Path) -> None:
    found = repetition(tmp_path, COPY)
    assert (found.times, found.equal, found.differing, found.varying_bytes) == (6, 6, 0, 0)
    assert found.compared_bytes == 512
    assert found.reproduces
    assert str(found).startswith("6 of 6 replays equal in every byte")


def test_the_spread_of_a_kernel_that_varies_is_measured(tmp_path: Path) -> None:
    found = repetition(tmp_path, VARIES)
    assert (found.equal, found.differing) == (3, 1)
    assert 1 <= found.varying_bytes <= 4
    assert found.error == pytest.approx(1.0)
    assert found.reproduces
    assert "vary between replays" in str(found)


def test_a_replay_that_is_always_wrong_does_not_reproduce(tmp_path: Path) -> None:
    found = repetition(tmp_path, WRONG)
    assert (found.equal, found.differing, found.varying_bytes) == (0, 2, 0)
    assert not found.reproduces
    assert "all replays are alike" in str(found)


def test_no_replay_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="at least 1"):
        repetition(tmp_path, COPY, 0)
