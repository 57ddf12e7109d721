"""A whole number that a kernel is written for becomes a parameter of the candidate."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from r3c.core.dims import Dimension
from r3c.core.source import Edit
from r3c.core.spec import Value
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis_forms import integer_literal
from r3c.tree.analysis_nodes import body_of
from r3c.tree.nodes import For, InitDeclarator, Literal, Node
from r3c.tree.regions import KernelRegion

LEAST = 4
MOST = 4096


@dataclass(frozen=True)
class Lift(Rewrite):
    """Gives every whole number of the kernel that equals the first one of the site, a tile size for example, another value.

    The number that is there is the default and leaves the text as it is. Nothing here shows that another one computes the
    same: replay decides.

    Before:
        // r3c: kernel()
        __global__ void flip(float *a) {
          __shared__ float tile[64];
          tile[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
          __syncthreads();
          a[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
        }
    Step:
        lift{site=flip/decl:tile,value=32}
    After:
        // r3c: kernel()
        __global__ void flip(float *a) {
          __shared__ float tile[32];
          tile[threadIdx.x] = a[blockIdx.x * 32 + threadIdx.x];
          __syncthreads();
          a[blockIdx.x * 32 + threadIdx.x] = tile[31 - threadIdx.x];
        }
    Refuses:
        sites whose head has no whole number of at least 4, and values outside 1 to 4096.
    """

    value: Value = field(default=0, metadata={"values": (0,), "start": 0})

    proven: ClassVar[bool] = False

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return [path for path, node in region.sites.items() if _is_site(path, node) and _number_of(node) is not None]

    @classmethod
    def dimensions(cls, region: KernelRegion, site: str) -> tuple[Dimension, ...]:
        number = _number_of(region.sites[site]) if site in region.sites else None
        if number is None:
            return super().dimensions(region, site)
        values = sorted({max(1, number // 2), number, number * 2, number * 4})
        return (Dimension("value", tuple(values), ordered=True, default=number),)

    def apply(self, region: KernelRegion) -> list[Edit]:
        node = region.sites[self.site]
        number = _number_of(node) if _is_site(self.site, node) else None
        if number is None:
            raise self.refuse(region, node, f"its head has no whole number of at least {LEAST}")
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not 1 <= self.value <= MOST:
            raise self.refuse(region, node, f"{self.value} is no whole number from 1 to {MOST}")
        reason = f"{number} becomes {self.value}"
        edits = []
        for literal in body_of(region.function).walk():
            found = integer_literal(literal.text) if isinstance(literal, Literal) else None
            if found not in (number, number - 1) or region.is_frozen(literal.span):
                continue
            suffix = literal.text[len(literal.text.rstrip("uUlL")) :]
            new = self.value if found == number else self.value - 1
            text = literal.text if new == found else f"{new}{suffix}"
            edits.append(Edit(literal.span, text, reason))
        return edits


def _is_site(path: str, node: Node) -> bool:
    return isinstance(node, For | InitDeclarator) and ("/loop:" in path or "/decl:" in path)


def _number_of(node: Node) -> int | None:
    """The first whole number in the bounds of an array, or in the head of a loop."""
    parts: list[Node | None] = [node.cond, node.step] if isinstance(node, For) else []
    if isinstance(node, InitDeclarator):
        parts = list(node.declarator.bounds)
    for part in parts:
        for inner in part.walk() if part is not None else ():
            value = integer_literal(inner.text) if isinstance(inner, Literal) else None
            if value is not None and LEAST <= value <= MOST:
                return value
    return None
