"""Finds plug-ins: every file of a kind's folder, and every entry point `r3c.<kind>`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from r3c.core.errors import ConfigError

KINDS = {
    "rewrite": "r3c.rewrites",
    "device": "r3c.devices",
    "toolchain": "r3c.build.toolchains",
    "tuner": "r3c.tuners",
    "proposer": "r3c.proposers",
}


def names(kind: str) -> list[str]:
    """Plug-in names of `kind`, sorted; nothing is imported for it."""
    package = importlib.import_module(KINDS[kind])
    own = {m.name.replace("_", "-") for m in pkgutil.iter_modules(package.__path__) if not is_support(m.name)}
    return sorted(own | set(_installed(kind)))


@cache
def _installed(kind: str) -> dict[str, EntryPoint]:
    """Entry points by plug-in name; finding them reads files of every installed package, so once is enough."""
    return {point.name: point for point in entry_points(group=f"r3c.{kind}")}


def is_support(module: str) -> bool:
    """Modules of a plug-in folder that are not plug-ins: `base`, and those with a leading underscore."""
    return module == "base" or module.startswith("_")


def load(kind: str, name: str) -> Any:
    """The class of plug-in `name`: file `a_b.py`, name `a-b`, class `AB`; or one written in full as `package.module:Class`.

    Raises:
        ConfigError: there is no such plug-in; the message lists those there are.
    """
    if ":" in name:
        module_name, class_name = name.split(":", 1)
        return getattr(importlib.import_module(module_name), class_name)
    return _load(kind, name)


@cache
def _load(kind: str, name: str) -> Any:
    if name in _installed(kind):
        return _installed(kind)[name].load()
    if name not in names(kind):
        raise ConfigError(f"no {kind} is called {name!r}", hint=f"there are: {', '.join(names(kind))}")
    module = importlib.import_module(f"{KINDS[kind]}.{name.replace('-', '_')}")
    return getattr(module, "".join(word.capitalize() for word in name.split("-")))
