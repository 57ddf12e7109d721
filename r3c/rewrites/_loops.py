"""What the rewrites of loops share: finding the loop of a site, and the refusals that are the same for all of them."""

from __future__ import annotations

from r3c.core.errors import RewriteRefused
from r3c.rewrites._rewrite import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop, NotCounted, own_jumps
from r3c.tree.analysis_nodes import names_in
from r3c.tree.analysis_types import canonical_type, is_integer_type, is_unsigned_type
from r3c.tree.nodes import Call, For, Goto, Label, Node, PpBefore, PpLine, Return
from r3c.tree.regions import KernelRegion


def loop_sites(region: KernelRegion) -> list[str]:
    """Paths of the `for` loops, in source order."""
    found = [
        (node.span.start, path) for path, node in region.sites.items() if isinstance(node, For) and "/loop:" in path
    ]
    return [path for _, path in sorted(found)]


def any_for(rewrite: Rewrite, region: KernelRegion) -> For:
    """The `for` loop at the step's site, whatever is in it."""
    node = region.sites[rewrite.site]
    if not isinstance(node, For):
        raise rewrite.refuse(region, node, "this site is not a for loop")
    return node


def for_at(rewrite: Rewrite, region: KernelRegion) -> For:
    """The `for` loop at the step's site, without anything in it that cannot be read."""
    node = any_for(rewrite, region)
    refuse_tainted(rewrite, region, node)
    return node


def refuse_tainted(rewrite: Rewrite, region: KernelRegion, node: Node) -> None:
    """Refuses code with preprocessor conditionals, macros that are statements, labels and whatever was not understood."""
    found = analyse(region).noted(("tainted", id(node)), lambda: _taint(region, node))
    if found is not None:
        raise rewrite.refuse(region, *found)


def _taint(region: KernelRegion, node: Node) -> tuple[Node, str] | None:
    for inner in node.walk():
        if isinstance(inner, Label | Goto):
            return inner, "there is a label or goto here"
    if node.tainted:
        return node, f"this cannot be moved or copied safely: {node.tainted}"
    outside = analyse(region).outside
    for name in names_in(node):
        called = isinstance(name.parent, Call) and name.parent.callee is name
        if outside.hides_call(name.text) if called else outside.hides(name.text):
            return name, f"macro {name.text} may use names that would change here"
    return None


def counted(rewrite: Rewrite, region: KernelRegion) -> Loop:
    """The counted loop at the step's site.

    Raises:
        RewriteRefused: it is none; the place is what keeps it from being one.
    """
    node = for_at(rewrite, region)
    loop = analyse(region).loops.read(node)
    if isinstance(loop, NotCounted):
        raise rewrite.refuse(region, loop.node, loop.why)
    return loop


def refuse_jumps(rewrite: Rewrite, region: KernelRegion, loop: Loop, allow_return: bool = False) -> None:
    """Refuses a body that leaves an iteration early."""
    for jump in own_jumps(loop.node):
        if isinstance(jump, Return) and allow_return:
            continue
        raise rewrite.refuse(
            region, jump, f"the loop body leaves early with `{jump.text.split(None, 1)[0].rstrip(';')}`"
        )


def pragma_before(loop: Node) -> Node | None:
    """The `#pragma` line directly above a loop."""
    above = loop.parent
    if isinstance(above, PpBefore):
        return above if above.line.split()[:1] == ["#pragma"] else None
    siblings = above.nodes if above is not None else []
    place = next((i for i, node in enumerate(siblings) if node is loop), 0)
    before = siblings[place - 1] if place else None
    return before if isinstance(before, PpLine) and before.text.split()[:1] == ["#pragma"] else None


def refuse_pragma(rewrite: Rewrite, region: KernelRegion, loop: Loop) -> None:
    """Refuses a loop with a `#pragma` above it, which would belong to something else afterwards."""
    refuse_pragma_of(rewrite, region, loop.node)


def refuse_pragma_of(rewrite: Rewrite, region: KernelRegion, node: For) -> None:
    if pragma_before(node) is not None:
        raise rewrite.refuse(region, node, "a pragma belongs to the loop")


def constant_step(rewrite: Rewrite, region: KernelRegion, loop: Loop) -> int:
    """The loop's step, for rewrites that compute with it."""
    if loop.step is None:
        raise rewrite.refuse(region, loop.step_node or loop.node, "its step is not a constant")
    return loop.step


def upward(rewrite: Rewrite, region: KernelRegion, loop: Loop) -> int:
    """The step of a loop that counts up to `<` or `<=` a bound."""
    step = constant_step(rewrite, region, loop)
    if step < 0 or not loop.is_upward:
        raise rewrite.refuse(region, loop.node.cond or loop.node, "it does not count up to a bound with < or <=")
    return step


def counter_type(rewrite: Rewrite, region: KernelRegion, loop: Loop) -> str:
    """Type of the counter as written, an integer type."""
    kind = canonical_type(loop.counter.base_type)
    if not is_integer_type(kind):
        raise rewrite.refuse(region, loop.node.init or loop.node, f"its counter has type `{kind}`, not an integer type")
    return kind


def declared_counter(rewrite: Rewrite, region: KernelRegion, loop: Loop) -> None:
    """Refuses a loop whose counter lives on after it."""
    if not loop.declares:
        why = f"its counter `{loop.counter.name}` is declared outside the loop and may be used after it"
        raise rewrite.refuse(region, loop.node.init or loop.node, why)


def simple_loop(rewrite: Rewrite, region: KernelRegion, allow_return: bool = False) -> tuple[Loop, int]:
    """The loop at the step's site and its step, if it counts up with an integer of its own and runs every iteration whole.

    Raises:
        RewriteRefused: it does not; the place is the first obstacle.
    """
    loop = counted(rewrite, region)
    step = upward(rewrite, region, loop)
    counter_type(rewrite, region, loop)
    declared_counter(rewrite, region, loop)
    refuse_jumps(rewrite, region, loop, allow_return)
    return loop, step


def refuse_unordered_bounds(rewrite: Rewrite, region: KernelRegion, loop: Loop) -> None:
    """Refuses a loop of which `starts_below` is not known."""
    if not starts_below(region, loop):
        raise rewrite.refuse(
            region, loop.bound, "the bound may lie below the start, and the types are not known to be signed"
        )


def starts_below(region: KernelRegion, loop: Loop) -> bool:
    """Whether `bound - start` can be computed without wrapping: both signed, or the start is zero."""
    analysis = analyse(region)
    if analysis.forms.value(loop.start) == 0:
        return True
    kinds = [canonical_type(loop.counter.base_type), analysis.types.of(loop.bound), analysis.types.of(loop.start)]
    return all(is_integer_type(kind) and not is_unsigned_type(kind) for kind in kinds)


__all__ = [
    "RewriteRefused",
    "any_for",
    "constant_step",
    "counted",
    "counter_type",
    "declared_counter",
    "for_at",
    "loop_sites",
    "pragma_before",
    "refuse_jumps",
    "refuse_pragma",
    "refuse_pragma_of",
    "refuse_tainted",
    "refuse_unordered_bounds",
    "simple_loop",
    "starts_below",
    "upward",
]
