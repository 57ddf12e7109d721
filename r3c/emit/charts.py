"""Charts of one kernel: how the search went, where the times of its candidates lie, before against after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from r3c.core.result import Timing
from r3c.emit.svg import Scale, cross, dot, line, rect, svg, tick_texts, time_text, words

WIDTH = 720
LEFT, RIGHT = 76, 112


@dataclass(frozen=True)
class Mark:
    """One trial: `us` is None where it gave no verified time; `text` is shown when it is pointed at."""

    number: int
    us: float | None
    text: str = ""


def search_curve(baseline_us: float, marks: Sequence[Mark]) -> str:
    """Every trial as a mark, the best so far as a line, the original as a dashed line; empty where there is nothing."""
    timed = [mark for mark in marks if mark.us is not None]
    if not timed or baseline_us <= 0:
        return ""
    last = max(1, *(mark.number for mark in marks))
    times = [mark.us for mark in timed if mark.us is not None]
    low, high = _range(baseline_us, times)
    x, y = Scale(0, last, LEFT, WIDTH - RIGHT), Scale(low, high, 200, 16)
    best, path = baseline_us, [f"M{x(0):.1f} {y(baseline_us):.1f}"]
    for mark in timed:
        if mark.us is not None and mark.us < best:
            best = mark.us
            path.append(f"H{x(mark.number):.1f}V{y(best):.1f}")
    path.append(f"H{x(last):.1f}")
    failed = len(marks) - len(timed)
    label = (
        f"The search over {last} trials: the best verified time of one launch went from {time_text(baseline_us)} "
        f"to {time_text(best)}; {failed} trials gave no verified time."
    )
    parts = [*_time_axis(y, x.start, x.end), *_trial_axis(x, 200)]
    parts.append(line(x.start, y(baseline_us), x.end, y(baseline_us), "base"))
    parts += [dot(x(m.number), y(m.us), "dot", m.text) for m in timed if m.us is not None]
    parts += [cross(x(m.number), 214, "lost", m.text) for m in marks if m.us is None]
    parts.append(f'<path class="best" d="{"".join(path)}"/>')
    apart = abs(y(best) - y(baseline_us)) > 14
    parts.append(words(x.end + 8, y(baseline_us) + (4 if apart else -4), "original", "name"))
    parts.append(words(x.end + 8, y(best) + (4 if apart else 12), "best so far", "name accent"))
    if failed:
        parts.append(words(x.end + 8, 218, "no verified time", "name"))
    return svg(WIDTH, 258, label, parts)


def histogram(baseline_us: float, tuned_us: float | None, marks: Sequence[Mark]) -> str:
    """How many verified candidates took how long, with the original and the winner marked."""
    times = [mark.us for mark in marks if mark.us is not None]
    if len(times) < 5 or baseline_us <= 0:
        return ""
    low, high = _range(baseline_us, times)
    bins = min(30, max(8, len(times) // 2))
    counts = [0] * bins
    for us in times:
        counts[min(bins - 1, max(0, int((us - low) / (high - low) * bins)))] += 1
    x, y = Scale(low, high, LEFT, WIDTH - RIGHT), Scale(0, max(counts), 130, 30)
    each = (x.end - x.start) / bins
    over = sum(us > high for us in times)
    parts = [
        rect(x.start + i * each + 1, y(n), each - 2, y.start - y(n), "bar soft") for i, n in enumerate(counts) if n
    ]
    parts.append(line(x.start, y.start, x.end, y.start, "axis"))
    ticks = x.ticks(5)
    parts += [words(x(t), 148, text, anchor="middle") for t, text in zip(ticks, tick_texts(ticks), strict=True)]
    parts += [words(x.start - 8, y(n) + 4, str(n), anchor="end") for n in (0, max(counts))]
    parts += [
        line(x(baseline_us), 22, x(baseline_us), y.start, "base"),
        words(x(baseline_us), 16, "original", "name", "middle"),
    ]
    if tuned_us is not None:
        side = "end" if x(baseline_us) - x(tuned_us) < 90 else "middle"
        parts += [
            line(x(tuned_us), 22, x(tuned_us), y.start, "mark"),
            words(x(tuned_us), 16, "winner", "name accent", side),
        ]
    more = f"; {over} slower ones are counted in the last bar" if over else ""
    label = f"Times of one launch of {len(times)} verified candidates{more}"
    return svg(WIDTH, 160, label, parts)


def before_after(baseline: Timing, tuned: Timing) -> str:
    """Median and interval of the original and of the winner, as bars from zero."""
    top = 1.02 * max(baseline.high_us, tuned.high_us)
    x = Scale(0, top, LEFT, WIDTH - RIGHT)
    parts = []
    for row, (name, timing, kind) in enumerate((("original", baseline, "bar soft"), ("tuned", tuned, "bar"))):
        y = 8 + 30 * row
        parts.append(words(x.start - 8, y + 15, name, "name", "end"))
        parts.append(rect(x.start, y, x(timing.median_us) - x.start, 20, kind))
        parts.append(line(x(timing.low_us), y + 10, x(timing.high_us), y + 10, "range"))
        parts += [line(x(us), y + 5, x(us), y + 15, "range") for us in (timing.low_us, timing.high_us)]
        parts.append(words(x(timing.high_us) + 8, y + 15, time_text(timing.median_us), "name"))
    label = f"One launch: {timing_text(baseline)} before, {timing_text(tuned)} after"
    return svg(WIDTH, 66, label, parts)


def timing_text(timing: Timing) -> str:
    """`409 us (interval 405 us to 412 us, 60 samples)`."""
    between = f"{time_text(timing.low_us)} to {time_text(timing.high_us)}"
    return f"{time_text(timing.median_us)} (interval {between}, {timing.count} samples)"


def _range(baseline_us: float, times: Sequence[float]) -> tuple[float, float]:
    """What to show: all that is not far slower than the original, with some room; not from zero, so that steps show."""
    shown = [us for us in times if us <= 1.6 * baseline_us] or [baseline_us]
    low, high = min(baseline_us, *shown), max(baseline_us, *shown)
    room = max(0.08 * (high - low), 0.02 * baseline_us)
    return max(0.0, low - room), high + room


def _time_axis(y: Scale, left: float, right: float) -> Iterator[str]:
    ticks = y.ticks(4)
    for us, text in zip(ticks, tick_texts(ticks), strict=True):
        yield line(left, y(us), right, y(us), "grid")
        yield words(left - 8, y(us) + 4, text, anchor="end")


def _trial_axis(x: Scale, bottom: float) -> Iterator[str]:
    yield line(x.start, bottom, x.end, bottom, "axis")
    for number in x.ticks(6):
        if number == int(number):
            yield words(x(number), bottom + 36, f"{number:.0f}", anchor="middle")
    yield words((x.start + x.end) / 2, bottom + 54, "trial (0 is the original)", anchor="middle")
