"""One recorded kernel of a sample, ready to judge changed sources of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import TracebackType

from r3c import plugins
from r3c.build.original import build_binary, original_binary, unit_of
from r3c.build.record import STORE, RecordOptions, record_app
from r3c.build.toolchains.base import Toolchain
from r3c.core.binary import Binary
from r3c.core.result import Outcome
from r3c.core.source import Source
from r3c.core.spec import Spec
from r3c.devices.base import Device
from r3c.recording.store import RecordingStore
from r3c.replay.replayer import Replayer
from r3c.tree.parse import parse
from r3c.tree.regions import region

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "samples" / "matmul"
KERNEL = "matmul"


class Court:
    """Records the sample on `device` below `folder`, and lets its original reproduce the recordings."""

    def __init__(
        self, device: str, folder: Path, timeout_s: float = 20.0, sample: Path = SAMPLE, kernel: str = KERNEL
    ) -> None:
        self.device: Device = plugins.load("device", device)()
        self.folder = folder
        recorded = record_app(sample, device, folder / "record", RecordOptions((kernel,)))
        self.unit = unit_of(recorded.commands, kernel, root=recorded.folder)
        self.recordings = recorded.of_kernel(kernel)
        store = RecordingStore(folder / "record" / STORE)
        original = original_binary(self.unit, self.recordings[0], store, self.device, folder / "original")
        contract = region(parse(self.unit.source), kernel).contract
        self._new = partial(Replayer, device, store, self.recordings, contract, original, timeout_s)
        self.replayer = self._new()
        self.gate = self.replayer.gate()
        self.gate.require()
        self._made = 0

    def fresh_replayer(self) -> Replayer:
        """A new process that has shown that the original reproduces its recordings."""
        fresh = self._new()
        fresh.gate().require()
        return fresh

    @property
    def text(self) -> str:
        return self.unit.source.text

    def build(self, text: str) -> Binary:
        self._made += 1
        source = Source(self.unit.source.path, text)
        return build_binary(self.unit, source, self.recordings[0], self.device, self.folder / f"candidate{self._made}")

    def build_with(self, toolchain: Toolchain, options: Spec) -> Binary:
        """The original's source, built otherwise."""
        self._made += 1
        folder = self.folder / f"candidate{self._made}"
        folder.mkdir()
        recording, architecture = self.recordings[0], self.device.info().architecture
        request = self.unit.request(self.unit.source, recording.kernel, recording.symbol, options, architecture)
        return toolchain.build(request, folder)

    def judge(self, text: str, time: bool = False) -> Outcome:
        return self.replayer.evaluate(self.build(text), time=time)

    def __enter__(self) -> Court:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.replayer.close()


STORE_LINE = "  if (row < n && col < n) c[row * n + col] = sum;\n"
BARRIER = "    __syncthreads();\n"
_HERE = "row == n / 2 && col == n / 3"


def mutants(text: str) -> dict[str, str]:
    """Sources of the sample, each wrong in one way."""

    def after(line: str) -> str:
        return text.replace(STORE_LINE, f"{STORE_LINE}  {line}\n")

    return {
        "no-op kernel": text.replace(STORE_LINE, "  if (sum == 12345.678f && row < 0) c[0] = sum;\n"),
        "one element wrong": after(f"if ({_HERE}) c[row * n + col] = sum + 0.01f;"),
        "NaN written": after(f"if ({_HERE}) c[row * n + col] = NAN;"),
        "tail dropped": text.replace("col < n) c[", "col < n && row * n + col < n * n - 5) c["),
        "input overwritten": after("if (row == n - 1 && col == n - 1) const_cast<float *>(a)[n * n - 1] += 1e-6f;"),
        "out-of-bounds read, next element": after(f"if ({_HERE}) c[row * n + col] = sum + a[n * n] + a[n * n + 9];"),
        "out-of-bounds read, far away": after(f"if ({_HERE}) c[row * n + col] = sum + a[1LL << 38];"),
        "out-of-bounds write": after("if (row == n - 1 && col == n - 1) c[1LL << 38] = sum;"),
        "race, last writer wins": after("if (row < n && col < n) c[n + 1] = sum;"),
        "race, barrier left out": text.replace(BARRIER, "", 1),
        "endless loop": after(f"if ({_HERE}) for (volatile int w = 1; w;) __threadfence();"),
    }


ILLEGAL = "out-of-bounds write"
HANGS = "endless loop"
