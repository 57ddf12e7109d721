"""The process that replays: `python -m r3c.replay.worker`, JSON lines on standard input and output (see protocol.py).

It is started by `process.py` as the head of its own process group and killed when a kernel hangs. It ends by itself as
soon as its owner is gone.
"""

from __future__ import annotations

import json
import os
import queue
import resource
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from r3c.core.errors import DeviceError, R3CError
from r3c.core.recording import Recording
from r3c.core.result import Verdict
from r3c.devices.base import DeviceInfo, Session, Watching
from r3c.plugins import load
from r3c.recording.store import RecordingStore
from r3c.replay.arena import Arena
from r3c.replay.elements import Bytes
from r3c.replay.image import Image, build_image, union
from r3c.replay.judge import AS_RECORDED, POISON, Judge, Judgement, Kernel
from r3c.replay.mutant import add_mutant
from r3c.replay.on_device import KERNELS, Comparing, OnDevice
from r3c.replay.oracle import weaknesses
from r3c.replay.outside import Pieces, expect_outside, note_on, written_outside
from r3c.replay.protocol import NotPlacedError, Wire, contract_from_wire, mismatch_to_wire, plan_from_wire
from r3c.replay.repeat import repeat
from r3c.replay.sampling import Sampler, SpotChecks
from r3c.replay.timer import TimingPlan

OWN_FAULT = 70
_MOST_FILE_BYTES = 64 << 20  # what a kernel prints is kept; a disk is not to be filled
_MOST_VARIED = 2
_TIMES_CACHE = 4  # less than this may stay in the cache
_TIMES_BANDWIDTH = 2.0  # what a device is said to reach is not exact
_GUARDS = {"cuda": (4096, 2 << 20), "cpu": (15, 16)}  # bytes, page; the cpu device has pages that fault beyond


