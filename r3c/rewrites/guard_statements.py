"""A bound check around a kernel moved onto its statements, so that all threads of a block run its loops together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import plain_body
from r3c.rewrites._expressions import divides_integers
from r3c.rewrites._kernel import kernel_sites
from r3c.rewrites._text import line_indent, operand
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop, own_jumps
from r3c.tree.analysis_nodes import bare, names_in
from r3c.tree.analysis_scopes import PARAMETER, Variable
from r3c.tree.analysis_types import is_arithmetic, is_integer_type
from r3c.tree.nodes import (
    Binary,
    Body,
    Decl,
    DeclStmt,
    Empty,
    ExprStmt,
    For,
    If,
    InitDeclarator,
    Name,
    Node,
    PpLine,
    Return,
    Unary,
)
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class GuardStatements(Rewrite):
    """Lets threads beyond a kernel's bound check run its loops too, without effect: the check guards statements instead.

    Before:
        // r3c: kernel()
        __global__ void scale(float *out, const float *a, const float *b, int n, int m) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i >= n) return;
          float s = a[i];
          for (int j = 0; j < m; j++) {
            s += b[j] * 2.0f;
          }
          out[i] = s;
        }
    Step:
        guard-statements{site=scale}
    After:
        // r3c: kernel()
        __global__ void scale(float *out, const float *a, const float *b, int n, int m) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          const bool active = i < n;
          float s = active ? a[i] : 0;
          for (int j = 0; j < m; j++) {
            if (active) s += b[j] * 2.0f;
          }
          if (active) out[i] = s;
        }
    Refuses:
        kernels without a check at the outermost level, or without a loop under it that all threads can run; returns from
        inside other statements; barriers and warp operations; locals whose initialiser reads memory and is no number.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        body = plain_body(self, region)
        effects = analyse(region).effects.of(body)
        for node in [*effects.barriers, *effects.warp]:
            raise self.refuse(region, node, "threads work together here")
        return _Guards(self, region).edits(body)


