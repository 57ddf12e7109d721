"""When the tuned kernels are not offered because of what the application does with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from emit_report import full

from r3c.build.app import AppRun
from r3c.core.config import CompareConfig
from r3c.emit.tryout import MORE_RUNS, RUNS, AppCheck, refusal, run_in_turn


def runs(times: Iterable[float], stdout: str = "sum 1.0\n", code: int = 0) -> Iterator[AppRun]:
    for seconds in times:
        yield AppRun(stdout, "it broke", seconds, code)


def check(
    before: list[float], after: list[float], stdout: str = "sum 1.0\n", code: int = 0, files: str = ""
) -> AppCheck:
    original, patched = runs(before), runs(after, stdout, code)
    return run_in_turn(lambda: next(original), lambda: next(patched), lambda: files, CompareConfig())


def test_an_application_that_is_slower_in_every_run_gets_no_header() -> None:
    found = check([1.0, 1.1, 1.05] * 3, [1.3, 1.2, 1.25] * 3)
    assert len(found.tuned_runs_s) == RUNS + MORE_RUNS
    assert refusal(found) == "the patched application is slower: 1.25 s instead of 1.05 s, in each of 7 runs"


def test_slower_by_chance_is_told_from_slower_by_more_runs() -> None:
    found = check([1.0, 1.0, 1.0, 1.0, 1.4, 1.0, 1.0], [1.1, 1.1, 1.1, 1.0, 1.0, 1.0, 1.0])
    assert refusal(found) == ""


def test_runs_that_overlap_say_nothing_against_the_header() -> None:
    found = check([1.0, 1.2, 1.0], [1.1, 1.1, 1.1])
    assert len(found.tuned_runs_s) == RUNS
    assert refusal(found) == ""


def test_times_from_a_table_are_not_held_against_the_clock() -> None:
    assert refusal(check([1.0] * 7, [2.0] * 7), trust_times=False) == ""


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (check([1.0] * 3, [1.0] * 3, "sum 2.0\n"), "the patched application does not do the same: "),
        (check([1.0] * 3, [1.0] * 3, code=9), "the patched application ends with exit code 9: it broke"),
        (check([1.0] * 3, [1.0] * 3, files="out.txt differs"), "does not do the same: out.txt differs"),
        (None, "the patched application does not build or run"),
    ],
)
def test_what_does_something_else_gets_no_header(found: AppCheck | None, words: str) -> None:
    assert words in refusal(found)


def test_an_original_that_varies_by_itself_is_no_check() -> None:
    prints = iter(["a 1", "b 1", "a 2", "b 1", "a 3", "b 1"])
    found = run_in_turn(
        lambda: AppRun(next(prints), "", 1.0, 0), lambda: AppRun(next(prints), "", 1.0, 0), str, CompareConfig()
    )
    assert "its output checks nothing" in refusal(found)


def test_the_exit_code_tells_faster_kernels_that_the_application_gains_nothing_from() -> None:
    data = full()
    kernels = [replace(kernel, header="") for kernel in data.kernels]
    refused = replace(data, kernels=kernels, refused="the patched application is slower", patch="")
    assert refused.exit_code == 4
    assert replace(refused, refused="").exit_code == 3
