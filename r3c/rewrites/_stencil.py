"""Loads at fixed distances from each other that the threads of a block make: which they are, where, under which check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from r3c.rewrites._staging import AXES, Conjunct, is_made_of_settled, known_inside, settled_for, thread_axes
from r3c.rewrites._text import operand
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_loops import Loop, own_jumps
from r3c.tree.analysis_poly import Poly
from r3c.tree.analysis_threads import global_index
from r3c.tree.nodes import Binary, Do, For, If, Index, Lambda, Node, Return, Switch, While
from r3c.tree.regions import KernelRegion

_TURNED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True)
class Offset:
    """Where a load lies next to the thread's own element along one axis: `base`, `text` added to it, range of the sum."""

    text: str = ""
    base: int = 0
    low: int = 0
    high: int = 0

    def plus(self, text: str, low: int, high: int) -> Offset:
        base = self.base if text else self.base + low
        return Offset(self.text + text, base, self.low + low, self.high + high)

    def subscript(self, axis: str, first: int) -> str:
        """Subscript in a tile whose first element has the offset `first`."""
        base = self.base - first
        return f"[threadIdx.{axis}{f' + {base}' if base > 0 else f' - {-base}' if base else ''}{self.text}]"


@dataclass(frozen=True)
class Range:
    """Bounds, as text, between which a thread's own index along an axis lies where it reads."""

    low: tuple[str, ...] = ()
    high: tuple[str, ...] = ()


@dataclass(frozen=True)
class Load:
    node: Index
    offset: Mapping[str, Offset]


@dataclass(frozen=True)
class Stencil:
    """Loads at fixed distances from the first of them, with the range of threads that make them."""

    loads: list[Load]
    ranges: Mapping[str, Range]

    @property
    def first(self) -> Load:
        return self.loads[0]

    def extent(self, axis: str) -> tuple[int, int]:
        return min(x.offset[axis].low for x in self.loads), max(x.offset[axis].high for x in self.loads)

    def bands(self) -> list[dict[str, tuple[int, int]]]:
        """Rectangles of offsets that together hold what is read; rows of equal width that touch are one."""
        rows: dict[int, tuple[int, int]] = {}
        for load in self.loads:
            x, y = load.offset["x"], load.offset["y"]
            for row in range(y.low, y.high + 1):
                low, high = rows.get(row, (x.low, x.high))
                rows[row] = (min(low, x.low), max(high, x.high))
        out: list[dict[str, tuple[int, int]]] = []
        for row, width in sorted(rows.items()):
            if out and out[-1]["x"] == width and out[-1]["y"][1] == row - 1:
                out[-1]["y"] = (out[-1]["y"][0], row)
            else:
                out.append({"x": width, "y": (row, row)})
        return out

    @classmethod
    def find(cls, region: KernelRegion, uses: list[Index], two: bool) -> Stencil | None:
        """The largest set of `uses` that can be staged together."""
        groups: dict[str, tuple[list[Index], Mapping[str, Range]]] = {}
        for use in uses:
            ranges = _ranges(region, use, two) if _runs_whenever_known(analyse(region), use) else None
            if ranges is not None:
                groups.setdefault(repr(ranges), ([], ranges))[0].append(use)
        best: Stencil | None = None
        for nodes, ranges in groups.values():
            loads = _relative(region, nodes, two)
            wide = any(o.low != o.high for load in loads for o in load.offset.values())
            if (len(loads) > 1 or wide) and (best is None or len(loads) > len(best.loads)):
                best = cls(loads, ranges)
        return best


def _runs_whenever_known(analysis: Analysis, use: Index) -> bool:
    """Whether `use` is evaluated by every thread for which the conditions that are known there hold."""
    for above in use.ancestors():
        if isinstance(above, For):
            loop = analysis.loops.read(above)
            if not isinstance(loop, Loop) or not loop.trip or own_jumps(above):
                return False
        elif isinstance(above, Switch | While | Do | Lambda):
            return False
    around = set(map(id, use.ancestors()))
    for node in analysis.noted("returns", lambda: analysis.function.find_all(Return)):
        if node.start < use.start:
            exit_ = node.parent if isinstance(node.parent, If) else node.parent.parent if node.parent else None
            plain = isinstance(exit_, If) and exit_.otherwise is None and id(exit_.parent) in around
            alone = isinstance(node.parent, If) or (node.parent is not None and len(node.parent.nodes) == 1)
            if not (plain and alone):
                return False
    return True


