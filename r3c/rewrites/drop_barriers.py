"""Barriers that order nothing, taken away."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import plain_body
from r3c.rewrites._kernel import kernel_sites
from r3c.rewrites._rewrite import Rewrite
from r3c.rewrites._text import whole_line
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_barriers import Flow, NotFollowedError, Step
from r3c.tree.analysis_dependence import DISTINCT
from r3c.tree.analysis_effects import Access
from r3c.tree.analysis_names import THREAD_BUILTINS
from r3c.tree.analysis_nodes import bare, call_name
from r3c.tree.analysis_poly import Atom
from r3c.tree.analysis_scopes import LOCAL, PARAMETER, Variable
from r3c.tree.nodes import Body, Call, ExprStmt, Name, Node
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class DropBarriers(Rewrite):
    """Takes away each `__syncthreads()` that no access of another thread waits for.

    Before:
        // r3c: kernel()
        __global__ void pairs(float *__restrict__ out, const float *__restrict__ in, int n) {
          __shared__ float s[64];
          __shared__ float t[64];
          s[threadIdx.x] = in[threadIdx.x];
          __syncthreads();
          float a = s[63 - threadIdx.x];
          __syncthreads();
          t[threadIdx.x] = a;
          __syncthreads();
          out[threadIdx.x] = t[63 - threadIdx.x];
        }
    Step:
        drop-barriers{site=pairs}
    After:
        // r3c: kernel()
        __global__ void pairs(float *__restrict__ out, const float *__restrict__ in, int n) {
          __shared__ float s[64];
          __shared__ float t[64];
          s[threadIdx.x] = in[threadIdx.x];
          __syncthreads();
          float a = s[63 - threadIdx.x];
          t[threadIdx.x] = a;
          __syncthreads();
          out[threadIdx.x] = t[63 - threadIdx.x];
        }
    Refuses:
        kernels without a barrier that could go; kernels with jumps other than returns or code that is not understood.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        body, analysis = plain_body(self, region), analyse(region)
        try:
            flow = Flow(body, analysis.scopes, analysis.effects, analysis.forms)
        except NotFollowedError as error:
            raise self.refuse(region, error.node, "the ways through the kernel are not followed past this") from None
        meets = _Meetings(analysis, flow)
        dropped: list[Step] = []
        first: tuple[Step, Access] | None = None
        for barrier in flow.barriers:
            conflict = meets.at(barrier)
            if not _is_plain(barrier.node):
                continue
            if conflict is None:
                barrier.barrier = False
                dropped.append(barrier)
            elif first is None:
                first = (barrier, conflict)
        if dropped:
            return [Edit(self._span(region, step.node), "", "a barrier that orders nothing") for step in dropped]
        if first is None:
            raise self.refuse(region, body, "it has no barrier that stands alone")
        raise self.refuse(region, first[0].node, f"another thread's `{first[1].node.text}` may have to wait here")

    @staticmethod
    def _span(region: KernelRegion, node: Node) -> Span:
        return whole_line(region.source, node.span)


def _is_plain(node: Node) -> bool:
    call = bare(node.nodes[0]) if isinstance(node, ExprStmt) and node.nodes else None
    return isinstance(call, Call) and call_name(call) == "__syncthreads" and isinstance(node.parent, Body)


class _Meetings:
    """Whether accesses before and after a barrier can meet in different threads of a block."""

    def __init__(self, analysis: Analysis, flow: Flow) -> None:
        self._analysis = analysis
        self._flow = flow
        self._axes = analysis.threads.used_axes()

    def at(self, barrier: Step) -> Access | None:
        """An access after `barrier` that has to wait for one before it."""
        before, after = self._flow.around(barrier)
        for first, turns in before:
            for second, more in after:
                if (first.writes or second.writes) and self._meet(first, second, turns + more):
                    return second
        return None

    def _meet(self, first: Access, second: Access, turns: int) -> bool:
        a, b = first.variable, second.variable
        if any(v is not None and v.is_array and v.kind == LOCAL and not v.is_pointer for v in (a, b)):
            return False
        if self._analysis.memory.relation(a, b) == DISTINCT:
            return False
        if a is None or a is not b or first.subscripts is None or second.subscripts is None:
            return True
        if len(first.subscripts) != len(second.subscripts):
            return True
        pairs = list(zip(first.subscripts, second.subscripts, strict=True))
        if any(self._differ(one, other, turns) for one, other in pairs):
            return False
        return not self._is_own(pairs)

    def _differ(self, one: Node, other: Node, turns: int) -> bool:
        """Whether two subscripts are never equal, whichever threads compute them."""
        planes = [self._plane(one), self._plane(other)]
        rotation = self._flow.rotation
        if rotation is not None and (planes[0] is not None or planes[1] is not None):
            if planes[0] is not None and planes[1] is not None:
                return rotation.before(planes[1], turns) is not planes[0]
            constant = self._analysis.forms.value(other if planes[0] is not None else one)
            return constant is not None and constant not in rotation.numbers
        forms = [self._analysis.forms.of(one), self._analysis.forms.of(other)]
        if forms[0] is None or forms[1] is None:
            return False
        value = (forms[0] - forms[1]).value
        fixed = all(
            self._is_fixed(atom) and not atom.name.startswith("threadIdx") for f in forms if f for atom in f.atoms()
        )
        return value is not None and value != 0 and fixed

    def _plane(self, node: Node) -> Variable | None:
        node = bare(node)
        variable = self._analysis.scopes.variable(node) if isinstance(node, Name) else None
        rotation = self._flow.rotation
        return variable if rotation is not None and variable in rotation.after else None

    def _is_own(self, pairs: list[tuple[Node, Node]]) -> bool:
        """Whether both are the thread's own element: the same one, and another one in every other thread."""
        axes: set[str] = set()
        for one, other in pairs:
            form = self._analysis.forms.of(one)
            if form is None or form != self._analysis.forms.of(other) or not all(map(self._is_fixed, form.atoms())):
                return False
            varying = [name for name in form.names if name.startswith("threadIdx")]
            factor = form.coefficient(varying[0]) if len(varying) == 1 else None
            if factor is not None and factor.value:
                axes.add(varying[0].partition(".")[2])
            elif varying:
                return False
        return self._axes <= axes and bool(axes)

    def _is_fixed(self, atom: Atom) -> bool:
        """Whether an atom is the same for a thread wherever it looks."""
        if atom.args:
            return False
        if atom.name.split(".")[0] in THREAD_BUILTINS or "@" not in atom.name:
            return True
        variable = next((v for v in self._analysis.scopes.variables if v.unique == atom.name), None)
        return variable is not None and variable.kind == PARAMETER and not self._analysis.forms.written(variable)
