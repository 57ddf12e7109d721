"""Which values are the same in all threads of a block: everything that does not come from `threadIdx` or from memory that changes."""

from __future__ import annotations

from r3c.tree.analysis_effects import EffectReader
from r3c.tree.analysis_names import LOADS, PURE_FUNCTIONS, WARP_FUNCTIONS, is_atomic
from r3c.tree.analysis_nodes import body_of, call_name
from r3c.tree.analysis_scopes import Scopes, Variable
from r3c.tree.file import Function
from r3c.tree.nodes import (
    Assign,
    Break,
    Call,
    Continue,
    Do,
    For,
    Goto,
    If,
    Index,
    InitDeclarator,
    Member,
    Name,
    Node,
    PostInc,
    Return,
    Switch,
    Ternary,
    Unary,
    While,
)


class Uniformity:
    """Block-uniformity of the expressions of one function; what is not known to be uniform counts as varying."""

    def __init__(self, function: Function, scopes: Scopes, effects: EffectReader) -> None:
        self._function = function
        self._scopes = scopes
        whole = effects.of(body_of(function))
        self._written_memory = {a.variable.unique for a in whole.memory_writes if a.variable}
        self._writes_elsewhere = any(a.variable is None or not a.variable.is_array for a in whole.memory_writes)
        self._memory_unknown = any(a.variable is None for a in whole.memory_writes) or bool(whole.unknown)
        self._varying: set[str] = {v.unique for v in scopes.variables if v.is_array or v.kind == "shared"}
        self._varying |= {v.unique for v in scopes.variables if any(v.name in n.text for n in whole.unknown)}
        self._known: dict[int, bool] = {}
        self._settled = False
        self._spread()
        self._settled = True
        returns = [n for n in function.walk() if isinstance(n, Return)]
        self._divergent_returns = [r for r in returns if not all(self.is_uniform(c) for c in _conditions(r))]

    def is_uniform(self, node: Node) -> bool:
        """Whether every thread of the block that evaluates `node` at the same time gets the same value."""
        if not self._settled:
            return self._find_uniform(node)
        key = id(node)
        if key not in self._known:
            self._known[key] = self._find_uniform(node)
        return self._known[key]

    def _find_uniform(self, node: Node) -> bool:
        if isinstance(node, Name):
            return self._name(node)
        if isinstance(node, Index):
            return self._load(node)
        if isinstance(node, Unary) and node.op == "*":
            return False
        if isinstance(node, Call) and not self._call(node):
            return False
        if isinstance(node, Member) and node.op != ".":
            return False
        return all(self.is_uniform(child) for child in node.nodes)

    def is_uniformly_reached(self, node: Node) -> bool:
        """Whether all threads of a block reach `node` together (or none does)."""
        around = [a for a in node.ancestors() if isinstance(a, For | While | Do)]
        if any(self._divergent_jump_in(loop) for loop in around):
            return False
        return all(self.is_uniform(c) for c in _conditions(node)) and not self._divergent_exit_before(node)

    def divergent_control(self, node: Node) -> Node | None:
        """The condition around `node` that may differ between threads, None where there is none."""
        for condition in _conditions(node):
            if not self.is_uniform(condition):
                return condition
        return None

    def _divergent_exit_before(self, node: Node) -> bool:
        return any(r.start < node.start for r in self._divergent_returns)

    def _name(self, node: Name) -> bool:
        if node.text == "threadIdx":
            return False
        variable = self._scopes.variable(node)
        return variable is None or variable.unique not in self._varying

    def _load(self, node: Index) -> bool:
        base: Node = node
        while isinstance(base, Index):
            if not self.is_uniform(base.index):
                return False
            base = base.base
        if not isinstance(base, Name):
            return False
        variable = self._scopes.variable(base)
        if variable is None or variable.kind != "parameter" or self._memory_unknown:
            return False
        if not variable.is_restrict and self._writes_elsewhere:
            return False
        return (
            variable.unique not in self._written_memory
            and "const" in variable.type_text.split()
            and not variable.is_volatile
        )

    @staticmethod
    def _call(node: Call) -> bool:
        name = call_name(node)
        return name in PURE_FUNCTIONS and name not in WARP_FUNCTIONS and name not in LOADS and not is_atomic(name)

    def _spread(self) -> None:
        changed = True
        while changed:
            before = len(self._varying)
            for node in body_of(self._function).walk():
                variable, value = self._definition(node)
                if variable is None or variable.unique in self._varying:
                    continue
                settled = (value is None or self.is_uniform(value)) and self.divergent_control(node) is None
                if not settled or self._in_divergent_loop(node):
                    self._varying.add(variable.unique)
            changed = len(self._varying) > before

    def _definition(self, node: Node) -> tuple[Variable | None, Node | None]:
        if isinstance(node, InitDeclarator):
            return self._scopes.declared_by(node), node.init
        if isinstance(node, Assign) and isinstance(node.target, Name):
            return self._scopes.variable(node.target), node.value
        if isinstance(node, Unary | PostInc) and node.op in ("++", "--") and isinstance(node.operand, Name):
            return self._scopes.variable(node.operand), None
        if isinstance(node, Unary) and node.op == "&" and isinstance(node.operand, Name):
            return self._scopes.variable(node.operand), node
        return None, None

    def _in_divergent_loop(self, node: Node) -> bool:
        """Whether a loop around `node` may run a different number of times in different threads."""
        for above in node.ancestors():
            if isinstance(above, For | While | Do) and (above.cond is not None and not self.is_uniform(above.cond)):
                return True
            if isinstance(above, For | While | Do) and self._divergent_jump_in(above):
                return True
        return False

    def _divergent_jump_in(self, loop: Node) -> bool:
        jumps = [n for n in loop.walk() if isinstance(n, Break | Continue | Goto)]
        return any(self.divergent_control(jump) is not None for jump in jumps)


def _conditions(node: Node) -> list[Node]:
    """Conditions that decide whether or how often `node` runs."""
    out: list[Node] = []
    below = node
    for above in node.ancestors():
        condition = None
        if isinstance(above, If | Ternary | Switch) and below is not above.nodes[0]:
            condition = above.nodes[0]
        elif isinstance(above, For | While | Do):
            condition = above.cond
        if condition is not None and condition is not below:
            out.append(condition)
        below = above
    return out