class Worker:
    """Answers one message at a time; `open` comes first."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._session: Session | None = None
        self._judge: Judge
        self._sampler: Sampler
        self._cold_sampler: Sampler
        self._original: Kernel
        self._mutants: dict[tuple[int, str], int] = {}  # of an image and a kind of varied input

    def answer(self, message: Wire) -> None:
        handlers: dict[str, Callable[..., Wire]] = {
            "open": self._open,
            "gate": self._gate,
            "vary": self._vary,
            "evaluate": self._evaluate,
            "baseline": self._baseline,
            "oracle": self._oracle,
            "repeat": self._repeat,
            "races": self._races,
        }
        what = message.pop("do")
        try:
            self._say({"reply": handlers[what](**message)})
        except R3CError as error:
            if what in ("evaluate", "races") or isinstance(error, DeviceError):
                self._say({"failed": error.diagnostic.message})
            else:
                again = isinstance(error, NotPlacedError)
                self._say({"error": error.diagnostic.message, "hint": error.diagnostic.hint, "again": again})

    def close(self) -> None:
        if self._session is not None:
            self._session.close()

    def _say(self, line: Wire) -> None:
        self._out.write(json.dumps(line) + "\n")
        self._out.flush()

    def _beat(self, what: str) -> None:
        self._say({"beat": what})

    def _open(self, device: str, store: str, recordings: list[str], contract: Wire, baseline: Wire, plan: Wire) -> Wire:
        declared = contract_from_wire(contract)
        kept = RecordingStore(Path(store))
        found = [kept.get(digest) for digest in recordings]
        self._session = session = load("device", device)().open_session()
        ranges = union(found, *_GUARDS.get(session.info.kind, (0, 1)))
        try:
            session.map(ranges)
        except DeviceError as error:
            raise _not_placed(error, found) from error
        images: list[Image] = []
        shared: dict[object, Bytes] = {}
        for recording in found:
            self._beat(f"read recording of {recording.kernel}")
            images.append(build_image(recording, ranges, declared, kept.get_chunk, shared))
        comparer, note = _comparer(session)
        self._judge = Judge(Arena(session, images, ranges, comparer), self._beat)
        self._sampler = Sampler(self._judge, TimingPlan(**plan))
        self._cold_sampler = Sampler(self._judge, replace(TimingPlan(**plan), cold=True))
        self._original = Kernel(session.load(Path(baseline["path"])), baseline["symbol"], AS_RECORDED, "original")
        self._judge.original = self._original
        for index, known in enumerate(baseline["known"]):
            self._judge.deterministic[index] = known["deterministic"]
            images[index].poison = [(address, size) for address, size in known["poison"]]
            expect_outside(images[index], [(address, bytes.fromhex(data)) for address, data in known["outside"]])
        for index, kind in baseline["varied"]:
            self._add_mutant(index, kind)
        return {"least_us": [_least_us(image, session.info) for image in images], "note": note}

    def _learn_outside(self) -> list[tuple[Pieces, str]]:
        """Of each image, with a note for people."""
        found = []
        for index, image in enumerate(self._judge.arena.images):
            pieces = written_outside(self._judge, self._original, index)
            found.append((pieces, note_on(image, pieces)))
            expect_outside(image, pieces)
        return found

    def _gate(self, runs: int) -> Wire:
        learned = self._learn_outside()
        found = [self._judge.reproduce(self._original, index, runs) for index in range(len(learned))]
        return {
            "reproductions": [
                {
                    "exact": r.exact,
                    "deterministic": r.deterministic,
                    "mismatch": mismatch_to_wire(r.mismatch),
                    "error": r.error,
                    "poison": r.poison,
                    "outside": [(address, data.hex()) for address, data in pieces],
                    "notes": (*([note] if note else []), *r.notes),
                }
                for r, (pieces, note) in zip(found, learned, strict=True)
            ]
        }

    def _repeat(self, times: int) -> Wire:
        notes = [note for _, note in self._learn_outside()]
        found = [repeat(self._judge, self._original, index, times) for index in range(len(notes))]
        return {"repetitions": [asdict(replace(r, note=note)) for r, note in zip(found, notes, strict=True)]}

    def _vary(self, indices: list[int], kind: str) -> Wire:
        """Prepares varied inputs of the smallest few of these recordings."""
        images = self._judge.arena.images
        smallest = sorted(indices, key=lambda i: (images[i].recording.heap_bytes, i))[:_MOST_VARIED]
        return {"varied": [[index, kind] for index in sorted(smallest) if self._add_mutant(index, kind)]}

    def _add_mutant(self, index: int, kind: str) -> bool:
        mutant = add_mutant(self._judge, self._original, index, kind)
        if mutant is not None:
            self._mutants[index, kind] = mutant
        return mutant is not None

    def _evaluate(self, path: str, symbol: str, plan: Wire, indices: list[int], time: bool, cold: bool) -> Wire:
        assert self._session is not None
        kernel = Kernel(self._session.load(Path(path)), symbol, plan_from_wire(plan))
        verdict, judged = self._judge.verify(kernel, indices)
        if verdict is not None:
            return _verdict(verdict, judged)
        varied = [mutant for (index, _), mutant in self._mutants.items() if index in indices]
        other = self._judge.verify_once(kernel, varied, POISON[0])
        if other.mismatch is not None:
            return _verdict(Verdict.WRONG, other, "right on the recorded input, wrong on a varied one: ")
        if not time:
            return {"verdict": None, "error": judged.error}
        sampler = self._cold_sampler if cold else self._sampler
        sampler.forget(kernel)
        spots = SpotChecks(self._judge, kernel)
        baseline, candidate, gave_up = sampler.measure(self._original, kernel, indices, spots.check)
        if spots.wrong is not None:
            return _verdict(Verdict.WRONG, spots.wrong, "right at first, wrong while it was timed: ")
        again = self._judge.verify_once(kernel, [*varied, *indices], POISON[1])
        if again.mismatch is not None:
            return _verdict(Verdict.WRONG, again, "right at first, wrong after it was timed: ")
        return {
            "verdict": None,
            "error": judged.error,
            "baseline": baseline,
            "candidate": candidate,
            "gave_up": gave_up,
        }

    def _races(self, path: str, symbol: str, plan: Wire, indices: list[int]) -> Wire:
        """What the device sees threads do unordered in a launch on the smallest of these recordings; None where it cannot look."""
        assert self._session is not None
        if not isinstance(self._session, Watching):
            return {"count": None, "detail": ""}
        index = min(indices, key=lambda i: (self._judge.arena.images[i].recording.heap_bytes, i))
        kernel = Kernel(self._session.load(Path(path)), symbol, plan_from_wire(plan))
        self._judge.arena.prepare(index, POISON[0])
        self._judge.arena.put_globals(kernel.module, index)
        self._beat(f"watch {kernel.label}")
        count, detail = self._session.races(self._judge.launch_of(kernel, index))
        return {"count": count, "detail": detail}

    def _baseline(self, twins: list[str], indices: list[int]) -> Wire:
        """Times of the original beside each of its copies, which would all be the same on a quiet machine."""
        assert self._session is not None
        pairs = []
        for path in twins:
            twin = Kernel(self._session.load(Path(path)), self._original.symbol)
            self._sampler.forget(twin)
            pairs.append(self._sampler.measure(self._original, twin, indices)[:2])
        return {"pairs": pairs}

    def _oracle(self, indices: list[int]) -> Wire:
        return {"weaknesses": [weaknesses(self._judge, self._original, index) for index in indices]}


def _comparer(session: Session) -> tuple[OnDevice | None, str]:
    """What compares where the memory lies; else None, and why not where that may surprise."""
    if not isinstance(session, Comparing):
        return None, ""
    try:
        module = session.comparison_module()
    except DeviceError as error:
        return None, f"results are compared on the host: {error.diagnostic.message}"
    return OnDevice(session, dict.fromkeys(KERNELS, module)), ""


def _not_placed(error: DeviceError, recordings: list[Recording]) -> NotPlacedError:
    """Addresses of memory that the host shares may be taken in this process; those of device memory hardly ever are."""
    kinds = sorted({a.kind for recording in recordings for a in recording.allocations} - {"device"})
    shared = f" (the recording has {' and '.join(kinds)} memory, which the host shares)" if kinds else ""
    return NotPlacedError(
        f"recorded memory cannot be placed: {error.diagnostic.message}{shared}", hint=error.diagnostic.hint
    )


def _least_us(image: Image, info: DeviceInfo) -> float:
    """Time in which no kernel can write what the original changes, 0 where nothing can be said."""
    written = sum(size for _, size in image.changed_elements())
    if info.bandwidth_gb_per_s <= 0 or written < _TIMES_CACHE * info.l2_bytes:
        return 0.0
    return written / (_TIMES_BANDWIDTH * info.bandwidth_gb_per_s * 1e3)


def _verdict(verdict: Verdict, judged: Judgement, prefix: str = "") -> Wire:
    reason = "thread orders or repeats disagree, the original's do not: " if not judged.agrees else prefix
    return {
        "verdict": verdict.value,
        "mismatch": mismatch_to_wire(judged.mismatch),
        "detail": f"{reason}{judged.mismatch or 'results differ within the tolerance'}",
    }


def _read_messages(messages: queue.SimpleQueue[Any]) -> None:
    """Runs beside the kernels: when the owner is gone, nothing that hangs may stay behind."""
    for line in sys.stdin:
        messages.put(json.loads(line))
    os._exit(0)


def _own_fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    traceback.print_exception(kind, error, trace)
    sys.stderr.flush()
    os._exit(OWN_FAULT)


def main() -> None:
    sys.excepthook = _own_fault
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_FILE_BYTES, _MOST_FILE_BYTES))
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    worker = Worker(out)
    messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read_messages, args=(messages,), daemon=True).start()
    while True:
        message = messages.get()
        if message["do"] == "close":
            worker.close()
            os._exit(0)
        worker.answer(message)


if __name__ == "__main__":
    main()
