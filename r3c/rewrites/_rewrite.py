"""What every rewrite is: a frozen dataclass that is one step of a candidate; sites and legality in, edits out.

A plug-in is one file. Its fields are its parameters: `site` first, then numbers declared with `number(...)`; they give
its text form, its search dimensions and its genes. `sites` says where it could apply, `apply` makes the edits or raises
`RewriteRefused`. `base` runs whole candidates.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, ClassVar

from r3c import plugins
from r3c.core.candidate import LaunchShape
from r3c.core.dims import Dimension
from r3c.core.errors import RewriteRefused, SpecError
from r3c.core.launch import LaunchPlan
from r3c.core.source import Edit, Span
from r3c.core.spec import Spec, Value
from r3c.tree.nodes import Node
from r3c.tree.regions import KernelRegion

BENIGN = "benign"
NUMERICS = "numerics"


def number(*values: Value, default: Value | None = None) -> Any:
    """A field that the search may set to any of `values`; `default` is the first of them where not given."""
    start = values[0] if default is None else default
    return field(default=start, metadata={"values": values, "start": start})


@dataclass(frozen=True)
class Rewrite(ABC):
    """One rewrite at one site with its numbers.

    Class attributes:
        name: the plug-in's name, from the class name (`LaunchBounds` is `launch-bounds`).
        group: `numerics` where results may differ in rounding; such steps need a tolerance in the kernel's contract.
        proven: False where the rewrite relies on replay to find out whether it is right (a stored text).
    """

    site: str

    name: ClassVar[str] = ""
    group: ClassVar[str] = BENIGN
    proven: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        cls.name = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()

    @classmethod
    @abstractmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        """Paths at which this rewrite could be tried; never raises."""

    @abstractmethod
    def apply(self, region: KernelRegion) -> list[Edit]:
        """The edits of this step.

        Raises:
            RewriteRefused: it is not legal here, or cannot be shown to be; the diagnostic points at the obstacle.
        """

    def launch_effect(self, plan: LaunchPlan) -> LaunchPlan:
        """The launch after this step, given the launch before it."""
        return plan

    def check_launch(self, region: KernelRegion, launch: LaunchShape | None) -> None:  # noqa: B027 - most take any
        """Refuses a candidate's launch shape (None: the recorded one) that this step cannot live with.

        Raises:
            RewriteRefused: as `apply`.
        """

    def use_texts(self, texts: Mapping[str, str]) -> Rewrite:
        """This step with the stored texts it names looked up; most rewrites use none."""
        return self

    @property
    def spec(self) -> Spec:
        """The step as a value, every parameter named."""
        return Spec(self.name, tuple((f.name, getattr(self, f.name)) for f in fields(self) if f.repr))

    def __str__(self) -> str:
        return str(self.spec)

    def refuse(self, region: KernelRegion, where: Node | Span, why: str, hint: str = "") -> RewriteRefused:
        """The refusal of this step, to be raised, pointing at `where`."""
        span = where if isinstance(where, Span) else where.span
        first_line = region.source.slice(span).split("\n", 1)[0].rstrip()
        shown = Span(span.start, span.start + max(1, len(first_line)))
        return RewriteRefused(region.source.diagnose(shown, f"{self.name} refused: {why}", hint))

    @classmethod
    def searchable(cls) -> bool:
        """Whether every parameter but the site has a set of values, so that steps can be listed."""
        return all("values" in f.metadata for f in fields(cls) if f.name != "site" and f.repr)

    @classmethod
    def dimensions(cls, region: KernelRegion, site: str) -> tuple[Dimension, ...]:
        """What each number may be at `site`; a rewrite that knows more than its fields say overrides this."""
        return tuple(
            Dimension(
                f.name, f.metadata["values"], ordered=_is_ordered(f.metadata["values"]), default=f.metadata["start"]
            )
            for f in fields(cls)
            if "values" in f.metadata
        )


def _is_ordered(values: Sequence[Value]) -> bool:
    return all(isinstance(v, int) and not isinstance(v, bool) for v in values)


def rewrite_names() -> list[str]:
    """Names of all rewrites, sorted."""
    return plugins.names("rewrite")


def rewrite_class(name: str) -> type[Rewrite]:
    """The rewrite called `name`.

    Raises:
        ConfigError: there is none; the message lists those there are.
    """
    found: type[Rewrite] = plugins.load("rewrite", name)
    return found


def rewrite_from_spec(spec: Spec) -> Rewrite:
    """The rewrite that `spec` writes; numbers it leaves out take their defaults.

    Raises:
        ConfigError: no rewrite has this name.
        SpecError: an unknown or missing key, or a value of another type or outside the declared ones.
    """
    kind = rewrite_class(spec.name)
    known = {f.name: f for f in fields(kind) if f.repr}
    values = spec.as_dict()
    for key, value in values.items():
        if key not in known:
            raise SpecError(f"{spec}: {spec.name} has no {key!r}", hint=f"it has: {', '.join(known)}")
        allowed = known[key].metadata.get("values")
        if allowed is not None and type(value) is not type(allowed[0]):
            raise SpecError(f"{spec}: {key} is one of {', '.join(map(str, allowed))}, found {value!r}")
    missing = [f.name for f in known.values() if f.default is MISSING and f.name not in values]
    if missing:
        raise SpecError(f"{spec}: {spec.name} needs {', '.join(missing)}")
    return kind(**values)  # type: ignore[arg-type]  # the types were compared with the declared values above


def edits_of(rewrite: Rewrite, region: KernelRegion) -> list[Edit]:
    """The edits of `rewrite` in `region`, after the rules that hold for every rewrite.

    Raises:
        RewriteRefused: the site does not exist, the contract is exact and the step changes rounding, something frozen
            or reserved by `only(...)` would change, or the rewrite's own reasons.
    """
    whole = region.function.span
    if region.function.body is None:
        raise rewrite.refuse(region, whole, "the kernel is not understood by the grammar")
    if rewrite.site not in region.sites and not is_tunable_site(rewrite.site, region):
        near = ", ".join(sorted(region.sites)[:12])
        raise rewrite.refuse(region, whole, f"there is no site {rewrite.site!r}", hint=f"sites here: {near}")
    if rewrite.group == NUMERICS and not allows_rounding(region):
        why = "it may change rounding and the kernel's contract asks for exact results"
        raise rewrite.refuse(region, whole, why, hint="say kernel(rtol=...) where a small difference is acceptable")
    _check_only_at(rewrite, region)
    edits = [replace(edit, text=_with_line_ends(region, edit.text)) for edit in rewrite.apply(region)]
    for edit in edits:
        _check_reserved(rewrite, region, edit)
    return edits


def is_tunable_site(site: str, region: KernelRegion) -> bool:
    """Whether `site` is `K/NAME` of a tunable number, which has a place in the file but no node."""
    return site.startswith(f"{region.name}/") and site[len(region.name) + 1 :] in region.tunables


def site_node(rewrite: Rewrite, region: KernelRegion) -> Node:
    """The node at the step's site; the kernel for a tunable number."""
    return region.sites.get(rewrite.site, region.function)


