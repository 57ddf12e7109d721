"""The header a user takes home: tuned variants of one kernel in, a file to include after the original's definition out.

The original stays where it is and is what runs whenever a variant's conditions do not hold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from r3c.core.candidate import AXES, Candidate
from r3c.core.config import NamesConfig
from r3c.core.errors import EmitError
from r3c.core.launch import LaunchPlan
from r3c.core.result import Timing
from r3c.core.source import Source
from r3c.emit.delivery import Delivery, delivery
from r3c.emit.forward import Forwarding, forwarding
from r3c.emit.render import render
from r3c.emit.signature import Guard, Signature
from r3c.emit.tuned import TunedText, tuned_text
from r3c.rewrites.base import Rewritten
from r3c.tree.file import Function
from r3c.tree.parse import parse

_DEFAULT_NAMES = NamesConfig()
WIDTH = 110
_UNSPELLABLE = re.compile(r"[{}'\"]|lambda|unnamed")


@dataclass(frozen=True)
class Provenance:
    """Where a variant comes from.

    Attributes:
        version: of r3c.
        date: day of the measurement, ISO form.
        device: the device's name for itself; `driver` and `toolchain` are versions, `flags` the build's device flags.
        recordings: digests of the recordings it was measured and verified on.
        baseline, tuned: of one launch of the recording that counts most.
        speedup, speedup_low: baseline over tuned, and the lower end of its interval.
    """

    version: str
    date: str
    device: str
    driver: str
    toolchain: str
    flags: str
    recordings: tuple[str, ...]
    baseline: Timing
    tuned: Timing
    speedup: float
    speedup_low: float


@dataclass(frozen=True)
class Variant:
    """One winner: what it is, how it launches, and which launches it is for.

    Attributes:
        architecture: `sm_90`, or `cpu` for one that was measured on the CPU device.
        signatures: launches it is used for; at least one must match.
        guards: conditions that must all hold.
        instantiation: the one of a template's that it is for, `k<float, 4>`; empty for any.
    """

    candidate: Candidate
    rewritten: Rewritten
    architecture: str
    signatures: tuple[Signature, ...]
    provenance: Provenance
    guards: tuple[Guard, ...] = ()
    instantiation: str = ""


@dataclass(frozen=True)
class Header:
    """A finished header.

    Attributes:
        kernel: the original's name.
        launcher: name of the launch function.
        file_name: what the file is called.
        source_path: the file that defines the original, as its source says.
        text: latin-1 text, as in `Source`.
        flags: options of the first variant that the build would have to set; empty where the header is all there is.
    """

    kernel: str
    launcher: str
    file_name: str
    source_path: str
    text: str
    flags: tuple[str, ...] = ()

    @property
    def data(self) -> bytes:
        return self.text.encode("latin-1")


def launcher_name(kernel: str) -> str:
    """Name of the launch function of `kernel`."""
    return f"r3c_launch_{kernel}"


def make_header(
    source: Source,
    kernel: str,
    variants: Sequence[Variant],
    names: NamesConfig = _DEFAULT_NAMES,
    file_name: str = "",
) -> Header:
    """The header of `kernel`, defined in `source`, with the first matching variant chosen at each launch.

    Raises:
        EmitError: a variant changes what a header cannot carry, or the kernel cannot be launched through a function:
            it has several definitions, or parameters without names.
    """
    function = _only_definition(source, kernel, names)
    forward = forwarding(source, function)
    guarded = [_for_its_instantiation(source, kernel, v, forward) for v in variants]
    tuned = [_variant(source, kernel, v, i, names) for i, v in enumerate(guarded, 1)]
    file_name = file_name or f"r3c_{kernel}.cuh"
    text = render(
        "header.cuh.j2",
        kernel=kernel,
        launcher=launcher_name(kernel),
        file_name=_ascii(file_name),
        source_name=_ascii(source.path.replace("\\", "/").rsplit("/", 1)[-1]),
        guard=re.sub(r"\W", "_", file_name).upper(),
        forward=forward,
        head=_launch_head(kernel, forward),
        variants=tuned,
        includes=sorted({name for variant in tuned for name in variant.text.includes}),
    )
    flags = tuned[0].delivery.flags if tuned else ()
    return Header(kernel, launcher_name(kernel), file_name, source.path, text, flags)


def _only_definition(source: Source, kernel: str, names: NamesConfig) -> Function:
    """The kernel's definition, refusing names that a launch function could not tell apart."""
    found = [k for k in parse(source, names).kernels if k.name == kernel]
    if not found:
        raise EmitError(f"{source.path}: kernel {kernel} is not defined here")
    if len(found) > 1:
        message = (
            f"kernel {kernel} is defined {len(found)} times in this file (overloads, specialisations or #if branches)"
        )
        raise EmitError(source.diagnose(found[1].name_span, message, "give the one to be tuned a name of its own"))
    return found[0]


