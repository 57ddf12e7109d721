"""The whole story on samples, on the CPU device, as a user would start it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def optimize(out: Path, table: Path, *more: str, sample: str = "matmul") -> list[str]:
    return [
        sys.executable, "-m", "r3c", "optimize", str(ROOT / "samples" / sample), "--device", "cpu", "--seed", "1",
        "--max-trials", "8", "--tuner", "random", "--table", str(table), "--out", str(out), *more,
    ]  # fmt: skip


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "times.json"
    path.write_text(json.dumps({"default": "hash", "times_us": {"original": 100.0}}))
    return path


@pytest.fixture(scope="module")
def whole(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of a study that nothing interrupted."""
    out = tmp_path_factory.mktemp("whole") / "out"
    done = subprocess.run(optimize(out, table), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def journal(out: Path) -> bytes:
    path = out / "studies" / "matmul.jsonl"
    return path.read_bytes() if path.exists() else b""


def test_the_report_has_what_schema_1_promises(whole: Path) -> None:
    report = json.loads((whole / "report.json").read_text())
    assert report["schema"] == 1
    kernel = report["kernels"][0]
    assert {"name", "baseline_us", "best_us", "speedup", "speedup_low", "candidate", "header", "verdicts"} <= set(
        kernel
    )
    assert kernel["speedup"] > kernel["speedup_low"] > 1
    assert Path(kernel["header"]).is_file()
    assert report["app"]["output_equal"] is True
    assert {"record_s", "build_s", "replay_s", "llm_s", "search_s", "total_s"} <= set(report["time"])
    assert report["not_verified"]
    page = (whole / "report.html").read_text()
    assert "http" not in page.replace("http-equiv", "")
    assert "<script" not in page


def test_the_patch_applies_and_changes_nothing_else(whole: Path, tmp_path: Path) -> None:
    copy = tmp_path / "app"
    subprocess.run(["cp", "-r", str(ROOT / "samples" / "matmul"), str(copy)], check=True)
    before = (copy / "matmul.cu").read_text().splitlines()
    patch = ["git", "apply", "--unsafe-paths", f"--directory={copy}", str(whole / "r3c.patch")]
    subprocess.run(patch, cwd=tmp_path, check=True)
    after = (copy / "matmul.cu").read_text().splitlines()
    added = [line for line in after if line not in before]
    assert added == ['#include "r3c_matmul.cuh"', "    r3c_launch_matmul(grid, block, 0, 0, da, db, dc, n);"]
    assert (copy / "r3c_matmul.cuh").read_bytes() == (whole / "headers" / "r3c_matmul.cuh").read_bytes()


def test_the_application_is_left_alone(whole: Path) -> None:
    done = subprocess.run(
        ["git", "status", "--porcelain", "samples"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == ""


def test_the_same_study_gives_the_same_journal(whole: Path, table: Path, tmp_path: Path) -> None:
    subprocess.run(optimize(tmp_path / "again", table), cwd=ROOT, capture_output=True, check=True)
    assert journal(tmp_path / "again") == journal(whole)


@pytest.mark.parametrize("lines", [1, 4, 7])
def test_a_killed_study_resumes_to_the_same_journal(lines: int, whole: Path, table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = subprocess.Popen(
        optimize(out, table), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    while process.poll() is None and journal(out).count(b"\n") < lines:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    done = subprocess.run(optimize(out, table, "--resume"), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert journal(out) == journal(whole)
    best = json.loads((out / "report.json").read_text())["kernels"][0]["candidate"]
    assert best == json.loads((whole / "report.json").read_text())["kernels"][0]["candidate"]
