"""An original that writes past its buffers reproduces its recording, and its candidates are held to the same bytes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from r3c.core.contract import Contract
from r3c.recording.store import RecordingStore
from r3c.replay.arena import Arena
from r3c.replay.image import build_image, union
from r3c.replay.judge import Judge, Kernel
from r3c.replay.outside import expect_outside, note_on, written_outside
from r3c.testing.fake_device import FakeBuffer, FakeSession, record_fake

COPY = "def k(k):\n    k.pointer(8, 64)[:] = k.pointer(0, 64)\n"
PAST_THE_END = COPY + "    k.pointer(8, 66)[64] = 7\n"
CONTRACT = Contract("k", parameters=(("x", "const float *"), ("y", "float *")))


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    binary = tmp_path / "k.py"
    binary.write_text(COPY)
    store, x = RecordingStore(tmp_path / "store"), np.arange(64, dtype="f4")
    recording = record_fake(store, binary, "k", [FakeBuffer("x", x), FakeBuffer("y", np.zeros(64, "f4"))])
    ranges, session = union([recording], 32, 4096), FakeSession()
    session.map(ranges)
    return Judge(Arena(session, [build_image(recording, ranges, CONTRACT, store.get_chunk)], ranges), lambda step: None)


def kernel(judge: Judge, folder: Path, body: str) -> Kernel:
    path = folder / f"{abs(hash(body))}.py"
    path.write_text(body)
    return Kernel(judge.arena.session.load(path), "k")


def test_nothing_is_found_where_nothing_is_written_outside(judge, tmp_path):
    image = judge.arena.images[0]
    assert written_outside(judge, kernel(judge, tmp_path, COPY), 0) == []
    assert note_on(image, []) == ""


def test_an_original_that_writes_past_the_end_reproduces_and_candidates_must_do_the_same(judge, tmp_path):
    original, image = kernel(judge, tmp_path, PAST_THE_END), judge.arena.images[0]
    assert judge.reproduce(original, 0, 2).mismatch is not None
    pieces = written_outside(judge, original, 0)
    assert "4 bytes outside its buffers, behind the end of y" in note_on(image, pieces)
    expect_outside(image, pieces)
    assert judge.reproduce(original, 0, 2).exact
    for body in (COPY, PAST_THE_END.replace("= 7", "= 8")):
        assert judge.compare(0, judge.run(kernel(judge, tmp_path, body), 0, "ascending", 0xFF)).mismatch is not None
    judge.arena.prepare(0, 0xFF)
    judge.arena.session.fill(pieces[0][0], 4, 1)
    judge.arena.restore_changed()
    assert judge.arena.read()[1].tobytes() == image.before.memory[1].tobytes()
