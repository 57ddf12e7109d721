"""A whole nest of loops in another order, cut into tiles and dealt out to the grid, said by one word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from r3c.core.dims import Dimension
from r3c.core.errors import InvalidEdit, RewriteRefused
from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit, Span
from r3c.rewrites._loops import any_for, loop_sites
from r3c.rewrites._rewrite import edits_of
from r3c.rewrites.base import Rewrite, number
from r3c.rewrites.interchange import Interchange
from r3c.rewrites.loop_to_grid import LoopToGrid
from r3c.rewrites.tile import Tile
from r3c.tree.nodes import Body, For, Node
from r3c.tree.regions import KernelRegion, region
from r3c.tree.verify import check

LETTERS = "abcdef"
ORDERS = ("ba", "abab", "bab", "aba", "Aba", "acb", "bac", "bca", "cab", "cba", "abcabc", "Abcabc")


@dataclass(frozen=True)
class LoopOrder(Rewrite):
    """Puts the loops of a perfect nest in the order of `order`, where `a` is the outermost now, `b` the next, and so on.

    A letter that stands twice is cut into tiles of `size`: first the loop over tiles, then the one inside a tile. An upper
    case first letter is also cut into `size` chunks over the grid (`loop-to-grid`).

    Before:
        // r3c: kernel()
        __global__ void copy(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
          for (int j = 0; j < w; j++) {
            for (int i = 0; i < h; i++) {
              b[i * w + j] = a[i * w + j];
            }
          }
        }
    Step:
        loop-order{site=copy/loop:j,order=bab,size=32}
    After:
        // r3c: kernel()
        __global__ void copy(float *__restrict__ b, const float *__restrict__ a, int h, int w) {
          for (int i_tile = 0; i_tile < h; i_tile += 32) {
            for (int j = 0; j < w; j++) {
              for (int i = i_tile; i < (i_tile + 32 < h ? i_tile + 32 : h); i++) {
                b[i * w + j] = a[i * w + j];
              }
            }
          }
        }
    Refuses:
        words that do not name each loop of a perfect nest once or twice, that change nothing, or have upper case elsewhere
        than first; what `tile`, `interchange` and `loop-to-grid` refuse on the way.
    """

    order: str = number(*ORDERS)
    size: int = number(8, 16, 32)

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return [path for path in loop_sites(region) if len(_nest(region.sites[path])) > 1]

    @classmethod
    def dimensions(cls, region: KernelRegion, site: str) -> tuple[Dimension, ...]:
        depth = len(_nest(region.sites[site])) if site in region.sites else 2
        fitting = tuple(word for word in ORDERS if len(set(word.lower())) == depth)
        return tuple(
            replace(d, values=fitting or d.values, default=(fitting or d.values)[0]) if d.name == "order" else d
            for d in super().dimensions(region, site)
        )

    def apply(self, region: KernelRegion) -> list[Edit]:
        root = any_for(self, region)
        depth = len(_nest(root))
        word, letters = self.order.lower(), LETTERS[:depth]
        counts = [word.count(letter) for letter in letters]
        if set(word) != set(letters) or max(counts) > 2 or len(word) != sum(counts):
            raise self.refuse(
                region, root, f"{self.order!r} does not name each of the {depth} loops here once or twice"
            )
        if self.order == letters:
            raise self.refuse(region, root, f"{self.order!r} is the order there is")
        if any(letter.isupper() for letter in self.order[1:]):
            raise self.refuse(region, root, "only the outermost loop can be dealt out to the grid")
        state = _State(self, region, root.span.start)
        now = list(letters)
        self._sort(state, now, list(dict.fromkeys(word)))
        for place, letter in enumerate(word):
            if letter not in word[place + 1 :]:
                continue
            at = now.index(letter)
            state.take(Tile(site=state.path(at), size=self.size))
            now[at : at + 1] = [letter.upper(), letter]
        seen: set[str] = set()
        final = []
        for letter in word:
            outer = word.count(letter) == 2 and letter not in seen
            final.append(letter.upper() if outer else letter)
            seen.add(letter)
        self._sort(state, now, final)
        if self.order[0].isupper():
            state.take(LoopToGrid(site=state.path(0), chunks=self.size))
        text, old = state.here.source.text, region.source.text
        end = root.span.end
        start = next((i for i, (x, y) in enumerate(zip(text, old, strict=False)) if x != y), root.span.start)
        start = region.source.line_starts[region.source.line_column(min(start, root.span.start))[0] - 1]
        new = text[start : len(text) - (len(old) - end)]
        return [Edit(Span(start, end), new, f"loops in the order {self.order}")]

    def _sort(self, state: _State, now: list[str], wanted: list[str]) -> None:
        """Brings the loops that are there in the order `now` into the order `wanted`, neighbours at a time."""
        for place, letter in enumerate(wanted):
            for at in range(now.index(letter), place, -1):
                state.take(Interchange(site=state.path(at - 1)))
                now[at - 1], now[at] = now[at], now[at - 1]

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        return LoopToGrid(site=self.site, chunks=self.size).launch_effect(plan) if self.order[0].isupper() else plan


class _State:
    """The kernel between the steps that lead to an order."""

    def __init__(self, rewrite: LoopOrder, here: KernelRegion, start: int) -> None:
        self.rewrite = rewrite
        self.original = here
        self.here = here
        self.start = start

    def path(self, depth: int) -> str:
        """Path of the loop `depth` levels inside the nest."""
        loops = [n for n in self.here.function.walk() if isinstance(n, For) and n.start == self.start]
        return self.here.path_of(_nest(loops[0])[depth])

    def take(self, step: Rewrite) -> None:
        try:
            edits = edits_of(step, self.here)
            after = check(self.here.file, edits, self.here.source.apply(edits))
        except (RewriteRefused, InvalidEdit) as error:
            why = error.diagnostic.message.split(" refused: ", 1)[-1]
            root = next(n for n in self.original.function.walk() if isinstance(n, For) and n.start == self.start)
            raise self.rewrite.refuse(self.original, root, f"{step} is not legal on the way: {why}") from None
        self.here = region(after, self.here.name)


def _nest(node: Node) -> Sequence[For]:
    """The loop at `node` and those that are all there is in it, outermost first."""
    out: list[For] = []
    while isinstance(node, For) and len(out) < len(LETTERS):
        out.append(node)
        body = node.body
        inner = body.statements if isinstance(body, Body) else [body]
        if len(inner) != 1:
            break
        node = inner[0]
    return out
