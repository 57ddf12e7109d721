from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from r3c.build.knobs import DELIVERIES, arguments, read_knobs, searched
from r3c.core.contract import Contract
from r3c.core.errors import ConfigError
from r3c.core.spec import Spec

FILE = Path(__file__).parents[3] / "r3c" / "build" / "toolchains" / "nvcc.toml"
KNOBS = read_knobs(FILE)


def test_a_default_value_adds_no_argument() -> None:
    for knob in KNOBS:
        assert knob.arguments(knob.values[0]) == []
        assert knob.delivery in DELIVERIES


def test_a_spec_becomes_arguments_in_its_order() -> None:
    spec = Spec("nvcc", (("load_cache", "cg"), ("maxrregcount", 64)))
    assert arguments(KNOBS, spec) == ["-Xptxas", "-dlcm=cg", "-maxrregcount=64"]


def test_unknown_options_and_values_are_refused_with_what_there_is() -> None:
    with pytest.raises(ConfigError, match="no option 'maxreg'"):
        arguments(KNOBS, Spec("nvcc", (("maxreg", 64),)))
    with pytest.raises(ConfigError, match=r"expected one of 0\|24"):
        arguments(KNOBS, Spec("nvcc", (("maxrregcount", 63),)))


def test_numerics_are_searched_only_where_fast_math_is_allowed_and_promises_never() -> None:
    strict = {knob.name for knob in searched(KNOBS, Contract("k"), (13, 0))}
    loose = {knob.name for knob in searched(KNOBS, Contract("k", fast_math=True), (13, 0))}
    assert "fast_math" not in strict
    assert loose - strict == {"fast_math", "flush_denormals", "precise_division", "precise_sqrt", "fuse_multiply_add"}
    assert "restrict" not in loose


def test_what_changed_nothing_in_the_self_test_is_not_searched() -> None:
    idle = {knob.name for knob in KNOBS if knob.changed == 0}
    assert "counters" in idle
    assert not idle & {knob.name for knob in searched(KNOBS, Contract("k", fast_math=True), (13, 0))}


@pytest.mark.parametrize("name", ["nvcc", "llvm"])
def test_every_option_of_a_compiler_for_gpus_was_tried(name: str) -> None:
    assert [knob.name for knob in read_knobs(FILE.with_name(f"{name}.toml")) if knob.changed is None] == []


@pytest.mark.nvcc
def test_nvcc_takes_every_option(tmp_path: Path) -> None:
    if shutil.which("nvcc") is None:
        pytest.skip(reason="no nvcc on this machine")
    source = tmp_path / "k.cu"
    source.write_text("__global__ void k(float* p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] / 3.0f; }\n")
    words = [word for knob in KNOBS for word in knob.arguments(knob.values[-1])]
    command = ["nvcc", "-cubin", "-arch=sm_90", *words, str(source), "-o", str(tmp_path / "k.cubin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Unknown" not in done.stderr, done.stderr
