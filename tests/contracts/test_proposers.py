"""The contract of proposers, for every proposer there is."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from r3c import plugins
from r3c.core.source import Source
from r3c.proposers.base import Problem
from r3c.testing import proposer_contract as contract

ROOT = Path(__file__).resolve().parents[2]
KERNELS = [
    ROOT / "samples/matmul/matmul.cu",
    ROOT / "tests/kernels/saxpy.cu",
    ROOT / "tests/kernels/jacobi2d.cu",
    ROOT / "tests/kernels/reduce_shared.cu",
]
DETERMINISM = """
import os, sys
from pathlib import Path
from r3c import plugins
from r3c.core.source import Source
from r3c.core.spec import format_specs
from r3c.testing.proposer_contract import make_proposer, problem_of, propose
name, path = sys.argv[1:]
ballast = [type(f"Ballast{i}", (), {}) for i in range(int(os.environ["PYTHONHASHSEED"]) * 37)]
for structure in propose(make_proposer(name, problem_of(Source.read(Path(path))), 5), 50):
    print(format_specs(structure))
"""

each_proposer = pytest.mark.parametrize("name", plugins.names("proposer"))
on_kernels = pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)


@cache
def problem(path: Path) -> Problem:
    return contract.problem_of(Source.read(path))


@each_proposer
@on_kernels
def test_structures_are_legal_and_new(name: str, path: Path) -> None:
    assert contract.check_structures_are_legal_and_new(name, problem(path), 40) > 5


@each_proposer
def test_same_seed_gives_same_structures(name: str) -> None:
    contract.check_same_seed_same_structures(name, problem(KERNELS[1]), 60)


@each_proposer
def test_global_random_generator_is_left_alone(name: str) -> None:
    contract.check_leaves_the_global_generator_alone(name, problem(KERNELS[1]), 30)


@each_proposer
def test_results_may_come_in_any_order(name: str) -> None:
    contract.check_results_may_come_late(name, problem(KERNELS[1]), 9)


@each_proposer
def test_proposals_go_on_where_nothing_works(name: str) -> None:
    contract.check_nothing_works(name, problem(KERNELS[1]), 25)


@each_proposer
def test_kernel_without_legal_steps_gives_none(name: str) -> None:
    contract.check_kernel_without_steps(name)


@each_proposer
def test_processes_agree_whatever_their_hash_seed(name: str) -> None:
    """Neither the order of a set of texts nor addresses of classes decide what is proposed."""
    told = [
        subprocess.run(
            [sys.executable, "-c", DETERMINISM, name, str(KERNELS[2])],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "3")
    ]
    assert told[0].count("\n") > 20
    assert told[0] == told[1]
