"""How a recorded launch maps onto the launch of a candidate: block, grid and dynamic shared memory."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.candidate import LaunchShape

Shape = tuple[int, int, int]


@dataclass(frozen=True)
class LaunchGeometry:
    """A launch as the driver takes it."""

    grid: Shape
    block: Shape
    shared_bytes: int = 0


@dataclass(frozen=True)
class LaunchPlan:
    """What the steps of a candidate did to the launch.

    Attributes:
        block: the new block, or None for the recorded one.
        indices_per_thread: how many of the recorded launch's thread indices one thread now handles, per axis.
        threads_per_index: how many threads now share one recorded thread index, per axis.
        extra_shared_bytes: dynamic shared memory added to the recorded amount.
    """

    block: LaunchShape | None = None
    indices_per_thread: Shape = (1, 1, 1)
    threads_per_index: Shape = (1, 1, 1)
    extra_shared_bytes: int = 0

    @property
    def is_identity(self) -> bool:
        return self == LaunchPlan()

    def apply(self, recorded: LaunchGeometry) -> LaunchGeometry:
        """The smallest grid of the new blocks that covers every recorded thread index."""
        if self.is_identity:
            return recorded
        block = self.block.as_tuple() if self.block else recorded.block
        grid = tuple(
            max(1, -(-(blocks * threads * shared) // (new * each)))
            for blocks, threads, new, each, shared in zip(
                recorded.grid, recorded.block, block, self.indices_per_thread, self.threads_per_index, strict=True
            )
        )
        return LaunchGeometry((grid[0], grid[1], grid[2]), block, recorded.shared_bytes + self.extra_shared_bytes)
