"""What every proposer must do; call `check_proposer` with its class in a test of your own."""

from __future__ import annotations

from collections.abc import Callable

from r3c.core.candidate import Candidate
from r3c.core.result import Verdict
from r3c.core.source import Source
from r3c.proposers.base import Problem, Proposer, Structure, StructureResult
from r3c.rewrites.base import apply_candidate
from r3c.tree.parse import parse
from r3c.tree.regions import region

MakeProposer = Callable[[Problem, int], Proposer]

KERNEL = """\
// r3c: kernel(rtol=1e-5)
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
NOTHING = "// r3c: kernel()\n__global__ void empty() { }\n"


def problem_of(text: str) -> Problem:
    source = Source("k.cu", text)
    kernel = parse(source).kernels[0].name
    return Problem(source, kernel, region(parse(source), kernel).contract)


def check_proposer(make: MakeProposer) -> None:
    """Every rule of the contract."""
    first, again = _run(make(problem_of(KERNEL), 7), 25), _run(make(problem_of(KERNEL), 7), 25)
    assert first == again, "the same seed gives the same structures"
    assert first, "a kernel with legal steps has structures"
    assert len(set(first)) == len(first), "no structure is given twice"
    assert () not in first, "the original is not a proposal"
    check_legal(first)
    check_late_answers(make)
    check_empty_kernel(make)


def _run(proposer: Proposer, most: int) -> list[Structure]:
    given: list[Structure] = []
    for number in range(most):
        structure = proposer.ask()
        if structure is None:
            break
        given.append(structure)
        failed = number % 5 == 4
        best = None if failed else 100.0 - len(structure) + number % 3
        proposer.tell(structure, StructureResult(best, 100.0, Verdict.WRONG if failed else Verdict.FASTER))
    return given


def check_legal(structures: list[Structure]) -> None:
    """Every structure can be applied with its own numbers."""
    problem = problem_of(KERNEL)
    for structure in structures:
        steps = Candidate(tuple(step for step in structure if step.name != "launch-bounds"))
        apply_candidate(problem.source, problem.kernel, steps, problem.names, problem.texts)


def check_late_answers(make: MakeProposer) -> None:
    """Results may come late, in any order, or never."""
    proposer = make(problem_of(KERNEL), 3)
    asked = [s for s in (proposer.ask() for _ in range(6)) if s is not None]
    for structure in reversed(asked[1:]):
        proposer.tell(structure, StructureResult(90.0, 100.0, Verdict.FASTER))
    proposer.ask()


def check_empty_kernel(make: MakeProposer) -> None:
    """For a kernel without loops, memory or parameters only steps about the launch are left, and soon nothing."""
    proposer = make(problem_of(NOTHING), 1)
    for structure in (proposer.ask() for _ in range(5)):
        assert structure is None or {step.as_dict()["site"] for step in structure} == {"empty"}
