from __future__ import annotations

import ctypes
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from r3c.build.libllvm import LibLlvm, Target, find_libllvm, in_child
from r3c.build.passes import (
    PASSES,
    PREFIX,
    STANDARD,
    SUFFIX,
    dimensions,
    pipeline,
    random_sequence,
    read_genes,
    sequence_of,
    wrapped,
)
from r3c.core.dims import Space
from r3c.core.errors import BuildError, ConfigError

TARGET = Target("sm_90", "+ptx80")
LLVM_IR = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @twice(ptr %p) {
  %x = load float, ptr %p
  %y = fadd float %x, %x
  store float %y, ptr %p
  ret void
}
"""


def test_each_kind_of_pass_gets_its_manager() -> None:
    assert wrapped("licm") == "function(loop-mssa(licm))"
    assert wrapped("indvars") == "function(loop(indvars))"
    assert wrapped("function-attrs") == "cgscc(function-attrs)"
    assert wrapped("ipsccp") == "ipsccp"
    assert wrapped("gvn") == "function(gvn)"
    assert wrapped("attributor") == "attributor"
    assert wrapped("O3") == STANDARD


def test_a_sequence_stands_between_the_fixed_ends() -> None:
    assert pipeline(()) == STANDARD
    assert pipeline(("gvn",)) == f"{PREFIX},function(gvn),{SUFFIX}"
    assert pipeline(("O3",)) == STANDARD
    assert pipeline(("O3", "gvn")) == f"{PREFIX},{STANDARD},function(gvn),{SUFFIX}"


def test_passes_of_the_target_are_left_out_where_it_is_not_there() -> None:
    plain = pipeline(("nvvm-intr-range", "gvn"), target_passes=False)
    assert "nvvm" not in plain
    assert "function(gvn)" in plain


def test_unsafe_passes_are_not_in_the_pool() -> None:
    assert not {name for name in PASSES if name.startswith(("attributor", "internalize"))}
    assert "instcombine" not in PASSES


def test_random_sequences_repeat_with_the_seed() -> None:
    assert random_sequence(random.Random(4)) == random_sequence(random.Random(4))
    assert 8 <= len(random_sequence(random.Random(5))) <= 30


def test_genes_run_round_by_round_and_in_the_files_order_within_one() -> None:
    assert sequence_of({}) == ()
    assert sequence_of({"O3": "first", "sink": 1, "loop_invariants": 1}) == ("O3", "licm", "sink")
    assert sequence_of({"O3": "last", "sink": 1, "loop_invariants": 2}) == ("sink", "licm", "O3")
    assert sequence_of({"O3": "none", "rotate": 3, "redundancies": 1}) == ("gvn", "loop-rotate")


def test_values_that_no_gene_has_are_refused() -> None:
    for options in ({"sink": 4}, {"sink": True}, {"O3": "often"}):
        with pytest.raises(ConfigError, match="expected one of"):
            sequence_of(options)


def test_every_gene_is_made_of_known_passes() -> None:
    for gene in read_genes():
        assert set(gene.passes) <= set(PASSES), gene.name


def test_a_crossover_of_two_orders_is_an_order_and_the_start_is_the_standard_one() -> None:
    space, rng = Space(dimensions("llvm")), random.Random(7)
    assert sequence_of({name.partition(".")[2]: value for name, value in space.start().items()}) == ()
    lengths = []
    for _ in range(100):
        one, other = space.sample(rng), space.sample(rng)
        assert one is not None
        assert other is not None
        child = {name.partition(".")[2]: rng.choice((one[name], other[name])) for name in space.names}
        lengths.append(len(sequence_of(child)))
    assert 8 <= sorted(lengths)[10] <= sorted(lengths)[90] <= 60


def test_a_child_that_crashes_hangs_or_refuses_is_a_build_error() -> None:
    def hang() -> bytes:
        while True:
            pass

    def refuse() -> bytes:
        raise BuildError("no such pass")

    assert in_child(lambda: b"answer", 5) == b"answer"
    with pytest.raises(BuildError, match="longer than"):
        in_child(hang, 0.2)
    with pytest.raises(BuildError, match="SIGSEGV"):
        in_child(lambda: ctypes.string_at(0), 5)
    with pytest.raises(BuildError, match="no such pass"):
        in_child(refuse, 5)


def test_what_a_child_wrote_before_it_died_is_kept() -> None:
    def die() -> bytes:
        os.write(2, b"LLVM ERROR: out of ideas\n")
        os.abort()

    with pytest.raises(BuildError, match=r"SIGABRT.*out of ideas") as caught:
        in_child(die, 5)
    assert "out of ideas" in caught.value.output
    with pytest.raises(BuildError, match="ZeroDivisionError"):
        in_child(lambda: bytes(1 // 0), 5)


@pytest.fixture(scope="module")
def bitcode(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    assembler = shutil.which("llvm-as-22")
    if assembler is None or find_libllvm() is None:
        pytest.skip(reason="no LLVM 22 on this machine")
    folder: Path = tmp_path_factory.mktemp("llvm")
    (folder / "k.ll").write_text(LLVM_IR)
    subprocess.run([assembler, str(folder / "k.ll"), "-o", str(folder / "k.bc")], check=True)
    return (folder / "k.bc").read_bytes()


@pytest.mark.llvm
def test_every_pass_alone_keeps_the_kernel(bitcode: bytes) -> None:
    library = LibLlvm()
    for name in PASSES:
        ptx = in_child(lambda name=name: library.compile(bitcode, pipeline((name,)), TARGET), 20)
        assert b".entry twice" in ptx, name


@pytest.mark.llvm
def test_an_unknown_pass_is_refused_with_llvms_words(bitcode: bytes) -> None:
    library = LibLlvm()
    with pytest.raises(BuildError, match="nosuch"):
        in_child(lambda: library.compile(bitcode, "default<O3>,nosuch", TARGET), 20)
