"""Divisions by a value that a loop does not change, as multiplications with its reciprocal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from r3c.core.source import Edit, Span
from r3c.rewrites._body import place_before
from r3c.rewrites._expressions import expressions, is_pure_value, key, literal_value
from r3c.rewrites._loops import for_at, loop_sites
from r3c.rewrites._order import varies_in
from r3c.rewrites._text import operand
from r3c.rewrites.base import NUMERICS, Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_nodes import bare, names_in
from r3c.tree.nodes import Assign, Binary, For, Node
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Reciprocal(Rewrite):
    """Divides once before a loop instead of in every iteration.

    Before:
        // r3c: kernel(rtol=1e-5)
        __global__ void scale(float *a, float d, int n) {
          for (int i = 0; i < n; i++) {
            a[i] = a[i] / d;
          }
        }
    Step:
        reciprocal{site=scale/loop:i}
    After:
        // r3c: kernel(rtol=1e-5)
        __global__ void scale(float *a, float d, int n) {
          const float inverse = 1.0f / d;
          for (int i = 0; i < n; i++) {
            a[i] = a[i] * inverse;
          }
        }
    Refuses:
        exact contracts; loops without a floating-point division by a value that stays the same and reads no memory.
    """

    group: ClassVar[str] = NUMERICS

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = for_at(self, region)
        analysis = analyse(region)
        groups: dict[str, list[Binary | Assign]] = {}
        for node in expressions(loop, region):
            if isinstance(node, Binary | Assign) and self._is_division(region, loop, node):
                groups.setdefault(key(_divisor(node), analysis), []).append(node)
        if not groups:
            why = "no floating-point division by a value that stays the same is in it"
            raise self.refuse(region, loop, why)
        place, indent = place_before(self, region, loop)
        edits, lines = [], []
        taken: set[str] = set()
        for nodes in groups.values():
            divisor = _divisor(nodes[0])
            kind = analysis.types.of(divisor)
            name = analysis.scopes.fresh("inverse", taken)
            taken.add(name)
            one = "1.0f" if kind == "float" else "1.0"
            lines.append(f"{indent}const {kind} {name} = {one} / {operand(divisor.text, divisor)};\n")
            for node in nodes:
                sign = next(t for t in node.tokens() if t.start >= node.nodes[0].end and t.text in ("/", "/="))
                edits.append(Edit(Span(sign.start, sign.end), sign.text.replace("/", "*")))
                edits.append(Edit(node.nodes[1].span, name))
        return [Edit(place, "".join(lines), f"{len(groups)} reciprocals before the loop"), *edits]

    def _is_division(self, region: KernelRegion, loop: For, node: Binary | Assign) -> bool:
        analysis, varies = analyse(region), varies_in(analyse(region), loop)
        if node.op != ("/" if isinstance(node, Binary) else "/="):
            return False
        divisor, other = _divisor(node), node.nodes[0]
        kind = analysis.types.of(divisor)
        if kind not in ("float", "double") or analysis.types.of(other) != kind or literal_value(divisor) is not None:
            return False
        effects = analysis.effects.of(divisor)
        if not is_pure_value(effects) or effects.memory:
            return False
        variables = [analysis.scopes.variable(name) for name in names_in(divisor)]
        return not any(v is not None and varies(v.unique) for v in variables)


def _divisor(node: Binary | Assign) -> Node:
    return bare(node.nodes[1])
