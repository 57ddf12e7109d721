"""LLVM's CUDA front end, a searched pass order through libLLVM, and NVIDIA's ptxas; or the CPU device's check of it."""

from __future__ import annotations

import hashlib
import platform
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from r3c.build.clang import FrontEnd, device_flags
from r3c.build.cpu_ir import checked_architecture, host_object, link, pick_kernel
from r3c.build.elf import code_hash
from r3c.build.knobs import Knob, arguments, read_knobs, searched
from r3c.build.libllvm import ASSEMBLY, LibLlvm, Pointer, Target, in_child
from r3c.build.llvm_install import INSTALL_SYSTEM, LlvmInstall, find_system
from r3c.build.nvcc_path import find_nvcc, toolkit_of
from r3c.build.passes import O3, digest, dimensions, pipeline, read_genes, sequence_of
from r3c.build.toolchains.base import BuildRequest
from r3c.build.toolchains.host import CODE_SECTIONS
from r3c.build.toolchains.host import features as host_features
from r3c.build.toolchains.nvcc import cubin_binary, pick_symbol, run_compiler
from r3c.core.binary import Binary
from r3c.core.contract import Contract
from r3c.core.dims import Dimension
from r3c.core.errors import BuildError, ConfigError
from r3c.core.spec import Spec

INSTALL_CUDA = "install a CUDA toolkit, or: pip install 'r3c[nvcc]'"
KNOBS = Path(__file__).with_name("llvm.toml")
PASSES = "passes"
SEPARATOR = "+"
NEWEST_PTX = 90  # what this LLVM can emit
PRECISE = ("-nvvm-reflect-add=__CUDA_PREC_SQRT=1",)  # nvcc's default; LLVM's own is an approximate square root
GPU = re.compile(r"sm_\d+")


