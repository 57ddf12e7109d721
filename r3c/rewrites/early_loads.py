"""Loads of an iteration that come after a barrier, issued before it: compilers do not move them across."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._expressions import divides_integers, is_place, is_pure_value, key
from r3c.rewrites._loops import for_at, loop_sites
from r3c.rewrites._order import varies_in
from r3c.rewrites._text import indent_unit, line_indent
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_dependence import DISTINCT
from r3c.tree.analysis_loops import Loop, NotCounted, own_jumps
from r3c.tree.analysis_nodes import names_in
from r3c.tree.analysis_scopes import PARAMETER
from r3c.tree.nodes import Binary, Body, For, If, Index, Name, Node, Switch, Ternary
from r3c.tree.nodes import Loop as AnyLoop
from r3c.tree.regions import KernelRegion

Tests = tuple[str, ...]


@dataclass(frozen=True)
class EarlyLoads(Rewrite):
    """Issues up to `most` loads of an iteration at its start, under the conditions they have, where they stood after a barrier.

    Before:
        // r3c: kernel()
        __global__ void sums(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, int n) {
          __shared__ float s[64];
          float t = 0.0f;
          for (int k = 0; k < n; k++) {
            s[threadIdx.x] = a[k * 64 + threadIdx.x];
            __syncthreads();
            if (threadIdx.x > 0) t += s[threadIdx.x - 1] * b[k * 64 + threadIdx.x];
            __syncthreads();
          }
          out[threadIdx.x] = t;
        }
    Step:
        early-loads{site=sums/loop:k,most=16}
    After:
        // r3c: kernel()
        __global__ void sums(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, int n) {
          __shared__ float s[64];
          float t = 0.0f;
          for (int k = 0; k < n; k++) {
            float b_early = 0;
            if (threadIdx.x > 0) {
              b_early = b[k * 64 + threadIdx.x];
            }
            s[threadIdx.x] = a[k * 64 + threadIdx.x];
            __syncthreads();
            if (threadIdx.x > 0) t += s[threadIdx.x - 1] * b_early;
            __syncthreads();
          }
          out[threadIdx.x] = t;
        }
    Refuses:
        loops without a barrier of their own, that leave early or stand without braces; loops without a load after a barrier
        of a number that nobody writes, at a place and under conditions made of the counter and values from before the loop.
    """

    most: int = number(16, 4, 8)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        analysis, node = analyse(region), for_at(self, region)
        loop = analysis.loops.read(node)
        if isinstance(loop, NotCounted):
            raise self.refuse(region, loop.node, loop.why)
        body = loop.body
        if not isinstance(body, Body) or not body.statements:
            raise self.refuse(region, body, "its body stands without braces")
        effects = analysis.effects.of(body)
        for unknown in effects.unknown:
            raise self.refuse(region, unknown, "what this does is not known")
        for jump in own_jumps(node):
            raise self.refuse(region, jump, "an iteration may leave early here")
        barriers = [b for b in effects.barriers if _loop_of(b) is node]
        if not barriers:
            raise self.refuse(region, node, "no barrier stands in it")
        groups = self._groups(region, loop, min(b.start for b in barriers))
        if not groups:
            raise self.refuse(region, barriers[0], "no load after it could be made before it")
        return self._edits(region, loop, groups)

    def _groups(self, region: KernelRegion, loop: Loop, after: int) -> dict[str, tuple[Tests, list[Index]]]:
        """Loads to move by what they read, with their conditions."""
        analysis = analyse(region)
        out: dict[str, tuple[Tests, list[Index]]] = {}
        for node in loop.body.walk():
            if not isinstance(node, Index) or node.start < after or region.is_frozen(node.span):
                continue
            if isinstance(node.parent, Index) and node.parent.base is node:
                continue
            if not self._is_load(analysis, loop, node):
                continue
            tests = self._tests(analysis, loop, node)
            if tests is None:
                continue
            name = key(node, analysis) + " & ".join(tests)
            if name in out or len(out) < self.most:
                out.setdefault(name, (tests, []))[1].append(node)
        return out

    def _is_load(self, analysis: Analysis, loop: Loop, node: Index) -> bool:
        pointer = analysis.scopes.variable(node.base) if isinstance(node.base, Name) else None
        if pointer is None or pointer.kind != PARAMETER or not pointer.is_pointer or is_place(node):
            return False
        if analysis.types.of(node) not in ("float", "double", "int", "unsigned int"):
            return False
        if not is_pure_value(analysis.effects.of(node)) or len(analysis.effects.of(node).memory) != 1:
            return False
        writes = analysis.effects.of(analysis.function.body).memory_writes
        if any(analysis.memory.relation(write.variable, pointer) != DISTINCT for write in writes):
            return False
        return self._is_known(analysis, loop, node)

    @staticmethod
    def _is_known(analysis: Analysis, loop: Loop, node: Node) -> bool:
        """Whether `node` is made of the counter and of values from before the loop, and cannot go wrong."""
        varies = varies_in(analysis, loop.node)
        variables = {v for v in map(analysis.scopes.variable, names_in(node)) if v is not None}
        steady = all(v is loop.counter or not varies(v.unique) for v in variables)
        return steady and not divides_integers(node, analysis)

    def _tests(self, analysis: Analysis, loop: Loop, node: Node) -> Tests | None:
        """Conditions under which an iteration makes the load, outermost first; None where they are not known at its start."""
        found: list[str] = []
        for condition, holds in _conditions(node, loop.node):
            if condition is None:
                return None
            effects = analysis.effects.of(condition)
            if not effects.is_pure or effects.memory or not self._is_known(analysis, loop, condition):
                return None
            text = condition.text.strip()
            found.insert(0, text if holds else f"!({text})")
        return tuple(found)

    def _edits(self, region: KernelRegion, loop: Loop, groups: dict[str, tuple[Tests, list[Index]]]) -> list[Edit]:
        analysis, source = analyse(region), region.source
        indent, unit = line_indent(source, loop.statements[0].span.start), indent_unit(source)
        taken: set[str] = set()
        declared: list[str] = []
        by_tests: dict[Tests, list[str]] = {}
        edits: list[Edit] = []
        for tests, nodes in groups.values():
            name = analysis.scopes.fresh(f"{nodes[0].base.text}_early", taken)
            taken.add(name)
            kind = analysis.types.of(nodes[0])
            if tests:
                declared.append(f"{kind} {name} = 0;")
                by_tests.setdefault(tests, []).append(f"{name} = {nodes[0].text};")
            else:
                declared.append(f"const {kind} {name} = {nodes[0].text};")
            edits += [Edit(node.span, name) for node in nodes]
        lines = declared
        for tests, loads in by_tests.items():
            condition = tests[0] if len(tests) == 1 else " && ".join(f"({test})" for test in tests)
            lines += [f"if ({_bare(condition)}) {{", *(f"{unit}{load}" for load in loads), "}"]
        at = Span(loop.body.span.start + 1, loop.body.span.start + 1)
        text = "".join(f"\n{indent}{line}" for line in lines)
        return [Edit(at, text, f"{len(groups)} loads before the barrier"), *edits]


def _bare(text: str) -> str:
    """`text` without one pair of parentheses around all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for place, char in enumerate(text):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth == 0 and place < len(text) - 1:
            return text
    return text[1:-1]


def _loop_of(node: Node) -> Node | None:
    return next((a for a in node.ancestors() if isinstance(a, AnyLoop)), None)


def _conditions(node: Node, loop: For) -> Iterator[tuple[Node | None, bool]]:
    """Conditions around `node` inside `loop`, innermost first; None for what is no plain condition."""
    below = node
    for above in node.ancestors():
        if above is loop:
            return
        if isinstance(above, If) and below is not above.cond:
            yield above.cond, below is above.then
        elif isinstance(above, Ternary) and below is not above.nodes[0]:
            yield above.nodes[0], below is above.nodes[1]
        elif isinstance(above, Binary) and above.op in ("&&", "||") and below is above.right:
            yield above.left, above.op == "&&"
        elif isinstance(above, Switch | AnyLoop):
            yield None, True
        below = above
