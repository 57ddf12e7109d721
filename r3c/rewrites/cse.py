"""Common subexpressions of neighbouring statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._body import place_before
from r3c.rewrites._expressions import is_place, is_pure_value, key
from r3c.rewrites._loops import loop_sites
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_nodes import names_in
from r3c.tree.file import Function
from r3c.tree.nodes import (
    Binary,
    Body,
    Call,
    Control,
    DeclStmt,
    ExprStmt,
    Index,
    Lambda,
    Node,
    SizeOf,
    Ternary,
)
from r3c.tree.regions import KernelRegion

LEAST_CHARACTERS = 6


@dataclass(frozen=True)
class Cse(Rewrite):
    """Computes once what several neighbouring statements of a body compute alike.

    Before:
        // r3c: kernel()
        __global__ void two(float *a, float *b, float s) {
          a[threadIdx.x] = expf(s) * 2.0f;
          b[threadIdx.x] = expf(s) * 3.0f;
        }
    Step:
        cse{site=two}
    After:
        // r3c: kernel()
        __global__ void two(float *a, float *b, float s) {
          const auto common = expf(s);
          a[threadIdx.x] = common * 2.0f;
          b[threadIdx.x] = common * 3.0f;
        }
    Refuses:
        bodies where no expression without effects is computed twice with the same values; memory that may be written
        in between counts as changed.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return [region.name, *loop_sites(region)]

    def apply(self, region: KernelRegion) -> list[Edit]:
        node = region.sites[self.site]
        body = node.body if isinstance(node, Function | Control) else None
        analysis = analyse(region)
        best: list[Node] = []
        for group in self._groups(region, analysis, body):
            if _gain(group) > _gain(best):
                best = group
        if not isinstance(body, Body) or not best:
            raise self.refuse(
                region, body or node, "no expression is computed twice with the same values in its statements"
            )
        first = next(s for s in body.statements if s.span.contains(best[0].span))
        place, indent = place_before(self, region, first)
        name = analysis.scopes.fresh("common")
        reason = f"`{best[0].text}` computed once instead of {len(best)} times"
        return [
            Edit(place, f"{indent}const auto {name} = {best[0].text};\n", reason),
            *(Edit(n.span, name) for n in best),
        ]

    def _groups(self, region: KernelRegion, analysis: Analysis, body: Node | None) -> Iterator[list[Node]]:
        """Equal expressions of statements between which nothing they are made of changes."""
        open_groups: dict[str, list[Node]] = {}
        for statement in body.statements if isinstance(body, Body) else []:
            simple = isinstance(statement, DeclStmt | ExprStmt) and not region.is_frozen(statement.span)
            if simple:
                for node in _always_evaluated(statement):
                    if self._is_worth(analysis, node) and not self._declares(analysis, statement, node):
                        open_groups.setdefault(key(node, analysis), []).append(node)
            changed = [
                k for k, group in open_groups.items() if not simple or self._changes(analysis, statement, group[0])
            ]
            for k in changed:
                yield self._settled(statement, open_groups.pop(k))
        yield from open_groups.values()

    def _settled(self, statement: Node, group: list[Node]) -> list[Node]:
        """The group without what the changing statement itself computes, unless nothing else does."""
        return [node for node in group if not statement.span.contains(node.span)]

    def _changes(self, analysis: Analysis, statement: Node, node: Node) -> bool:
        """Whether `statement` may change the value of `node`."""
        return analysis.loops.change_inside(node, analysis.effects.of(statement)) is not None

    def _declares(self, analysis: Analysis, statement: Node, node: Node) -> bool:
        """Whether `node` uses a variable that its own statement declares."""
        variables = [analysis.scopes.variable(name) for name in names_in(node)]
        return any(v is not None and statement.span.contains(v.node.span) for v in variables)

    def _is_worth(self, analysis: Analysis, node: Node) -> bool:
        if not isinstance(node, Binary | Call | Index) or len(node.text) < LEAST_CHARACTERS or is_place(node):
            return False
        return is_pure_value(analysis.effects.of(node)) and any(True for _ in names_in(node))


def _always_evaluated(node: Node) -> Iterator[Node]:
    """Expressions in a statement that are evaluated whenever it runs."""
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, Lambda | SizeOf):
            continue
        yield at
        if isinstance(at, Ternary) or (isinstance(at, Binary) and at.op in ("&&", "||")):
            stack.append(at.nodes[0])
        else:
            stack.extend(reversed(at.nodes))


def _gain(group: list[Node]) -> int:
    """Characters of text saved; a declared name starts its own statement's scope, so groups of one save nothing."""
    return (len(group) - 1) * len(group[0].text) if len(group) > 1 else 0
