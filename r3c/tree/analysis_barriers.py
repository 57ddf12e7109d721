"""What a barrier orders: the accesses before and after it that no other barrier lies between, over all ways through a kernel."""

from __future__ import annotations

from dataclasses import dataclass, field

from r3c.tree.analysis_effects import Access, EffectReader
from r3c.tree.analysis_forms import Forms
from r3c.tree.analysis_nodes import bare
from r3c.tree.analysis_scopes import LOCAL, Scopes, Variable
from r3c.tree.nodes import (
    Assign,
    Body,
    DeclStmt,
    Empty,
    ExprStmt,
    For,
    If,
    Name,
    Node,
    PpBefore,
    PpLine,
    Return,
    While,
)


@dataclass(eq=False)
class Step:
    """A piece of a kernel that runs in one go: accesses, or a barrier, or a rotation of plane numbers."""

    node: Node
    accesses: list[Access] = field(default_factory=list)
    barrier: bool = False
    rotates: bool = False
    next: list[Step] = field(default_factory=list)
    before: list[Step] = field(default_factory=list)


@dataclass(frozen=True)
class Rotation:
    """Locals that hold different small numbers and only ever change places, all by the same assignments.

    Attributes:
        after: for each variable the one whose number it has after a turn.
        numbers: what they hold.
        temporary: the variable that helps.
    """

    after: dict[Variable, Variable]
    numbers: frozenset[int]
    temporary: Variable

    def before(self, variable: Variable, turns: int) -> Variable:
        """The variable that held, `turns` turns ago, what `variable` holds now."""
        for _ in range(turns):
            variable = self.after[variable]
        return variable


class NotFollowedError(Exception):
    """A statement whose ways on are not followed; `node` is the statement."""

    def __init__(self, node: Node) -> None:
        super().__init__(node.text)
        self.node = node


class Flow:
    """The ways through a kernel's body.

    Raises:
        NotFollowedError: it has jumps or statements that are not followed.
    """

    def __init__(self, body: Body, scopes: Scopes, effects: EffectReader, forms: Forms) -> None:
        self._scopes, self._effects, self._forms = scopes, effects, forms
        self.rotation = find_rotation(body, scopes, forms)
        self.steps: list[Step] = []
        self._sequence(body, [self._step(body)])

    @property
    def barriers(self) -> list[Step]:
        return [step for step in self.steps if step.barrier]

    def around(self, barrier: Step) -> tuple[list[tuple[Access, int]], list[tuple[Access, int]]]:
        """Accesses before and after `barrier` with how many turns of the rotation lie between them and it."""
        return self._reached(barrier, back=True), self._reached(barrier, back=False)

    def _reached(self, barrier: Step, back: bool) -> list[tuple[Access, int]]:
        turns_max = len(self.rotation.after) if self.rotation else 1
        out: list[tuple[Access, int]] = []
        seen: set[tuple[int, int]] = set()
        stack = [(step, 0) for step in (barrier.before if back else barrier.next)]
        while stack:
            step, turns = stack.pop()
            if (id(step), turns) in seen or step.barrier:
                continue
            seen.add((id(step), turns))
            out += [(access, turns) for access in step.accesses]
            turned = (turns + 1) % turns_max if step.rotates else turns
            stack += [(other, turned) for other in (step.before if back else step.next)]
        return out

    # --- building ---------------------------------------------------------------------------------------------------

    def _step(self, node: Node, *parts: Node | None) -> Step:
        step = Step(node, [a for a in self._effects.of(*parts).accesses if a.memory or a.atomic])
        self.steps.append(step)
        return step

    def _link(self, ends: list[Step], step: Step) -> list[Step]:
        for end in ends:
            end.next.append(step)
            step.before.append(end)
        return [step]

    def _sequence(self, body: Body, ends: list[Step]) -> list[Step]:
        statements = list(body.statements)
        place = 0
        while place < len(statements):
            turn = self._turn_at(statements, place)
            if turn:
                step = Step(statements[place], rotates=True)
                self.steps.append(step)
                ends = self._link(ends, step)
                place += turn
                continue
            ends = self._statement(statements[place], ends)
            place += 1
        return ends

    def _turn_at(self, statements: list[Node], place: int) -> int:
        """How many statements from `place` on are a turn of the rotation."""
        if self.rotation is None:
            return 0
        count = len(self.rotation.after) + 1
        turn = turn_of(statements[place : place + count], self._scopes)
        return count if turn is not None and turn[0] == self.rotation.after else 0

    def _statement(self, node: Node, ends: list[Step]) -> list[Step]:
        if isinstance(node, Body):
            return self._sequence(node, ends)
        if isinstance(node, PpBefore):
            for inner in node.nodes:
                ends = self._statement(inner, ends)
            return ends
        if isinstance(node, If):
            condition = self._link(ends, self._step(node.cond, node.cond))
            out = self._statement(node.then, condition)
            return out + (self._statement(node.otherwise, condition) if node.otherwise is not None else condition)
        if isinstance(node, For | While):
            return self._loop(node, ends)
        if isinstance(node, Return):
            return []
        if isinstance(node, PpLine | Empty):
            return ends
        if not isinstance(node, ExprStmt | DeclStmt):
            raise NotFollowedError(node)
        effects = self._effects.of(node)
        if effects.unknown or effects.jumps:
            raise NotFollowedError([*effects.unknown, *effects.jumps][0])
        step = self._step(node, node)
        step.barrier = bool(effects.barriers)
        return self._link(ends, step)

    def _loop(self, node: For | While, ends: list[Step]) -> list[Step]:
        init = self._link(ends, self._step(node, node.init if isinstance(node, For) else None))
        test = self._step(node, node.cond)
        self._link(init, test)
        last = self._statement(node.body, [test])
        again = self._link(last, self._step(node, node.step if isinstance(node, For) else None))
        self._link(again, test)
        return [test]


