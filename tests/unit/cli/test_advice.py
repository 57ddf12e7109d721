"""Which kernels `record` calls worth annotating."""

from __future__ import annotations

from pathlib import Path

from r3c.build.record import RecordedApp
from r3c.cli._advice import advice, kernel_times
from r3c.core.compile import CompileCommand
from r3c.core.recording import Recording
from r3c.recording.capture import LaunchCount

SOURCE = """\
__global__ void heavy(float *x) { x[0] = 1; }
// r3c: kernel()
__global__ void known(float *x) { x[0] = 2; }
__global__ void brief(float *x) { x[0] = 3; }
__global__ void refused(float *x) { x[0] = 4; }
"""
TIMES_US = {"heavy": (500.0, 10), "known": (200.0, 1), "brief": (100.0, 50), "refused": (100.0, 1), "library": (80.0, 1),
            "tiny": (15.0, 1), "tinier": (5.0, 1)}  # fmt: skip


def test_each_kernel_with_a_share_of_the_time_is_told_what_it_takes(tmp_path: Path) -> None:
    (tmp_path / "app.cu").write_text(SOURCE)
    counts = [LaunchCount(k, k, (1, 1, 1), (1, 1, 1), 0, k, count, us) for k, (us, count) in TIMES_US.items()]
    kept = [
        Recording(k, k, "cuda", "", (1, 1, 1), (1, 1, 1), 0, (), "", ())
        for k in TIMES_US
        if k not in ("refused", "tiny")
    ]
    recorded = RecordedApp(
        "cuda", tmp_path, (CompileCommand(str(tmp_path / "app.cu")),), tuple(reversed(counts)), tuple(kept),
        ("refused: it takes a texture or surface object",),
    )  # fmt: skip
    assert list(advice(recorded, kernel_times(recorded))) == [
        "heavy: 50% of the time; to tune it, write `// r3c: kernel(rtol=1e-5)` before app.cu:1",
        "known: 20% of the time; annotated at app.cu:3",
        "refused: 10% of the time; cannot be tuned, since it takes a texture or surface object",
        "brief: 10% of the time; to tune it, write `// r3c: kernel(rtol=1e-5)` before app.cu:4; its launches are so short "
        "that there is little to gain",
        "library: 8% of the time; its source is not among the application's files, so only its owner can tune it",
        "2 other kernels: 2.0% of the time together; not worth it",
    ]


def test_a_run_without_times_gets_no_advice(tmp_path: Path) -> None:
    assert list(advice(RecordedApp("cpu", tmp_path, (), (), ()), {})) == []
