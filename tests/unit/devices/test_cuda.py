"""The parts of the CUDA device that need no GPU."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from r3c.devices._cuda_recorder import NATIVE, find_cuda, recorder_library
from r3c.devices._ranges import merge
from r3c.devices.base import AddressRange
from r3c.devices.cuda import Cuda

MIB = 1 << 20

NAMES = {
    "_Z3addPf": "add",
    "_ZN2ns3addIfEEvPT_": "add",
    "_ZN12_GLOBAL__N_15scaleIiLi4EEEvPT_i": "scale",
    "_ZN5outer5inner6kernelINS_4PairIifEEEEvPT_": "kernel",
    "plain_c_name": "plain_c_name",
}


def test_source_names_drop_return_type_namespace_template_and_parameters(tmp_path: Path) -> None:
    program = tmp_path / "names.cpp"
    program.write_text(
        f'#include "{NATIVE / "names.h"}"\n#include <cstdio>\n'
        "int main(int n, char** v) { for (int i = 1; i < n; i++) puts(r3c::source_name(v[i]).c_str()); }\n"
    )
    subprocess.run(["g++", "-std=c++17", str(program), "-o", str(tmp_path / "names")], check=True)
    done = subprocess.run([str(tmp_path / "names"), *NAMES], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:-1] == list(NAMES.values())


def test_recorder_compiles_once_and_exports_the_injection_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = find_cuda()
    if files is None:
        pytest.skip(reason="no CUDA headers and CUPTI on this machine")
    monkeypatch.setenv("R3C_CACHE", str(tmp_path))
    library = recorder_library(files)
    symbols = subprocess.run(["nm", "-D", str(library)], capture_output=True, text=True, check=True).stdout
    assert "InitializeInjection" in symbols
    made = library.stat().st_mtime_ns
    assert recorder_library(files).stat().st_mtime_ns == made


def test_ranges_merge_where_their_rounded_ends_meet() -> None:
    ranges = [AddressRange(3 * MIB, 10), AddressRange(MIB, MIB), AddressRange(100 * MIB, 5)]
    assert list(merge(ranges, 2 * MIB)) == [(0, 4 * MIB), (100 * MIB, 102 * MIB)]


def test_merging_nothing_gives_nothing() -> None:
    assert list(merge([], MIB)) == []


def test_a_range_inside_another_changes_nothing() -> None:
    ranges = [AddressRange(0, 8 * MIB), AddressRange(MIB, 10)]
    assert list(merge(ranges, MIB)) == [(0, 8 * MIB)]


def test_unavailable_names_what_is_missing() -> None:
    why = Cuda().unavailable()
    if not why:
        pytest.skip(reason="this machine has a usable GPU")
    assert any(word in why for word in ("pycuda", "cuda", "driver"))