def _ranges(region: KernelRegion, use: Index, two: bool) -> Mapping[str, Range] | None:
    """Bounds of the indices of the threads that evaluate `use`; None where a condition is of another form."""
    analysis = analyse(region)
    found: dict[str, Range] = {axis: Range() for axis in AXES}
    for part in known_inside(analysis, use, region.function.span):
        loop = part.node.parent
        while loop is not None and not isinstance(loop, For):
            loop = loop.parent
        counts = isinstance(loop, For) and loop.cond is not None and loop.cond.span.contains(part.node.span)
        if counts and not thread_axes(analysis, part.node):
            continue
        bound = _bound_of(analysis, part)
        if bound is None or (bound[0] == "y" and not two):
            return None
        axis, is_low, text = bound
        old = found[axis]
        found[axis] = replace(old, low=(*old.low, text)) if is_low else replace(old, high=(*old.high, text))
    return found


def _bound_of(analysis: Analysis, part: Conjunct) -> tuple[str, bool, str] | None:
    """Axis, whether it is a lower bound, and text of the bound that a condition puts on an index."""
    node = part.node
    if not isinstance(node, Binary) or node.op not in _TURNED:
        return None
    compare = node.op if part.holds else _TURNED[node.op]
    for own, other, op in ((node.left, node.right, compare), (node.right, node.left, _FLIPPED[compare])):
        form = analysis.threads.global_form(own)
        if form is None:
            continue
        for axis in AXES:
            rest = form - Poly.atom(global_index(axis))
            if rest.value is None or thread_axes(analysis, other) or analysis.types.of(other) != "int":
                continue
            if analysis.types.of(own) != "int" or not is_made_of_settled(analysis, other, set()):
                continue
            if settled_for(analysis, [other], analysis.function.span):
                continue
            shift = -rest.value + {"<": -1, ">": 1}.get(op, 0)
            value = analysis.forms.value(other)
            text = str(value + shift) if value is not None else plus(operand(other.text, other), shift)
            return axis, op in (">", ">="), text
    return None


def _relative(region: KernelRegion, nodes: list[Index], two: bool) -> list[Load]:
    """Those of `nodes` at a fixed distance from the first that lies on the thread's own row and column."""
    analysis = analyse(region)
    origin: Poly | None = None
    out: list[Load] = []
    for node in nodes:
        form = analysis.threads.global_form(node.index)
        if form is None or form.coefficient(global_index("x")) != Poly.constant(1):
            continue
        row = form.coefficient(global_index("y"))
        if two and (row is None or row.is_zero or any("Idx" in name for name in row.names)):
            continue
        counters = counters_around(analysis, node)
        if origin is None:
            if not is_made_of_settled(analysis, node.index, set(counters)):
                continue
            origin = form.substitute(lambda atom: _at_start(analysis, counters.get(atom.name)))  # noqa: B023 - used at once
        offset = _offsets(analysis, node, form - origin, row if two and row is not None else Poly())
        if offset is not None:
            out.append(Load(node, offset))
    return out


def _at_start(analysis: Analysis, loop: Loop | None) -> Poly | None:
    return analysis.forms.of(loop.start) if loop is not None else None


def _offsets(analysis: Analysis, node: Index, difference: Poly, row: Poly) -> Mapping[str, Offset] | None:
    """The difference of two forms as steps along x and rows along y."""
    out = {axis: Offset() for axis in AXES}
    counters = counters_around(analysis, node)
    pieces = {"": difference}
    for loop in counters.values():
        factor = pieces[""].coefficient(loop.atom)
        if factor is None:
            return None
        pieces[loop.atom] = factor
        pieces[""] = pieces[""].without(loop.atom)
    for atom, factor in pieces.items():
        rows = 0 if row.is_zero else _rows_in(factor, row)
        rest = factor - row * Poly.constant(rows)
        if rest.value is None:
            return None
        for axis, times in (("x", rest.value), ("y", rows)):
            if not times:
                continue
            if not atom:
                out[axis] = out[axis].plus("", times, times)
                continue
            loop = counters[atom]
            low, high = analysis.forms.value(loop.start), loop.trip
            if low is None or not high or loop.step is None:
                return None
            ends = sorted((times * low, times * (low + loop.step * (high - 1))))
            name = loop.counter.name if abs(times) == 1 else f"{abs(times)} * {loop.counter.name}"
            out[axis] = out[axis].plus(f" {'+' if times > 0 else '-'} {name}", ends[0], ends[1])
    return out


def _rows_in(factor: Poly, row: Poly) -> int:
    """How many rows `factor` holds, the rest being as short as it can be."""
    length, value = row.value, factor.value
    if length is not None:
        return 0 if value is None or not length else round(value / length)
    monomial, own = row.terms[0]
    found = dict(factor.terms).get(monomial, 0)
    return found // own if own and found % own == 0 else 0


def counters_around(analysis: Analysis, node: Node) -> dict[str, Loop]:
    """Counted loops around `node` by the atoms of their counters."""
    found = [analysis.loops.read(above) for above in node.ancestors() if isinstance(above, For)]
    return {loop.atom: loop for loop in found if isinstance(loop, Loop)}


def plus(text: str, amount: int) -> str:
    return text if not amount else f"{text} {'+' if amount > 0 else '-'} {abs(amount)}"
