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


def times(value: str, rest: str = "") -> str:
    return f'{{"times_us": {{"original": {value}}}{rest}}}'


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", "7", '{"times_us": {"a": "b"}}', '{"times_us": {"other": 1}}', '{"times_us": [1]}',
        '{"times_us": null}', times("0"), times("-1"), times("NaN"), times("Infinity"), times("null"), times("[1]"),
        times("1", ', "default": "random"'), times("1", ', "default": ["hash"]'), "[" * 100_000, "\ud83d",
    ],
)  # fmt: skip
def test_files_that_are_no_table_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ConfigError, match=r"t\.json"):
        Table(path)


def test_a_missing_table_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.json"):
        Table(tmp_path / "none.json")


def test_the_digest_follows_what_the_file_says(tmp_path: Path) -> None:
    texts = (
        '{"times_us": {"original": 1, "a": 2}}',
        '{"times_us":{"a":2.0,"original":1}}',
        '{"times_us": {"original": 1}}',
    )
    digests = []
    for number, text in enumerate(texts):
        (tmp_path / str(number)).write_text(text)
        digests.append(Table(tmp_path / str(number)).digest)
    assert digests[0] == digests[1] != digests[2]
