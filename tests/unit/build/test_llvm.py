from __future__ import annotations

import random
from pathlib import Path

import pytest

from r3c.build.passes import random_sequence
from r3c.build.toolchains.base import BuildRequest
from r3c.build.toolchains.llvm import SEPARATOR, Llvm, split_options
from r3c.core.compile import CompileCommand
from r3c.core.contract import Contract
from r3c.core.errors import BuildError
from r3c.core.source import Source
from r3c.core.spec import Spec, parse_spec

SOURCE = """
__global__ void dot(const float* a, const float* b, float* c, int n) {
  __shared__ float part[128];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 128) sum += a[i] * b[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) { for (int i = 1; i < 128; i++) sum += part[i]; *c = sum; }
}
"""


def request(folder: Path, options: Spec, text: str = SOURCE) -> BuildRequest:
    path = str(folder / "dot.cu")
    return BuildRequest(Source(path, text), "dot", "_Z3dotPKfS0_Pfi", CompileCommand(path), options, "sm_90", 30)


@pytest.fixture(scope="module")
def llvm() -> Llvm:
    toolchain = Llvm()
    why = toolchain.unavailable()
    if why:
        pytest.skip(reason=why)
    return toolchain


def test_options_split_into_pass_order_and_the_rest() -> None:
    spec = parse_spec("llvm{passes=licm+early-cse<memssa>,unroll_count=4}")
    assert split_options(spec) == (("licm", "early-cse<memssa>"), Spec("llvm", (("unroll_count", 4),)))
    assert split_options(Spec("llvm")) == ((), Spec("llvm"))
    with pytest.raises(BuildError, match="joined by"):
        split_options(Spec("llvm", (("passes", 3),)))


def test_pass_orders_are_a_dimension_that_starts_at_the_standard_one() -> None:
    first = Llvm().dimensions(Contract("k"))[0]
    assert first.start == "O3"
    assert len(set(first.values)) == len(first.values) == 65
    assert parse_spec(str(Spec("llvm", (("passes", first.values[1]),)))).as_dict()["passes"] == first.values[1]


@pytest.mark.llvm
def test_pass_orders_give_different_machine_code_for_the_same_source(llvm: Llvm, tmp_path: Path) -> None:
    rng = random.Random(1)
    specs = [Spec("llvm"), *(Spec("llvm", (("passes", SEPARATOR.join(random_sequence(rng))),)) for _ in range(6))]
    hashes = {llvm.build(request(tmp_path, spec), tmp_path).code_hash for spec in specs}
    assert len(hashes) >= 3


@pytest.mark.llvm
def test_back_end_options_hold_for_one_build_only(llvm: Llvm, tmp_path: Path) -> None:
    plain = llvm.build(request(tmp_path, Spec("llvm")), tmp_path).code_hash
    turned = llvm.build(request(tmp_path, parse_spec("llvm{schedule_for_registers=true,unroll_count=8}")), tmp_path)
    again = llvm.build(request(tmp_path, Spec("llvm")), tmp_path).code_hash
    assert turned.code_hash != plain == again


@pytest.mark.llvm
def test_a_syntax_error_is_the_front_ends(llvm: Llvm, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="error"):
        llvm.build(request(tmp_path, Spec("llvm"), SOURCE.replace("float sum", "float")), tmp_path)
