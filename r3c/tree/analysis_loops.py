"""Counted loops with what is known of them: counter, start, bound, step, trip count, what changes inside."""

from __future__ import annotations

import re
from dataclasses import dataclass

from r3c.tree.analysis_effects import EffectReader, Effects
from r3c.tree.analysis_forms import Forms
from r3c.tree.analysis_nodes import bare, names_in
from r3c.tree.analysis_scopes import Scopes, Variable
from r3c.tree.nodes import (
    Assign,
    Binary,
    Body,
    Break,
    Continue,
    Decl,
    For,
    Goto,
    Label,
    Name,
    Node,
    Paren,
    PostInc,
    Return,
    Switch,
    Unary,
)
from r3c.tree.nodes import Loop as AnyLoop

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


@dataclass(frozen=True)
class NotCounted:
    """Why a loop is not a counted loop: a place and a reason."""

    node: Node
    why: str


@dataclass(frozen=True, eq=False)
class Loop:
    """`for (counter = start; counter compare bound; counter += step)`.

    Attributes:
        step: the constant the counter changes by, None where it is not a constant.
        step_node: the expression it changes by, None for `++` and `--`.
        trip: how often the body runs, None where not known.
    """

    node: For
    counter: Variable
    declares: bool
    start: Node
    compare: str
    bound: Node
    step: int | None
    step_node: Node | None
    trip: int | None

    @property
    def body(self) -> Node:
        return self.node.body

    @property
    def atom(self) -> str:
        return self.counter.unique

    @property
    def statements(self) -> list[Node]:
        body = self.body
        return list(body.statements) if isinstance(body, Body) else [body]

    @property
    def is_upward(self) -> bool:
        return self.compare in ("<", "<=")


