"""Takes time samples of a candidate and of the baseline by turns, in one process, on restored memory."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence

from r3c.replay.judge import ORDERS, POISON, Judge, Judgement, Kernel
from r3c.replay.timer import TimingPlan, batch_of, is_hopeless

Times = list[list[float]]
Check = Callable[[int], bool]


class Sampler:
    """Samples by turns (A B, B A, ...), so that a drifting clock meets both alike."""

    def __init__(self, judge: Judge, plan: TimingPlan) -> None:
        self.judge = judge
        self.plan = plan
        self._batches: dict[tuple[int, str, str], int] = {}

    def measure(
        self, baseline: Kernel, candidate: Kernel, indices: Sequence[int], check: Check | None = None
    ) -> tuple[Times, Times, bool]:
        """Times in us of one launch, a list for each image, of both; and whether the candidate was given up early.

        `check` is called with an image's index at moments that no kernel can foresee, right after the candidate was
        timed; where it returns True, nothing more is timed.

        Raises:
            LaunchFailed: a launch ended in a fault.
        """
        kernels = [baseline, candidate]
        times: list[Times] = [[[] for _ in indices] for _ in kernels]
        self.judge.arena.session.set_order(ORDERS[0])
        share_s = self.plan.budget_s / len(indices)
        gave_up = False
        for place, index in enumerate(indices):
            self.judge.arena.prepare(index, POISON[0])
            started = time.monotonic()
            moments = self._moments() if check is not None else set()
            for number in range(self.plan.samples):
                turn = list(enumerate(kernels))
                for which, kernel in turn if number % 2 == 0 else turn[::-1]:
                    times[which][place].append(self._sample(kernel, index))
                    if check is not None and which == 1 and number in moments:
                        if check(index):
                            return times[0], times[1], gave_up
                        self.judge.arena.prepare(index, POISON[0])
                        self.judge.arena.session.set_order(ORDERS[0])
                if is_hopeless(times[0][place], times[1][place], self.plan):
                    gave_up = True
                    break
                late = time.monotonic() - started > share_s
                if late and number + 1 >= self.plan.least_samples:
                    break
        return times[0], times[1], gave_up

    def _moments(self) -> set[int]:
        """Numbers of the samples after which to check, one of them among those that are taken in any case."""
        least, most = min(self.plan.least_samples, self.plan.samples), self.plan.samples
        return {secrets.randbelow(max(1, least)), secrets.randbelow(max(1, most))}

    def _sample(self, kernel: Kernel, index: int) -> float:
        key = (index, kernel.symbol, kernel.label)
        if key not in self._batches:
            first = [self._time(kernel, index, 1) for _ in range(2)]
            self._batches[key] = batch_of(min(first), self.plan.sample_us)
        return self._time(kernel, index, self._batches[key])

    def forget(self, kernel: Kernel) -> None:
        """Call before another kernel uses the same label."""
        self._batches = {key: n for key, n in self._batches.items() if key[2] != kernel.label}

    def _time(self, kernel: Kernel, index: int, launches: int) -> float:
        arena = self.judge.arena
        launch = self.judge.launch_of(kernel, index)
        arena.restore_changed()
        arena.put_globals(kernel.module, index)
        self.judge.beat(f"time {kernel.label}")
        return arena.session.time_us(launch, launches, self.plan.cold)


class SpotChecks:
    """Results looked at between time samples, in thread orders by turns; `wrong` is the first that was."""

    def __init__(self, judge: Judge, kernel: Kernel) -> None:
        self.wrong: Judgement | None = None
        self._judge = judge
        self._kernel = kernel
        self._count = 0

    def check(self, index: int) -> bool:
        """Whether the kernel is wrong now. The first check leaves what timed launches left in shared memory."""
        order = ORDERS[1] if self._count % 2 == 0 else f"random:{secrets.randbelow(1 << 32) + 1}"
        self._count += 1
        judged = self._judge.look(self._kernel, index, order, POISON[self._count % 2]).judged
        self.wrong = judged if judged.mismatch else None
        return self.wrong is not None
