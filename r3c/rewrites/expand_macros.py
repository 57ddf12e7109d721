"""Macros with arguments written out where a kernel uses them, as the preprocessor would; other rewrites see more then."""

from __future__ import annotations

import re
from dataclasses import dataclass

from r3c.core.source import Edit
from r3c.rewrites._kernel import kernel_sites
from r3c.rewrites._rewrite import Rewrite
from r3c.tree.analysis import analyse
from r3c.tree.analysis_macros import OutsideNames
from r3c.tree.analysis_nodes import body_of
from r3c.tree.nodes import Call, Name
from r3c.tree.regions import KernelRegion

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.']*|\"(?:[^\"\\]|\\.)*\"|\s+|.", re.DOTALL)
DEPTH_MAX = 8


@dataclass(frozen=True)
class ExpandMacros(Rewrite):
    """Writes out the macros with arguments that a kernel uses; the tokens that the compiler sees stay the same.

    Before:
        #define AT(i, j) a[(i) * 64 + j]
        // r3c: kernel()
        __global__ void copy(float *__restrict__ b, const float *__restrict__ a) {
          b[threadIdx.x] = AT(1, threadIdx.x);
        }
    Step:
        expand-macros{site=copy}
    After:
        #define AT(i, j) a[(i) * 64 + j]
        // r3c: kernel()
        __global__ void copy(float *__restrict__ b, const float *__restrict__ a) {
          b[threadIdx.x] = a[(1) * 64 + threadIdx.x];
        }
    Refuses:
        kernels that use no macro with arguments that the file defines once before it; macros that paste tokens, make
        strings or name themselves.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return kernel_sites(region)

    def apply(self, region: KernelRegion) -> list[Edit]:
        outside, edits = analyse(region).outside, []
        defined = {d.name: d.span.start for d in region.file.defines if d.function_like}
        done: list[Call] = []
        for node in body_of(region.function).walk():
            if not isinstance(node, Call) or not isinstance(node.callee, Name):
                continue
            name = node.callee.text
            if outside.macro(name) is None or defined.get(name, node.start) >= node.start:
                continue
            if any(above.span.contains(node.span) for above in done):
                continue
            if re.search(rf"#\s*undef\s+{name}\b", region.source.text):
                raise self.refuse(region, node, f"macro {name} is undefined somewhere")
            done.append(node)
            edits.append(Edit(node.span, self._expanded(region, outside, node), "macros written out"))
        if not edits:
            raise self.refuse(
                region, region.function, "it uses no macro with arguments that the file defines once before"
            )
        return edits

    def _expanded(self, region: KernelRegion, outside: OutsideNames, node: Call) -> str:
        text = node.text
        for _ in range(DEPTH_MAX):
            changed = self._once(region, outside, node, text)
            if changed == text:
                return text
            text = changed
        raise self.refuse(region, node, "its macros go deeper than is followed")

    def _once(self, region: KernelRegion, outside: OutsideNames, node: Call, text: str) -> str:
        """`text` with its outermost macro calls written out once."""
        tokens, out, place = _TOKEN.findall(text), [], 0
        while place < len(tokens):
            macro = outside.macro(tokens[place])
            found = _arguments(tokens, place + 1) if macro is not None else None
            if macro is None or found is None:
                out.append(tokens[place])
                place += 1
                continue
            name, (words, body), (given, place) = tokens[place], macro, found
            body = " ".join(_COMMENT.sub(" ", body.replace("\\\n", " ")).split())
            if len(words) != len(given) or "#" in body or "..." in words:
                raise self.refuse(
                    region, node, f"macro {name} is not written out: its arguments or its text are special"
                )
            if re.search(rf"\b{name}\s*\(", body):
                raise self.refuse(region, node, f"macro {name} names itself")
            values = dict(zip(words, given, strict=True))
            out.append("".join(values.get(token, token) for token in _TOKEN.findall(body)))
        return "".join(out)


def _arguments(tokens: list[str], place: int) -> tuple[list[str], int] | None:
    """Texts of the arguments of a macro call whose parenthesis opens at `place`, and the place after it."""
    while place < len(tokens) and tokens[place].isspace():
        place += 1
    if place >= len(tokens) or tokens[place] != "(":
        return None
    depth = 0
    out: list[str] = []
    current: list[str] = []
    for end in range(place, len(tokens)):
        word = tokens[end]
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth == 0:
            out.append("".join(current).strip())
            return out, end + 1
        if word == "," and depth == 1:
            out.append("".join(current).strip())
            current = []
        elif end > place:
            current.append(word)
    return None
