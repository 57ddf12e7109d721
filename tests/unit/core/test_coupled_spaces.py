"""Spaces whose constraints couple few of their dimensions are listed and drawn from without trying the full product."""

from __future__ import annotations

import itertools
import random
from collections import Counter

from r3c.core.constraints import Condition, Constraint, Listed
from r3c.core.dims import Dimension, Space

WIDE = tuple(range(1, 41))


def test_chains_of_equalities_over_a_huge_product_are_listed() -> None:
    names = [f"n{i}" for i in range(10)]
    equal = tuple(Constraint(f"{a} == {b}") for a, b in itertools.pairwise(names))
    space = Space(tuple(Dimension(name, WIDE) for name in names), (*equal, Constraint("n0 % 7 == 0")))
    assert space.product_size == 40**10
    points = space.listed(100)
    assert points is not None
    assert [point["n9"] for point in points] == [7, 14, 21, 28, 35]


def test_the_coupling_name_may_come_last() -> None:
    """Binding in the order of the space would try 300 x 300 pairs for each value before the first cut."""
    wide = tuple(range(300))
    space = Space(
        (Dimension("x", wide), Dimension("y", wide), Dimension("tile", (8, 16))),
        (Constraint("x == tile"), Constraint("y == tile")),
    )
    assert space.listed(10) == [{"x": 8, "y": 8, "tile": 8}, {"x": 16, "y": 16, "tile": 16}]


def test_free_dimensions_do_not_keep_the_coupled_ones_from_being_drawn_evenly() -> None:
    free = tuple(Dimension(f"free{i}", WIDE) for i in range(6))
    space = Space(
        (Dimension("a", WIDE), Dimension("b", WIDE), *free),
        (Constraint("a * b == 36"), Constraint("a != 6")),
    )
    assert space.listed(1000) is None
    rng = random.Random(1)
    drawn = [space.sample(rng, 0) for _ in range(3000)]
    counts = Counter((point["a"], point["b"]) for point in drawn if point is not None)
    assert set(counts) == {(1, 36), (2, 18), (3, 12), (4, 9), (9, 4), (12, 3), (18, 2), (36, 1)}
    assert all(300 < count < 450 for count in counts.values())
    assert len({point["free5"] for point in drawn if point is not None}) == 40


def test_a_function_may_be_a_constraint() -> None:
    space = Space(
        (Dimension("a", (0, 1, 2)), Dimension("b", (0, 1, 2)), Dimension("c", (0, 1))),
        (Condition(("b", "a"), lambda b, a: b / a > 1),),
    )
    assert list(space.points()) == [{"a": 1, "b": 2, "c": 0}, {"a": 1, "b": 2, "c": 1}]
    assert not space.allows({"a": 0, "b": 2, "c": 0})


def test_what_is_allowed_may_be_a_list() -> None:
    rows = ((3, "z"), (1, "x"), (3, "y"), (9, "x"))
    space = Space(
        (Dimension("n", (1, 2, 3)), Dimension("fast", (False, True)), Dimension("how", ("x", "y", "z"), ordered=False)),
        (Listed(("n", "how"), rows), Constraint("fast || n > 1")),
    )
    assert [tuple(point.values()) for point in space.points()] == [
        (1, True, "x"), (3, False, "y"), (3, False, "z"), (3, True, "y"), (3, True, "z"),
    ]  # fmt: skip
    assert space.allows({"n": 3, "how": "z", "fast": False})
    assert not space.allows({"n": 3, "how": "x", "fast": True})


def test_a_part_too_large_to_list_is_still_drawn_from_and_walked() -> None:
    """Every dimension is coupled with every other, and each point is found by looking for it."""
    names = ("a", "b", "c", "d")
    space = Space(tuple(Dimension(name, tuple(range(64))) for name in names), (Constraint("a + b + c + d == 5"),))
    assert space.listed(10**9) is None
    point = space.sample(random.Random(3), 0)
    assert point is not None
    assert space.allows(point)
    first = next(space.points())
    assert tuple(first.values()) == (0, 0, 0, 5)