class _Guards:
    """The edits of one kernel; `active` is the name of the check that holds for the statement at hand."""

    def __init__(self, rewrite: GuardStatements, region: KernelRegion) -> None:
        self.rewrite = rewrite
        self.region = region
        self.analysis = analyse(region)
        self.active = ""
        self.names: set[str] = set()
        self.loops = 0
        self.counters: set[Variable] = set()

    def edits(self, body: Body) -> list[Edit]:
        out: list[Edit] = []
        place: Node = body
        for statement in body.statements:
            if isinstance(statement, If) and statement.otherwise is None and self._returns(statement.then):
                out.append(Edit(statement.span, self._check(statement.cond, False), "the check becomes a value"))
                place = statement
            elif isinstance(statement, If) and statement.otherwise is None and self._is_last(body, statement):
                then = statement.then
                head = Span(statement.span.start, then.span.start)
                line = f"\n{line_indent(self.region.source, statement.span.start)}"
                out.append(Edit(head, self._check(statement.cond, True) + line, "the check becomes a value"))
                place = statement
                out += self._statement(then)
            elif self.active:
                out += self._statement(statement)
        if not self.active:
            raise self.rewrite.refuse(self.region, body, "no check at the outermost level leaves threads out")
        if not self.loops:
            raise self.rewrite.refuse(self.region, place, "no loop after this check can be run by all threads")
        return out

    def _is_last(self, body: Body, statement: Node) -> bool:
        """Whether a loop stands inside and nothing after the statement has to run without the check."""
        return body.statements[-1] is statement and any(isinstance(n, For) for n in statement.walk())

    def _returns(self, node: Node) -> bool:
        if isinstance(node, Body):
            return len(node.statements) == 1 and isinstance(node.statements[0], Return)
        return isinstance(node, Return)

    def _check(self, condition: Node, holds: bool) -> str:
        """The declaration that stands for a check; `holds`: threads go on where the condition is true."""
        before, self.active = self.active, self.analysis.scopes.fresh("active", self.names)
        self.names.add(self.active)
        inner = bare(condition)
        if any(isinstance(node, Decl) for node in condition.walk()):
            raise self.rewrite.refuse(self.region, condition, "the check declares a variable")
        text = inner.text if holds else self._negated(inner)
        if before:
            text = f"{before} && ({text})"
        return f"const bool {self.active} = {text};"

    def _statement(self, node: Node) -> Iterator[Edit]:
        if isinstance(node, Body):
            for part in node.statements:
                yield from self._statement(part)
        elif isinstance(node, DeclStmt):
            for declarator in node.declaration.declarators:
                yield from self._declarator(declarator)
        elif isinstance(node, For) and self._runs_everywhere(node):
            self.loops += 1
            loop = self.analysis.loops.read(node)
            assert isinstance(loop, Loop), "a loop that all threads can run is counted"
            self.counters.add(loop.counter)
            yield from self._statement(node.body)
        elif isinstance(node, ExprStmt) and self._is_harmless(node):
            return
        elif not isinstance(node, Empty | PpLine):
            yield from self._guarded(node)

    def _guarded(self, node: Node) -> Iterator[Edit]:
        """The statement as it is, under the check."""
        for jump in own_jumps(node) if isinstance(node, For) else node.walk():
            if isinstance(jump, Return):
                raise self.rewrite.refuse(self.region, jump, "it returns from inside another statement")
        start = node.span.start
        yield Edit(Span(start, start), f"if ({self.active}) ")

    def _is_harmless(self, node: Node) -> bool:
        """Whether threads without work may run this: it computes locals from locals."""
        effects = self.analysis.effects.of(node)
        outside = effects.unknown or effects.memory or effects.jumps
        own = all(a.variable is not None for a in effects.accesses)
        return not outside and own and not divides_integers(node, self.analysis)

    def _runs_everywhere(self, node: For) -> bool:
        loop = self.analysis.loops.read(node)
        if not isinstance(loop, Loop) or own_jumps(node):
            return False
        for part in (loop.start, loop.bound, loop.step_node):
            if part is None:
                continue
            effects = self.analysis.effects.of(part)
            if effects.memory or not self.analysis.uniform.is_uniform(part) or divides_integers(part, self.analysis):
                return False
            if not all(self._is_set_everywhere(name) for name in names_in(part)):
                return False
        return loop.declares

    def _is_set_everywhere(self, name: Name) -> bool:
        """Whether threads without work know the value too."""
        variable = self.analysis.scopes.variable(name)
        if variable is None or variable in self.counters or self.analysis.forms.is_settled(variable):
            return True
        return variable.kind == PARAMETER and not self.analysis.forms.written(variable)

    def _declarator(self, declarator: InitDeclarator) -> Iterator[Edit]:
        variable = self.analysis.scopes.declared_by(declarator)
        init = declarator.init
        if variable is None or init is None:
            return
        effects = self.analysis.effects.of(init)
        hidden = effects.unknown or any(a.writes for a in effects.accesses)
        if not hidden and not self._reads(declarator) and not divides_integers(init, self.analysis):
            return
        if hidden or not variable.is_scalar or not is_arithmetic(variable.type_text):
            raise self.rewrite.refuse(
                self.region, init, f"`{variable.name}` is set from memory or unknown code and is no plain number"
            )
        yield Edit(init.span, f"{self.active} ? {operand(init.text, init)} : 0")

    def _reads(self, declarator: InitDeclarator) -> bool:
        return bool(self.analysis.effects.of(declarator).memory)

    def _negated(self, node: Node) -> str:
        """Text of the opposite of a condition; comparisons of integers are turned round, the rest is negated."""
        if isinstance(node, Unary) and node.op == "!":
            return node.operand.text
        if isinstance(node, Binary) and node.op == "||":
            return " && ".join(self._negated(bare(part)) for part in (node.left, node.right))
        if isinstance(node, Binary) and node.op in _OPPOSITE:
            kinds = [self.analysis.types.of(part) for part in (node.left, node.right)]
            if all(is_integer_type(kind) for kind in kinds):
                return f"{node.left.text} {_OPPOSITE[node.op]} {node.right.text}"
        return f"!({node.text})"


_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
