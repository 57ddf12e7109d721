"""Device functions of the same file that only compute: no memory, no barriers, nothing that another call could see."""

from __future__ import annotations

from r3c.tree.analysis_effects import EffectReader, Effects
from r3c.tree.analysis_macros import OutsideNames
from r3c.tree.analysis_nodes import body_of
from r3c.tree.analysis_scopes import Scopes
from r3c.tree.file import File, Function


def pure_functions(file: File) -> frozenset[str]:
    """Names of functions of `file` that a call of cannot be told apart from a value; all overloads have to be pure."""
    pure: set[str] = set()
    by_name: dict[str, list[Function]] = {}
    outside = OutsideNames(file)
    for function in file.functions:
        if not function.is_kernel and function.body is not None:
            by_name.setdefault(function.name, []).append(function)
    changed = True
    while changed:
        changed = False
        for name, functions in by_name.items():
            if name not in pure and all(_is_pure(f, pure, outside) for f in functions):
                pure.add(name)
                changed = True
    return frozenset(pure)


def _is_pure(function: Function, pure: set[str], outside: OutsideNames) -> bool:
    if any(p.is_pointer or ("&" in p.text and "const" not in p.text.split()) for p in function.params):
        return False
    scopes = Scopes.of(function)
    effects = EffectReader(scopes, outside, pure).of(body_of(function))
    return not (effects.unknown or effects.barriers or effects.warp) and _stays_inside(effects)


def _stays_inside(effects: Effects) -> bool:
    for access in effects.accesses:
        variable = access.variable
        if variable is None:
            if access.writes or access.memory:
                return False
        elif (
            variable.is_static
            or variable.kind == "shared"
            or variable.is_volatile
            or (access.memory and not variable.is_array)
        ):
            return False
    return True
