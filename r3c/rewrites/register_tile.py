"""Several outputs a thread: its statements are copied for neighbouring indices, its loops are shared."""

from __future__ import annotations

from dataclasses import dataclass, replace

from r3c.core.dims import Dimension
from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit, Span
from r3c.rewrites._body import builtin_members, plain_body
from r3c.rewrites._kernel import kernel_sites, refuse_reshaping
from r3c.rewrites._order import head_span
from r3c.rewrites._text import indent_unit, line_indent, reindented, replaced, use_changes
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_loops import Loop, own_jumps
from r3c.tree.analysis_nodes import names_in
from r3c.tree.analysis_scopes import Variable
from r3c.tree.analysis_threads import AXES
from r3c.tree.nodes import Body, DeclStmt, Empty, For, InitDeclarator, Node, PpLine, Return
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class RegisterTile(Rewrite):
    """Lets each thread compute `factor` outputs along an axis side by side, so that its loops run once for all of them.

    Before:
        // r3c: kernel()
        __global__ void rows(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          const bool active = i < h;
          float s = 0.0f;
          for (int j = 0; j < w; j++) {
            if (active) s += a[i * w + j] * x[j];
          }
          if (active) y[i] = s;
        }
    Step:
        register-tile{site=rows,factor=2,axis=x,order=blocks}
    After:
        // r3c: kernel()
        __global__ void rows(float *__restrict__ y, const float *__restrict__ a, const float *__restrict__ x, int h, int w) {
          int i = (blockIdx.x * 2) * blockDim.x + threadIdx.x;
          int i_1 = (blockIdx.x * 2 + 1) * blockDim.x + threadIdx.x;
          const bool active = i < h;
          const bool active_1 = i_1 < h;
          float s = 0.0f;
          float s_1 = 0.0f;
          for (int j = 0; j < w; j++) {
            if (active) s += a[i * w + j] * x[j];
            if (active_1) s_1 += a[i_1 * w + j] * x[j];
          }
          if (active) y[i] = s;
          if (active_1) y[i_1] = s_1;
        }
    Refuses:
        what `block-shape` refuses without `geometry(cover)`; kernels that return early (`guard-statements` helps); kernels
        without a loop that all copies run alike; references, static locals and declarations of several names at once.
    """

    factor: int = number(2, 4, 8)
    axis: str = number("x", "y", "z")
    order: str = number("blocks", "neighbours")

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    @classmethod
    def dimensions(cls, region: KernelRegion, site: str) -> tuple[Dimension, ...]:
        used = tuple(axis for axis in AXES if axis in analyse(region).threads.used_axes()) or AXES[:1]
        return tuple(
            replace(d, values=used, default=used[0]) if d.name == "axis" else d
            for d in super().dimensions(region, site)
        )

    def apply(self, region: KernelRegion) -> list[Edit]:
        refuse_reshaping(self, region, self.axis)
        body = plain_body(self, region)
        if not 2 <= self.factor <= 16:
            raise self.refuse(region, body, f"{self.factor} outputs a thread are not 2 to 16")
        for node in body.walk():
            if isinstance(node, Return):
                raise self.refuse(region, node, "it returns early", "guard-statements turns a return into a condition")
        copies = _Copies(self, region)
        text = copies.block(body, line_indent(region.source, body.span.start))
        if not copies.shared_loops:
            raise self.refuse(region, body, "no loop of it runs alike for neighbouring indices")
        return [Edit(body.span, text, f"{self.factor} outputs a thread along {self.axis}")]

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        each = [
            n * (self.factor if axis == self.axis else 1) for n, axis in zip(plan.indices_per_thread, AXES, strict=True)
        ]
        return replace(plan, indices_per_thread=(each[0], each[1], each[2]))


