"""Points as rows of numbers."""

from __future__ import annotations

import numpy as np

from r3c.core.dims import Dimension, Space
from r3c.tuners._encoding import Encoding


def rows_of(*dimensions: Dimension) -> list[list[float]]:
    space = Space(dimensions)
    return Encoding(space).encode(list(space.points())).round(3).tolist()


def test_positive_numbers_are_spaced_by_their_logarithm() -> None:
    assert rows_of(Dimension("x", (32, 64, 256, 512))) == [[0.0], [0.25], [0.75], [1.0]]


def test_numbers_that_are_not_powers_of_two_get_a_column_for_the_one_that_divides_them() -> None:
    rows = rows_of(Dimension("x", (16, 48, 64, 96, 128)))
    assert [row[1] for row in rows] == [0.0, 0.0, 0.667, 0.333, 1.0]


def test_a_few_numbers_from_zero_are_choices() -> None:
    first, second, third = rows_of(Dimension("method", (0, 1, 2)))
    assert len(first) == 3
    assert np.isclose(np.linalg.norm(np.subtract(first, third)), 1, atol=1e-3)
    assert np.isclose(np.linalg.norm(np.subtract(first, second)), 1, atol=1e-3)


def test_two_values_are_the_ends_of_a_column_and_one_value_has_none() -> None:
    assert rows_of(Dimension("fast", (False, True)), Dimension("size", (15,))) == [[0.0], [1.0]]


def test_negative_and_real_numbers_are_spaced_evenly() -> None:
    assert rows_of(Dimension("x", (-2, 0, 2))) == [[0.0], [0.5], [1.0]]
    assert rows_of(Dimension("x", (0.5, 1.0, 2.0))) == [[0.0], [0.5], [1.0]]
