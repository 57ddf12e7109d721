"""Cache hints on the loads or stores of one pointer."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._pointers import pointer_parameters, pointer_variable, subscripted_uses
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_types import is_integer_type
from r3c.tree.nodes import Assign, ExprStmt, Index
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class CacheHints(Rewrite):
    """Says how the data of a pointer is reused: `streaming` data is evicted first, `l2` data is kept in the second level only.

    Before:
        // r3c: kernel()
        __global__ void copy(float *out, const float *in) {
          out[threadIdx.x] = in[threadIdx.x];
        }
    Step:
        cache-hints{site=copy/param:out,hint=streaming}
    After:
        // r3c: kernel()
        __global__ void copy(float *out, const float *in) {
          __stcs(&out[threadIdx.x], in[threadIdx.x]);
        }
    Refuses:
        pointers that are both read and written, whose elements are no plain numbers, or that are used otherwise than by
        subscript; stores that are not statements of their own.
    """

    hint: str = number("streaming", "l2")

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return pointer_parameters(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        variable = pointer_variable(self, region)
        uses = subscripted_uses(self, region, variable)
        if not uses:
            raise self.refuse(region, variable.node, f"`{variable.name}` is not used by subscript")
        element = analyse(region).types.element(variable)
        if element not in ("float", "double") and not is_integer_type(element):
            raise self.refuse(
                region, variable.node, f"elements of type `{element}` have no hinted access that is known here"
            )
        written = {writes for _, writes in uses}
        if len(written) > 1:
            raise self.refuse(region, variable.node, f"`{variable.name}` is both read and written")
        edits: list[Edit] = []
        for use, writes in uses:
            edits += self._store(region, use) if writes else self._load(use)
        return edits

    def _load(self, use: Index) -> list[Edit]:
        name = "__ldcs" if self.hint == "streaming" else "__ldcg"
        start, end = use.span.start, use.span.end
        return [Edit(Span(start, start), f"{name}(&", f"{self.hint} loads"), Edit(Span(end, end), ")")]

    def _store(self, region: KernelRegion, use: Index) -> list[Edit]:
        assign = use.parent
        if not isinstance(assign, Assign) or assign.op != "=" or not isinstance(assign.parent, ExprStmt):
            raise self.refuse(region, use, "this store is not a statement `p[i] = value;`")
        name = "__stcs" if self.hint == "streaming" else "__stcg"
        element = analyse(region).types.of(use)
        same = analyse(region).types.of(assign.value) == element
        start, end = use.span.start, assign.value.span.start
        cast = "" if same else f"({element})("
        return [
            Edit(Span(start, start), f"{name}(&", f"{self.hint} stores"),
            Edit(Span(use.span.end, end), f", {cast}"),
            Edit(Span(assign.span.end, assign.span.end), ")" if same else "))"),
        ]
