"""A tile in shared memory that only repeats an array in global memory: read from there, through the cache."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from r3c.core.source import Edit, Span
from r3c.rewrites._body import plain_body
from r3c.rewrites._rewrite import Rewrite
from r3c.rewrites._text import operand, poly_text, whole_line
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_dependence import DISTINCT
from r3c.tree.analysis_names import THREAD_BUILTINS
from r3c.tree.analysis_nodes import bare, names_in
from r3c.tree.analysis_poly import Atom, Poly
from r3c.tree.analysis_scopes import PARAMETER, SHARED, Variable
from r3c.tree.analysis_types import canonical_type
from r3c.tree.nodes import Assign, Body, DeclStmt, ExprStmt, If, Index, Name, Node
from r3c.tree.regions import KernelRegion

NARROW = ("int", "unsigned int", "unsigned")


@dataclass(frozen=True)
class _Copy:
    """A statement that fills an element of the tile."""

    statement: ExprStmt
    target: Index
    source: Index


@dataclass(frozen=True)
class UnstageShared(Rewrite):
    """Reads a shared array's elements where they were copied from, and stages them no more; caches often do as well.

    Before:
        // r3c: kernel()
        __global__ void blur(float *__restrict__ out, const float *__restrict__ in, int n) {
          __shared__ float tile[66];
          int i = blockIdx.x * 64 + threadIdx.x;
          tile[threadIdx.x + 1] = in[i + 1];
          if (threadIdx.x < 1) tile[threadIdx.x] = in[i];
          __syncthreads();
          out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1];
        }
    Step:
        unstage-shared{site=blur/decl:tile}
    After:
        // r3c: kernel()
        __global__ void blur(float *__restrict__ out, const float *__restrict__ in, int n) {
          int i = blockIdx.x * 64 + threadIdx.x;
          __syncthreads();
          out[i] = in[i] + in[i + 1];
        }
    Refuses:
        arrays that are not shared or used otherwise than by subscripts; elements that are not copies of one array that the
        kernel does not write, all at the same distance from their subscripts, the same while the kernel runs.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        shared = [v.node for v in analyse(region).scopes.variables if v.kind == SHARED and v.is_array]
        return [path for path, node in region.sites.items() if "/decl:" in path and any(node is s for s in shared)]

    def apply(self, region: KernelRegion) -> list[Edit]:
        analysis, node = analyse(region), region.sites[self.site]
        plain_body(self, region)
        tile = analysis.scopes.declared_by(node)
        if tile is None or tile.kind != SHARED or not tile.is_array:
            raise self.refuse(region, node, "this site is not a shared array")
        declaration = next((a for a in node.ancestors() if isinstance(a, DeclStmt)), None)
        if declaration is None or len(declaration.declaration.declarators) != 1:
            raise self.refuse(region, node, "it is declared together with others")
        copies, reads = self._uses(region, tile)
        if not copies:
            raise self.refuse(region, node, "nothing is put into it")
        place = self._place(region, tile, copies)
        pointer = copies[0].source.base.text
        edits = [
            Edit(whole_line(region.source, declaration.span), "", f"`{tile.name}` is read where it was copied from")
        ]
        edits += [Edit(span, "") for span in self._removed(region, copies)]
        for read in reads:
            edits.append(Edit(read.span, f"{pointer}[{self._text(region, place, copies, read)}]"))
        return edits

    # --- what is staged ---------------------------------------------------------------------------------------------

    def _uses(self, region: KernelRegion, tile: Variable) -> tuple[list[_Copy], list[Index]]:
        analysis = analyse(region)
        for node in analysis.effects.of(region.function.body).unknown:
            raise self.refuse(region, node, "what this does is not known")
        copies, reads = [], []
        for name in analysis.scopes.uses(tile):
            whole: Node = name
            while isinstance(whole.parent, Index) and whole.parent.base is whole:
                whole = whole.parent
            if not isinstance(whole, Index) or len(_subscripts(whole)) != len(tile.dims):
                raise self.refuse(region, name, f"`{tile.name}` is used here otherwise than by its subscripts")
            access = [a for a in analysis.effects.of(region.function.body).accesses if a.node is whole]
            if len(access) != 1 or access[0].atomic:
                raise self.refuse(region, whole, f"what this does with `{tile.name}` is not known")
            if access[0].writes:
                copies.append(self._copy(region, tile, whole))
            else:
                reads.append(whole)
        return copies, reads

    def _copy(self, region: KernelRegion, tile: Variable, target: Index) -> _Copy:
        analysis = analyse(region)
        assign = target.parent
        source = bare(assign.value) if isinstance(assign, Assign) and assign.op == "=" else None
        statement = assign.parent if assign is not None else None
        if not isinstance(source, Index) or not isinstance(statement, ExprStmt) or not isinstance(source.base, Name):
            raise self.refuse(region, target, "what is put here is no copy of an element of an array")
        pointer = analysis.scopes.variable(source.base)
        if pointer is None or pointer.kind != PARAMETER or not pointer.is_pointer or analysis.forms.written(pointer):
            raise self.refuse(region, source, "what is put here does not come from where a parameter leads to")
        if canonical_type(pointer.base_type) != canonical_type(tile.base_type) or pointer.is_volatile:
            raise self.refuse(region, source, "the tile has another type than what is put here")
        for write in analysis.effects.of(region.function.body).memory_writes:
            if analysis.memory.relation(write.variable, pointer) != DISTINCT:
                raise self.refuse(region, write.node, f"this may write what `{source.text}` reads")
        return _Copy(statement, target, source)

    def _place(self, region: KernelRegion, tile: Variable, copies: list[_Copy]) -> tuple[list[Poly], Poly]:
        """Factor of each subscript of the tile, and the rest, that give the subscript of the array."""
        found: tuple[list[Poly], Poly] | None = None
        for copy in copies:
            found = found or self._solved(region, copy)
        if found is None:
            raise self.refuse(region, copies[0].target, "the place of the copy is not made of the place in the tile")
        pointers = {copy.source.base.text for copy in copies}
        for copy in copies:
            given = analyse(region).forms.of(copy.source.index)
            if len(pointers) > 1 or given is None or given != self._at(region, found, _subscripts(copy.target)):
                raise self.refuse(region, copy.source, f"other elements of `{tile.name}` come from another place")
            self._check_types(region, copy.source.index)
        return found

    def _solved(self, region: KernelRegion, copy: _Copy) -> tuple[list[Poly], Poly] | None:
        forms = analyse(region).forms
        given, subscripts = forms.of(copy.source.index), [forms.of(s) for s in _subscripts(copy.target)]
        if given is None:
            return None
        factors, rest = [], given
        for subscript in subscripts:
            varying = [n for n in subscript.names if n.startswith("threadIdx")] if subscript is not None else []
            if subscript is None or len(varying) != 1:
                return None
            own, other = subscript.coefficient(varying[0]), given.coefficient(varying[0])
            if own is None or own.value != 1 or other is None:
                return None
            factors.append(other)
            rest = rest - other * subscript
        whole = [rest, *factors]
        if any(not self._is_fixed(analyse(region), atom) for form in whole for atom in form.atoms()):
            return None
        return factors, rest

    @staticmethod
    def _is_fixed(analysis: Analysis, atom: Atom) -> bool:
        """Whether an atom is the same in all threads of the block and while the kernel runs."""
        if atom.args or atom.name.startswith("threadIdx"):
            return False
        if atom.name.split(".")[0] in THREAD_BUILTINS or "@" not in atom.name:
            return True
        variable = next((v for v in analysis.scopes.variables if v.unique == atom.name), None)
        return variable is not None and variable.kind == PARAMETER and not analysis.forms.written(variable)

    def _at(self, region: KernelRegion, place: tuple[list[Poly], Poly], subscripts: list[Node]) -> Poly:
        factors, total = place
        for factor, subscript in zip(factors, subscripts, strict=True):
            form = analyse(region).forms.of(subscript)
            if form is None or any(not self._is_plain(region, atom) for atom in form.atoms()):
                raise self.refuse(region, subscript, "this subscript is not made of indices and parameters")
            self._check_types(region, subscript)
            total = total + factor * form
        return total

    def _is_plain(self, region: KernelRegion, atom: Atom) -> bool:
        return atom.name.startswith("threadIdx") or self._is_fixed(analyse(region), atom)

    def _check_types(self, region: KernelRegion, subscript: Node) -> None:
        """Refuses wider arithmetic than that of an int."""
        analysis = analyse(region)
        for name in names_in(subscript):
            variable = analysis.scopes.variable(name)
            if variable is not None and canonical_type(variable.base_type) not in NARROW:
                raise self.refuse(region, name, f"`{name.text}` is no int")

    def _text(self, region: KernelRegion, place: tuple[list[Poly], Poly], copies: list[_Copy], read: Index) -> str:
        """The subscript for `read`: that of a copy, some elements on, where its names mean the same there."""
        analysis = analyse(region)
        form, near = self._at(region, place, _subscripts(read)), []
        for copy in copies:
            subscript = copy.source.index
            given = analysis.forms.of(subscript)
            distance = None if given is None else (form - given).value
            if distance is not None and all(self._means_the_same(analysis, name, read) for name in names_in(subscript)):
                near.append((abs(distance), distance, subscript))
        if not near:
            return poly_text(form)
        _, distance, subscript = min(near, key=lambda one: one[:2])
        if not distance:
            return subscript.text
        return f"{operand(subscript.text, subscript)} {'+' if distance > 0 else '-'} {abs(distance)}"

    @staticmethod
    def _means_the_same(analysis: Analysis, name: Name, read: Node) -> bool:
        variable = analysis.scopes.variable(name)
        if variable is None:
            return True
        visible = variable.scope.span.contains(read.span) and variable.node.start < read.start
        inner = [v for v in analysis.scopes.variables if v.name == variable.name and v is not variable]
        return visible and not inner and not analysis.forms.written(variable)

    # --- what goes --------------------------------------------------------------------------------------------------

    def _removed(self, region: KernelRegion, copies: list[_Copy]) -> Iterator[Span]:
        """Lines of the copies, and of the conditions that decide nothing else."""
        gone = {id(copy.statement) for copy in copies}
        for copy in copies:
            node: Node = copy.statement
            above = node.parent
            while above is not None:
                if isinstance(above, Body) and isinstance(above.parent, If) and above.statements[-1] is node:
                    if not all(id(statement) in gone for statement in above.statements):
                        break
                    node, above = above, above.parent
                elif isinstance(above, If) and above.then is node and above.otherwise is None:
                    if not analyse(region).effects.of(above.cond).is_pure:
                        break
                    gone.add(id(above))
                    node, above = above, above.parent
                else:
                    break
            if isinstance(node, Body) or not isinstance(node.parent, Body):
                yield copy.statement.span if isinstance(copy.statement.parent, Body) else self._kept_empty(region, copy)
            else:
                yield whole_line(region.source, node.span)

    def _kept_empty(self, region: KernelRegion, copy: _Copy) -> Span:
        raise self.refuse(region, copy.statement, "something else depends on the condition of this copy")


def _subscripts(node: Index) -> list[Node]:
    out: list[Node] = []
    base: Node = node
    while isinstance(base, Index):
        out.insert(0, base.index)
        base = bare(base.base)
    return out
