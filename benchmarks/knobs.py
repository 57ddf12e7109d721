"""Whether each compiler option that r3c searches still changes machine code: every value, on eight kernels.

    python benchmarks/knobs.py nvcc --write

An option that a compiler does not know (cicc says so and goes on), or that changes nothing, is listed as such. `--write`
notes the count in the option's table of `r3c/build/toolchains/<name>.toml`; options that change nothing are not searched.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from _programs import table

from r3c import plugins
from r3c.build.knobs import Knob
from r3c.build.toolchains.base import BuildRequest
from r3c.core.compile import CompileCommand
from r3c.core.errors import BuildError
from r3c.core.source import Source
from r3c.core.spec import Spec, Value

ROOT = Path(__file__).resolve().parents[1]
KERNELS = {
    "matmul_tiled": "matmul_tiled", "nbody": "nbody", "softmax_rows": "softmax_rows", "cholesky4": "cholesky4",
    "option_price": "option_price", "reduce_shuffle": "reduce_shuffle", "laplace3d": "laplace3d",
    "rms_norm_double": "rms_norm",
}  # fmt: skip


@dataclass
class Tried:
    """What one option did."""

    changed: set[str] = field(default_factory=set)
    by_value: dict[Value, int] = field(default_factory=dict)
    refused: str = ""


class SelfTest:
    """Builds the test kernels with one toolchain."""

    def __init__(self, name: str, architecture: str, folder: Path) -> None:
        self.toolchain = plugins.load("toolchain", name)()
        self._architecture = architecture
        self._folder = folder
        self._plain = {kernel: self.code(kernel, Spec(name)) for kernel in KERNELS}

    def code(self, file: str, options: Spec) -> str:
        path = ROOT / "tests" / "kernels" / f"{file}.cu"
        command = CompileCommand(str(path))
        kernel = KERNELS[file]
        request = BuildRequest(Source.read(path), kernel, kernel, command, options, self._architecture)
        return str(self.toolchain.build(request, self._folder).code_hash)

    def try_knob(self, knob: Knob) -> Tried:
        out = Tried()
        for value in knob.values[1:]:
            changed = set()
            try:
                for kernel, plain in self._plain.items():
                    if self.code(kernel, Spec(self.toolchain.name, ((knob.name, value),))) != plain:
                        changed.add(kernel)
            except BuildError as error:
                out.refused = error.diagnostic.message
            out.by_value[value] = len(changed)
            out.changed |= changed
        return out


def write(path: Path, counts: dict[str, int]) -> None:
    """Puts `changed = N` into each option's table."""
    blocks = re.split(r"(?m)^(?=\[)", path.read_text())
    out = []
    for block in blocks:
        name = re.match(r"\[(\w+)\]", block)
        if name and name[1] in counts:
            block = re.sub(r"(?m)^changed = \d+\n", "", block).rstrip() + f"\nchanged = {counts[name[1]]}\n\n"
        out.append(block)
    path.write_text("".join(out).rstrip() + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("toolchain", choices=("nvcc", "llvm", "llvm-pypi"))
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--knob", action="append", help="only this option")
    parser.add_argument("--write", action="store_true", help="note the counts in the options' file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="r3c-knobs-") as folder:
        test = SelfTest(options.toolchain, options.arch, Path(folder))
        rows, counts = [], {}
        for knob in test.toolchain.knobs:
            if options.knob and knob.name not in options.knob:
                continue
            tried = test.try_knob(knob)
            counts[knob.name] = len(tried.changed)
            values = ", ".join(f"{value}: {count}" for value, count in tried.by_value.items())
            rows.append([knob.name, f"{len(tried.changed)}/{len(KERNELS)}", values, tried.refused])
            print(" | ".join(rows[-1]), flush=True)
    print(f"\n{test.toolchain.version()}, {options.arch}\n")
    print(table(["option", "changed", "by value", "refused"], rows))
    if options.write:
        write(ROOT / "r3c" / "build" / "toolchains" / f"{options.toolchain.replace('-pypi', '')}.toml", counts)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
