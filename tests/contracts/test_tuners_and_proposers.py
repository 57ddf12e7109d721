"""Every tuner and proposer in the folders passes its contract suite."""

from __future__ import annotations

from pathlib import Path

import pytest

from r3c import plugins
from r3c.core.errors import MissingExtra
from r3c.proposers.base import Problem
from r3c.testing.proposer_contract import check_proposer
from r3c.testing.tuner_contract import SMALL, check_tuner


@pytest.mark.parametrize("name", plugins.names("tuner"))
def test_tuner(name: str) -> None:
    make = plugins.load("tuner", name)
    try:
        make(SMALL, 1)
    except MissingExtra as missing:
        pytest.skip(reason=str(missing))
    check_tuner(make)


@pytest.mark.parametrize("name", plugins.names("proposer"))
def test_proposer(name: str, tmp_path: Path) -> None:
    make = plugins.load("proposer", name)
    if name != "llm":
        check_proposer(make)
        return
    from r3c.proposers.llm import Cassette

    def without_network(problem: Problem, seed: int) -> object:
        """Without recorded answers it is evolution alone, and must behave like it."""
        context = {"cassette": Cassette(tmp_path, replay_only=True)}
        return make(Problem(problem.source, problem.kernel, problem.contract, context=context), seed)

    check_proposer(without_network)
