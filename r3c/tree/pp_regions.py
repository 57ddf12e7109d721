"""`#if` ... `#endif` between statements as one node with arms; which arm is compiled, where definitions decide it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from r3c.tree.brackets import directive
from r3c.tree.file import File
from r3c.tree.lexer import Token
from r3c.tree.node import Node
from r3c.tree.pp_conditions import Macros, truth
from r3c.tree.statements import PpArm, PpLine, PpRegion

_OPENS = frozenset(("if", "ifdef", "ifndef"))
_DEFINES = re.compile(r"\s*#\s*(define|undef)\s+(\w+)(\()?((?:\\\r?\n|[^\n])*)")
_ARMS = frozenset(("else", "elif", "elifdef", "elifndef"))


@dataclass
class _Open:
    """A region whose `#endif` has not come yet: where it began in the list around, and its arms so far."""

    outer: list[Node | Token]
    arms: list[list[Node | Token]] = field(default_factory=list)

    def lines(self) -> list[Node | Token]:
        """Everything so far, as it came."""
        return [child for arm in self.arms for child in arm]


def with_regions(children: list[Node | Token]) -> list[Node | Token]:
    """`children` of a body with each `#if` ... `#endif` among them as one `PpRegion`.

    Directives whose partners lie in another body stay lines of their own, which taints everything around them.
    """
    out: list[Node | Token] = []
    opened: list[_Open] = []
    for child in children:
        word = directive(child.children[0]) if isinstance(child, PpLine) else ""  # type: ignore[arg-type]
        if word in _OPENS:
            opened.append(_Open(out, [[child]]))
            out = opened[-1].arms[-1]
        elif word in _ARMS and opened:
            opened[-1].arms.append([child])
            out = opened[-1].arms[-1]
        elif word == "endif" and opened:
            done = opened.pop()
            out = done.outer
            if any(_has_loose_directive(part) for arm in done.arms for part in arm):
                out += [*done.lines(), child]
            else:
                out.append(PpRegion("pp_region", [*(PpArm("pp_arm", arm) for arm in done.arms), child]))
        else:
            out.append(child)
    while opened:
        left = opened.pop()
        left.outer += left.lines()
        out = left.outer
    return out


def _has_loose_directive(item: Node | Token) -> bool:
    """Whether a body below holds a directive whose partner is outside: what pairs up around it does so by chance."""
    stack: list[Node | Token] = [] if isinstance(item, PpLine) else [item]
    while stack:
        node = stack.pop()
        if isinstance(node, PpLine) and _is_conditional(node):
            return True
        if isinstance(node, Node) and not isinstance(node, PpRegion):  # a region that was made holds none
            stack += node.children
    return False


def _is_conditional(line: PpLine) -> bool:
    return directive(line.children[0]) in _OPENS | _ARMS | {"endif"}  # type: ignore[arg-type]


def choose_arms(file: File, defines: Mapping[str, str | None]) -> None:
    """Set the compiled arm of every region that `defines` and the file's own unconditional `#define`s decide.

    A value of None means that the macro is not defined. What the file includes is not looked into: a macro that only a
    header could define stays unknown.
    """
    macros: Macros = dict(defines)
    # What the search may change decides nothing, and neither does what a function defines.
    unknown = {name for token in file.annotations for name in re.findall(r"(\w+)\s*:", token.text)}
    depth = 0
    for child in file.children:
        if isinstance(child, PpLine):
            depth = _follow(child, macros, depth)
            _forget(macros, unknown)
        elif isinstance(child, Node):
            for node in child.walk():
                inside = _DEFINES.match(node.text) if isinstance(node, PpLine) else None
                if inside:  # from here on, or only in an arm: not known
                    unknown.add(inside[2])
            _forget(macros, unknown)
            for node in child.walk():
                if isinstance(node, PpRegion):
                    _choose(node, macros)


def _forget(macros: Macros, names: set[str]) -> None:
    for name in names:
        macros.pop(name, None)


def _follow(line: PpLine, macros: Macros, depth: int) -> int:
    """Take a `#define` or `#undef` outside functions into account; the depth of conditionals after it."""
    word = directive(line.children[0])  # type: ignore[arg-type]
    if word in _OPENS:
        return depth + 1
    if word == "endif":
        return max(0, depth - 1)
    found = _DEFINES.match(line.text)
    if found:
        _, name, parameters, text = found.groups()
        if depth or parameters:
            macros.pop(name, None)
        else:
            macros[name] = re.sub(r"//.*|/\*.*?\*/", "", text).strip() if word == "define" else None
    return depth


def _choose(region: PpRegion, macros: Macros) -> None:
    """The first arm that is certainly taken, if all before it are certainly not; the rest is dead then."""
    dead: list[PpArm] = []
    for arm in region.arms:
        taken = truth(arm.line, macros)
        if taken is None:
            return
        if taken:
            dead += [other for other in region.arms if other is not arm and other not in dead]
            break
        dead.append(arm)
    region.is_decided = True
    for arm in dead:
        arm.is_dead = True
