"""Grammar and templates are found wherever r3c is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from r3c.resources import resource, user_cache

ROOT = Path(__file__).parents[2]
PROGRAM = "from r3c.resources import resource; print(resource('grammar', 'cuda.lark'), resource('templates'))"


def test_a_checkout_finds_its_resources() -> None:
    assert resource("grammar", "cuda.lark") == ROOT / "grammar" / "cuda.lark"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder), "."]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0 and "setuptools" in done.stderr:
        pytest.skip(reason="setuptools and wheel are not installed, and nothing may be downloaded here")
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


def test_a_wheel_carries_and_finds_them(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path)
    for name in (
        "r3c/_resources/grammar/cuda.lark",
        "r3c/_resources/grammar/annotations.lark",
        "r3c/py.typed",
        "r3c/devices/native/cpu/runtime.cpp",
        "r3c/devices/native/cpu/include/cuda_runtime.h",
        "r3c/devices/native/cuda/recorder.cpp",
        "r3c/recording/native/capture.h",
        "r3c/build/toolchains/nvcc.toml",
    ):
        assert name in names
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [
        str(tmp_path / "r3c" / "_resources" / "grammar" / "cuda.lark"),
        str(tmp_path / "r3c" / "_resources" / "templates"),
    ]


def test_the_cache_folder_needs_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("R3C_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    assert user_cache().is_absolute()
    monkeypatch.setenv("R3C_CACHE", "/somewhere")
    assert user_cache() == Path("/somewhere")
