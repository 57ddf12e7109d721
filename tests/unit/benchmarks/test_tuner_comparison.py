"""The comparison of tuners: which files it takes, and what it says of a space whose answer is known."""

from __future__ import annotations

import gzip
import importlib.util
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[3] / "benchmarks" / "tuners.py"
HEADER = "block_size_x,tile,how,time_ms,compile_ms,bench_ms,status\n"
needs_kernel_tuner = pytest.mark.skipif(
    importlib.util.find_spec("kernel_tuner") is None, reason="kernel_tuner is not installed"
)


def space_text() -> str:
    lines = [HEADER]
    for x in (16, 32, 64, 128, 256):
        for tile in (1, 2, 3, 4):
            for how in ("a", "b", "c"):
                if x * tile > 512:
                    continue  # not allowed, so not in the file
                works = not (how == "c" and tile == 4)
                time_ms = 1 + abs(math.log2(x / 64)) + abs(tile - 3) + (how != "b")
                lines.append(f"{x},{tile},{how},{time_ms if works else ''},100,50,{'ok' if works else 'Failed'}\n")
    return "".join(lines)


def call(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(PROGRAM), *words], capture_output=True, text=True, check=False, cwd=cwd, env=os.environ
    )


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Calls the program and gives what it says while it refuses."""
    monkeypatch.syspath_prepend(str(PROGRAM.parent))
    spec = importlib.util.spec_from_file_location("tuner_comparison", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def refuse(*words: str) -> str:
        assert module.main(list(words)) == 2
        return capsys.readouterr().err

    return refuse


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "there is no such file"),
        (b"", "is empty"),
        (b"x,time_ms\n1,2\n", ":1: no column compile_ms, bench_ms, status"),
        (b"x,x,time_ms,compile_ms,bench_ms,status\n", "comes twice"),
        (b"time_ms,compile_ms,bench_ms,status\n1,1,1,ok\n", "no parameter column"),
        (HEADER.encode() + b"16,1,a,fast,1,1,ok\n", ":2: could not convert"),
        (HEADER.encode() + b"16,1,a,2,1,1,ok\n16,2\n", ":3: 2 cells, the header has 7"),
        (HEADER.encode() + b"16,1,a,,1,1,ok\n", ":2: status ok, but time_ms is empty"),
        (HEADER.encode() + b"16,1,a,-3,1,1,ok\n", "time_ms is -3"),
        (HEADER.encode() + b"16,1,a,2,1,1,ok\n16,1,a,3,1,1,ok\n", "comes twice"),
        (HEADER.encode() + b"16,1,a,,1,1,Failed\n", "no configuration has a time"),
        (HEADER.encode() + b"\xff\xfe\n", "cannot be read as CSV"),
    ],
)
def test_a_bad_file_is_told_with_its_place(
    tmp_path: Path, refused: Callable[..., str], content: bytes | None, said: str
) -> None:
    path = tmp_path / "space.csv"
    if content is not None:
        path.write_bytes(content)
    told = refused(str(path), "--tuners", "random")
    assert said in told
    assert str(path) in told


def test_a_file_that_only_claims_to_be_packed_is_told(tmp_path: Path, refused: Callable[..., str]) -> None:
    path = tmp_path / "space.csv.gz"
    path.write_text(space_text())
    assert "cannot be read as gzip CSV" in refused(str(path), "--tuners", "random")


def test_a_part_that_is_none_is_told(tmp_path: Path, refused: Callable[..., str]) -> None:
    path = tmp_path / "part.json"
    path.write_text("{}")
    assert f"{path}: no JSON of this program" in refused("--merge", str(path))


@needs_kernel_tuner
@pytest.mark.parametrize(
    ("tuner", "said"), [("nothing", "no tuner is called 'nothing'"), ("kt:nothing", "no strategy of Kernel Tuner")]
)
def test_an_unknown_tuner_is_told_with_those_there_are(
    tmp_path: Path, refused: Callable[..., str], tuner: str, said: str
) -> None:
    path = tmp_path / "space.csv"
    path.write_text(space_text())
    told = refused(str(path), "--tuners", tuner)
    assert said in told
    assert "there are:" in told


@needs_kernel_tuner
def test_both_sides_run_on_a_file_in_parts_that_add_up(tmp_path: Path) -> None:
    path = tmp_path / "small.csv.gz"
    path.write_bytes(gzip.compress(space_text().encode()))
    common = ["--seeds", "2", "--evaluations", "60", "--jobs", "1", "--quiet", "--json"]
    first = call(str(path), "--tuners", "random,sweep,kt:random_sample,kt:genetic_algorithm", *common, cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    record = json.loads(first.stdout)
    size = space_text().count("\n") - 1
    for run in record["runs"]:
        assert len(run["best"]) <= size
        assert run["best"] == sorted(run["best"], reverse=True)
        assert run["measuring_s"] == pytest.approx(0.15 * len(run["best"]), abs=1e-3)
    whole = [run for run in record["runs"] if run["tuner"] in ("random", "sweep")]
    assert len(whole) == 4
    assert all(len(run["best"]) == size and run["best"][-1] == 1.0 for run in whole)
    (tmp_path / "first.json").write_text(first.stdout)
    again = call(str(path), "--tuners", "random", "--first-seed", "2", "--merge", "first.json", *common, cwd=tmp_path)
    merged = json.loads(again.stdout)
    runs = {standing["tuner"]: standing["runs"] for standing in merged["standings"]}
    assert runs == {"random": 4, "sweep": 2, "kt:random_sample": 2, "kt:genetic_algorithm": 2}
    table = call("--merge", "first.json", cwd=tmp_path)
    assert "| kt:genetic_algorithm | 2 |" in table.stdout


@needs_kernel_tuner
def test_a_run_does_not_depend_on_those_before_it(tmp_path: Path) -> None:
    path = tmp_path / "small.csv"
    path.write_text(space_text())
    words = [str(path), "--tuners", "kt:simulated_annealing", "--jobs", "1", "--quiet", "--json", "--evaluations", "30"]
    both = json.loads(call(*words, "--seeds", "2").stdout)["runs"]
    second = json.loads(call(*words, "--seeds", "1", "--first-seed", "1").stdout)["runs"]
    assert [run["best"] for run in both if run["seed"] == 1] == [run["best"] for run in second]
