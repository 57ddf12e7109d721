"""How a kernel uses thread and block indices, and whether its launch may take another shape.

The shape may change along an axis where the indices are used only as `blockIdx * blockDim + threadIdx` (the index of the
thread in the whole launch), every effect is under an upper bound on that index, and threads do not work together. The
recorded launch is taken to cover the bound, as the replay of a changed shape shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from r3c.core.contract import Geometry
from r3c.tree.analysis_effects import EffectReader, Effects
from r3c.tree.analysis_forms import Forms
from r3c.tree.analysis_names import THREAD_BUILTINS
from r3c.tree.analysis_nodes import bare, body_of, names_in
from r3c.tree.analysis_poly import Atom, Poly
from r3c.tree.analysis_scopes import Scopes, Variable
from r3c.tree.analysis_uniform import Uniformity
from r3c.tree.file import Function
from r3c.tree.nodes import (
    Binary,
    Body,
    Cast,
    For,
    If,
    InitDeclarator,
    Member,
    Name,
    Node,
    Paren,
    Return,
    Ternary,
    Unary,
)

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Obstacle:
    """Why the launch shape is fixed: a place and a reason."""

    node: Node
    why: str


def global_index(axis: str) -> str:
    """Atom of the index of a thread in the whole launch along `axis`."""
    return f"globalIdx.{axis}"


def global_size(axis: str) -> str:
    """Atom of the number of threads of the whole launch along `axis`."""
    return f"globalDim.{axis}"


class ThreadIndices:
    """The uses of `threadIdx`, `blockIdx`, `blockDim` and `gridDim` in one kernel."""

    def __init__(
        self, function: Function, scopes: Scopes, effects: EffectReader, forms: Forms, uniform: Uniformity
    ) -> None:
        self._uniform = uniform
        self._obstacles: dict[str, Obstacle | None] = {}
        self._function = function
        self._scopes = scopes
        self._effects = effects
        self.forms = forms

    def used_axes(self) -> set[str]:
        return {m.member for m in self._members}

    @cached_property
    def _members(self) -> list[Member]:
        nodes = body_of(self._function).walk()
        members = [n for n in nodes if isinstance(n, Member) and isinstance(n.object, Name)]
        return [m for m in members if m.object.text in THREAD_BUILTINS]

    def obstacle(self, axis: str) -> Obstacle | None:
        """What fixes the launch shape along `axis`; None where nothing does."""
        if axis not in self._obstacles:
            self._obstacles[axis] = self._find_obstacle(axis)
        return self._obstacles[axis]

    def _find_obstacle(self, axis: str) -> Obstacle | None:
        together = self.cooperation()
        if together is not None:
            return together
        if axis not in self.used_axes():
            return Obstacle(
                self._function, f"the kernel does not use the {axis} axis, so threads along it would repeat work"
            )
        mixed = self._not_global(axis)
        if mixed is not None:
            return mixed
        return self._unguarded(axis)

    def cooperation(self) -> Obstacle | None:
        """A barrier, shared memory or warp operation: threads that work together within a block of some shape."""
        return self._cooperation

    @cached_property
    def _cooperation(self) -> Obstacle | None:
        whole = self._effects.of(body_of(self._function))
        for node in [*whole.barriers, *whole.warp]:
            return Obstacle(node, "threads of a block work together here")
        for variable in self._scopes.variables:
            if variable.kind == "shared":
                return Obstacle(variable.node, f"shared memory `{variable.name}` belongs to a block of one shape")
        for node in whole.unknown:
            return Obstacle(node, "what this does with the block's shape is not known")
        for name in names_in(body_of(self._function)):
            whole_use = not isinstance(name.parent, Member)
            if name.text in THREAD_BUILTINS and whole_use and self._scopes.variable(name) is None:
                return Obstacle(name, f"{name.text} is used as a whole")
        return None

    def global_form(self, node: Node) -> Poly | None:
        """Form of `node` over `globalIdx` and `globalDim`; None where it depends on the block's shape otherwise."""
        form = self.forms.of(node)
        return None if form is None else to_global(form)

    def _not_global(self, axis: str) -> Obstacle | None:
        seen: set[int] = set()
        for member in self._members:
            if member.member != axis:
                continue
            for root in self._index_expressions(member, frozenset()):
                if id(root) in seen:
                    continue
                seen.add(id(root))
                form = self.global_form(root)
                if form is None:
                    return Obstacle(root, f"the {axis} index is used otherwise than as blockIdx * blockDim + threadIdx")
                if global_size(axis) in form.names and not self._is_stride(root):
                    return Obstacle(root, f"the number of threads along {axis} decides more here than a loop's stride")
        return None

    def _is_stride(self, node: Node) -> bool:
        """Whether `node` is the step of a loop whose iterations hand nothing on, so that any thread may do any of them."""
        loop = next((a for a in node.ancestors() if isinstance(a, For)), None)
        if loop is None or loop.step is None or not loop.step.span.contains(node.span):
            return False
        written = self._effects.of(loop.body).written_variables()
        return all(loop.span.contains(v.node.span) for v in written)

    def _index_expressions(self, node: Node, visited: frozenset[str]) -> Iterator[Node]:
        """Largest arithmetic expressions around `node`, or around the settled locals that hold it."""
        root = node
        while root.parent is not None and _is_arithmetic(root.parent) and self.forms.of(root.parent) is not None:
            root = root.parent
        holder = root.parent
        variable = self._scopes.declared_by(holder) if isinstance(holder, InitDeclarator) else None
        if variable is None or not self.forms.is_settled(variable) or variable.unique in visited:
            yield root
            return
        for use in self._scopes.uses(variable):
            yield from self._index_expressions(use, visited | {variable.unique})

    def _unguarded(self, axis: str) -> Obstacle | None:
        """A write that threads beyond the bound of `axis` would also make."""
        whole = self._effects.of(body_of(self._function))
        for access in whole.accesses:
            outside = access.memory or access.variable is None
            if not outside or self._is_own(access.variable) or self.is_bounded(access.node, axis):
                continue
            if access.writes:
                return Obstacle(access.node, f"this write is not under an upper bound on the {axis} index")
            same = access.subscripts is not None and all(self._uniform.is_uniform(s) for s in access.subscripts)
            if access.memory and not same:
                return Obstacle(access.node, f"this read is not under an upper bound on the {axis} index")
        return None

    def _is_own(self, variable: Variable | None) -> bool:
        return variable is not None and variable.kind == "local" and variable.is_array

    def is_bounded(self, node: Node, axis: str) -> bool:
        """Whether `node` runs only where the global index along `axis` is below a bound that all threads share."""
        return any(self._is_bound(c, holds, axis) for c, holds in self.known_conditions(node))

    def known_conditions(self, node: Node) -> Iterator[tuple[Node, bool]]:
        """Conditions (and whether they hold) that are settled wherever `node` runs."""
        below = node
        for above in node.ancestors():
            if isinstance(above, If) and below is not above.cond:
                yield above.cond, below is above.then
            if isinstance(above, Ternary) and below is not above.nodes[0]:
                yield above.nodes[0], below is above.nodes[1]
            if isinstance(above, Binary) and above.op in ("&&", "||") and below is above.right:
                yield above.left, above.op == "&&"
            if isinstance(above, For) and below is above.body and above.cond is not None:
                yield above.cond, True
            if isinstance(above, Body):
                yield from _early_exits(above, below)
            below = above

    def _is_bound(self, condition: Node, holds: bool, axis: str) -> bool:
        condition = bare(condition)
        if isinstance(condition, Unary) and condition.op == "!":
            return self._is_bound(condition.operand, not holds, axis)
        if isinstance(condition, Name):
            kept = self.kept_condition(condition)
            return kept is not None and self._is_bound(kept, holds, axis)
        if not isinstance(condition, Binary):
            return False
        if condition.op == ("&&" if holds else "||"):
            return self._is_bound(condition.left, holds, axis) or self._is_bound(condition.right, holds, axis)
        compare = condition.op if holds else _NEGATED.get(condition.op, "")
        if compare in ("<", "<="):
            return self._bounds(condition.left, condition.right, axis)
        if compare in (">", ">="):
            return self._bounds(condition.right, condition.left, axis)
        return False

    def is_upper_bound(self, condition: Node, holds: bool, axis: str) -> bool:
        """Whether the comparison, once it holds for a thread of a block, holds for every thread before it along `axis`."""
        if not isinstance(condition, Binary):
            return False
        compare = condition.op if holds else _NEGATED.get(condition.op, "")
        if compare in ("<", "<="):
            low, high = condition.left, condition.right
        elif compare in (">", ">="):
            low, high = condition.right, condition.left
        else:
            return False
        left, right = self.forms.of(low), self.forms.of(high)
        if left is None or right is None or f"threadIdx.{axis}" in right.names:
            return False
        factor = left.coefficient(f"threadIdx.{axis}")
        return factor is not None and factor.value is not None and factor.value > 0

    def kept_condition(self, name: Name) -> Node | None:
        """The condition that a local of type bool was set to and still stands for."""
        variable = self._scopes.variable(name)
        if variable is None or variable.base_type != "bool" or not self.forms.is_settled(variable):
            return None
        return variable.init

    def _bounds(self, low: Node, high: Node, axis: str) -> bool:
        left, right = self._loop_start_form(low), self.global_form(high)
        if left is None or right is None:
            return False
        index = global_index(axis)
        factor = left.coefficient(index)
        grows = factor is not None and factor.value is not None and factor.value > 0
        others = {name for name in left.names | right.names if name.startswith(("globalIdx", *THREAD_BUILTINS))}
        return grows and others <= {index}

    def _loop_start_form(self, node: Node) -> Poly | None:
        """Form of `node`; the counter of a loop that starts at the global index and strides by the launch counts as that index."""
        node = bare(node)
        variable = self._scopes.variable(node) if isinstance(node, Name) else None
        if variable is not None and isinstance(variable.scope, For) and variable.init is not None:
            return self.global_form(variable.init)
        return self.global_form(node)


