"""Reads the raw captures that a recorder left, and keeps them as recordings."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from r3c.core.errors import RecordError
from r3c.core.recording import Allocation, Argument, Extent, GlobalSymbol, Recording
from r3c.recording.store import RecordingStore
from r3c.resources import processors

Chunks = dict[str, Callable[[], bytes]]  # the bytes of chunks that are not in the store yet, by SHA-256


@dataclass(frozen=True)
class LaunchCount:
    """Launches of one kernel with the same geometry and scalar arguments; `total_us` is their device time."""

    kernel: str
    symbol: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    key: str
    count: int
    total_us: float


@dataclass
class _Draft:
    """A recording with its key and the bytes of its chunks, not yet stored."""

    recording: Recording
    key: str
    chunks: Chunks = field(default_factory=dict)


def read_counts(capture_dir: Path) -> list[LaunchCount]:
    """Launch counts of every process of the run, the most time first."""
    rows: list[LaunchCount] = []
    for path in sorted(Path(capture_dir).glob("counts*.json")):
        for raw in json.loads(path.read_text(encoding="utf-8")):
            shape = {axis: tuple(raw[axis]) for axis in ("grid", "block")}
            rows.append(LaunchCount(**{**raw, **shape}))
    return sorted(rows, key=lambda row: (-row.total_us, row.kernel, row.key))


def ingest(
    capture_dir: Path,
    store: RecordingStore,
    device_name: str,
    parameter_names: Mapping[str, Sequence[str]],
    withhold: int = 1,
    device: str = "cpu",
    note: Callable[[str], None] = lambda reason: None,
) -> list[Recording]:
    """Stores every complete launch under `capture_dir`, in the order of launching.

    Args:
        device_name: what the device calls itself; `device` is its kind.
        parameter_names: the names of each kernel's parameters in order, as they are in the source.
        withhold: recordings of each kernel to keep back from the search; one is always left to it.
        note: told about each launch that is left out, with the reason.

    Raises:
        RecordError: there is nothing complete in the capture.
    """
    drafts: list[_Draft] = []
    refused = _refused_at_launch(Path(capture_dir))
    reader = _Reader(Path(capture_dir))
    for done in sorted(Path(capture_dir).glob("[0-9]*/done")):
        try:
            drafts.append(reader.read_launch(done.parent, device, device_name, parameter_names))
        except RecordError as error:
            refused.append(str(error))
    if not drafts:
        raise RecordError(_nothing(Path(capture_dir), refused))
    _share_occurrences(drafts, {row.key: row.count for row in read_counts(capture_dir)})
    _withhold(drafts, withhold)
    for draft in drafts:
        store.add(draft.recording, draft.chunks)
    for reason in refused:
        note(reason)
    return [draft.recording for draft in drafts]


def _refused_at_launch(capture_dir: Path) -> list[str]:
    """What the recorder would not record, `kernel: reason`; a `*` stands for launches that it could not tell apart."""
    path = capture_dir / "refusals.txt"
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
    pairs = [line.partition("\t")[::2] for line in dict.fromkeys(lines)]
    return [reason if kernel == "*" else f"{kernel}: {reason}" for kernel, reason in pairs]


def _nothing(capture_dir: Path, refused: Sequence[str]) -> str:
    if refused:
        return "no launch could be recorded:\n" + "\n".join(f"  {reason}" for reason in refused)
    seen = sorted({row.kernel for row in read_counts(capture_dir)})
    if not seen:
        return "the run launched no kernel"
    return f"none of the kernels asked for was launched; the run launched {', '.join(seen)}"


class _Reader:
    """Reads launches of one capture; each file with memory before a launch is hashed once, in several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        paths = sorted(folder.glob("pieces/*"))
        with ThreadPoolExecutor(processors()) as pool:
            self._pieces = dict(zip(paths, pool.map(_Piece.of_file, paths), strict=True))

    def read_launch(self, folder: Path, device: str, device_name: str, names: Mapping[str, Sequence[str]]) -> _Draft:
        """The launch in `folder`.

        Raises:
            RecordError: something of it is missing, or it cannot be replayed.
        """
        try:
            raw: dict[str, Any] = json.loads((folder / "launch.json").read_text(encoding="utf-8"))
            changes = json.loads((folder / "after.json").read_text(encoding="utf-8"))
            duration_us = float((folder / "done").read_text() or 0)
        except (OSError, ValueError) as error:
            raise RecordError(f"launch {folder.name}: {error}") from error
        where = f"launch {folder.name} of {raw['kernel']}"
        _refuse_pointer_to_global(where, raw)
        chunks: Chunks = {}
        try:
            after = self._epilogues(folder / "after.bin", changes, chunks)
            allocations = [
                Allocation(a["address"], a["size"], self._prologue(a, chunks), after[f"{a['address']:x}"], a["kind"])
                for a in raw["allocations"]
            ]
            symbols = [
                GlobalSymbol(g["name"], g["size"], self._prologue(g, chunks), after[f"g.{g['name']}"])
                for g in raw["globals"]
            ]
            module = _Piece.of_file(self._folder / raw["module"]).put_in(chunks, 0).chunk if raw["module"] else ""
        except (OSError, RecordError) as error:
            raise RecordError(f"{where}: {error}") from error
        recording = Recording(
            kernel=raw["kernel"],
            symbol=raw["symbol"],
            device=device,
            device_name=device_name,
            grid=tuple(raw["grid"]),
            block=tuple(raw["block"]),
            shared_bytes=raw["shared_bytes"],
            arguments=_arguments(raw, names.get(raw["kernel"], ())),
            packed=raw["packed"],
            allocations=tuple(allocations),
            globals=tuple(symbols),
            module=module,
            attributes=raw["attributes"],
            duration_us=duration_us,
        )
        return _Draft(recording, raw["key"], chunks)

    def _prologue(self, raw: dict[str, Any], chunks: Chunks) -> tuple[Extent, ...]:
        extents: list[Extent] = []
        at = 0
        for name in raw["before"]:
            piece = self._pieces.get(self._folder / name)
            if piece is None:
                raise RecordError(f"{name} is missing")
            extents.append(piece.put_in(chunks, at))
            at += piece.size_bytes
        if at != raw["size"]:
            raise RecordError(f"{', '.join(raw['before'])} hold {at} bytes, expected {raw['size']}")
        return tuple(extents)

    def _epilogues(
        self, path: Path, changes: list[dict[str, Any]], chunks: Chunks
    ) -> defaultdict[str, tuple[Extent, ...]]:
        """What was changed, by allocation or global."""
        size, expected = path.stat().st_size, sum(change["size"] for change in changes)
        if size != expected:
            raise RecordError(f"{path.name} holds {size} bytes, expected {expected}")
        with ThreadPoolExecutor(processors()) as pool:
            pieces = list(pool.map(lambda change: _Piece.hashed(path, change["at"], change["size"]), changes))
        found: defaultdict[str, tuple[Extent, ...]] = defaultdict(tuple)
        for change, piece in zip(changes, pieces, strict=True):
            found[change["of"]] += (piece.put_in(chunks, change["offset"]),)
        return found


