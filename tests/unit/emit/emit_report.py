"""Report values for tests: one with everything in it, one of a study that found nothing."""

from __future__ import annotations

import random

from emit_shapes import PLAIN

from r3c.core.candidate import parse_candidate
from r3c.core.result import Timing
from r3c.emit.lineage import diff_of, lineage
from r3c.emit.report import AppReport, KernelReport, RecordingRow, ReportData, TimeSplit, TrialRow
from r3c.rewrites.base import apply_candidate

EVIL = '<script>alert("&")</script>'
SPLIT = TimeSplit(
    record_s=4.2, build_s=61.5, replay_s=22.8, llm_s=12.0, search_s=3.1, total_s=118.0, replacements_s=(0.5, 0.7)
)


def full() -> ReportData:
    return ReportData(
        application="heat",
        device="NVIDIA H200",
        device_kind="cuda",
        seed=7,
        kernels=[winning(), kept()],
        app=AppReport(1.84, 1.31, True, "", (1.84, 1.86, 1.83), (1.31, 1.33, 1.30)),
        time=SPLIT,
        not_verified=["other GPUs than the one named above: there the original kernel is launched", EVIL],
        patch="r3c-out/r3c.patch",
        version="0.1.0",
        environment=[("device", "NVIDIA H200, sm_90"), ("driver", "575.57"), ("toolchain", "nvcc 13.0.88")],
        date="2026-01-02",
    )


def nothing() -> ReportData:
    return ReportData("heat", "CPU device", "cpu", 1, [kept()], None, SPLIT, ["any GPU"], version="0.1.0")


def winning() -> KernelReport:
    candidate = parse_candidate(PLAIN.candidate)
    rewritten = apply_candidate(PLAIN.source, "add", candidate)
    return KernelReport(
        name="add",
        baseline_us=412.0,
        best_us=286.5,
        speedup=1.438,
        speedup_low=1.391,
        candidate=str(candidate),
        header="r3c-out/headers/r3c_add.cuh",
        verdicts={"faster": 41, "slower": 60, "refused": 14, "duplicate": 22, "build-failed": 3, "wrong": 2, "timed-out": 1},
        steps=list(rewritten.trail),
        diff=diff_of(PLAIN.source, rewritten.source),
        trials=trials(),
        rejected=[("tile{site=add/loop:s,size=8}", "wrong-withheld: out[12]: expected 1.5, got 1.25 (40 differ)")],
        recordings="verified on 4 recorded launches, 1 of which the search never saw",
        stopped="120 trials are spent",
        notes=[f"a model's answer was cut: {EVIL}"],
        source_path=f"src/{EVIL}.cu",
        baseline=Timing(412.0, 408.1, 415.7, 60),
        tuned=Timing(286.5, 284.9, 291.2, 60),
        baseline_cold=Timing(431.0, 428.1, 439.7, 60),
        tuned_cold=Timing(301.5, 299.9, 306.2, 60),
        launches_count=3000,
        device_us=1_236_000.0,
        lineage=lineage(PLAIN.source, "add", candidate, rewritten),
        recorded=[RecordingRow((64, 8, 1), (128, 1, 1), 0, 2999, 33_554_432, False, "ab" * 32)],
        flags=["load_cache=cg"],
    )  # fmt: skip


def kept() -> KernelReport:
    return KernelReport(
        "norm", 18.2, 18.2, verdicts={"slower": 4, "refused": 1},
        recordings="verified on 1 recorded launch, 0 of which the search never saw", trials=trials()[:4],
    )  # fmt: skip


def trials() -> list[TrialRow]:
    rng = random.Random(3)
    rows = [TrialRow(0, "original", "faster", 412.0, 1.0, "")]
    for number in range(1, 121):
        if rng.random() < 0.2:
            rows.append(TrialRow(number, f"unroll{{site=add/loop:s,factor={number}}}", "refused", None, None, EVIL))
            continue
        us = max(286.5, 300 + rng.expovariate(1 / 90.0) - number * 0.2)
        verdict = "faster" if us < 408 else "slower"
        rows.append(TrialRow(number, f"block{{x={number}}}", verdict, us, 412.0 / us, ""))
    return rows
