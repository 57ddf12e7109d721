"""Case files of rewrites: input, step and expected output or refusal in one `.cu` file.

    // step: unroll{site=saxpy/loop:i,factor=4}
    // kernel: saxpy            (left out: the first annotated kernel)
    // eol: crlf                (left out: as in the file)
    __global__ void saxpy(...) ...
    //== expect
    ...                         the rewritten text after the head lines
    //== launch indices_per_thread=4,1,1

or, instead of `expect`, `//== refused 7:3 the message after "refused: "`. Line numbers are those of the case file.
A section `//== text` holds a stored text (its last line end does not count); `$1` in the step is the first of them.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from r3c.core.candidate import Candidate, parse_candidate
from r3c.core.errors import RewriteRefused
from r3c.core.launch import LaunchPlan
from r3c.core.source import Source
from r3c.rewrites.base import apply_candidate
from r3c.tree.parse import parse
from r3c.tree.regions import regions

_HEAD = re.compile(r"// (step|kernel|eol): *(.*)")
_MARK = "//== "


@dataclass(frozen=True)
class Case:
    """One case file; `text` is the input with its head lines, so that places match the file."""

    path: Path
    head: dict[str, str]
    text: str
    sections: tuple[tuple[str, str], ...]

    @property
    def id(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def head_length(self) -> int:
        """Characters of the head lines."""
        length = 0
        for line in self.text.splitlines(keepends=True):
            if not _HEAD.match(line):
                break
            length += len(line)
        return length

    @property
    def texts(self) -> dict[str, str]:
        stored = [t.rstrip("\n") for name, t in self.sections if name == "text"]
        return {hashlib.sha256(t.encode("latin-1")).hexdigest(): t for t in stored}

    @property
    def candidate(self) -> Candidate:
        step = self.head["step"]
        for index, key in enumerate(self.texts, 1):
            step = step.replace(f"${index}", key[:16])
        return parse_candidate(step)

    @property
    def source(self) -> Source:
        text = self.text.replace("\n", "\r\n") if self.head.get("eol") == "crlf" else self.text
        return Source(self.path.name, text)

    def outcome(self) -> str:
        """What the step really does, in the form of the case file's last sections."""
        source = self.source
        kernel = self.head.get("kernel") or regions(parse(source))[0].name
        try:
            done = apply_candidate(source, kernel, self.candidate, texts=self.texts)
        except RewriteRefused as error:
            d = error.diagnostic
            hint = f"\n// hint: {d.hint}" if d.hint else ""
            return f"{_MARK}refused {d.line}:{d.column} {d.message}{hint}\n"
        text = done.source.text
        if self.head.get("eol") == "crlf":
            assert "\n" not in text.replace("\r\n", ""), "a line end without its carriage return"
            text = text.replace("\r\n", "\n")
        text = text.replace(self.text[: self.head_length], "", 1)
        return f"{_MARK}expect\n{text}{_launch_line(done.plan)}"

    def expected(self) -> str:
        """The file's own expectation in the form of `outcome`."""
        return "".join(_section(name, body) for name, body in self.sections if name != "text")

    def updated(self) -> str:
        """The whole file with the real outcome as its expectation."""
        kept = "".join(_section(name, body) for name, body in self.sections if name == "text")
        return self.text + kept + self.outcome()


def _section(name: str, body: str) -> str:
    return f"{_MARK}{name}\n{body}"


def _launch_line(plan: LaunchPlan) -> str:
    words = launch_words(plan)
    return f"{_MARK}launch {words}\n" if words else ""


def launch_words(plan: LaunchPlan) -> str:
    """What a plan changes: `block=128,1,1 indices_per_thread=4,1,1`, empty where it changes nothing."""
    default = LaunchPlan()
    shown = []
    if plan.block is not None:
        shown.append("block=" + ",".join(map(str, plan.block.as_tuple())))
    for name in ("indices_per_thread", "threads_per_index"):
        if getattr(plan, name) != getattr(default, name):
            shown.append(f"{name}=" + ",".join(map(str, getattr(plan, name))))
    if plan.extra_shared_bytes:
        shown.append(f"extra_shared_bytes={plan.extra_shared_bytes}")
    return " ".join(shown)


def read_case(path: Path) -> Case:
    """The case in `path`; a file without any expectation has no sections."""
    text = path.read_bytes().decode("latin-1")
    pieces = re.split(rf"^{re.escape(_MARK)}([^\n]*)\n", text, flags=re.MULTILINE)
    sections = tuple(zip(pieces[1::2], pieces[2::2], strict=True))
    head: dict[str, str] = {}
    for line in pieces[0].splitlines():
        found = _HEAD.match(line)
        if not found:
            break
        head[found[1]] = found[2].strip()
    return Case(path, head, pieces[0], sections)
