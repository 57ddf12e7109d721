"""Names of kernels as the CPU device's recordings and as LLVM's modules have them."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from r3c.build.cpu_ir import checked_architecture, pick_kernel
from r3c.build.toolchains.base import BuildRequest
from r3c.core.compile import CompileCommand
from r3c.core.errors import BuildError
from r3c.core.source import Source
from r3c.core.spec import Spec

REQUEST = BuildRequest(Source("a.cu", ""), "k", "k", CompileCommand("a.cu"), Spec("llvm"))
needs_demangler = pytest.mark.skipif(shutil.which("c++filt") is None, reason="needs c++filt")


def test_the_newest_gpu_of_the_application_is_checked() -> None:
    def of(*names: str) -> str:
        return checked_architecture(replace(REQUEST, command=CompileCommand("a.cu", architectures=names)))

    assert of("compute_80", "sm_80", "sm_90a") == "sm_90"
    assert of("sm_75") == "sm_75"
    assert of("sm_60") == of() == "sm_90"


@needs_demangler
@pytest.mark.parametrize(
    ("recorded", "symbol"),
    [
        ("k<float, 4>", "_Z1kIfLj4EEvPT_"),  # float, 4u
        ("k<double, 4>", "_Z1kIdLj4EEvPT_"),
        ("ns::k", "_ZN2ns1kEPf"),
        ("{anonymous}::k", "_ZN12_GLOBAL__N_11kEPf"),
        ("k<long unsigned int, 2>", "_Z1kImLi2EEvPT_"),
    ],
)
def test_an_instantiation_is_found_by_the_name_in_the_recording(recorded: str, symbol: str) -> None:
    others = ("_Z1kIfLj4EEvPT_", "_Z1kIdLj4EEvPT_", "_Z1kIfLj8EEvPT_", "_Z1kImLi2EEvPT_", "_Z5otherPf")
    symbols = tuple(dict.fromkeys((symbol, *others)))
    assert pick_kernel(symbols, replace(REQUEST, symbol=recorded)) == symbol


@needs_demangler
def test_the_only_kernel_of_the_name_is_taken_and_several_are_not_guessed() -> None:
    assert pick_kernel(("_Z1kIfLj4EEvPT_", "_Z2kkPf"), replace(REQUEST, symbol="k<E::a>")) == "_Z1kIfLj4EEvPT_"
    with pytest.raises(BuildError, match="not in the module"):
        pick_kernel(("_Z1kIfLj4EEvPT_", "_Z1kIdLj4EEvPT_"), replace(REQUEST, symbol="k<E::a>"))
    with pytest.raises(BuildError, match="it holds: none"):
        pick_kernel((), REQUEST)
