"""Record an unmodified program on the GPU, replay its cubin, and reject cheats built from the same file."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from r3c.core.binary import Binary
from r3c.core.contract import BufferContract, Contract, Role, Tolerance
from r3c.core.recording import Recording
from r3c.core.result import Outcome, Verdict
from r3c.devices.cuda import Cuda
from r3c.recording.capture import ingest, read_counts
from r3c.recording.store import RecordingStore
from r3c.replay.replayer import Replayer

pytestmark = [pytest.mark.gpu, pytest.mark.nvcc]

SOURCE = Path(__file__).with_name("blur.cu")
CONTRACT = Contract(
    "blur",
    Tolerance(1e-5),
    buffers={"out": BufferContract(Role.OUT)},
    parameters=(("field", "const Field *"), ("out", "float *"), ("histogram", "int *"), ("n", "int")),
)
RIGHT = (
    "if (i == 0) atomicAdd(&calls, 1);"
    "if (i < n) atomicAdd(&histogram[int(field->in[i] * 16) & 15], 1);"
    "if (i > 0 && i < n - 1) out[i] = weights[0] * field->in[i - 1] + weights[1] * field->in[i] + weights[2] * field->in[i + 1];"
)
CANDIDATES = {
    "the same": (RIGHT, None),
    "no-op": ("", Verdict.WRONG),
    "one element wrong": (RIGHT + "if (i == 777) out[i] += 0.1f;", Verdict.WRONG),
    "NaN written": (RIGHT + 'if (i == 777) out[i] = nanf("");', Verdict.WRONG),
    "tail dropped": (RIGHT.replace("i < n - 1", "i < n - 9"), Verdict.WRONG),
    "input overwritten": (RIGHT + "if (i == 5) const_cast<float *>(field->in)[99999] = 2;", Verdict.WRONG),
    "global forgotten": (RIGHT.replace("atomicAdd(&calls, 1)", "(void)0"), Verdict.WRONG),
    "race": (RIGHT + "if (i == 777) out[i] = clock64() & 1023;", Verdict.NONDETERMINISTIC),
    "out of bounds": (RIGHT + "if (i == 777) out[1LL << 40] = 1;", Verdict.LAUNCH_FAILED),
    "endless loop": (RIGHT + "while (((volatile int *)histogram)[0] >= 0);", Verdict.TIMED_OUT),
    "trap": ("__trap();", Verdict.LAUNCH_FAILED),
}


def nvcc(*arguments: object) -> None:
    subprocess.run(["nvcc", "-arch=native", "-O2", *map(str, arguments)], check=True)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, RecordingStore, list[Recording]]:
    folder = tmp_path_factory.mktemp("blur")
    nvcc(SOURCE, "-o", folder / "blur")
    capture = folder / "capture"
    environment = {**os.environ, **Cuda().recorder_environment(), "R3C_CAPTURE": str(capture), "R3C_CAPTURE_MAX": "3"}
    done = subprocess.run([folder / "blur"], env=environment, capture_output=True, text=True)
    print(done.stdout, done.stderr)
    store = RecordingStore(folder / "store")
    names = {"blur": [name for name, _ in CONTRACT.parameters]}
    return capture, store, ingest(capture, store, "GPU", names, device="cuda", note=print)


@pytest.fixture(scope="module")
def replayer(
    recorded: tuple[Path, RecordingStore, list[Recording]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Replayer]:
    _, store, recordings = recorded
    cubin = tmp_path_factory.mktemp("original") / "original.cubin"
    cubin.write_bytes(store.get_chunk(recordings[0].module))
    original = Binary(str(cubin), recordings[0].symbol, "", "nvcc")
    with Replayer("cuda", store, recordings, CONTRACT, original, timeout_s=20) as made:
        report = made.gate()
        report.require()
        print(report.detail, report.notes, made.baseline)
        assert report.exact
        assert made.self_test() == []
        yield made


def judged(
    replayer: Replayer, recorded: tuple[Path, RecordingStore, list[Recording]], body: str, folder: Path
) -> Outcome:
    source = folder / "candidate.cu"
    source.write_text(f"#define BODY {body}\n{SOURCE.read_text()}")
    nvcc("-cubin", source, "-o", folder / "candidate.cubin")
    return replayer.evaluate(Binary(str(folder / "candidate.cubin"), recorded[2][0].symbol, "", "nvcc"))


def test_launches_are_counted_and_timed(recorded: tuple[Path, RecordingStore, list[Recording]]) -> None:
    (row,) = read_counts(recorded[0])
    assert row.count == 5
    assert row.total_us > 0
    assert [r.withheld for r in recorded[2]] == [False, False, True]


@pytest.mark.parametrize("name", CANDIDATES)
def test_candidate_ends_in_its_verdict(name: str, replayer: Replayer, recorded, tmp_path: Path) -> None:
    body, verdict = CANDIDATES[name]
    outcome = judged(replayer, recorded, body, tmp_path)
    print(name, outcome, replayer.replacements_s)
    assert outcome.verdict is verdict if verdict else outcome.verdict.is_verified
