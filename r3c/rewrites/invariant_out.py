"""Loop-invariant code motion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._body import place_before
from r3c.rewrites._expressions import divides_integers, is_place, is_pure_value, key
from r3c.rewrites._loops import for_at, loop_sites
from r3c.rewrites._order import varies_in
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_nodes import names_in
from r3c.tree.nodes import (
    Binary,
    Break,
    Call,
    Continue,
    For,
    Goto,
    If,
    Index,
    Lambda,
    Loop,
    Node,
    Return,
    SizeOf,
    Switch,
    Ternary,
)
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class InvariantOut(Rewrite):
    """Computes before a loop what is the same in all its iterations.

    Before:
        // r3c: kernel()
        __global__ void scale(float *a, float s, float t, int n) {
          for (int i = 0; i < n; i++) {
            a[i] = a[i] * (s * t + 1.0f);
          }
        }
    Step:
        invariant-out{site=scale/loop:i}
    After:
        // r3c: kernel()
        __global__ void scale(float *a, float s, float t, int n) {
          const auto invariant = s * t + 1.0f;
          for (int i = 0; i < n; i++) {
            a[i] = a[i] * (invariant);
          }
        }
    Refuses:
        loops without an invariant product, sum or call of known functions; memory is read early only where the loop is
        known to run, reads it in every iteration, and writes none.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = for_at(self, region)
        analysis = analyse(region)
        groups: dict[str, list[Node]] = {}
        for node in self._candidates(region, analysis, loop):
            groups.setdefault(key(node, analysis), []).append(node)
        if not groups:
            raise self.refuse(region, loop, "nothing in it is computed that is the same in all iterations")
        place, indent = place_before(self, region, loop)
        edits: list[Edit] = []
        lines = []
        taken: set[str] = set()
        for nodes in groups.values():
            name = analysis.scopes.fresh("invariant", taken)
            taken.add(name)
            lines.append(f"{indent}const auto {name} = {nodes[0].text};\n")
            edits += [Edit(node.span, name) for node in nodes]
        return [Edit(place, "".join(lines), f"{len(groups)} invariant values before {self.site}"), *edits]

    def _candidates(self, region: KernelRegion, analysis: Analysis, loop: For) -> Iterator[Node]:
        varies = varies_in(analysis, loop)
        read = analysis.loops.read(loop)
        runs = getattr(read, "trip", None) is not None and getattr(read, "trip", 0) > 0
        body = analysis.effects.of(loop)
        steady = not (body.memory_writes or body.unknown or body.barriers)
        stack: list[tuple[Node, bool]] = [(loop.body, runs)]
        while stack:
            node, always = stack.pop()
            if isinstance(node, Lambda | SizeOf) or region.is_frozen(node.span):
                continue
            if self._is_worth(node) and self._is_invariant(analysis, node, varies, always and steady):
                yield node
                continue
            inside = always and not self._may_skip(node)
            stack += [(child, inside) for child in reversed(node.nodes)]

    def _is_worth(self, node: Node) -> bool:
        if isinstance(node, Binary):
            return node.op in ("*", "/", "%", "+", "-")
        return isinstance(node, Call | Index) and not is_place(node)

    def _is_invariant(self, analysis: Analysis, node: Node, varies: Callable[[str], bool], loads: bool) -> bool:
        effects = analysis.effects.of(node)
        if not is_pure_value(effects) or divides_integers(node, analysis) or (effects.memory and not loads):
            return False
        if not any(n for n in names_in(node)):
            return False
        for name in names_in(node):
            variable = analysis.scopes.variable(name)
            if variable is not None and varies(variable.unique):
                return False
            if variable is None and not self._is_constant(analysis, name.text, node):
                return False
        return not (isinstance(node, Binary) and analysis.forms.value(node) is not None)

    def _is_constant(self, analysis: Analysis, name: str, node: Node) -> bool:
        builtin = name in ("threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize")
        called = any(isinstance(c, Call) and c.callee.text == name for c in node.walk())
        return (
            builtin or called or analysis.constants.value(name) is not None or name in analysis.function.template_params
        )

    def _may_skip(self, node: Node) -> bool:
        """Whether what lies in `node` may run less often than `node`."""
        if isinstance(node, Loop | If | Switch | Ternary):
            return True
        if isinstance(node, Binary) and node.op in ("&&", "||"):
            return True
        return any(isinstance(below, Break | Continue | Return | Goto) for below in node.walk())
