from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from r3c.core.errors import RecordError, ReplayError
from r3c.core.recording import Allocation, Extent, Recording
from r3c.recording.changes import differing
from r3c.recording.store import RecordingStore


def recording(chunk: str, kernel: str = "k") -> Recording:
    allocation = Allocation(4096, 3, (Extent(0, 3, chunk),))
    return Recording(kernel, kernel, "cpu", "", (1, 1, 1), (1, 1, 1), 0, (), "", (allocation,))


@pytest.fixture
def store(tmp_path):
    return RecordingStore(tmp_path / "store")


def test_recording_comes_back_as_it_was_put(store):
    kept = recording(store.put_chunk(b"abc"))
    digest = store.add(kept)
    assert store.get(digest) == kept
    assert RecordingStore(store.root).list() == [kept]


def test_equal_chunks_are_kept_once(store):
    assert store.put_chunk(b"x" * 1000) == store.put_chunk(memoryview(b"x" * 1000))
    assert len(list(store.root.glob("chunks/*/*"))) == 1
    assert store.stored_bytes() < 1000


def test_recording_without_its_chunk_stays_unfinished(store):
    with pytest.raises(RecordError, match="was never stored"):
        store.add(recording("0" * 64))
    assert store.list() == []
    assert len(list(store.root.glob("recordings/*/manifest.json"))) == 1


def test_chunks_are_taken_when_they_are_needed(store):
    name = RecordingStore(store.root / "elsewhere").put_chunk(b"abc")
    store.add(recording(name), {name: lambda: b"abc"})
    assert store.get_chunk(name) == b"abc"
    with pytest.raises(RecordError, match="changed while it was being stored"):
        store.add(recording("1" * 64), {"1" * 64: lambda: b"abc"})


def test_damaged_chunk_is_an_error(store):
    name = store.put_chunk(b"abc")
    (store.root / "chunks" / name[:2] / name).write_bytes(b"rubbish")
    with pytest.raises(ReplayError, match="cannot be read"):
        store.get_chunk(name)


def test_changed_manifest_is_an_error(store):
    digest = store.add(recording(store.put_chunk(b"abc")))
    path = store.root / "recordings" / digest / "manifest.json"
    path.write_text(path.read_text().replace('"k"', '"j"'))
    with pytest.raises(ReplayError, match="was changed"):
        store.get(digest)


def test_unreadable_manifest_is_an_error(store):
    digest = store.add(recording(store.put_chunk(b"abc")))
    (store.root / "recordings" / digest / "manifest.json").write_text("{")
    with pytest.raises(ReplayError, match="cannot be read"):
        store.list()


def test_writers_side_by_side_leave_one_whole_store(store):
    def write() -> None:
        for number in range(20):
            store.add(recording(store.put_chunk(bytes([number]) * 3)))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.list()) == 20
    assert not list(store.root.rglob(".part-*"))


@given(st.binary(min_size=1, max_size=400), st.data())
def test_changed_ranges_hold_every_difference(old, data):
    new = bytearray(old)
    for at in data.draw(st.lists(st.integers(0, len(old) - 1))):
        new[at] ^= 1
    ranges = differing(np.frombuffer(old, np.uint8), np.frombuffer(bytes(new), np.uint8))
    patched = bytearray(old)
    for at, size in ranges:
        patched[at : at + size] = new[at : at + size]
    assert patched == new
    assert (ranges == []) == (old == bytes(new))
    assert all(at + size <= len(old) for at, size in ranges)


def test_scattered_changes_are_few_ranges():
    old = np.zeros(20 << 20, np.uint8)
    new = old.copy()
    new[:: 10 << 10] = 1
    assert len(differing(old, new)) <= 512
    new[:] = 0
    new[[0, 10 << 20]] = 1
    assert differing(old, new) == [(0, 16), (10 << 20, 16)]


def test_what_does_not_shrink_is_kept_as_it_is(store):
    noise = np.random.default_rng(0).bytes(3 << 20)
    plain = bytes(3 << 20)
    for data in (noise, plain):
        assert store.get_chunk(store.put_chunk(data)) == data
    sizes = sorted(path.stat().st_size for path in store.root.glob("chunks/*/*"))
    assert sizes[0] < len(plain) / 100
    assert len(noise) < sizes[1] < 1.01 * len(noise)
