"""Views over the tree that rewrites think in: canonical loops, names read and written, barriers, shared arrays."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.tree.declarations import Decl, DeclStmt, InitDeclarator
from r3c.tree.expressions import Assign, Binary, Call, Index, Member, Name, Paren, PostInc, Unary
from r3c.tree.file import Function
from r3c.tree.node import Node
from r3c.tree.statements import ExprStmt, For

BARRIERS = frozenset(
    ("__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or", "sync", "barrier")
)
COMPARISONS = ("<", "<=", ">", ">=", "!=")


@dataclass(frozen=True)
class CanonicalLoop:
    """`for (int i = start; i < bound; i += stride)`.

    Attributes:
        counter: its name.
        type_text: type of the counter, empty where the loop does not declare it.
        start, bound, stride: expressions; stride is None for `++` and `--`.
        compare: comparison of counter with bound, counter on the left.
        direction: 1 upwards, -1 downwards.
    """

    node: For
    counter: str
    type_text: str
    start: Node
    bound: Node
    compare: str
    stride: Node | None
    direction: int

    @property
    def body(self) -> Node:
        return self.node.body

    @property
    def stride_text(self) -> str:
        return self.stride.text if self.stride is not None else "1"


def strip_parens(node: Node) -> Node:
    while isinstance(node, Paren):
        node = node.inner
    return node


def canonical_loop(node: Node) -> CanonicalLoop | None:
    """The loop in canonical form, None where it is not one."""
    if not isinstance(node, For) or node.cond is None or node.step is None:
        return None
    first = _first(node.init)
    if first is None:
        return None
    counter, type_text, start = first
    bound = _bound(node.cond, counter)
    stride = _stride(node.step, counter)
    if bound is None or stride is None:
        return None
    return CanonicalLoop(node, counter, type_text, start, bound[1], bound[0], stride[0], stride[1])


def loop_counter(node: Node) -> str:
    """Name of the variable that a `for` loop starts with, empty where there is none."""
    first = _first(node.init) if isinstance(node, For) and node.nodes else None
    return first[0] if first else ""


def _first(init: Node) -> tuple[str, str, Node] | None:
    """Counter, its type and its start from `int i = 0;` or `i = 0;`."""
    inner = init.nodes[0] if init.nodes else None
    if isinstance(inner, Decl):
        if len(inner.declarators) != 1:
            return None
        declared = inner.declarators[0]
        plain = not declared.declarator.is_pointer and not declared.declarator.bounds
        return (declared.name, inner.type_text, declared.init) if plain and declared.init is not None else None
    if isinstance(inner, Assign) and inner.op == "=" and isinstance(inner.target, Name):
        return inner.target.text, "", inner.value
    return None


def _bound(cond: Node, counter: str) -> tuple[str, Node] | None:
    cond = strip_parens(cond)
    if not isinstance(cond, Binary) or cond.op not in COMPARISONS:
        return None
    left, right = strip_parens(cond.left), strip_parens(cond.right)
    if isinstance(left, Name) and left.text == counter:
        return cond.op, right
    if isinstance(right, Name) and right.text == counter:
        return {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(cond.op, cond.op), left
    return None


def _stride(step: Node, counter: str) -> tuple[Node | None, int] | None:
    step = strip_parens(step)
    if isinstance(step, PostInc | Unary) and step.op in ("++", "--") and step.operand.text == counter:
        return None, 1 if step.op == "++" else -1
    if isinstance(step, Assign) and step.target.text == counter:
        if step.op in ("+=", "-="):
            return step.value, 1 if step.op == "+=" else -1
        value = strip_parens(step.value)
        if step.op == "=" and isinstance(value, Binary) and value.op in ("+", "-") and value.left.text == counter:
            return value.right, 1 if value.op == "+" else -1
    return None


def names_read(node: Node) -> set[str]:
    """Names whose value is used; of `a[i] = b` these are a, i and b."""
    out: set[str] = set()
    for below in node.walk():
        if isinstance(below, Name) and not _is_member_name(below) and not _is_plain_target(below):
            out.add(below.text)
    return out


def names_written(node: Node) -> set[str]:
    """Names of variables that are declared or assigned, arrays whose elements are, and those whose address is taken."""
    out: set[str] = set()
    for below in node.walk():
        if isinstance(below, InitDeclarator):
            out.add(below.name)
        target = written_target(below)
        if target is not None:
            base = base_name(target)
            if base is not None:
                out.add(base.text)
    return out


def written_target(node: Node) -> Node | None:
    """What a node writes: the target of an assignment or increment, the operand of `&`."""
    if isinstance(node, Assign):
        return node.target
    if isinstance(node, PostInc):
        return node.operand
    if isinstance(node, Unary) and node.op in ("++", "--", "&"):
        return node.operand
    return None


def base_name(node: Node) -> Name | None:
    """The variable an lvalue starts from: `a` of `a[i].x`, `p` of `*p`."""
    while not isinstance(node, Name):
        if isinstance(node, Index):
            node = node.base
        elif isinstance(node, Member):
            node = node.object
        elif isinstance(node, Paren):
            node = node.inner
        elif isinstance(node, Unary) and node.op == "*":
            node = node.operand
        elif isinstance(node, Binary):
            node = node.left
        else:
            return None
    return node


def _is_member_name(node: Name) -> bool:
    return isinstance(node.parent, Member) and node.parent.nodes[-1] is node


def _is_plain_target(node: Name) -> bool:
    return isinstance(node.parent, Assign) and node.parent.op == "=" and node.parent.target is node


def is_barrier(node: Node) -> bool:
    """Whether a statement is a barrier of the block or of a group."""
    if not isinstance(node, ExprStmt) or not isinstance(node.expression, Call):
        return False
    callee = node.expression.callee
    name = callee.member if isinstance(callee, Member) else callee.text.split("::")[-1]
    return name in BARRIERS


def has_barrier(node: Node) -> bool:
    return any(is_barrier(below) for below in node.walk())


def shared_declarations(function: Function) -> list[InitDeclarator]:
    """Declared `__shared__` variables, static and dynamic."""
    out: list[InitDeclarator] = []
    for node in function.walk():
        if isinstance(node, DeclStmt) and node.declaration.is_shared:
            out += node.declaration.declarators
    return out
