"""Whole candidates: a source and a candidate in, the rewritten source and its launch out; and the space of their numbers.

Also the one import a rewrite needs: `Rewrite`, `number`, `BENIGN`, `NUMERICS`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from r3c.core.candidate import AXES, Candidate, LaunchShape, step
from r3c.core.config import NamesConfig
from r3c.core.constraints import Constraint
from r3c.core.contract import Contract
from r3c.core.dims import Dimension, Point, Space
from r3c.core.errors import AnnotationError, InvalidEdit, R3CError, RewriteRefused
from r3c.core.launch import LaunchPlan
from r3c.core.source import Source
from r3c.core.spec import Spec, Value
from r3c.rewrites._rewrite import (
    BENIGN,
    NUMERICS,
    Rewrite,
    allows_rounding,
    edits_of,
    number,
    rewrite_class,
    rewrite_from_spec,
    rewrite_names,
    site_node,
    steps_at,
)
from r3c.tree.parse import parse
from r3c.tree.regions import KernelRegion, region
from r3c.tree.verify import check

__all__ = [
    "BENIGN",
    "NUMERICS",
    "Refusal",
    "Rewrite",
    "Rewritten",
    "allows_rounding",
    "apply_candidate",
    "edits_of",
    "instantiate",
    "legal_steps",
    "number",
    "rewrite_class",
    "rewrite_from_spec",
    "rewrite_names",
    "space_of",
    "steps_at",
]

THREADS_PER_BLOCK_MAX = 1024
BLOCK_SIZES = {"x": (32, 64, 128, 192, 256, 384, 512, 768, 1024), "y": (1, 2, 4, 8, 16, 32), "z": (1, 2, 4, 8)}


@dataclass(frozen=True)
class Rewritten:
    """A source after the steps of a candidate, the launch they lead to, and why each step did what it did."""

    source: Source
    plan: LaunchPlan
    trail: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Refusal:
    """A step that is not legal where it was tried."""

    step: Rewrite
    error: RewriteRefused


def apply_candidate(
    source: Source,
    kernel: str,
    candidate: Candidate,
    names: NamesConfig | None = None,
    texts: Mapping[str, str] | None = None,
) -> Rewritten:
    """`source` with the steps of `candidate` made one after the other; parsed again and checked after each.

    Args:
        texts: stored texts by their SHA-256, for steps that name one.

    Raises:
        RewriteRefused: a step is not legal; the diagnostic's trail names it.
        SpecError, ConfigError: a step that cannot be read.
        AnnotationError: the kernel is not annotated.
    """
    names = names or NamesConfig()
    program = (source, kernel, names)
    here = original = _recent.get((*program, ()), lambda: (region(parse(source, names), kernel), ""))[0]
    plan = LaunchPlan()
    trail: list[tuple[str, str]] = []
    steps: list[tuple[Rewrite, KernelRegion]] = []
    for index, spec in enumerate(candidate.steps, 1):
        rewrite = rewrite_from_spec(spec).use_texts(texts or {})
        take = partial(_take_step, rewrite, here, kernel, names)
        try:
            here, reason = _recent.get((*program, candidate.steps[:index]), take)
        except RewriteRefused as error:
            raise _at_step(error, index, candidate, spec) from None
        plan = rewrite.launch_effect(plan)
        trail.append((str(spec), reason))
        steps.append((rewrite, original))
    if candidate.launch is not None:
        plan = _reshape(original, here, plan, candidate.launch)
    for rewrite, before in steps:
        rewrite.check_launch(before, plan.block)
    _check_constraints(original, candidate, plan)
    return Rewritten(here.source, plan, tuple(trail))


class _Recent:
    """Kernels after steps made lately: candidates of a study share their first steps."""

    MOST = 64
    MOST_BYTES = 200_000  # of a file; trees of larger ones are not kept

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[KernelRegion, str]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], tuple[KernelRegion, str]]) -> tuple[KernelRegion, str]:
        found = self._kept.pop(key, None) or make()
        if len(found[0].source.text) <= self.MOST_BYTES:
            self._kept[key] = found
        if len(self._kept) > self.MOST:
            self._kept.popitem(last=False)
        return found


_recent = _Recent()


def _take_step(rewrite: Rewrite, here: KernelRegion, kernel: str, names: NamesConfig) -> tuple[KernelRegion, str]:
    edits = edits_of(rewrite, here)
    if not edits:
        if rewrite.launch_effect(LaunchPlan()).is_identity:
            raise rewrite.refuse(here, site_node(rewrite, here), "it would change nothing here")
        return here, rewrite.name
    try:
        after = region(check(here.file, edits, here.source.apply(edits), names), kernel)
    except (AnnotationError, InvalidEdit) as error:
        raise rewrite.refuse(
            here, site_node(rewrite, here), f"its result cannot be read: {error.diagnostic.message}"
        ) from None
    return after, next((edit.reason for edit in edits if edit.reason), rewrite.name)


def _at_step(error: RewriteRefused, index: int, candidate: Candidate, spec: Spec) -> RewriteRefused:
    line = f"at step {index} of {candidate.id}: {spec}"
    return RewriteRefused(replace(error.diagnostic, trail=(*error.diagnostic.trail, line)))


def _reshape(original: KernelRegion, here: KernelRegion, plan: LaunchPlan, launch: LaunchShape) -> LaunchPlan:
    """The plan with the launch shape of the candidate, where original kernel and steps allow one."""
    kind = rewrite_class("block-shape")
    shape = kind(site=original.name, x=launch.x, y=launch.y, z=launch.z)  # type: ignore[call-arg]  # a plug-in, found by name
    edits_of(shape, replace(original, contract=here.contract))
    if plan.block is not None and plan.block != launch:
        raise shape.refuse(here, here.function, f"a step of the candidate needs {plan.block}, not {launch}")
    return shape.launch_effect(plan)


def _check_constraints(original: KernelRegion, candidate: Candidate, plan: LaunchPlan) -> None:
    """Refuses tunables and block sizes that together break a `where(...)` of the contract."""
    point: Point = {d.name: d.default for d in original.contract.tunables if d.default is not None}
    for spec in candidate.steps:
        if spec.name == "define":
            values = spec.as_dict()
            point[str(values["site"]).rsplit("/", 1)[-1]] = values["value"]
    if plan.block is not None:
        point.update({f"block_size_{axis}": size for axis, size in zip(AXES, plan.block.as_tuple(), strict=True)})
    for constraint in original.contract.constraints:
        if constraint.names <= set(point) and not constraint.holds(point):
            message = f"{candidate.id} refused: the contract asks for {constraint}"
            raise RewriteRefused(original.source.diagnose(original.function.span, message))


def legal_steps(here: KernelRegion, names: Sequence[str] | None = None) -> Iterator[Rewrite | Refusal]:
    """Every step of every rewrite (or of those in `names`) that could be tried, legal ones as they are."""
    if here.function.body is None:
        return
    for name in names if names is not None else rewrite_names():
        kind = rewrite_class(name)
        if not kind.searchable():
            continue
        for rewrite in steps_at(here, kind):
            try:
                edits_of(rewrite, here)
            except RewriteRefused as error:
                yield Refusal(rewrite, error)
            else:
                yield rewrite


def space_of(source: Source, kernel: str, steps: Sequence[Spec], names: NamesConfig | None = None) -> Space:
    """The numbers of `steps`, of the kernel's tunables and of its launch shape, with the contract's constraints.

    Dimensions are called `"0.factor"` (index of the step . parameter), by the tunable's name, and
    `block_size_x|y|z` where the launch shape may change. The search starts at the numbers `steps` have. A step that is not legal on the original still has dimensions.
    """
    here = region(parse(source, names or NamesConfig()), kernel)
    dimensions: list[Dimension] = []
    for index, spec in enumerate(steps):
        given = spec.as_dict()
        for dimension in _step_dimensions(here, steps[:index], spec, names):
            start = given.get(dimension.name, dimension.default)
            start = start if start in dimension.values else dimension.default
            dimensions.append(replace(dimension, name=f"{index}.{dimension.name}", default=start))
    contract = here.contract
    dimensions += [d for d in contract.tunables if d.name in here.tunables]
    fixed_by = [rewrite_from_spec(s).launch_effect(LaunchPlan()).block for s in steps]
    blocks = [] if any(fixed_by) else list(_block_dimensions(here))
    dimensions += blocks
    known = {d.name for d in dimensions}
    constraints = [c for c in contract.constraints if c.names <= known]
    if blocks:
        product = " * ".join(d.name for d in blocks)
        constraints.append(Constraint(f"{product} <= {THREADS_PER_BLOCK_MAX}"))
    return Space(tuple(dimensions), tuple(constraints))


def _step_dimensions(
    here: KernelRegion, earlier: Sequence[Spec], spec: Spec, names: NamesConfig | None
) -> tuple[Dimension, ...]:
    """What the original offers the step; where its numbers are not among that, what the kernel after `earlier` steps does."""
    kind, given = rewrite_class(spec.name), spec.as_dict()
    site = str(given.get("site", here.name))
    dimensions = kind.dimensions(here, site)
    if all(given.get(d.name, d.default) in d.values for d in dimensions):
        return dimensions
    try:
        after = apply_candidate(here.source, here.name, Candidate(tuple(earlier)), names).source
    except R3CError:
        return dimensions
    return kind.dimensions(region(parse(after, names or NamesConfig()), here.name), site)


def _block_dimensions(here: KernelRegion) -> Iterator[Dimension]:
    declared = {d.name: d for d in here.contract.tunables}
    kind = rewrite_class("block-shape")
    free = kind.axes_of(here)  # type: ignore[attr-defined]  # a plug-in, found by name
    for axis in AXES:
        name = f"block_size_{axis}"
        if axis in free:
            yield declared.get(name) or Dimension(name, BLOCK_SIZES[axis])


def instantiate(steps: Sequence[Spec], point: Point, kernel: str, contract: Contract) -> Candidate:
    """The candidate with the numbers of `point`: step parameters in place, tunables as `define` steps, block sizes as the launch.

    A tunable at its original value needs no step.
    """
    made = [step("define", f"{kernel}/{name}", value=value) for name, value in _changed_tunables(point, contract)]
    for index, spec in enumerate(steps):
        prefix = f"{index}."
        values = spec.as_dict()
        values.update({key[len(prefix) :]: value for key, value in point.items() if key.startswith(prefix)})
        made.append(Spec.of(spec.name, values))
    sizes = [point.get(f"block_size_{axis}") for axis in AXES]
    launch = None
    if any(size is not None for size in sizes):
        x, y, z = (_count(size) for size in sizes)
        launch = LaunchShape(x, y, z)
    return Candidate(tuple(made), launch)


def _changed_tunables(point: Point, contract: Contract) -> Iterator[tuple[str, Value]]:
    for dimension in contract.tunables:
        if dimension.name.startswith("block_size_") or dimension.name not in point:
            continue
        if dimension.default is None or point[dimension.name] != dimension.default:
            yield dimension.name, point[dimension.name]


def _count(size: Value | None) -> int:
    if size is None:
        return 1
    if not isinstance(size, int) or isinstance(size, bool):
        raise R3CError(f"a block size is a whole number, found {size!r}")
    return size
