"""Best compiler flags and best pass order by plain random search, against nvcc -O3 and against clang -O3.

    python benchmarks/flags_and_passes.py build --out candidates --count 200 samples/matmul:matmul apps/haccmk:haccmk_kernel
    python benchmarks/flags_and_passes.py measure --out candidates samples/matmul:matmul apps/haccmk:haccmk_kernel

`build` needs compilers and no GPU: it leaves one cubin for each distinct machine code. `measure` needs a GPU and no LLVM:
it records the applications, verifies and times each cubin, and times the best of each kind again, at length. With
`--device cpu` both run on the CPU device, with g++ in nvcc's place, which tries the program and says nothing about a GPU.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from _programs import prepare, table

from r3c import plugins
from r3c.build.app import build_app, copy_app, load_app
from r3c.build.original import CompiledUnit, unit_of
from r3c.build.record import RecordOptions, load_record, record_app
from r3c.build.toolchains.base import Toolchain
from r3c.core.binary import Binary
from r3c.core.contract import Contract, Tolerance
from r3c.core.dims import Space
from r3c.core.errors import AppError, BuildError, R3CError
from r3c.core.result import Outcome
from r3c.core.spec import Spec
from r3c.replay.replayer import Replayer
from r3c.replay.timer import TimingPlan
from r3c.tree.parse import parse
from r3c.tree.regions import region

QUICK = TimingPlan(samples=5, least_samples=3, sample_us=300.0, budget_s=0.3)
AT_LENGTH = TimingPlan(samples=31, sample_us=1000.0, budget_s=2.0)
UNANNOTATED = Tolerance(rtol=1e-4, atol=1e-5)  # of kernels whose owners have not said what "same" means
LEAST_SEARCH_S, AT_LENGTH_S = 3.0, 6.0
TOOLCHAINS = {"cuda": ("nvcc", "llvm"), "cpu": ("host", "llvm")}


def targets(words: Sequence[str]) -> Iterator[tuple[Path, str]]:
    for word in words:
        path, _, kernel = word.rpartition(":")
        yield Path(path), kernel


def contract_of(unit: CompiledUnit, kernel: str) -> Contract:
    contract = region(parse(unit.source), kernel).contract
    return contract if contract.buffers or not contract.tolerance.exact else Contract(kernel, UNANNOTATED)


def build(options: argparse.Namespace) -> None:
    for path, kernel in targets(options.targets):
        with tempfile.TemporaryDirectory(prefix="r3c-flags-") as scratch:
            folder = Path(scratch)
            app = load_app(prepare(path, folder / "prepared", options))
            copy = copy_app(app, folder / "app")
            commands = build_app(copy, app, plugins.load("device", options.device)(), folder / "logs")
            unit = unit_of(commands, kernel, root=copy)
            for name, count in zip(TOOLCHAINS[options.device], (options.flags, options.count), strict=True):
                build_with(name, unit, kernel, count, options, folder)


def build_with(
    name: str, unit: CompiledUnit, kernel: str, count: int, options: argparse.Namespace, scratch: Path
) -> None:
    """The default and `count` random points of one toolchain; one line and one cubin for each distinct code."""
    toolchain: Toolchain = plugins.load("toolchain", name)()
    space = Space(toolchain.dimensions(contract_of(unit, kernel), "any"))
    rng = random.Random(f"{options.seed} {kernel} {name}")
    architecture = options.arch if options.device == "cuda" else plugins.load("device", "cpu")().info().architecture
    target = options.out / kernel
    target.mkdir(parents=True, exist_ok=True)
    started, failed, seen = time.monotonic(), 0, set()
    with (target / f"{name}.jsonl").open("w") as index:
        for number in range(count + 1):
            point = space.start() if number == 0 else space.sample(rng)
            chosen = {d.name.partition(".")[2]: point[d.name] for d in space.dimensions if point[d.name] != d.start}
            spec = Spec.of(name, chosen)
            folder = scratch / f"{name}{number}"
            folder.mkdir()
            try:
                binary = toolchain.build(unit.request(unit.source, kernel, kernel, spec, architecture), folder)
            except BuildError:
                failed += 1
                continue
            if binary.code_hash not in seen:
                seen.add(binary.code_hash)
                kept = target / f"{binary.code_hash[:16]}{Path(binary.path).suffix}"
                shutil.copyfile(binary.path, kept)
                index.write(json.dumps({**asdict(binary), "path": kept.name, "command": "", "spec": str(spec)}) + "\n")
            shutil.rmtree(folder)
    seconds = time.monotonic() - started
    print(f"{kernel} {name}: {count + 1} builds, {failed} failed, {len(seen)} distinct, {seconds:.0f} s", flush=True)


def measure(options: argparse.Namespace) -> None:
    started = time.monotonic()
    wanted = list(targets(options.targets))
    with tempfile.TemporaryDirectory(prefix="r3c-flags-") as scratch:
        folder = Path(scratch)
        record(*wanted[0], folder, options)  # compiles the recorder
        with ThreadPoolExecutor(4) as several:
            list(several.map(lambda one: record(*one, folder, options), wanted[1:]))
        print(f"recorded in {time.monotonic() - started:.0f} s", flush=True)
        rows = []
        for done, (_, kernel) in enumerate(wanted):
            left_s = options.most_seconds - (time.monotonic() - started)
            share_s = max(LEAST_SEARCH_S, left_s / (len(wanted) - done) - AT_LENGTH_S)
            try:
                rows.append(compare(kernel, folder, options, share_s))
            except (R3CError, OSError, LookupError) as error:
                rows.append([kernel, str(error).splitlines()[0][:160]])
            print(" | ".join(rows[-1]), flush=True)
    head = ("kernel", "nvcc us", "clang us", "codes", "verified", "best flags over nvcc", "best order over nvcc",
            "best order over clang", "flags", "order")  # fmt: skip
    print("\n" + table(head, rows))


def record(path: Path, kernel: str, folder: Path, options: argparse.Namespace) -> None:
    try:
        app = prepare(path, folder / "prepared" / kernel, options)
        record_app(app, options.device, folder / kernel, RecordOptions((kernel,), max_instances=2))
    except R3CError as error:
        print(f"{kernel}: {str(error).splitlines()[0]}", flush=True)


def compare(kernel: str, folder: Path, options: argparse.Namespace, search_s: float) -> list[str]:
    """Quick times of every code beside nvcc's, then the best flags and the best order at length."""
    until = time.monotonic() + search_s
    recorded, store = load_record(folder / kernel)
    try:
        unit = unit_of(recorded.commands, kernel, recorded.names, recorded.folder)
        contract = contract_of(unit, kernel)
    except AppError:
        contract = Contract(kernel, UNANNOTATED)
    recordings = recorded.of_kernel(kernel)
    names = TOOLCHAINS[options.device]
    found = {name: list(candidates(options.out / kernel, name)) for name in names}
    nvcc, clang = (found[name][0] for name in names)
    best: dict[str, tuple[float, Binary]] = {}
    verified, tried = 0, 0
    with Replayer(options.device, store, recordings, contract, nvcc, 10.0, QUICK) as replayer:
        replayer.gate().require()
        for name in names:
            stop = time.monotonic() + (until - time.monotonic()) / (2 if name == names[0] else 1)
            for binary in found[name]:
                if time.monotonic() > stop:
                    break
                outcome = replayer.evaluate(binary)
                tried += 1
                verified += outcome.verdict.is_verified
                if outcome.timing and outcome.baseline:
                    ratio = outcome.timing.median_us / outcome.baseline.median_us
                    best[name] = min(best.get(name, (9e9, binary)), (ratio, binary), key=lambda one: one[0])
    row = [kernel]
    with Replayer(options.device, store, recordings, contract, nvcc, 10.0, AT_LENGTH) as replayer:
        replayer.gate().require()
        flags, order = (replayer.evaluate(best[name][1]) for name in names)
        own = replayer.evaluate(clang)
        row += [f"{replayer.baseline.median_us:.2f}" if replayer.baseline else "", us(own)]
    row += [
        f"{' + '.join(str(len(found[name])) for name in names)}",
        f"{verified} of {tried}",
        gain(flags),
        gain(order),
    ]
    with Replayer(options.device, store, recordings, contract, clang, 10.0, AT_LENGTH) as replayer:
        replayer.gate().require()
        row.append(gain(replayer.evaluate(best["llvm"][1])))
    return [*row, *(best[name][1].toolchain for name in names)]


