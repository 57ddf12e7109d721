"""Expressions as integer polynomials, with the locals they are made of looked through where their value is settled."""

from __future__ import annotations

import ast
import re

from r3c.tree.analysis_effects import EffectReader
from r3c.tree.analysis_names import FLOATING_TYPES, NARROW_TYPES, THREAD_BUILTINS
from r3c.tree.analysis_nodes import bare, body_of, call_name, called_type, names_in, operands_of
from r3c.tree.analysis_poly import Poly
from r3c.tree.analysis_scopes import Scopes, Variable
from r3c.tree.file import Function
from r3c.tree.nodes import Binary, Call, Cast, For, Literal, Member, Name, Node, Paren, TypeCall, Unary
from r3c.tree.parse import parse_expression

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\(?)(.*)$", re.MULTILINE)
_UNDEF = re.compile(r"^[ \t]*#[ \t]*undef[ \t]+(\w+)", re.MULTILINE)
_CONSTANT = re.compile(
    r"^[ \t]*(?:static[ \t]+|__device__[ \t]+|inline[ \t]+)*(?:constexpr|const)[ \t]+(?:static[ \t]+)?"
    r"(?:unsigned[ \t]+int|unsigned|int|size_t|long)[ \t]+(\w+)[ \t]*=[ \t]*([^;,{}]+);",
    re.MULTILINE,
)
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F']+|\d[\d']*)([uUlL]*)$")
_WIDE_ENOUGH = ("int", "unsigned", "size_t", "long", "unsigned int", "uint", "int64_t", "uint64_t")
_OPERATORS = {"/": "div", "%": "mod", "&": "and", "|": "or", "^": "xor", ">>": "shr"}


def integer_literal(text: str) -> int | None:
    """Value of an integer literal, None for anything else."""
    found = _INTEGER.match(text.strip())
    if not found:
        return None
    digits = found[1].replace("'", "")
    if digits.lower().startswith("0x"):
        return int(digits, 16)
    return int(digits, 8) if len(digits) > 1 and digits.startswith("0") and digits.isdigit() else int(digits)


class Constants:
    """Object-like macros and file-scope constants of one file with a whole-number value."""

    def __init__(self, text: str) -> None:
        self.text_of: dict[str, str] = {}
        self.macros: set[str] = set()
        undefined = set(_UNDEF.findall(text))
        for name, parenthesis, body in _DEFINE.findall(text):
            known = name in self.macros
            self.macros.add(name)
            body = re.split(r"//|/\*", body)[0].strip().removesuffix("\\").strip()
            if parenthesis or known or name in undefined:
                self.text_of.pop(name, None)
            else:
                self.text_of[name] = body
        for name, body in _CONSTANT.findall(text):
            if name not in self.macros:
                self.text_of[name] = body

    def value(self, name: str, depth: int = 8) -> int | None:
        """The number `name` stands for, None where it is none or not known."""
        text = self.text_of.get(name)
        return None if text is None or depth == 0 else self.evaluate(text, depth - 1)

    def evaluate(self, text: str, depth: int = 8) -> int | None:
        """Value of a constant integer expression over these names."""
        plain = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", text.strip())
        if re.search(r"[^\w\s+\-*/%()<>]", plain) or "//" in plain:
            return None
        try:
            tree = ast.parse(plain.replace("/", "//"), mode="eval").body
        except (SyntaxError, ValueError):
            return None
        return self._evaluate(tree, depth)

    def _evaluate(self, node: ast.expr, depth: int) -> int | None:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, int) else None
        if isinstance(node, ast.Name):
            return self.value(node.id, depth)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self._evaluate(node.operand, depth)
            return None if inner is None else -inner
        if isinstance(node, ast.BinOp):
            left, right = self._evaluate(node.left, depth), self._evaluate(node.right, depth)
            if left is not None and right is not None:
                return _fold(type(node.op).__name__, left, right)
        return None


