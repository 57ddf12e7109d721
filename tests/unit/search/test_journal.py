from __future__ import annotations

import json
from pathlib import Path

import pytest

from r3c.core.errors import JournalError
from r3c.core.result import Outcome, Timing, Verdict
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
