"""g++ for the CPU device: the device part of one translation unit as a small shared library."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

from r3c.build.elf import code_hash, read_sections
from r3c.build.knobs import Knob, arguments, read_knobs, searched
from r3c.build.toolchains.base import BuildRequest
from r3c.build.toolchains.nvcc import run_compiler
from r3c.build.translate import Translator
from r3c.core.binary import Binary
from r3c.core.contract import Contract
from r3c.core.dims import Dimension
from r3c.core.source import Source
from r3c.devices.cpu import BASE_FLAGS, INCLUDE, Cpu, compiler_version, runtime_library

KNOBS = Path(__file__).with_name("host.toml")
CODE_SECTIONS = (".text", ".rodata", ".rodata.cst4", ".rodata.cst8", ".rodata.cst16", ".data")
OLD_STANDARDS = ("c++03", "c++11", "c++14", "c++98", "gnu++11", "gnu++14")


class Host:
    """Builds with g++ against the CPU device's headers."""

    name = "host"

    def unavailable(self) -> str:
        return Cpu().unavailable()

    def version(self) -> str:
        return f"{compiler_version()} {runtime_library().parent.name}"

    @property
    def knobs(self) -> tuple[Knob, ...]:
        return read_knobs(KNOBS)

    def dimensions(self, contract: Contract, deliver: str = "any") -> tuple[Dimension, ...]:
        return tuple(knob.dimension(self.name) for knob in searched(self.knobs, contract, (0, 0), deliver))

    def build(self, request: BuildRequest, folder: Path) -> Binary:
        started = time.monotonic()
        original = Path(request.command.file or request.source.path)
        replaced = {Path(request.source.path).resolve(): request.source} if request.includers else {}
        unit = Source.read(original) if request.includers else Source(str(original), request.source.text)
        translator = Translator(
            folder, [Path(p) for p in request.command.include_paths], device_only=True, replaced=replaced
        )
        translation = translator.translate(unit)
        for path, text in translation.headers.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="latin-1")
        source, output = folder / "candidate.cpp", folder / "candidate.so"
        head = f'#include <cuda_runtime.h>\n#line 1 "{original}"\n'
        entry = translator.entry(unit, request.kernel, request.symbol)
        source.write_text(head + translation.text + entry, encoding="latin-1")
        command = ["g++", *BASE_FLAGS, standard_flag(request.command.standard), own_level(request.command.arguments)]
        command += ["-ffp-contract=off"]
        command += arguments(self.knobs, request.options)
        command += ["-shared", f"-I{INCLUDE}", f"-I{original.parent}", *request.command.preprocessor_arguments()]
        command += [str(source), str(runtime_library()), "-o", str(output)]
        run_compiler(command, request)
        data = output.read_bytes()
        return Binary(
            path=str(output),
            symbol=request.symbol,
            code_hash=code_hash(data, CODE_SECTIONS),
            toolchain=str(request.options),
            features=features(data, request.source.text),
            command=" ".join(command),
            seconds=time.monotonic() - started,
        )


def own_level(given: Sequence[str]) -> str:
    """The optimisation level the application is compiled with; nvcc hands it to the host compiler."""
    levels = [word for word in given if re.fullmatch(r"-O[0-3s]", word)]
    return levels[-1] if levels else "-O2"


def standard_flag(standard: str) -> str:
    """The shim needs C++17; newer standards are kept."""
    return "-std=gnu++17" if not standard or standard in OLD_STANDARDS else f"-std={standard}"


def features(data: bytes, text: str) -> dict[str, float]:
    """Code bytes of the library; barriers in the source."""
    code = next((s.size_bytes for s in read_sections(data) if s.name == ".text"), 0)
    return {"code_bytes": float(code), "barriers": float(len(re.findall(r"__syncthreads", text)))}
