from __future__ import annotations

from pathlib import Path

from r3c.build.output import first_difference, first_file_difference
from r3c.core.config import CompareConfig

NUMBERS = CompareConfig(rtol=1e-3)


def test_equal_texts_agree() -> None:
    assert first_difference("sum 1.0\n", "sum 1.0\n", NUMBERS) == ""


def test_numbers_within_tolerance_agree() -> None:
    assert first_difference("sum 1000.0 of 3", "sum 1000.5 of 3", NUMBERS) == ""


def test_numbers_outside_tolerance_name_the_line() -> None:
    found = first_difference("head\nsum 1000.0", "head\nsum 1002.0", NUMBERS)
    assert found == "line 2: expected 'sum 1000.0', got 'sum 1002.0'"


def test_words_must_be_equal() -> None:
    assert first_difference("PASS 1", "FAIL 1", NUMBERS).startswith("line 1")


def test_nan_agrees_with_nan_only() -> None:
    assert first_difference("x nan", "x nan", NUMBERS) == ""
    assert first_difference("x nan", "x 1.0", NUMBERS).startswith("line 1")
    assert first_difference("x 1.0", "x nan", NUMBERS).startswith("line 1")


def test_ignored_lines_do_not_count() -> None:
    config = CompareConfig(ignore=("^time",))
    assert first_difference("time 3 s\na 1", "time 9 s\na 1", config) == ""
    assert first_difference("time 3 s\na 1", "a 1", config) == ""


def test_a_missing_line_is_a_difference() -> None:
    assert first_difference("a\nb", "a", NUMBERS) == "expected 2 lines, got 1"


def test_exact_forbids_close_numbers() -> None:
    assert first_difference("1.0", "1.00001", CompareConfig(stdout="exact")).startswith("line 1")


def test_files_are_compared_by_pattern(tmp_path: Path) -> None:
    for name, text in (("a", "1.0\n"), ("b", "1.0001\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "out.txt").write_text(text)
    config = CompareConfig(files=("*.txt",), rtol=1e-3)
    assert first_file_difference(tmp_path / "a", tmp_path / "b", config) == ""
    strict = CompareConfig(files=("*.txt",), rtol=1e-6)
    assert first_file_difference(tmp_path / "a", tmp_path / "b", strict).startswith("out.txt: line 1")
    assert "no such file" in first_file_difference(tmp_path / "a", tmp_path / "b", CompareConfig(files=("*.dat",)))
