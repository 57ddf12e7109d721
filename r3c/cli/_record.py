"""`r3c record`: the run itself and its summary; the command's arguments are in record.py, which imports nothing heavy."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from r3c.build.record import STORE, RecordedApp, RecordOptions, record_app
from r3c.cli._advice import advice, kernel_times
from r3c.cli.record import parse_size
from r3c.core.events import Event
from r3c.recording.store import RecordingStore


def run(args: argparse.Namespace) -> int:
    from r3c.devices._choice import choose_device

    out = args.out or args.app / "r3c-out" / "record"
    options = RecordOptions(
        tuple(args.kernel or ()),
        args.skip,
        args.max_instances,
        whole_heap=args.whole_heap,
        max_bytes=parse_size(args.max_bytes),
    )
    recorded = record_app(args.app, choose_device(args.device), out, options, _say)
    for line in summary(recorded, RecordingStore(out / STORE).stored_bytes()):
        print(line)
    print(f"recordings: {out / STORE}")
    return 0


def _say(event: Event) -> None:
    if event.kind == "stage":
        print(f"{event.data['name']}: {event.data['detail']}", file=sys.stderr)


def summary(recorded: RecordedApp, stored_bytes: int) -> Iterator[str]:
    """Kernels by their time on the device, what was recorded of each, and which are worth annotating."""
    times = kernel_times(recorded)
    whole_us = sum(time.total_us for time in times.values()) or 1.0
    width = max([len("kernel"), *map(len, times)])
    yield f"device {recorded.device}, built in {recorded.build_s:.1f} s, ran {recorded.run_s:.2f} s"
    yield f"{'kernel':{width}}  {'launches':>9}  {'total ms':>10}  {'share':>6}  {'mean ms':>9}  recorded"
    for kernel, time in times.items():
        kept = recorded.of_kernel(kernel)
        withheld = sum(recording.withheld for recording in kept)
        what = f"{len(kept) - withheld} + {withheld} withheld, {_mib(max(r.heap_bytes for r in kept))}" if kept else "-"
        yield (
            f"{kernel:{width}}  {time.launches:9d}  {time.total_us / 1e3:10.3f}"
            f"  {100 * time.total_us / whole_us:5.1f}%  {time.mean_us / 1e3:9.4f}  {what}"
        )
    kept_bytes = sum(recording.heap_bytes for recording in recorded.recordings)
    yield (
        f"{len(recorded.recordings)} launches recorded, with {_mib(kept_bytes)} of memory in all (--max-bytes "
        f"{_mib(recorded.max_bytes)}), {_mib(stored_bytes)} on disk"
    )
    for line in advice(recorded, times):
        yield f"advice: {line}"
    for reason in recorded.left_out:
        yield f"left out: {reason}"


def _mib(size_bytes: int) -> str:
    return f"{size_bytes / 2**20:.1f} MiB"
