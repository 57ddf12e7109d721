"""Padding of shared arrays against bank conflicts."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_scopes import SHARED, Variable
from r3c.tree.nodes import Call, Index, InitDeclarator, SizeOf, Unary
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class PadShared(Rewrite):
    """Makes the rows of a two- or three-dimensional shared array `pad` elements longer.

    Before:
        // r3c: kernel()
        __global__ void flip(float *a) {
          __shared__ float tile[32][32];
          tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
          __syncthreads();
          a[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
        }
    Step:
        pad-shared{site=flip/decl:tile,pad=1}
    After:
        // r3c: kernel()
        __global__ void flip(float *a) {
          __shared__ float tile[32][32 + 1];
          tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
          __syncthreads();
          a[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
        }
    Refuses:
        arrays of one dimension, and uses with fewer subscripts than dimensions, with an address, or in `sizeof`.
    """

    pad: int = number(1, 2, 4, 8)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        shared = {id(v.node) for v in analyse(region).scopes.variables if v.kind == SHARED}
        return [path for path, node in region.sites.items() if id(node) in shared]

    def apply(self, region: KernelRegion) -> list[Edit]:
        node = region.sites[self.site]
        variable = analyse(region).scopes.declared_by(node) if isinstance(node, InitDeclarator) else None
        if variable is None or variable.kind != SHARED:
            raise self.refuse(region, node, "this site is not a shared array")
        last = variable.dims[-1] if len(variable.dims) > 1 else None
        if last is None:
            raise self.refuse(region, node, f"`{variable.name}` does not have two dimensions or more")
        if self.pad < 1:
            raise self.refuse(region, node, f"a pad of {self.pad} is none")
        self._check_uses(region, variable)
        end = Span(last.span.end, last.span.end)
        return [Edit(end, f" + {self.pad}", f"rows of `{variable.name}` {self.pad} longer")]

    def _check_uses(self, region: KernelRegion, variable: Variable) -> None:
        for use in analyse(region).scopes.uses(variable):
            depth, at = 0, use.parent
            below = use
            while isinstance(at, Index) and at.base is below:
                depth, below, at = depth + 1, at, at.parent  # type: ignore[assignment]  # both are nodes
            if depth != len(variable.dims):
                raise self.refuse(region, use, f"`{variable.name}` is used here without all its subscripts")
            if (isinstance(at, Unary) and at.op == "&" and not self._is_atomic(at)) or isinstance(at, SizeOf):
                raise self.refuse(region, at, f"the layout of `{variable.name}` matters here")

    def _is_atomic(self, node: Unary) -> bool:
        call = next((a for a in node.ancestors() if isinstance(a, Call)), None)
        return call is not None and call.text.startswith("atomic")
