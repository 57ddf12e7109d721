"""The contract of tuners, for every tuner there is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from r3c.core.dims import Space
from r3c.core.errors import MissingExtra
from r3c.testing import tuner_contract as contract

on_every_space = pytest.mark.parametrize("space", contract.SPACES.values(), ids=list(contract.SPACES))


@pytest.fixture(params=contract.all_tuners())
def name(request: pytest.FixtureRequest) -> str:
    """Each tuner; one whose extra is not installed is skipped."""
    found: str = request.param
    try:
        contract.make_tuner(found, Space())
    except MissingExtra as error:
        pytest.skip(reason=str(error))
    return found


@on_every_space
def test_start_comes_first(name: str, space: Space) -> None:
    contract.check_start_comes_first(name, space)


@on_every_space
def test_every_allowed_point_comes_once_and_then_none(name: str, space: Space) -> None:
    contract.check_gives_every_point_once(name, space)


@on_every_space
def test_same_seed_gives_same_points(name: str, space: Space) -> None:
    contract.check_same_seed_same_points(name, space, 15)


@on_every_space
@pytest.mark.parametrize(
    "check",
    [
        contract.check_asks_for_several,
        contract.check_failures_are_no_obstacle,
        contract.check_points_known_from_elsewhere,
        contract.check_told_later_in_any_order,
        contract.check_given_points_belong_to_the_caller,
    ],
    ids=lambda check: check.__name__.removeprefix("check_"),
)
def test_tuner(name: str, space: Space, check: Callable[[str, Space], None]) -> None:
    check(name, space)


def test_points_of_a_large_space_are_allowed_and_different(name: str) -> None:
    contract.check_points_are_allowed(name, contract.LARGE, 14)


def test_large_space_repeats_by_seed(name: str) -> None:
    contract.check_same_seed_same_points(name, contract.LARGE, 11)
