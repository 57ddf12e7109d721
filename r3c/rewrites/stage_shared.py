"""Elements that all threads of a block read in the same order, staged in shared memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import place_before
from r3c.rewrites._expressions import is_place, steady_loads
from r3c.rewrites._kernel import SHARED_BYTES_MAX, element_bytes, shared_bytes
from r3c.rewrites._loops import counted, counter_type, declared_counter, loop_sites, refuse_jumps, refuse_pragma, upward
from r3c.rewrites._order import refuse_hidden, varies_in
from r3c.rewrites._text import indent_unit, line_indent, operand, reindented, replaced, uses_replaced
from r3c.rewrites.base import Rewrite, number
from r3c.rewrites.tile import tiled_head
from r3c.tree.analysis import analyse
from r3c.tree.analysis_dependence import DISTINCT
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_nodes import names_in
from r3c.tree.analysis_poly import Poly
from r3c.tree.analysis_types import is_integer_type
from r3c.tree.nodes import Index, Name
from r3c.tree.regions import KernelRegion

ARRAYS_MAX = 4


@dataclass(frozen=True)
class StageShared(Rewrite):
    """Copies `size` elements that every thread of a block is about to read into shared memory, tile after tile.

    Before:
        // r3c: kernel()
        __global__ void sum(float *__restrict__ out, const float *__restrict__ a, int n) {
          float s = 0.0f;
          for (int j = 0; j < n; j++) {
            s += a[j] * threadIdx.x;
          }
          out[threadIdx.x] = s;
        }
    Step:
        stage-shared{site=sum/loop:j,size=128}
    After:
        // r3c: kernel()
        __global__ void sum(float *__restrict__ out, const float *__restrict__ a, int n) {
          float s = 0.0f;
          __shared__ float a_tile[128];
          for (int j_tile = 0; j_tile < n; j_tile += 128) {
            __syncthreads();
            for (int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); t < 128 && j_tile + t < n; t += blockDim.x * blockDim.y * blockDim.z) {
              a_tile[t] = a[(j_tile + t)];
            }
            __syncthreads();
            for (int j = j_tile; j < n && j < j_tile + 128; j++) {
              s += a_tile[j - j_tile] * threadIdx.x;
            }
          }
          out[threadIdx.x] = s;
        }
    Refuses:
        loops that not all threads of a block reach together or whose bounds differ between threads; bodies that leave early,
        work together or write what is read; bodies without an unconditional load of the next element at a place that is
        the same in all threads.
    """

    size: int = number(128, 256, 512, 1024)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = counted(self, region)
        if upward(self, region, loop) != 1 or loop.compare != "<":
            raise self.refuse(region, loop.node, "it does not count in steps of 1 to below a bound")
        if counter_type(self, region, loop) != "int":
            raise self.refuse(region, loop.node.init, "its counter is no int")
        declared_counter(self, region, loop)
        refuse_jumps(self, region, loop)
        refuse_pragma(self, region, loop)
        if loop.trip is not None and loop.trip < 2:
            raise self.refuse(region, loop.node, f"the loop runs only {loop.trip} times")
        analysis = analyse(region)
        refuse_hidden(self, region, analysis.effects.of(loop.node))
        self._check_uniform(region, loop)
        groups = self._loads(region, loop)
        if not groups:
            raise self.refuse(
                region, loop.body, "no iteration reads the next element at a place that is the same in all threads"
            )
        new = sum(element_bytes(analysis.types.of(group[0])) * self.size for group in groups)
        if shared_bytes(region) + new > SHARED_BYTES_MAX:
            raise self.refuse(region, loop.node, f"{new} bytes more of shared memory are more than a block can have")
        return self._edits(region, loop, groups)

    def _check_uniform(self, region: KernelRegion, loop: Loop) -> None:
        uniform = analyse(region).uniform
        if not uniform.is_uniformly_reached(loop.node):
            raise self.refuse(
                region,
                uniform.divergent_control(loop.node) or loop.node,
                "not all threads of a block reach the loop together",
            )
        for part in (loop.start, loop.bound):
            if not uniform.is_uniform(part):
                raise self.refuse(region, part, "this may differ between the threads of a block")

    def _edits(self, region: KernelRegion, loop: Loop, groups: list[list[Index]]) -> list[Edit]:
        source, scopes = region.source, analyse(region).scopes
        place, indent = place_before(self, region, loop.node)
        unit, name = indent_unit(source), loop.counter.name
        tile, t = scopes.fresh(f"{name}_tile"), scopes.fresh("t")
        deep = indent + unit
        arrays: set[str] = set()
        declared: list[str] = []
        copies: list[str] = []
        changes: list[tuple[Span, str]] = []
        for group in groups:
            kind = analyse(region).types.of(group[0])
            array = scopes.fresh(f"{group[0].base.text}_tile", arrays)
            arrays.add(array)
            declared.append(f"{indent}__shared__ {kind} {array}[{self.size}];\n")
            from_memory = uses_replaced(source, group[0], scopes, {loop.counter: f"({tile} + {t})"})
            copies.append(f"\n{deep}{unit}{array}[{t}] = {from_memory};")
            changes += [(node.span, f"{array}[{name} - {tile}]") for node in group]
        bound = operand(loop.bound.text, loop.bound)
        first = "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)"
        every = "blockDim.x * blockDim.y * blockDim.z"
        copying = f"for (int {t} = {first}; {t} < {self.size} && {tile} + {t} < {bound}; {t} += {every}) {{{''.join(copies)}\n{deep}}}"
        by = loop.node.step.text if loop.node.step is not None else f"{name}++"
        body = reindented(replaced(source, loop.body.span, changes), line_indent(source, loop.node.span.start), deep)
        inner = f"for (int {name} = {tile}; {name} < {bound} && {name} < {tile} + {self.size}; {by}) {body}"
        lines = ["__syncthreads();", copying, "__syncthreads();", inner]
        text = (
            tiled_head(region, loop, tile, self.size)
            + " {"
            + "".join(f"\n{deep}{line}" for line in lines)
            + f"\n{indent}}}"
        )
        reason = f"{len(groups)} arrays staged in tiles of {self.size}"
        return [Edit(place, "".join(declared), reason), Edit(loop.node.span, text, reason)]

    def _loads(self, region: KernelRegion, loop: Loop) -> list[list[Index]]:
        analysis = analyse(region)
        varies = varies_in(analysis, loop.node)
        groups = steady_loads(loop, analysis, lambda node: self._is_shared_read(region, loop, node, varies))
        return list(groups.values())[:ARRAYS_MAX]

    def _is_shared_read(self, region: KernelRegion, loop: Loop, node: Index, varies: Callable[[str], bool]) -> bool:
        analysis = analyse(region)
        pointer = analysis.scopes.variable(node.base) if isinstance(node.base, Name) else None
        kind = analysis.types.of(node)
        if is_place(node):
            return False
        if pointer is None or pointer.kind != "parameter" or not (kind in ("float", "double") or is_integer_type(kind)):
            return False
        for write in analysis.effects.of(loop.body).memory_writes:
            if analysis.memory.relation(write.variable, pointer) != DISTINCT:
                return False
        form = analysis.forms.of(node.index)
        step = form.coefficient(loop.atom) if form is not None else None
        if form is None or step != Poly.constant(1) or any(varies(n) for n in form.names - {loop.atom}):
            return False
        others = [n for n in names_in(node.index) if analysis.scopes.variable(n) is not loop.counter]
        declared = {v.unique for v in analysis.scopes.declared_in(loop.body)}
        local = any((v := analysis.scopes.variable(n)) is not None and v.unique in declared for n in others)
        return (
            not local
            and all(analysis.uniform.is_uniform(n) for n in others)
            and bool(analysis.scopes.uses_in(loop.counter, node))
        )
