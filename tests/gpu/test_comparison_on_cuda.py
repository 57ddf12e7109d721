"""The comparison kernels on a GPU say what the host says, and stay exact beyond 4 GiB."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.gpu

ROOT = Path(__file__).parents[2]
# A session needs a process without a context of its own, and leaves one behind.
PROGRAM = """
import sys
sys.path[:0] = [{tests!r}]
from comparisons import cases, check
from r3c.devices.base import AddressRange
from r3c.devices.cuda import Cuda
from r3c.replay.on_device import KERNELS, OnDevice, Stored

session = Cuda().open_session()
comparer = OnDevice(session, dict.fromkeys(KERNELS, session.comparison_module()))
address, store = session.scratch(1 << 16), session.scratch(1 << 16)
for seed in range(5):
    for one in cases(seed):
        check(one, session, comparer, address, store)
        check(one, session, comparer, address, store, shift=24 + len(one.got) % 7)
print("agree")
size = (5 << 30) + 3
big, other = session.scratch(size), session.scratch(size)
session.fill(big, size, 7)
session.fill(other, size, 7)
key = comparer.new_key()
comparer.mask(other, size, key)
assert comparer.same(big, size, Stored(other, key))[0]
for at in (0, (4 << 30) + 5, size - 1):
    session.fill(big + at, 1, 8)
    assert not comparer.same(big, size, Stored(other, key))[0], at
    session.fill(big + at, 1, 7)
session.close()
print("large")
"""


def test_device_and_host_agree_and_large_buffers_are_compared_whole() -> None:
    program = PROGRAM.format(tests=str(ROOT / "tests" / "unit" / "replay"))
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["agree", "large"]
