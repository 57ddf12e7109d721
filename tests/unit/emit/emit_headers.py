"""Headers for tests: a source and a candidate's text in, a header out; golden files with an update switch."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from r3c.core.candidate import parse_candidate
from r3c.core.result import Timing
from r3c.core.source import Source
from r3c.emit.header import Header, Provenance, Variant, make_header
from r3c.emit.signature import Guard, Signature
from r3c.rewrites.base import apply_candidate

GOLDEN = Path(__file__).parents[2] / "golden"
PROVENANCE = Provenance(
    version="0.1.0",
    date="2026-01-02",
    device="NVIDIA H200",
    driver="driver 575.57",
    toolchain="nvcc 13.0",
    flags="-O3",
    recordings=("0123456789abcdef" * 4,),
    baseline=Timing(12.3, 12.1, 12.5, 100),
    tuned=Timing(8.3, 8.1, 8.5, 100),
    speedup=1.482,
    speedup_low=1.424,
)


def variant_of(
    source: Source,
    kernel: str,
    candidate: str,
    signatures: tuple[Signature, ...] = (Signature((128, 1, 1)),),
    guards: tuple[Guard, ...] = (),
    architecture: str = "sm_90",
) -> Variant:
    made = parse_candidate(candidate)
    return Variant(made, apply_candidate(source, kernel, made), architecture, signatures, PROVENANCE, guards)


def header_of(source: Source, kernel: str, candidate: str, **more: object) -> Header:
    return make_header(source, kernel, [variant_of(source, kernel, candidate, **more)])  # type: ignore[arg-type]


def check_golden(name: str, text: str) -> None:
    """Compare with tests/golden/NAME; R3C_UPDATE_GOLDEN=1 writes it instead."""
    path = GOLDEN / name
    if os.environ.get("R3C_UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="latin-1")
    assert path.is_file(), f"{path} is missing: run with R3C_UPDATE_GOLDEN=1 and look at what it wrote"
    if path.read_text(encoding="latin-1") != text:
        pytest.fail(f"{path} differs: run with R3C_UPDATE_GOLDEN=1 and look at the difference")
