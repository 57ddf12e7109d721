"""A serial loop that hands on what its last few iterations computed, cut into chunks that overlap, over the grid."""

from __future__ import annotations

from dataclasses import dataclass, replace

from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit
from r3c.rewrites._body import place_before
from r3c.rewrites._carried import Advance, Carried, carried_state
from r3c.rewrites._loops import counted, counter_type, loop_sites, refuse_pragma, starts_below, upward
from r3c.rewrites._order import varies_in
from r3c.rewrites._text import operand, poly_text
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_dependence import DISTINCT
from r3c.tree.analysis_effects import Access
from r3c.tree.analysis_loops import Loop, own_jumps
from r3c.tree.analysis_nodes import bare
from r3c.tree.analysis_poly import Atom, Poly
from r3c.tree.analysis_scopes import LOCAL, SHARED, Variable
from r3c.tree.nodes import Assign, Body, ExprStmt, Node
from r3c.tree.nodes import Loop as AnyLoop
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class OverlappedChunks(Rewrite):
    """Gives each of `chunks` blocks along z a part of a loop; each runs the few iterations before its part without writing.

    What iterations hand on has to be forgotten after a few of them: indices that advance, values that move through
    registers or shared memory.

    Before:
        // r3c: kernel()
        __global__ void slopes(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) {
            float below = 0.0f;
            for (int k = 0; k < depth; k++) {
              float here = in[k * n + i];
              out[k * n + i] = here - below;
              below = here;
            }
          }
        }
    Step:
        overlapped-chunks{site=slopes/loop:k,chunks=8}
    After:
        // r3c: kernel()
        __global__ void slopes(float *__restrict__ out, const float *__restrict__ in, int n, int depth) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) {
            float below = 0.0f;
            const int part = blockIdx.z % 8;
            const int first = depth * part / 8;
            const int last = depth * (part + 1) / 8;
            const int begin = first < 1 ? 0 : first - 1;
            for (int k = begin; k < last; k++) {
              float here = in[k * n + i];
              if (k >= first) out[k * n + i] = here - below;
              below = here;
            }
          }
        }
    Refuses:
        kernels that use the z axis or write memory outside the loop; loops inside other loops, that leave early, hand on
        sums or values that are used afterwards, or whose iterations may write the same element.
    """

    chunks: int = number(16, 4, 8, 32)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = counted(self, region)
        if upward(self, region, loop) != 1 or loop.compare != "<":
            raise self.refuse(region, loop.node, "it does not count in steps of 1 to below a bound")
        if counter_type(self, region, loop) != "int" or not starts_below(region, loop):
            raise self.refuse(region, loop.node.init or loop.node, "its counter is no int, or its bound is not signed")
        for jump in own_jumps(loop.node):
            raise self.refuse(region, jump, "an iteration may leave early here")
        refuse_pragma(self, region, loop)
        self._check_kernel(region, loop)
        carried = carried_state(self, region, loop)
        writes = self._check_memory(region, loop, carried)
        return self._edits(region, loop, carried, writes)

    def _check_kernel(self, region: KernelRegion, loop: Loop) -> None:
        analysis = analyse(region)
        if "z" in analysis.threads.used_axes():
            raise self.refuse(region, region.function, "the kernel uses the z axis already")
        if any(isinstance(above, AnyLoop) for above in loop.node.ancestors()):
            raise self.refuse(region, loop.node, "it stands inside another loop")
        whole = analysis.effects.of(region.function.body)
        for node in [*whole.unknown, *whole.warp]:
            raise self.refuse(region, node, "what this does with other threads is not known")
        for access in whole.accesses:
            if access.atomic or (access.variable is not None and access.variable.is_volatile):
                raise self.refuse(region, access.node, "an atomic or volatile access keeps its place")
            if access.writes and is_seen(access) and not loop.node.span.contains(access.node.span):
                raise self.refuse(region, access.node, "this write outside the loop would be repeated by every chunk")
        for barrier in analysis.effects.of(loop.body).barriers:
            if not analysis.uniform.is_uniform(loop.bound):
                raise self.refuse(region, barrier, "threads wait here, and the loop's bound may differ between them")
        if not loop.declares and any(use.start >= loop.node.end for use in analysis.scopes.uses(loop.counter)):
            raise self.refuse(region, loop.node, f"its counter `{loop.counter.name}` is used after it")

    def _check_memory(self, region: KernelRegion, loop: Loop, carried: Carried) -> list[Access]:
        """The writes that others see; no two iterations meet in one, and none is read."""
        analysis = analyse(region)
        effects = analysis.effects.of(loop.body)
        writes = [a for a in effects.accesses if a.writes and is_seen(a)]
        places = _Places(analysis, loop, carried.advances)
        for write in writes:
            statement = write.node.parent
            plain = isinstance(statement, Assign) and isinstance(statement.parent, ExprStmt)
            if write.variable is None or not plain or bare(statement.target) is not write.node:  # type: ignore[union-attr]
                raise self.refuse(region, write.node, "this is more than a plain store")
            if not places.differ(write):
                raise self.refuse(region, write.node, "another iteration may write the same element")
            for other in effects.memory:
                if other is write or _is_own(other):
                    continue
                related = analysis.memory.relation(write.variable, other.variable) != DISTINCT
                if related and not places.equal(write, other):
                    raise self.refuse(region, other.node, f"another iteration's `{write.node.text}` may meet this")
        return writes

    def _edits(self, region: KernelRegion, loop: Loop, carried: Carried, writes: list[Access]) -> list[Edit]:
        scopes, n = analyse(region).scopes, self.chunks
        place, indent = place_before(self, region, loop.node)
        part, first, last, begin = (scopes.fresh(word) for word in ("part", "first", "last", "begin"))
        bound, start = operand(loop.bound.text, loop.bound), operand(loop.start.text, loop.start)
        zero = analyse(region).forms.value(loop.start) == 0
        count, base = (bound, "") if zero else (f"({bound} - {start})", f"{start} + ")
        lowest = "0" if zero else start
        early = str(carried.depth)
        if carried.late and carried.depth:
            early = f"({count} < {n * (carried.late + 1)} ? {carried.depth + carried.late} : {carried.depth})"
        after = first if zero else f"{first} - {start}"
        lines = [
            f"const int {part} = blockIdx.z % {n};",
            f"const int {first} = {base}{count} * {part} / {n};",
            f"const int {last} = {base}{count} * ({part} + 1) / {n};",
            f"const int {begin} = {after} < {early} ? {lowest} : {first} - {early};" if carried.depth else "",
        ]
        begin = begin if carried.depth else first
        lines += [self._advanced(a, begin if zero else f"({begin} - {start})") for a in carried.advances]
        reason = f"{n} chunks of `{loop.counter.name}` over the grid, {carried.depth} iterations repeated"
        edits = [
            Edit(place, "".join(f"{indent}{line}\n" for line in lines if line), reason),
            Edit(loop.start.span, begin),
            Edit(loop.bound.span, last),
        ]
        if carried.depth:
            edits += [_guarded(write, f"if ({loop.counter.name} >= {first}) ") for write in writes]
        return edits

    def _advanced(self, advance: Advance, iterations: str) -> str:
        tests = " && ".join(f"({condition.text})" for condition in advance.conditions)
        head = (
            f"if {tests if tests.startswith('(') and len(advance.conditions) == 1 else f'({tests})'} " if tests else ""
        )
        return f"{head}{advance.variable.name} += {_factor(advance.step)} * {iterations};"

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        shared = plan.threads_per_index
        return replace(plan, threads_per_index=(shared[0], shared[1], shared[2] * self.chunks))


