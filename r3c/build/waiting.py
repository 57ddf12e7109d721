"""Which kernels make threads wait for each other, directly or through the functions and macros they use."""

from __future__ import annotations

import re
from collections.abc import Iterable

from r3c.tree.file import File, Function

_WORD = re.compile(r"[A-Za-z_]\w*")
_WAITS = re.compile(
    r"__syncthreads\w*|__syncwarp|__shfl\w*|__ballot\w*|__any_sync|__all_sync|__match\w*|__reduce_\w+_sync|__activemask|"
    r"sync|this_thread_block|tiled_partition|coalesced_threads|__lanemask_lt"
)


class WaitingFunctions:
    """Names of functions and macros of several files, closed over who uses whom."""

    def __init__(self, files: Iterable[File]) -> None:
        uses: dict[str, set[str]] = {}
        for file in files:
            for function in file.functions:
                uses.setdefault(function.name, set()).update(_words(function))
            for define in file.defines:
                uses.setdefault(define.name, set()).update(_WORD.findall(define.value))
        self._waiting = {name for name, words in uses.items() if any(_WAITS.fullmatch(word) for word in words)}
        while True:
            more = {n for n, words in uses.items() if n not in self._waiting and words & self._waiting}
            if not more:
                break
            self._waiting |= more

    def needs_fibers(self, kernel: Function) -> bool:
        return kernel.name in self._waiting


def _words(function: Function) -> set[str]:
    return set(_WORD.findall(function.source.text, function.header_end, function.end))
