"""How fast r3c parses: start, text a second, one long file, one long kernel. Each line: measured, and what is wanted.

python benchmarks/parse_speed.py [FILE...]

Times are CPU seconds of one core. FILE defaults to the samples and the kernels of the tests.
"""

from __future__ import annotations

import argparse
import itertools
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from r3c.core.source import Source
from r3c.tree.parse import parse

ROOT = Path(__file__).parents[1]
START = """\
import time
began = time.process_time()
from r3c.core.source import Source
from r3c.tree.parse import parse
parse(Source("k.cu", "__global__ void k(float *x) { x[0] = 1; }"))
print(time.process_time() - began)
"""
BODY = "  float v{0} = a[i + {0}] * 2.0f;\n  if (v{0} > x && i < n) {{\n    a[i] += v{0} - (float)n;\n  }}\n"


def kernel(name: str, lines: int) -> str:
    """A kernel of about `lines` lines."""
    body = "".join(BODY.format(number) for number in range(lines // 4))
    return f"__global__ void {name}(float *a, float x, int n) {{\n  int i = threadIdx.x;\n{body}}}\n"


def seconds(text: str) -> float:
    began = time.process_time()
    parse(Source("generated.cu", text), all_functions=True)
    return time.process_time() - began


def throughput(paths: list[Path], repeats: int) -> float:
    """Best of `repeats`: kB of function text a second, every function parsed, whole pipeline."""
    sources = [Source.read(path) for path in paths]
    best = 0.0
    for _ in range(repeats):
        began, count = time.process_time(), 0
        for source in sources:
            file = parse(source, all_functions=True)
            count += sum(function.end - function.start for function in file.functions if function.is_parsed)
        best = max(best, count / 1000 / (time.process_time() - began))
    return best


def sources_of(paths: list[Path], size_bytes: int) -> Iterator[Source]:
    """The files of `paths`, again and again, until `size_bytes` are reached."""
    for source in itertools.cycle([Source.read(path) for path in paths]):
        yield source
        size_bytes -= len(source.text)
        if size_bytes <= 0:
            return


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="*", type=Path)
    arguments = options.parse_args()
    paths = arguments.files or [*ROOT.glob("samples/*/*.cu"), *ROOT.glob("tests/kernels/*.cu")]
    parse(Source("warm.cu", kernel("warm", 8)))  # the tables are in the cache from here on
    starts = [float(subprocess.check_output([sys.executable, "-c", START], text=True)) for _ in range(5)]
    million = "".join(source.text for source in sources_of(paths, 1_000_000))
    dense = "".join(kernel(f"k{number}", 400) for number in range(113))
    long = kernel("longest", 5000)
    began = time.process_time()
    sum(number for number in range(10_000_000))
    print(f"for comparison: ten million additions in a loop {time.process_time() - began:.2f} s on this machine now")
    print(f"import, grammar and a first kernel {min(starts):8.3f} s      wanted: at most 0.25 s")
    print(
        f"text of functions                  {throughput(paths, 5):8.0f} kB/s   wanted: at least 300 kB/s ({len(paths)} files)"
    )
    print(f"a file of {len(million) / 1e6:.1f} MB                   {seconds(million):8.1f} s      wanted: at most 5 s")
    print(f"the same, dense generated kernels  {seconds(dense):8.1f} s      {len(dense) / 1e6:.1f} MB, for comparison")
    print(f"a kernel of {long.count(chr(10))} lines             {seconds(long):8.1f} s      wanted: at most 5 s")


if __name__ == "__main__":
    main()
