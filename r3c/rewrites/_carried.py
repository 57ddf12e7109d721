"""What the iterations of a loop hand on that is forgotten after a few of them: indices that advance, shift registers.

A shift register is a chain of scalars, or an array in which copies go in one direction only, filled anew in every
iteration: after as many iterations as the chain is long nothing in it depends on what was there before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from r3c.rewrites._expressions import key
from r3c.rewrites._order import varies_in
from r3c.rewrites._rewrite import Rewrite
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_effects import Access
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_nodes import bare, names_in
from r3c.tree.analysis_poly import Poly
from r3c.tree.analysis_scopes import LOCAL, SHARED, Variable
from r3c.tree.analysis_types import canonical_type, is_integer_type
from r3c.tree.nodes import Assign, Binary, If, Index, InitDeclarator, Name, Node, Switch, Ternary
from r3c.tree.nodes import Loop as AnyLoop
from r3c.tree.regions import KernelRegion

Condition = tuple[str, bool]


@dataclass(frozen=True)
class Advance:
    """A local that every iteration changes by the same amount, under a condition that stays the same."""

    variable: Variable
    conditions: tuple[Node, ...]
    step: Poly


@dataclass(frozen=True)
class Carried:
    """What a loop hands on.

    Attributes:
        depth: iterations after which nothing depends on the values before the loop.
        late: of the last iterations, how many may leave a value as the one before them did.
        advances: indices, whose value at any iteration is known.
    """

    depth: int = 0
    late: int = 0
    advances: tuple[Advance, ...] = ()


@dataclass
class _Written:
    """A carried scalar or array: the values put into it, and where."""

    variable: Variable
    writes: list[tuple[Node, Node]] = field(default_factory=list)  # place, value


def carried_state(rewrite: Rewrite, region: KernelRegion, loop: Loop) -> Carried:
    """What the iterations of `loop` hand on.

    Raises:
        RewriteRefused: something that depends on every iteration before, or is not known to be forgotten.
    """
    return _Reader(rewrite, region, loop).read()


class _Reader:
    def __init__(self, rewrite: Rewrite, region: KernelRegion, loop: Loop) -> None:
        self.rewrite, self.region, self.loop = rewrite, region, loop
        self.analysis: Analysis = analyse(region)
        self.effects = self.analysis.effects.of(loop.body)
        self.varies = varies_in(self.analysis, loop.node)
        self.late = 0

    def read(self) -> Carried:
        advances, kept = [], []
        for variable, accesses in self._written_outside().items():
            if any(use.start >= self.loop.node.end for use in self.analysis.scopes.uses(variable)):
                raise self._refuse(accesses[0].node, f"`{variable.name}` is used after the loop")
            if variable.is_scalar and self._is_set_before_use(variable):
                continue
            advance = self._advance(variable, accesses) if variable.is_scalar else None
            if advance is not None:
                advances.append(advance)
            else:
                kept.append(self._kept(variable, accesses))
        depths = self._depths({one.variable: one for one in kept})
        self._refuse_decisions({one.variable for one in kept})
        return Carried(max(depths.values(), default=0), self.late, tuple(advances))

    def _refuse(self, node: Node, why: str) -> Exception:
        return self.rewrite.refuse(self.region, node, why)

    def _written_outside(self) -> dict[Variable, list[Access]]:
        """Locals and shared variables that live longer than an iteration, with the places that write them."""
        out: dict[Variable, list[Access]] = {}
        for access in self.effects.accesses:
            variable = access.variable
            if variable is None or not access.writes or variable.kind not in (LOCAL, SHARED):
                continue
            if variable.is_pointer or variable.is_reference:
                if not access.memory:
                    raise self._refuse(access.node, f"pointer `{variable.name}` is handed on")
                continue
            inside = self.loop.node.span.contains(variable.node.span) and variable.kind == LOCAL
            if not inside and not variable.is_static:
                out.setdefault(variable, []).append(access)
        return dict(sorted(out.items(), key=lambda item: item[0].node.start))

    # --- scalars that are written before they are read ---------------------------------------------------------------

    def _is_set_before_use(self, variable: Variable) -> bool:
        accesses = [a for a in self.effects.accesses if a.variable is variable]
        if any(a.reads and a.writes for a in accesses):
            return False
        places = [a.node for a in accesses if a.writes and not self._in_inner_loop(a.node)]
        writes = [(_whole(place).end, self.conditions(place)) for place in places]
        for access in (a for a in accesses if a.reads):
            before = _merged({conditions for end, conditions in writes if end <= access.node.start})
            if not any(conditions <= self.conditions(access.node) for conditions in before):
                return False
        return True

    def conditions(self, node: Node) -> frozenset[Condition]:
        """Conditions around `node` in the loop, equal ones that cannot change in an iteration by their text."""
        return frozenset((self._name_of(condition), holds) for condition, holds in self._around(node))

    def _around(self, node: Node) -> Iterator[tuple[Node, bool]]:
        below = node
        for above in node.ancestors():
            if above is self.loop.node:
                return
            if isinstance(above, If) and below is not above.cond:
                yield above.cond, below is above.then
            elif isinstance(above, Ternary) and below is not above.nodes[0]:
                yield above.nodes[0], below is above.nodes[1]
            elif isinstance(above, Binary) and above.op in ("&&", "||") and below is above.right:
                yield above.left, above.op == "&&"
            elif isinstance(above, Switch):
                yield above, True
            below = above

    def _name_of(self, condition: Node) -> str:
        if self._is_steady(condition) or self._compares_counter(condition):
            return key(bare(condition), self.analysis)
        return f"@{condition.start}"

    def _is_steady(self, node: Node) -> bool:
        """Whether `node` has the same value in every iteration."""
        effects = self.analysis.effects.of(node)
        if not effects.is_pure or effects.memory:
            return False
        variables = [self.analysis.scopes.variable(name) for name in names_in(node)]
        return not any(v is not None and self.varies(v.unique) for v in variables)

    def _compares_counter(self, node: Node) -> bool:
        variables = {v for v in map(self.analysis.scopes.variable, names_in(node)) if v is not None}
        others = variables - {self.loop.counter}
        return self.analysis.effects.of(node).is_pure and not any(self.varies(v.unique) for v in others)

    def _in_inner_loop(self, node: Node) -> bool:
        above = next((a for a in node.ancestors() if isinstance(a, AnyLoop)), None)
        return above is not self.loop.node

    # --- indices ----------------------------------------------------------------------------------------------------

    def _advance(self, variable: Variable, accesses: list[Access]) -> Advance | None:
        if not is_integer_type(canonical_type(variable.base_type)) or len(accesses) != 1:
            return None
        place = accesses[0].node
        assign = place.parent
        if not isinstance(assign, Assign) or assign.target is not place or self._in_inner_loop(place):
            return None
        value, own = self.analysis.forms.of(assign.value), Poly.atom(variable.unique)
        if value is None or assign.op not in ("=", "+=", "-="):
            return None
        step = value - own if assign.op == "=" else value if assign.op == "+=" else -value
        around = list(self._around(assign))
        if any(self.varies(name) for name in step.names) or any(a.args for a in step.atoms()):
            return None
        if not all(holds and self._is_steady(condition) for condition, holds in around):
            return None
        return Advance(variable, tuple(condition for condition, _ in around), step)

    # --- shift registers --------------------------------------------------------------------------------------------

    def _kept(self, variable: Variable, accesses: list[Access]) -> _Written:
        if is_integer_type(canonical_type(variable.base_type)):
            raise self._refuse(accesses[0].node, f"`{variable.name}` is handed from one iteration to the next")
        out = _Written(variable)
        for access in accesses:
            value = _value_put(access.node)
            if value is None or (variable.is_array and access.subscripts is None):
                raise self._refuse(access.node, f"`{variable.name}` is handed from one iteration to the next")
            for condition, holds in self._around(access.node):
                self._check_condition(variable, condition, holds)
            self._check_place(variable, access)
            out.writes.append((access.node, value))
        return out

    def _check_condition(self, variable: Variable, condition: Node, holds: bool) -> None:
        if self._is_steady(condition):
            return
        test, late = bare(condition), None
        if (
            holds
            and isinstance(test, Binary)
            and test.op == "<"
            and _means(self.analysis, test.left, self.loop.counter)
        ):
            bounds = [self.analysis.forms.of(self.loop.bound), self.analysis.forms.of(test.right)]
            if bounds[0] is not None and bounds[1] is not None:
                late = (bounds[0] - bounds[1]).value
        if late is None or not 0 <= late <= 4:
            raise self._refuse(condition, f"not every iteration writes `{variable.name}`")
        self.late = max(self.late, late)

    def _check_place(self, variable: Variable, access: Access) -> None:
        """Every iteration writes the same elements."""
        for subscript in access.subscripts or ():
            form = self.analysis.forms.of(subscript)
            allowed = {loop.unique for loop in self._inner_counters(access.node)}
            if form is None or any(self.varies(name) for name in form.names - allowed):
                raise self._refuse(subscript, f"other iterations write other elements of `{variable.name}`")

    def _inner_counters(self, node: Node) -> Iterator[Variable]:
        """Counters of the loops between the loop and `node` that run the same way in every iteration."""
        for above in node.ancestors():
            if above is self.loop.node:
                return
            if isinstance(above, AnyLoop):
                inner = self.analysis.loops.read(above)
                if not isinstance(inner, type(self.loop)) or not inner.declares:
                    raise self._refuse(above, "this loop is no counted loop")
                if not (self._is_steady(inner.start) and self._is_steady(inner.bound)):
                    raise self._refuse(above, "this loop runs otherwise in other iterations")
                yield inner.counter

    @cached_property
    def _assigned(self) -> dict[Variable, list[Node]]:
        """Values given to each scalar in the loop."""
        out: dict[Variable, list[Node]] = {}
        for node in self.loop.body.walk():
            target = bare(node.target) if isinstance(node, Assign) else None
            variable = self.analysis.scopes.variable(target) if target is not None else None
            if isinstance(node, Assign) and variable is not None:
                out.setdefault(variable, []).append(node.value)
            elif isinstance(node, InitDeclarator) and node.init is not None:
                declared = self.analysis.scopes.declared_by(node)
                if declared is not None:
                    out.setdefault(declared, []).append(node.init)
        return out

    def sources(self, value: Node, kept: set[Variable], seen: frozenset[Variable] = frozenset()) -> Iterator[Node]:
        """Reads of the variables `kept` that `value` is made of, also through scalars of the iteration."""
        for name in names_in(value):
            variable = self.analysis.scopes.variable(name)
            if variable is None:
                continue
            if variable in kept:
                yield name
            elif variable in self._assigned and variable not in seen:
                for given in self._assigned[variable]:
                    yield from self.sources(given, kept, seen | {variable})

    def _depths(self, kept: dict[Variable, _Written]) -> dict[Variable, int]:
        out: dict[Variable, int] = {}

        def depth(variable: Variable, above: frozenset[Variable]) -> int:
            if variable in out:
                return out[variable]
            written, deepest = kept[variable], 0
            hops = self._hops(written, set(kept)) if variable.is_array else 0
            for place, value in written.writes:
                for read in self.sources(value, set(kept)):
                    source = self.analysis.scopes.variable(read)
                    assert source is not None, "sources are variables"
                    if source is variable and variable.is_array:
                        continue
                    if source in above or source is variable:
                        raise self._refuse(place, f"`{variable.name}` is handed from one iteration to the next")
                    deepest = max(deepest, depth(source, above | {variable}))
            out[variable] = deepest + hops + (0 if self._is_read_after(written) else 1)
            return out[variable]

        for variable in kept:
            depth(variable, frozenset())
        return out

    def _hops(self, written: _Written, kept: set[Variable]) -> int:
        """How often a value can be copied inside an array in which copies go one way only."""
        variable, distances = written.variable, []
        for place, value in written.writes:
            own = [r for r in self.sources(value, kept) if self.analysis.scopes.variable(r) is variable]
            for read in own:
                distance = self._distance(read, place)
                if distance is None:
                    raise self._refuse(place, f"`{variable.name}` is handed from one iteration to the next")
                distances.append(distance)
        if not distances:
            return 0
        size = self.analysis.forms.value(variable.dims[0]) if len(variable.dims) == 1 else None
        if size is None or not (all(d > 0 for d in distances) or all(d < 0 for d in distances)):
            raise self._refuse(written.writes[0][0], f"`{variable.name}` is handed from one iteration to the next")
        return (size - 1) // min(abs(d) for d in distances)

    def _distance(self, read: Node, place: Node) -> int | None:
        """Elements between what is read and the place it is copied to."""
        source = read.parent
        if not isinstance(source, Index) or source.base is not read or not isinstance(place, Index):
            return None
        forms = [self.analysis.forms.of(node.index) for node in (source, place)]
        if forms[0] is None or forms[1] is None or any(self.varies(n) for n in forms[0].names):
            return None
        return (forms[0] - forms[1]).value

    def _is_read_after(self, written: _Written) -> bool:
        """Whether every other use in an iteration comes after all writes of it, in every thread."""
        last = max(_whole(place).end for place, _ in written.writes)
        own = [place.parent for place, _ in written.writes]
        reads = [a.node for a in self.effects.accesses if a.variable is written.variable and a.reads]
        others = [r for r in reads if not any(node is not None and node.span.contains(r.span) for node in own)]
        if not all(read.start > last for read in others):
            return False
        if written.variable.kind != SHARED:
            return True
        barriers = [b for b in self.effects.barriers if b.parent is not None and b.parent.parent is self.loop.body]
        return all(any(last <= b.start < read.start for b in barriers) for read in others)

    def _refuse_decisions(self, kept: set[Variable]) -> None:
        """Refuses kept values that decide where something is read or whether something runs: they may be anything at first."""
        for node in self.loop.body.walk():
            deciding: list[Node] = []
            if isinstance(node, Index):
                deciding = [node.index]
            elif isinstance(node, If | Ternary | Switch):
                deciding = [node.nodes[0]]
            elif isinstance(node, AnyLoop):
                deciding = [n for n in (getattr(node, "cond", None), getattr(node, "init", None)) if n is not None]
            for part in deciding:
                for read in self.sources(part, kept):
                    raise self._refuse(part, f"what `{read.text}` holds decides here")


def _merged(sets: set[frozenset[Condition]]) -> set[frozenset[Condition]]:
    """`sets` and what follows from two of them that differ in one condition that holds or does not."""
    out, new = set(sets), set(sets)
    while new:
        found = {
            one - {(name, holds)}
            for one in out
            for name, holds in one
            if (one - {(name, holds)}) | {(name, not holds)} in out
        }
        new = found - out
        out |= found
    return out


def _value_put(place: Node) -> Node | None:
    above = place.parent
    return above.value if isinstance(above, Assign) and above.target is place and above.op == "=" else None


def _whole(place: Node) -> Node:
    """The assignment that writes `place`: only after it the value is there."""
    above = place.parent
    return above if isinstance(above, Assign) and above.target is place else place


def _means(analysis: Analysis, node: Node, variable: Variable) -> bool:
    node = bare(node)
    return isinstance(node, Name) and analysis.scopes.variable(node) is variable
