"""What a model answered, as structures; anything but steps and bodies of the kernel itself is rejected by name."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

from r3c.core.candidate import step
from r3c.core.errors import R3CError, UserError
from r3c.core.source import Edit
from r3c.core.spec import parse_specs
from r3c.proposers.base import Problem, Structure
from r3c.tree.parse import parse

_BLOCK = re.compile(r"```[a-zA-Z+]*[ \t]*\n(.*?)```", re.DOTALL)
_THINKING = re.compile(r"<think>.*?</think>", re.DOTALL)
_BULLET = re.compile(r"^\s*(?:[-*]|\d+[.)])\s*`?|`\s*$")
ANSWER_MAX = 200_000  # characters; longer answers are cut
LINES_MAX = 50

# What a body may not hold, and the reason the model is told.
_FORBIDDEN = (
    (r"^\s*#", "preprocessor lines"),
    (r"\basm\b|__asm__", "inline PTX"),
    (r"\b(?:clock|clock64|globaltimer|__nanosleep|__globaltimer)\b", "clocks"),
    (r"<<<|\bcudaLaunch\w*", "launches"),
    (r"\b(?:malloc|free|new|delete)\b\s*[\(\w]", "allocations"),
    (r"\bprintf\b|\bfopen\b|\bsystem\b", "input and output"),
    (r"\b(?:__device__|__constant__|__managed__|extern)\b(?!\s+__shared__)", "variables outside the kernel"),
    (r"\bstatic\b(?!\s+__shared__)(?!\s+constexpr)", "static variables"),
)


@dataclass
class Answer:
    """Structures in the order of the answer, and why other parts of it were rejected."""

    structures: list[Structure] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)

    @property
    def error(self) -> str:
        """What to tell the model; empty where something could be used."""
        if self.structures:
            return ""
        return "; ".join(self.rejected[:3]) or "no steps and no body were found"


def read_answer(text: str, problem: Problem) -> Answer:
    """Steps and bodies in `text`; accepted bodies are added to `problem.texts`."""
    answer = Answer()
    text = _THINKING.sub("", text[:ANSWER_MAX])
    for block in _BLOCK.findall(text):
        _read_block(block.strip(), problem, answer)
    for line in _BLOCK.sub("\n", text).splitlines()[:LINES_MAX]:
        _read_steps(_BULLET.sub("", line).strip(), answer)
    return answer


def _read_block(block: str, problem: Problem, answer: Answer) -> None:
    if not block.startswith("{"):
        if "{site=" in block and "\n" not in block.strip():
            _read_steps(block, answer)
            return
        opening = block.find("{")
        if opening < 0 or problem.kernel not in block[:opening]:
            answer.rejected.append("a block has to hold the kernel's body in braces")
            return
        block = block[opening:]
    why = refused_body(block, problem)
    if why:
        answer.rejected.append(why)
        return
    sha = hashlib.sha256(block.encode()).hexdigest()
    problem.texts[sha] = block
    answer.structures.append((step("patch", problem.kernel, text=sha[:16]),))


def refused_body(body: str, problem: Problem) -> str:
    """Why `body` may not become the kernel's body; empty where it may."""
    try:
        body.encode("latin-1")
    except UnicodeEncodeError:
        return "the body holds characters that are not Latin-1"
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", body, flags=re.DOTALL)
    for pattern, what in _FORBIDDEN:
        if re.search(pattern, code, re.MULTILINE):
            return f"{what} are not allowed in a proposal"
    kernel = parse(problem.source, problem.names).kernel(problem.kernel)
    if kernel is None or kernel.body is None:
        return "the kernel is not understood"
    after = parse(problem.source.apply([Edit(kernel.body.span, body)]), problem.names)
    again = after.kernel(problem.kernel)
    if again is None or not again.is_full or again.body is None or again.body.text != body:
        found = str(after.diagnostics[-1]).splitlines()[0] if after.diagnostics else "brackets do not match"
        return f"the body does not parse: {found}"
    return ""


def _read_steps(line: str, answer: Answer) -> None:
    if "{site=" not in line:
        return
    try:
        specs = parse_specs(line)
    except UserError as error:
        answer.rejected.append(str(error).splitlines()[0])
        return
    except R3CError as error:
        answer.rejected.append(str(error).splitlines()[0])
        return
    if any(spec.name == "patch" for spec in specs):
        answer.rejected.append("patch steps are made from bodies, not written")
        return
    answer.structures.append(specs)
