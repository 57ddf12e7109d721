from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import r3c.recording

HERE = Path(__file__).parent
NATIVE = Path(r3c.recording.__file__).parent / "native"


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("g++") is None:
        pytest.skip(reason="no g++ on this machine")
    program = tmp_path_factory.mktemp("app") / "recorded_app"
    flags = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", f"-I{NATIVE}"]
    subprocess.run(["g++", *flags, str(HERE / "recorded_app.cpp"), "-o", str(program)], check=True)
    return program


@pytest.fixture
def capture(app: Path, tmp_path: Path) -> Callable[..., Path]:
    """Runs a scenario of the application and returns the capture's folder."""

    def run(scenario: str, **variables: object) -> Path:
        folder = tmp_path / "capture"
        settings = {f"R3C_CAPTURE_{name.upper()}": str(value) for name, value in variables.items()}
        environment = {**os.environ, "R3C_CAPTURE": str(folder), **settings}
        done = subprocess.run([str(app), scenario], env=environment, capture_output=True, text=True)
        assert done.returncode == (-6 if scenario == "crash" else 0), done.stderr
        (tmp_path / "stderr").write_text(done.stderr)
        return folder

    return run
