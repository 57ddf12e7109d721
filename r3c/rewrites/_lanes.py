"""A loop whose iterations are dealt out to the lanes of a warp, or of a part of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import place_before
from r3c.rewrites._loops import counter_type, declared_counter, refuse_jumps, upward
from r3c.rewrites._order import EXTREMES, conflicts_between, refuse_carried_scalars
from r3c.rewrites._rewrite import Rewrite
from r3c.rewrites._text import operand
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop, NotCounted, own_jumps
from r3c.tree.analysis_nodes import call_name
from r3c.tree.analysis_scopes import Variable
from r3c.tree.nodes import Body, Call, Continue, For, Name
from r3c.tree.regions import KernelRegion

SHUFFLED = frozenset(("float", "double", "int", "unsigned int", "unsigned", "long long", "unsigned long long"))
_START = {"+": "0", "^": "0", "*": "1"}


@dataclass(frozen=True)
class LaneSum:
    """One value that the lanes fold together; `name` is the part of one lane."""

    variable: Variable
    operator: str
    function: str
    name: str
    mask: str
    lanes: int

    @property
    def identity(self) -> str:
        return _START.get(self.operator, self.variable.name)

    def joined(self) -> list[str]:
        """Statements after the loop that give every lane the whole value."""
        other = f"__shfl_xor_sync({self.mask}, {self.name}, apart)"
        folded = (
            f"{self.name} = {self.function}({self.name}, {other})"
            if self.function
            else f"{self.name} {self.operator}= {other}"
        )
        end = (
            f"{self.variable.name} {self.operator}= {self.name};"
            if self.operator in _START
            else f"{self.variable.name} = {self.name};"
        )
        return [f"for (int apart = {self.lanes // 2}; apart > 0; apart /= 2) {folded};", end]


@dataclass(frozen=True)
class LaneLoop:
    """A loop that can be dealt out, with what has to be done around it."""

    region: KernelRegion
    loop: Loop
    step: int
    sums: tuple[LaneSum, ...]
    writes: bool
    place: Span
    lanes: int

    def head_edits(self, lane: str) -> Iterator[Edit]:
        """Start at the lane's own iteration, go on by as many as there are lanes; the sums become the lane's own."""
        loop, scopes = self.loop, analyse(self.region).scopes
        offset = lane if self.step == 1 else f"{lane} * {self.step}"
        yield Edit(loop.start.span, f"{operand(loop.start.text, loop.start)} + {offset}")
        assert loop.node.step is not None, "a counted loop has a step"
        yield Edit(loop.node.step.span, f"{loop.counter.name} += {self.lanes * self.step}")
        for found in self.sums:
            for use in scopes.uses_in(found.variable, loop.body):
                yield Edit(use.span, found.name)


def lane_loop(rewrite: Rewrite, region: KernelRegion, node: For, lanes: int, mask: str) -> LaneLoop:
    """The loop at `node` dealt out to groups of `lanes`; `mask` is the text of the lanes that work together.

    Raises:
        RewriteRefused: its iterations hand something on, leave early or may meet.
    """
    loop = _counted(rewrite, region, node)
    analysis = analyse(region)
    step = upward(rewrite, region, loop)
    counter_type(rewrite, region, loop)
    declared_counter(rewrite, region, loop)
    for jump in own_jumps(node):
        if not isinstance(jump, Continue):
            refuse_jumps(rewrite, region, loop)
    effects = analysis.effects.of(loop.body)
    for access in effects.memory_writes:
        own = access.variable is not None and access.variable.is_array and access.variable.kind == "local"
        if own and access.variable is not None and not node.span.contains(access.variable.node.span):
            raise rewrite.refuse(
                region, access.node, f"`{access.variable.name}` is written here and kept by each lane alone"
            )
    plain = [a for a in effects.memory if not a.atomic]
    for conflict in conflicts_between(analysis, plain, plain, loop):
        if conflict.distance != 0:
            raise rewrite.refuse(region, conflict.second.node, "two iterations may meet here")
    carried = refuse_carried_scalars(rewrite, region, loop)
    sums = tuple(_sum(rewrite, region, loop, v, op, lanes, mask) for v, op in carried.items())
    place = place_before(rewrite, region, node)[0] if sums else Span(node.span.start, node.span.start)
    writes = bool(effects.memory_writes)
    if (sums or writes) and not isinstance(node.parent, Body):
        raise rewrite.refuse(region, node, "it stands without braces, so nothing can follow it")
    return LaneLoop(region, loop, step, sums, writes, place, lanes)


def _counted(rewrite: Rewrite, region: KernelRegion, node: For) -> Loop:
    loop = analyse(region).loops.read(node)
    if isinstance(loop, NotCounted):
        raise rewrite.refuse(region, loop.node, loop.why)
    return loop


def _sum(
    rewrite: Rewrite, region: KernelRegion, loop: Loop, variable: Variable, operator: str, lanes: int, mask: str
) -> LaneSum:
    if variable.base_type not in SHUFFLED:
        raise rewrite.refuse(
            region, variable.node, f"values of type `{variable.base_type}` are not exchanged between lanes"
        )
    function = ""
    if operator in ("min", "max"):
        function = _function(analyse(region).scopes.uses_in(variable, loop.body))
    name = analyse(region).scopes.fresh(f"{variable.name}_lane")
    return LaneSum(variable, operator, function, name, mask, lanes)


def _function(uses: list[Name]) -> str:
    """Name of the function that folds, as the source spells it."""
    for use in uses:
        for above in use.ancestors():
            if isinstance(above, Call) and call_name(above) in EXTREMES:
                return call_name(above)
    return ""
