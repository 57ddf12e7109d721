from __future__ import annotations

import multiprocessing
from dataclasses import replace
from pathlib import Path

import pytest

from r3c.build.cache import BuildCache, key_of
from r3c.build.toolchains.base import BuildRequest
from r3c.core.binary import Binary
from r3c.core.compile import CompileCommand
from r3c.core.errors import BuildError
from r3c.core.source import Source
from r3c.core.spec import Spec


class Copier:
    """A toolchain whose machine code is the source."""

    name = "copier"

    def __init__(self, version: str = "1") -> None:
        self._version = version
        self.built = 0

    def version(self) -> str:
        return self._version

    def build(self, request: BuildRequest, folder: Path) -> Binary:
        self.built += 1
        if "error" in request.source.text:
            raise BuildError("no")
        path = folder / "candidate.bin"
        path.write_bytes(request.source.data * 1000)
        return Binary(str(path), request.symbol, "hash", str(request.options), {"registers": 3.0}, "copy", 0.5)


def request_of(folder: Path, text: str = "int a;\n", options: str = "copier") -> BuildRequest:
    folder.mkdir(exist_ok=True)
    if not (folder / "used.h").exists():
        (folder / "used.h").write_text("int used;\n")
        (folder / "main.cu").write_text('#include "used.h"\n')
    command = CompileCommand(str(folder / "main.cu"), include_paths=(str(folder),), defines=("N=1",))
    return BuildRequest(Source(str(folder / "main.cu"), text), "k", "_Z1k", command, Spec(options), "sm_90")


def build(cache: BuildCache, toolchain: Copier, request: BuildRequest, folder: Path) -> Binary:
    folder.mkdir(exist_ok=True)
    return cache.build(toolchain, request, folder)  # type: ignore[arg-type]


def test_what_was_built_once_is_not_built_again(tmp_path: Path) -> None:
    cache, toolchain, request = BuildCache(tmp_path / "cache"), Copier(), request_of(tmp_path / "app")
    first = build(cache, toolchain, request, tmp_path / "a")
    again = build(BuildCache(tmp_path / "cache"), toolchain, request, tmp_path / "b")
    assert toolchain.built == 1
    assert again == replace(first, path=str(tmp_path / "b" / "candidate.bin"), seconds=0.0)
    assert Path(again.path).read_bytes() == Path(first.path).read_bytes()
    assert cache.size()[0] == 1
    assert cache.clear() == 1
    assert cache.size() == (0, 0)


def test_everything_that_decides_the_code_is_in_the_key(tmp_path: Path) -> None:
    request = request_of(tmp_path / "app")
    keys = {key_of(Copier(), request)}  # type: ignore[arg-type]
    others = [
        (Copier("2"), request),
        (Copier(), request_of(tmp_path / "app", "int b;\n")),
        (Copier(), replace(request, options=Spec.of("copier", {"o": 1}))),
        (Copier(), replace(request, architecture="sm_80")),
        (Copier(), replace(request, symbol="_Z1l")),
        (Copier(), replace(request, command=replace(request.command, defines=("N=2",)))),
        (Copier(), replace(request, command=replace(request.command, flags=("-ftz=true",)))),
    ]
    for toolchain, other in others:
        keys.add(key_of(toolchain, other))  # type: ignore[arg-type]
    assert len(keys) == len(others) + 1
    (tmp_path / "app" / "used.h").write_text("int changed;\n")
    assert key_of(Copier(), request) not in keys  # type: ignore[arg-type]


def test_where_the_application_lies_is_not(tmp_path: Path) -> None:
    keys = {key_of(Copier(), request_of(tmp_path / name)) for name in ("one", "two")}  # type: ignore[arg-type]
    assert len(keys) == 1


def test_failures_are_not_kept(tmp_path: Path) -> None:
    cache, toolchain, request = BuildCache(tmp_path / "cache"), Copier(), request_of(tmp_path / "app", "error")
    for _ in range(2):
        with pytest.raises(BuildError):
            build(cache, toolchain, request, tmp_path / "a")
    assert toolchain.built == 2


@pytest.mark.parametrize("kept", [0, 10, -1])
def test_an_entry_cut_short_is_built_again(kept: int, tmp_path: Path) -> None:
    cache, toolchain, request = BuildCache(tmp_path / "cache"), Copier(), request_of(tmp_path / "app")
    build(cache, toolchain, request, tmp_path / "a")
    (entry,) = (tmp_path / "cache").glob("??/*")
    entry.write_bytes(entry.read_bytes()[:kept])
    binary = build(cache, toolchain, request, tmp_path / "b")
    assert toolchain.built == 2
    assert Path(binary.path).read_bytes() == request.source.data * 1000


def test_old_entries_go_when_there_are_too_many(tmp_path: Path) -> None:
    request = request_of(tmp_path / "app")
    build(BuildCache(tmp_path / "cache"), Copier(), request, tmp_path / "a")
    small = BuildCache(tmp_path / "cache", limit_bytes=100)
    build(small, Copier(), replace(request, symbol="other"), tmp_path / "a")
    assert small.size()[0] == 1


def test_a_cache_that_cannot_be_written_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    cache, toolchain = BuildCache(tmp_path / "cache"), Copier()
    assert build(cache, toolchain, request_of(tmp_path / "app"), tmp_path / "a").code_hash == "hash"


def _build_fifty(root: str, number: int) -> None:
    cache, folder = BuildCache(Path(root) / "cache"), Path(root) / f"out{number}"
    for index in range(50):
        build(cache, Copier(), request_of(Path(root) / "app", f"int a{index};\n"), folder)


def test_two_processes_that_build_the_same_share_one_whole_cache(tmp_path: Path) -> None:
    request_of(tmp_path / "app")
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_build_fifty, args=(str(tmp_path), number)) for number in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    cache, toolchain = BuildCache(tmp_path / "cache"), Copier()
    assert cache.size()[0] == 50
    for index in range(50):
        build(cache, toolchain, request_of(tmp_path / "app", f"int a{index};\n"), tmp_path / "again")
    assert toolchain.built == 0
    assert not list((tmp_path / "cache").glob("??/.new-*"))