class LoopReader:
    """Reads the loops of one function."""

    def __init__(self, scopes: Scopes, effects: EffectReader, forms: Forms) -> None:
        self._scopes = scopes
        self._effects = effects
        self._forms = forms
        self._cache: dict[int, Loop | NotCounted] = {}

    def read(self, node: Node) -> Loop | NotCounted:
        """The loop at `node`, or why it is not counted."""
        key = id(node)
        if key not in self._cache:
            self._cache[key] = self._read(node)
        return self._cache[key]

    def _read(self, node: Node) -> Loop | NotCounted:
        if not isinstance(node, For):
            return NotCounted(node, "this is not a for loop")
        started = self._start(node)
        if started is None:
            return NotCounted(node.init or node, "its head does not set one counter")
        counter, start, declares = started
        tested = self._test(node, counter)
        if tested is None:
            return NotCounted(
                node.cond or node, f"its condition does not compare the counter `{counter.name}` with a bound"
            )
        stepped = self._step(node, counter)
        if stepped is None:
            return NotCounted(
                node.step or node, f"its head does not change the counter `{counter.name}` by a fixed amount"
            )
        compare, bound = tested
        step, step_node = stepped
        problem = self._changing(node, counter, bound, step_node)
        if problem is not None:
            return problem
        if (
            step is not None
            and (step == 0 or (step > 0) != (compare in ("<", "<=", "!=")))
            and not (compare == "!=" and step)
        ):
            return NotCounted(node.step or node, "its counter moves away from its bound")
        return Loop(
            node, counter, declares, start, compare, bound, step, step_node, self._trip(start, compare, bound, step)
        )

    def _start(self, node: For) -> tuple[Variable, Node, bool] | None:
        init = _declaration(node.init)
        if isinstance(init, Decl):
            declarators = list(init.declarators)
            variable = self._scopes.declared_by(declarators[0]) if len(declarators) == 1 else None
            if variable is None or variable.init is None or not variable.is_scalar:
                return None
            return variable, variable.init, True
        assign = _expression(init)
        if isinstance(assign, Assign) and assign.op == "=" and isinstance(assign.target, Name):
            variable = self._scopes.variable(assign.target)
            return (variable, assign.value, False) if variable is not None and variable.is_scalar else None
        return None

    def _test(self, node: For, counter: Variable) -> tuple[str, Node] | None:
        condition = _bare(node.cond)
        if not isinstance(condition, Binary) or condition.op not in _FLIPPED:
            return None
        left, right = bare(condition.left), bare(condition.right)
        if self._is(left, counter) and not self._mentions(right, counter):
            return condition.op, condition.right
        if self._is(right, counter) and not self._mentions(left, counter):
            return _FLIPPED[condition.op], condition.left
        return None

    def _step(self, node: For, counter: Variable) -> tuple[int | None, Node | None] | None:
        step = _bare(_expression(node.step))
        if isinstance(step, Unary | PostInc) and step.op in ("++", "--") and self._is(_bare(step.operand), counter):
            return (1 if step.op == "++" else -1), None
        if not isinstance(step, Assign) or not self._is(_bare(step.target), counter):
            return None
        amount: Node = step.value
        sign = {"+=": 1, "-=": -1}.get(step.op)
        if step.op == "=" and isinstance(_bare(amount), Binary):
            inner = _bare(amount)
            assert isinstance(inner, Binary)
            sign = {"+": 1, "-": -1}.get(inner.op)
            amount = inner.right
            if not self._is(_bare(inner.left), counter):
                return None
        if sign is None or self._mentions(amount, counter):
            return None
        value = self._forms.value(amount)
        if value is None:
            return (None, amount) if sign > 0 else None
        return sign * value, amount

    def _changing(self, node: For, counter: Variable, bound: Node, step: Node | None) -> NotCounted | None:
        body = self._effects.of(node.body)
        for access in body.writes_of(counter):
            return NotCounted(access.node, f"the loop body writes its counter `{counter.name}`")
        hidden = next((n for n in body.unknown if counter.name in _words(n)), None)
        if hidden is not None:
            return NotCounted(hidden, f"this may write the counter `{counter.name}`")
        for part in (bound, step):
            changed = None if part is None else self.change_inside(part, body)
            if part is not None and changed is not None:
                return NotCounted(changed, f"`{part.text}`, which the loop's head depends on, may change in the loop")
        return None

    def change_inside(self, expression: Node, body: Effects) -> Node | None:
        """A place in `body` that may change the value of `expression`, None where there is none."""
        effects = self._effects.of(expression)
        if not effects.is_pure:
            return expression
        written = body.written_variables()
        for access in effects.accesses:
            if access.variable in written and access.variable is not None:
                return body.writes_of(access.variable)[0].node
            if access.memory and (body.memory_writes or body.unknown or body.barriers):
                return [*(a.node for a in body.memory_writes), *body.unknown, *body.barriers][0]
        for name in names_in(expression):
            hidden = next((n for n in body.unknown if name.text in _words(n)), None)
            if hidden is not None:
                return hidden
        return None

    def _trip(self, start: Node, compare: str, bound: Node, step: int | None) -> int | None:
        low, high = self._forms.of(start), self._forms.of(bound)
        if low is None or high is None or step is None:
            return None
        distance = (high - low).value
        if distance is None or (compare == "!=" and distance % step):
            return None
        if compare in ("<=", ">="):
            distance += 1 if compare == "<=" else -1
        return max(0, -(-distance // step))

    def _is(self, node: Node | None, counter: Variable) -> bool:
        return isinstance(node, Name) and self._scopes.variable(node) is counter

    def _mentions(self, node: Node, counter: Variable) -> bool:
        return any(self._scopes.variable(n) is counter for n in names_in(node))


def own_jumps(loop: Node) -> list[Node]:
    """`break` and `continue` of this loop itself, and every `return` and `goto` inside."""
    out: list[Node] = []
    for node in loop.walk():
        if isinstance(node, Return | Goto | Label) or (isinstance(node, Break | Continue) and _target(node) is loop):
            out.append(node)
    return out


def _target(jump: Node) -> Node | None:
    for above in jump.ancestors():
        if isinstance(above, AnyLoop) or (isinstance(above, Switch) and isinstance(jump, Break)):
            return above
    return None


def _words(node: Node) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", node.text))


def _declaration(node: Node | None) -> Node | None:
    """A declaration in the head of a loop without what it stands in."""
    while node is not None and not isinstance(node, Decl) and len(node.nodes) == 1 and not isinstance(node, Paren):
        if isinstance(node, Assign):
            return node
        node = node.nodes[0]
    return node


def _expression(node: Node | None) -> Node | None:
    while node is not None and not isinstance(node, Assign | Unary | PostInc) and len(node.nodes) == 1:
        node = node.nodes[0]
    return node


def _bare(node: Node | None) -> Node | None:
    return None if node is None else bare(node)
