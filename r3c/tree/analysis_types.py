"""Arithmetic types of expressions, as far as one file tells; an empty text where it does not."""

from __future__ import annotations

from r3c.tree.analysis_names import FLOATING_TYPES, LOADS, NARROW_TYPES, SIGNED_TYPES, THREAD_BUILTINS, UNSIGNED_TYPES
from r3c.tree.analysis_nodes import bare, call_name, called_type
from r3c.tree.analysis_scopes import Scopes, Variable
from r3c.tree.nodes import (
    Assign,
    Binary,
    Call,
    Cast,
    Index,
    Literal,
    Member,
    Name,
    Node,
    Paren,
    PostInc,
    Ternary,
    TypeCall,
    Unary,
)

_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!=", "&&", "||"))
_SAME = {
    "unsigned": "unsigned int",
    "uint": "unsigned int",
    "uint32_t": "unsigned int",
    "int32_t": "int",
    "signed int": "int",
}
_ORDER = ("int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long", "float", "double")
_DOUBLE_MATH = frozenset(
    [
        "sqrt",
        "exp",
        "log",
        "pow",
        "sin",
        "cos",
        "tan",
        "fabs",
        "floor",
        "ceil",
        "tanh",
        "rsqrt",
        "fma",
        "fmax",
        "fmin",
        "atan",
        "atan2",
        "hypot",
        "exp2",
        "log2",
        "cbrt",
    ]
)


def canonical_type(text: str) -> str:
    """One spelling for each arithmetic type."""
    plain = text.strip()
    if plain in NARROW_TYPES or plain == "bool":
        return plain
    return _SAME.get(plain, plain)


