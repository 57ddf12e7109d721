"""How long listing and applying steps takes on a generated kernel of 1,500 lines. Each line: measured, and what is wanted.

    python benchmarks/rewrite_speed.py [--lines 1500] [--loops 60]

A listing is every step of one rewrite at every site with every number, legal or refused, with nothing kept from before.
An application is one legal step: its edits, the new text parsed again and checked. Times are CPU seconds of one core.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from typing import TypeVar

from r3c.core.source import Source
from r3c.rewrites.base import Refusal, Rewrite, edits_of, legal_steps, rewrite_names
from r3c.tree.parse import parse
from r3c.tree.regions import KernelRegion, region
from r3c.tree.verify import check

T = TypeVar("T")
HEAD = """\
// r3c: kernel(rtol=1e-5)
__global__ void generated(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, float x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float total = 0.0f;
"""
LOOP = """\
  float s{0} = a[i + {0}] * 2.0f;
  for (int j{0} = 0; j{0} < n; j{0}++) {{
    s{0} += b[j{0}] * x;
  }}
"""
PLAIN = """\
  float v{0} = a[i * {0}] * x + total;
  if (v{0} > x) {{
    total += v{0} / (x + {0}.0f);
  }}
"""


def kernel(lines: int, loops: int) -> str:
    """A kernel of about `lines` lines, `loops` of its groups of four lines with a loop."""
    groups = lines // 4
    every = max(1, groups // max(1, loops))
    body = "".join((LOOP if k % every == 0 and k // every < loops else PLAIN).format(k) for k in range(groups))
    return f"{HEAD}{body}  out[i] = total;\n}}\n"


def timed(work: Callable[[], T]) -> tuple[T, float]:
    gc.collect()
    began = time.process_time()
    done = work()
    return done, time.process_time() - began


def read(text: str) -> KernelRegion:
    return region(parse(Source("generated.cu", text)), "generated")


def apply(step: Rewrite, here: KernelRegion) -> KernelRegion:
    edits = edits_of(step, here)
    return region(check(here.file, edits, here.source.apply(edits)), here.name)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lines", type=int, default=1500)
    options.add_argument("--loops", type=int, default=60)
    arguments = options.parse_args()
    text = kernel(arguments.lines, arguments.loops)
    read(kernel(40, 2))  # the tables are in the cache from here on
    _, parsing = timed(lambda: read(text))
    print(f"{text.count(chr(10))} lines, {arguments.loops} loops; parsing takes {parsing:.2f} s")
    print(f"{'rewrite':26} {'legal':>6} {'refused':>8} {'listing s':>10} {'applying s':>11}   wanted: below 1 and 0.2")
    worst, slowest = 0.0, 0.0
    for name in rewrite_names():
        here = read(text)
        steps, listing = timed(lambda: list(legal_steps(here, [name])))  # noqa: B023 - called at once
        legal = [step for step in steps if not isinstance(step, Refusal)]
        applying = 0.0
        if legal:
            applying = min(timed(lambda: apply(legal[len(legal) // 2], here))[1] for _ in range(3))  # noqa: B023
        worst, slowest = max(worst, listing), max(slowest, applying)
        shown = f"{applying:11.3f}" if legal else f"{'-':>11}"
        print(f"{name:26} {len(legal):6} {len(steps) - len(legal):8} {listing:10.3f} {shown}")
    print(f"{'slowest':26} {'':6} {'':8} {worst:10.3f} {slowest:11.3f}")
    everything, whole = timed(lambda: list(legal_steps(read(text))))
    print(f"all rewrites together: {len(everything)} steps in {whole:.1f} s, parsing and analysis included")


if __name__ == "__main__":
    main()
