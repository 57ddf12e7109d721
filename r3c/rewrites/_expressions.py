"""What the rewrites of expressions share: where they look, what they may touch, and values that can be computed early."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from r3c.core.source import Edit
from r3c.rewrites._loops import loop_sites
from r3c.rewrites._rewrite import Rewrite
from r3c.tree.analysis import Analysis
from r3c.tree.analysis_effects import Effects
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_nodes import bare, names_in
from r3c.tree.file import Function
from r3c.tree.nodes import (
    Assign,
    Binary,
    DeclStmt,
    ExprStmt,
    Index,
    Lambda,
    Literal,
    Member,
    Node,
    Paren,
    PostInc,
    SizeOf,
    Ternary,
    Unary,
)
from r3c.tree.regions import KernelRegion

_SPACES = re.compile(r"\s+")


def kernel_and_loops(region: KernelRegion) -> list[str]:
    """The kernel and each of its loops: an expression rewrite changes everything it can inside its site."""
    return [region.name, *loop_sites(region)]


def inside(rewrite: Rewrite, region: KernelRegion) -> Node:
    """The code of the step's site: a kernel's body or a loop."""
    node = region.sites[rewrite.site]
    if isinstance(node, Function):
        body = node.body
        assert body is not None, "edits_of refuses kernels without a body"
        return body
    return node


def expressions(node: Node, frozen: KernelRegion) -> Iterator[Node]:
    """Expressions in `node` outside frozen code and lambdas, outermost first."""
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, Lambda) or frozen.is_frozen(at.span):
            continue
        yield at
        stack.extend(reversed(at.nodes))


def replaced_expressions(
    rewrite: Rewrite, region: KernelRegion, text_of: Callable[[Node], str], reason: str, missing: str
) -> list[Edit]:
    """Edits that replace expressions of the step's site by what `text_of` says, the empty text keeping one.

    Raises:
        RewriteRefused: nothing is to be replaced; `missing` says what was looked for.
    """
    node = inside(rewrite, region)
    found = [(part, text_of(part)) for part in expressions(node, region)]
    edits = [Edit(part.span, text, reason) for part, text in found if text]
    if not edits:
        raise rewrite.refuse(region, node, missing)
    return outermost(edits)


def steady_loads(loop: Loop, analysis: Analysis, wanted: Callable[[Index], bool]) -> dict[str, list[Index]]:
    """Those of the `wanted` subscripts that every iteration of `loop` evaluates, equal ones together, in source order."""
    groups: dict[str, list[Index]] = {}
    for statement in loop.statements:
        stack: list[Node] = [statement] if isinstance(statement, ExprStmt | DeclStmt) else []
        while stack:
            node = stack.pop()
            if isinstance(node, Lambda | SizeOf | Ternary) or (isinstance(node, Binary) and node.op in ("&&", "||")):
                continue
            if isinstance(node, Index) and wanted(node):
                groups.setdefault(key(node, analysis), []).append(node)
                continue
            stack.extend(reversed(node.nodes))
    return groups


def outermost(edits: list[Edit]) -> list[Edit]:
    """Those of `edits` (outer ones first) that lie in no other of them."""
    out: list[Edit] = []
    for edit in edits:
        if not any(other.span.overlaps(edit.span) for other in out):
            out.append(edit)
    return out


def key(node: Node, analysis: Analysis) -> str:
    """Text of an expression with each variable told apart from others of the same name."""
    words = [_SPACES.sub("", node.text)]
    for name in names_in(node):
        variable = analysis.scopes.variable(name)
        words.append(variable.unique if variable is not None else name.text)
    return " ".join(words)


def is_pure_value(effects: Effects) -> bool:
    """Whether an expression only computes; memory may be read."""
    return effects.is_pure and not any(
        a.atomic or (a.variable is not None and a.variable.is_volatile) for a in effects.accesses
    )


def divides_integers(node: Node, analysis: Analysis) -> bool:
    """Whether evaluating `node` where it was not evaluated before could divide by zero."""
    for part in node.walk():
        if isinstance(part, Binary) and part.op in ("/", "%"):
            floating = analysis.types.is_float(part.left) or analysis.types.is_float(part.right)
            divisor = analysis.forms.value(part.right)
            if not floating and (divisor is None or divisor == 0):
                return True
    return False


def is_place(node: Node) -> bool:
    """Whether `node` names a place rather than a value: it is written, its address is taken, or a part of it is meant."""
    above = node.parent
    while isinstance(above, Paren):
        node, above = above, above.parent
    if above is None or not above.nodes or above.nodes[0] is not node:
        return False
    if isinstance(above, Unary):
        return above.op in ("&", "++", "--")
    return isinstance(above, Assign | PostInc | Index | Member)


def literal_value(node: Node) -> float | None:
    """Value of a numeric literal, with or without a sign; None for anything else."""
    node = bare(node)
    if isinstance(node, Unary) and node.op in ("-", "+"):
        inner = literal_value(node.operand)
        return inner if inner is None or node.op == "+" else -inner
    if not isinstance(node, Literal):
        return None
    text = node.text.replace("'", "").rstrip("fFlLuU")
    try:
        return float(int(text, 0)) if re.fullmatch(r"0[xX][0-9a-fA-F]+|\d+", text) else float(text)
    except ValueError:
        return None