@dataclass(frozen=True)
class _Piece:
    """Bytes in a file of the capture, and their SHA-256."""

    path: Path
    at: int
    size_bytes: int
    chunk: str

    @classmethod
    def of_file(cls, path: Path) -> _Piece:
        return cls.hashed(path, 0, path.stat().st_size)

    @classmethod
    def hashed(cls, path: Path, at: int, size_bytes: int) -> _Piece:
        return cls(path, at, size_bytes, hashlib.sha256(_bytes(path, at, size_bytes)).hexdigest())

    def put_in(self, chunks: Chunks, offset: int) -> Extent:
        """An extent at `offset` of its allocation; `chunks` learns where its bytes are."""
        chunks.setdefault(self.chunk, partial(_bytes, self.path, self.at, self.size_bytes))
        return Extent(offset, self.size_bytes, self.chunk)


def _bytes(path: Path, at: int, size_bytes: int) -> bytes:
    with path.open("rb") as file:
        file.seek(at)
        return file.read(size_bytes)


def _arguments(raw: dict[str, Any], names: Sequence[str]) -> tuple[Argument, ...]:
    known = names if len(names) == len(raw["arguments"]) else [""] * len(raw["arguments"])
    return tuple(Argument(a["offset"], a["size"], name) for a, name in zip(raw["arguments"], known, strict=True))


def _refuse_pointer_to_global(where: str, raw: dict[str, Any]) -> None:
    """A rebuilt kernel has its globals elsewhere, so a stored pointer to one would lead astray."""
    if raw.get("pointer_to_global"):
        raise RecordError(
            f"{where}: {raw['pointer_lies_in']} holds a pointer to the global {raw['pointer_to_global']}, "
            "which lies elsewhere in a rebuilt kernel",
            hint="pass the data in allocated memory instead",
        )


def _share_occurrences(drafts: list[_Draft], counts: Mapping[str, int]) -> None:
    """Launches of one key are shared out among its recordings, so that all occurrences add up to the run's launches."""
    by_key: dict[str, list[_Draft]] = defaultdict(list)
    for draft in drafts:
        by_key[draft.key].append(draft)
    for key, same in by_key.items():
        each, rest = divmod(max(counts.get(key, 0), len(same)), len(same))
        for place, draft in enumerate(same):
            draft.recording = replace(draft.recording, occurrences=each + (place < rest))


def _withhold(drafts: list[_Draft], count: int) -> None:
    """Keeps back the latest repeats of a key first, and never the only recording of a symbol."""
    by_symbol: dict[str, list[_Draft]] = defaultdict(list)
    for draft in drafts:
        by_symbol[draft.recording.symbol].append(draft)
    for same in by_symbol.values():
        left = list(same)
        for _ in range(min(count, len(same) - 1)):
            keys = [draft.key for draft in left]
            chosen = next((d for d in reversed(left) if keys.count(d.key) > 1), left[-1])
            left.remove(chosen)
            chosen.recording = replace(chosen.recording, withheld=True)
