"""What several loops over the same elements compute again and again, kept in registers from the first of them on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from r3c.core.source import Edit, Span
from r3c.rewrites._body import has_annotation, place_before
from r3c.rewrites._expressions import expressions, is_place, is_pure_value, key, steady_loads
from r3c.rewrites._loops import for_at, loop_sites, refuse_jumps, refuse_pragma, upward
from r3c.rewrites._order import refuse_hidden
from r3c.rewrites._text import indent_unit, line_indent, operand, replaced
from r3c.rewrites.base import Rewrite, number
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_dependence import DISTINCT
from r3c.tree.analysis_effects import Effects
from r3c.tree.analysis_loops import Loop, NotCounted
from r3c.tree.analysis_nodes import names_in
from r3c.tree.analysis_scopes import LOCAL, Variable
from r3c.tree.nodes import Binary, Body, Call, For, Index, Node
from r3c.tree.regions import KernelRegion


@dataclass
class _Kept:
    """An expression, where it is first evaluated, and where it is used."""

    node: Node
    kind: str
    loop: int
    name: str = ""
    uses: list[Node] = field(default_factory=list)


@dataclass(frozen=True)
class KeepInRegisters(Rewrite):
    """Keeps what the first `turns` iterations of a loop read or compute for the loops after it that go over the same elements.

    Before:
        // r3c: kernel()
        __global__ void shift(float *__restrict__ y, const float *__restrict__ a, int w) {
          float m = a[0];
          for (int j = threadIdx.x; j < w; j += 32) {
            m = fmaxf(m, a[j]);
          }
          for (int j = threadIdx.x; j < w; j += 32) {
            y[j] = a[j] - m;
          }
        }
    Step:
        keep-in-registers{site=shift/loop:j,turns=8}
    After:
        // r3c: kernel()
        __global__ void shift(float *__restrict__ y, const float *__restrict__ a, int w) {
          float m = a[0];
          float a_kept[8];
          #pragma unroll
          for (int turn = 0; turn < 8; turn++) {
            const int j = threadIdx.x + turn * 32;
            if (j < w) {
              a_kept[turn] = a[j];
              m = fmaxf(m, a_kept[turn]);
            }
          }
          for (int j = threadIdx.x + 256; j < w; j += 32) {
            m = fmaxf(m, a[j]);
          }
          #pragma unroll
          for (int turn = 0; turn < 8; turn++) {
            const int j = threadIdx.x + turn * 32;
            if (j < w) {
              y[j] = a_kept[turn] - m;
            }
          }
          for (int j = threadIdx.x + 256; j < w; j += 32) {
            y[j] = a[j] - m;
          }
        }
    Refuses:
        loops that no loop of the same head follows in the same body, or that leave early; loops that evaluate nothing in
        every iteration that a later one evaluates again with the same result.
    """

    turns: int = number(32, 8, 16)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return loop_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        loops, kept = analyse(region).noted((self.name, self.site), partial(self._found, region))
        if not kept:
            raise self.refuse(region, loops[0].node, "no loop after it evaluates again what every iteration evaluates")
        return self._edits(region, loops, kept)

    def _found(self, region: KernelRegion) -> tuple[list[Loop], list[_Kept]]:
        loops = self._loops(region)
        return loops, self._kept(region, loops)

    def _loops(self, region: KernelRegion) -> list[Loop]:
        """The loop of the site and those after it in the same body that go over the same elements."""
        first = self._readable(region, for_at(self, region))
        body = first.node.parent
        if not isinstance(body, Body):
            raise self.refuse(region, first.node, "it stands without braces, so nothing can be put before it")
        after = [node for node in body.statements if isinstance(node, For) and node.start > first.node.start]
        same = [node for node in after if self._same_head(region, first, node)]
        if same and not self._steady(region, first, same[-1], first.node):  # then some of them at the most
            same = [node for node in same if self._steady(region, first, node, first.node)]
        if not same:
            raise self.refuse(region, first.node, "no loop of the same head follows it")
        return [first, *(self._readable(region, node) for node in same)]

    def _readable(self, region: KernelRegion, node: For) -> Loop:
        analysis = analyse(region)
        loop = analysis.loops.read(node)
        if isinstance(loop, NotCounted):
            raise self.refuse(region, loop.node, loop.why)
        upward(self, region, loop)
        if not loop.declares:
            raise self.refuse(region, node, f"its counter `{loop.counter.name}` lives on after it")
        refuse_jumps(self, region, loop)
        refuse_pragma(self, region, loop)
        if has_annotation(region, node):
            raise self.refuse(region, node, "an annotation belongs to the loop")
        refuse_hidden(self, region, analysis.effects.of(node), atomics=True)
        return loop

    def _same_head(self, region: KernelRegion, first: Loop, node: For) -> bool:
        other, forms = analyse(region).loops.read(node), analyse(region).forms
        if isinstance(other, NotCounted) or (other.step, other.compare) != (first.step, first.compare):
            return False
        if other.counter.base_type != first.counter.base_type:
            return False
        pairs = [(forms.of(a), forms.of(b)) for a, b in ((first.start, other.start), (first.bound, other.bound))]
        return all(a is not None and a == b for a, b in pairs)

    # --- what is kept -----------------------------------------------------------------------------------------------

    def _kept(self, region: KernelRegion, loops: list[Loop]) -> list[_Kept]:
        """Largest expressions of each loop that an earlier one has evaluated in the same iteration."""
        kept: dict[str, _Kept] = {}
        offered: dict[str, tuple[int, Node]] = {}
        for place, loop in enumerate(loops):
            taken: list[Span] = []
            for node in expressions(loop.body, region):
                if any(span.contains(node.span) for span in taken):
                    continue
                name = self._name_of(region, loop, node)
                if not name or name not in offered or not self._may_keep(region, loops, offered[name][0], place, node):
                    continue
                start, first = offered[name]
                found = kept.setdefault(name, _Kept(first, analyse(region).types.of(first), start))
                found.uses.append(node)
                taken.append(node.span)
            offers = partial(self._offers, region, loop)
            for name, node in analyse(region).noted((self.name, "offers", id(loop.node)), lambda: list(offers())):  # noqa: B023 - called at once
                offered.setdefault(name, (place, node))
        return list(kept.values())

    def _name_of(self, region: KernelRegion, loop: Loop, node: Node) -> str:
        return analyse(region).noted((self.name, id(loop.node), id(node)), lambda: self._key(region, loop, node))

    def _key(self, region: KernelRegion, loop: Loop, node: Node) -> str:
        """A name for what an expression of the counter computes; empty for what is not worth keeping."""
        analysis = analyse(region)
        if (
            not isinstance(node, Index | Call | Binary)
            or is_place(node)
            or not analysis.scopes.uses_in(loop.counter, node)
        ):
            return ""
        if isinstance(node, Binary) and not any(isinstance(part, Index | Call) for part in node.walk()):
            return ""
        if analysis.types.of(node) not in ("float", "double", "int", "unsigned int"):
            return ""
        if not is_pure_value(analysis.effects.of(node)):
            return ""
        inside = analysis.scopes.declared_in(loop.body)
        if any(analysis.scopes.variable(name) in inside for name in names_in(node)):
            return ""
        return re.sub(rf"\b{loop.counter.name}(@\d+)?(?![\w@])", "#", key(node, analysis))

    def _offers(self, region: KernelRegion, loop: Loop) -> Iterator[tuple[str, Node]]:
        """What every iteration of `loop` evaluates, with values that stay the same while it runs."""
        analysis = analyse(region)
        for group in steady_loads(loop, analysis, lambda node: True).values():
            for node in group:
                for part in (node, *node.ancestors()):
                    if not loop.body.span.contains(part.span) or isinstance(part, Body):
                        break
                    name = self._name_of(region, loop, part)
                    if name and self._steady(region, loop, loop.node, part):
                        yield name, part

    def _steady(self, region: KernelRegion, first: Loop, last: Node, node: Node) -> bool:
        """Whether `node`, an expression of the counter, keeps its value from the loop `first` to the end of `last`."""
        analysis = analyse(region)
        body = first.node.parent
        assert isinstance(body, Body), "checked before"
        between = partial(self._between, analysis, body, first.node, last)
        effects, written = analysis.noted((self.name, first.node.start, last.start), between)
        part: Effects = (
            analysis.effects.of(node) if node is not first.node else analysis.effects.of(first.start, first.bound)
        )
        if effects.unknown or any(v in written for v in part.read_variables()):
            return False
        whole = analysis.noted("written", lambda: analysis.effects.of(region.function.body).memory_writes)
        for read in (a for a in part.accesses if a.memory):
            own = read.variable is not None and read.variable.is_array and read.variable.kind == LOCAL
            for write in effects.memory_writes if own else whole:  # other threads may be at another place
                if analysis.memory.relation(write.variable, read.variable) != DISTINCT:
                    return False
        return True

    @staticmethod
    def _between(analysis: Analysis, body: Body, first: Node, last: Node) -> tuple[Effects, set[Variable]]:
        """What the statements from one loop to another do, and the variables they change, their counters left out."""
        between = [s for s in body.statements if first.start <= s.start <= last.start]
        effects = analysis.effects.of(*between)
        counters = {loop.counter for loop in (analysis.loops.read(s) for s in between) if isinstance(loop, Loop)}
        return effects, effects.written_variables() - counters

    def _may_keep(self, region: KernelRegion, loops: list[Loop], first: int, last: int, node: Node) -> bool:
        ends = (loops[-1], loops[last])  # what is steady to the end is steady before it
        return first < last and any(self._steady(region, loops[first], end.node, node) for end in ends)

    # --- text -------------------------------------------------------------------------------------------------------

    def _edits(self, region: KernelRegion, loops: list[Loop], kept: list[_Kept]) -> list[Edit]:
        scopes = analyse(region).scopes
        taken: set[str] = set()
        for one in kept:
            stem = next((n.text for n in names_in(one.node) if not isinstance(n.parent, Call)), "value")
            one.name = scopes.fresh(f"{stem}_kept", taken)
            taken.add(one.name)
        turn = scopes.fresh("turn", taken)
        involved = [
            (i, loop) for i, loop in enumerate(loops) if any(k.loop == i or self._uses_in(k, loop) for k in kept)
        ]
        place, indent = place_before(self, region, involved[0][1].node)
        declared = "".join(f"{indent}{one.kind} {one.name}[{self.turns}];\n" for one in kept)
        reason = f"{len(kept)} values an iteration kept for the loops after it"
        edits = [Edit(place, declared, reason)]
        for number_of, loop in involved:
            text = self._loop_text(region, loop, number_of, kept, turn)
            edits.append(Edit(loop.node.span, text, reason))
        return edits

    @staticmethod
    def _uses_in(one: _Kept, loop: Loop) -> list[Node]:
        body = loop.body
        return [use for use in one.uses if body.start <= use.start < body.end]

    def _loop_text(self, region: KernelRegion, loop: Loop, place: int, kept: list[_Kept], turn: str) -> str:
        """The loop over the turns, and the loop over the rest as it was."""
        source, unit = region.source, indent_unit(region.source)
        indent = line_indent(source, loop.node.span.start)
        step, counter = loop.step or 1, loop.counter
        start = operand(loop.start.text, loop.start)
        if loop.start.text.strip() == "0":
            value = f"{turn} * {step}" if step != 1 else turn
            rest_start = str(self.turns * step)
        else:
            value = f"{start} + {turn} * {step}" if step != 1 else f"{start} + {turn}"
            rest_start = f"{start} + {self.turns * step}"
        changes = [(use.span, f"{one.name}[{turn}]") for one in kept for use in self._uses_in(one, loop)]
        own = [one for one in kept if one.loop == place]
        lines = [f"{one.name}[{turn}] = {replaced(source, one.node.span, _inside(changes, one.node))};" for one in own]
        firsts = [span for one in own for span in self._same(region, loop, one)]
        outer = [c for c in changes if not any(s.contains(c[0]) for s in firsts)]
        outer += [(span, f"{one.name}[{turn}]") for one in own for span in self._same(region, loop, one)]
        statements = [replaced(source, s.span, _inside(outer, s)) for s in loop.statements]
        deep = indent + 2 * unit
        written = "\n".join(f"{deep}{line}" for line in [*lines, *statements])
        closing = loop.node.token("RPAR")
        assert closing is not None, "a loop has a head"
        assert loop.node.step is not None, "a counted loop has a step"
        head = f"for ({counter.type_text} {counter.name} = {rest_start}; {source.slice(loop.node.cond.span)}; "  # type: ignore[union-attr]
        rest = f"{head}{source.slice(loop.node.step.span)}){source.text[closing.end : loop.node.span.end]}"
        return (
            f"#pragma unroll\n{indent}for (int {turn} = 0; {turn} < {self.turns}; {turn}++) {{\n"
            f"{indent}{unit}const {counter.base_type} {counter.name} = {value};\n"
            f"{indent}{unit}if ({source.slice(loop.node.cond.span)}) {{\n"  # type: ignore[union-attr]
            f"{written}\n{indent}{unit}}}\n{indent}}}\n{indent}{rest}"
        )

    def _same(self, region: KernelRegion, loop: Loop, one: _Kept) -> list[Span]:
        """Places of the loop that evaluate what `one` keeps."""
        wanted = self._key(region, loop, one.node)
        return [n.span for n in expressions(loop.body, region) if self._key(region, loop, n) == wanted]


def _inside(changes: list[tuple[Span, str]], node: Node) -> list[tuple[Span, str]]:
    return [(span, text) for span, text in changes if node.span.contains(span)]
