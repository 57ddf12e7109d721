"""Elements that several threads of a block read in a loop, staged in shared tiles of one or two dimensions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from r3c.core.candidate import LaunchShape
from r3c.core.dims import Dimension
from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit
from r3c.rewrites._body import place_before
from r3c.rewrites._expressions import key
from r3c.rewrites._loops import counted, counter_type, declared_counter, loop_sites, refuse_jumps, refuse_pragma, upward
from r3c.rewrites._order import refuse_hidden
from r3c.rewrites._staging import (
    Conjunct,
    block_dimensions,
    bytes_of,
    for_thread,
    is_made_of_settled,
    is_read_only_place,
    is_staged_type,
    known_inside,
    refuse_block,
    refuse_launch,
    refuse_too_large,
    settled_for,
    shadows,
    thread_axes,
)
from r3c.rewrites._text import indent_unit, line_indent, operand, reindented, replaced
from r3c.rewrites.base import Rewrite, number
from r3c.rewrites.tile import tiled_head
from r3c.tree.analysis import analyse
from r3c.tree.analysis_dependence import DISTINCT
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_nodes import bare
from r3c.tree.analysis_poly import Poly
from r3c.tree.analysis_scopes import Variable
from r3c.tree.nodes import Binary, Body, DeclStmt, ExprStmt, If, Index, Lambda, Name, Node, SizeOf, Ternary
from r3c.tree.regions import KernelRegion

ARRAYS_MAX = 8


@dataclass(frozen=True)
class _Staged:
    """Equal loads of one element that become one tile."""

    loads: list[Index]
    kind: str
    array: str
    axes: frozenset[str]
    guards: list[Conjunct]
    counter_first: bool


@dataclass(frozen=True)
class StageTile(Rewrite):
    """Copies what the threads of an `x` x `y` block read in `size` iterations into shared memory, each element once.

    Before:
        // r3c: kernel()
        __global__ void mul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
          int col = blockIdx.x * blockDim.x + threadIdx.x;
          int row = blockIdx.y * blockDim.y + threadIdx.y;
          const bool active = row < n && col < n;
          float sum = 0.0f;
          for (int k = 0; k < n; k++) {
            if (active) sum += a[row * n + k] * b[k * n + col];
          }
          if (active) c[row * n + col] = sum;
        }
    Step:
        stage-tile{site=mul/loop:k,size=16,x=16,y=16}
    After:
        // r3c: kernel()
        __global__ void mul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n) {
          int col = blockIdx.x * blockDim.x + threadIdx.x;
          int row = blockIdx.y * blockDim.y + threadIdx.y;
          const bool active = row < n && col < n;
          float sum = 0.0f;
          __shared__ float a_tile[16][16];
          __shared__ float b_tile[16][16];
          for (int k_tile = 0; k_tile < n; k_tile += 16) {
            __syncthreads();
            for (int t = threadIdx.y * 16 + threadIdx.x; t < 256; t += 256) {
              const int k = k_tile + t % 16;
              const int col = blockIdx.x * blockDim.x + 0;
              const int row = blockIdx.y * blockDim.y + t / 16;
              if (k < n && row < n && col < n) a_tile[t / 16][t % 16] = a[row * n + k];
            }
            for (int t = threadIdx.y * 16 + threadIdx.x; t < 256; t += 256) {
              const int k = k_tile + t / 16;
              const int col = blockIdx.x * blockDim.x + t % 16;
              const int row = blockIdx.y * blockDim.y + 0;
              if (k < n && row < n && col < n) b_tile[t / 16][t % 16] = b[k * n + col];
            }
            __syncthreads();
            for (int k = k_tile; k < n && k < k_tile + 16; k++) {
              if (active) sum += a_tile[threadIdx.y][k - k_tile] * b_tile[k - k_tile][threadIdx.x];
            }
          }
          if (active) c[row * n + col] = sum;
        }
    Refuses:
        what `block-shape` refuses without `geometry(cover)`; loops that not all threads of a block run together
        (`guard-statements` helps); bodies that leave early, work together or write what is read; bodies without a load in
        every iteration that several threads of a block make, under conditions that give an index an upper bound.
    """

    size: int = number(8, 16, 32)
    x: int = number(16, 32, 64, 128, 256)
    y: int = number(1, 4, 8, 16)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    @classmethod
    def dimensions(cls, region: KernelRegion, site: str) -> tuple[Dimension, ...]:
        return block_dimensions(super().dimensions(region, site), region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = counted(self, region)
        if upward(self, region, loop) != 1 or loop.compare != "<":
            raise self.refuse(region, loop.node, "it does not count in steps of 1 to below a bound")
        if counter_type(self, region, loop) != "int":
            raise self.refuse(region, loop.node.init, "its counter is no int")
        declared_counter(self, region, loop)
        refuse_jumps(self, region, loop)
        refuse_pragma(self, region, loop)
        refuse_hidden(self, region, analyse(region).effects.of(loop.node))
        self._check_uniform(region, loop)
        refuse_block(self, region, self.x, self.y)
        staged = self._staged(region, loop)
        if not staged:
            why = "no iteration reads an element that several threads of a block read, under upper bounds alone"
            raise self.refuse(region, loop.body, why)
        refuse_too_large(self, region, loop.node, sum(self._count(s) * bytes_of(s.kind) for s in staged))
        return self._edits(region, loop, staged)

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        return replace(plan, block=LaunchShape(self.x, self.y))

    def check_launch(self, region: KernelRegion, launch: LaunchShape | None) -> None:
        refuse_launch(self, region, launch, LaunchShape(self.x, self.y))

    def _check_uniform(self, region: KernelRegion, loop: Loop) -> None:
        uniform = analyse(region).uniform
        if not uniform.is_uniformly_reached(loop.node):
            place = uniform.divergent_control(loop.node) or loop.node
            hint = "guard-statements moves a bound check into the loop"
            raise self.refuse(region, place, "not all threads of a block reach the loop together", hint)
        for part in (loop.start, loop.bound):
            if not uniform.is_uniform(part):
                raise self.refuse(region, part, "this may differ between the threads of a block")

    # --- which loads ----------------------------------------------------------------------------------------------

    def _staged(self, region: KernelRegion, loop: Loop) -> list[_Staged]:
        analysis = analyse(region)
        groups: dict[str, tuple[list[Index], list[Conjunct]]] = {}
        for load in _loads_of(loop.statements):
            guards = self._guards(region, loop, load) if self._is_shared_read(region, loop, load) else None
            if guards is not None:
                words = [f"{g.holds} {key(g.node, analysis)}" for g in guards]
                groups.setdefault(" ".join([key(load, analysis), *words]), ([], guards))[0].append(load)
        out: list[_Staged] = []
        taken: set[str] = set()
        for loads, guards in list(groups.values())[:ARRAYS_MAX]:
            axes = frozenset(thread_axes(analysis, loads[0].index))
            array = analysis.scopes.fresh(f"{loads[0].base.text}_tile", taken)
            taken.add(array)
            form = analysis.forms.of(loads[0].index)
            contiguous = form is not None and form.coefficient(loop.atom) == Poly.constant(1)
            out.append(_Staged(loads, analysis.types.of(loads[0]), array, axes, guards, contiguous))
        return out

    def _is_shared_read(self, region: KernelRegion, loop: Loop, load: Index) -> bool:
        analysis = analyse(region)
        pointer = analysis.scopes.variable(load.base) if isinstance(load.base, Name) else None
        if pointer is None or pointer.kind != "parameter" or not pointer.is_pointer or analysis.forms.written(pointer):
            return False
        if not is_staged_type(analysis.types.of(load)) or pointer.is_volatile or region.is_frozen(load.span):
            return False
        if not is_read_only_place(load) or not is_made_of_settled(analysis, load.index, {loop.atom}):
            return False
        for write in analysis.effects.of(loop.body).memory_writes:
            if analysis.memory.relation(write.variable, pointer) != DISTINCT:
                return False
        form = analysis.forms.of(load.index)
        if form is None or loop.atom not in form.names:
            return False
        used = analysis.threads.used_axes() & {"x", "y"}
        return not used <= thread_axes(analysis, load.index)

    def _guards(self, region: KernelRegion, loop: Loop, load: Index) -> list[Conjunct] | None:
        """Conditions for an element to be read by some thread; None where they are not of a form that says so."""
        analysis = analyse(region)
        axes = thread_axes(analysis, load.index)
        out: list[Conjunct] = []
        for part in known_inside(analysis, load, region.function.span):
            if loop.body.span.contains(part.node.span) or thread_axes(analysis, part.node):
                out.append(part)
        for part in out:
            if not is_made_of_settled(analysis, part.node, {loop.atom}):
                return None
            for axis in thread_axes(analysis, part.node) - axes:
                if not analysis.threads.is_upper_bound(part.node, part.holds, axis):
                    return None
        names = [v.name for v in self._settled(region, loop, load, out)]
        return out if len(set(names)) == len(names) else None

    def _settled(self, region: KernelRegion, loop: Loop, load: Index, guards: list[Conjunct]) -> list[Variable]:
        return settled_for(analyse(region), [load.index, *(g.node for g in guards)], loop.body.span)

    # --- text -----------------------------------------------------------------------------------------------------

    def _count(self, staged: _Staged) -> int:
        return self.size * (self.x if "x" in staged.axes else self.y if "y" in staged.axes else 1)

    def _dims(self, staged: _Staged) -> tuple[str, str, str]:
        """Bounds of the array, its subscripts where it is read, and where the counter's part of `t` stands in them."""
        if not staged.axes:
            return f"[{self.size}]", "[{k}]", "[{k}]"
        if staged.axes == {"x"}:
            return f"[{self.size}][{self.x}]", "[{k}][threadIdx.x]", "[{k}][{i}]"
        return f"[{self.y}][{self.size}]", "[threadIdx.y][{k}]", "[{i}][{k}]"

    def _edits(self, region: KernelRegion, loop: Loop, staged: list[_Staged]) -> list[Edit]:
        source, scopes = region.source, analyse(region).scopes
        place, indent = place_before(self, region, loop.node)
        unit, name = indent_unit(source), loop.counter.name
        tile = scopes.fresh(f"{name}_tile")
        deep = indent + unit
        declared = "".join(f"{indent}__shared__ {s.kind} {s.array}{self._dims(s)[0]};\n" for s in staged)
        changes = [
            (load.span, s.array + self._dims(s)[1].format(k=f"{name} - {tile}")) for s in staged for load in s.loads
        ]
        bound = operand(loop.bound.text, loop.bound)
        by = loop.node.step.text if loop.node.step is not None else f"{name}++"
        body = reindented(replaced(source, loop.body.span, changes), line_indent(source, loop.node.span.start), deep)
        inner = f"for (int {name} = {tile}; {name} < {bound} && {name} < {tile} + {self.size}; {by}) {body}"
        fills = [self._fill(region, loop, s, tile, deep, unit) for s in staged]
        lines = ["__syncthreads();", *fills, "__syncthreads();", inner]
        text = tiled_head(region, loop, tile, self.size) + " {"
        text += "".join(f"\n{deep}{line}" for line in lines) + f"\n{indent}}}"
        reason = f"{len(staged)} arrays staged in tiles of {self.size} for blocks of {self.x} x {self.y}"
        return [Edit(place, declared, reason), Edit(loop.node.span, text, reason)]

    def _fill(self, region: KernelRegion, loop: Loop, staged: _Staged, tile: str, deep: str, unit: str) -> str:
        """The loop in which all threads of the block copy one tile."""
        analysis, name, source = analyse(region), loop.counter.name, region.source
        t = analysis.scopes.fresh("t")
        width = self.x if "x" in staged.axes else self.y if "y" in staged.axes else 1
        if staged.counter_first or not staged.axes:
            along, across = (f"{t} % {self.size}", f"{t} / {self.size}") if staged.axes else (t, "0")
        else:
            along, across = f"{t} / {width}", f"{t} % {width}"
        place = {axis: across if axis in staged.axes else "0" for axis in ("x", "y")}
        load = staged.loads[0]
        lines = [f"const int {name} = {tile} + {along};"]
        lines += shadows(source, self._settled(region, loop, load, staged.guards), place)
        conditions = [f"{name} < {operand(loop.bound.text, loop.bound)}"]
        conditions += [
            self._condition(region, guard, place) for guard in staged.guards if guard.node is not _condition_of(loop)
        ]
        target = staged.array + self._dims(staged)[2].format(k=along, i=across)
        lines.append(f"if ({' && '.join(conditions)}) {target} = {for_thread(source, load, place)};")
        first = f"threadIdx.y * {self.x} + threadIdx.x" if self.y > 1 else "threadIdx.x"
        head = f"for (int {t} = {first}; {t} < {self.size * width}; {t} += {self.x * self.y})"
        return f"{head} {{" + "".join(f"\n{deep}{unit}{line}" for line in lines) + f"\n{deep}}}"

    def _condition(self, region: KernelRegion, guard: Conjunct, place: dict[str, str]) -> str:
        text = for_thread(region.source, guard.node, place)
        if not guard.holds:
            return f"!({text})"
        weak = isinstance(guard.node, Binary) and guard.node.op == "||"
        return f"({text})" if weak or isinstance(guard.node, Ternary) else text


def _condition_of(loop: Loop) -> Node | None:
    return None if loop.node.cond is None else bare(loop.node.cond)


def _loads_of(statements: list[Node]) -> list[Index]:
    """Subscripts that an iteration evaluates, perhaps under a condition, in source order."""
    out: list[Index] = []
    stack: list[Node] = list(reversed(statements))
    while stack:
        node = stack.pop()
        if isinstance(node, If) and node.otherwise is None:
            stack.append(node.then)
        elif isinstance(node, ExprStmt | DeclStmt | Body) or not hasattr(node, "body"):
            if isinstance(node, Lambda | SizeOf | If):
                continue
            if isinstance(node, Index):
                out.append(node)
            stack.extend(reversed(node.nodes))
    return out
