"""A candidate: ordered rewrite steps, toolchain options and a launch shape, with one text form."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from r3c.core.errors import SpecError
from r3c.core.spec import Spec, SpecReader, Value, format_specs

LAUNCH_SHAPE = "block"
AXES = ("x", "y", "z")


@dataclass(frozen=True)
class LaunchShape:
    """Threads a block along each axis; the grid follows from what the launch has to cover."""

    x: int
    y: int = 1
    z: int = 1

    def __post_init__(self) -> None:
        if min(self.x, self.y, self.z) < 1:
            raise SpecError(f"block{{x={self.x},y={self.y},z={self.z}}}: every axis needs at least 1 thread")

    @property
    def threads(self) -> int:
        return self.x * self.y * self.z

    def as_tuple(self) -> tuple[int, int, int]:
        return self.x, self.y, self.z

    def __str__(self) -> str:
        return str(Spec(LAUNCH_SHAPE, (("x", self.x), ("y", self.y), ("z", self.z))))


@dataclass(frozen=True)
class Candidate:
    """`steps @ block{...} @ toolchain{...}`; an empty part is left out, `original` is the candidate with none.

    Attributes:
        steps: rewrites in the order they are applied; each has a `site` key.
        launch: threads a block, or None for the recorded shape.
        toolchain: the toolchain's name and its options, or None for the default build.
    """

    steps: tuple[Spec, ...] = ()
    launch: LaunchShape | None = None
    toolchain: Spec | None = None

    def __str__(self) -> str:
        parts = [format_specs(self.steps)] if self.steps else []
        parts += [str(part) for part in (self.launch, self.toolchain) if part is not None]
        return " @ ".join(parts) or "original"

    @cached_property
    def id(self) -> str:
        """Stable short name: `c-` and twelve hex digits of the text form's SHA-256."""
        return "c-" + hashlib.sha256(str(self).encode()).hexdigest()[:12]

    @property
    def is_original(self) -> bool:
        return self == Candidate()


def parse_candidate(text: str) -> Candidate:
    """The candidate written as `text`.

    Raises:
        SpecError: with the column and what was expected there.
    """
    reader = SpecReader(text)
    if text.strip() == "original":
        return Candidate()
    parts: list[list[Spec]] = [[]]
    while not reader.at_end():
        parts[-1].append(reader.spec())
        if reader.take("@"):
            parts.append([])
        elif not reader.take(",") and not reader.at_end():
            raise reader.fail("',' before another step, '@' before another part, or the end")
    return _assemble(text, [part for part in parts if part])


def _assemble(text: str, parts: list[list[Spec]]) -> Candidate:
    steps: tuple[Spec, ...] = ()
    launch: LaunchShape | None = None
    toolchain: Spec | None = None
    for part in parts:
        if any("site" in spec.as_dict() for spec in part):
            steps = tuple(part)
        elif len(part) == 1 and part[0].name == LAUNCH_SHAPE:
            launch = _launch_shape(part[0])
        elif len(part) == 1:
            toolchain = part[0]
        else:
            raise SpecError(f"{format_specs(part)!r} in {text!r}: each step of a rewrite needs site=...")
    return Candidate(steps, launch, toolchain)


def _launch_shape(spec: Spec) -> LaunchShape:
    sizes = {"x": 1, "y": 1, "z": 1}
    for key, value in spec.values:
        if key not in sizes or not isinstance(value, int) or isinstance(value, bool):
            raise SpecError(f"{spec}: expected block{{x=N,y=N,z=N}} with whole numbers")
        sizes[key] = value
    return LaunchShape(**sizes)


def step(name: str, site: str, **numbers: Value) -> Spec:
    """A step of a candidate: rewrite `name` at `site` with its numbers."""
    return Spec(name, (("site", site), *numbers.items()))
