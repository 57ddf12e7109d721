"""Why a part of the tree must not be changed: what r3c cannot see through lies inside it."""

from __future__ import annotations

import bisect

from r3c.tree.brackets import directive
from r3c.tree.node import Node
from r3c.tree.nodes import Goto, Label, MacroStmt, OpaqueStmt, PpArm, PpBefore, PpLine, PpRegion

_CONDITIONALS = frozenset(("if", "ifdef", "ifndef", "elif", "else", "endif"))


def taint(node: Node) -> str:
    """The reason, empty where there is none."""
    root = _file_of(node)
    cuts: list[int] = getattr(root, "cuts", [])
    at = bisect.bisect_left(cuts, node.start)
    if at < len(cuts) and cuts[at] < node.end:
        return "a preprocessor line lies inside a statement or header"
    for above in (node, *node.ancestors()):
        if isinstance(above, PpArm):
            why = _arm_taint(above)
            if why:
                return why
    for below in node.walk():
        why = _own_taint(below)
        if why:
            return why
    return ""


def _own_taint(node: Node) -> str:
    if isinstance(node, OpaqueStmt) or node.kind == "opaque_function":
        return "a part of it is not understood by the grammar"
    if isinstance(node, Goto | Label):
        return "it contains goto or a label"
    if isinstance(node, MacroStmt):
        return f"macro {node.children[0].text} stands for statements"
    if isinstance(node, PpBefore) and directive(node.children[0]) in _CONDITIONALS:  # type: ignore[arg-type]
        return "conditional compilation cuts a statement from what controls it"
    if isinstance(node, PpLine) and directive(node.children[0]) in _CONDITIONALS and not _is_decided(node):  # type: ignore[arg-type]
        return "conditional compilation selects among its statements"
    return ""


def _is_decided(line: PpLine) -> bool:
    region = line.parent.parent if isinstance(line.parent, PpArm) else line.parent
    return isinstance(region, PpRegion) and region.is_decided


def _arm_taint(arm: PpArm) -> str:
    if arm.is_dead:
        return "the definitions given leave it out"
    region = arm.parent
    if isinstance(region, PpRegion) and not region.is_decided:
        return f"whether it is compiled depends on {' '.join(arm.line.split())[:60]!r}"
    return ""


def _file_of(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node
