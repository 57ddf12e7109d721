"""Runs compilers: without the user's secrets, in a process group that ends with them, again where something killed them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence

from r3c.core.errors import BuildError

_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "USER", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV", "CUDA_HOME",
         "CUDA_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX",
         "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "R3C_CACHE", "XDG_CACHE_HOME")  # fmt: skip
_TRIES = 3
_KILLED = ("Killed signal terminated program", "died due to signal 9", "died due to signal 15")


def compiler_environment() -> dict[str, str]:
    """What a compiler needs of this process's environment: where things are, no keys."""
    return {name: os.environ[name] for name in _KEPT if name in os.environ}


def run_tool(command: Sequence[str], timeout_s: float) -> subprocess.CompletedProcess[str]:
    """The finished command, whatever its exit code. One that is killed from outside is started again.

    Raises:
        BuildError: it took longer than `timeout_s`, or cannot be started.
    """
    done = _run(command, timeout_s)
    for _ in range(_TRIES - 1):
        if not _was_killed(done):
            break
        done = _run(command, timeout_s)
    return done


def _run(command: Sequence[str], timeout_s: float) -> subprocess.CompletedProcess[str]:
    shown = " ".join(command)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env=compiler_environment(),
            start_new_session=True,
        )
    except OSError as error:
        raise BuildError(f"{command[0]} cannot be started: {error.strerror}", shown) from None
    try:
        stdout, stderr = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        raise BuildError(f"the compiler took longer than {timeout_s:g} s", shown) from None
    finally:
        if process.returncode is None:
            _end(process)
    return subprocess.CompletedProcess(list(command), process.returncode, stdout, stderr)


def _end(process: subprocess.Popen[str]) -> None:
    """With all that it started: the driver's own end leaves the compiler proper behind."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _was_killed(done: subprocess.CompletedProcess[str]) -> bool:
    by_signal = done.returncode in (-signal.SIGKILL, -signal.SIGTERM)
    return by_signal or (done.returncode != 0 and any(words in done.stderr for words in _KILLED))
