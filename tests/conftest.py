"""Tests that need hardware or tools are skipped, with the reason, where these are missing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import hypothesis
import pytest

# A deadline would be a timed assertion: it fails on a busy machine, whatever the code does.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")


@cache
def _gpu_missing() -> str:
    from r3c.devices.cuda import Cuda

    return Cuda().unavailable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("gpu") and _gpu_missing():
        pytest.skip(reason=f"no usable GPU: {_gpu_missing()}")
    if item.get_closest_marker("nvcc") and shutil.which("nvcc") is None:
        pytest.skip(reason="no nvcc on this machine")


@pytest.fixture(scope="session", autouse=True)
def _one_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled runtimes and parser tables are shared by all tests of a run, and by runs where R3C_CACHE is set."""
    if "R3C_CACHE" in os.environ:
        yield
        return
    shared = Path(os.environ.get("TMPDIR", "/tmp")) / f"r3c-test-cache-{os.getuid()}"
    os.environ["R3C_CACHE"] = str(shared)
    yield
    del os.environ["R3C_CACHE"]
