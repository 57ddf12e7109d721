"""The local that holds the index of a thread in the whole launch."""

from __future__ import annotations

from r3c.rewrites._body import builtin_members
from r3c.rewrites._rewrite import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_poly import Poly
from r3c.tree.analysis_scopes import Variable
from r3c.tree.analysis_threads import global_index
from r3c.tree.nodes import Body, Decl, DeclStmt
from r3c.tree.regions import KernelRegion


def index_declaration(rewrite: Rewrite, region: KernelRegion, body: Body) -> tuple[DeclStmt, Variable]:
    """The declaration of the index along x at the start of the kernel, the only use of the x axis.

    Raises:
        RewriteRefused: there is none, or the axis is used elsewhere too.
    """
    analysis = analyse(region)
    uses = [m for base in ("threadIdx", "blockIdx", "blockDim", "gridDim") for m in builtin_members(body, base, "x")]
    for statement in body.statements:
        if not isinstance(statement, DeclStmt):
            break
        variable = _only_variable(region, statement.declaration)
        if variable is None or variable.init is None or not analysis.forms.is_settled(variable):
            continue
        if analysis.threads.global_form(variable.init) == Poly.atom(global_index("x")):
            for use in uses:
                if not variable.init.span.contains(use.span):
                    raise rewrite.refuse(region, use, f"the x axis is used here too, not only in `{variable.name}`")
            return statement, variable
    raise rewrite.refuse(region, body, "no declaration at the start of the kernel holds the index along x")


def _only_variable(region: KernelRegion, declaration: Decl) -> Variable | None:
    found = [analyse(region).scopes.declared_by(d) for d in declaration.declarators]
    return found[0] if len(found) == 1 else None