def candidates(folder: Path, name: str) -> Iterator[Binary]:
    for line in (folder / f"{name}.jsonl").read_text().splitlines():
        raw = json.loads(line)
        raw.pop("spec")
        yield Binary(**{**raw, "path": str((folder / raw["path"]).resolve())})


def us(outcome: Outcome) -> str:
    if outcome.timing is None:
        return outcome.verdict.value
    return f"{outcome.timing.median_us:.2f}"


def gain(outcome: Outcome) -> str:
    """Old time over new time, with the interval that both intervals allow."""
    if outcome.timing is None or outcome.baseline is None:
        return f"{outcome.verdict.value}: {outcome.detail[:60]}"
    own, base = outcome.timing, outcome.baseline
    return f"{base.median_us / own.median_us:.3f} ({base.low_us / own.high_us:.3f} to {base.high_us / own.low_us:.3f})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("build", "measure"))
    parser.add_argument("targets", nargs="+", metavar="APP:KERNEL")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the cubins lie")
    parser.add_argument("--count", type=int, default=200, help="pass orders to build (default 200)")
    parser.add_argument("--flags", type=int, default=200, help="combinations of nvcc's flags to build (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=sorted(TOOLCHAINS), default="cuda")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--define", action="append", default=[], metavar="NAME=VALUE", help="given to make")
    parser.add_argument(
        "--timeout", type=float, default=120.0, metavar="S", help="most seconds a build or run may take"
    )
    parser.add_argument("--most-seconds", type=float, default=1e9, metavar="S", help="of all measuring")
    options = parser.parse_args()
    (build if options.what == "build" else measure)(options)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
