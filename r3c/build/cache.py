"""Built candidates kept by content: what went in (source, included files, options, tools) names what came out.

One file an entry: a line of JSON with the digest of the rest, then the binary. Entries are written beside their place and
moved there, so several processes may share a cache; one that is cut short or damaged does not count.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path

from r3c.build.includes import include_graph
from r3c.build.toolchains.base import BuildRequest, Toolchain
from r3c.core.binary import Binary
from r3c.core.compile import CompileCommand
from r3c.core.errors import BuildError
from r3c.resources import user_cache

FORMAT = 1
LIMIT_BYTES = 4 << 30  # beyond it the entries used longest ago go, when a process writes its first one


class BuildCache:
    """A folder of built candidates; the default one is `builds` under r3c's cache folder."""

    def __init__(self, root: Path | None = None, limit_bytes: int = LIMIT_BYTES) -> None:
        self.root = root or user_cache() / "builds"
        self._limit_bytes = limit_bytes
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._trimmed = False

    def build(self, toolchain: Toolchain, request: BuildRequest, folder: Path) -> Binary:
        """What `toolchain` makes of `request`, from the cache where it is there; its file lies in `folder`.

        Raises:
            BuildError: it does not compile; failures are not kept.
        """
        key = key_of(toolchain, request)
        with self._locks[key]:  # another thread that wants the same waits for it
            found = self.get(key, folder)
            if found is not None:
                return found
            binary = toolchain.build(request, folder)
            self.put(key, binary)
            return binary

    def get(self, key: str, folder: Path) -> Binary | None:
        """The entry, its file written to `folder`; None where there is none that is whole."""
        path = self._path(key)
        try:
            head, _, payload = path.read_bytes().partition(b"\n")
            known = json.loads(head)
        except (OSError, ValueError):
            return None
        if known.get("format") != FORMAT or known["digest"] != hashlib.sha256(payload).hexdigest():
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        output = folder / known["file"]
        output.write_bytes(payload)
        return Binary(**{**known["binary"], "path": str(output), "seconds": 0.0})

    def put(self, key: str, binary: Binary) -> None:
        """Keeps `binary`; a folder that cannot be written to is no error, the next build is only slower."""
        payload = Path(binary.path).read_bytes()
        digest = hashlib.sha256(payload).hexdigest()
        kept = asdict(replace(binary, path=""))
        head = {"format": FORMAT, "digest": digest, "file": Path(binary.path).name, "binary": kept}
        path = self._path(key)
        with contextlib.suppress(OSError):
            if not self._trimmed:
                self._trimmed = True
                self._trim()
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, json.dumps(head).encode() + b"\n" + payload)

    def size(self) -> tuple[int, int]:
        """Entries and bytes."""
        sizes = [found.st_size for _, found in self._entries()]
        return len(sizes), sum(sizes)

    def clear(self) -> int:
        """Removes every entry; how many there were."""
        removed = 0
        for path, _ in self._entries():
            with contextlib.suppress(OSError):
                path.unlink()
                removed += 1
        return removed

    def _path(self, key: str) -> Path:
        return self.root / key[:2] / key

    def _entries(self) -> Iterator[tuple[Path, os.stat_result]]:
        for path in sorted(self.root.glob("??/*")):
            with contextlib.suppress(OSError):
                yield path, path.stat()

    def _trim(self) -> None:
        entries = sorted(self._entries(), key=lambda entry: entry[1].st_mtime)
        surplus = sum(found.st_size for _, found in entries) - self._limit_bytes
        for path, found in entries:
            if surplus <= 0:
                return
            path.unlink(missing_ok=True)
            surplus -= found.st_size


def write_atomically(path: Path, data: bytes) -> None:
    """`data` at `path`: readers see what was there before, or all of it."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def key_of(toolchain: Toolchain, request: BuildRequest) -> str:
    """SHA-256 over all that decides what is built; where the application lies does not."""
    command = request.command
    folder = str(Path(command.file or request.source.path).parent)
    said = json.dumps(
        [
            FORMAT, toolchain.name, toolchain.version(), str(request.options), request.architecture, request.kernel,
            request.symbol, command.standard, command.flags, command.arguments, command.preprocessor_arguments(),
            Path(request.source.path).name, [Path(path).name for path in request.includers],
        ]
    )  # fmt: skip
    digest = hashlib.sha256(said.replace(folder, ".").encode("utf-8", "surrogateescape"))
    digest.update(request.source.data)
    for file_digest in _included(request):
        digest.update(file_digest.encode())
    return digest.hexdigest()


def _included(request: BuildRequest) -> list[str]:
    """Digests of the files that the unit includes, but for the one that the request replaces."""
    if not request.command.file:
        return []
    replaced = Path(request.source.path).resolve() if request.includers else Path(request.command.file).resolve()
    try:
        files = _files_of(request.command)
        return [_digest(str(path), *_stamp(path)) for path in files if path != replaced]
    except OSError as error:
        raise BuildError(f"{error.filename} cannot be read: {error.strerror}") from None


@lru_cache(maxsize=64)
def _files_of(command: CompileCommand) -> tuple[Path, ...]:
    return tuple(include_graph(command).edges)


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns


@lru_cache(maxsize=4096)
def _digest(path: str, size_bytes: int, changed_ns: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