def _with_line_ends(region: KernelRegion, text: str) -> str:
    """`text` with the line ends that the file has."""
    plain = text.replace("\r\n", "\n")
    return plain.replace("\n", "\r\n") if "\r\n" in region.source.text else plain


def allows_rounding(region: KernelRegion) -> bool:
    """Whether the owner accepts results that differ in the last bits."""
    return region.contract.fast_math or not region.contract.tolerance.exact


def _check_only_at(rewrite: Rewrite, region: KernelRegion) -> None:
    allowed = region.only.get(rewrite.site)
    if allowed is not None and rewrite.name not in allowed:
        why = f"its annotation allows only {', '.join(sorted(allowed)) or 'nothing'} here"
        raise rewrite.refuse(region, site_node(rewrite, region), why)


def _check_reserved(rewrite: Rewrite, region: KernelRegion, edit: Edit) -> None:
    for frozen in region.frozen:
        if edit.span.overlaps(frozen):
            raise rewrite.refuse(region, frozen, "this is frozen by its annotation")
    for path, allowed in region.only.items():
        node = region.sites[path]
        if rewrite.name not in allowed and edit.span.overlaps(node.span):
            why = f"the annotation of {path} allows only {', '.join(sorted(allowed)) or 'nothing'} there"
            raise rewrite.refuse(region, node, why)


def steps_at(region: KernelRegion, kind: type[Rewrite]) -> Iterator[Rewrite]:
    """Every step of `kind` in `region`, legal or not: each site with each choice of numbers."""
    for site in kind.sites(region):
        yield from _numbered(kind, site, kind.dimensions(region, site), {})


def _numbered(
    kind: type[Rewrite], site: str, dimensions: tuple[Dimension, ...], chosen: dict[str, Value]
) -> Iterator[Rewrite]:
    if not dimensions:
        yield kind(site=site, **chosen)
        return
    for value in dimensions[0].values:
        yield from _numbered(kind, site, dimensions[1:], {**chosen, dimensions[0].name: value})
