from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from r3c.build.passes import random_sequence
from r3c.build.toolchains.base import BuildRequest
from r3c.build.toolchains.llvm import SEPARATOR, Llvm, split_options
from r3c.build.toolchains.llvm_pypi import LlvmPypi
from r3c.core.compile import CompileCommand
from r3c.core.contract import Contract
from r3c.core.errors import BuildError, ConfigError
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


@pytest.fixture(scope="module", params=[Llvm, LlvmPypi], ids=["system", "pypi"])
def llvm(request: pytest.FixtureRequest) -> Llvm:
    toolchain: Llvm = request.param()
    why = toolchain.unavailable()
    if why:
        pytest.skip(reason=why)
    return toolchain


def test_options_split_into_pass_order_and_the_rest() -> None:
    spec = parse_spec("llvm{passes=licm+early-cse<memssa>,unroll_count=4}")
    assert split_options(spec) == (("licm", "early-cse<memssa>"), Spec("llvm", (("unroll_count", 4),)))
    assert split_options(Spec("llvm")) == ((), Spec("llvm"))
    assert split_options(parse_spec("llvm{O3=none,sink=2,maxrregcount=64}")) == (
        ("sink",),
        Spec("llvm", (("maxrregcount", 64),)),
    )
    with pytest.raises(ConfigError, match="joined by"):
        split_options(Spec("llvm", (("passes", 3),)))
    with pytest.raises(ConfigError, match="not both"):
        split_options(parse_spec("llvm{passes=licm,sink=2}"))


def test_pass_orders_are_searched_only_where_machine_code_may_be_delivered() -> None:
    toolchain = Llvm()
    assert toolchain.dimensions(Contract("k"), "source") == toolchain.dimensions(Contract("k"), "flag") == ()
    found = {dimension.name: dimension for dimension in toolchain.dimensions(Contract("k"))}
    assert found["llvm.O3"].start == "first"
    assert found["llvm.loop_invariants"].values == (0, 1, 2, 3)
    assert "llvm.fma_level" not in found
    assert "llvm.fma_level" in {d.name for d in toolchain.dimensions(Contract("k", fast_math=True))}


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


@pytest.mark.llvm
def test_other_kernels_of_the_file_are_dropped_before_the_passes(llvm: Llvm, tmp_path: Path) -> None:
    others = "".join(SOURCE.replace("dot(", f"dot{i}(") for i in range(3))
    alone, symbol, _ = llvm.bitcode(request(tmp_path, Spec("llvm")), "sm_90", tmp_path)
    among, _, _ = llvm.bitcode(request(tmp_path, Spec("llvm"), SOURCE + others), "sm_90", tmp_path)
    assert symbol == "_Z3dotPKfS0_Pfi"
    assert len(among) < len(alone) + 64
    code = llvm.build(request(tmp_path, Spec("llvm")), tmp_path).code_hash
    assert llvm.build(request(tmp_path, Spec("llvm"), SOURCE + others), tmp_path).code_hash == code


@pytest.mark.llvm
def test_the_applications_own_options_reach_clang_llvm_and_ptxas(llvm: Llvm, tmp_path: Path) -> None:
    plain = request(tmp_path, Spec("llvm"), SOURCE.replace("*c = sum", "*c = sqrtf(sum)"))
    code = llvm.build(plain, tmp_path).code_hash
    for flags in (("-fmad=false",), ("-prec-sqrt", "false"), ("--use_fast_math",)):
        own = replace(plain, command=replace(plain.command, flags=flags))
        assert llvm.build(own, tmp_path).code_hash != code, flags
    few = replace(plain, command=replace(plain.command, flags=("-maxrregcount", "24")))
    assert "-maxrregcount=24" in llvm.build(few, tmp_path).command


@pytest.mark.llvm
def test_a_pass_order_that_crashes_or_is_unknown_costs_one_build(llvm: Llvm, tmp_path: Path) -> None:
    for passes, said in (("trigger-crash-function", "crashed"), ("nosuch", "nosuch")):
        with pytest.raises(BuildError, match=said):
            llvm.build(request(tmp_path, Spec("llvm", (("passes", passes),))), tmp_path)
    assert llvm.build(request(tmp_path, Spec("llvm")), tmp_path).code_hash
