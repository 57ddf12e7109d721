"""What building one candidate takes, by toolchain, on the samples: no GPU is needed.

    python benchmarks/build.py --candidates 6

Every candidate is the kernel with a constant changed, so that nothing but what is said to be shared can be reused:

    nvcc         source to cubin
    nvrtc        the same source, its device part cut out
    ptxas        another option of ptxas, the PTX of nvcc known
    llvm         source to cubin with the standard pass order
    llvm passes  another pass order, the bitcode known
    cached       built before

"ms" is the median of builds one after the other, "a second" how many are done a second when every core builds.
Exit code 1 where no toolchain for CUDA is installed.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from _programs import table

from r3c import plugins
from r3c.build.cache import BuildCache
from r3c.build.passes import random_sequence
from r3c.build.toolchains.base import BuildRequest
from r3c.core.compile import CompileCommand
from r3c.core.errors import BuildError
from r3c.core.source import Source
from r3c.core.spec import Spec
from r3c.resources import processors
from r3c.tree.parse import parse

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
ARCHITECTURE = "sm_90"
PTXAS = [("load_cache", value) for value in ("ca", "cg", "cv")] + [("register_usage_level", value) for value in (0, 10)]
Way = Callable[[int], tuple[str, Spec]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candidates", type=int, default=6, help="for each kernel and toolchain (default 6)")
    options = parser.parse_args()
    kernels = list(kernels_of(SAMPLES))
    rows = []
    for name, toolchain, way in ways():
        why = toolchain.unavailable()
        if why:
            rows.append([name, *[""] * len(kernels), why])
            continue
        with tempfile.TemporaryDirectory(prefix="r3c-benchmark-") as folder:
            bench = Bench(toolchain, way, Path(folder), name == "cached")
            cells = [bench.measure(file, kernel, options.candidates) for file, kernel in kernels]
        rows.append([name, *cells])
        print(" | ".join(rows[-1]), flush=True)
    print(f"\n{processors()} cores\n\n" + table(["ms, a second", *(kernel for _, kernel in kernels)], rows))
    return 0 if any("," in cell for row in rows for cell in row[1:]) else 1


def kernels_of(samples: Path) -> Iterator[tuple[Path, str]]:
    """The kernels of every sample, with their files."""
    for file in sorted(samples.glob("*/*.cu")):
        for kernel in parse(Source.read(file)).kernels:
            yield file, kernel.name


def ways() -> Iterator[tuple[str, object, Way]]:
    """Name, toolchain, and for candidate number n the change of the source and the options."""

    def changed(name: str) -> Way:
        return lambda number: (f"\n__device__ int changed_{number};\n", Spec(name))

    def ptxas(number: int) -> tuple[str, Spec]:
        return "", Spec("nvcc", (PTXAS[number % len(PTXAS)],))

    def passes(number: int) -> tuple[str, Spec]:
        return "", Spec("llvm", (("passes", "+".join(random_sequence(random.Random(number)))),))

    def load(name: str) -> object:
        return plugins.load("toolchain", name)()

    yield "nvcc", load("nvcc"), changed("nvcc")
    yield "nvrtc", load("nvrtc"), changed("nvrtc")
    yield "ptxas", load("nvcc"), ptxas
    yield "llvm", load("llvm"), changed("llvm")
    yield "llvm passes", load("llvm"), passes
    yield "cached", load("nvcc"), lambda _: ("", Spec("nvcc"))


class Bench:
    """Builds candidates of one toolchain, one after the other and side by side."""

    def __init__(self, toolchain: object, way: Way, folder: Path, cached: bool) -> None:
        self.toolchain = toolchain
        self.way = way
        self.folder = folder
        self.cache = BuildCache(folder / "cache") if cached else None
        self.numbers = itertools.count()

    def measure(self, file: Path, kernel: str, count: int) -> str:
        """`ms, a second`; or why it does not build."""
        try:
            self.build(file, kernel)  # starts compilers and fills what is shared
            times = [self.build(file, kernel) for _ in range(count)]
            with ThreadPoolExecutor(processors()) as workers:
                list(workers.map(lambda _: self.build(file, kernel), range(processors())))
                started = time.monotonic()
                list(workers.map(lambda _: self.build(file, kernel), range(2 * count)))
                rate = 2 * count / (time.monotonic() - started)
        except BuildError as error:
            return " ".join(str(error).split())[:120]
        return f"{1000 * statistics.median(times):.0f}, {rate:.1f}"

    def build(self, file: Path, kernel: str) -> float:
        number = next(self.numbers)
        text, options = self.way(number)
        source = Source(str(file), Source.read(file).text + text)
        folder = self.folder / str(number)
        folder.mkdir()
        command = CompileCommand(str(file), standard="c++17")
        request = BuildRequest(source, kernel, kernel, command, options, ARCHITECTURE)
        started = time.monotonic()
        if self.cache is None:
            self.toolchain.build(request, folder)  # type: ignore[attr-defined]
        else:
            self.cache.build(self.toolchain, request, folder)  # type: ignore[arg-type]
        return time.monotonic() - started


if __name__ == "__main__":
    sys.exit(main())
