from __future__ import annotations

import shutil
import subprocess

import pytest

from r3c.replay.state import lasting_bytes


def library(folder, name: str, text: str):
    source, made = folder / f"{name}.cpp", folder / f"{name}.so"
    source.write_text(text)
    subprocess.run(["g++", "-O2", "-shared", "-fPIC", str(source), "-o", str(made)], check=True)
    return made


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_static_variables_count_and_shared_memory_and_constants_do_not(tmp_path):
    plain = library(tmp_path, "plain", "float f(float x) { return 2 * x; }")
    own = lasting_bytes(plain)
    assert own is not None
    shared = "float f(int i) { static thread_local float tile[999]; return tile[i] += 1; }"
    constant = "const int table[99] = {1, 2}; int f(int i) { return table[i]; }"
    memory = "float f(int i) { static float kept[100]; return kept[i] += 1; }"
    initialised = "int f(int i) { static int kept[100] = {1, 2, 3}; return kept[i] += 1; }"
    assert lasting_bytes(library(tmp_path, "shared", shared)) == own
    assert lasting_bytes(library(tmp_path, "constant", constant)) == own
    assert lasting_bytes(library(tmp_path, "memory", memory)) >= own + 400
    assert lasting_bytes(library(tmp_path, "initialised", initialised)) >= own + 400


def test_other_files_say_nothing(tmp_path):
    (tmp_path / "k.py").write_text("def k(launch): pass")
    assert lasting_bytes(tmp_path / "k.py") is None
    assert lasting_bytes(tmp_path / "missing") is None
