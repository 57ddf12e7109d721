"""Pieces of charts as SVG text: scales, ticks, words. No scripts; colours and fonts come from the page's style sheet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Scale:
    """Maps `[low, high]` onto `[start, end]` of the drawing, values outside onto its ends."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (min(max(value, self.low), self.high) - self.low) / ((self.high - self.low) or 1.0)
        return self.start + share * (self.end - self.start)

    def ticks(self, count: int = 4) -> list[float]:
        """About `count` round values within the range."""
        raw = (self.high - self.low) / max(1, count)
        if raw <= 0 or not math.isfinite(raw):
            return [self.low]
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        return [n * step for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def svg(width: int, height: int, label: str, parts: Iterable[str]) -> str:
    """A drawing; `label` says in words what it shows, for those who do not see it."""
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}">'
        f"<title>{escape(label)}</title>{''.join(parts)}</svg>"
    )


def words(x: float, y: float, text: str, kind: str = "tick", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{height:.1f}" rx="2"/>'


def dot(x: float, y: float, kind: str, title: str = "") -> str:
    inner = f"<title>{escape(title)}</title>" if title else ""
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="3">{inner}</circle>'


def cross(x: float, y: float, kind: str, title: str = "") -> str:
    inner = f"<title>{escape(title)}</title>" if title else ""
    a, b, c, d = x - 3, x + 3, y - 3, y + 3
    return f'<path class="{kind}" d="M{a:.1f} {c:.1f}L{b:.1f} {d:.1f}M{a:.1f} {d:.1f}L{b:.1f} {c:.1f}">{inner}</path>'


def time_text(us: float) -> str:
    """Microseconds in the unit that reads best."""
    if abs(us) >= 1e6:
        return f"{us / 1e6:.3g} s"
    return f"{us / 1e3:.3g} ms" if abs(us) >= 1e3 else f"{us:.3g} us"


def tick_texts(ticks_us: Sequence[float]) -> list[str]:
    """Texts of ticks in one unit."""
    top = max((abs(us) for us in ticks_us), default=0.0)
    unit, size = ("s", 1e6) if top >= 1e6 else ("ms", 1e3) if top >= 1e3 else ("us", 1.0)
    return [f"{us / size:.6g} {unit}" for us in ticks_us]
