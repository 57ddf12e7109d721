from __future__ import annotations

import itertools
import json

import pytest

from r3c.core.errors import RecordError
from r3c.recording.capture import ingest, read_counts
from r3c.recording.store import RecordingStore

NAMES = {"k": ["buffer", "n"]}


@pytest.fixture
def store(tmp_path):
    return RecordingStore(tmp_path / "store")


def numbers(folder):
    return sorted(int(done.parent.name) for done in folder.glob("*/done"))


def scalars(recordings):
    return [int.from_bytes(bytes.fromhex(r.packed)[8:12], "little") for r in recordings]


def test_nothing_is_written_without_the_variable(app, tmp_path):
    import subprocess

    assert subprocess.run([app, "one"], cwd=tmp_path, env={}, capture_output=True, text=True).stdout == "done\n"
    assert list(tmp_path.iterdir()) == []


def test_memory_reached_through_pointers_and_globals_is_recorded(capture, store):
    (recording,) = ingest(capture("one"), store, "a device", NAMES)
    assert len(recording.allocations) == 4
    assert recording.heap_bytes == 4 * 512
    assert [g.name for g in recording.globals] == ["variable"]
    changed = [a for a in recording.allocations if a.epilogue]
    assert [(e.offset_bytes, e.size_bytes) for e in changed[0].epilogue] == [(48, 16)]
    assert len(changed) == 1
    assert store.get_chunk(changed[0].epilogue[0].chunk)[8:] == (1).to_bytes(8, "little")


def test_whole_heap_is_recorded_on_demand(capture, store):
    (recording,) = ingest(capture("one", whole=1), store, "a device", NAMES)
    assert len(recording.allocations) == 5


def test_launch_is_kept_with_all_that_it_was(capture, store):
    (recording,) = ingest(capture("one"), store, "a device", NAMES, device="cpu")
    assert (recording.kernel, recording.symbol, recording.device, recording.device_name) == (
        "k",
        "_Z1k",
        "cpu",
        "a device",
    )
    assert [(a.offset_bytes, a.size_bytes, a.name) for a in recording.arguments] == [(0, 8, "buffer"), (8, 4, "n")]
    assert recording.attributes == {"max_dynamic_shared_size_bytes": 1024}
    assert recording.duration_us == 10.0
    assert store.list() == [recording]


def test_repeated_launch_is_recorded_ever_more_rarely(capture):
    assert numbers(capture("repeats", max=3)) == [1, 2, 3]
    counts = read_counts(capture("repeats", max=3))
    assert [(row.count, row.total_us) for row in counts] == [(20, 200.0)] * 2


def test_new_kinds_of_launch_displace_repeats(capture, store):
    recordings = ingest(capture("kinds", kernels="k", max=4), store, "", NAMES, withhold=0)
    assert sorted(scalars(recordings)) == [1, 2, 3, 4]
    assert {r.occurrences for r in recordings if r.grid == (1, 1, 1)} == {10}


def test_all_kernels_are_counted_though_one_is_recorded(capture):
    counts = {row.kernel: 0 for row in read_counts(capture("kinds", kernels="k"))}
    assert set(counts) == {"k", "other"}


def test_launches_that_differ_in_pointers_only_are_of_one_kind(capture):
    (row,) = read_counts(capture("pointers"))
    assert row.count == 4


def test_first_launches_are_skipped(capture, store):
    recordings = ingest(capture("kinds", kernels="k", skip=10), store, "", NAMES, withhold=0)
    assert sorted(scalars(recordings)) == [2, 3, 4, 5]


def test_kernels_are_chosen_by_pattern(capture, store):
    recordings = ingest(capture("kinds", kernels="zzz,o*r"), store, "", {})
    assert {r.kernel for r in recordings} == {"other"}


def test_occurrences_add_up_to_the_launches(capture, store):
    recordings = ingest(capture("repeats", max=3), store, "", NAMES)
    assert sum(r.occurrences for r in recordings) == 20


def test_repeats_are_withheld_and_one_recording_is_left(capture, store):
    recordings = ingest(capture("repeats", max=3), store, "", NAMES, withhold=1)
    assert [r.withheld for r in recordings] == [False, False, True]
    again = ingest(capture("one"), RecordingStore(store.root / "other"), "", NAMES, withhold=5)
    assert again[0].withheld is False


def test_crash_of_the_application_keeps_what_was_complete(capture, store):
    folder = capture("crash")
    assert len(ingest(folder, store, "", NAMES)) == 2
    assert (folder / "000003" / "launch.json").exists()


def test_failed_read_stops_recording_and_not_the_application(capture, store, tmp_path):
    folder = capture("fails")
    assert len(ingest(folder, store, "", NAMES)) == 1
    assert "r3c: recording stopped: cannot write the memory of k" in (tmp_path / "stderr").read_text()
    assert sum(row.count for row in read_counts(folder)) == 4
    assert not (folder / "000002").exists()