def turn_of(statements: list[Node], scopes: Scopes) -> tuple[dict[Variable, Variable], Variable] | None:
    """What `t = a; a = b; b = c; c = t;` makes of each variable, and `t`."""
    pairs = [_copied(statement, scopes) for statement in statements]
    if len(pairs) < 3 or any(pair is None for pair in pairs):
        return None
    known = [pair for pair in pairs if pair is not None]
    temporary, first = known[0]
    chain = known[1:]
    expected = [first, *[source for _, source in chain[:-1]]]
    if [target for target, _ in chain] != expected or chain[-1][1] is not temporary:
        return None
    members = [target for target, _ in chain]
    if len(set(members)) != len(members) or temporary in members:
        return None
    return {target: source if source is not temporary else first for target, source in chain}, temporary


def _copied(statement: Node, scopes: Scopes) -> tuple[Variable, Variable] | None:
    assign = statement.nodes[0] if isinstance(statement, ExprStmt) and statement.nodes else None
    if not isinstance(assign, Assign) or assign.op != "=":
        return None
    target, source = (
        scopes.variable(bare(n)) if isinstance(bare(n), Name) else None for n in (assign.target, assign.value)
    )
    if target is None or source is None or not (target.is_scalar and source.is_scalar):
        return None
    return target, source


def find_rotation(body: Body, scopes: Scopes, forms: Forms) -> Rotation | None:
    """The group of locals of a kernel that only change places, None where there is none."""
    for inner in (n for n in body.walk() if isinstance(n, Body)):
        statements = list(inner.statements)
        for place in range(len(statements)):
            for count in (3, 4, 5):
                turn = turn_of(statements[place : place + count], scopes)
                if turn is not None:
                    found = _checked(body, turn, scopes, forms)
                    if found is not None:
                        return found
    return None


def _checked(
    body: Body, turn: tuple[dict[Variable, Variable], Variable], scopes: Scopes, forms: Forms
) -> Rotation | None:
    """The rotation, if its variables start with different numbers and are written by such turns alone."""
    after, temporary = turn
    numbers: dict[Variable, int] = {}
    turning: set[int] = set()
    for inner in (n for n in body.walk() if isinstance(n, Body)):
        statements = list(inner.statements)
        for place in range(len(statements)):
            here = statements[place : place + len(after) + 1]
            found = turn_of(here, scopes)
            if found is not None and found[0] == after and found[1] is temporary:
                turning |= {id(node) for statement in here for node in statement.walk()}
    for variable in (*after, temporary):
        if variable.kind != LOCAL:
            return None
        values = [variable.init] if variable.init is not None else []
        for written in (p for p in forms.write_places(variable) if id(p) not in turning):
            assign = written.parent
            top = assign.parent.parent if isinstance(assign, Assign) and assign.parent is not None else None
            if not isinstance(assign, Assign) or assign.op != "=" or top is not body:
                return None
            values.append(assign.value)
        if variable is temporary:
            if values or any(id(use) not in turning for use in scopes.uses(variable)):
                return None
            continue
        number = forms.value(values[0]) if len(values) == 1 else None
        if number is None:
            return None
        numbers[variable] = number
    distinct = len(set(numbers.values())) == len(numbers)
    return Rotation(after, frozenset(numbers.values()), temporary) if distinct else None
