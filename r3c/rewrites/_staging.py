"""What the rewrites that stage memory for a block of known shape share: conditions of a load, locals for another thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from r3c.core.candidate import LaunchShape
from r3c.core.dims import Dimension
from r3c.core.source import Edit, Source, Span
from r3c.rewrites._expressions import divides_integers
from r3c.rewrites._kernel import SHARED_BYTES_MAX, element_bytes, refuse_reshaping, shared_bytes
from r3c.rewrites._rewrite import Rewrite
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_nodes import bare, names_in
from r3c.tree.analysis_scopes import Variable
from r3c.tree.analysis_threads import may_reshape
from r3c.tree.analysis_types import is_integer_type
from r3c.tree.nodes import Assign, Binary, Index, Member, Name, Node, Paren, PostInc, Unary
from r3c.tree.regions import KernelRegion

VECTOR_TYPES = {"float2": 8, "float4": 16, "double2": 16, "int2": 8, "int4": 16}
AXES = ("x", "y")


@dataclass(frozen=True)
class Conjunct:
    """One condition that is known to hold (or not to) where something runs."""

    node: Node
    holds: bool

    @property
    def text(self) -> str:
        return self.node.text if self.holds else f"!({self.node.text})"


def conjuncts(analysis: Analysis, condition: Node, holds: bool) -> Iterator[Conjunct]:
    """The parts that a condition is made of, locals of type bool looked through."""
    condition = bare(condition)
    if isinstance(condition, Unary) and condition.op == "!":
        yield from conjuncts(analysis, condition.operand, not holds)
        return
    if isinstance(condition, Name):
        kept = analysis.threads.kept_condition(condition)
        if kept is not None:
            yield from conjuncts(analysis, kept, holds)
            return
    if isinstance(condition, Binary) and condition.op == ("&&" if holds else "||"):
        yield from conjuncts(analysis, condition.left, holds)
        yield from conjuncts(analysis, condition.right, holds)
        return
    yield Conjunct(condition, holds)


def known_inside(analysis: Analysis, node: Node, within: Span) -> list[Conjunct]:
    """Parts of the conditions in `within` that are settled wherever `node` runs."""
    out: list[Conjunct] = []
    for condition, holds in analysis.threads.known_conditions(node):
        if within.contains(condition.span):
            out += conjuncts(analysis, condition, holds)
    return out


def thread_axes(analysis: Analysis, node: Node) -> set[str]:
    """Axes along which the value of `node` differs between threads of a block."""
    out: set[str] = set()
    for inner in node.walk():
        if isinstance(inner, Member) and isinstance(inner.object, Name) and inner.object.text == "threadIdx":
            out.add(inner.member)
        variable = analysis.scopes.variable(inner) if isinstance(inner, Name) else None
        if variable is not None and analysis.forms.is_settled(variable) and variable.init is not None:
            out |= thread_axes(analysis, variable.init)
    return out


def settled_for(analysis: Analysis, nodes: list[Node], inside: Span | None = None) -> list[Variable]:
    """Settled locals that `nodes` use, directly or not, and that differ between threads or are declared `inside`."""
    found: dict[str, Variable] = {}
    waiting = list(nodes)
    while waiting:
        for name in names_in(waiting.pop()):
            variable = analysis.scopes.variable(name)
            if variable is None or variable.unique in found or not analysis.forms.is_settled(variable):
                continue
            declared = inside is not None and inside.contains(variable.node.span)
            if variable.init is not None and (declared or thread_axes(analysis, variable.init)):
                found[variable.unique] = variable
                waiting.append(variable.init)
    return sorted(found.values(), key=lambda v: v.node.span.start)


def is_made_of_settled(analysis: Analysis, node: Node, besides: set[str]) -> bool:
    """Whether `node` computes from thread indices, unchanging parameters, settled locals and those in `besides` alone."""
    effects = analysis.effects.of(node)
    if effects.unknown or effects.memory or not effects.is_pure or divides_integers(node, analysis):
        return False
    for name in names_in(node):
        variable = analysis.scopes.variable(name)
        if variable is None or variable.unique in besides:
            continue
        if variable.kind == "parameter":
            if analysis.forms.written(variable) or variable.is_reference:
                return False
        elif (
            not analysis.forms.is_settled(variable)
            or variable.init is None
            or not is_made_of_settled(analysis, variable.init, besides)
        ):
            return False
    return True


def for_thread(source: Source, node: Node, place: Mapping[str, str]) -> str:
    """Text of `node` with `threadIdx.x` and `threadIdx.y` replaced by `place["x"]` and `place["y"]`."""
    edits = []
    for inner in node.walk():
        if isinstance(inner, Member) and isinstance(inner.object, Name) and inner.object.text == "threadIdx":
            edits.append(Edit(inner.span, place.get(inner.member, inner.text)))
    start = node.span.start
    moved = [Edit(Span(e.span.start - start, e.span.end - start), e.text) for e in edits]
    return Source("", node.text).apply(moved).text


def shadows(source: Source, variables: list[Variable], place: Mapping[str, str]) -> list[str]:
    """Declarations that give settled locals the values they have in the thread at `place`."""
    out = []
    for variable in variables:
        assert variable.init is not None, "a settled local has an initialiser"
        kind = variable.type_text.replace("const ", "")
        out.append(f"const {kind} {variable.name} = {for_thread(source, variable.init, place)};")
    return out


def is_read_only_place(node: Index) -> bool:
    """Whether the element, or a member of it, is only read."""
    below: Node = node
    above = node.parent
    while isinstance(above, Paren | Member) and above.nodes[0] is below:
        below, above = above, above.parent
    if above is None or not above.nodes or above.nodes[0] is not below:
        return True
    if isinstance(above, Unary):
        return above.op not in ("&", "++", "--")
    return not isinstance(above, Assign | PostInc | Index)


def is_staged_type(kind: str) -> bool:
    return kind in ("float", "double") or kind in VECTOR_TYPES or is_integer_type(kind)


def refuse_block(rewrite: Rewrite, region: KernelRegion, x: int, y: int) -> None:
    """Refuses to launch the kernel with blocks of `x` x `y` threads, the shape that its new shared arrays have."""
    threads = analyse(region).threads
    used = threads.used_axes()
    if "z" in used:
        raise rewrite.refuse(region, region.function, "the kernel uses the z axis")
    if ("y" in used) != (y > 1) or x < 1 or not 1 <= x * y <= 1024:
        raise rewrite.refuse(region, region.function, f"{x} x {y} threads do not fit the axes that the kernel uses")
    together = threads.cooperation()
    if together is not None:
        raise rewrite.refuse(region, together.node, together.why)
    for axis in AXES[: 2 if y > 1 else 1]:
        if may_reshape(region.contract.geometry, threads, axis) is not None:
            refuse_reshaping(rewrite, region, axis)


def block_dimensions(given: tuple[Dimension, ...], region: KernelRegion) -> tuple[Dimension, ...]:
    """Dimensions `x` and `y` with the values that make sense for the axes which the kernel uses."""
    flat = "y" not in analyse(region).threads.used_axes()
    out = []
    for dimension in given:
        values = dimension.values
        if dimension.name in AXES:
            wide = [v for v in values if isinstance(v, int) and v >= 64]
            narrow = [v for v in values if isinstance(v, int) and 1 < v <= 32]
            values = (1,) if flat and dimension.name == "y" else tuple(wide if flat else narrow)
        out.append(replace(dimension, values=values, default=values[0]))
    return tuple(out)


def refuse_launch(rewrite: Rewrite, region: KernelRegion, launch: LaunchShape | None, wanted: LaunchShape) -> None:
    """Refuses a candidate whose later steps launch another shape than the shared arrays were made for."""
    if launch is not None and launch != wanted:
        raise rewrite.refuse(region, region.function, f"its shared arrays are for blocks of {wanted}, not {launch}")


def refuse_too_large(rewrite: Rewrite, region: KernelRegion, place: Node, new_bytes: int) -> None:
    """Refuses more static shared memory than a block can have."""
    if shared_bytes(region) + new_bytes > SHARED_BYTES_MAX:
        raise rewrite.refuse(region, place, f"{new_bytes} bytes more of shared memory are more than a block can have")


def bytes_of(kind: str) -> int:
    return VECTOR_TYPES.get(kind) or element_bytes(kind)
