"""What cannot be recorded is refused, each with its own reason, and the application runs on as if nothing were."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpu_recording import record, replay

from r3c.build.app import load_app, run_app
from r3c.core.errors import RecordError, ReplayError
from r3c.devices.cuda import Cuda

pytestmark = [pytest.mark.gpu, pytest.mark.nvcc]

PROGRAMS = Path(__file__).with_name("refusals")
REASONS = {
    "texture": "k: it takes a texture or surface object",
    "surface": "k: it takes a texture or surface object",
    "graph": "run the application with its graphs off",
    "heap": "k: it allocates from the in-kernel heap",
    "nested": "k: it launches kernels itself",
    "virtual": "k: it calls functions through pointers or virtual functions",
    "pointer_to_global": "holds a pointer to the global counter",
    "several_devices": "one launch on several devices cannot be recorded",
    "profiler": "CUPTI is taken by another tool of this process",
}
FLAGS = {"nested": "-rdc=true -lcudadevrt", "several_devices": "-ldl", "profiler": "-ldl"}


@pytest.mark.parametrize("name", REASONS)
def test_each_is_refused_with_its_reason(name: str, tmp_path: Path) -> None:
    try:
        said = "\n".join(record(PROGRAMS / f"{name}.cu", tmp_path, FLAGS.get(name, "")).left_out)
    except RecordError as error:
        said = str(error)
    built = tmp_path / "record" / "app"
    code = run_app(built, load_app(built), {"R3C_CUPTI": Cuda().recorder_environment()["R3C_CUPTI"]}).exit_code
    if code == 77:
        pytest.skip("this driver or CUPTI has no such function")
    assert code == 0
    assert REASONS[name] in said


def test_managed_memory_is_replayed_or_refused_by_name(tmp_path: Path) -> None:
    recorded = record(PROGRAMS / "managed.cu", tmp_path)
    assert recorded.recordings[0].allocations[0].kind == "managed"
    try:
        found = [one.equal for one in replay(list(recorded.recordings), tmp_path)]
    except ReplayError as error:
        found = [str(error)]
    assert found == [3] or "managed" in str(found)
