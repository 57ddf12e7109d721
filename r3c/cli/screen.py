"""What a person sees while r3c works: a live view in a terminal, plain lines elsewhere, JSON lines on request."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from r3c.core.events import Event, Listener


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
        self._verdicts: Counter[str] = Counter()

    def __call__(self, event: Event) -> None:
        for line in self.lines(event):
            print(line, flush=True)

    def lines(self, event: Event) -> Iterator[str]:
        data = event.data
        if event.kind == "stage":
            self._verdicts.clear()
            yield f"{data['name']}: {data['detail']}"
        elif event.kind == "note":
            yield f"  note: {data['text']}"
        elif event.kind == "baseline":
            yield f"  original {data['us']:.1f} us ({data['low_us']:.1f} to {data['high_us']:.1f})"
        elif event.kind == "best":
            yield f"  best {data['us']:.1f} us, {best_words(data)}: {data['candidate']}"
        elif event.kind == "trial":
            self._verdicts[data["verdict"]] += 1
            if data["number"] % 10 == 0:
                yield f"  trial {data['number']}: {counted(self._verdicts)}{left_words(data)}"
        elif event.kind == "app":
            same = "same output" if data["output_equal"] else "OUTPUT DIFFERS"
            yield f"  application {data['baseline_s']:.3f} s -> {data['tuned_s']:.3f} s, {same}"
        elif event.kind == "done":
            found = "something verified is faster" if data["exit_code"] == 0 else "nothing faster was verified"
            yield f"done: {found}; report: {data['report']}"


def best_words(data: dict[str, Any]) -> str:
    return f"{data['speedup']:.2f}x (at least {data['speedup_low']:.2f}x)"


def counted(verdicts: Counter[str]) -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))


def left_words(data: dict[str, Any]) -> str:
    words = []
    if data.get("trials_left") is not None:
        words.append(f"{data['trials_left']} trials left")
    if data.get("seconds_left") is not None:
        words.append(f"{data['seconds_left']:.0f} s left")
    return f" ({', '.join(words)})" if words else ""


class LiveScreen:
    """A view that is drawn over itself: finished stages, the current one, verdicts, the best so far, what is left."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._stage = ""
        self._since = time.monotonic()
        self._plain = PlainScreen()
        self._verdicts: Counter[str] = Counter()
        self._lines: dict[str, str] = {}
        self._live: Any = None

    def __enter__(self) -> LiveScreen:
        from rich.live import Live

        self._live = Live(self._view(), refresh_per_second=4, get_renderable=self._view)
        self._live.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.__exit__(*error)

    def __call__(self, event: Event) -> None:
        data = event.data
        if event.kind == "stage":
            self._finish_stage()
            self._stage = f"{data['name']}: {data['detail']}"
            self._since = time.monotonic()
            self._verdicts.clear()
            self._lines.clear()
        elif event.kind == "trial":
            self._verdicts[data["verdict"]] += 1
            self._lines["trials"] = f"trials   {counted(self._verdicts)}{left_words(data)}"
            self._lines["now"] = f"last     {data['verdict']}: {data['candidate']}"
        elif event.kind in ("baseline", "best"):
            self._lines[event.kind] = next(self._plain.lines(event)).strip()
        else:
            self._done += [line.strip() for line in self._plain.lines(event)]

    def _finish_stage(self) -> None:
        if self._stage:
            best = self._lines.get("best", "")
            took = time.monotonic() - self._since
            self._done.append(f"{self._stage} ({took:.1f} s){'; ' + best if best else ''}")

    def _view(self) -> Any:
        from rich.console import Group
        from rich.text import Text

        rows = [Text(f"  {line}", style="dim", overflow="ellipsis", no_wrap=True) for line in self._done]
        if self._stage:
            rows.append(Text(f"> {self._stage} ({time.monotonic() - self._since:.0f} s)", style="bold"))
        for key, style in (("baseline", ""), ("best", "green"), ("trials", ""), ("now", "dim")):
            if key in self._lines:
                rows.append(Text(f"    {self._lines[key]}", style=style, overflow="ellipsis", no_wrap=True))
        return Group(*rows)