class _Copies:
    """Text of a kernel's statements, each as often as outputs are computed."""

    def __init__(self, rewrite: RegisterTile, region: KernelRegion) -> None:
        self.rewrite = rewrite
        self.region = region
        self.analysis = analyse(region)
        self.unit = indent_unit(region.source)
        self.shared_loops = 0
        self.own = self._own_variables()
        self.counters: set[str] = set()
        self._names: dict[tuple[str, int], str] = {}

    def _own_variables(self) -> set[str]:
        """Locals that each copy needs for itself: all but those that keep a value which no index decides."""
        out: set[str] = set()
        for variable in self.analysis.scopes.variables:
            if variable.kind != "local":
                continue
            settled = self.analysis.forms.is_settled(variable)
            if not settled or (variable.init is not None and self._uses_axis(variable.init, out)):
                out.add(variable.unique)
        return out

    def _uses_axis(self, node: Node, own: set[str]) -> bool:
        axis = self.rewrite.axis
        if any(builtin_members(node, base, axis) for base in ("threadIdx", "blockIdx", "blockDim", "gridDim")):
            return True
        found = [self.analysis.scopes.variable(name) for name in names_in(node)]
        return any(v is not None and v.unique in own for v in found)

    def block(self, body: Node, indent: str) -> str:
        """`body` in braces at `indent`, its statements copied."""
        deep = indent + self.unit
        statements = body.statements if isinstance(body, Body) else [body]
        lines = [f"\n{deep}{line}" for statement in statements for line in self._statement(statement, deep)]
        return "{" + "".join(lines) + f"\n{indent}}}"

    def _statement(self, node: Node, indent: str) -> list[str]:
        if isinstance(node, PpLine):
            return [node.text.strip()]
        if isinstance(node, Empty):
            return []
        if isinstance(node, Body):
            return [self.block(node, indent)]
        if isinstance(node, DeclStmt) and not self._is_copied(node):
            return [self._copy(node, 0, indent)]
        if isinstance(node, For) and self._runs_alike(node):
            return [self._shared(node, indent)]
        return [self._copy(node, index, indent) for index in range(self.rewrite.factor)]

    def _is_copied(self, node: DeclStmt) -> bool:
        """Whether the copies need variables of their own; refuses those that cannot be had twice."""
        found = [v for d in node.declaration.declarators if (v := self.analysis.scopes.declared_by(d)) is not None]
        copied = [v for v in found if v.unique in self.own]
        for variable in copied:
            if variable.is_reference or variable.is_static or variable.is_volatile:
                raise self.rewrite.refuse(self.region, variable.node, f"`{variable.name}` is not a plain local")
        if copied and len(copied) < len(found):
            raise self.rewrite.refuse(self.region, node, "it declares what copies share and what they do not at once")
        return bool(copied)

    def _runs_alike(self, node: For) -> bool:
        loop = self.analysis.loops.read(node)
        if not isinstance(loop, Loop) or not loop.declares or own_jumps(node):
            return False
        parts = [p for p in (loop.start, loop.bound, loop.step_node) if p is not None]
        if any(self._uses_axis(p, self.own - self.counters) or self.analysis.effects.of(p).memory for p in parts):
            return False
        return isinstance(node.parent, Body) or node.parent is None

    def _shared(self, node: For, indent: str) -> str:
        """One loop with the copies of its body."""
        loop = self.analysis.loops.read(node)
        assert isinstance(loop, Loop), "a loop that runs alike is counted"
        self.shared_loops += 1
        self.counters.add(loop.atom)
        self.own.discard(loop.atom)
        return f"{self.region.source.slice(head_span(loop))} {self.block(loop.body, indent)}"

    def _copy(self, node: Node, index: int, indent: str) -> str:
        """Text of `node` for the output `index`."""
        source, rewrite, axis = self.region.source, self.rewrite, self.rewrite.axis
        changes: list[tuple[Span, str]] = []
        one, all_of = ("blockIdx", "gridDim") if rewrite.order == "blocks" else ("threadIdx", "blockDim")
        for member in builtin_members(node, one, axis):
            plus = f" + {index}" if index else ""
            changes.append((member.span, f"({one}.{axis} * {rewrite.factor}{plus})"))
        for member in builtin_members(node, all_of, axis):
            changes.append((member.span, f"({all_of}.{axis} * {rewrite.factor})"))
        if index:
            names = {
                v: self._name(v, index)
                for v in self.analysis.scopes.variables
                if v.unique in self.own and not self._is_inside(v, node)
            }
            changes += use_changes(node, self.analysis.scopes, names)
            changes += [(_declared_at(v), n) for v, n in names.items() if node.span.contains(v.node.span)]
        text = replaced(source, node.span, changes)
        return reindented(text, line_indent(source, node.span.start), indent)

    def _is_inside(self, variable: Variable, node: Node) -> bool:
        """Whether the variable lives in a scope that is copied as a whole."""
        return not isinstance(node, DeclStmt) and node.span.contains(variable.node.span)

    def _name(self, variable: Variable, index: int) -> str:
        key = (variable.unique, index)
        if key not in self._names:
            self._names[key] = self.analysis.scopes.fresh(f"{variable.name}_{index}", set(self._names.values()))
        return self._names[key]


def _declared_at(variable: Variable) -> Span:
    """Where the name stands in its declaration."""
    assert isinstance(variable.node, InitDeclarator), "a local is declared by a declarator"
    token = variable.node.declarator.name_token
    assert token is not None, "a variable has a name"
    return Span(token.start, token.end)
