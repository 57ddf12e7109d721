"""Mutated, truncated and endlessly repeated text: parsed without an exception, and every byte comes back."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType

import pytest

from r3c.cli.parse import round_trips
from r3c.core.source import Source
from r3c.tree.parse import parse

ROOT = Path(__file__).parents[2]


def _fuzz() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz_parse", ROOT / "benchmarks" / "fuzz_parse.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FUZZ = _fuzz()


@pytest.mark.parametrize("name", FUZZ.REPEATED)
def test_repeated(name: str) -> None:
    assert round_trips(parse(Source("repeated.cu", FUZZ.REPEATED[name]), all_functions=True))


@pytest.mark.parametrize("seed", range(6))
def test_mutated(seed: int) -> None:
    rng = random.Random(seed)
    folders = ("samples", "tests/kernels", "tests/cases/parse")
    paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.cu") if "r3c-out" not in path.parts)
    texts = [path.read_bytes().decode("latin-1") for path in paths]
    for _ in range(50):
        text = FUZZ.mutate(texts, rng)
        assert round_trips(parse(Source("mutated.cu", text), all_functions=True)), text
