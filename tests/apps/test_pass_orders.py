"""Pass orders are verified without a GPU: the optimised code is run on the CPU device, on recorded launches."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from r3c import plugins
from r3c.build.original import build_binary, original_binary, unit_of
from r3c.build.passes import random_sequence
from r3c.build.record import STORE, RecordOptions, record_app
from r3c.build.toolchains.llvm import SEPARATOR, Llvm
from r3c.core.binary import Binary
from r3c.core.result import Outcome, Verdict
from r3c.core.spec import Spec, parse_spec
from r3c.recording.store import RecordingStore
from r3c.replay.replayer import Replayer
from r3c.tree.parse import parse
from r3c.tree.regions import region

APPS = Path(__file__).parent
KERNELS = ("stretch", "weigh", "votes", "functions")
ALIASING = "attributor+O3"  # the pass believes that what a kernel reads through one pointer is not written by another

pytestmark = pytest.mark.llvm


class Bench:
    """Recorded kernels of an application, each with a replayer, and builds of them by pass order."""

    def __init__(self, app: Path, folder: Path, kernels: tuple[str, ...]) -> None:
        self.folder = folder
        self.builds = 0
        self.device = plugins.load("device", "cpu")()
        self.recorded = record_app(app, "cpu", folder / "record", RecordOptions(kernels))
        self.store = RecordingStore(folder / "record" / STORE)
        self.replayers: dict[str, Replayer] = {}
        for kernel in kernels:
            unit = unit_of(self.recorded.commands, kernel, root=self.recorded.folder)
            recordings = self.recorded.of_kernel(kernel)
            original = original_binary(unit, recordings[0], self.store, self.device, folder / f"{kernel}-original")
            contract = region(parse(unit.source), kernel).contract
            self.replayers[kernel] = Replayer("cpu", self.store, recordings, contract, original, 20.0)
            self.replayers[kernel].gate().require()

    def build(self, kernel: str, spec: Spec) -> Binary:
        unit = unit_of(self.recorded.commands, kernel, root=self.recorded.folder)
        recording = self.recorded.of_kernel(kernel)[0]
        self.builds += 1  # a library is loaded once by its path
        return build_binary(unit, unit.source, recording, self.device, self.folder / f"candidate{self.builds}", spec)

    def judge(self, kernel: str, spec: Spec) -> Outcome:
        return self.replayers[kernel].evaluate(self.build(kernel, spec), time=False)

    def close(self) -> None:
        for replayer in self.replayers.values():
            replayer.close()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Bench]]:
    why = Llvm().unavailable()
    if why:
        pytest.skip(reason=why)
    made: dict[str, Bench] = {}

    def of(name: str, kernels: tuple[str, ...], define: str = "") -> Bench:
        key = name + define
        if key not in made:
            folder = tmp_path_factory.mktemp(key)
            shutil.copytree(APPS / name, folder / "app")
            source = folder / "app" / f"{name}.cu"
            source.write_text((f"#define {define}\n" if define else "") + source.read_text())
            made[key] = Bench(folder / "app", folder, kernels)
        return made[key]

    yield of
    for each in made.values():
        each.close()


def passes(*names: str) -> Spec:
    return Spec("llvm", (("passes", SEPARATOR.join(names)),))


@pytest.mark.parametrize("kernel", KERNELS)
def test_optimised_code_computes_what_was_recorded(bench: Callable[..., Bench], kernel: str) -> None:
    features = bench("features", KERNELS)
    rng = random.Random(f"pass orders {kernel}")
    specs = [Spec("llvm"), parse_spec("llvm{O3=none,rotate=1,loop_invariants=2,unroll=2,redundancies=3}")]
    specs += [passes(*random_sequence(rng)) for _ in range(4)]
    for spec in specs:
        outcome = features.judge(kernel, spec)
        assert outcome.verdict.is_verified, (str(spec), outcome.verdict, outcome.detail)


def test_an_order_with_the_aliasing_trap_is_rejected_as_wrong(bench: Callable[..., Bench]) -> None:
    inplace = bench("inplace", ("filter",))
    assert inplace.judge("filter", Spec("llvm")).verdict.is_verified
    outcome = inplace.judge("filter", parse_spec(f"llvm{{passes={ALIASING}}}"))
    assert outcome.verdict is Verdict.WRONG
    assert "from[" in outcome.detail or "to[" in outcome.detail


def test_the_same_order_passes_where_the_buffers_are_two(bench: Callable[..., Bench]) -> None:
    apart = bench("inplace", ("filter",), "OTHER_BUFFER")
    assert apart.judge("filter", parse_spec(f"llvm{{passes={ALIASING}}}")).verdict.is_verified


def test_pass_orders_give_different_code_here_too(bench: Callable[..., Bench]) -> None:
    inplace = bench("inplace", ("filter",))
    specs = (Spec("llvm"), passes("licm"), passes("loop-rotate", "loop-unroll<O3;runtime;partial>"), Spec("llvm"))
    hashes = [inplace.build("filter", spec).code_hash for spec in specs]
    assert hashes[0] == hashes[3]
    assert len(set(hashes)) == 3
