from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from r3c.core.contract import BufferContract, Contract, Role
from r3c.devices.base import LaunchFailed
from r3c.recording.store import RecordingStore
from r3c.replay.arena import Arena
from r3c.replay.image import build_image, union
from r3c.testing.fake_device import FakeBuffer, FakeSession, record_fake

KERNEL = (
    "GLOBALS = {'g': 4}\ndef k(k):\n    k.pointer(8, 64)[:] = k.pointer(0, 64)\n    k.global_array('g', 'i4')[0] = 7\n"
)
CONTRACT = Contract("k", buffers={"y": BufferContract(Role.OUT)}, parameters=(("x", "float *"), ("y", "float *")))


class Plain(FakeSession):
    """Compares nothing by itself and has no room for pristine copies."""

    equal = None  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.info = replace(self.info, memory_bytes=1024)


@pytest.fixture(params=[FakeSession, Plain])
def arena(request, tmp_path: Path) -> Arena:
    binary = tmp_path / "k.py"
    binary.write_text(KERNEL)
    store = RecordingStore(tmp_path / "store")
    recordings = []
    for seed in range(2):
        buffers = [FakeBuffer("x", np.full(64, 5, "f4")), FakeBuffer("y", np.full(64, seed, "f4"))]
        recordings.append(record_fake(store, binary, "k", buffers, globals_={"g": np.array([seed], "i4")}))
    ranges = union(recordings)
    session = request.param()
    session.map(ranges)
    shared: dict[object, np.ndarray] = {}
    images = [build_image(r, ranges, CONTRACT, store.get_chunk, shared) for r in recordings]
    return Arena(session, images, ranges)


def test_memory_is_prepared_poisoned_and_restored(arena):
    x, y = arena.ranges
    for index in (0, 1, 0):
        arena.prepare(index, 0xFF)
        assert arena.session.read(y.address, 4) == b"\xff" * 4
        assert np.frombuffer(arena.session.read(x.address, 256), "f4").tolist() == [5.0] * 64
        arena.session.fill(y.address, y.size_bytes, 3)
        arena.restore_changed()
        assert arena.session.read(y.address + 252, 4) == b"\xff" * 4


def test_reading_finds_every_change(arena):
    arena.prepare(0, 0x7B)
    untouched = arena.read()
    assert untouched[0].tobytes() == arena.images[0].before.memory[0].tobytes()
    assert untouched[1].tobytes() == b"\x7b" * 256
    arena.session.write(arena.ranges[0].address + 10, b"\x99")
    found = arena.read()
    assert found[0][10] == 0x99
    assert arena.images[0].before.memory[0][10] != 0x99


def test_what_is_poisoned_can_change(arena):
    arena.prepare(0, 0xFF)
    arena.images[0].poison = []
    arena.refresh(0)
    arena.prepare(0, 0xFF)
    assert arena.session.read(arena.ranges[1].address, 4) == bytes(4)


def test_equal_ranges_of_two_recordings_are_one_array(arena):
    first, second = arena.images
    assert first.before.memory[0] is second.before.memory[0]
    assert first.before.memory[1] is not second.before.memory[1]


def test_globals_are_set_by_name_and_size(arena, tmp_path):
    module = arena.session.load(tmp_path / "k.py")
    arena.put_globals(module, 1)
    assert arena.snapshot(module, 1).globals[0].tobytes() == (1).to_bytes(4, "little")
    other = tmp_path / "other.py"
    other.write_text(KERNEL.replace("'g': 4", "'g': 8"))
    with pytest.raises(LaunchFailed, match="global g has 8 bytes, the recorded one 4"):
        arena.put_globals(arena.session.load(other), 1)
    other.write_text("def k(k): pass")
    lacking = arena.session.load(other)
    arena.put_globals(lacking, 1)
    assert arena.snapshot(lacking, 1).globals[0] is arena.images[1].before.globals[0]