@dataclass(frozen=True)
class _Tuned:
    """A variant with its texts, for the template."""

    kernel: str
    name: str
    variant: Variant
    text: TunedText
    delivery: Delivery
    architecture_number: int

    @property
    def steps(self) -> list[tuple[str, str]]:
        return [(_ascii(step), _ascii(reason)) for step, reason in self.variant.rewritten.trail]

    @property
    def condition(self) -> str:
        """One `(a && b)` a line, joined by `||`."""
        found = [s.condition() for s in self.variant.signatures]
        return "\n            || ".join(found if len(found) == 1 else [f"({text})" for text in found])

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Provenance, a line each."""
        p = self.variant.provenance
        made = (
            ("candidate", str(self.variant.candidate)),
            ("device", ", ".join(word for word in (p.device, self.variant.architecture, p.driver) if word)),
            ("toolchain", " ".join(word for word in (p.toolchain, p.flags) if word)),
            ("recordings", ", ".join(digest[:16] for digest in p.recordings)),
            ("original", timing_text(p.baseline)),
            ("tuned", timing_text(p.tuned)),
            ("gain", f"{p.speedup:.2f} times as fast, at least {p.speedup_low:.2f}"),
            ("made by", f"r3c {p.version} on {p.date}"),
            ("needs", f"these options in the build, not included here: {', '.join(self.delivery.flags)}")
            if self.delivery.flags
            else ("", ""),
        )
        return [(name, _ascii(text)) for name, text in made if text]

    @property
    def used_for(self) -> list[str]:
        return [_ascii(str(s)) for s in self.variant.signatures]

    @property
    def keeps_geometry(self) -> bool:
        return self.variant.rewritten.plan.is_identity

    @property
    def extra_shared_bytes(self) -> int:
        return self.variant.rewritten.plan.extra_shared_bytes

    @property
    def block(self) -> str:
        shape = self.variant.rewritten.plan.block
        return f"({', '.join(map(str, shape.as_tuple()))})" if shape else " = r3c_block"

    @property
    def grid(self) -> list[str]:
        plan, cover = self.variant.rewritten.plan, f"r3c_cover_{self.kernel}"
        return [grid_expression(plan, axis, cover) for axis in range(3)]


def grid_expression(plan: LaunchPlan, axis: int, cover: str) -> str:
    """Blocks along `axis` that cover what the original launch covers; `cover` is a function of threads and threads a block."""
    name = AXES[axis]
    shared, each = plan.threads_per_index[axis], plan.indices_per_thread[axis]
    threads = f"1ull * r3c_grid.{name} * r3c_block.{name}" + (f" * {shared}" if shared != 1 else "")
    block = str(plan.block.as_tuple()[axis]) if plan.block else f"r3c_block.{name}"
    if not plan.block and shared == each:
        return f"r3c_grid.{name}"
    return f"{cover}({threads}, {block}{f' * {each}' if each != 1 else ''})"


def _for_its_instantiation(source: Source, kernel: str, variant: Variant, forward: Forwarding) -> Variant:
    """Other instantiations of a template are other kernels, on which the variant was never tried."""
    if not forward.template_arguments or not variant.instantiation:
        return variant
    if _UNSPELLABLE.search(variant.instantiation):
        raise EmitError(f"{source.path}: {variant.instantiation}, which was tuned, cannot be named in a header")
    own, tuned = f"{kernel}{forward.template_arguments}", variant.instantiation
    condition = f"reinterpret_cast<const void *>(&{own}) == reinterpret_cast<const void *>(&::{tuned})"
    return replace(variant, guards=(*variant.guards, Guard(condition, "the instantiation that was tuned")))


def _variant(source: Source, kernel: str, variant: Variant, number: int, names: NamesConfig) -> _Tuned:
    if not variant.signatures:
        raise EmitError(f"{source.path}: the winner for {kernel} names no launch that it is for")
    name = f"r3c_{kernel}" if number == 1 else f"r3c_{kernel}_{number}"
    text = tuned_text(source, variant.rewritten.source, kernel, name, names)
    how = delivery(variant.candidate.toolchain, text.kernel)
    if how.attributes:
        definition = re.sub(rf"\b{name}\b", f"{' '.join(how.attributes)} {name}", text.kernel, count=1)
        text = replace(text, kernel=definition)
    return _Tuned(kernel, name, variant, text, how, _architecture_number(variant.architecture))


def _architecture_number(architecture: str) -> int:
    """90 of `sm_90a`, 0 of `cpu`."""
    found = re.fullmatch(r"(?:sm|compute)_(\d+)[a-z]?", architecture)
    return int(found[1]) if found else 0


def _launch_head(kernel: str, forward: Forwarding) -> str:
    """Declaration of the launch function, wrapped."""
    start = f"static inline void {launcher_name(kernel)}("
    parameters = ["dim3 r3c_grid", "dim3 r3c_block", "size_t r3c_shared", "cudaStream_t r3c_stream"]
    lines, line = [], start
    for text in [*parameters, *forward.parameters]:
        joined = line + ("" if line.endswith("(") else ", ") + text
        if len(joined) > WIDTH and not line.endswith("("):
            lines.append(line + ",")
            joined = " " * len(start) + text
        line = joined
    head = "\n".join([*lines, line + ")"])
    return f"{forward.template_head}\n{head}" if forward.template_head else head


def timing_text(timing: Timing) -> str:
    """`0.0123 ms [0.0121, 0.0125]`: what users read is ms."""
    low, middle, high = (f"{us / 1e3:.4g}" for us in (timing.low_us, timing.median_us, timing.high_us))
    return f"{middle} ms [{low}, {high}] a launch, {timing.count} samples"


def _ascii(text: str) -> str:
    """One line of ASCII for a comment; a backslash at its end would swallow the next line."""
    return " ".join(text.split()).encode("ascii", "replace").decode("ascii").rstrip("\\")
