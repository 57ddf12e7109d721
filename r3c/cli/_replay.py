"""`r3c replay`: the replays themselves; the command's arguments are in replay.py, which imports nothing heavy."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from r3c import plugins
from r3c.build.original import CompiledUnit, build_binary, original_binary, unit_of
from r3c.build.record import RecordedApp, load_record
from r3c.build.toolchains.nvrtc import instantiation_of
from r3c.core.candidate import Candidate, parse_candidate
from r3c.core.config import NamesConfig
from r3c.core.contract import Contract
from r3c.core.errors import AppError, UserError
from r3c.core.recording import Recording
from r3c.core.result import Outcome, Timing, Verdict
from r3c.devices.base import Device
from r3c.recording.store import RecordingStore
from r3c.replay.replayer import Replayer
from r3c.rewrites.base import apply_candidate
from r3c.tree.parse import parse
from r3c.tree.regions import region

NOT_VERIFIED = 3


def run(args: argparse.Namespace) -> int:
    recorded, store = load_record(args.recording)
    device_name = recorded.device if args.device in (None, "auto") else args.device
    if device_name != recorded.device:
        raise UserError(f"recorded on device {recorded.device}; it replays there only, not on {device_name}")
    candidate = parse_candidate(args.candidate) if args.candidate else None
    if args.times is not None and (args.times < 1 or candidate):
        raise UserError("--times N replays the original, at least once, and takes no candidate")
    codes = [
        _replay(recorded, kernel, device_name, store, candidate, args)
        for kernel in _kernels(recorded, args.kernel, candidate)
    ]
    return max(codes)


def _kernels(recorded: RecordedApp, asked: str | None, candidate: Candidate | None) -> list[str]:
    kept = list(dict.fromkeys(recording.kernel for recording in recorded.recordings))
    sites = {str(step.as_dict().get("site", "")).split("/")[0] for step in candidate.steps} if candidate else set()
    wanted = [name for name in kept if (asked in (None, name)) and (not sites or name in sites)]
    if not wanted:
        missing = asked or ", ".join(sorted(sites))
        raise UserError(f"nothing is recorded of kernel {missing}; recorded: {', '.join(kept)}")
    return wanted


def _replay(
    recorded: RecordedApp,
    kernel: str,
    device_name: str,
    store: RecordingStore,
    candidate: Candidate | None,
    args: argparse.Namespace,
) -> int:
    """The instantiation that counts most where a candidate is tried, else all of them."""
    groups = recorded.instantiations(kernel)
    if candidate is not None and groups[1:]:
        first, *others = (instantiation_of(group[0].symbol) or group[0].symbol for group in groups)
        print(f"{kernel}: tried on {first} only, not on {', '.join(others)}")
        groups = groups[:1]
    return max(_replay_one(recorded, kernel, group, device_name, store, candidate, args) for group in groups)


def _replay_one(
    recorded: RecordedApp,
    kernel: str,
    recordings: list[Recording],
    device_name: str,
    store: RecordingStore,
    candidate: Candidate | None,
    args: argparse.Namespace,
) -> int:
    device: Device = plugins.load("device", device_name)()
    unit, contract = _source_of(recorded, kernel, candidate)
    with tempfile.TemporaryDirectory(prefix="r3c-") as scratch:
        folder = Path(scratch)
        original = original_binary(unit, recordings[0], store, device, folder / "original")
        with Replayer(device_name, store, recordings, contract, original, args.timeout) as replayer:
            if args.times:
                return _repeat(replayer, kernel, args.times, args.json)
            report = replayer.gate()
            print(f"{kernel}: {len(recordings)} recordings, {report.detail}")
            for note in (*report.notes, *(replayer.self_test() if report.accepted else ())):
                print(f"  note: {note}")
            report.require()
            if replayer.baseline:
                cold = replayer.evaluate(original, cold=True).baseline
                shown = f"; caches flushed {_time(cold)}" if cold else ""
                print(f"  original   {_time(replayer.baseline)}{shown}")
            if candidate is None or unit is None:
                return 0
            return _evaluate(replayer, unit, recordings[0], device, candidate, folder, recorded.names)


def _repeat(replayer: Replayer, kernel: str, times: int, as_json: bool) -> int:
    found = replayer.repeat(times)
    code = 0 if all(one.reproduces for one in found) else NOT_VERIFIED
    if as_json:
        for recording, one in zip(replayer.recordings, found, strict=True):
            print(json.dumps({"kernel": kernel, "recording": recording.digest, **asdict(one)}, sort_keys=True))
        return code
    for number, (recording, one) in enumerate(zip(replayer.recordings, found, strict=True), 1):
        print(f"{kernel} {number} of {len(found)}, {recording.grid} x {recording.block}: {one}")
    for note in dict.fromkeys(one.note for one in found if one.note):
        print(f"  note: {note}")
    seconds = sum(one.seconds for one in found)
    print(
        f"{kernel}: {sum(one.equal for one in found)} of {sum(one.times for one in found)} replays equal in every byte, "
        f"{sum(one.times for one in found) / max(seconds, 1e-9):.1f} replays/s"
    )
    return code


def _source_of(recorded: RecordedApp, kernel: str, candidate: Candidate | None) -> tuple[CompiledUnit | None, Contract]:
    """Where the kernel's source is and what its owner declared; the recorded module can be replayed without either."""
    try:
        unit = unit_of(recorded.commands, kernel, recorded.names, recorded.folder)
        return unit, region(parse(unit.source, recorded.names), kernel).contract
    except AppError as error:
        if candidate is not None or recorded.device == "cpu":
            raise
        print(f"{kernel}: {error.diagnostic.message}; every byte is compared", file=sys.stderr)
        return None, Contract(kernel)


def _evaluate(
    replayer: Replayer,
    unit: CompiledUnit,
    recording: Recording,
    device: Device,
    candidate: Candidate,
    folder: Path,
    names: NamesConfig,
) -> int:
    rewritten = apply_candidate(unit.source, recording.kernel, candidate, names)
    binary = build_binary(unit, rewritten.source, recording, device, folder / "candidate", candidate.toolchain)
    outcome = replayer.evaluate(binary, rewritten.plan)
    if outcome.verdict.is_verified:
        withheld = replayer.verify(binary, rewritten.plan)
        outcome = outcome if withheld.verdict.is_verified else withheld
    print(f"  candidate  {_line(outcome)}")
    if outcome.timing is not None:
        print(f"  caches flushed: {_line(replayer.evaluate(binary, rewritten.plan, cold=True))}")
    return 0 if outcome.verdict.is_verified else NOT_VERIFIED


def _line(outcome: Outcome) -> str:
    if outcome.timing is None or outcome.baseline is None:
        return f"{outcome.verdict.value}: {outcome.detail}"
    word = "faster" if outcome.verdict is Verdict.FASTER else "not faster"
    return f"{_time(outcome.timing)}; original beside it {_time(outcome.baseline)}: {outcome.speedup:.3f}x, {word}"


def _time(timing: Timing) -> str:
    return f"{timing.median_us / 1e3:.4g} ms ({timing.low_us / 1e3:.4g} to {timing.high_us / 1e3:.4g})"
