import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from r3c.core.contract import Tolerance
from r3c.replay.compare import Difference, View, compare, within
from r3c.replay.elements import ElementType

EXACT = Tolerance()


def view(code: str, tolerance: Tolerance = EXACT, changed=((0, 1 << 30),), lead: int = 0) -> View:
    return View("x", ElementType(code), tolerance, lead, 0, changed)


def differ(code: str, expected, got, tolerance: Tolerance = EXACT, **more) -> Difference:
    kind = np.dtype(code)
    return compare(
        view(code, tolerance, **more),
        np.array(expected, kind).view(np.uint8),
        np.array(got, kind).view(np.uint8),
    )


LOOSE = Tolerance(1e-3, 1e-6)


def test_equal_bytes_are_no_difference():
    assert differ("f4", [1, math.nan], [1, math.nan]) == Difference()


def test_value_within_tolerance_is_right_and_measured():
    found = differ("f8", [1.0, 2.0], [1.0, 2.001], LOOSE)
    assert found.mismatch is None
    assert found.differing == 1
    assert found.error == pytest.approx(0.001)


def test_first_wrong_element_is_reported_with_count():
    found = differ("f4", [1, 2, 3, 4], [1, 2.5, 3, 9], LOOSE)
    assert str(found.mismatch) == "x[1]: expected 2.0, got 2.5 (2 differ)"


@pytest.mark.parametrize("got", [math.nan, math.inf, -math.inf])
def test_not_finite_never_matches_a_number(got):
    assert differ("f4", [1.0], [got], Tolerance(1e30, 1e30)).mismatch is not None


def test_number_never_matches_nan_or_infinity():
    assert differ("f4", [math.nan], [1.0], Tolerance(1e30, 1e30)).mismatch is not None
    assert differ("f4", [math.inf], [1.0], Tolerance(1e30, 1e30)).mismatch is not None
    assert differ("f4", [math.inf], [-math.inf], Tolerance(1e30, 1e30)).mismatch is not None


def test_nan_of_other_bits_matches_nan_only_with_tolerance():
    expected = np.array([0x7FC00000], np.uint32).view(np.uint8)
    got = np.array([0x7FC00001], np.uint32).view(np.uint8)
    assert compare(view("f4", LOOSE), expected, got).mismatch is None
    assert compare(view("f4"), expected, got).mismatch is not None


def test_tolerance_holds_only_where_the_original_changed_something():
    assert differ("f4", [1, 1, 1], [1, 1.0005, 1], LOOSE, changed=((4, 4),)).mismatch is None
    assert differ("f4", [1, 1, 1], [1, 1, 1.0005], LOOSE, changed=((4, 4),)).mismatch is not None


def test_exact_difference_below_printing_shows_bits():
    found = differ("f4", [0.0], [-0.0])
    assert found.mismatch is not None
    assert found.mismatch.expected == "0.0"
    assert found.mismatch.got == "-0.0"


def test_bytes_before_the_first_element_compare_exactly():
    expected = np.concatenate([np.array([5], np.uint8), np.array([1.0], np.float32).view(np.uint8)])
    got = expected.copy()
    got[0] = 6
    found = compare(view("f4", LOOSE, lead=1), expected, got)
    assert found.mismatch is not None
    assert (found.mismatch.element, found.mismatch.expected) == (-1, "byte 5")


def test_half_and_bfloat16_are_read_as_floats():
    assert differ("f2", [1.0], [1.001], LOOSE).mismatch is None
    expected, got = np.array([0x3F80], np.uint16).view(np.uint8), np.array([0x3F81], np.uint16).view(np.uint8)
    assert compare(view("bf16", Tolerance(0.01, 0)), expected, got).mismatch is None
    assert compare(view("bf16", Tolerance(0.001, 0)), expected, got).mismatch is not None


def test_large_buffers_are_compared_to_the_last_byte():
    expected = np.zeros((40 << 20) + 3, np.uint8)
    got = expected.copy()
    got[-1] = 1
    found = compare(view("f8", LOOSE), expected, got)
    assert found.mismatch is not None
    assert found.mismatch.element == 5 << 20
    got = expected.copy()
    got[33 << 20] = 1
    assert compare(view("f8"), expected, got).mismatch.element == 33 << 17


floats = st.floats(width=32)


@given(floats, floats, st.floats(0, 10), st.floats(0, 10))
def test_within_agrees_with_its_definition(expected, got, rtol, atol):
    answer = within(np.array([expected]), np.array([got]), Tolerance(rtol, atol))[0]
    if math.isnan(expected) or math.isnan(got):
        assert answer == (math.isnan(expected) and math.isnan(got))
    elif math.isinf(expected) or math.isinf(got):
        assert answer == (expected == got)
    else:
        assert answer == (abs(got - expected) <= atol + rtol * abs(expected))
