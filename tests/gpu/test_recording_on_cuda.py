"""Programs that are recorded as they are, each with something that a recorder may get wrong."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest
from gpu_recording import gate, record, replay

from r3c.build.record import RecordOptions, record_app

pytestmark = [pytest.mark.gpu, pytest.mark.nvcc]

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"


def test_a_kernel_that_writes_past_the_end_reproduces_and_is_told(tmp_path: Path) -> None:
    recordings = record(PROGRAMS / "past_the_end.cu", tmp_path).of_kernel("fold")
    (found,) = replay(recordings, tmp_path)
    assert found.equal == found.times
    assert "writes 4 bytes outside its buffers, behind the end of out" in found.note
    report = gate(recordings, tmp_path)
    assert report.exact
    assert found.note in report.notes


def test_each_instantiation_is_replayed_as_what_it_is(tmp_path: Path) -> None:
    recorded = record(PROGRAMS / "instantiations.cu", tmp_path)
    groups = recorded.instantiations("step")
    assert len({group[0].symbol for group in groups}) == 3
    for group in groups:
        assert [recording.withheld for recording in group].count(True) == 1
        assert [one.equal for one in replay(group, tmp_path)] == [3] * len(group)


def test_large_launches_are_kept_whole_within_the_budget(tmp_path: Path) -> None:
    recorded = record(PROGRAMS / "large.cu", tmp_path)
    assert [len(recording.allocations) for recording in recorded.recordings] == [3] * 4
    assert [one.equal for one in replay(recorded.of_kernel("add"), tmp_path)] == [3] * 4


def test_a_small_budget_keeps_fewer_launches_and_says_so(tmp_path: Path) -> None:
    recorded = record(PROGRAMS / "large.cu", tmp_path, options=RecordOptions(max_bytes=500 << 20))
    assert len(recorded.recordings) == 1
    assert "add: 1 launch is kept, of 204.0 MiB; more would exceed --max-bytes 500.0 MiB" in recorded.left_out[0]


def test_the_whole_heap_is_kept_on_demand(tmp_path: Path) -> None:
    recorded = record(PROGRAMS / "large.cu", tmp_path, options=RecordOptions(max_instances=1, whole_heap=True))
    assert [len(recording.allocations) for recording in recorded.recordings] == [4]
    assert [one.equal for one in replay(recorded.of_kernel("add"), tmp_path)] == [3]


def test_a_python_program_is_recorded_with_the_kernels_of_its_libraries(tmp_path: Path) -> None:
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed")
    app = tmp_path / "app"
    shutil.copytree(HERE / "python_program", app)
    build, run = "nvcc -arch=native -cubin -o scale.cubin scale.cu", "python3 program.py"
    (app / "r3c.toml").write_text(f'[app]\nbuild = "{build}"\nrun = "{run}"\ntimeout_s = 100.0\n')
    recorded = record_app(app, "cuda", tmp_path / "record")
    assert "sum " in recorded.stdout
    own = recorded.of_kernel("scale")
    assert [argument.name for argument in own[0].arguments] == ["data", "n"]
    assert [one.equal for one in replay(own, tmp_path)] == [3] * len(own)
    others = [kernel for kernel in {r.kernel for r in recorded.recordings} if kernel != "scale"]
    assert others
    for kernel in others:
        for group in recorded.instantiations(kernel):
            assert all(one.reproduces for one in replay(group, tmp_path))
