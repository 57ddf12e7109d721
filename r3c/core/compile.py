"""How the application's own build compiled one file, as its compiler wrapper saw it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class CompileCommand:
    """One input file of one compiler call.

    Attributes:
        file: the source, absolute.
        output: the object or program, absolute, empty where the call names none.
        folder: where the compiler was started.
        arguments: all arguments after the compiler's name.
        defines: `NAME` or `NAME=VALUE` of each -D, in order; `-U` of a name as `!NAME`.
        include_paths: folders of each -I and -isystem, absolute, in order.
        include_files: files of each -include.
        standard: of -std, e.g. `c++17`, empty where none is given.
        architectures: as nvcc understood them, e.g. `("sm_90",)`.
        flags: device-side options that change code: -use_fast_math, -ftz=..., -maxrregcount=..., -Xptxas, -rdc, ...
    """

    file: str
    output: str = ""
    folder: str = ""
    arguments: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    include_paths: tuple[str, ...] = ()
    include_files: tuple[str, ...] = ()
    standard: str = ""
    architectures: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    def preprocessor_arguments(self) -> list[str]:
        """-D, -U, -I and -include arguments, as any compiler takes them."""
        out = [f"-U{d[1:]}" if d.startswith("!") else f"-D{d}" for d in self.defines]
        out += [f"-I{path}" for path in self.include_paths]
        for path in self.include_files:
            out += ["-include", path]
        return out


def compile_command_from_json(text: str) -> CompileCommand:
    raw: dict[str, Any] = json.loads(text)
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in raw.items()}
    return CompileCommand(**values)
