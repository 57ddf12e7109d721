"""A toolchain's options as data: read from a TOML file, given to the search as dimensions, to the compiler as flags."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from r3c.core.contract import Contract
from r3c.core.dims import Dimension
from r3c.core.errors import ConfigError
from r3c.core.spec import Spec, Value

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

GROUPS = ("benign", "numerics", "promise", "audit")
DELIVERIES = ("source", "flag", "embedded")


@dataclass(frozen=True)
class Knob:
    """One compiler option; `values[0]` is the compiler's default and adds nothing to the command.

    Attributes:
        cuda: first CUDA version that takes it.
        stage: which program takes it, where a toolchain has several.
        changed: of how many self-test kernels it changed the machine code, None where that was not tried.
    """

    name: str
    values: tuple[Value, ...]
    flag: tuple[str, ...]
    group: str
    delivery: str
    cuda: tuple[int, int] = (0, 0)
    stage: str = ""
    changed: int | None = None

    def arguments(self, value: Value) -> list[str]:
        """Command line arguments for `value`.

        Raises:
            ConfigError: it is not one of the knob's values.
        """
        if value not in self.values:
            shown = "|".join(str(v) for v in self.values)
            raise ConfigError(f"{self.name}={value}: expected one of {shown}")
        return [] if value == self.values[0] else [part.format(value=value) for part in self.flag]

    def dimension(self, prefix: str) -> Dimension:
        numbers = all(isinstance(v, int) and not isinstance(v, bool) for v in self.values)
        return Dimension(f"{prefix}.{self.name}", self.values, ordered=numbers, default=self.values[0])


@cache
def read_knobs(path: Path) -> tuple[Knob, ...]:
    """The knobs of a TOML file, in its order."""
    return tuple(_knob(name, raw) for name, raw in tomllib.loads(path.read_text(encoding="utf-8")).items())


def _knob(name: str, raw: Mapping[str, Any]) -> Knob:
    if raw["group"] not in GROUPS or raw["delivery"] not in DELIVERIES:
        raise ConfigError(f"[{name}]: group is one of {', '.join(GROUPS)}, delivery one of {', '.join(DELIVERIES)}")
    major, minor = (int(part) for part in str(raw.get("cuda", "0.0")).split("."))
    return Knob(name, tuple(raw["values"]), tuple(raw["flag"]), raw["group"], raw["delivery"], (major, minor),
                raw.get("stage", ""), raw.get("changed"))  # fmt: skip


# What a winner may need, by how it is to be delivered.
DELIVERABLE = {"source": ("source",), "flag": ("source", "flag"), "any": DELIVERIES}


def searched(
    knobs: tuple[Knob, ...], contract: Contract, cuda: tuple[int, int], deliver: str = "any"
) -> tuple[Knob, ...]:
    """Those the search may turn: benign ones, numerics where the kernel's owner allows fast math; all deliverable.

    What changed no machine code in the self-test (`benchmarks/knobs.py`) is left out.
    """
    groups = {"benign", "numerics"} if contract.fast_math else {"benign"}
    allowed = DELIVERABLE[deliver]
    useful = (k for k in knobs if k.changed != 0)
    return tuple(k for k in useful if k.group in groups and k.cuda <= cuda and k.delivery in allowed)


def arguments(knobs: tuple[Knob, ...], options: Spec, also: Iterable[str] = ()) -> list[str]:
    """Command line arguments of a toolchain spec such as `nvcc{maxrregcount=64}`.

    `also` names other options of the toolchain, for the message that refuses an unknown one.

    Raises:
        ConfigError: an unknown option, or a value it does not have.
    """
    known = {knob.name: knob for knob in knobs}
    out: list[str] = []
    for name, value in options.values:
        if name not in known:
            raise ConfigError(f"{options.name} has no option {name!r}", hint=f"there are: {', '.join([*also, *known])}")
        out += known[name].arguments(value)
    return out
