"""A stored text in place of a statement or of a kernel's body: how proposals that no rule makes enter a candidate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from r3c.core.errors import SpecError
from r3c.core.source import Edit
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis_nodes import body_of
from r3c.tree.file import Function
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class Patch(Rewrite):
    """Puts the text whose SHA-256 starts with `text` in place of a statement, or of the kernel's body in braces.

    Nothing here shows that the text computes the same: replay decides. It has to parse, and what is frozen stays.

    Before:
        // r3c: kernel()
        __global__ void clear(float *a) {
          a[threadIdx.x] = 1.0f - 1.0f;
        }
    Step:
        patch{site=clear,text=78812e58c37d}
    After:
        // r3c: kernel()
        __global__ void clear(float *a) {
          a[threadIdx.x] = 0.0f;
        }
    Refuses:
        texts that are not stored, that leave brackets open, or that do not parse.
    """

    text: str = ""
    stored: str = field(default="", repr=False)

    proven: ClassVar[bool] = False

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return [region.name, *(path for path in region.sites if path.startswith(f"{region.name}/stmt:"))]

    def use_texts(self, texts: Mapping[str, str]) -> Patch:
        found = [text for sha, text in texts.items() if sha.startswith(self.text)] if self.text else []
        if len(found) != 1:
            raise SpecError(f"{self}: {len(found)} stored texts start with {self.text!r}; a patch needs exactly one")
        return replace(self, stored=found[0])

    def apply(self, region: KernelRegion) -> list[Edit]:
        node = region.sites[self.site]
        target = body_of(region.function) if isinstance(node, Function) else node
        if not self.stored.strip():
            raise self.refuse(region, target, "its text is not stored")
        if isinstance(node, Function) and not (self.stored.startswith("{") and self.stored.rstrip().endswith("}")):
            raise self.refuse(region, target, "the text for a whole body has to stand in braces")
        return [Edit(target.span, self.stored, f"a proposal's text at {self.site}")]
