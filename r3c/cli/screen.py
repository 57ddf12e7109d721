"""What a person sees while r3c works: a live view in a terminal, plain lines elsewhere, JSON lines on request."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from r3c.cli.progress import (
    GOOD,
    NEUTRAL,
    Progress,
    Stage,
    app_words,
    baseline_words,
    best_words,
    counted,
    done_words,
    duration,
    left_words,
)
from r3c.core.events import Event, Listener

NOTES_SHOWN = 4
BAR = 28


@contextlib.contextmanager
def make_screen(json_lines: bool) -> Iterator[Listener]:
    """A listener for the time of one command."""
    if json_lines:
        yield lambda event: print(event.to_json(), flush=True)
    elif sys.stdout.isatty():
        with LiveScreen() as screen:
            yield screen
    else:
        yield PlainScreen()


class PlainScreen:
    """One line for each thing worth a line: stages, new bests, and every tenth trial."""

    def __init__(self) -> None:
        self.progress = Progress()

    def __call__(self, event: Event) -> None:
        self.progress.take(event)
        for line in self.lines(event):
            print(line, flush=True)

    def lines(self, event: Event) -> Iterator[str]:
        data = event.data
        if event.kind == "stage":
            yield f"{data['name']}: {data['detail']}"
        elif event.kind == "note":
            yield f"  note: {data['text']}"
        elif event.kind == "baseline":
            yield f"  original {baseline_words(data)}"
        elif event.kind == "best" and data["speedup"] > 1:
            yield f"  best {best_words(data)}: {data['candidate']}"
        elif event.kind == "trial" and data["number"] % 10 == 0:
            left = left_words(data)
            yield f"  trial {data['number']}: {counted(self.progress.verdicts)}{f' ({left})' if left else ''}"
        elif event.kind == "app":
            yield f"  application {app_words(data)}"
        elif event.kind == "done":
            yield f"done: {done_words(data)}; report: {data['report']}"


class LiveScreen:
    """A view that is drawn over itself; what is left of it at the end is the summary of the command.

    Args:
        console: where to draw, for tests; the terminal otherwise.
    """

    def __init__(self, console: Any = None) -> None:
        self.progress = Progress()
        self._started_s = self.progress.clock()
        self._console = console
        self._live: Any = None

    def __enter__(self) -> LiveScreen:
        from rich.live import Live

        # Rows that do not fit are cut at the end of the view, so what matters most stands above them.
        self._live = Live(
            console=self._console, refresh_per_second=4, get_renderable=self.view, vertical_overflow="ellipsis"
        )
        self._live.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.__exit__(*error)

    def __call__(self, event: Event) -> None:
        self.progress.take(event)

    def view(self) -> Any:
        """What the terminal shows now."""
        from rich.console import Group
        from rich.table import Table

        rows = Table.grid(padding=(0, 1), expand=True)
        rows.add_column(width=1)
        rows.add_column(width=8, style="bold")
        rows.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
        rows.add_column(justify="right", style="dim", no_wrap=True)
        for stage in self.progress.stages:
            self._add_stage(rows, stage)
        parts: list[Any] = [rows, *self._search_rows()]
        return Group(*parts, *self._end_rows())

    def _add_stage(self, rows: Any, stage: Stage) -> None:
        from rich.text import Text

        text = Text(stage.detail)
        if stage.outcome:
            text.append(f"  {stage.outcome}", style="green" if "best" in stage.outcome else "dim")
        if stage.took_s is None:
            took = self.progress.clock() - stage.started_s
            rows.add_row(Text(">", style="cyan"), Text(stage.name, style="cyan"), text, duration(took))
        else:
            rows.add_row(Text("+", style="green"), stage.name, text, duration(stage.took_s))

    def _search_rows(self) -> Iterator[Any]:
        """The study that runs: original, best so far, budget, verdicts, the last candidate."""
        from rich.text import Text

        now = self.progress
        if now.current is None:
            return
        if now.baseline:
            yield _row("original", Text(baseline_words(now.baseline)))
        if now.best:
            best = Text(best_words(now.best), style="bold green")
            yield _row("best", best.append(f"  {now.best['candidate']}", style="not bold default"))
        if now.trial:
            yield _row("budget", _budget(now))
            yield _row("trials", _verdicts(now))
            verdict = now.trial["verdict"]
            last = Text(f"{verdict}: ", style=_style(verdict))
            detail = f"  {now.trial['detail']}" if now.trial.get("detail") else ""
            yield _row("last", last.append(f"{now.trial['candidate']}", style="default").append(detail, style="dim"))

    def _end_rows(self) -> Iterator[Any]:
        from rich.text import Text

        now = self.progress
        for note in now.notes[-NOTES_SHOWN:]:
            yield _row("note", Text(note.splitlines()[0] if note else "", style="yellow"))
        if now.app:
            yield _row("app", Text(app_words(now.app), style="" if now.app["output_equal"] else "bold red"))
        if now.done:
            style = "bold green" if now.done["exit_code"] == 0 else "bold"
            took = duration(now.clock() - self._started_s)
            yield _row("done", Text(done_words(now.done), style=style).append(f" ({took})", style="dim"))
            yield _row("report", Text(str(now.done["report"])))


def _row(name: str, text: Any) -> Any:
    from rich.text import Text

    text = Text("  ").append(f"{name:<9}", style="dim").append_text(text)
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def _budget(now: Progress) -> Any:
    """A bar of what is spent, and what is left in words."""
    from rich.text import Text

    spent, left = now.trial["number"], now.trial.get("trials_left")
    words = left_words(now.trial) or f"trial {spent}"
    if left is None or spent + left <= 0:
        return Text(words)
    # Trials that cost nothing (refused, duplicate) count in `number` and not in `trials_left`.
    built = sum(count for verdict, count in now.verdicts.items() if verdict not in ("refused", "duplicate"))
    full = round(BAR * built / max(1, built + left))
    return Text("#" * full, style="cyan").append("." * (BAR - full), style="dim").append(f"  {words}", style="default")


def _verdicts(now: Progress) -> Any:
    from rich.text import Text

    out = Text()
    for word in counted(now.verdicts).split(", "):
        out.append(", " if out else "").append(word, style=_style(word.split(" ", 1)[1]))
    return out


def _style(verdict: str) -> str:
    return "green" if verdict in GOOD else "default" if verdict in NEUTRAL else "red"
