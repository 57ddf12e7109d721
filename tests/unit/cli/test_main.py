"""The command line: help of every command, exit codes, what is said on mistakes and faults."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from r3c.cli import main as cli
from r3c.core.errors import BuildError, R3CError, UserError

ROOT = Path(__file__).parents[3]
HEAVY = ("torch", "gpytorch", "pycuda", "cuda", "deap", "openai", "jinja2", "lark", "numpy", "rich")


@pytest.mark.parametrize("command", ["", *cli.COMMANDS])
def test_help_loads_nothing_heavy(command: str) -> None:
    program = (
        "import sys; from r3c.cli.main import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit as end: assert not end.code, end.code\n"
        f"print('LOADED', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    words = [sys.executable, "-c", program, *([command] if command else []), "--help"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "LOADED []"


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_help_says_what_a_command_does_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([command, "--help"])
    assert end.value.code == 0
    text = capsys.readouterr().out
    assert f"  python -m r3c {command}" in text
    assert max(map(len, text.splitlines())) <= 125
    options = re.findall(r"^  (--[\w-]+|[A-Z]+)\b[^\n]*$", text, re.MULTILINE)
    assert options or command == "doctor"


def test_no_command_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    assert "exit codes:" in capsys.readouterr().out


def test_an_unknown_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["optimise"]) == 2
    assert "did you mean 'optimize'?" in capsys.readouterr().err


def failing(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    from r3c.cli import optimize

    def run(_: object) -> int:
        raise error

    monkeypatch.setattr(optimize, "run", run)
    return cli.main(["optimize", "app"])


@pytest.mark.parametrize(("error", "code"), [(UserError("mend it", hint="so"), 2), (R3CError("our fault"), 1)])
def test_errors_are_said_without_a_traceback(
    error: R3CError, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failing(error, monkeypatch) == code
    said = capsys.readouterr()
    assert said.err.startswith(f"r3c: {error}")
    assert "Traceback" not in said.err
    assert said.out == ""


def test_a_build_error_shows_its_command_and_the_end_of_its_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = "\n".join(f"line {number}" for number in range(40))
    failing(BuildError("it does not compile", "g++ -c x.cpp", output), monkeypatch)
    said = capsys.readouterr().err
    assert "command: g++ -c x.cpp" in said
    assert "| line 39" in said
    assert "| line 3\n" not in said


def test_an_interrupted_study_says_what_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failing(KeyboardInterrupt(), monkeypatch) == 130
    assert "everything measured so far is kept, --resume goes on" in capsys.readouterr().err


def test_a_fault_of_ours_is_short_and_says_where_the_details_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failing(ZeroDivisionError("division by zero"), monkeypatch) == 1
    said = capsys.readouterr().err
    assert "a fault of r3c, not yours: ZeroDivisionError: division by zero" in said
    found = re.search(r"details: (\S+)", said)
    assert found is not None
    details = Path(found[1])
    assert "Traceback" in details.read_text(encoding="utf-8")
    details.unlink()


def test_a_reader_that_never_reads_is_no_fault() -> None:
    # Buffered, so that the pipe is written to only when everything has been said.
    command = f"PYTHONUNBUFFERED= {sys.executable} -m r3c parse tests/kernels/argmax_rows.cu | true"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_a_reader_that_goes_away_is_no_fault() -> None:
    command = f"{sys.executable} -m r3c parse tests/kernels/*.cu | head -1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.startswith("tests/kernels/")
