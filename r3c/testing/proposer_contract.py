"""What every proposer must keep, as checks that a test calls for each one."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from r3c import plugins
from r3c.core.candidate import Candidate, parse_candidate
from r3c.core.result import Verdict
from r3c.core.source import Source
from r3c.core.spec import format_specs, parse_specs
from r3c.proposers.base import Problem, Proposer, Structure, StructureResult
from r3c.rewrites.base import apply_candidate, instantiate, space_of
from r3c.tree.parse import parse
from r3c.tree.regions import regions

BASELINE_US = 100.0
KERNEL = """// r3c: kernel(rtol=1e-5)
// r3c: buffer(a, in) buffer(b, out)
__global__ void smooth(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < 16; k++) sum += a[i + k * n];
  for (int j = 0; j < 8; j++) sum = sum * 0.5f + a[i];
  b[i] = sum;
}
"""
WITHOUT_STEPS = """// r3c: kernel() freeze
__global__ void stop() { __trap(); }
"""


def problem_of(source: Source | str) -> Problem:
    """The problem of the first annotated kernel in `source`."""
    source = Source("k.cu", source) if isinstance(source, str) else source
    here = regions(parse(source))[0]
    return Problem(source, here.name, here.contract)


def make_proposer(name: str, problem: Problem, seed: int = 1) -> Proposer:
    """The proposer; one that asks a model has no answers, and must do without."""
    if name == "llm":
        from r3c.proposers.llm import Cassette

        problem = replace(problem, context={"cassette": Cassette(Path("no-answers"), replay_only=True)})
    made: Proposer = plugins.load("proposer", name)(problem, seed)
    return made


def result_of(structure: Structure) -> StructureResult:
    """What became of a structure, made up from its text: some are wrong, the others take half to twice the baseline."""
    number = int.from_bytes(hashlib.sha256(format_specs(structure).encode()).digest()[:4], "little")
    if number % 5 == 0:
        return StructureResult(None, BASELINE_US, Verdict.WRONG, "c[0]: expected 1, got 2")
    us = BASELINE_US * (0.5 + 1.5 * number / 2**32)
    return StructureResult(us, BASELINE_US, Verdict.FASTER if us < BASELINE_US else Verdict.SLOWER)


def propose(
    proposer: Proposer, most: int, result: Callable[[Structure], StructureResult] = result_of
) -> list[Structure]:
    """Up to `most` structures, each told before the next is asked for."""
    out: list[Structure] = []
    while len(out) < most:
        structure = proposer.ask()
        if structure is None:
            break
        out.append(structure)
        proposer.tell(structure, result(structure))
    return out


def check_same_seed_same_structures(name: str, problem: Problem, count: int) -> None:
    first, second = (propose(make_proposer(name, problem, 3), count) for _ in range(2))
    assert first == second


def check_leaves_the_global_generator_alone(name: str, problem: Problem, count: int) -> None:
    """Draws of others change no structure, and the proposer changes no draw of others."""
    plain = propose(make_proposer(name, problem), count)
    state = random.getstate()
    random.seed(99)
    expected = [random.random() for _ in range(count)]
    random.seed(99)
    proposer, got, drawn = make_proposer(name, problem), [], []
    for _ in plain:
        got += propose(proposer, 1)
        drawn.append(random.random())
    random.setstate(state)
    assert got == plain
    assert drawn == expected[: len(drawn)]


def check_structures_are_legal_and_new(name: str, problem: Problem, count: int) -> int:
    """No structure comes twice, none is empty, each applies with the numbers it has; returns how many came."""
    given = propose(make_proposer(name, problem), count)
    assert len(set(given)) == len(given)
    for structure in given:
        assert structure
        assert parse_specs(format_specs(structure)) == structure
        apply_candidate(problem.source, problem.kernel, Candidate(structure), problem.names, problem.texts)
        check_start_is_what_was_proposed(problem, structure)
    return len(given)


def check_start_is_what_was_proposed(problem: Problem, structure: Structure) -> None:
    """The tuner's first point of a structure has the numbers that the structure was proposed with."""
    space = space_of(problem.source, problem.kernel, structure, problem.names)
    start = space.start()
    steps = {name: value for name, value in start.items() if name[0].isdigit()}
    made = instantiate(structure, steps, problem.kernel, problem.contract)
    assert made.steps == structure
    whole = instantiate(structure, start, problem.kernel, problem.contract)
    assert parse_candidate(str(whole)) == whole


def check_results_may_come_late(name: str, problem: Problem, count: int) -> None:
    """Results in another order, twice, of unknown structures, or never: still no structure twice, and no error."""
    proposer = make_proposer(name, problem)
    given: list[Structure] = []
    for _ in range(4):
        several = [s for s in (proposer.ask() for _ in range(count)) if s is not None]
        given += several
        for structure in [*reversed(several[1:]), *several[1:2]]:
            proposer.tell(structure, result_of(structure))
        proposer.tell((), result_of(()))
    assert len(set(given)) == len(given)


def check_nothing_works(name: str, problem: Problem, count: int) -> None:
    """Where every structure is wrong, or as fast as the original, new ones still come."""
    wrong = StructureResult(None, BASELINE_US, Verdict.BUILD_FAILED, "error")
    same = StructureResult(BASELINE_US, BASELINE_US, Verdict.SLOWER)
    for result in (wrong, same, StructureResult(None, 0.0, Verdict.REFUSED)):
        given = propose(make_proposer(name, problem), count, lambda _, told=result: told)  # type: ignore[misc]
        assert len(set(given)) == len(given)


def check_kernel_without_steps(name: str) -> None:
    """Where nothing is legal there is nothing to propose, however often it is asked."""
    proposer = make_proposer(name, problem_of(WITHOUT_STEPS))
    assert [proposer.ask() for _ in range(3)] == [None, None, None]
