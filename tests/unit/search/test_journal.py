from __future__ import annotations

import json
from pathlib import Path

import pytest

from r3c.core.errors import JournalError
from r3c.core.result import Mismatch, Outcome, Timing, Verdict
from r3c.search.archive import Archive
from r3c.search.budget import Budget, Limits
from r3c.search.journal import Journal, Trial


def trial(number: int, us: float = 10.0, verdict: Verdict = Verdict.FASTER, registers: float = 32.0) -> Trial:
    timing = Timing(us, us, us, 3)
    return Trial(
        number, "", f"c{number}", Outcome(verdict, timing, timing, features={"registers": registers}), 0.5, "h"
    )


def test_a_journal_cut_at_any_byte_gives_the_whole_trials_before(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl", {"seed": 1})
    journal.open(resume=False)
    for number in range(3):
        journal.append(trial(number))
    whole = journal.path.read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
    for cut in range(len(whole) + 1):
        journal.path.write_bytes(whole[:cut])
        kept = Journal(journal.path, {"seed": 1}).open(resume=True)
        complete = sum(end <= cut for end in ends) - 1
        assert [t.number for t in kept] == list(range(max(0, complete)))
        assert journal.path.read_bytes().endswith(b"\n")


def test_the_journal_of_another_study_is_refused_with_what_differs(tmp_path: Path) -> None:
    Journal(tmp_path / "j.jsonl", {"seed": 1, "kernel": "k"}).open(resume=False)
    with pytest.raises(JournalError, match="different: seed"):
        Journal(tmp_path / "j.jsonl", {"seed": 2, "kernel": "k"}).open(resume=True)


def test_a_line_that_is_no_trial_is_named(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl", {})
    journal.open(resume=False)
    with journal.path.open("a") as file:
        file.write('{"kind": "trial"}\n')
    with pytest.raises(JournalError, match=r"j\.jsonl:2: not a trial"):
        journal.open(resume=True)


LINE = json.loads(trial(0).to_json())


@pytest.mark.parametrize(
    "line",
    [
        b"garbage", b"[]", b"7", b"null", b"", b"\xff\xfe", b'{"kind": "study"}', b'{"kind": ["trial"]}',
        json.dumps({**LINE, "outcome": 3}).encode(),
        json.dumps({**LINE, "outcome": {**LINE["outcome"], "verdict": "splendid"}}).encode(),
        json.dumps({**LINE, "outcome": {**LINE["outcome"], "timing": {"median_us": 1}}}).encode(),
        json.dumps({**LINE, "outcome": {**LINE["outcome"], "timing": {**LINE["outcome"]["timing"], "low_us": "1"}}}).encode(),
        json.dumps({**LINE, "outcome": {**LINE["outcome"], "features": []}}).encode(),
        json.dumps({**LINE, "candidate": 4}).encode(),
        json.dumps({**LINE, "more": 4}).encode(),
        json.dumps({k: v for k, v in LINE.items() if k != "number"}).encode(),
    ],
)  # fmt: skip
def test_a_whole_line_that_is_no_trial_is_an_error_with_its_number(tmp_path: Path, line: bytes) -> None:
    journal = Journal(tmp_path / "j.jsonl", {})
    journal.open(resume=False)
    journal.append(trial(0))
    with journal.path.open("ab") as file:
        file.write(line + b"\n")
    before = journal.path.read_bytes()
    with pytest.raises(JournalError, match=r"j\.jsonl:3: not a trial"):
        journal.open(resume=True)
    assert journal.path.read_bytes() == before


@pytest.mark.parametrize("text", ["[]\n", "5\n", "no journal", "{}\n", '{"kind": "trial"}\n', "\n", "\xff\n"])
def test_a_file_that_is_no_journal_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(JournalError, match=":1: not the journal of a study"):
        Journal(path, {"seed": 1}).open(resume=True)
    assert path.read_bytes() == text.encode("latin-1")


def test_every_key_that_changed_is_named(tmp_path: Path) -> None:
    Journal(tmp_path / "j", {"a": 1, "b": 2, "c": [3, 4]}).open(resume=False)
    with pytest.raises(JournalError, match=r"different: a, c, d\)"):
        Journal(tmp_path / "j", {"a": 2, "b": 2, "c": [4, 3], "d": 1}).open(resume=True)


def test_spaces_and_key_order_of_the_first_line_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_text('{"seed":1,   "schema": 1, "kind": "study"}\n')
    assert Journal(path, {"seed": 1}).open(resume=True) == []


def test_without_resume_a_journal_starts_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "deep" / "j", {"seed": 1})
    journal.open(resume=False)
    journal.append(trial(0))
    assert journal.open(resume=True) == [trial(0)]
    assert journal.open(resume=False) == []
    assert journal.open(resume=True) == []
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["j"]


@pytest.mark.parametrize("verdict", list(Verdict))
def test_trials_read_back_as_they_were(tmp_path: Path, verdict: Verdict) -> None:
    journal = Journal(tmp_path / "j", {})
    journal.open(resume=False)
    outcome = Outcome(
        verdict, Timing(1.5, 1.25, 1e300, 3), None, 'quotes " and \n line ends \u2028 \u00e9', Mismatch("b", 1, "nan", "2", 3),
        {"registers": 40.0, "a": 0.1}, {"build": 0.1},
    )  # fmt: skip
    written = Trial(0, "unroll{site=k/loop:i,factor=4}", 'define{site=k/A,value="a b"}', outcome, 1 / 3, "h")
    journal.append(written)
    assert journal.open(resume=True) == [written]
    assert journal.path.read_bytes().count(b"\n") == 2


def test_trials_are_plain_json_lines(tmp_path: Path) -> None:
    assert json.loads(trial(4).to_json())["outcome"]["verdict"] == "faster"


def test_the_archive_keeps_the_fastest_of_each_niche() -> None:
    archive = Archive()
    assert archive.add(trial(1, 10.0))
    assert not archive.add(trial(2, 12.0))
    assert archive.add(trial(3, 11.0, registers=200.0))
    assert archive.add(trial(4, 9.0))
    assert not archive.add(trial(5, 1.0, Verdict.WRONG))
    assert [t.number for t in archive] == [4, 3]
    assert archive.best is not None
    assert archive.best.number == 4


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(trials=3), "3 trials"),
        (Limits(seconds=2.5), "2.5 seconds"),
        (Limits(gpu_seconds=1), "seconds of the device"),
        (Limits(tokens=5), "5 tokens"),
        (Limits(usd=0.5), "US dollars"),
    ],
)
def test_budgets_say_what_is_spent(limits: Limits, words: str) -> None:
    budget = Budget(limits)
    assert not budget.is_spent
    budget.trials, budget.seconds, budget.gpu_seconds, budget.tokens, budget.usd = 3, 2.5, 1.0, 5, 0.5
    assert words in budget.reason


def test_a_budget_without_limits_is_never_spent() -> None:
    budget = Budget(Limits(), trials=10**6, seconds=1e9, gpu_seconds=1e9, tokens=10**9, usd=1e6)
    assert not budget.is_spent
    assert budget.trials_left is None
    assert budget.seconds_left is None


def test_what_is_left_of_a_budget_is_never_negative() -> None:
    budget = Budget(Limits(trials=2, seconds=1.0), trials=3, seconds=1.5)
    assert (budget.trials_left, budget.seconds_left) == (0, 0.0)
    assert Budget(Limits(trials=0)).is_spent
