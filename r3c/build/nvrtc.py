"""NVRTC: device source to a cubin in tens of milliseconds, in processes of its own that may crash or hang."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import selectors
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from r3c.core.errors import BuildError, MissingExtra

INSTALL = "pip install 'r3c[cuda]' nvidia-cuda-nvrtc"
_START_LIMIT_S = 60.0
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV", "CUDA_HOME", "CUDA_PATH")
_PACKAGE_ROOT = str(Path(__file__).resolve().parents[2])


@dataclass(frozen=True)
class NvrtcResult:
    """`lowered` maps each name expression to its symbol; `log` is what ptxas and the front end said."""

    cubin: bytes
    lowered: dict[str, str]
    log: str


class NvrtcPool:
    """Compiles from any number of threads, each call in an idle process or in a new one."""

    def __init__(self) -> None:
        self._idle: list[_Server] = []
        self._lock = threading.Lock()

    def version(self) -> str:
        """E.g. `13.0`.

        Raises:
            MissingExtra: the package or the library is not there.
        """
        server = self._take()
        self._give_back(server)
        return server.version

    def compile(
        self,
        text: str,
        name: str,
        options: Sequence[str],
        expressions: Sequence[str] = (),
        headers: Mapping[str, str] | None = None,
        timeout_s: float = 60.0,
    ) -> NvrtcResult:
        """A cubin of `text`; `expressions` name the kernels wanted, e.g. `axpy<float>`, `headers` are in memory.

        Raises:
            BuildError: NVRTC's log, a crash, or a time-out.
            MissingExtra: the package or the library is not there.
        """
        server = self._take()
        request: dict[str, Any] = {"text": text, "name": name, "options": list(options)}
        request |= {"expressions": list(expressions), "headers": dict(headers or {})}
        try:
            answer = server.ask(request, timeout_s)
        except BuildError:
            server.close()
            raise
        self._give_back(server)
        if "failed" in answer:
            raise BuildError(answer["failed"], "nvrtc " + " ".join(options), answer["log"])
        return NvrtcResult(base64.b64decode(answer["cubin"]), answer["lowered"], answer["log"])

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for server in idle:
            server.close()

    def _take(self) -> _Server:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return _Server()

    def _give_back(self, server: _Server) -> None:
        with self._lock:
            self._idle.append(server)


@cache
def shared_pool() -> NvrtcPool:
    """The pool of this process; its servers end with it."""
    return NvrtcPool()


class _Server:
    """One compiling process."""

    def __init__(self) -> None:
        environment = {key: value for key, value in os.environ.items() if key in _KEPT}
        paths = [_PACKAGE_ROOT, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._scratch = tempfile.TemporaryDirectory(prefix="r3c-nvrtc-")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "r3c.build.nvrtc_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={**environment, "PYTHONPATH": os.pathsep.join(paths)},
            cwd=self._scratch.name,
            start_new_session=True,
        )
        self._pending = b""
        hello = self._line(_START_LIMIT_S)
        if "unavailable" in hello:
            self.close()
            raise MissingExtra(f"toolchain nvrtc needs NVRTC: {hello['unavailable']}", hint=INSTALL)
        self.version: str = hello["version"]

    def ask(self, request: Mapping[str, Any], timeout_s: float) -> dict[str, Any]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise BuildError("the compiler crashed") from None
        return self._line(timeout_s)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            if stream is not None:
                with contextlib.suppress(OSError):  # what was not sent to a process that has died
                    stream.close()
        self._scratch.cleanup()

    def _line(self, limit_s: float) -> dict[str, Any]:
        stdout, deadline = self._process.stdout, time.monotonic() + limit_s
        assert stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            while b"\n" not in self._pending:
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise BuildError(f"the compiler took longer than {limit_s:g} s and was stopped")
                data = os.read(stdout.fileno(), 1 << 20)
                if not data:
                    raise BuildError("the compiler crashed")
                self._pending += data
        line, _, self._pending = self._pending.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer
