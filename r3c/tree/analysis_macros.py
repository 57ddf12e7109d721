"""Names that a kernel uses and the file declares outside it: macros, constants and variables of the device."""

from __future__ import annotations

import re
from functools import cached_property

from r3c.tree.analysis_names import PURE_FUNCTIONS
from r3c.tree.file import File

_WORD = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)[fFlLuU]*")
_PARAMETERS = re.compile(r"#\s*define\s+\w+\(([^)]*)\)")
_TYPES = frozenset(
    [
        "int",
        "unsigned",
        "float",
        "double",
        "long",
        "short",
        "char",
        "bool",
        "const",
        "size_t",
        "sizeof",
        "true",
        "false",
    ]
)
_CONSTANT = re.compile(r"\b(?:constexpr|const)\b[^;={}()]*?\b([A-Za-z_]\w*)\s*(?:=|\{)")
_ENUM = re.compile(r"\benum\b[^{;]*\{([^}]*)\}")


class OutsideNames:
    """What the names that a function does not declare itself stand for, as far as the file says."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._text = file.source.text
        self._spaces = {g.name: g.space for g in file.globals}
        self._bodies: dict[str, list[str]] = {}
        self._functions: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for define in file.defines:
            if define.function_like:
                found = _PARAMETERS.match(self._text[define.span.start : define.span.end])
                words = tuple(w.strip() for w in found[1].split(",")) if found else ()
                self._functions.setdefault(define.name, []).append((words, define.value))
            else:
                self._bodies.setdefault(define.name, []).append(define.value)

    @cached_property
    def _constants(self) -> set[str]:
        names = set(_CONSTANT.findall(self._text))
        for body in _ENUM.findall(self._text):
            names.update(_WORD.findall(re.sub(r"=[^,]*", "", body)))
        return names

    def is_constant_memory(self, name: str) -> bool:
        """Whether `name` is a `__constant__` variable, which no kernel writes."""
        return self._spaces.get(name) == "__constant__"

    def is_memory(self, name: str) -> bool:
        """Whether `name` is, or may be, a variable that other threads and other pointers reach."""
        if name in self._spaces:
            return not self.is_constant_memory(name)
        known = name in self._bodies or name in self._constants or name == "warpSize"
        return not known and name.upper() != name

    def hides(self, name: str) -> bool:
        """Whether `name` is a macro that stands for more than a constant value."""
        return name in self._bodies and not self._is_constant(name, frozenset())

    def hides_call(self, name: str) -> bool:
        """Whether `name(...)` is a macro that stands for more than a value made of its arguments."""
        return name in self._functions and name not in self.pure_macros

    def _is_constant(self, name: str, seen: frozenset[str]) -> bool:
        if name in seen:
            return False
        return all(self._is_constant_text(body, seen | {name}) for body in self._bodies[name])

    def _is_constant_text(self, body: str, seen: frozenset[str], allowed: frozenset[str] = frozenset()) -> bool:
        plain = re.sub(rf"(?<![\w.]){_NUMBER.pattern}", " ", body)
        if re.search(r"[^\w\s+\-*/%()<>?:!&|^~.,=]", plain) or re.search(r"(?<![<>=!])=(?!=)|\+\+|--", plain):
            return False
        for word in _WORD.findall(plain):
            if word in _TYPES or word in allowed or word in self._constants:
                continue
            if word in self._bodies and self._is_constant(word, seen):
                continue
            if word in PURE_FUNCTIONS and allowed and not word.startswith("__shfl"):
                continue
            return False
        return True

    @cached_property
    def pure_macros(self) -> frozenset[str]:
        """Macros with arguments whose value is made of their arguments and constants alone."""
        return frozenset(
            name
            for name, versions in self._functions.items()
            if all(self._is_constant_text(body, frozenset({name}), frozenset(words)) for words, body in versions)
        )

    def macro(self, name: str) -> tuple[tuple[str, ...], str] | None:
        """Parameters and text of a macro with arguments that is defined once."""
        versions = self._functions.get(name, [])
        return versions[0] if len(versions) == 1 else None

    @property
    def redefined(self) -> frozenset[str]:
        """Names of functions and macros with arguments that the file defines itself."""
        return frozenset(self._functions) | {f.name for f in self._file.functions}