def _fold(operator: str, left: int, right: int) -> int | None:
    if operator in ("FloorDiv", "Mod"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "FloorDiv" else left - quotient * right
    simple = {"Add": left + right, "Sub": left - right, "Mult": left * right}
    if operator == "LShift" and 0 <= right < 63:
        return left << right
    return simple.get(operator)


class Forms:
    """Polynomials of the integer expressions of one function.

    A local that is written once, where it is declared, from values that stay the same while it is in scope is looked
    through. Every other local stays an atom `name@offset`; a global constant without known value an atom `name`.
    """

    def __init__(self, function: Function, scopes: Scopes, effects: EffectReader, constants: Constants) -> None:
        self.scopes = scopes
        self.constants = constants
        self.effects = effects
        self._function = function
        self._writes = _writes_by_variable(effects, function)
        self._hidden = _words_in_opaque(effects, function)
        self._cache: dict[int, Poly | None] = {}
        self._expanding: set[str] = set()

    def of(self, node: Node) -> Poly | None:
        """The form of `node`; None where it has none that is known."""
        key = id(node)
        if key not in self._cache:
            self._cache[key] = self._compute(node)
        return self._cache[key]

    def value(self, node: Node | None) -> int | None:
        """The number `node` always is."""
        form = self.of(node) if node is not None else None
        return None if form is None else form.value

    def written(self, variable: Variable) -> bool:
        """Whether `variable` is written after its declaration, or may be."""
        return bool(self._writes.get(variable.unique)) or variable.name in self._hidden

    def write_places(self, variable: Variable) -> list[Node]:
        return self._writes.get(variable.unique, [])

    def is_settled(self, variable: Variable) -> bool:
        """Whether a local keeps the value of its initialiser, made of values that do not change while it lives."""
        if variable.kind != "local" or not variable.is_scalar or variable.init is None or self.written(variable):
            return False
        effects = self.effects.of(variable.init)
        if not effects.is_pure or effects.memory:
            return False
        return all(self._stable(name, variable) for name in names_in(variable.init))

    def _stable(self, name: Name, user: Variable) -> bool:
        variable = self.scopes.variable(name)
        if variable is None:
            return True
        if not self.written(variable):
            return True
        loop = variable.scope
        if not isinstance(loop, For) or not loop.body.span.contains(user.node.span):
            return False
        inside = [w for w in self.write_places(variable) if loop.body.span.contains(w.span)]
        return not inside and variable.name not in self._hidden

    def _compute(self, node: Node) -> Poly | None:
        if bare(node) is not node:
            return self.of(bare(node))
        if isinstance(node, Literal):
            number = integer_literal(node.text)
            return None if number is None else Poly.constant(number)
        if isinstance(node, Name):
            return self._name(node)
        if isinstance(node, Member):
            return self._member(node)
        if isinstance(node, Cast):
            kind = node.nodes[0].text.strip()
            return None if kind in FLOATING_TYPES or kind in NARROW_TYPES or "*" in kind else self.of(node.operand)
        if isinstance(node, Unary):
            inner = self.of(node.operand) if node.op in ("-", "+") else None
            return inner if inner is None or node.op == "+" else -inner
        if isinstance(node, Binary):
            return self._binary(node)
        if isinstance(node, TypeCall):
            inside = operands_of(node)
            return self.of(inside[0]) if called_type(node) in _WIDE_ENOUGH and len(inside) == 1 else None
        return self._call(node) if isinstance(node, Call) else None

    def _name(self, node: Name) -> Poly | None:
        variable = self.scopes.variable(node)
        if variable is None:
            return self._global(node.text)
        if not variable.is_scalar or variable.base_type in FLOATING_TYPES or variable.is_volatile:
            return None
        if (
            variable.unique not in self._expanding
            and self.is_settled(variable)
            and variable.base_type not in NARROW_TYPES
        ):
            self._expanding.add(variable.unique)
            form = self.of(variable.init) if variable.init is not None else None
            self._expanding.discard(variable.unique)
            if form is not None:
                return form
        return Poly.atom(variable.unique)

    def _global(self, name: str) -> Poly | None:
        if name == "warpSize":
            return Poly.constant(32)
        value = self.constants.value(name)
        if value is not None:
            return Poly.constant(value)
        known = name in self._function.template_params or (name.upper() == name and name not in self.constants.macros)
        return Poly.atom(name) if known else None

    def _member(self, node: Member) -> Poly | None:
        base = node.object
        if not isinstance(base, Name) or node.op != ".":
            return None
        variable = self.scopes.variable(base)
        if variable is None:
            return Poly.atom(f"{base.text}.{node.member}") if base.text in THREAD_BUILTINS else None
        if self.written(variable) or variable.kind != "parameter" or variable.is_reference:
            return None
        return Poly.atom(f"{variable.unique}.{node.member}")

    def _binary(self, node: Binary) -> Poly | None:
        left, right = self.of(node.left), self.of(node.right)
        if left is None or right is None:
            return None
        if node.op == "+":
            return left + right
        if node.op == "-":
            return left - right
        if node.op == "*":
            return left * right
        a, b = left.value, right.value
        if node.op == "<<" and b is not None and 0 <= b < 31:
            return left * Poly.constant(1 << b)
        if a is not None and b is not None and node.op in ("/", "%"):
            folded = _fold("FloorDiv" if node.op == "/" else "Mod", a, b)
            return None if folded is None else Poly.constant(folded)
        name = _OPERATORS.get(node.op)
        return None if name is None else Poly.atom(name, left, right)

    def _call(self, node: Call) -> Poly | None:
        name = call_name(node)
        forms = [self.of(arg) for arg in node.args]
        expanded = self._macro(node, forms)
        if expanded is not None:
            return expanded
        known = [f for f in forms if f is not None]
        if len(known) != len(forms) or not forms:
            return None
        if name in ("__mul24", "__umul24") and len(known) == 2:
            return known[0] * known[1]
        return Poly.atom(name, *known) if name in ("min", "max") and len(known) == 2 else None

    def _macro(self, node: Call, forms: list[Poly | None]) -> Poly | None:
        """Form of a call of a macro such as `#define AT(i, j) ((i) * W + (j))`, arguments put in place."""
        outside = self.effects.outside
        found = outside.macro(call_name(node))
        if found is None or call_name(node) not in outside.pure_macros or len(found[0]) != len(forms):
            return None
        simple = all(isinstance(arg, Name | Literal | Paren | Member) for arg in node.args)
        parenthesised = all(
            len(re.findall(rf"\b{w}\b", found[1])) == len(re.findall(rf"\(\s*{w}\s*\)", found[1])) for w in found[0]
        )
        body = parse_expression(found[1])
        if body is None or not (simple or parenthesised):
            return None
        return self._of_macro(body, dict(zip(found[0], forms, strict=True)))

    def _of_macro(self, node: Node, arguments: dict[str, Poly | None]) -> Poly | None:
        node = bare(node)
        if isinstance(node, Name):
            return arguments[node.text] if node.text in arguments else self._global(node.text)
        if isinstance(node, Literal):
            number = integer_literal(node.text)
            return None if number is None else Poly.constant(number)
        if isinstance(node, Binary) and node.op in ("+", "-", "*"):
            left, right = self._of_macro(node.left, arguments), self._of_macro(node.right, arguments)
            if left is None or right is None:
                return None
            return left + right if node.op == "+" else left - right if node.op == "-" else left * right
        return None


def _writes_by_variable(effects: EffectReader, function: Function) -> dict[str, list[Node]]:
    """Places that write a variable's own value, without its declaration; everything handed to unknown code counts."""
    found = effects.of(body_of(function))
    out: dict[str, list[Node]] = {}
    for access in found.accesses:
        variable = access.variable
        if variable is not None and access.writes and not access.memory and access.node is not variable.node:
            out.setdefault(variable.unique, []).append(access.node)
    for node in found.unknown:
        for name in names_in(node):
            variable = effects.scopes.variable(name)
            if variable is not None:
                out.setdefault(variable.unique, []).append(node)
    return out


def _words_in_opaque(effects: EffectReader, function: Function) -> set[str]:
    words: set[str] = set()
    for node in effects.of(body_of(function)).unknown:
        words.update(re.findall(r"[A-Za-z_]\w*", node.text))
    return words