class _Places:
    """Elements of memory as a function of the loop's counter."""

    def __init__(self, analysis: Analysis, loop: Loop, advances: tuple[Advance, ...]) -> None:
        self._analysis = analysis
        self._loop = loop
        self._steps = {a.variable.unique: a.step for a in advances}
        self._varies = varies_in(analysis, loop.node)

    def differ(self, write: Access) -> bool:
        """Whether the element moves by the same stride with every iteration."""
        return any(self._moves(subscript) for subscript in write.subscripts or ())

    def equal(self, write: Access, other: Access) -> bool:
        """Whether `other` is the element that the same iteration writes."""
        if write.variable is not other.variable or write.subscripts is None or other.subscripts is None:
            return False
        pairs = zip(write.subscripts, other.subscripts, strict=False)
        return len(write.subscripts) == len(other.subscripts) and all(a.text == b.text for a, b in pairs)

    def _moves(self, subscript: Node) -> bool:
        form = self._analysis.forms.of(subscript)
        form = None if form is None else form.substitute(self._value)
        stride = None if form is None else form.coefficient(self._loop.atom)
        if form is None or stride is None or stride.is_zero:
            return False
        return not any(self._varies(name) for name in form.names - {self._loop.atom, *self._steps})

    def _value(self, atom: Atom) -> Poly | None:
        """An index that advances as a multiple of the counter, and a local of the iteration as what it is given."""
        if atom.name in self._steps:
            return Poly.atom(f"{atom.name}@start") + self._steps[atom.name] * Poly.atom(self._loop.atom)
        variable = next((v for v in self._analysis.scopes.variables if v.unique == atom.name), None)
        given = _only_value(self._analysis, self._loop, variable) if variable is not None else None
        form = self._analysis.forms.of(given) if given is not None else None
        return None if form is None or atom.name in form.names else form.substitute(self._value)


def _only_value(analysis: Analysis, loop: Loop, variable: Variable) -> Node | None:
    """The value that a local is given in every iteration, where it is written in one place of the loop alone."""
    places = [p for p in analysis.forms.write_places(variable) if loop.node.span.contains(p.span)]
    above = places[0].parent if len(places) == 1 else None
    return above.value if isinstance(above, Assign) and above.op == "=" and above.target is places[0] else None


def _guarded(write: Access, head: str) -> Edit:
    statement = write.node.parent.parent if write.node.parent is not None else None
    assert isinstance(statement, ExprStmt), "checked to be a plain store"
    inside = isinstance(statement.parent, Body)
    text = f"{head}{statement.text}"
    return Edit(statement.span, text if inside else f"{{ {text} }}")


def _factor(form: Poly) -> str:
    text = poly_text(form)
    return text if len(form.terms) == 1 else f"({text})"


def is_seen(access: Access) -> bool:
    """Whether a write reaches memory that other blocks see."""
    variable = access.variable
    if variable is None or not access.memory:
        return variable is None
    own = variable.kind == SHARED or (variable.kind == LOCAL and variable.is_array)
    return variable.is_pointer or not own


def _is_own(access: Access) -> bool:
    """Whether an access stays in the block's or the thread's own memory."""
    variable = access.variable
    return variable is not None and variable.kind in (LOCAL, SHARED) and variable.is_array
