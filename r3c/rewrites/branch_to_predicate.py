"""Short branches as conditional values."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._expressions import is_pure_value
from r3c.rewrites._text import operand
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_nodes import bare
from r3c.tree.nodes import Assign, Binary, Body, ExprStmt, If, Name, Node
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class BranchToPredicate(Rewrite):
    """Turns an `if` that only sets one local into an assignment of a conditional value.

    Before:
        // r3c: kernel()
        __global__ void clamp(float *a) {
          float v = a[threadIdx.x];
          if (v < 0.0f) {
            v = 0.0f;
          }
          a[threadIdx.x] = v;
        }
    Step:
        branch-to-predicate{site=clamp/stmt:3}
    After:
        // r3c: kernel()
        __global__ void clamp(float *a) {
          float v = a[threadIdx.x];
          v = v < 0.0f ? 0.0f : v;
          a[threadIdx.x] = v;
        }
    Refuses:
        branches that do more than set one local number, to values without effects whose type is the local's own.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return [path for path, node in region.sites.items() if isinstance(node, If)]

    def apply(self, region: KernelRegion) -> list[Edit]:
        node = region.sites[self.site]
        if not isinstance(node, If) or node.token("SPECIFIER") is not None:
            raise self.refuse(region, node, "this site is not an if statement")
        then = self._assignment(region, node.then)
        analysis = analyse(region)
        target = bare(then.target)
        variable = analysis.scopes.variable(target)
        if variable is None or not variable.is_scalar or variable.is_volatile or analysis.types.of(target) == "":
            raise self.refuse(region, target, "what it sets is not a local number")
        other = self._assignment(region, node.otherwise) if node.otherwise is not None else None
        if other is not None and analysis.scopes.variable(bare(other.target)) is not variable:
            raise self.refuse(region, other, f"the other branch does not set `{variable.name}`")
        values = [then.value] + ([other.value] if other is not None else [])
        for value in [*values, node.cond]:
            if not is_pure_value(analysis.effects.of(value)):
                raise self.refuse(region, value, "evaluating this has effects")
        for value in values:
            if analysis.types.of(value) != analysis.types.of(target):
                raise self.refuse(region, value, f"its type is not known to be that of `{variable.name}`")
        condition, name = bare(node.cond), target.text
        last = operand(other.value.text, other.value) if other is not None else name
        shown = condition.text if isinstance(condition, Binary) else operand(condition.text, condition)
        text = f"{name} = {shown} ? {operand(then.value.text, then.value)} : {last};"
        return [Edit(node.span, text, f"`{name}` by a conditional value")]

    def _assignment(self, region: KernelRegion, branch: Node) -> Assign:
        statement = branch
        if isinstance(branch, Body) and len(branch.statements) == 1:
            statement = branch.statements[0]
        if isinstance(statement, ExprStmt):
            assign = bare(statement.expression)
            if isinstance(assign, Assign) and assign.op == "=" and isinstance(bare(assign.target), Name):
                return assign
        raise self.refuse(region, branch, "the branch does more than set one local")
