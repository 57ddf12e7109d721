"""Measured search spaces: a CSV file (plain or gzip) of every configuration in, its parameters and times out.

The columns are the tunable parameters, then `time_ms` (empty where the configuration failed), `compile_ms`, `bench_ms`
and `status` (`ok` or the kind of failure).
"""

from __future__ import annotations

import csv
import gzip
import math
import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TextIO

from r3c.core.constraints import Listed
from r3c.core.dims import Dimension, Space
from r3c.core.errors import UserError
from r3c.core.spec import Value

MEASURED = ("time_ms", "compile_ms", "bench_ms", "status")
Key = tuple[Value, ...]


class SpaceFileError(UserError):
    """A file that is no measured search space."""


@dataclass(frozen=True)
class Row:
    """What one configuration gave; `time_ms` is None where it failed."""

    time_ms: float | None
    compile_ms: float
    bench_ms: float
    status: str

    @property
    def cost_s(self) -> float:
        return (self.compile_ms + self.bench_ms) / 1000


@dataclass(frozen=True)
class Measured:
    """One space with all its rows."""

    name: str
    parameters: dict[str, tuple[Value, ...]]
    rows: dict[Key, Row]

    @cached_property
    def times_ms(self) -> list[float]:
        """Of those that work, fastest first."""
        return sorted(row.time_ms for row in self.rows.values() if row.time_ms is not None)

    @property
    def optimum_ms(self) -> float:
        return self.times_ms[0]

    @cached_property
    def mean_cost_s(self) -> float:
        """What building and measuring one configuration costs."""
        return sum(row.cost_s for row in self.rows.values()) / len(self.rows)

    def space(self, seed: int) -> Space:
        """The space as a tuner sees it, without times; it starts at a random configuration."""
        start = random.Random(seed).choice(list(self.rows))
        dimensions = tuple(
            Dimension(name, values, ordered=_are_numbers(values), default=value)
            for (name, values), value in zip(self.parameters.items(), start, strict=True)
        )
        return Space(dimensions, (Listed(tuple(self.parameters), tuple(self.rows)),))


def read_space(path: Path) -> Measured:
    """The space in `path`.

    Raises:
        SpaceFileError: the file cannot be read or is none; the message says where and why.
    """
    if not path.is_file():
        raise SpaceFileError(f"{path}: there is no such file")
    try:
        with _open(path) as file:
            lines = list(csv.reader(file))
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, csv.Error) as error:
        raise SpaceFileError(
            f"{path}: cannot be read as {'gzip ' if path.suffix == '.gz' else ''}CSV: {error}"
        ) from None
    if not lines:
        raise SpaceFileError(f"{path}: is empty")
    header = [name.strip() for name in lines[0]]
    missing = [name for name in MEASURED if name not in header]
    if missing or len(set(header)) != len(header):
        what = f"no column {', '.join(missing)}" if missing else "a column's name comes twice"
        raise SpaceFileError(f"{path}:1: {what}", hint=f"expected the parameters, then {', '.join(MEASURED)}")
    names = [name for name in header if name not in MEASURED]
    if not names:
        raise SpaceFileError(f"{path}:1: no parameter column")
    rows: dict[Key, Row] = {}
    for key, row in _rows(path, header, names, lines[1:]):
        if key in rows:
            raise SpaceFileError(f"{path}: configuration {dict(zip(names, key, strict=True))} comes twice")
        rows[key] = row
    if not any(row.time_ms is not None for row in rows.values()):
        raise SpaceFileError(f"{path}: no configuration has a time")
    columns = zip(*rows, strict=True)
    parameters = {name: _in_order(set(column)) for name, column in zip(names, columns, strict=True)}
    return Measured(path.name.split(".")[0], parameters, rows)


def _open(path: Path) -> TextIO:
    return gzip.open(path, "rt", newline="") if path.suffix == ".gz" else path.open(newline="")


def _rows(path: Path, header: list[str], names: list[str], lines: list[list[str]]) -> Iterator[tuple[Key, Row]]:
    for number, cells in enumerate(lines, 2):
        if not cells:
            continue
        if len(cells) != len(header):
            raise SpaceFileError(f"{path}:{number}: {len(cells)} cells, the header has {len(header)}")
        found = dict(zip(header, (cell.strip() for cell in cells), strict=True))
        try:
            time_ms, compile_ms, bench_ms = (float(found[name] or "nan") for name in MEASURED[:3])
        except ValueError as error:
            raise SpaceFileError(f"{path}:{number}: {error}") from None
        works = found["status"] == "ok"
        if works and not 0 < time_ms < math.inf:
            raise SpaceFileError(f"{path}:{number}: status ok, but time_ms is {found['time_ms'] or 'empty'}")
        costs = (0.0 if math.isnan(cost) else cost for cost in (compile_ms, bench_ms))
        yield tuple(_value(found[name]) for name in names), Row(time_ms if works else None, *costs, found["status"])


def _value(text: str) -> Value:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"True": True, "False": False}.get(text, text)


def _are_numbers(values: tuple[Value, ...]) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _in_order(values: set[Value]) -> tuple[Value, ...]:
    return tuple(sorted(values) if _are_numbers(tuple(values)) else sorted(values, key=str))
