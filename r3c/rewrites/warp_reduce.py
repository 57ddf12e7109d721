"""The last steps of a shared-memory tree reduction, done inside one warp."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._expressions import is_pure_value
from r3c.rewrites._lanes import SHUFFLED
from r3c.rewrites._loops import for_at, loop_sites, refuse_pragma_of
from r3c.rewrites._text import indent_unit, line_indent, reindented, replaced
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_nodes import bare, call_name
from r3c.tree.analysis_poly import Poly
from r3c.tree.analysis_scopes import SHARED, Variable
from r3c.tree.nodes import Assign, Binary, Body, Call, ExprStmt, For, If, Index, Name, Node
from r3c.tree.regions import KernelRegion

LANES = 32


@dataclass(frozen=True)
class _Tree:
    """The parts of a tree reduction: its counter, the thread's index, the array and the assignment."""

    counter: Variable
    head: Binary
    thread: Node
    array: Variable
    assign: Assign
    own: list[Index]
    other: list[Index]


@dataclass(frozen=True)
class WarpReduce(Rewrite):
    """Ends a halving loop over a shared array where one warp is left, and lets its lanes exchange values instead.

    Before:
        // r3c: kernel()
        __global__ void sum(float *out, const float *in) {
          __shared__ float part[256];
          int tid = threadIdx.x;
          part[tid] = in[blockIdx.x * 256 + tid];
          __syncthreads();
          for (int s = blockDim.x / 2; s > 0; s >>= 1) {
            if (tid < s) part[tid] += part[tid + s];
            __syncthreads();
          }
          if (tid == 0) out[blockIdx.x] = part[0];
        }
    Step:
        warp-reduce{site=sum/loop:s}
    After:
        // r3c: kernel()
        __global__ void sum(float *out, const float *in) {
          __shared__ float part[256];
          int tid = threadIdx.x;
          part[tid] = in[blockIdx.x * 256 + tid];
          __syncthreads();
          {
            int s = blockDim.x / 2;
            for (; s > 16; s >>= 1) {
              if (tid < s) part[tid] += part[tid + s];
              __syncthreads();
            }
            if (tid < 32) {
              float value = part[tid];
              for (; s > 0; s >>= 1) {
                const float other = __shfl_down_sync(0xffffffffu, value, s);
                if (tid < s) value += other;
              }
              part[tid] = value;
            }
            __syncthreads();
          }
          if (tid == 0) out[blockIdx.x] = part[0];
        }
    Refuses:
        loops that do not halve a counter down to 1; bodies that are not `if (thread < counter) a[thread] = f(a[thread],
        a[thread + counter])` and a barrier; kernels that use more than the x axis; arrays that are not known to have an
        element for each lane, or that not all threads reach together.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        node = for_at(self, region)
        refuse_pragma_of(self, region, node)
        tree = self._tree(region, node)
        analysis = analyse(region)
        if analysis.threads.used_axes() != {"x"}:
            raise self.refuse(region, region.function, "it uses more axes than x, so lanes are not known")
        if not analysis.uniform.is_uniformly_reached(node):
            raise self.refuse(region, node, "not all threads of a block reach the loop together")
        kind = analysis.types.element(tree.array)
        if kind not in SHUFFLED:
            raise self.refuse(region, tree.array.node, f"values of type `{kind}` are not exchanged between lanes")
        if not self._has_lanes(region, node, tree):
            why = f"`{tree.array.name}` is not known to have an element for each thread of a warp"
            raise self.refuse(region, tree.array.node, why)
        return [Edit(node.span, self._text(region, node, tree, kind), "the last five steps inside one warp")]

    def _tree(self, region: KernelRegion, node: For) -> _Tree:
        analysis = analyse(region)
        counter = self._counter(region, node)
        statements = list(node.body.statements) if isinstance(node.body, Body) else []
        if len(statements) != 2 or not isinstance(statements[0], If) or not _is_barrier(statements[1]):
            raise self.refuse(region, node.body, "its body is not one `if` and a barrier")
        choice = statements[0]
        test = bare(choice.cond)
        then = choice.then.nodes[0] if isinstance(choice.then, Body) and len(choice.then.nodes) == 1 else choice.then
        assign = bare(then.expression) if isinstance(then, ExprStmt) else None
        below = isinstance(test, Binary) and test.op == "<" and _means(region, test.right, counter)
        if choice.otherwise is not None or not isinstance(assign, Assign) or not isinstance(test, Binary) or not below:
            raise self.refuse(region, choice, "it is not `if (thread < counter)` before one assignment")
        thread = bare(test.left)
        form = analysis.forms.of(thread)
        if form != Poly.atom("threadIdx.x"):
            raise self.refuse(region, thread, "this is not the thread's index in the block")
        target = bare(assign.target)
        array = analysis.scopes.variable(target.base) if isinstance(target, Index) else None
        if array is None or array.kind != SHARED or len(array.dims) != 1 or array.is_volatile:
            raise self.refuse(region, assign, "this does not assign an element of a shared array of one dimension")
        own: list[Index] = []
        other: list[Index] = []
        for part in assign.walk():
            if not isinstance(part, Index):
                continue
            index = analysis.forms.of(part.index)
            if not isinstance(part.base, Name) or analysis.scopes.variable(part.base) is not array or index is None:
                raise self.refuse(region, part, "this reads more than two elements of the array")
            if index == form:
                own.append(part)
            elif index == form + Poly.atom(counter.unique):
                other.append(part)
            else:
                raise self.refuse(region, part, "this is neither the thread's element nor the one a counter further on")
        if target not in own or not other or not is_pure_value(analysis.effects.of(assign.value)):
            raise self.refuse(region, assign, "it does not fold the element a counter further on into the thread's own")
        return _Tree(counter, test, thread, array, assign, own, other)

    def _counter(self, region: KernelRegion, node: For) -> Variable:
        """The counter of a loop that halves it while it is above 0."""
        scopes, forms = analyse(region).scopes, analyse(region).forms
        found = [v for v in scopes.declared_in(node.init) if v.is_scalar]
        counter = found[0] if len(found) == 1 else None
        test, step = (bare(part) if part is not None else None for part in (node.cond, node.step))
        if counter is None or counter.init is None or not isinstance(test, Binary) or not isinstance(step, Assign):
            raise self.refuse(region, node, "its head does not halve a counter of its own")
        halves = (step.op, forms.value(step.value)) in ((">>=", 1), ("/=", 2)) and _means(region, step.target, counter)
        ends = (test.op, forms.value(test.right)) in ((">", 0), (">=", 1)) and _means(region, test.left, counter)
        body = analyse(region).effects.of(node.body)
        if not halves or not ends or body.writes_of(counter):
            raise self.refuse(region, node, "its head does not halve a counter of its own")
        return counter

    def _has_lanes(self, region: KernelRegion, node: For, tree: _Tree) -> bool:
        """Whether every thread of the first warp has an element: the array is large, or each thread wrote its own."""
        analysis = analyse(region)
        bound = tree.array.dims[0]
        size = analysis.forms.value(bound) if bound is not None else None
        if size is not None:
            return size >= LANES
        wanted = analysis.forms.of(tree.thread)
        body = region.function.body
        for statement in body.statements if body is not None else []:
            if not isinstance(statement, ExprStmt) or statement.start > node.start:
                continue
            for write in analysis.effects.of(statement).memory_writes:
                subscripts = write.subscripts or ()
                if write.variable is tree.array and [analysis.forms.of(s) for s in subscripts] == [wanted]:
                    return True
        return False

    def _text(self, region: KernelRegion, node: For, tree: _Tree, kind: str) -> str:
        source, analysis = region.source, analyse(region)
        outer, unit = line_indent(source, node.span.start), indent_unit(source)
        value, other = (analysis.scopes.fresh(word) for word in ("value", "other"))
        changes = [(part.span, value) for part in tree.own] + [(part.span, other) for part in tree.other]
        fold = replaced(source, tree.assign.span, changes)
        element = f"{tree.array.name}[{tree.thread.text}]"
        assert node.step is not None, "the head was read"
        assert tree.counter.init is not None, "the head was read"
        name, step = tree.counter.name, node.step.text
        deep, deeper = outer + unit, outer + unit + unit
        lines = [
            f"{deep}{tree.counter.type_text} {name} = {tree.counter.init.text};",
            f"{deep}for (; {name} > {LANES // 2}; {step}) {reindented(node.body.text, outer, deep)}",
            f"{deep}if ({tree.thread.text} < {LANES}) {{",
            f"{deeper}{kind} {value} = {element};",
            f"{deeper}for (; {name} > 0; {step}) {{",
            f"{deeper}{unit}const {kind} {other} = __shfl_down_sync(0xffffffffu, {value}, {name});",
            f"{deeper}{unit}if ({tree.head.text}) {fold};",
            f"{deeper}}}",
            f"{deeper}{element} = {value};",
            f"{deep}}}",
            f"{deep}__syncthreads();",
        ]
        return "{\n" + "\n".join(lines) + f"\n{outer}}}"


def _is_barrier(node: Node) -> bool:
    call = bare(node.expression) if isinstance(node, ExprStmt) else None
    return isinstance(call, Call) and call_name(call) == "__syncthreads"


def _means(region: KernelRegion, node: Node, variable: Variable) -> bool:
    return analyse(region).scopes.variable(bare(node)) is variable