def test_launches_of_several_threads_are_all_counted_and_recorded_whole(capture, store):
    folder = capture("threads", max=6)
    assert sum(row.count for row in read_counts(folder)) == 200
    recordings = ingest(folder, store, "", NAMES, withhold=0)
    assert {0, 1, 2, 3} == set(scalars(recordings))
    for recording in recordings:
        assert [len(a.epilogue) for a in recording.allocations].count(1) == 1


def test_forked_child_records_nothing(capture, store):
    assert scalars(ingest(capture("forks"), store, "", NAMES, withhold=0)) == [1, 3]


def test_two_processes_of_one_run_share_a_capture(capture, store):
    capture("one")
    folder = capture("one")
    assert len(ingest(folder, store, "", NAMES, withhold=0)) == 2
    assert sum(row.count for row in read_counts(folder)) == 2


def test_pointer_to_a_global_in_memory_is_refused_with_the_reason(capture, store):
    with pytest.raises(RecordError, match="holds a pointer to the global variable"):
        ingest(capture("global-pointer"), store, "", NAMES)


def test_module_is_kept_by_content(capture):
    assert [p.read_bytes() for p in (capture("one") / "modules").iterdir()] == [b"cubin"]


def test_capture_without_launches_says_what_the_run_launched(capture, store):
    with pytest.raises(RecordError, match="none of the kernels asked for was launched; the run launched k"):
        ingest(capture("one", kernels="nothing"), store, "", NAMES)


def test_run_without_kernels_says_so(tmp_path, store):
    with pytest.raises(RecordError, match="launched no kernel"):
        ingest(tmp_path, store, "", NAMES)


def test_parameter_names_that_do_not_fit_are_not_used(capture, store):
    (recording,) = ingest(capture("one"), store, "", {"k": ["only"]})
    assert [a.name for a in recording.arguments] == ["", ""]


def test_truncated_memory_file_leaves_that_launch_out_and_says_so(capture, store):
    folder = capture("repeats", max=3)
    (folder / "000002" / "after.bin").write_bytes(b"short")
    reasons: list[str] = []
    assert len(ingest(folder, store, "", NAMES, note=reasons.append)) == 2
    assert "holds 5 bytes" in reasons[0]


def test_raw_form_is_json(capture):
    raw = json.loads((capture("one") / "000001" / "launch.json").read_text())
    assert set(raw) >= {
        "kernel",
        "symbol",
        "grid",
        "block",
        "shared_bytes",
        "arguments",
        "packed",
        "allocations",
        "globals",
    }


def contents(store, allocation, extents):
    data = bytearray(allocation.size_bytes)
    for extent in (*allocation.prologue, *extents):
        data[extent.offset_bytes : extent.offset_bytes + extent.size_bytes] = store.get_chunk(extent.chunk)
    return bytes(data)


def test_large_memory_is_searched_compared_and_kept_once(capture, store):
    folder = capture("large")
    # Of 3 launches' 2 pieces each, the first launch's, the second piece that it changed, the first that the second changed.
    assert sum(path.stat().st_size > 1 << 20 for path in (folder / "pieces").iterdir()) == 4
    recordings = ingest(folder, store, "", NAMES, withhold=0)
    assert [len(recording.allocations) for recording in recordings] == [6, 6, 6]
    large = [max(recording.allocations, key=lambda a: a.size_bytes) for recording in recordings]
    word, size = 8, large[0].size_bytes
    touched = [size // word - 2, 1000000, 2000000]
    assert [[(e.offset_bytes, e.size_bytes) for e in a.epilogue] for a in large] == [
        [(word * at // 16 * 16, 16)] for at in touched
    ]
    for before, after in itertools.pairwise(large):
        assert contents(store, before, before.epilogue) == contents(store, after, ())


def test_launches_that_exceed_the_budget_are_left_out_and_the_output_says_so(capture, store):
    reasons: list[str] = []
    folder = capture("large", bytes=100 << 20)
    assert scalars(ingest(folder, store, "", NAMES, note=reasons.append)) == [0]
    assert reasons == [
        "k: 1 launch is kept, of 66.0 MiB; more would exceed --max-bytes 100.0 MiB, of which one kernel gets a quarter"
    ]
    assert sum(row.count for row in read_counts(folder)) == 3


def test_a_launch_that_is_too_large_is_named(capture, store):
    with pytest.raises(RecordError, match=r"k: it reaches 66\.0 MiB or more; .* exceeds --max-bytes 10\.0 MiB"):
        ingest(capture("large", bytes=10 << 20), store, "", NAMES)


def test_pieces_of_a_launch_that_gave_way_are_gone(capture):
    folder = capture("kinds", kernels="k", max=4)
    launches = [json.loads(path.read_text()) for path in folder.glob("*/launch.json")]
    named = {name for raw in launches for one in raw["allocations"] + raw["globals"] for name in one["before"]}
    assert {f"pieces/{path.name}" for path in (folder / "pieces").iterdir()} == named
