"""What a piece of a kernel reads, writes and otherwise does, each access with the variable it goes through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from r3c.tree.analysis_macros import OutsideNames
from r3c.tree.analysis_names import (
    BARRIERS,
    FENCES,
    LOADS,
    PURE_FUNCTIONS,
    STORES,
    THREAD_BUILTINS,
    WARP_FUNCTIONS,
    is_atomic,
)
from r3c.tree.analysis_nodes import bare, call_name, operands_of
from r3c.tree.analysis_scopes import SHARED, Scopes, Variable
from r3c.tree.nodes import (
    Asm,
    Assign,
    Binary,
    Break,
    Call,
    Cast,
    Continue,
    Delete,
    Goto,
    Index,
    InitDeclarator,
    Label,
    Lambda,
    Launch,
    MacroStmt,
    Member,
    Name,
    New,
    Node,
    OpaqueStmt,
    Paren,
    PostInc,
    RawDeclaration,
    Return,
    Ternary,
    Throw,
    Try,
    TypeCall,
    Unary,
)


@dataclass(frozen=True, eq=False)
class Access:
    """One read or write.

    Attributes:
        variable: the variable named; for memory the pointer or array it goes through, None where unknown.
        node: the whole expression, e.g. `a[i][j]`.
        subscripts: of a memory access, outermost first; None where the element is not known.
        memory: whether an element is accessed, not the variable's own value.
    """

    variable: Variable | None
    node: Node
    reads: bool
    writes: bool
    memory: bool = False
    subscripts: tuple[Node, ...] | None = None
    atomic: bool = False


@dataclass
class Effects:
    """All accesses of a piece of code in source order, and what cannot be seen through."""

    accesses: list[Access] = field(default_factory=list)
    unknown: list[Node] = field(default_factory=list)
    barriers: list[Node] = field(default_factory=list)
    warp: list[Node] = field(default_factory=list)
    jumps: list[Node] = field(default_factory=list)

    @property
    def memory(self) -> list[Access]:
        return [a for a in self.accesses if a.memory]

    @property
    def memory_writes(self) -> list[Access]:
        return [a for a in self.accesses if a.memory and a.writes]

    def written_variables(self) -> set[Variable]:
        """Variables whose own value is written (not memory reached through them)."""
        return {a.variable for a in self.accesses if a.writes and not a.memory and a.variable}

    def read_variables(self) -> set[Variable]:
        return {a.variable for a in self.accesses if a.reads and not a.memory and a.variable}

    def writes_of(self, variable: Variable) -> list[Access]:
        return [a for a in self.accesses if a.writes and not a.memory and a.variable is variable]

    @property
    def is_pure(self) -> bool:
        """Whether this only reads."""
        return not (self.unknown or self.barriers or self.warp or self.jumps) and not any(
            a.writes for a in self.accesses
        )


class EffectReader:
    """Collects effects of nodes of one function."""

    def __init__(self, scopes: Scopes, outside: OutsideNames, pure: Iterable[str] = ()) -> None:
        self.scopes = scopes
        self.outside = outside
        self.pure = (PURE_FUNCTIONS - outside.redefined) | set(pure) | outside.pure_macros
        self._cache: dict[int, Effects] = {}

    def of(self, *nodes: Node | None) -> Effects:
        """Effects of `nodes` together (None is nothing)."""
        found = [self._one(node) for node in nodes if node is not None]
        if len(found) == 1:
            return found[0]
        total = Effects()
        for effects in found:
            _extend(total, effects)
        return total

    def _one(self, node: Node) -> Effects:
        cached = self._cache.get(id(node))
        if cached is None:
            cached = Effects()
            self._visit(node, cached, "read")
            self._cache[id(node)] = cached
        return cached

    def _visit(self, node: Node, out: Effects, mode: str) -> None:
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            handler(self, node, out, mode)
            return
        if isinstance(node, _OPAQUE):
            out.unknown.append(node)
            return
        for child in node.nodes:
            self._visit(child, out, "read")

    def _name(self, node: Name, out: Effects, mode: str) -> None:
        variable = self.scopes.variable(node)
        if variable is None and node.text in THREAD_BUILTINS:
            return
        if variable is None and self._outside(node, out, mode):
            return
        if variable is not None and (variable.is_reference or (variable.kind == SHARED and not variable.is_array)):
            place = None if variable.is_reference else ()
            out.accesses.append(Access(variable, node, mode != "write", mode != "read", True, place))
            return
        if variable is not None and variable.is_array and mode == "read":
            out.accesses.append(Access(variable, node, True, True, memory=True, subscripts=None))
            return
        out.accesses.append(Access(variable, node, mode != "write", mode != "read"))

    def _outside(self, node: Name, out: Effects, mode: str) -> bool:
        """A name that the function does not declare; whether that is all there is to say."""
        if self.outside.hides(node.text):
            out.unknown.append(node)
            return True
        if mode != "read" or self.outside.is_memory(node.text):
            out.accesses.append(Access(None, node, mode != "write", mode != "read", True, None))
            return True
        return False

    def _index(self, node: Node, out: Effects, mode: str) -> None:
        subscripts: list[Node] = []
        base: Node = node
        while isinstance(base, Index):
            subscripts.insert(0, base.index)
            base = bare(base.base)
        for subscript in subscripts:
            self._visit(subscript, out, "read")
        self._through(base, tuple(subscripts), node, out, mode)

    def _through(
        self, base: Node, subscripts: tuple[Node, ...] | None, node: Node, out: Effects, mode: str, atomic: bool = False
    ) -> None:
        """An access to memory through pointer or array expression `base`."""
        reads, writes = mode != "write", mode != "read"
        if isinstance(base, Name):
            variable = self.scopes.variable(base)
            if variable is None and self.outside.hides(base.text):
                out.unknown.append(base)
            if variable is None and mode == "read" and self.outside.is_constant_memory(base.text):
                return
            out.accesses.append(Access(variable, node, reads, writes, True, subscripts, atomic))
            return
        if isinstance(base, Index):
            self._index(base, out, "read")
        else:
            self._visit(base, out, "read")
        root = pointer_root(base, self.scopes)
        out.accesses.append(Access(root, node, reads, writes, True, None, atomic))

    def _member(self, node: Member, out: Effects, mode: str) -> None:
        base = bare(node.object)
        if isinstance(base, Name) and base.text in THREAD_BUILTINS and self.scopes.variable(base) is None:
            return
        if node.op == "->":
            self._through(base, None, node, out, mode)
        else:
            self._visit(base, out, "update" if mode == "write" else mode)

    def _unary(self, node: Unary, out: Effects, mode: str) -> None:
        operand = bare(node.operand)
        if node.op in ("++", "--"):
            self._visit(operand, out, "update")
        elif node.op == "*":
            self._dereference(operand, node, out, mode)
        elif node.op == "&":
            self._address(operand, node, out, "update")
        else:
            self._visit(operand, out, "read")

    def _dereference(self, operand: Node, node: Node, out: Effects, mode: str) -> None:
        if isinstance(operand, Binary) and operand.op == "+" and isinstance(bare(operand.left), Name):
            self._visit(operand.right, out, "read")
            self._through(bare(operand.left), (operand.right,), node, out, mode)
        else:
            self._through(operand, () if isinstance(operand, Name) else None, node, out, mode)

    def _address(self, target: Node, node: Node, out: Effects, mode: str, atomic: bool = False) -> None:
        """`&target` handed to something that reads or writes there."""
        subscripts: list[Node] = []
        base = target
        while isinstance(base, Index):
            subscripts.insert(0, base.index)
            self._visit(base.index, out, "read")
            base = bare(base.base)
        if subscripts and isinstance(base, Name):
            self._through(base, tuple(subscripts) if atomic or mode == "read" else None, node, out, mode, atomic)
        elif isinstance(base, Name):
            out.accesses.append(
                Access(self.scopes.variable(base), node, mode != "write", mode != "read", atomic=atomic)
            )
        else:
            self._through(base, None, node, out, mode, atomic)

    def _assign(self, node: Assign, out: Effects, mode: str) -> None:
        target = bare(node.target)
        pointer = self.scopes.variable(target) if node.op == "=" and isinstance(target, Name) else None
        if pointer is not None and pointer.is_pointer and not pointer.is_array:
            self._visit_init(node.value, out, pointer)
        else:
            self._visit(node.value, out, "read")
        self._visit(bare(node.target), out, "write" if node.op == "=" else "update")

    def _declarator(self, node: InitDeclarator, out: Effects, mode: str) -> None:
        for bound in node.declarator.bounds:
            if bound is not None:
                self._visit(bound, out, "read")
        variable = self.scopes.declared_by(node)
        if node.init is not None:
            self._visit_init(node.init, out, variable)
        if variable is not None:
            out.accesses.append(Access(variable, node, False, True, memory=False))

    def _visit_init(self, init: Node, out: Effects, variable: Variable | None) -> None:
        """An initialiser; a pointer that only names a place does not touch the memory there."""
        if variable is not None and (variable.is_pointer or variable.is_reference):
            mark = len(out.accesses)
            self._visit(init, out, "read")
            root = pointer_root(init, self.scopes)
            if root is not None:
                kept = [a for a in out.accesses[mark:] if not (a.memory and a.variable is root)]
                out.accesses[mark:] = kept
            return
        self._visit(init, out, "read")

    def _call(self, node: Call, out: Effects, mode: str) -> None:
        name = call_name(node)
        if name in BARRIERS:
            out.barriers.append(node)
            self._all(node.args, out)
        elif is_atomic(name) and node.args:
            self._pointer_argument(node.args[0], node, out, "update", atomic=True)
            self._all(node.args[1:], out)
        elif name in LOADS and len(node.args) == 1:
            self._pointer_argument(node.args[0], node, out, "read")
        elif name in STORES and len(node.args) == 2:
            self._visit(node.args[1], out, "read")
            self._pointer_argument(node.args[0], node, out, "write")
        elif name in WARP_FUNCTIONS:
            out.warp.append(node)
            self._all(node.args, out)
        elif name in self.pure:
            self._all(node.args, out)
        else:
            if name not in FENCES:
                self._all(node.args, out)
            out.unknown.append(node)

    def _pointer_argument(self, pointer: Node, node: Node, out: Effects, mode: str, atomic: bool = False) -> None:
        pointer = bare(pointer)
        if isinstance(pointer, Unary) and pointer.op == "&":
            self._address(bare(pointer.operand), node, out, mode, atomic)
        elif isinstance(pointer, Binary) and pointer.op == "+" and isinstance(bare(pointer.left), Name):
            self._visit(pointer.right, out, "read")
            self._through(bare(pointer.left), (pointer.right,), node, out, mode, atomic)
        else:
            subscripts: tuple[Node, ...] | None = () if isinstance(pointer, Name) else None
            self._through(pointer, subscripts, node, out, mode, atomic)

    def _all(self, nodes: Sequence[Node], out: Effects) -> None:
        for node in nodes:
            self._visit(node, out, "read")

    def _increment(self, node: PostInc, out: Effects, mode: str) -> None:
        self._visit(bare(node.operand), out, "update")

    def _type_call(self, node: TypeCall, out: Effects, mode: str) -> None:
        self._all(operands_of(node), out)

    def _jump(self, node: Node, out: Effects, mode: str) -> None:
        out.jumps.append(node)
        self._all(node.nodes, out)

    def _paren(self, node: Paren, out: Effects, mode: str) -> None:
        self._visit(node.inner, out, mode)

    def _cast(self, node: Cast, out: Effects, mode: str) -> None:
        self._visit(node.operand, out, "read")

    def _ternary(self, node: Ternary, out: Effects, mode: str) -> None:
        self._visit(node.nodes[0], out, "read")
        self._visit(node.nodes[1], out, mode)
        self._visit(node.nodes[2], out, mode)


_OPAQUE = (OpaqueStmt, MacroStmt, Asm, Goto, Label, Lambda, New, Delete, Throw, Try, RawDeclaration, Launch)

_HANDLERS: dict[type[Node], Any] = {
    Name: EffectReader._name,
    Index: EffectReader._index,
    Member: EffectReader._member,
    Unary: EffectReader._unary,
    Assign: EffectReader._assign,
    InitDeclarator: EffectReader._declarator,
    PostInc: EffectReader._increment,
    TypeCall: EffectReader._type_call,
    Call: EffectReader._call,
    Return: EffectReader._jump,
    Break: EffectReader._jump,
    Continue: EffectReader._jump,
    Paren: EffectReader._paren,
    Cast: EffectReader._cast,
    Ternary: EffectReader._ternary,
}


def _extend(total: Effects, more: Effects) -> None:
    total.accesses += more.accesses
    total.unknown += more.unknown
    total.barriers += more.barriers
    total.warp += more.warp
    total.jumps += more.jumps


def pointer_root(node: Node, scopes: Scopes, depth: int = 8) -> Variable | None:
    """The pointer or array that pointer expression `node` is made of; None where there may be several, or others."""
    node = bare(node)
    if isinstance(node, Name):
        return _root_of_variable(scopes.variable(node), scopes, depth)
    if isinstance(node, Cast):
        return pointer_root(node.operand, scopes, depth)
    if isinstance(node, Binary) and node.op in ("+", "-"):
        left = pointer_root(node.left, scopes, depth)
        return left if left is not None else (pointer_root(node.right, scopes, depth) if node.op == "+" else None)
    if isinstance(node, Unary) and node.op == "&":
        inner = bare(node.operand)
        while isinstance(inner, Index):
            inner = bare(inner.base)
        return pointer_root(inner, scopes, depth) if isinstance(inner, Name) else None
    if isinstance(node, Index):
        root = pointer_root(node.base, scopes, depth)
        return root if root is not None and len(root.dims) > 1 else None
    return None


def _root_of_variable(variable: Variable | None, scopes: Scopes, depth: int) -> Variable | None:
    if variable is None or not (variable.is_pointer or variable.is_array or variable.is_reference):
        return None
    if variable.kind != "local" or variable.is_array or variable.init is None or depth == 0:
        return variable
    root = pointer_root(variable.init, scopes, depth - 1)
    return root if root is not None else variable
