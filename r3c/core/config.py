"""`r3c.toml` as values; every key is known here, anything else is refused with the nearest known one."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from r3c.core.errors import ConfigError


@dataclass(frozen=True)
class AppConfig:
    """How the application is built and run; empty means: find out (Makefile, CMakeLists.txt).

    `build` and `run` are shell commands started in the application's folder. `sources` are glob patterns of CUDA files.
    """

    build: str = ""
    run: str = ""
    sources: tuple[str, ...] = ("**/*.cu", "**/*.cuh")
    timeout_s: float = 600.0


@dataclass(frozen=True)
class CompareConfig:
    """When two runs of the application count as equal.

    `stdout` is `numbers` (texts equal, numbers within tolerance), `exact` or `ignore`; `files` are compared the same way.
    `ignore` holds regular expressions of lines that may differ (timings).
    """

    stdout: str = "numbers"
    files: tuple[str, ...] = ()
    rtol: float = 1e-5
    atol: float = 0.0
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True)
class NamesConfig:
    """Names the parser cannot know from one file alone.

    `defines` (`NAME` or `NAME=VALUE`) and `undefines` choose the arms of `#if` in kernels that r3c may change: what
    comes out holds for builds with these definitions only.
    """

    types: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    statement_macros: tuple[str, ...] = ()
    pure_functions: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()


@dataclass(frozen=True)
class LlmConfig:
    """Server and models for proposals; `base_url` empty means that none is asked."""

    base_url: str = ""
    model: str = ""
    key_variable: str = "OPENAI_API_KEY"
    temperature: float = 0.8
    max_tokens: int = 4096
    timeout_s: float = 120.0
    usd_per_million_input: float = -1.0
    usd_per_million_output: float = -1.0


@dataclass(frozen=True)
class Config:
    app: AppConfig = field(default_factory=AppConfig)
    compare: CompareConfig = field(default_factory=CompareConfig)
    names: NamesConfig = field(default_factory=NamesConfig)
    llm: LlmConfig = field(default_factory=LlmConfig)


def config_from_dict(raw: Mapping[str, Any], path: str = "r3c.toml") -> Config:
    """`raw` as read from TOML.

    Raises:
        ConfigError: an unknown section or key (with the nearest known one), or a value of another type.
    """
    sections: dict[str, Any] = {}
    known = {f.name: f.default_factory for f in fields(Config)}
    for name, values in raw.items():
        if name not in known:
            raise _unknown(path, "section", f"[{name}]", name, list(known))
        if not isinstance(values, Mapping):
            raise ConfigError(f"{path}: {name} is a section: write [{name}] and its keys below it")
        sections[name] = _section(path, name, type(known[name]()), values)  # type: ignore[operator]
    return Config(**sections)


def _section(path: str, name: str, kind: Any, values: Mapping[str, Any]) -> Any:
    known = {f.name: f for f in fields(kind)}
    out: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            raise _unknown(path, "key", f"[{name}] {key}", key, list(known))
        out[key] = _value(f"{path}: [{name}] {key}", getattr(kind(), key), value)
    return kind(**out)


def _value(where: str, default: Any, value: Any) -> Any:
    if isinstance(default, tuple):
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise ConfigError(f"{where}: expected a list of strings, found {value!r}")
        return tuple(items)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not type(default):
        raise ConfigError(f"{where}: expected {_words(default)}, found {value!r}")
    return value


def _words(default: Any) -> str:
    return {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}[type(default)]


def _unknown(path: str, what: str, shown: str, word: str, known: list[str]) -> ConfigError:
    near = difflib.get_close_matches(word, known, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
    return ConfigError(f"{path}: {shown}: there is no such {what}", hint=hint)
