"""`r3c doctor` and `r3c init`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from r3c.build.app import load_app, load_config
from r3c.build.self_test import Stage
from r3c.cli import doctor
from r3c.cli.doctor import Finding, line_of
from r3c.cli.init import config_text
from r3c.cli.main import main


def test_doctor_finds_what_the_cpu_device_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    text = capsys.readouterr().out
    assert "works    device cpu" in text
    assert "ready: --device auto takes" in text


def test_doctor_ends_with_1_where_nothing_can_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "findings", lambda: iter([Finding("g++", "", "apt-get install g++", "", True)]))
    assert main(["doctor"]) == 1
    assert capsys.readouterr().out.startswith("MISSING  g++                apt-get install g++")


def test_doctor_says_what_an_optional_part_is_for() -> None:
    assert line_of(Finding("cmake", "", "apt-get install cmake", "builds")).endswith("apt-get install cmake  (builds)")


def test_doctor_says_which_stage_of_a_toolchain_fails_and_what_would_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stages = [Stage("front end", 0.4), Stage("ptxas", 0.1, "ptxas: not found", "pip install 'r3c[cuda]'")]
    monkeypatch.setattr("r3c.build.self_test.self_test", lambda _: iter(stages))
    main(["doctor"])
    line = next(line for line in capsys.readouterr().out.splitlines() if "toolchain host" in line)
    assert line.startswith("missing  toolchain host")
    assert "ptxas fails (front end 0.4 s worked): ptxas: not found; pip install 'r3c[cuda]'" in line


def test_doctor_writes_json_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("r3c.build.self_test.self_test", lambda _: iter(()))
    main(["doctor", "--json"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"name", "works", "missing", "purpose", "needed"} <= set(rows[0])


@pytest.mark.parametrize(
    ("files", "build", "run"),
    [
        ({"Makefile": "all:\n\tnvcc a.cu\nrun: all\n\t./a\n"}, "make", "make -s run"),
        ({"Makefile": "TARGET = heat\n$(TARGET): a.cu\n\tnvcc -o $@ a.cu\n"}, "make", "./heat"),
        ({"makefile": "all: a.cu\n\tnvcc -O3 a.cu -o bin/heat -lm\n"}, "make", "bin/heat"),
        ({"Makefile": "a.o: a.cu\n\tnvcc -c a.cu -o a.o\n"}, "make", ""),
        (
            {"CMakeLists.txt": "project(heat CUDA)\nadd_executable(heat\n a.cu)\n"},
            "cmake -S . -B build -DCMAKE_CUDA_COMPILER=nvcc && cmake --build build",
            "build/heat",
        ),
        ({}, "", ""),
    ],
)
def test_init_finds_how_an_application_is_built_and_run(
    files: dict[str, str], build: str, run: str, tmp_path: Path
) -> None:
    for name, text in {"a.cu": "", **files}.items():
        (tmp_path / name).write_text(text)
    assert main(["init", str(tmp_path)]) == 0
    config = load_config(tmp_path)
    assert (config.app.build, config.app.run) == (build, run)
    if build and run:
        assert load_app(tmp_path).build == build


def test_init_names_the_cuda_files_of_a_compilation_database(tmp_path: Path) -> None:
    folder = str(tmp_path.resolve())
    entries = [
        {"directory": folder, "file": f"{folder}/src/a.cu", "command": "nvcc"},
        {"directory": f"{folder}/src", "file": "b.cu", "command": "nvcc"},
        {"directory": folder, "file": "main.cpp", "command": "c++"},
        {"directory": folder, "file": "/elsewhere/c.cu", "command": "nvcc"},
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    assert '# sources = ["src/a.cu", "src/b.cu"]' in config_text(tmp_path)


def test_init_refuses_a_database_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "compile_commands.json").write_text("[1]")
    assert main(["init", str(tmp_path)]) == 2
    assert "is not a compilation database" in capsys.readouterr().err


def test_init_never_overwrites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r3c.toml").write_text("# mine\n")
    assert main(["init", str(tmp_path)]) == 2
    assert (tmp_path / "r3c.toml").read_text() == "# mine\n"
    assert "not overwritten" in capsys.readouterr().err


def test_init_prints_without_writing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", str(tmp_path), "--print"]) == 0
    assert "[compare]" in capsys.readouterr().out
    assert not (tmp_path / "r3c.toml").exists()


def test_init_of_no_folder_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", str(tmp_path / "nowhere")]) == 2
    assert "there is no such folder" in capsys.readouterr().err
