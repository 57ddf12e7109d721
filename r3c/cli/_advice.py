"""Which kernels of a recorded run are worth annotating: device times and sources in, lines for people out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from r3c.build.original import source_files
from r3c.build.record import RecordedApp
from r3c.core.source import Source
from r3c.tree.parse import parse
from r3c.tree.regions import regions

WORTH_IT = 0.05  # of the device's time; less is lost among the rest
SHORT_US = 5.0  # launches below this take longer to launch than to run
ANNOTATION = "// r3c: kernel(rtol=1e-5)"


@dataclass(frozen=True)
class KernelTime:
    """All launches of one kernel."""

    total_us: float = 0.0
    launches: int = 0

    @property
    def mean_us(self) -> float:
        return self.total_us / max(1, self.launches)


def kernel_times(recorded: RecordedApp) -> dict[str, KernelTime]:
    """By kernel, the one with the most time first."""
    found: dict[str, KernelTime] = {}
    for row in recorded.counts:
        old = found.get(row.kernel, KernelTime())
        found[row.kernel] = KernelTime(old.total_us + row.total_us, old.launches + row.count)
    return dict(sorted(found.items(), key=lambda item: -item[1].total_us))


def advice(recorded: RecordedApp, times: Mapping[str, KernelTime]) -> Iterator[str]:
    """One line for each kernel with 5 % of the device's time or more, and one for all others."""
    whole_us = sum(time.total_us for time in times.values())
    if whole_us <= 0:
        return
    places = _places(recorded)
    large = [kernel for kernel, time in times.items() if time.total_us >= WORTH_IT * whole_us]
    for kernel in large:
        yield f"{kernel}: {100 * times[kernel].total_us / whole_us:.0f}% of the time; {_advice(recorded, kernel, places, times)}"
    rest_us = whole_us - sum(times[kernel].total_us for kernel in large)
    if len(large) < len(times):
        rest = f"{len(times) - len(large)} other kernel{'s' if len(times) - len(large) > 1 else ''}"
        yield f"{rest}: {100 * rest_us / whole_us:.1f}% of the time together; not worth it"


def _advice(
    recorded: RecordedApp, kernel: str, places: Mapping[str, tuple[str, bool]], times: Mapping[str, KernelTime]
) -> str:
    if not recorded.of_kernel(kernel):
        reasons = [text.partition(": ")[2] for text in recorded.left_out if text.startswith(f"{kernel}: ")]
        return f"cannot be tuned, since {reasons[0]}" if reasons else "was not recorded"
    if kernel not in places:
        return "its source is not among the application's files, so only its owner can tune it"
    place, annotated = places[kernel]
    if annotated:
        return f"annotated at {place}"
    short = "; its launches are so short that there is little to gain" if times[kernel].mean_us < SHORT_US else ""
    return f"to tune it, write `{ANNOTATION}` before {place}{short}"


def _places(recorded: RecordedApp) -> dict[str, tuple[str, bool]]:
    """File and line of each kernel in the application's files, and whether it is annotated."""
    found: dict[str, tuple[str, bool]] = {}
    for path, _, _ in source_files(recorded.commands, recorded.folder):
        file = parse(Source.read(path), recorded.names)
        annotated = {region.name for region in regions(file)}
        for function in file.kernels:
            line, _ = file.source.line_column(function.span.start)
            found.setdefault(function.name, (f"{_shown(path, recorded.folder)}:{line}", function.name in annotated))
    return found


def _shown(path: Path, folder: Path) -> Path:
    return path.relative_to(folder.resolve()) if path.is_relative_to(folder.resolve()) else path
