"""Spaces list and draw what they allow, whatever their constraints; the archive keeps the fastest of each niche."""

from __future__ import annotations

import itertools
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from r3c.core.constraints import Constraint
from r3c.core.dims import Dimension, Space
from r3c.core.result import Outcome, Timing, Verdict
from r3c.search.archive import Archive, niche_of
from r3c.search.journal import Trial

NAMES = ("a", "b", "c", "d")
CONSTRAINTS = (
    "a < b",
    "a == c",
    "b * c <= 12",
    "d % 2 == 0 || a > 1",
    "!(a == 2)",
    "a / (b - 1) > 0",
    "1 < 2",
    "2 < 1",
)


@st.composite
def spaces(draw: st.DrawFn) -> Space:
    names = NAMES[: draw(st.integers(0, 4))]
    values = st.lists(st.integers(1, 8), min_size=1, max_size=5, unique=True)
    dimensions = tuple(Dimension(name, tuple(draw(values))) for name in names)
    texts = draw(st.lists(st.sampled_from(CONSTRAINTS), max_size=3))
    constraints = [Constraint(text) for text in texts]
    return Space(dimensions, tuple(c for c in constraints if c.names <= set(names)))


@given(spaces(), st.integers(0, 40))
def test_points_are_the_allowed_ones_in_order(space: Space, most: int) -> None:
    product = itertools.product(*(d.values for d in space.dimensions))
    every = [dict(zip(space.names, values, strict=True)) for values in product]
    allowed = [point for point in every if space.allows(point)]
    assert list(space.points()) == allowed
    listed = space.listed(most)
    assert listed == allowed or (listed is None and space.product_size > most)
    assert space.listed(10_000) == allowed


@given(spaces(), st.integers(0, 1000))
def test_a_drawn_point_is_allowed_and_there_is_one_where_any_is(space: Space, seed: int) -> None:
    for attempts in (0, 3):
        point = space.sample(random.Random(seed), attempts)
        if point is None:
            assert next(space.points(), None) is None
        else:
            assert space.allows(point)
            assert tuple(point) == space.names


trials = st.builds(
    lambda number, us, verdict, registers, barriers: Trial(
        number,
        "",
        f"c{number}",
        Outcome(
            verdict,
            None if us is None else Timing(us, us, us, 3),
            features={"registers": registers, "barriers": barriers},
        ),
        0.0,
    ),
    st.integers(0, 10_000),
    st.one_of(st.none(), st.floats(1, 1000)),
    st.sampled_from(list(Verdict)),
    st.floats(0, 255),
    st.floats(0, 8),
)


@settings(max_examples=150)
@given(st.lists(trials, max_size=30, unique_by=lambda trial: trial.number))
def test_the_archive_keeps_the_fastest_verified_trial_of_each_niche(found: list[Trial]) -> None:
    archive = Archive()
    for trial in found:
        before = archive.best
        became_elite = archive.add(trial)
        assert became_elite == any(trial is elite for elite in archive)
        if before is not None:
            assert archive.best is not None
            assert archive.best.outcome.timing.median_us <= before.outcome.timing.median_us
    timed = [t for t in found if t.outcome.verdict.is_verified and t.outcome.timing is not None]
    elites = list(archive)
    assert {niche_of(t) for t in elites} == {niche_of(t) for t in timed}
    assert len(elites) == len(archive) == len({niche_of(t) for t in elites})
    for elite in elites:
        rivals = [t.outcome.timing.median_us for t in timed if niche_of(t) == niche_of(elite)]
        assert elite.outcome.timing.median_us == min(rivals)
    times = [t.outcome.timing.median_us for t in elites]
    assert times == sorted(times)
    assert (archive.best is None) == (not timed)


@given(st.lists(trials, max_size=20, unique_by=lambda trial: trial.number), st.randoms())
def test_the_order_of_trials_does_not_decide_the_best_time(found: list[Trial], order: random.Random) -> None:
    one, other = Archive(), Archive()
    shuffled = list(found)
    order.shuffle(shuffled)
    for first, second in zip(found, shuffled, strict=True):
        one.add(first)
        other.add(second)
    assert [t.outcome.timing.median_us for t in one] == [t.outcome.timing.median_us for t in other]