class Llvm:
    """Builds with clang and libLLVM of one version, and the ptxas beside nvcc.

    Where the device is no GPU, the same code is optimised for a GPU (the application's, or sm_90) and then compiled for
    this machine, so that a pass order is verified without one.
    """

    name = "llvm"
    install_hint = INSTALL_SYSTEM

    def __init__(self) -> None:
        self._front: dict[str, tuple[bytes, str, str]] = {}

    @cached_property
    def install(self) -> LlvmInstall:
        return find_system()

    @cached_property
    def cuda(self) -> Path:
        nvcc = find_nvcc()
        return toolkit_of(Path(nvcc)) if nvcc else Path()

    @cached_property
    def library(self) -> LibLlvm:
        return LibLlvm(self.install.library)

    @cached_property
    def front_end(self) -> FrontEnd:
        return FrontEnd(self.install.clang, self.cuda, self.install.clang_flags)

    @property
    def ptxas(self) -> Path:
        return self.cuda / "bin" / "ptxas"

    def unavailable(self) -> str:
        if self.install.missing:
            return f"{self.install.missing} not found; {self.install_hint}"
        return "" if self.ptxas.exists() else f"ptxas not found; {INSTALL_CUDA}"

    @cached_property
    def _version(self) -> str:
        done = subprocess.run([str(self.ptxas), "--version"], capture_output=True, text=True, check=False)
        found = re.search(r"V(\d+\.\d+\.\d+)", done.stdout)
        return f"{self.name} {self.library.version()} passes {digest()} ptxas {found[1] if found else ''}".strip()

    def version(self) -> str:
        return self._version

    @property
    def knobs(self) -> tuple[Knob, ...]:
        return read_knobs(KNOBS)

    def dimensions(self, contract: Contract, deliver: str = "any") -> tuple[Dimension, ...]:
        if deliver != "any":
            return ()
        knobs = searched(self.knobs, contract, (0, 0))
        return (*dimensions(self.name), *(knob.dimension(self.name) for knob in knobs))

    def build(self, request: BuildRequest, folder: Path) -> Binary:
        started = time.monotonic()
        if GPU.match(request.architecture):
            ptx, command = self.ptx(request, folder)
            return self._assemble(request, folder, ptx, command, started)
        return self._build_for_host(request, folder, started)

    def stages(self, request: BuildRequest, folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
        """What can go wrong apart from the rest, in order."""
        yield "front end", lambda: self.bitcode(request, request.architecture, folder)
        yield "passes and code generator", lambda: self.ptx(request, folder)
        yield "ptxas", lambda: self.build(request, folder)
        host = replace(request, architecture=platform.machine())
        yield "check on the CPU device", lambda: self.build(host, folder)

    def bitcode(self, request: BuildRequest, architecture: str, folder: Path) -> tuple[bytes, str, str]:
        """Unoptimised bitcode with the wanted kernel alone, its symbol, and clang's command; once for each source."""
        key = _key_of(request, architecture)
        if key not in self._front:
            whole, command = self.front_end.bitcode(request, architecture, folder)

            def extract() -> bytes:
                module = self.library.parse(whole)
                pick = pick_symbol if GPU.match(request.architecture) else pick_kernel
                symbol = pick(self.library.kernels(module), request)
                self.library.keep_kernel(module, symbol)
                return symbol.encode() + b"\0" + self.library.bitcode_of(module)

            symbol, _, alone = in_child(extract, request.timeout_s).partition(b"\0")
            self._front[key] = (alone, symbol.decode(), command)
        return self._front[key]

    def ptx(self, request: BuildRequest, folder: Path) -> tuple[bytes, str]:
        """PTX of the kernel after the passes that the options say, and the commands in words."""
        bitcode, symbol, command = self.bitcode(request, request.architecture, folder)
        sequence, options = split_options(request.options)
        target = Target(request.architecture, f"+ptx{NEWEST_PTX}")
        flags = self._flags(request, options)
        early, late = flags["passes"], flags["code"]
        ptx = in_child(lambda: self.generate(bitcode, sequence, target, early, late), request.timeout_s)
        if f".entry {symbol}".encode() not in ptx:
            raise BuildError(f"the pass order lost kernel {symbol}", pipeline(sequence))
        return ptx, f"{command}\nopt -passes='{pipeline(sequence)}' {' '.join([*early, *late])}"

    def generate(
        self, bitcode: bytes, sequence: tuple[str, ...], target: Target, early: list[str], late: list[str]
    ) -> bytes:
        """PTX; runs in a child. `early` are options of the passes, `late` those of the code generator."""
        self.library.set_options([*PRECISE, *early, *late])
        module, machine = self.optimised(bitcode, sequence, target)
        return self.library.emit(module, machine, ASSEMBLY)

    def optimised(self, bitcode: bytes, sequence: tuple[str, ...], target: Target) -> tuple[Pointer, Pointer]:
        module, machine = self.library.parse(bitcode), self.library.machine(target)
        self.library.run_passes(module, pipeline(sequence), machine)
        return module, machine

    def _flags(self, request: BuildRequest, options: Spec) -> dict[str, list[str]]:
        """Options of each stage: the application's own first, so that those that are searched prevail."""
        arguments(self.knobs, options, (PASSES, O3, *(gene.name for gene in read_genes())))  # refuses what is not known
        own = device_flags(request.command.flags)
        flags = {"passes": [], "code": list(own.back_end), "ptxas": list(own.ptxas)}
        given = options.as_dict()
        for knob in self.knobs:
            flags[knob.stage] += knob.arguments(given.get(knob.name, knob.values[0]))
        return flags

    def _assemble(self, request: BuildRequest, folder: Path, ptx: bytes, command: str, started: float) -> Binary:
        text, output = folder / "candidate.ptx", folder / "candidate.cubin"
        text.write_bytes(ptx)
        ptxas = [str(self.ptxas), f"-arch={request.architecture}", "-v"]
        ptxas += self._flags(request, split_options(request.options)[1])["ptxas"]
        ptxas += [str(text), "-o", str(output)]
        log = run_compiler(ptxas, request)
        return cubin_binary(output, request, f"{command}\n{' '.join(ptxas)}", log, started)

    def _build_for_host(self, request: BuildRequest, folder: Path, started: float) -> Binary:
        architecture = checked_architecture(request)
        bitcode, symbol, command = self.bitcode(request, architecture, folder)
        sequence, options = split_options(request.options)
        target = Target(architecture, f"+ptx{NEWEST_PTX}")
        early = self._flags(request, options)["passes"]

        def compile_for_host() -> bytes:
            self.library.set_options([*PRECISE, *early])
            module, _ = self.optimised(bitcode, sequence, target)
            return host_object(self.library, module, symbol, request.kernel)

        output, linked = link(in_child(compile_for_host, request.timeout_s), request, folder)
        data = output.read_bytes()
        return Binary(
            path=str(output),
            symbol=request.symbol,
            code_hash=code_hash(data, CODE_SECTIONS),
            toolchain=str(request.options),
            features=host_features(data, request.source.text),
            command=f"{command}\nopt -passes='{pipeline(sequence)}'\n{linked}",
            seconds=time.monotonic() - started,
        )


def split_options(options: Spec) -> tuple[tuple[str, ...], Spec]:
    """The pass sequence (empty for the standard order) and what is left for LLVM's own options.

    The sequence stands in `passes`, joined by `+`, or follows from the genes.

    Raises:
        ConfigError: `passes` is not a text, or genes stand beside it.
    """
    genes = {O3, *(gene.name for gene in read_genes())}
    given = {name: value for name, value in options.values if name in genes}
    rest = Spec(options.name, tuple(item for item in options.values if item[0] != PASSES and item[0] not in genes))
    passes = options.as_dict().get(PASSES)
    if passes is None:
        return sequence_of(given), rest
    if not isinstance(passes, str):
        raise ConfigError(f"{options}: passes is a list of LLVM pass names joined by {SEPARATOR}")
    if given:
        raise ConfigError(f"{options}: either passes or {next(iter(given))}, not both")
    return (() if passes == O3 else tuple(passes.split(SEPARATOR))), rest


def _key_of(request: BuildRequest, architecture: str) -> str:
    """What the front end reads."""
    command = request.command
    text = "\0".join(
        (request.source.path, request.source.text, request.symbol, command.file, architecture, command.standard,
         *command.preprocessor_arguments(), *command.flags, *request.includers)
    )  # fmt: skip
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
