"""Where recordings last: content-hashed compressed chunks shared by all recordings, and a folder for each of them.

    ROOT/chunks/ab/ab12...        zlib, named by the SHA-256 of what is inside
    ROOT/recordings/<digest>/     manifest.json first, then the chunks, then the empty file `complete`

Every file appears whole or not at all, so several processes may write the same store and any of them may be killed. A
chunk that a failure of power damages is found by its hash.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from r3c.core.errors import RecordError, ReplayError
from r3c.core.recording import Extent, Recording, recording_from_json
from r3c.resources import processors

_LEVEL = 1
_SAMPLE_BYTES = 1 << 20
_WORTH_IT = 0.8  # what does not shrink to this is kept as it is: compressing it takes 20 times as long


class RecordingStore:
    """The recordings under `root`; the folder is made when something is first put there."""

    def __init__(self, root: Path) -> None:
        self.root = Path(root)

    def add(self, recording: Recording, chunks: Mapping[str, Callable[[], bytes]] | None = None) -> str:
        """Keeps `recording` and returns its digest; `chunks` gives the bytes of those not put before.

        Raises:
            RecordError: a chunk of the recording is neither in the store nor given, or is not what it should be.
        """
        folder = self._folder(recording.digest)
        if (folder / "complete").exists():
            return recording.digest
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "manifest.json", recording.to_json().encode())
        missing = [chunk for chunk in chunks_of(recording) if not self.has_chunk(chunk)]
        for chunk in missing:
            if chunks is None or chunk not in chunks:
                raise RecordError(f"chunk {chunk[:12]} of a recording of {recording.kernel} was never stored")
        with ThreadPoolExecutor(processors()) as pool:
            stored = list(pool.map(lambda chunk: self.put_chunk((chunks or {})[chunk]()), missing))
        if stored != missing:
            raise RecordError(f"the capture of {recording.kernel} changed while it was being stored")
        _write(folder / "complete", b"")
        return recording.digest

    def list(self) -> list[Recording]:
        """Complete recordings, ordered by kernel and digest; unfinished ones are ignored."""
        found = [self.get(mark.parent.name) for mark in self.root.glob("recordings/*/complete")]
        return sorted(found, key=lambda recording: (recording.kernel, recording.digest))

    def get(self, digest: str) -> Recording:
        """The complete recording called `digest`.

        Raises:
            ReplayError: there is none, or its manifest is damaged or of another schema.
        """
        folder = self._folder(digest)
        if not (folder / "complete").exists():
            raise ReplayError(f"{folder} holds no complete recording", hint="record the application again")
        try:
            recording = recording_from_json((folder / "manifest.json").read_text(encoding="utf-8"))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ReplayError(f"{folder}/manifest.json cannot be read: {error}", hint="record again") from error
        if recording.digest != digest:
            raise ReplayError(f"{folder}/manifest.json was changed after it was recorded", hint="record again")
        return recording

    def put_chunk(self, data: bytes | memoryview) -> str:
        """Keeps `data` and returns its SHA-256."""
        name = hashlib.sha256(data).hexdigest()
        if not self.has_chunk(name):
            path = self._chunk(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, _compressed(data), lasting=False)  # its name tells whether it is whole
        return name

    def has_chunk(self, name: str) -> bool:
        return self._chunk(name).exists()

    def get_chunk(self, name: str) -> bytes:
        """What was put under `name`.

        Raises:
            ReplayError: it is not there, or is damaged.
        """
        path = self._chunk(name)
        try:
            packed = path.read_bytes()
            data = zlib.decompress(packed, bufsize=max(len(packed), zlib.DEF_BUF_SIZE))
        except (OSError, zlib.error) as error:
            raise ReplayError(f"chunk {name[:12]} cannot be read: {error}", hint="record again") from error
        if hashlib.sha256(data).hexdigest() != name:
            raise ReplayError(f"chunk {name[:12]} is damaged", hint="record again")
        return data

    def put_note(self, name: str, text: str) -> None:
        """Keeps a text beside the recordings; the last one of its name counts."""
        self.root.mkdir(parents=True, exist_ok=True)
        _write(self.root / f"{name}.json", text.encode())

    def get_note(self, name: str) -> str | None:
        path = self.root / f"{name}.json"
        return path.read_text(encoding="utf-8") if path.is_file() else None

    def stored_bytes(self) -> int:
        """Size on disk of all chunks, compressed."""
        return sum(path.stat().st_size for path in self.root.glob("chunks/*/*"))

    def _chunk(self, name: str) -> Path:
        return self.root / "chunks" / name[:2] / name

    def _folder(self, digest: str) -> Path:
        return self.root / "recordings" / digest


def _compressed(data: bytes | memoryview) -> bytes:
    """In zlib's format; without compression where a sample from the middle does not shrink."""
    middle = max(0, (len(data) - _SAMPLE_BYTES) // 2)
    sample = data[middle : middle + _SAMPLE_BYTES]
    shrinks = len(zlib.compress(sample, _LEVEL)) <= _WORTH_IT * len(sample)
    return zlib.compress(data, _LEVEL if shrinks else 0)


def chunks_of(recording: Recording) -> Iterator[str]:
    """Every chunk the recording needs, each once."""
    seen: set[str] = {""}
    extents: list[Extent] = []
    for allocation in recording.allocations:
        extents += [*allocation.prologue, *allocation.epilogue]
    for symbol in recording.globals:
        extents += [*symbol.prologue, *symbol.epilogue]
    for name in (*(extent.chunk for extent in extents), recording.module):
        if name not in seen:
            seen.add(name)
            yield name


def _write(path: Path, data: bytes, lasting: bool = True) -> None:
    """Atomic: a file beside it, renamed. Where `lasting`, a failure of power does not undo it either."""
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    if not lasting:
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
