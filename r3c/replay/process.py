"""Owns one replay worker process: starts it, asks it, and kills its whole group when a kernel hangs."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

from r3c.core.errors import ReplayError
from r3c.replay.protocol import NotPlacedError, Wire
from r3c.replay.worker import OWN_FAULT

_PACKAGE_ROOT = Path(__file__).resolve().parents[2]
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV", "TZ")
_KEPT_PREFIXES = ("CUDA_", "NVIDIA_", "XDG_CACHE_", "R3C_CACHE")
_TAIL_BYTES = 4000


class KernelHungError(ReplayError):
    """A step took longer than it may; the worker has been killed."""


class KernelFailedError(ReplayError):
    """A launch was refused or ended in a fault, or the process died of it; the worker has been killed."""


class DisturbedError(ReplayError):
    """The worker was killed or stopped by something else than its kernel: the same step may be tried again."""


def scrubbed_environment() -> dict[str, str]:
    """What a worker may see of this process's environment: where things are, no keys and no settings of the user."""
    kept = {k: v for k, v in os.environ.items() if k in _KEPT or k.startswith(_KEPT_PREFIXES)}
    given = filter(None, kept.get("PYTHONPATH", "").split(os.pathsep))
    paths = [str(_PACKAGE_ROOT), *(str(Path(path).resolve()) for path in given)]
    return {**kept, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0"}


@cache
def alone(device: str) -> tuple[str, ...]:
    """The start of a command that runs it without a network, where this machine can do that; empty where it cannot.

    Only on the CPU device: what drivers of others talk to is not known here.
    """
    program = shutil.which("unshare") if device == "cpu" else None
    if program is None:
        return ()
    words = (program, "--map-root-user", "--net")
    tried = subprocess.run([*words, "true"], capture_output=True, check=False)
    return words if tried.returncode == 0 else ()


class WorkerProcess:
    """One worker in its own process group and an empty folder of its own; `kill` it when done. `start_s` is the time until it was ready."""

    def __init__(self, opening: Wire, limit_s: float) -> None:
        started = time.monotonic()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._scratch = tempfile.TemporaryDirectory(prefix="r3c-replay-")
        self._process = subprocess.Popen(
            [*alone(opening["device"]), sys.executable, "-m", "r3c.replay.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=scrubbed_environment(),
            cwd=self._scratch.name,
            start_new_session=True,
        )
        self._pending = b""
        try:
            self.opened = self.ask({"do": "open", **opening}, limit_s)
        except (KernelHungError, KernelFailedError) as error:
            raise ReplayError(f"the replay worker cannot start: {error.diagnostic.message}") from error
        self.start_s = time.monotonic() - started

    def ask(self, message: Wire, limit_s: float) -> Wire:
        """The worker's reply; `limit_s` is for each step between two beats.

        Raises:
            KernelHungError: a step took longer.
            KernelFailedError: the device refused or failed, or the worker died.
            ReplayError: the recording cannot be replayed here, or the worker itself is at fault.
        """
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(json.dumps(message).encode() + b"\n")
            stdin.flush()
        except OSError:
            raise self._died() from None
        step = "starting"
        while True:
            line = self._line(step, limit_s)
            if "beat" in line:
                step = line["beat"]
            elif "failed" in line:
                self.kill()
                raise KernelFailedError(line["failed"])
            elif "error" in line:
                self.kill()
                kind = NotPlacedError if line.get("again") else ReplayError
                raise kind(line["error"], hint=line["hint"])
            else:
                reply: Wire = line["reply"]
                return reply

    def kill(self) -> None:
        """Ends the worker and all that it started; harmless when it is gone."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._scratch.cleanup()

    def close(self) -> None:
        """Lets the worker close its device, for a while, then kills what is left."""
        stdin = self._process.stdin
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            assert stdin is not None
            stdin.write(b'{"do": "close"}\n')
            stdin.flush()
            self._process.wait(5)
        self.kill()
        self._log.close()

    def _line(self, step: str, limit_s: float) -> dict[str, Any]:
        stdout = self._process.stdout
        assert stdout is not None
        deadline = time.monotonic() + limit_s
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            while b"\n" not in self._pending:
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    stopped = self._is_stopped()
                    self.kill()
                    if stopped:
                        raise DisturbedError(f"{step}: the replay worker was stopped from outside")
                    raise KernelHungError(f"{step}: still running after {limit_s:.1f} s")
                data = os.read(stdout.fileno(), 1 << 16)
                if not data:
                    raise self._died()
                self._pending += data
        text, _, self._pending = self._pending.partition(b"\n")
        found: dict[str, Any] = json.loads(text)
        return found

    def _is_stopped(self) -> bool:
        try:
            text = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False
        return text[text.rfind(")") + 2 :][:1] in ("T", "t")

    def _died(self) -> ReplayError:
        self.kill()
        code = self._process.returncode
        words = self._last_words()
        if code == OWN_FAULT:
            return ReplayError(f"the replay worker failed: {words}", hint="this is a fault of r3c")
        if code in (-signal.SIGKILL, -signal.SIGTERM):
            return DisturbedError(f"the replay worker was killed by {signal.Signals(-code).name} from outside")
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return KernelFailedError(f"{words} ({how})" if words else f"the process was {how}")

    def _last_words(self) -> str:
        """The last line the worker wrote to standard error."""
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size - _TAIL_BYTES))
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip() if lines else ""
