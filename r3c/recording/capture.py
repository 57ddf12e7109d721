"""Reads the raw captures that a recorder left, and keeps them as recordings."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from r3c.core.errors import RecordError
from r3c.core.recording import Allocation, Argument, Extent, GlobalSymbol, Recording
from r3c.recording.changes import changed_ranges, words_within
from r3c.recording.store import CHUNK_BYTES, RecordingStore


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
    chunks: dict[str, Callable[[], bytes]] = field(default_factory=dict)


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
    for done in sorted(Path(capture_dir).glob("[0-9]*/done")):
        try:
            drafts.append(_read_launch(done.parent, device, device_name, parameter_names))
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


def _read_launch(folder: Path, device: str, device_name: str, names: Mapping[str, Sequence[str]]) -> _Draft:
    try:
        raw: dict[str, Any] = json.loads((folder / "launch.json").read_text(encoding="utf-8"))
        duration_us = float((folder / "done").read_text() or 0)
    except (OSError, ValueError) as error:
        raise RecordError(f"launch {folder.name}: {error}") from error
    chunks: dict[str, Callable[[], bytes]] = {}
    try:
        _refuse_pointers_to_globals(folder, raw)
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
            allocations=tuple(_allocation(folder, a, chunks) for a in raw["allocations"]),
            globals=tuple(_global(folder, g, chunks) for g in raw["globals"]),
            module=_whole_file(folder.parent / raw["module"], chunks) if raw["module"] else "",
            attributes=raw["attributes"],
            duration_us=duration_us,
        )
    except OSError as error:
        raise RecordError(f"launch {folder.name} of {raw['kernel']}: {error}") from error
    return _Draft(recording, raw["key"], chunks)


def _arguments(raw: dict[str, Any], names: Sequence[str]) -> tuple[Argument, ...]:
    known = names if len(names) == len(raw["arguments"]) else [""] * len(raw["arguments"])
    return tuple(Argument(a["offset"], a["size"], name) for a, name in zip(raw["arguments"], known, strict=True))


def _allocation(folder: Path, raw: dict[str, Any], chunks: dict[str, Callable[[], bytes]]) -> Allocation:
    prologue, epilogue = _extents(folder, f"{raw['address']:x}.bin", raw["size"], chunks)
    return Allocation(raw["address"], raw["size"], prologue, epilogue, raw["kind"])


def _global(folder: Path, raw: dict[str, Any], chunks: dict[str, Callable[[], bytes]]) -> GlobalSymbol:
    prologue, epilogue = _extents(folder, f"g.{raw['name']}.bin", raw["size"], chunks)
    return GlobalSymbol(raw["name"], raw["size"], prologue, epilogue)


def _extents(
    folder: Path, name: str, size_bytes: int, chunks: dict[str, Callable[[], bytes]]
) -> tuple[tuple[Extent, ...], tuple[Extent, ...]]:
    before, after = folder / f"in.{name}", folder / f"out.{name}"
    for path in (before, after):
        if path.stat().st_size != size_bytes:
            raise RecordError(f"{path} holds {path.stat().st_size} bytes, expected {size_bytes}")
    whole = [(at, min(CHUNK_BYTES, size_bytes - at)) for at in range(0, size_bytes, CHUNK_BYTES)]
    prologue = tuple(_extent(before, at, n, chunks) for at, n in whole)
    epilogue = tuple(_extent(after, at, n, chunks) for at, n in changed_ranges(before, after, CHUNK_BYTES))
    return prologue, epilogue


def _extent(path: Path, offset: int, size_bytes: int, chunks: dict[str, Callable[[], bytes]]) -> Extent:
    name = hashlib.sha256(_piece(path, offset, size_bytes)).hexdigest()
    chunks.setdefault(name, partial(_piece, path, offset, size_bytes))
    return Extent(offset, size_bytes, name)


def _whole_file(path: Path, chunks: dict[str, Callable[[], bytes]]) -> str:
    return _extent(path, 0, path.stat().st_size, chunks).chunk


def _piece(path: Path, offset: int, size_bytes: int) -> bytes:
    with path.open("rb") as file:
        file.seek(offset)
        return file.read(size_bytes)


def _refuse_pointers_to_globals(folder: Path, raw: dict[str, Any]) -> None:
    """A rebuilt kernel has its globals elsewhere, so a stored pointer to one would lead astray."""
    spans = {g["name"]: (g["address"], g["size"]) for g in raw["globals"] if g.get("address")}
    if not spans:
        return
    places: dict[str, bytes | Path] = {"its arguments": bytes.fromhex(raw["packed"])}
    for a in raw["allocations"]:
        places[f"the memory at {a['address']:#x}"] = folder / f"in.{a['address']:x}.bin"
    for place, data in places.items():
        hit = words_within(data, spans)
        if hit:
            raise RecordError(
                f"launch {folder.name} of {raw['kernel']}: {place} holds a pointer to the global {hit}, "
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
