"""A serial loop of a thread cut into chunks over an unused axis of the grid."""

from __future__ import annotations

from dataclasses import dataclass, replace

from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit
from r3c.rewrites._body import place_before
from r3c.rewrites._loops import (
    counted,
    counter_type,
    declared_counter,
    loop_sites,
    refuse_jumps,
    refuse_pragma,
    starts_below,
    upward,
)
from r3c.rewrites._order import conflicts_between, refuse_hidden, written_outside
from r3c.rewrites._text import operand
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_effects import Access
from r3c.tree.analysis_loops import Loop, own_jumps
from r3c.tree.nodes import Continue
from r3c.tree.nodes import Loop as AnyLoop
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class LoopToGrid(Rewrite):
    """Gives each of `chunks` blocks along z a part of the iterations that one thread ran one after the other.

    Before:
        // r3c: kernel()
        __global__ void planes(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i >= n) return;
          for (int k = 0; k < depth; k++) {
            out[k * n + i] = in[k * n + i] * 2.0f;
          }
        }
    Step:
        loop-to-grid{site=planes/loop:k,chunks=8}
    After:
        // r3c: kernel()
        __global__ void planes(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i >= n) return;
          const int chunk = (depth + 7) / 8;
          const int first = blockIdx.z % 8 * chunk;
          const int last = first + chunk < depth ? first + chunk : depth;
          for (int k = first; k < last; k++) {
            out[k * n + i] = in[k * n + i] * 2.0f;
          }
        }
    Refuses:
        kernels that use the z axis, write memory outside the loop, or whose threads work together; loops inside other
        loops, that hand values on, leave early, or whose iterations may meet.
    """

    chunks: int = number(2, 4, 8, 16, 32)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = counted(self, region)
        if upward(self, region, loop) != 1 or loop.compare != "<":
            raise self.refuse(region, loop.node, "it does not count in steps of 1 to below a bound")
        if counter_type(self, region, loop) != "int" or not starts_below(region, loop):
            raise self.refuse(region, loop.node.init, "its counter is no int, or its bound is not signed")
        declared_counter(self, region, loop)
        for jump in own_jumps(loop.node):
            if not isinstance(jump, Continue):
                refuse_jumps(self, region, loop)
        refuse_pragma(self, region, loop)
        self._check_kernel(region, loop)
        self._check_iterations(region, loop)
        return self._edits(region, loop)

    def _check_kernel(self, region: KernelRegion, loop: Loop) -> None:
        analysis = analyse(region)
        together = analysis.threads.cooperation()
        if together is not None:
            raise self.refuse(region, together.node, together.why)
        if "z" in analysis.threads.used_axes():
            raise self.refuse(region, region.function, "the kernel uses the z axis already")
        outer = next((a for a in loop.node.ancestors() if isinstance(a, AnyLoop)), None)
        if outer is not None:
            raise self.refuse(region, loop.node, "it stands inside another loop")
        whole = analysis.effects.of(region.function.body)
        refuse_hidden(self, region, whole, atomics=True)
        for access in whole.accesses:
            if access.writes and _is_seen(access) and not loop.node.span.contains(access.node.span):
                raise self.refuse(region, access.node, "this write outside the loop would be repeated by every chunk")

    def _check_iterations(self, region: KernelRegion, loop: Loop) -> None:
        analysis = analyse(region)
        effects = analysis.effects.of(loop.body)
        for variable in written_outside(analysis, loop):
            place = next(a.node for a in effects.accesses if a.variable is variable and a.writes)
            raise self.refuse(region, place, f"`{variable.name}` is handed from one iteration to the next")
        plain = [a for a in effects.memory if not a.atomic]
        for conflict in conflicts_between(analysis, plain, plain, loop):
            if conflict.distance != 0:
                raise self.refuse(
                    region, conflict.second.node, f"another iteration's `{conflict.first.node.text}` may meet this"
                )

    def _edits(self, region: KernelRegion, loop: Loop) -> list[Edit]:
        scopes, n = analyse(region).scopes, self.chunks
        place, indent = place_before(self, region, loop.node)
        chunk, first, last = (scopes.fresh(word) for word in ("chunk", "first", "last"))
        bound, start = operand(loop.bound.text, loop.bound), operand(loop.start.text, loop.start)
        zero = analyse(region).forms.value(loop.start) == 0
        length = f"{bound} + {n - 1}" if zero else f"{bound} - {start} + {n - 1}"
        begin = f"blockIdx.z % {n} * {chunk}"
        lines = [
            f"const int {chunk} = ({length}) / {n};",
            f"const int {first} = {begin if zero else f'{start} + {begin}'};",
            f"const int {last} = {first} + {chunk} < {bound} ? {first} + {chunk} : {loop.bound.text};",
        ]
        reason = f"{n} chunks of `{loop.counter.name}` over the grid"
        return [
            Edit(place, "".join(f"{indent}{line}\n" for line in lines), reason),
            Edit(loop.start.span, first),
            Edit(loop.bound.span, last),
        ]

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        shared = plan.threads_per_index
        return replace(plan, threads_per_index=(shared[0], shared[1], shared[2] * self.chunks))


def _is_seen(access: Access) -> bool:
    variable = access.variable
    if variable is None:
        return True
    return access.memory and not (variable.is_array and variable.kind == "local")
