"""Random legal candidates of a kernel, and one CUDA program that runs them all against the original.

A kernel file begins with how it is launched and what it is given:

    // launch: 4,2 x 64,4          grid x block
    // arg: float* out 1000        uniform in [-1, 1)
    // arg: int* index 500 below 300 | permutation | ramp 5
    // arg: int n 500
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from r3c.core.candidate import Candidate, LaunchShape
from r3c.core.errors import R3CError
from r3c.core.launch import LaunchGeometry
from r3c.core.source import Source
from r3c.core.spec import Spec
from r3c.rewrites.base import Rewritten, apply_candidate, rewrite_class, rewrite_names
from r3c.tree.parse import parse
from r3c.tree.regions import KernelRegion, region, regions

_LAUNCH = re.compile(r"// launch: ([\d,]+) x ([\d,]+)")
_ARGUMENT = re.compile(r"// arg: ([\w ]+?)(\*?) (\w+) (\S+)(?: (below|permutation|ramp))?(?: (\d+))?$", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.MULTILINE)


@dataclass(frozen=True)
class Trial:
    """A candidate of a kernel and what came out of it."""

    candidate: Candidate
    rewritten: Rewritten


@dataclass(frozen=True)
class KernelFile:
    """A kernel with its launch and arguments."""

    source: Source
    here: KernelRegion
    geometry: LaunchGeometry

    @classmethod
    def read(cls, source: Source) -> KernelFile:
        found = _LAUNCH.search(source.text)
        assert found, f"{source.path}: no `// launch:` line"
        grid, block = _shape(found[1]), _shape(found[2])
        return cls(source, regions(parse(source))[0], LaunchGeometry(grid, block))

    @classmethod
    def with_launch(cls, source: Source, here: KernelRegion, grid: int = 1, block: int = 1) -> KernelFile:
        """A kernel that is launched by its application, not by a program made here."""
        return cls(source, here, LaunchGeometry((grid, 1, 1), (block, 1, 1)))

    @property
    def kernel(self) -> str:
        return self.here.name


def _shape(text: str) -> tuple[int, int, int]:
    sizes = [int(word) for word in text.split(",")] + [1, 1, 1]
    return sizes[0], sizes[1], sizes[2]


def random_trial(file: KernelFile, rng: random.Random, steps_count: int, attempts: int = 60) -> Trial:
    """A random candidate of up to `steps_count` legal steps, half of the time with another launch shape."""
    steps: list[Spec] = []
    launch = _random_launch(file, rng)
    best = apply_candidate(file.source, file.kernel, Candidate((), launch))
    for _ in range(attempts):
        if len(steps) == steps_count:
            break
        here = region(parse(best.source), file.kernel)
        spec = _random_step(here, rng)
        if spec is None:
            continue
        try:
            best = apply_candidate(file.source, file.kernel, Candidate((*steps, spec), launch))
        except R3CError:
            continue
        steps.append(spec)
    return Trial(Candidate(tuple(steps), launch), best)


def _random_step(here: KernelRegion, rng: random.Random) -> Spec | None:
    kind = rewrite_class(rng.choice(rewrite_names()))
    if not kind.searchable() or not kind.proven or kind.name == "block-shape":
        return None
    sites = kind.sites(here)
    if not sites:
        return None
    site = rng.choice(sites)
    return kind(site=site, **{d.name: rng.choice(d.values) for d in kind.dimensions(here, site)}).spec


def _random_launch(file: KernelFile, rng: random.Random) -> LaunchShape | None:
    kind = rewrite_class("block-shape")
    if rng.random() < 0.5:
        return None
    sizes = {d.name: rng.choice(d.values) for d in kind.dimensions(file.here, file.kernel)}
    launch = LaunchShape(*(int(sizes.get(axis, 1)) for axis in ("x", "y", "z")))
    try:
        apply_candidate(file.source, file.kernel, Candidate((), launch))
    except R3CError:
        return None
    return launch


def program(file: KernelFile, trials: Sequence[Trial]) -> str:
    """A CUDA program that runs the original and every trial on the same data and names the trials that differ.

    It prints `ok N` and ends with 0, or one line `differs INDEX BUFFER ELEMENT got expected` for each that does.
    """
    arguments = [Argument(*match) for match in _ARGUMENT.findall(file.source.text)]
    out = [
        "#include <cuda_runtime.h>",
        "#include <cmath>",
        "#include <cstdio>",
        "#include <cstdlib>",
        "#include <cstring>",
    ]
    out.append("#include <vector>")
    out += sorted({line for trial in trials for line in _INCLUDE.findall(trial.rewritten.source.text)})
    out.append(_variant("original", file.source))
    out += [_variant(f"trial{i}", trial.rewritten.source) for i, trial in enumerate(trials)]
    out.append(_HELPERS)
    out += [
        f"static std::vector<{a.kind}> fresh_{a.name}() {{ {a.fill(i)} }}" for i, a in enumerate(arguments) if a.pointer
    ]
    plans = [("original", file.geometry)]
    plans += [(f"trial{i}", t.rewritten.plan.apply(file.geometry)) for i, t in enumerate(trials)]
    out += [_runner(name, geometry, file, arguments) for name, geometry in plans]
    out.append(_main(file, trials, [a for a in arguments if a.pointer]))
    buffers = [f"static std::vector<{a.kind}> got_{a.name}, expected_{a.name};" for a in arguments if a.pointer]
    at = out.index(_HELPERS) + 1
    return "\n".join([*out[:at], *buffers, *out[at:]])


def _main(file: KernelFile, trials: Sequence[Trial], buffers: Sequence[Argument]) -> str:
    """Every trial in every thread order that the device offers."""
    lines = ["int main() {", "  int bad = 0;", "  run_original();"]
    lines += [f"  expected_{a.name} = got_{a.name};" for a in buffers]
    lines += [
        "  for (int order = 0; order < (r3c_set_order ? 3 : 1); order++) {",
        "    if (r3c_set_order) r3c_set_order(order, 7);",
    ]
    for i, _ in enumerate(trials):
        lines.append(f'    fprintf(stderr, "trial %d order %d\\n", {i}, order);\n    run_trial{i}();')
        for a in buffers:
            tolerance = file.here.contract.tolerance_of(a.name)
            lines.append(
                f'    bad += compare({i}, "{a.name}", got_{a.name}, expected_{a.name}, {tolerance.rtol!r}, {tolerance.atol!r});'
            )
    lines += ["  }", f'  if (!bad) printf("ok {len(trials)}\\n");', "  return bad != 0;", "}", ""]
    return "\n".join(lines)


@dataclass(frozen=True)
class Argument:
    """One argument of a kernel as its file describes it."""

    kind: str
    star: str
    name: str
    value: str
    how: str = ""
    amount: str = ""

    @property
    def pointer(self) -> bool:
        return self.star == "*"

    def fill(self, seed: int) -> str:
        """C++ that returns the initial contents of the buffer."""
        kind, count = self.kind, int(self.value)
        head = f"std::vector<{kind}> v({count}); Random r({seed + 1}); "
        if self.how == "permutation":
            body = f"for (int i = 0; i < {count}; i++) v[i] = i; for (int i = {count} - 1; i > 0; i--) std::swap(v[i], v[r.next() % (i + 1)]);"
        elif self.how == "ramp":
            body = f"for (int i = 0; i < {count}; i++) v[i] = i * {self.amount};"
        elif self.how == "below":
            body = f"for (auto &x : v) x = r.next() % {self.amount};"
        elif kind in ("float", "double"):
            body = f"for (auto &x : v) x = ({kind})(r.next() % 20001) / 10000 - 1;"
        else:
            body = "for (auto &x : v) x = 0;"
        return f"{head}{body} return v;"


_HELPERS = """
#include <utility>
extern "C" void r3c_set_order(int kind, unsigned long seed) __attribute__((weak));
struct Random {
  unsigned long long state;
  explicit Random(unsigned seed) : state(seed * 7919ull + 1) {}
  unsigned next() { state = state * 6364136223846793005ull + 1442695040888963407ull; return (unsigned)(state >> 33); }
};
template <class T>
static int compare(int trial, const char *name, const std::vector<T> &got, const std::vector<T> &want, double rtol, double atol) {
  for (size_t i = 0; i < got.size(); i++) {
    bool same = memcmp(&got[i], &want[i], sizeof(T)) == 0;
    double g = (double)got[i], w = (double)want[i];
    if (!same && !(rtol + atol > 0 && std::fabs(g - w) <= atol + rtol * std::fabs(w))) {
      printf("differs %d %s %zu %.9g %.9g\\n", trial, name, i, g, w);
      return 1;
    }
  }
  return 0;
}
static void finish(const char *name) {
  cudaError_t status = cudaDeviceSynchronize();
  if (status == cudaSuccess) status = cudaGetLastError();
  if (status == cudaSuccess) return;
  printf("failed %s: %s\\n", name, cudaGetErrorString(status));
  exit(2);
}
template <class T> static T *upload(const std::vector<T> &v) {
  T *p = nullptr;
  cudaMalloc((void **)&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
"""


def _variant(name: str, source: Source) -> str:
    """One version of the file in a namespace of its own."""
    defined = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", source.text, re.MULTILINE)
    text = _INCLUDE.sub("", source.text)
    return f"namespace {name} {{\n{text}\n}}\n" + "".join(f"#undef {word}\n" for word in defined)


def _runner(name: str, geometry: LaunchGeometry, file: KernelFile, arguments: Sequence[Argument]) -> str:
    lines = [f"static void run_{name}() {{"]
    passed = []
    for a in arguments:
        if a.pointer:
            lines.append(f"  got_{a.name} = fresh_{a.name}(); {a.kind} *p_{a.name} = upload(got_{a.name});")
        passed.append(f"p_{a.name}" if a.pointer else f"({a.kind}){a.value}")
    grid, block = (", ".join(map(str, shape)) for shape in (geometry.grid, geometry.block))
    call = f"{name}::{file.here.function.name}<<<dim3({grid}), dim3({block}), {geometry.shared_bytes}>>>({', '.join(passed)});"
    lines += [f"  {call}", f'  finish("{name}");']
    for a in (a for a in arguments if a.pointer):
        size = f"got_{a.name}.size() * sizeof({a.kind})"
        lines.append(
            f"  cudaMemcpy(got_{a.name}.data(), p_{a.name}, {size}, cudaMemcpyDeviceToHost); cudaFree(p_{a.name});"
        )
    return "\n".join([*lines, "}"])
