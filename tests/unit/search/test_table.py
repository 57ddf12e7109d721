from __future__ import annotations

from pathlib import Path

import pytest

from r3c.core.errors import ConfigError
from r3c.devices.table import Table


def test_listed_times_are_given_and_others_follow_from_the_text(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"default": "hash", "times_us": {"original": 100, "a{site=k}": 80.5}}')
    table = Table(path)
    assert table.time_us("a{site=k}") == 80.5
    assert table.time_us("b{site=k}") == table.time_us("b{site=k}") != table.time_us("c{site=k}")
    assert 50 <= table.time_us("b{site=k}") <= 150


def test_without_a_default_an_unknown_candidate_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"times_us": {"original": 100}}')
    with pytest.raises(ConfigError, match="no entry for x"):
        Table(path).time_us("x")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"times_us": {"a": "b"}}', '{"times_us": {"other": 1}}'])
def test_files_that_are_no_table_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(text)
    with pytest.raises(ConfigError):
        Table(path)
