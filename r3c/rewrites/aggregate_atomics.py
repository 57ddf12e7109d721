"""One atomic operation a block instead of one a thread."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import plain_body
from r3c.rewrites._kernel import kernel_sites
from r3c.rewrites._rewrite import allows_rounding
from r3c.rewrites._text import indent_unit, line_indent
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_nodes import bare, call_name
from r3c.tree.analysis_types import is_integer_type
from r3c.tree.nodes import Body, Call, ExprStmt, Index, Name, Node, Return, Unary
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class AggregateAtomics(Rewrite):
    """Sums up in shared memory what the threads of a block add to one place, and adds it there once.

    Before:
        // r3c: kernel()
        __global__ void count(int *total, const int *a, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) {
            atomicAdd(total, a[i]);
          }
        }
    Step:
        aggregate-atomics{site=count}
    After:
        // r3c: kernel()
        __global__ void count(int *total, const int *a, int n) {
          __shared__ int total_block;
          if (threadIdx.x + threadIdx.y + threadIdx.z == 0) total_block = 0;
          __syncthreads();
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) {
            atomicAdd(&total_block, a[i]);
          }
          __syncthreads();
          if (threadIdx.x + threadIdx.y + threadIdx.z == 0) atomicAdd(total, total_block);
        }
    Refuses:
        kernels without exactly one `atomicAdd(pointer, value);` to the place a pointer parameter leads to, whose result is
        unused; other uses of that pointer; returns before the end; a floating-point sum under an exact contract.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        body = plain_body(self, region)
        call = self._only_atomic(region, body)
        place = bare(call.args[0])
        pointer = self._pointer(region, place)
        analysis = analyse(region)
        variable = analysis.scopes.variable(pointer)
        if (
            variable is None
            or not variable.is_pointer
            or variable.kind != "parameter"
            or analysis.forms.written(variable)
        ):
            raise self.refuse(region, call, "the place is not where a pointer parameter leads to")
        if len(analysis.scopes.uses(variable)) != 1:
            raise self.refuse(region, call, f"`{variable.name}` is used elsewhere too")
        kind = analysis.types.element(variable)
        if not is_integer_type(kind) and not (kind in ("float", "double") and allows_rounding(region)):
            raise self.refuse(
                region, call, f"sums of type `{kind}` may not be formed in another order", "say kernel(rtol=...)"
            )
        for node in body.walk():
            if isinstance(node, Return):
                raise self.refuse(region, node, "a thread that returns here would miss the barrier at the end")
        return self._edits(region, body, call, variable.name, kind)

    def _only_atomic(self, region: KernelRegion, body: Body) -> Call:
        whole = analyse(region).effects.of(body)
        for node in whole.unknown:
            raise self.refuse(region, node, "what this does is not known")
        atomics = [a.node for a in whole.accesses if a.atomic]
        call = atomics[0] if len(atomics) == 1 else None
        if not isinstance(call, Call) or call_name(call) != "atomicAdd" or len(call.args) != 2:
            raise self.refuse(region, body, "it does not have exactly one atomic operation, an atomicAdd")
        if not isinstance(call.parent, ExprStmt):
            raise self.refuse(region, call, "its result is used")
        return call

    def _pointer(self, region: KernelRegion, place: Node) -> Node:
        """The name in `p` or `&p[0]`."""
        if isinstance(place, Unary) and place.op == "&":
            inner = bare(place.operand)
            if isinstance(inner, Index) and analyse(region).forms.value(inner.index) == 0:
                place = bare(inner.base)
        if not isinstance(place, Name):
            raise self.refuse(region, place, "the place is not the same for all threads of a block")
        return place

    def _edits(self, region: KernelRegion, body: Body, call: Call, pointer: str, kind: str) -> list[Edit]:
        name = analyse(region).scopes.fresh(f"{pointer}_block")
        outer = line_indent(region.source, body.span.start)
        indent = outer + indent_unit(region.source)
        first = "threadIdx.x + threadIdx.y + threadIdx.z == 0"
        begin = [f"__shared__ {kind} {name};", f"if ({first}) {name} = 0;", "__syncthreads();"]
        end = ["__syncthreads();", f"if ({first}) atomicAdd({call.args[0].text}, {name});"]
        start, stop = body.span.start + 1, body.statements[-1].span.end
        return [
            Edit(
                Span(start, start), "".join(f"\n{indent}{line}" for line in begin), f"one atomic a block on `{pointer}`"
            ),
            Edit(call.args[0].span, f"&{name}"),
            Edit(Span(stop, stop), "".join(f"\n{indent}{line}" for line in end)),
        ]
