"""Shared tiles filled by asynchronous copies, some tiles ahead of the one that is computed with."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import place_before
from r3c.rewrites._kernel import SHARED_BYTES_MAX, shared_bytes
from r3c.rewrites._loops import counted, counter_type, declared_counter, loop_sites, refuse_jumps, refuse_pragma, upward
from r3c.rewrites._order import refuse_hidden, varies_in
from r3c.rewrites._staging import bytes_of, is_read_only_place
from r3c.rewrites._text import indent_unit, line_indent, operand, reindented, replaced
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import analyse
from r3c.tree.analysis_dependence import DISTINCT
from r3c.tree.analysis_loops import Loop
from r3c.tree.analysis_nodes import bare, call_name, names_in
from r3c.tree.analysis_scopes import SHARED, Variable
from r3c.tree.brackets import fold, match_brackets
from r3c.tree.lexer import lex
from r3c.tree.nodes import Assign, Call, ExprStmt, Index, InitDeclarator, Name, Node
from r3c.tree.nodes import Loop as AnyLoop
from r3c.tree.regions import KernelRegion

HEADER = "cuda_pipeline.h"
COPY_BYTES = (4, 8, 16)


@dataclass(frozen=True)
class _Copy:
    """One `tile[...] = p[...]` of a fill."""

    assign: Assign
    target: Index
    load: Index
    array: Variable


@dataclass(frozen=True)
class AsyncCopy(Rewrite):
    """Fills the shared tiles of a loop with `cp.async`, `stages` - 1 tiles before they are needed.

    Before:
        // r3c: kernel()
        __global__ void sum(float *__restrict__ out, const float *__restrict__ a, int n) {
          __shared__ float tile[128];
          float s = 0.0f;
          for (int first = 0; first < n; first += 128) {
            __syncthreads();
            for (int t = threadIdx.x; t < 128 && first + t < n; t += blockDim.x) {
              tile[t] = a[first + t];
            }
            __syncthreads();
            for (int j = 0; j < 128 && first + j < n; j++) s += tile[j] * threadIdx.x;
          }
          out[threadIdx.x] = s;
        }
    Step:
        async-copy{site=sum/loop:first,stages=2}
    After:
        #include <cuda_pipeline.h>
        // r3c: kernel()
        __global__ void sum(float *__restrict__ out, const float *__restrict__ a, int n) {
          __shared__ float tile[2][128];
          float s = 0.0f;
          for (int stage = 0; stage < 1; stage++) {
            const int ahead = 0 + stage * 128;
            if (ahead < n) {
              for (int t = threadIdx.x; t < 128 && ahead + t < n; t += blockDim.x) {
                __pipeline_memcpy_async(&tile[stage][t], &a[ahead + t], sizeof(float));
              }
            }
            __pipeline_commit();
          }
          for (int first = 0; first < n; first += 128) {
            const int stage = (first - 0) / 128 % 2;
            const int ahead = first + 128;
            __pipeline_wait_prior(0);
            __syncthreads();
            if (ahead < n) {
              const int next = (stage + 1) % 2;
              for (int t = threadIdx.x; t < 128 && ahead + t < n; t += blockDim.x) {
                __pipeline_memcpy_async(&tile[next][t], &a[ahead + t], sizeof(float));
              }
            }
            __pipeline_commit();
            for (int j = 0; j < 128 && first + j < n; j++) s += tile[stage][j] * threadIdx.x;
          }
          out[threadIdx.x] = s;
        }
    Refuses:
        loops that are not: a barrier, loops that copy global to shared elements of 4, 8 or 16 bytes, a barrier, work that
        only reads the tiles; loops that not all threads of a block run together; sources that the loop may write; tiles
        used elsewhere; kernels inside a namespace or class, where the header's include cannot stand.
    """

    stages: int = number(2, 3, 4)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loop = counted(self, region)
        step = upward(self, region, loop)
        if counter_type(self, region, loop) != "int" or loop.compare != "<":
            raise self.refuse(region, loop.node, "it does not count with an int to below a bound")
        declared_counter(self, region, loop)
        refuse_jumps(self, region, loop)
        refuse_pragma(self, region, loop)
        if not 2 <= self.stages <= 8:
            raise self.refuse(region, loop.node, f"{self.stages} stages are not 2 to 8")
        fills, work = self._parts(region, loop)
        self._check_reached(region, loop)
        copies = [self._copy(region, loop, fill) for fill in fills]
        self._check_work(region, loop, work, copies)
        extra = sum(self._size(region, copy.array) for copy in copies) * (self.stages - 1)
        if shared_bytes(region) + extra > SHARED_BYTES_MAX:
            raise self.refuse(region, loop.node, f"{extra} bytes more of shared memory are more than a block can have")
        self._refuse_enclosed(region)
        return self._edits(region, loop, step, fills, work, copies)

    def _parts(self, region: KernelRegion, loop: Loop) -> tuple[list[Node], list[Node]]:
        """The loops that fill tiles and the statements that use them."""
        statements = loop.statements
        barriers = [index for index, node in enumerate(statements) if _is_barrier(node)]
        if len(barriers) != 2 or barriers[0] != 0 or barriers[1] < 2:
            raise self.refuse(region, loop.body, "its body is not a barrier, copies, a barrier and work")
        fills, work = statements[1 : barriers[1]], statements[barriers[1] + 1 :]
        for fill in fills:
            if not isinstance(fill, AnyLoop):
                raise self.refuse(region, fill, "this is no loop that copies elements")
        return fills, work

    def _check_reached(self, region: KernelRegion, loop: Loop) -> None:
        uniform = analyse(region).uniform
        if not uniform.is_uniformly_reached(loop.node):
            raise self.refuse(region, loop.node, "not all threads of a block reach the loop together")
        for part in (loop.start, loop.bound):
            if not uniform.is_uniform(part):
                raise self.refuse(region, part, "this may differ between the threads of a block")

    def _copy(self, region: KernelRegion, loop: Loop, fill: Node) -> _Copy:
        analysis = analyse(region)
        effects = analysis.effects.of(fill)
        refuse_hidden(self, region, effects)
        if effects.jumps:
            raise self.refuse(region, effects.jumps[0], "a copy is left early")
        outside = [v for v in effects.written_variables() if not fill.span.contains(v.node.span)]
        assigns = [a for a in fill.find_all(Assign) if isinstance(bare(a.target), Index)]
        if len(assigns) != 1 or len(effects.memory_writes) != 1 or outside:
            raise self.refuse(region, fill, "this does more than copy one element to shared memory each time")
        assign = assigns[0]
        target, load = bare(assign.target), bare(assign.value)
        array = _base(region, target)
        pointer = _base(region, load)
        if array is None or array.kind != SHARED or not array.dims or assign.op != "=":
            raise self.refuse(region, assign, "this does not set an element of a shared array")
        if not isinstance(load, Index) or pointer is None or pointer.kind != "parameter" or not pointer.is_pointer:
            raise self.refuse(region, assign, "this does not copy an element that a parameter leads to")
        kinds = (analysis.types.of(target), analysis.types.of(load))
        if kinds[0] != kinds[1] or bytes_of(kinds[0]) not in COPY_BYTES:
            raise self.refuse(region, assign, f"elements of type `{kinds[1]}` cannot be copied asynchronously")
        if region.is_frozen(assign.span) or pointer.is_volatile or analysis.forms.written(pointer):
            raise self.refuse(region, assign, f"`{pointer.name}` may change")
        for write in analysis.effects.of(loop.node).memory_writes:
            if write.node is not target and analysis.memory.relation(write.variable, pointer) != DISTINCT:
                raise self.refuse(region, write.node, f"this may write what `{load.text}` reads ahead")
        self._check_names(region, loop, fill)
        assert isinstance(target, Index), "its base is an array"
        return _Copy(assign, target, load, array)

    def _check_names(self, region: KernelRegion, loop: Loop, fill: Node) -> None:
        """Refuses a fill that depends on more than the counter of what the loop changes."""
        analysis, varies = analyse(region), varies_in(analyse(region), loop.node)
        for name in names_in(fill):
            variable = analysis.scopes.variable(name)
            if variable is None or variable is loop.counter or fill.span.contains(variable.node.span):
                continue
            if varies(variable.unique):
                raise self.refuse(region, name, f"`{variable.name}` is not known a tile ahead")

    def _check_work(self, region: KernelRegion, loop: Loop, work: list[Node], copies: list[_Copy]) -> None:
        scopes = analyse(region).scopes
        if len({c.array.unique for c in copies}) != len(copies):
            raise self.refuse(region, copies[-1].assign, f"`{copies[-1].array.name}` is filled twice")
        for node in work:
            effects = analyse(region).effects.of(node)
            for hidden in [*effects.unknown, *effects.barriers]:
                raise self.refuse(region, hidden, "this may wait for other threads or do what is not known")
        for copy in copies:
            for use in scopes.uses(copy.array):
                if copy.target.span.contains(use.span):
                    continue
                depth, top = 0, use.parent
                while isinstance(top, Index) and depth < len(copy.array.dims):
                    depth, last, top = depth + 1, top, top.parent
                if not any(node.span.contains(use.span) for node in work):
                    raise self.refuse(region, use, f"`{copy.array.name}` is used outside the loop's work")
                if depth != len(copy.array.dims) or not is_read_only_place(last):
                    raise self.refuse(region, use, f"`{copy.array.name}` is not only read here")

    def _size(self, region: KernelRegion, array: Variable) -> int:
        total = bytes_of(analyse(region).types.element(array))
        for bound in array.dims:
            value = analyse(region).forms.value(bound)
            if value is None:
                raise self.refuse(region, array.node, f"the size of `{array.name}` is not known")
            total *= value
        return total

    def _refuse_enclosed(self, region: KernelRegion) -> None:
        tokens = fold(region.source.text, lex(region.source.text)[0])
        mate = match_brackets(tokens).mate
        start = region.function.span.start
        for index, token in enumerate(tokens):
            if (
                token.kind == "LBRACE"
                and token.start < start
                and (mate[index] < 0 or tokens[mate[index]].start > start)
            ):
                raise self.refuse(region, Span(token.start, token.end), f"<{HEADER}> cannot be included in here")

    # --- text -----------------------------------------------------------------------------------------------------

    def _edits(
        self, region: KernelRegion, loop: Loop, step: int, fills: list[Node], work: list[Node], copies: list[_Copy]
    ) -> list[Edit]:
        source, scopes, n = region.source, analyse(region).scopes, self.stages
        place, outer = place_before(self, region, loop.node)
        unit, name = indent_unit(source), loop.counter.name
        stage, ahead, following = (scopes.fresh(word) for word in ("stage", "ahead", "next"))
        deep = outer + unit
        start, bound = operand(loop.start.text, loop.start), operand(loop.bound.text, loop.bound)

        def filled(slot: str) -> list[str]:
            return [
                self._fill(region, loop, f, c, slot, ahead, deep + unit) for f, c in zip(fills, copies, strict=True)
            ]

        before = [f"for (int {stage} = 0; {stage} < {n - 1}; {stage}++) {{"]
        if any(isinstance(above, AnyLoop) for above in loop.node.ancestors()):
            before.insert(0, "__syncthreads();")
        before += [f"{unit}const int {ahead} = {start} + {stage} * {step};", f"{unit}if ({ahead} < {bound}) {{"]
        before += [unit + unit + text for text in filled(stage)]
        before += [unit + "}", f"{unit}__pipeline_commit();", "}"]
        inside = [
            f"const int {stage} = ({name} - {start}) / {step} % {n};",
            f"const int {ahead} = {name} + {step * (n - 1)};",
            f"__pipeline_wait_prior({n - 2});",
            "__syncthreads();",
            f"if ({ahead} < {bound}) {{",
            f"{unit}const int {following} = ({stage} + {n - 1}) % {n};",
            *(unit + text for text in filled(following)),
            "}",
            "__pipeline_commit();",
        ]
        statements = loop.statements
        old = Span(statements[0].span.start, (work[0].span.start if work else statements[-1].span.end))
        joint = f"\n{deep}"
        reason = f"copies {n - 1} tiles ahead"
        edits = [
            Edit(place, "".join(f"{outer}{line}\n" for line in before), reason),
            Edit(old, joint.join(inside) + (joint if work else ""), reason),
        ]
        for copy in copies:
            assert isinstance(copy.array.node, InitDeclarator), "a shared array is declared by a declarator"
            token = copy.array.node.declarator.name_token
            assert token is not None, "an array has a name"
            edits.append(Edit(Span(token.end, token.end), f"[{n}]"))
            for use in scopes.uses(copy.array):
                if not copy.target.span.contains(use.span):
                    edits.append(Edit(Span(use.span.end, use.span.end), f"[{stage}]"))
        return [*self._include(region), *edits]

    def _fill(
        self, region: KernelRegion, loop: Loop, fill: Node, copy: _Copy, slot: str, ahead: str, indent: str
    ) -> str:
        """The loop that starts the copies of the tile whose counter is `ahead` into the stage `slot`."""
        source, scopes = region.source, analyse(region).scopes
        uses = scopes.uses_in(loop.counter, fill)
        target_changes = [(u.span, ahead) for u in uses if copy.target.span.contains(u.span)]
        name = next(u for u in scopes.uses(copy.array) if copy.target.span.contains(u.span))
        target_changes.append((Span(name.span.end, name.span.end), f"[{slot}]"))
        target = replaced(source, copy.target.span, target_changes)
        load = replaced(source, copy.load.span, [(u.span, ahead) for u in uses if copy.load.span.contains(u.span)])
        kind = analyse(region).types.of(copy.target)
        call = f"__pipeline_memcpy_async(&{target}, &{load}, sizeof({kind}))"
        changes = [(u.span, ahead) for u in uses if not copy.assign.span.contains(u.span)]
        changes.append((copy.assign.span, call))
        return reindented(replaced(source, fill.span, changes), line_indent(source, fill.span.start), indent)

    def _include(self, region: KernelRegion) -> list[Edit]:
        if any(include.name == HEADER for include in region.file.includes):
            return []
        return [Edit(Span(0, 0), f"#include <{HEADER}>\n")]


def _is_barrier(node: Node) -> bool:
    call = bare(node.expression) if isinstance(node, ExprStmt) else None
    return isinstance(call, Call) and call_name(call) == "__syncthreads"


def _base(region: KernelRegion, node: Node) -> Variable | None:
    """The array or pointer of a subscript."""
    while isinstance(node, Index):
        node = bare(node.base)
    return analyse(region).scopes.variable(node) if isinstance(node, Name) else None
