"""The screen, driven by events alone."""

from __future__ import annotations

import io
import json
from collections import Counter
from itertools import count
from typing import Any

import pytest

from r3c.cli.progress import Progress, counted, duration
from r3c.cli.screen import LiveScreen, PlainScreen, make_screen
from r3c.core.events import Event

LONG = "tile{site=jacobi/loop:terms,size=8},unroll{site=jacobi/loop:terms,factor=4} @ block{x=64,y=4,z=1}"


def event(kind: str, **data: Any) -> Event:
    return Event(kind, data)


def trial(number: int, verdict: str) -> Event:
    return event(
        "trial", kernel="jacobi", number=number, candidate=LONG, verdict=verdict, us=301.0, speedup=1.36, detail="",
        trials_left=30 - number, seconds_left=200.0,
    )  # fmt: skip


STORY = [
    event("stage", name="load", detail="jacobi on NVIDIA H200"),
    event("stage", name="search", detail="jacobi"),
    event("baseline", kernel="jacobi", us=409.4, low_us=409.0, high_us=415.5),
    *(trial(n, ("faster", "slower", "refused", "wrong")[n % 4]) for n in range(1, 11)),
    event("best", kernel="jacobi", candidate="block{x=128,y=2,z=1}", us=301.2, speedup=1.36, speedup_low=1.31),
]
END = [
    event("note", text="no surrogate is installed"),
    event("stage", name="app", detail="3 runs with and without the tuned kernels"),
    event("app", baseline_s=1.84, tuned_s=1.31, output_equal=True),
    event("done", exit_code=0, report="r3c-out/report.html"),
]


def drawn(events: list[Event], width: int = 100) -> list[str]:
    from rich.console import Console

    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    screen = LiveScreen(console)
    for each in events:
        screen(each)
    with console.capture() as capture:
        console.print(screen.view())
    return [line.rstrip() for line in capture.get().splitlines()]


def test_plain_lines_tell_the_story(capsys: pytest.CaptureFixture[str]) -> None:
    screen = PlainScreen()
    for each in [*STORY, *END]:
        screen(each)
    assert capsys.readouterr().out.splitlines() == [
        "load: jacobi on NVIDIA H200",
        "search: jacobi",
        "  original 409 us (409 us to 416 us)",
        "  trial 10: 2 faster, 3 slower, 3 refused, 2 wrong (20 trials left, 3m 20s left)",
        "  best 301 us, 1.36x (at least 1.31x): block{x=128,y=2,z=1}",
        "  note: no surrogate is installed",
        "app: 3 runs with and without the tuned kernels",
        "  application 1.84 s -> 1.31 s, same output",
        "done: something verified is faster; report: r3c-out/report.html",
    ]


def test_a_best_that_is_slower_than_the_original_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    PlainScreen()(event("best", kernel="k", candidate="c", us=9.0, speedup=0.8, speedup_low=0.7))
    assert capsys.readouterr().out == ""


def test_the_live_view_shows_the_running_study() -> None:
    lines = drawn(STORY)
    text = "\n".join(lines)
    assert lines[0].startswith("+ load     jacobi on NVIDIA H200")
    assert lines[1].startswith("> search   jacobi")
    assert "original 409 us (409 us to 416 us)" in text
    assert "301 us, 1.36x (at least 1.31x)  block{x=128,y=2,z=1}" in text
    assert "2 faster, 3 slower, 3 refused, 2 wrong" in text
    assert "20 trials left, 3m 20s left" in text


def test_the_live_view_ends_as_a_summary() -> None:
    text = "\n".join(drawn([*STORY, *END]))
    assert "jacobi  10 tried, 2 faster; best 301 us, 1.36x (at least 1.31x)" in text
    assert "something verified is faster" in text
    assert "report   r3c-out/report.html" in text
    assert "\n>" not in text


@pytest.mark.parametrize("width", [40, 60, 200])
def test_the_live_view_keeps_one_line_a_row_in_any_terminal(width: int) -> None:
    lines = drawn(STORY, width)
    assert len(lines) == len(drawn(STORY, 200))
    assert max(map(len, lines)) <= width


def test_a_difference_in_output_cannot_be_overlooked() -> None:
    assert "OUTPUT DIFFERS" in "\n".join(drawn([event("app", baseline_s=1.0, tuned_s=0.5, output_equal=False)]))


def test_stages_last_until_the_next_one() -> None:
    ticks = count(0.0, 2.5)
    progress = Progress(clock=lambda: next(ticks))
    progress.take(event("stage", name="build", detail="make"))
    progress.take(event("stage", name="record", detail="run"))
    assert progress.stages[0].took_s == 2.5
    assert progress.current is progress.stages[1]


def test_json_events_are_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with make_screen(json_lines=True) as screen:
        for each in STORY:
            screen(each)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["event"] for row in rows] == [each.kind for each in STORY]


def test_what_is_not_a_terminal_gets_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with make_screen(json_lines=False) as screen:
        assert isinstance(screen, PlainScreen)


def test_verdicts_are_counted_with_what_matters_first() -> None:
    verdicts = Counter({"wrong": 1, "slower": 2, "faster": 3})
    assert counted(verdicts) == "3 faster, 2 slower, 1 wrong"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.04, "0.0 s"), (9.96, "10 s"), (59.4, "59 s"), (61, "1m 01s"), (3725, "1h 02m")]
)
def test_durations_read_well(seconds: float, text: str) -> None:
    assert duration(seconds) == text