_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def _early_exits(block: Body, below: Node) -> Iterator[tuple[Node, bool]]:
    for statement in block.statements:
        if statement is below:
            return
        if isinstance(statement, If) and statement.otherwise is None and _only_returns(statement.then):
            yield statement.cond, False


def _only_returns(node: Node) -> bool:
    if isinstance(node, Body):
        return len(node.statements) == 1 and isinstance(node.statements[0], Return)
    return isinstance(node, Return)


def _is_arithmetic(node: Node) -> bool:
    if isinstance(node, Binary):
        return node.op in ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^")
    return isinstance(node, Paren | Cast) or (isinstance(node, Unary) and node.op in ("-", "+"))


def to_global(form: Poly) -> Poly | None:
    """`form` with `threadIdx + blockIdx * blockDim` as one atom an axis; None where the parts do not come together."""

    def expand(atom: Atom) -> Poly | None:
        base, _, axis = atom.name.partition(".")
        if base != "threadIdx":
            return None
        whole = Poly.atom(global_index(axis))
        return whole - Poly.atom(f"blockIdx.{axis}") * Poly.atom(f"blockDim.{axis}")

    changed = _with_sizes(form.substitute(expand))
    return None if any(name.startswith(THREAD_BUILTINS) for name in changed.names) else changed


def _with_sizes(form: Poly) -> Poly:
    """Products `blockDim * gridDim` of one axis as one atom."""
    total = Poly()
    for monomial, coefficient in form.terms:
        atoms = list(monomial)
        for axis in AXES:
            pair = [next((a for a in atoms if a.name == f"{base}.{axis}"), None) for base in ("blockDim", "gridDim")]
            if pair[0] is not None and pair[1] is not None:
                atoms.remove(pair[0])
                atoms.remove(pair[1])
                atoms.append(Atom(global_size(axis)))
        product = Poly.constant(coefficient)
        for atom in atoms:
            product = product * Poly.atom(atom.name, *(_with_sizes(arg) for arg in atom.args))
        total = total + product
    return total


def may_reshape(geometry: Geometry, indices: ThreadIndices, axis: str) -> Obstacle | None:
    """None where the launch shape may change along `axis`: the owner said so, or the analysis shows it."""
    if geometry is Geometry.COVER and axis in indices.used_axes():
        return None
    return indices.obstacle(axis)


__all__ = ["Effects", "Obstacle", "ThreadIndices", "global_index", "global_size", "may_reshape", "to_global"]
