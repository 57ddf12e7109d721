"""Charts of the report as SVG text, without scripts; readable in print and on a dark page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 220, 64, 34, 14


@dataclass(frozen=True)
class Curve:
    """Verified trials as (number, us) in order, and the original's time."""

    baseline_us: float
    points: Sequence[tuple[int, float]]


def search_curve(curve: Curve) -> str:
    """Each verified trial as a dot, the best so far as a line, the original as a dashed line."""
    if not curve.points or curve.baseline_us <= 0:
        return ""
    last = max(number for number, _ in curve.points) or 1
    top = 1.05 * max(curve.baseline_us, *(min(us, 2 * curve.baseline_us) for _, us in curve.points))

    def x(number: float) -> float:
        return LEFT + (WIDTH - LEFT - 10) * number / last

    def y(us: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(us, top) / top)

    best, path = curve.baseline_us, [f"M{x(0):.1f} {y(curve.baseline_us):.1f}"]
    dots = []
    for number, us in curve.points:
        dots.append(f'<circle class="dot" cx="{x(number):.1f}" cy="{y(us):.1f}" r="2.5"/>')
        if us < best:
            path.append(f"H{x(number):.1f}V{y(us):.1f}")
            best = us
    path.append(f"H{x(last):.1f}")
    base = y(curve.baseline_us)
    ticks = "".join(
        f'<text class="tick" x="{LEFT - 8}" y="{y(us) + 4:.1f}" text-anchor="end">{escape(time_text(us))}</text>'
        for us in (0.0, top / 2, curve.baseline_us if abs(curve.baseline_us - top / 2) > top / 8 else top)
    )
    label = f"Time of one launch over {last} trials: from {time_text(curve.baseline_us)} to {time_text(best)}"
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">'
        f'<line class="axis" x1="{LEFT}" y1="{HEIGHT - BOTTOM}" x2="{WIDTH - 10}" y2="{HEIGHT - BOTTOM}"/>'
        f'<line class="axis" x1="{LEFT}" y1="{TOP}" x2="{LEFT}" y2="{HEIGHT - BOTTOM}"/>'
        f'<line class="base" x1="{LEFT}" y1="{base:.1f}" x2="{WIDTH - 10}" y2="{base:.1f}"/>'
        f'{"".join(dots)}<path class="best" d="{"".join(path)}"/>{ticks}'
        f'<text class="tick" x="{WIDTH - 10}" y="{HEIGHT - 10}" text-anchor="end">trial {last}</text>'
        f'<text class="tick" x="{LEFT}" y="{HEIGHT - 10}">trial 0 (original, dashed)</text></svg>'
    )


def time_text(us: float) -> str:
    """Microseconds in the unit that reads best."""
    if us >= 1e6:
        return f"{us / 1e6:.3g} s"
    return f"{us / 1e3:.3g} ms" if us >= 1e3 else f"{us:.3g} us"