class Types:
    """Types of the expressions of one function."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes

    def element(self, variable: Variable) -> str:
        """Type of what a pointer or array leads to, or of the value itself."""
        return canonical_type(variable.base_type)

    def of(self, node: Node) -> str:
        """Type of `node` such as `int`, `unsigned int`, `float`; "" where it is not known."""
        node = bare(node)
        if isinstance(node, Literal):
            return literal_type(node.text)
        if isinstance(node, Name):
            variable = self._scopes.variable(node)
            known = variable is not None and variable.is_scalar
            if variable is not None and variable.base_type == "auto":
                return self.of(variable.init) if known and variable.init is not None else ""
            return canonical_type(variable.base_type) if known and variable is not None else ""
        if isinstance(node, Index):
            return self._index(node)
        if isinstance(node, Cast):
            return canonical_type(node.nodes[0].text)
        if isinstance(node, Member):
            return self._member(node)
        if isinstance(node, Call):
            return self._call(node)
        return self._compound(node)

    def _compound(self, node: Node) -> str:
        if isinstance(node, PostInc):
            return self.of(node.operand)
        if isinstance(node, TypeCall):
            return canonical_type(called_type(node))
        if isinstance(node, Unary):
            if node.op == "!":
                return "bool"
            return self._pointee(node.operand) if node.op == "*" else promoted(self.of(node.operand))
        if isinstance(node, Ternary):
            return usual(self.of(node.nodes[1]), self.of(node.nodes[2]))
        if isinstance(node, Binary):
            if node.op in _COMPARISONS:
                return "bool"
            if node.op in ("<<", ">>"):
                return promoted(self.of(node.left))
            return usual(self.of(node.left), self.of(node.right))
        return self.of(node.target) if isinstance(node, Assign) else ""

    def _index(self, node: Index) -> str:
        base: Node = node
        depth = 0
        while isinstance(base, Index):
            base = base.base
            depth += 1
            while isinstance(base, Paren):
                base = base.inner
        variable = self._scopes.variable(base) if isinstance(base, Name) else None
        if variable is None or depth != max(1, len(variable.dims)):
            return ""
        return canonical_type(variable.base_type) if not (variable.is_pointer and variable.dims) else ""

    def _pointee(self, node: Node) -> str:
        while isinstance(node, Paren):
            node = node.inner
        if isinstance(node, Binary):
            node = node.left
        variable = self._scopes.variable(node) if isinstance(node, Name) else None
        return canonical_type(variable.base_type) if variable is not None and variable.is_pointer else ""

    def _member(self, node: Member) -> str:
        base = node.object
        builtin = isinstance(base, Name) and base.text in THREAD_BUILTINS and self._scopes.variable(base) is None
        return "unsigned int" if builtin else ""

    def _call(self, node: Call) -> str:
        name = call_name(node)
        arguments = [self.of(arg) for arg in node.args]
        if name in ("min", "max", "abs", "umin", "umax"):
            return usual(*arguments) if len(arguments) == 2 else (promoted(arguments[0]) if arguments else "")
        if name in LOADS and node.args:
            target = node.args[0]
            return self.of(target.operand) if isinstance(target, Unary) and target.op == "&" else self._pointee(target)
        if name.endswith("f") and name[:-1] in _DOUBLE_MATH:
            return "float"
        if name in _DOUBLE_MATH:
            known = usual(*arguments) if len(arguments) == 2 else (arguments[0] if arguments else "")
            return known if known in ("float", "double", "") else "double"
        if name.startswith(("__expf", "__logf", "__powf", "__sinf", "__cosf", "__fdividef")):
            return "float"
        return canonical_type(name) if name in SIGNED_TYPES | UNSIGNED_TYPES | FLOATING_TYPES else ""

    def is_float(self, node: Node) -> bool:
        return self.of(node) in ("float", "double")


def is_integer_type(name: str) -> bool:
    return name in SIGNED_TYPES or name in UNSIGNED_TYPES or name in NARROW_TYPES or name in ("unsigned int", "bool")


def is_arithmetic(text: str) -> bool:
    """Whether a declared type, qualifiers and all, is a plain number."""
    plain = canonical_type(" ".join(word for word in text.split() if word not in ("const", "volatile")))
    return is_integer_type(plain) or plain in FLOATING_TYPES


def is_unsigned_type(name: str) -> bool:
    return name in UNSIGNED_TYPES


def typed_literal(value: int, kind: str) -> str:
    """Text of `value` with type `kind`, safe as an operand."""
    if kind == "unsigned int" and 0 <= value < 1 << 32:
        return f"{value}u"
    if kind == "int" or kind in NARROW_TYPES or kind == "bool":
        return str(value) if value >= 0 else f"({value})"
    return f"(({kind}){value})"


def literal_type(text: str) -> str:
    """Type of a numeric literal."""
    plain = text.strip().lower()
    if plain in ("true", "false"):
        return "bool"
    if plain.startswith(("'", '"')) or (not plain[:1].isdigit() and not plain.startswith(".")):
        return ""
    hexadecimal = plain.startswith("0x")
    if not hexadecimal and (any(c in plain for c in ".e") or plain.endswith("f")):
        return "float" if plain.endswith("f") else "double"
    suffix = plain[len(plain.rstrip("ul")) :]
    base = "long long" if suffix.count("l") == 2 else "long" if "l" in suffix else "int"
    return f"unsigned {base}" if "u" in suffix else base


def promoted(name: str) -> str:
    """Type after the integer promotions."""
    return "int" if name in NARROW_TYPES or name == "bool" else name


def usual(left: str, right: str) -> str:
    """Type after the usual arithmetic conversions; "" where one side is not known."""
    a, b = promoted(left), promoted(right)
    a, b = _wide(a), _wide(b)
    if a not in _ORDER or b not in _ORDER:
        return ""
    return _ORDER[max(_ORDER.index(a), _ORDER.index(b))]


def _wide(name: str) -> str:
    return {"size_t": "unsigned long", "uint64_t": "unsigned long", "int64_t": "long", "ptrdiff_t": "long"}.get(
        name, name
    )
