"""Inline PTX loads and stores with cache hints, as the toolkit's headers write them, in LLVM's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ACCESS = re.compile(r"(ld|st)_global(?:_[a-z]+)*?(?:_v([24]))?_([busf])(8|16|32|64)")


def memory_access(name: str, instruction: str, result: str, types: Sequence[str]) -> str:
    """The definition of function `name` that does `instruction`, e.g. `ld_global_cs_v4_f32`; empty for any other.

    Args:
        result: what the inline PTX returns: a type, a structure of several, or `void`.
        types: of its arguments.
    """
    found = _ACCESS.fullmatch(instruction)
    if found is None:
        return ""
    load, count, kind, bits = found[1] == "ld", int(found[2] or 1), found[3], int(found[4])
    memory = {"f32": "float", "f64": "double"}.get(f"{kind}{bits}", f"i{bits}")
    arguments = [f"{type_text} %a{i}" for i, type_text in enumerate(types)]
    lines = [f"define internal {result} @{name}({', '.join(arguments)}) alwaysinline nounwind {{"]
    if types[0] == "ptr":
        lines.append("  %p = bitcast ptr %a0 to ptr")
    else:
        lines.append(f"  %p = inttoptr {types[0]} %a0 to ptr")
    lines += [f"  %at{i} = getelementptr {memory}, ptr %p, i64 {i}" for i in range(count)]
    lines += _load(result, memory, count, kind) if load else _store(types[1:], memory)
    return "\n".join([*lines, "}"])


def _load(result: str, memory: str, count: int, kind: str) -> list[str]:
    value = result.strip("{} ").split(",")[0].strip()
    lines: list[str] = []
    for i in range(count):
        lines.append(f"  %m{i} = load {memory}, ptr %at{i}")
        lines.append(f"  %v{i} = {_converted(memory, value, f'%m{i}', 'sext' if kind == 's' else 'zext')}")
    if count == 1 and "{" not in result:
        return [*lines, f"  ret {result} %v0"]
    whole = "undef"
    for i in range(count):
        lines.append(f"  %w{i} = insertvalue {result} {whole}, {value} %v{i}, {i}")
        whole = f"%w{i}"
    return [*lines, f"  ret {result} {whole}"]


def _store(types: Sequence[str], memory: str) -> list[str]:
    lines: list[str] = []
    for i, value in enumerate(types):
        lines.append(f"  %v{i} = {_converted(value, memory, f'%a{i + 1}', 'trunc')}")
        lines.append(f"  store {memory} %v{i}, ptr %at{i}")
    return [*lines, "  ret void"]


def _converted(given: str, wanted: str, value: str, widening: str) -> str:
    if given == wanted or not (given.startswith("i") and wanted.startswith("i")):
        return f"bitcast {given} {value} to {wanted}"
    return f"{widening} {given} {value} to {wanted}"
