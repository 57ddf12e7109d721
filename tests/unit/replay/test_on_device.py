"""The comparison kernels, here on the CPU device, say what the host says; tests/gpu does the same on a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from comparisons import cases, check

from r3c.build.toolchains.base import BuildRequest
from r3c.build.toolchains.host import Host
from r3c.core.binary import Binary
from r3c.core.compile import CompileCommand
from r3c.core.contract import Contract
from r3c.core.source import Source
from r3c.core.spec import Spec
from r3c.devices._cuda_compare import SOURCE
from r3c.devices.base import Module
from r3c.devices.cpu import Cpu, CpuSession
from r3c.recording.store import RecordingStore
from r3c.replay.arena import Arena
from r3c.replay.image import build_image, union
from r3c.replay.judge import ORDERS, POISON, Judge, Kernel
from r3c.replay.on_device import KERNELS, OnDevice, Stored

BYTES = 1 << 16


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    if Cpu().unavailable():
        pytest.skip(reason=Cpu().unavailable())
    folder, made = tmp_path_factory.mktemp("kernels"), {}
    for kernel in KERNELS:
        (folder / kernel).mkdir()
        symbol = f"{kernel}"
        request = BuildRequest(Source.read(SOURCE), kernel, symbol, CompileCommand(str(SOURCE)), Spec("host"))
        made[kernel] = Path(Host().build(request, folder / kernel).path)
    return made


@pytest.fixture(scope="module")
def opened(libraries: dict[str, Path]) -> Iterator[tuple[CpuSession, OnDevice]]:
    session = Cpu().open_session()
    modules: dict[str, Module] = {name: session.load(path) for name, path in libraries.items()}
    yield session, OnDevice(session, modules)
    session.close()


@pytest.mark.parametrize("one", cases(), ids=lambda one: one.view.buffer)
def test_device_and_host_agree(one, opened) -> None:
    session, comparer = opened
    address, store = session.scratch(BYTES), session.scratch(BYTES)
    check(one, session, comparer, address, store)
    check(one, session, comparer, address, store, shift=24 + len(one.got) % 7)


def test_the_cases_hold_every_kind_of_finding() -> None:
    from r3c.replay.compare import compare

    found = [compare(one.view, one.expected, one.got) for one in cases()]
    assert any(one.mismatch is None and one.differing and one.error > 0 for one in found)
    assert any(one.mismatch and "nan" in one.mismatch.got for one in found)
    assert any(one.mismatch and "byte" in one.mismatch.got for one in found)


def test_a_byte_at_the_end_of_odd_sizes_is_seen(opened) -> None:
    session, comparer = opened
    for size in (1, 7, 8, 9, 4095, 20001):
        address, store = session.scratch(size), session.scratch(size)
        data = np.random.default_rng(size).integers(0, 256, size, np.uint8)
        session.write(address, data.tobytes())
        session.write(store, data.tobytes())
        key = comparer.new_key()
        comparer.mask(store, size, key)
        assert comparer.same(address, size, Stored(store, key))[0]
        session.write(address + size - 1, bytes([data[-1] ^ 1]))
        assert not comparer.same(address, size, Stored(store, key))[0]


APP = """
// r3c: kernel(rtol=1e-4)
__global__ void k(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = BODY;
}
int main() {
  float *x, *y, h[1000];
  for (int i = 0; i < 1000; i++) h[i] = i % 17 + 0.25f;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  k<<<8, 128>>>(x, y, 1000);
  return cudaDeviceSynchronize();
}
"""


def test_a_judge_says_the_same_with_and_without_it(libraries: dict[str, Path], tmp_path: Path) -> None:
    from r3c.build.original import build_binary, unit_of
    from r3c.build.record import record_app
    from r3c.tree.parse import parse
    from r3c.tree.regions import region

    app = tmp_path / "app"
    app.mkdir()
    (app / "k.cu").write_text("#include <cuda_runtime.h>\n" + APP.replace("BODY", "2 * x[i]"))
    (app / "r3c.toml").write_text('[app]\nbuild = "nvcc -o k k.cu"\nrun = "./k"\n')
    recorded = record_app(app, "cpu", tmp_path / "record")
    unit = unit_of(recorded.commands, "k")
    store = RecordingStore(tmp_path / "record" / "recordings")
    contract: Contract = region(parse(unit.source), "k").contract
    bodies = ("2 * x[i]", "2 * x[i] * 1.00001f", "i == 700 ? 3 : 2 * x[i]", "i < 900 ? 2 * x[i] : NAN")
    binaries: list[Binary] = []
    for number, body in enumerate(bodies):
        source = Source(unit.source.path, "#include <cuda_runtime.h>\n" + APP.replace("BODY", body))
        binaries.append(build_binary(unit, source, recorded.recordings[0], Cpu(), tmp_path / str(number)))
    session = Cpu().open_session()
    ranges = union(recorded.recordings, 15, 16)
    session.map(ranges)
    image = build_image(recorded.recordings[0], ranges, contract, store.get_chunk)
    comparer = OnDevice(session, {name: session.load(path) for name, path in libraries.items()})
    judges = [Judge(Arena(session, [image], ranges, one), lambda what: None) for one in (None, comparer)]
    for judge in judges:
        judge.original = Kernel(session.load(Path(binaries[0].path)), binaries[0].symbol)
    said = []
    for binary in binaries:
        kernel = Kernel(session.load(Path(binary.path)), binary.symbol)
        both = [judge.verify(kernel, [0]) for judge in judges]
        assert both[0] == both[1]
        said.append(both[0][0])
        seen = judges[1].look(kernel, 0, ORDERS[0], POISON[0])
        assert not isinstance(seen.mark, list)
    assert [verdict and verdict.value for verdict in said] == [None, None, "wrong", "wrong"]
    answers = judges[1].arena.device_copies()[-1]
    assert image.after.memory[1].tobytes() not in session.read(answers.address, answers.size_bytes)
    session.close()
