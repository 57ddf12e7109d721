"""Whether two accesses can meet: the same memory, the same element, in the same iteration of a loop or across iterations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from r3c.core.contract import Contract, Role
from r3c.tree.analysis_effects import Access, pointer_root
from r3c.tree.analysis_forms import Forms
from r3c.tree.analysis_poly import Poly
from r3c.tree.analysis_scopes import LOCAL, PARAMETER, SHARED, Scopes, Variable
from r3c.tree.nodes import Assign, Index, Name, Node, PostInc, Unary

SAME, DISTINCT, MAYBE = "same", "distinct", "maybe"


@dataclass(frozen=True)
class Conflict:
    """Two accesses to perhaps one element, at least one a write.

    `distance` is how many iterations later `second` comes (negative: earlier, 0: in the same one); None: not known.
    """

    first: Access
    second: Access
    distance: int | None


class Memory:
    """Which pointers and arrays of one kernel can lead to the same memory."""

    def __init__(self, scopes: Scopes, forms: Forms, contract: Contract, escaping: set[str]) -> None:
        self._scopes = scopes
        self._forms = forms
        self._contract = contract
        self._escaping = escaping

    def root(self, variable: Variable | None) -> Variable | None:
        """The array or parameter that `variable` points into; None where not known."""
        if variable is None or variable.is_array or variable.kind in (PARAMETER, SHARED):
            return variable if variable is None or self._keeps_to_itself(variable) else None
        if not variable.is_pointer or variable.init is None or self._forms.written(variable):
            return None
        return pointer_root(variable.init, self._scopes)

    def _keeps_to_itself(self, variable: Variable) -> bool:
        """Whether a pointer parameter only ever moves inside the memory it led to at first."""
        if variable.is_array or not variable.is_pointer:
            return True
        for place in self._forms.write_places(variable):
            above = place.parent
            moves = isinstance(above, PostInc | Unary) or (isinstance(above, Assign) and above.op in ("+=", "-="))
            if not moves and not (isinstance(above, Assign) and pointer_root(above.value, self._scopes) is variable):
                return False
        return True

    def relation(self, a: Variable | None, b: Variable | None) -> str:
        """SAME, DISTINCT or MAYBE for the memory that `a` and `b` lead to (one of them is written)."""
        first, second = self.root(a), self.root(b)
        if first is not None and first is second:
            return SAME
        for one in (first, second):
            if one is not None and one.is_array and one.kind == LOCAL and one.unique not in self._escaping:
                return DISTINCT
        if first is None or second is None:
            return MAYBE
        if first.is_array and second.is_array:
            return DISTINCT
        if SHARED in (first.kind, second.kind):
            return DISTINCT
        return DISTINCT if self.is_alone(first) or self.is_alone(second) else MAYBE

    def is_alone(self, variable: Variable) -> bool:
        """Whether no other pointer leads to what `variable` leads to, as far as writes matter."""
        if variable.is_restrict:
            return True
        own = self._contract.buffers.get(variable.name)
        return own is not None and own.role is Role.IN


class Dependences:
    """Conflicts between accesses of one kernel."""

    def __init__(self, forms: Forms, memory: Memory) -> None:
        self.forms = forms
        self.memory = memory

    def conflicts(
        self,
        first: Sequence[Access],
        second: Sequence[Access],
        counter: str,
        varies: Callable[[str], bool],
        renamed: Mapping[str, str] | None = None,
    ) -> list[Conflict]:
        """Pairs of memory accesses that may meet in any two iterations of the loop with atom `counter`.

        Args:
            varies: whether an atom can have different values in two iterations.
            renamed: atoms of `second` that count as others (the counter of another loop).
        """
        out: list[Conflict] = []
        for a in first:
            for b in second:
                if not (a.memory and b.memory and (a.writes or b.writes)):
                    continue
                relation = self.memory.relation(a.variable, b.variable)
                if relation == DISTINCT:
                    continue
                out += self._meeting(a, b, relation, counter, varies, renamed or {})
        return out

    def _meeting(
        self,
        a: Access,
        b: Access,
        relation: str,
        counter: str,
        varies: Callable[[str], bool],
        renamed: Mapping[str, str],
    ) -> list[Conflict]:
        pointer = a.variable
        comparable = relation == SAME and pointer is b.variable and pointer is not None
        if not comparable or pointer is None or (not pointer.is_array and self.forms.written(pointer)):
            return [Conflict(a, b, None)]
        if a.subscripts is None or b.subscripts is None or len(a.subscripts) != len(b.subscripts):
            return [Conflict(a, b, None)]
        exact: int | None = None
        for left, right in zip(a.subscripts, b.subscripts, strict=True):
            answer = self._distance(left, right, counter, varies, renamed)
            if answer == "never":
                return []
            if isinstance(answer, int):
                if exact is not None and exact != answer:
                    return []
                exact = answer
        return [Conflict(a, b, exact)]

    def _distance(
        self, left: Node, right: Node, counter: str, varies: Callable[[str], bool], renamed: Mapping[str, str]
    ) -> int | str | None:
        """Iterations between equal subscripts: a number, "never", or None where it is not known or always possible."""
        f, g = self.forms.of(left), self.forms.of(right)
        if f is None or g is None:
            return None
        g = g.substitute(lambda atom: Poly.atom(renamed[atom.name]) if atom.name in renamed else None)
        if any(varies(name) for name in (f.names | g.names) - {counter}):
            return None
        a, b = f.coefficient(counter), g.coefficient(counter)
        if a is None or b is None or not (a - b).is_zero:
            return None
        difference = f.without(counter) - g.without(counter)
        return _steps_between(difference, a)


def _steps_between(difference: Poly, coefficient: Poly) -> int | str | None:
    if coefficient.is_zero:
        constant = difference.value
        return "never" if constant is not None and constant != 0 else None
    if difference.is_zero:
        return 0
    steps = difference.divided_by(coefficient)
    if steps is not None:
        return steps
    both = difference.value is not None and coefficient.value is not None
    return "never" if both else None


def escaping_arrays(scopes: Scopes) -> set[str]:
    """Arrays whose address is used otherwise than by a subscript: another pointer may lead to them."""
    out: set[str] = set()
    for variable in scopes.variables:
        if variable.is_array and any(not _is_subscripted(name) for name in scopes.uses(variable)):
            out.add(variable.unique)
    return out


def _is_subscripted(name: Name) -> bool:
    above = name.parent
    if not isinstance(above, Index) or above.base is not name:
        return False
    outer = above.parent
    while isinstance(outer, Index) and outer.base is above:
        above, outer = outer, outer.parent
    return not (isinstance(outer, Unary) and outer.op == "&")
