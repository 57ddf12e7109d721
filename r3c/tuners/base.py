"""What a tuner is: asked for points of a space, told what became of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from r3c.core.dims import Point, Space


@dataclass(frozen=True)
class Observation:
    """What a measured point gave.

    Attributes:
        value_us: time of one launch; None where there is none.
        noise: standard deviation of the logarithm of the time, 0 where unknown.
        feasible: whether the point ran and was right.
        seconds: what building and measuring cost.
        features: static numbers of the build.
    """

    value_us: float | None
    noise: float = 0.0
    feasible: bool = True
    seconds: float = 0.0
    features: dict[str, float] = field(default_factory=dict)


class Tuner(Protocol):
    """A plug-in of this folder. Same space, same seed, same observations: same points.

    The first point asked for is the space's start where that is allowed. No point is given twice.
    """

    def __init__(self, space: Space, seed: int) -> None: ...

    def ask(self, count: int = 1) -> list[Point]:
        """Up to `count` points not given before; fewer, or none, when the space is exhausted."""

    def tell(self, point: Point, observation: Observation) -> None:
        """Results may come in any order, also for points that were never asked for (known from elsewhere).

        A point that was told is not asked for any more.
        """
