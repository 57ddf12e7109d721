"""All threads of a block stay to the end, so that they can work together; those without work write nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import plain_body
from r3c.rewrites._index import index_declaration
from r3c.rewrites._kernel import kernel_sites, refuse_reshaping
from r3c.rewrites._order import refuse_hidden
from r3c.rewrites._text import line_indent
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_nodes import bare
from r3c.tree.analysis_scopes import Variable
from r3c.tree.nodes import Binary, Body, DeclStmt, ExprStmt, If, Name, Node, Return
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class UniformExit(Rewrite):
    """Lets the threads beyond the bound repeat the work of the last thread without writing, instead of leaving early.

    Blocks without any work still leave at once. After it, `stage-shared` and `aggregate-atomics` can use barriers.

    Before:
        // r3c: kernel()
        __global__ void twice(float *__restrict__ y, const float *__restrict__ x, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i >= n) return;
          y[i] = x[i] * 2.0f;
        }
    Step:
        uniform-exit{site=twice}
    After:
        // r3c: kernel()
        __global__ void twice(float *__restrict__ y, const float *__restrict__ x, int n) {
          const int i_thread = blockIdx.x * blockDim.x + threadIdx.x;
          if ((int)(blockIdx.x * blockDim.x) >= n) return;
          const bool active = i_thread < n;
          const int i = active ? i_thread : n - 1;
          if (active) y[i] = x[i] * 2.0f;
        }
    Refuses:
        what `block-shape` refuses without `geometry(cover)` along x; kernels that do not begin with the index along x and
        one test of it against a bound made of parameters; other returns; writes inside larger statements.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        analysis = analyse(region)
        refuse_reshaping(self, region, "x")
        if analysis.threads.used_axes() != {"x"}:
            raise self.refuse(region, region.function, "it uses more axes than x")
        body = plain_body(self, region)
        refuse_hidden(self, region, analysis.effects.of(body), atomics=True)
        statement, index = index_declaration(self, region, body)
        if index.base_type != "int":
            raise self.refuse(region, statement, f"the index `{index.name}` is no int")
        guard = self._guard(region, body, statement)
        bound = self._bound(region, guard, index)
        for node in body.walk():
            if isinstance(node, Return) and not guard.span.contains(node.span):
                raise self.refuse(region, node, "another thread leaves early here")
        return [*self._head(region, statement, guard, index, bound), *self._writes(region, body)]

    def _guard(self, region: KernelRegion, body: Body, statement: DeclStmt) -> If:
        place = body.statements.index(statement)
        after = body.statements[place + 1] if place + 1 < len(body.statements) else None
        if not isinstance(after, If) or after.otherwise is not None:
            raise self.refuse(region, after or statement, "the index is not tested right after its declaration")
        exits = isinstance(after.then, Return) or (
            isinstance(after.then, Body)
            and len(after.then.statements) == 1
            and isinstance(after.then.statements[0], Return)
        )
        if not exits and (after is not body.statements[-1] or not isinstance(after.then, Body)):
            raise self.refuse(region, after, "the test is neither an early return nor the rest of the kernel in braces")
        return after

    def _bound(self, region: KernelRegion, guard: If, index: Variable) -> str:
        analysis = analyse(region)
        condition = bare(guard.cond)
        exits = not isinstance(guard.then, Body) or isinstance(guard.then.statements[0], Return)
        left = bare(condition.left) if isinstance(condition, Binary) else None
        fits = isinstance(condition, Binary) and condition.op == (">=" if exits else "<") and isinstance(left, Name)
        if not fits or not isinstance(condition, Binary) or left is None or analysis.scopes.variable(left) is not index:
            raise self.refuse(region, guard.cond, f"the test is not `{index.name} {'>=' if exits else '<'} bound`")
        right = bare(condition.right)
        variable = analysis.scopes.variable(right) if isinstance(right, Name) else None
        if (
            variable is None
            or variable.kind != "parameter"
            or variable.base_type != "int"
            or analysis.forms.written(variable)
        ):
            raise self.refuse(region, right, "the bound is no int parameter that stays the same")
        return variable.name

    def _head(
        self, region: KernelRegion, statement: DeclStmt, guard: If, index: Variable, bound: str
    ) -> Iterator[Edit]:
        scopes = analyse(region).scopes
        indent = line_indent(region.source, statement.span.start)
        thread, active = scopes.fresh(f"{index.name}_thread"), self._active(region)
        assert index.init is not None
        lines = [
            f"const int {thread} = {index.init.text};",
            f"if ((int)(blockIdx.x * blockDim.x) >= {bound}) return;",
            f"const bool {active} = {thread} < {bound};",
            f"const int {index.name} = {active} ? {thread} : {bound} - 1;",
        ]
        rest = isinstance(guard.then, Body) and not isinstance(guard.then.statements[0], Return)
        end = guard.then.span.start if rest else guard.span.end
        text = f"\n{indent}".join(lines) + (f"\n{indent}" if rest else "")
        yield Edit(Span(statement.span.start, end), text, "threads without work stay and write nothing")

    def _active(self, region: KernelRegion) -> str:
        return analyse(region).scopes.fresh("active")

    def _writes(self, region: KernelRegion, body: Body) -> Iterator[Edit]:
        """Every write that others see, under `active`."""
        active = self._active(region)
        done: set[int] = set()
        for access in analyse(region).effects.of(body).accesses:
            variable = access.variable
            own = variable is not None and variable.kind == "local" and (variable.is_array or not access.memory)
            if not access.writes or own:
                continue
            statement = next((a for a in [access.node, *access.node.ancestors()] if isinstance(a, ExprStmt)), None)
            if statement is None or self._sets_locals(region, statement):
                raise self.refuse(region, access.node, "this write stands inside a larger statement")
            if id(statement) not in done:
                done.add(id(statement))
                at = Span(statement.span.start, statement.span.start)
                inside = isinstance(statement.parent, Body)
                yield Edit(at, f"if ({active}) " if inside else f"{{ if ({active}) ")
                if not inside:
                    yield Edit(Span(statement.span.end, statement.span.end), " }")

    def _sets_locals(self, region: KernelRegion, statement: Node) -> bool:
        return bool(analyse(region).effects.of(statement).written_variables())
