"""What the rewrites of a whole kernel share: its site, its launches in the file, the attributes before its name."""

from __future__ import annotations

import re

from r3c.core.candidate import LaunchShape
from r3c.core.source import Edit, Span
from r3c.rewrites._rewrite import Rewrite
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_names import FENCES
from r3c.tree.analysis_nodes import body_of, call_name
from r3c.tree.analysis_threads import AXES, may_reshape
from r3c.tree.file import Function
from r3c.tree.nodes import Call, Launch, Member, Name, Node
from r3c.tree.regions import KernelRegion


def kernel_sites(region: KernelRegion) -> list[str]:
    return [region.name]


def may_change_shape(region: KernelRegion) -> bool:
    """Whether the launch shape may change along some axis."""
    return bool(free_axes(region))


def free_axes(region: KernelRegion) -> list[str]:
    """Axes along which the launch shape may change."""
    threads = analyse(region).threads
    return [axis for axis in AXES if may_reshape(region.contract.geometry, threads, axis) is None]


def refuse_reshaping(rewrite: Rewrite, region: KernelRegion, axis: str) -> None:
    """Refuses a kernel whose threads along `axis` cannot be laid out anew; the place is the obstacle."""
    obstacle = analyse(region).threads.obstacle(axis)
    if obstacle is not None:
        raise rewrite.refuse(region, obstacle.node, obstacle.why)


def known_block(region: KernelRegion) -> LaunchShape | None:
    """The largest block the kernel is launched with in this file, None where a launch is not understood or there is none."""
    shapes: list[LaunchShape] = []
    for launch in region.file.launches:
        if launch.callee.text.split("<")[0].strip().rsplit("::", 1)[-1] != region.function.name:
            continue
        shape = _block_of(analyse(region), launch)
        if shape is None:
            return None
        shapes.append(shape)
    return max(shapes, key=lambda s: s.threads, default=None)


def _block_of(analysis: Analysis, launch: Launch) -> LaunchShape | None:
    if len(launch.config) < 2:
        return None
    text = launch.config[1].text.strip()
    if re.fullmatch(r"\w+", text) and analysis.constants.evaluate(text) is None:
        text = _dim3_text(launch, text)
    found = re.fullmatch(r"(?:dim3\s*\w*\s*)?[({](.*)[)}]", text, re.DOTALL)
    sizes = [analysis.constants.evaluate(part) for part in (found[1].split(",") if found else [text])]
    numbers = [size for size in sizes if size is not None and size > 0]
    if not 1 <= len(numbers) <= 3 or len(numbers) != len(sizes):
        return None
    return LaunchShape(*numbers)


def _dim3_text(launch: Node, name: str) -> str:
    """Constructor arguments of the only `dim3 name(...)` before the launch in its function, else an empty text."""
    function = next((a for a in launch.ancestors() if isinstance(a, Function)), None)
    if function is None:
        return ""
    declared = re.findall(rf"\bdim3\s+{name}\s*(\([^;]*?\))\s*[;,]", function.text)
    plain = re.findall(
        rf"\b(?:const\s+|constexpr\s+)*(?:int|unsigned|size_t)\s+{name}\s*=\s*([^;,]+)[;,]", function.text
    )
    written = re.findall(rf"\b{name}\b(?:\.[xyz])?\s*(?:[-+*/]?=|\+\+|--)", function.text)
    found = [*declared, *(f"({text})" for text in plain)]
    return found[0] if len(found) == 1 and len(written) <= len(plain) else ""


_SIZES = {
    "char": 1,
    "unsigned char": 1,
    "short": 2,
    "int": 4,
    "unsigned int": 4,
    "unsigned": 4,
    "float": 4,
    "double": 8,
    "bool": 1,
}
SHARED_BYTES_MAX = 48 * 1024


def shared_bytes(region: KernelRegion) -> int:
    """Static shared memory of the kernel in bytes, as far as sizes are known."""
    analysis = analyse(region)
    total = 0
    for variable in analysis.scopes.variables:
        if variable.kind == "shared":
            count = 1
            for bound in variable.dims:
                count *= (analysis.forms.value(bound) or 0) if bound is not None else 0
            total += count * element_bytes(variable.base_type)
    return total


def element_bytes(type_name: str) -> int:
    """Size of a number of this type; 8 where it is not known."""
    return _SIZES.get(type_name, 8)


def name_span(region: KernelRegion) -> Span:
    """Where the kernel's name stands in its definition."""
    start = region.function.span.start
    text = region.source.text
    found = re.compile(rf"\b{re.escape(region.function.name)}\s*\(").search(
        text, start, body_of(region.function).span.start
    )
    assert found is not None, "a kernel's definition has its name before its parameters"
    return Span(found.start(), found.start() + len(region.function.name))


def attribute_edits(rewrite: Rewrite, region: KernelRegion, attribute: str, arguments: str, reason: str) -> list[Edit]:
    """Puts `attribute(arguments)` before the kernel's name, or gives an attribute that is there these arguments."""
    head = region.source.text[region.function.span.start : body_of(region.function).span.start]
    found = list(re.finditer(rf"{attribute}\s*\(", head))
    if len(found) > 1 or "\n#" in head:
        raise rewrite.refuse(region, region.function, "its head has preprocessor conditionals or the attribute twice")
    if not found:
        at = name_span(region).start
        return [Edit(Span(at, at), f"{attribute}({arguments}) ", reason)]
    depth, at = 1, found[0].end()
    while depth and at < len(head):
        depth += {"(": 1, ")": -1}.get(head[at], 0)
        at += 1
    start = region.function.span.start
    span = Span(start + found[0].start(), start + at)
    if region.source.slice(span).replace(" ", "") == f"{attribute}({arguments})".replace(" ", ""):
        raise rewrite.refuse(region, span, "the kernel already has it")
    return [Edit(span, f"{attribute}({arguments})", reason)]


def refuse_waiting(rewrite: Rewrite, region: KernelRegion) -> None:
    """Refuses kernels whose blocks may wait for each other, or that use `blockIdx` as a whole."""
    analysis = analyse(region)
    effects = analysis.effects.of(region.function.body)
    for node in effects.unknown:
        fence = isinstance(node, Call) and call_name(node) in FENCES
        raise rewrite.refuse(
            region, node, "blocks may wait for each other here" if fence else "what this does is not known"
        )
    for access in effects.accesses:
        if access.variable is not None and access.variable.is_volatile:
            raise rewrite.refuse(region, access.node, "blocks may wait for each other at volatile memory")
    for name in (n for n in region.function.walk() if isinstance(n, Name) and n.text == "blockIdx"):
        if not isinstance(name.parent, Member):
            raise rewrite.refuse(region, name, "blockIdx is used as a whole")
