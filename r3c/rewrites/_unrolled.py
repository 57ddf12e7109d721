"""Text of unrolled loops: the head of the main loop, copies of the body, the loop for the rest."""

from __future__ import annotations

from collections.abc import Sequence

from r3c.core.source import Span
from r3c.rewrites._text import operand
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_scopes import Variable
from r3c.tree.nodes import Index
from r3c.tree.regions import KernelRegion


def main_head(region: KernelRegion, loop: Loop, step: int, factor: int) -> str:
    """Head of a loop whose body holds `factor` iterations."""
    source, name = region.source, loop.counter.name
    start, bound = source.slice(loop.start.span), source.slice(loop.bound.span)
    condition = f"{name} + {step * (factor - 1)} {loop.compare} {bound}"
    return f"for ({loop.counter.type_text} {name} = {start}; {condition}; {name} += {step * factor})"


def counter_changes(region: KernelRegion, loop: Loop, offset: int) -> list[tuple[Span, str]]:
    """Changes that make the body that of the iteration `offset` further on."""
    if not offset:
        return []
    name = loop.counter.name
    out = []
    for use in analyse(region).scopes.uses_in(loop.counter, loop.body):
        alone = isinstance(use.parent, Index) and use.parent.index is use
        out.append((use.span, f"{name} + {offset}" if alone else f"({name} + {offset})"))
    return out


def copy_names(region: KernelRegion, own: Sequence[Variable], factor: int) -> list[dict[Variable, str]]:
    """New names of the variables `own` in each of `factor` copies, no name twice; the first copy keeps the old ones."""
    scopes = analyse(region).scopes
    taken: set[str] = set()
    out: list[dict[Variable, str]] = [{} for _ in range(factor)]
    for variable in own:
        for index in range(1, factor):
            name = scopes.fresh(f"{variable.name}_{index}", taken)
            taken.add(name)
            out[index][variable] = name
    return out


def rest_loop(region: KernelRegion, loop: Loop, step: int, factor: int) -> str:
    """The loop over the iterations that do not fill a group of `factor`, indented like the loop."""
    source, name = region.source, loop.counter.name
    bound = source.slice(loop.bound.span)
    by = source.slice(loop.node.step.span) if loop.node.step else ""
    head = f"for ({loop.counter.type_text} {name} = {rest_start(region, loop, step, factor)}; {name} {loop.compare} {bound}; {by}) "
    return head + source.slice(loop.body.span)


def rest_start(region: KernelRegion, loop: Loop, step: int, factor: int) -> str:
    """Text of the counter's first value that the main loop leaves."""
    source = region.source
    high, low = operand(source.slice(loop.bound.span), loop.bound), operand(source.slice(loop.start.span), loop.start)
    zero = analyse(region).forms.value(loop.start) == 0
    extra = step - 1 + (1 if loop.compare == "<=" else 0)
    distance = high if zero else f"{high} - {low}"
    if extra or not zero:
        distance = f"({distance} + {extra})" if extra else f"({distance})"
    stride = step * factor
    begin = f"{distance} / {stride} * {stride}"
    return begin if zero else f"{low} + {begin}"


def needs_rest(loop: Loop, factor: int) -> bool:
    return loop.trip is None or loop.trip % factor != 0
