"""The end of a kernel that only adds up one value over threads: run on a sum of values it gives the sum of its results."""

from __future__ import annotations

from bisect import bisect_right

from r3c.rewrites._body import builtin_members
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_effects import Access
from r3c.tree.analysis_nodes import bare, call_name, names_in
from r3c.tree.analysis_scopes import SHARED, Variable
from r3c.tree.nodes import (
    Assign,
    Binary,
    Body,
    Call,
    DeclStmt,
    Empty,
    ExprStmt,
    For,
    If,
    Index,
    InitDeclarator,
    Name,
    Node,
    PpLine,
    Unary,
)
from r3c.tree.regions import KernelRegion

ADDITION = "atomicAdd"
EXCHANGES = frozenset(("__shfl_sync", "__shfl_down_sync", "__shfl_xor_sync"))


def additive_end(region: KernelRegion, body: Body, axis: str) -> tuple[int, Variable] | None:
    """Where the longest end of `body` begins that adds up one local and does nothing else, and that local.

    The end has at least one atomic addition and uses no block index along `axis`.
    """
    statements = list(body.statements)
    adds = [call.start for call in body.walk() if isinstance(call, Call) and call_name(call) == ADDITION]
    last = bisect_right([s.start for s in statements], max(adds, default=-1))
    for place, carried in enumerate(_carried(analyse(region), statements[:last])):
        if place > 0 and len(carried) == 1 and _Additive(region, carried[0], axis).accepts(statements[place:]):
            return place, carried[0]
    return None


def _carried(analysis: Analysis, statements: list[Node]) -> list[list[Variable]]:
    """For each place among `statements`: what is declared before it and used from there on.

    Shared arrays that are not used before the place count for neither.
    """
    starts = [statement.start for statement in statements]
    carried: list[list[Variable]] = [[] for _ in statements]
    for statement in statements:
        for variable in analysis.scopes.declared_in(statement):
            uses = analysis.scopes.uses(variable)
            before = uses[0].start if variable.kind == SHARED and uses else variable.node.start
            for place in range(bisect_right(starts, before), bisect_right(starts, uses[-1].start if uses else -1)):
                carried[place].append(variable)
    return carried


class _Additive:
    """Whether statements are additive in one variable: shuffled and shared sums of it, added to memory at last."""

    def __init__(self, region: KernelRegion, variable: Variable, axis: str) -> None:
        self.analysis = analyse(region)
        self.axis = axis
        self.parts: set[Variable] = {variable}
        self.atomics = 0

    def accepts(self, statements: list[Node]) -> bool:
        variable = next(iter(self.parts))
        if not variable.is_scalar or any(builtin_members(s, "blockIdx", self.axis) for s in statements):
            return False
        effects = self.analysis.effects.of(*statements)
        if effects.unknown or effects.jumps or any(builtin_members(s, "gridDim", self.axis) for s in statements):
            return False
        return all(self.statement(s) for s in statements) and self.atomics > 0

    def statement(self, node: Node) -> bool:
        if isinstance(node, Body):
            return all(self.statement(s) for s in node.statements)
        if isinstance(node, If):
            return self.steady(node.cond) and all(self.statement(s) for s in node.nodes[1:])
        if isinstance(node, For):
            head = [n for n in (node.init, node.cond, node.step) if n is not None]
            return all(self.steady(n) for n in head) and self.statement(node.body)
        if isinstance(node, DeclStmt):
            return all(self.declared(d) for d in node.declaration.declarators)
        if isinstance(node, ExprStmt):
            return bool(node.nodes) and self.expression(bare(node.nodes[0]))
        return isinstance(node, Empty | PpLine)

    def declared(self, node: Node) -> bool:
        variable = self.analysis.scopes.declared_by(node)
        if variable is None or not isinstance(node, InitDeclarator):
            return False
        if node.init is None:
            return (variable.kind == SHARED and variable.is_array) or variable.is_scalar
        if self.linear(node.init):
            self.parts.add(variable)
            return True
        return self.steady(node.init)

    def expression(self, node: Node) -> bool:
        if isinstance(node, Call):
            return self.call(node)
        if not isinstance(node, Assign):
            return self.steady(node) and self.analysis.effects.of(node).is_pure
        target = bare(node.target)
        root = target
        while isinstance(root, Index):
            if not self.steady(root.index):
                return False
            root = bare(root.base)
        variable = self.analysis.scopes.variable(root) if isinstance(root, Name) else None
        if variable is None or not (variable.is_scalar or variable.kind == SHARED) or not self.linear(node.value):
            return False
        if node.op not in ("=", "+=", "-=") or (node.op != "=" and variable not in self.parts):
            return False
        self.parts.add(variable)
        return True

    def call(self, node: Call) -> bool:
        name = call_name(node)
        if name == "__syncthreads" or name == "__syncwarp":
            return all(self.steady(arg) for arg in node.args)
        if name != ADDITION or len(node.args) != 2 or not isinstance(node.parent, ExprStmt):
            return False
        self.atomics += 1
        return self.steady(node.args[0]) and self.linear(node.args[1])

    def linear(self, node: Node) -> bool:
        """Whether `node` is a sum of multiples of what is added up."""
        node = bare(node)
        if isinstance(node, Name | Index):
            root: Node = node
            while isinstance(root, Index):
                if not self.steady(root.index):
                    return False
                root = bare(root.base)
            return isinstance(root, Name) and self.analysis.scopes.variable(root) in self.parts
        if isinstance(node, Binary) and node.op in ("+", "-"):
            return self.linear(node.left) and self.linear(node.right)
        if isinstance(node, Binary) and node.op == "*":
            pair = (node.left, node.right)
            return any(self.linear(a) and self.steady(b) for a, b in (pair, pair[::-1]))
        if isinstance(node, Unary) and node.op == "-":
            return self.linear(node.operand)
        if isinstance(node, Call) and call_name(node) in EXCHANGES and len(node.args) >= 3:
            others = [arg for place, arg in enumerate(node.args) if place != 1]
            return self.linear(node.args[1]) and all(self.steady(arg) for arg in others)
        return False

    def steady(self, node: Node) -> bool:
        """Whether `node` has nothing of what is added up, nor of memory that anyone may write."""
        effects = self.analysis.effects.of(node)
        if effects.unknown or effects.warp or any(not self._is_steady_access(a) for a in effects.accesses):
            return False
        return not any(self.analysis.scopes.variable(name) in self.parts for name in names_in(node))

    def _is_steady_access(self, access: Access) -> bool:
        return not access.memory or (access.variable is None and not access.writes)
