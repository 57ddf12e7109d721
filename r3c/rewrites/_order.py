"""When iterations or statements may run in another order: what the rewrites that move work have to show."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from r3c.core.source import Span
from r3c.rewrites._rewrite import Rewrite, allows_rounding
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_dependence import Conflict
from r3c.tree.analysis_effects import Access, Effects
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_nodes import bare, call_name
from r3c.tree.analysis_scopes import Variable
from r3c.tree.analysis_types import is_integer_type
from r3c.tree.nodes import Assign, Binary, Call, Name, Node, PostInc, Unary
from r3c.tree.regions import KernelRegion

COMMUTATIVE = {"+=": "+", "*=": "*", "&=": "&", "|=": "|", "^=": "^", "-=": "+"}
EXTREMES = frozenset(("min", "max", "fminf", "fmaxf", "fmin", "fmax"))


def varies_in(analysis: Analysis, loop: Node) -> Callable[[str], bool]:
    """Whether an atom of a form can have different values in different iterations of `loop`."""
    inside = analysis.effects.of(loop)
    changing = {v.unique for v in inside.written_variables()} | {v.unique for v in analysis.scopes.declared_in(loop)}

    def varies(name: str) -> bool:
        head = name.split(".")[0]
        return name in changing or head in changing

    return varies


def refuse_hidden(rewrite: Rewrite, region: KernelRegion, effects: Effects, atomics: bool = False) -> None:
    """Refuses code that does more than read and write memory r3c can see, barriers and warp operations included."""
    for node in effects.unknown:
        raise rewrite.refuse(region, node, "what this does is not known")
    for node in [*effects.barriers, *effects.warp]:
        raise rewrite.refuse(region, node, "threads work together here")
    for access in effects.accesses:
        if access.atomic and not atomics:
            raise rewrite.refuse(region, access.node, "an atomic operation keeps its place")
        if access.variable is not None and access.variable.is_volatile:
            raise rewrite.refuse(region, access.node, f"`{access.variable.name}` is volatile")


def written_outside(analysis: Analysis, loop: Loop) -> list[Variable]:
    """Variables that the loop's body writes and that live on after an iteration, in order of declaration."""
    written = analysis.effects.of(loop.body).written_variables()
    found = [v for v in written if not loop.node.span.contains(v.node.span)]
    return sorted(found, key=lambda v: v.node.span.start)


def reduction_operator(analysis: Analysis, loop: Node, variable: Variable) -> str | None:
    """`+`, `*`, `&`, `|`, `^`, `min` or `max` where every use of `variable` in `loop` folds a value into it."""
    operators: set[str] = set()
    seen = 0
    for assign in loop.walk():
        found = _folding(analysis, assign, variable)
        if found is None:
            continue
        operator, value = found
        uses = len(analysis.scopes.uses_in(variable, assign))
        if value is not None and any(
            analysis.scopes.variable(n) is variable for n in value.walk() if isinstance(n, Name)
        ):
            return None
        operators.add(operator)
        seen += uses
    total = len(analysis.scopes.uses_in(variable, loop))
    return operators.pop() if len(operators) == 1 and seen == total else None


def _folding(analysis: Analysis, node: Node, variable: Variable) -> tuple[str, Node | None] | None:
    """Operator and folded value, where `node` is `v op= e`, `v = v op e`, `v = fmaxf(v, e)` or `v++`."""

    def means(part: Node) -> bool:
        part = bare(part)
        return isinstance(part, Name) and analysis.scopes.variable(part) is variable

    if isinstance(node, Unary | PostInc) and node.op in ("++", "--") and means(node.operand):
        return "+", None
    if not isinstance(node, Assign) or not means(node.target):
        return None
    value = bare(node.value)
    if node.op in COMMUTATIVE:
        return COMMUTATIVE[node.op], value
    if node.op != "=":
        return None
    if isinstance(value, Binary) and value.op in ("+", "*", "&", "|", "^"):
        if means(value.left):
            return value.op, value.right
        return (value.op, value.left) if means(value.right) else None
    if isinstance(value, Call) and call_name(value) in EXTREMES and len(value.args) == 2:
        name = "min" if "min" in call_name(value) else "max"
        if means(value.args[0]):
            return name, value.args[1]
        return (name, value.args[0]) if means(value.args[1]) else None
    return None


def refuse_carried_scalars(rewrite: Rewrite, region: KernelRegion, loop: Loop) -> dict[Variable, str]:
    """Variables folded across iterations with their operator; refuses every other value that iterations hand on."""
    analysis = analyse(region)
    out: dict[Variable, str] = {}
    for variable in written_outside(analysis, loop):
        operator = reduction_operator(analysis, loop.body, variable) if variable.is_scalar else None
        place = next(a.node for a in analysis.effects.of(loop.body).accesses if a.variable is variable and a.writes)
        if operator is None:
            raise rewrite.refuse(region, place, f"`{variable.name}` is handed from one iteration to the next")
        refuse_rounding(rewrite, region, place, variable, operator)
        out[variable] = operator
    return out


def refuse_rounding(rewrite: Rewrite, region: KernelRegion, place: Node, variable: Variable, operator: str) -> None:
    """Refuses to reorder a floating-point sum or product where results have to be exact."""
    exact = is_integer_type(variable.base_type) or operator in ("min", "max")
    if not exact and not allows_rounding(region):
        why = f"the order in which `{variable.name}` is summed up changes its rounding, and the contract asks for exact results"
        raise rewrite.refuse(region, place, why, hint="say kernel(rtol=...) where a small difference is acceptable")


def conflicts_between(
    analysis: Analysis, first: Iterable[Access], second: Iterable[Access], loop: Loop, body: Node | None = None
) -> list[Conflict]:
    """Memory conflicts of two sets of accesses across iterations of `loop`."""
    varies = varies_in(analysis, body if body is not None else loop.node)
    return analysis.dependences.conflicts(list(first), list(second), loop.atom, varies)


def head_span(loop: Loop) -> Span:
    """From `for` to the closing parenthesis of its head."""
    closing = loop.node.token("RPAR")
    assert closing is not None, "a for loop has a head"
    return Span(loop.node.span.start, closing.end)
