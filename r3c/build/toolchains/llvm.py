"""LLVM's CUDA front end, a searched pass order through libLLVM, and NVIDIA's ptxas."""

from __future__ import annotations

import hashlib
import random
import re
import shutil
import subprocess
import time
from functools import cached_property
from pathlib import Path

from r3c.build.knobs import Knob, arguments, read_knobs, searched
from r3c.build.libllvm import INSTALL, MAJOR, LibLlvm, Target, find_libllvm, in_child
from r3c.build.nvcc_path import find_nvcc
from r3c.build.passes import pipeline, random_sequence
from r3c.build.toolchains.base import BuildRequest
from r3c.build.toolchains.nvcc import cubin_binary, run_compiler
from r3c.core.binary import Binary
from r3c.core.contract import Contract
from r3c.core.dims import Dimension
from r3c.core.errors import BuildError
from r3c.core.spec import Spec

KNOBS = Path(__file__).with_name("llvm.toml")
PASSES = "passes"
STANDARD_ORDER = "O3"
SEPARATOR = "+"
POOL_SIZE, POOL_SEED = 64, 22
NEWEST_PTX = 90  # what this LLVM can emit
STUB_HEADERS = ("curand_mtgp32_kernel.h",)  # clang includes it always, toolkits without cuRAND lack it


class Llvm:
    """Builds with clang and libLLVM of one version, and the ptxas beside nvcc."""

    name = "llvm"

    def __init__(self) -> None:
        self._bitcode: dict[str, bytes] = {}

    @cached_property
    def clang(self) -> str:
        return shutil.which(f"clang++-{MAJOR}") or shutil.which(f"/usr/lib/llvm-{MAJOR}/bin/clang++") or ""

    @cached_property
    def cuda(self) -> Path:
        nvcc = find_nvcc()
        return _toolkit_of(Path(nvcc)) if nvcc else Path()

    @cached_property
    def library(self) -> LibLlvm:
        return LibLlvm()

    def unavailable(self) -> str:
        missing = [f"clang++-{MAJOR}"] if not self.clang else []
        missing += [f"libLLVM {MAJOR}"] if find_libllvm() is None else []
        if missing:
            return f"{' and '.join(missing)} not found; {INSTALL}"
        return "" if (self.cuda / "bin" / "ptxas").exists() else "ptxas not found; install a CUDA toolkit"

    def version(self) -> str:
        done = subprocess.run(
            [str(self.cuda / "bin" / "ptxas"), "--version"], capture_output=True, text=True, check=False
        )
        found = re.search(r"V(\d+\.\d+\.\d+)", done.stdout)
        return f"llvm {MAJOR} ptxas {found[1] if found else ''}".strip()

    @property
    def knobs(self) -> tuple[Knob, ...]:
        return read_knobs(KNOBS)

    def dimensions(self, contract: Contract, deliver: str = "any") -> tuple[Dimension, ...]:
        if deliver != "any":
            return ()
        rng = random.Random(POOL_SEED)
        orders = (STANDARD_ORDER, *(SEPARATOR.join(random_sequence(rng)) for _ in range(POOL_SIZE)))
        passes = Dimension(f"{self.name}.{PASSES}", orders, ordered=False, default=STANDARD_ORDER)
        return (passes, *(knob.dimension(self.name) for knob in searched(self.knobs, contract, (0, 0))))

    def build(self, request: BuildRequest, folder: Path) -> Binary:
        started = time.monotonic()
        sequence, options = split_options(request.options)
        bitcode = self._front_end(request, folder)
        flags = arguments(self.knobs, options)
        target = Target(request.architecture, f"+ptx{NEWEST_PTX}")

        def compile_in_child() -> bytes:
            if flags:
                self.library.set_options(flags)
            return self.library.compile(bitcode, pipeline(sequence), target)

        ptx = in_child(compile_in_child, request.timeout_s)
        (folder / "candidate.ptx").write_bytes(ptx)
        return self._assemble(request, folder, started)

    def _front_end(self, request: BuildRequest, folder: Path) -> bytes:
        """Unoptimised bitcode, once for each source."""
        text = "\0".join(
            (request.source.text, request.command.file, request.architecture, *request.command.preprocessor_arguments())
        )
        key = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
        if key not in self._bitcode:
            self._bitcode[key] = self._run_clang(request, folder)
        return self._bitcode[key]

    def _run_clang(self, request: BuildRequest, folder: Path) -> bytes:
        original = Path(request.command.file or request.source.path)
        source = request.lay_out(folder)
        stubs = folder / "stubs"
        stubs.mkdir(exist_ok=True)
        for name in STUB_HEADERS:
            (stubs / name).touch()
        command = [self.clang, "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={request.architecture}"]
        command += [f"--cuda-path={self.cuda}", "-isystem", str(stubs), "-Wno-unknown-cuda-version"]
        command += ["-isystem", str(self.cuda / "include" / "cccl"), "-O3", "-Xclang", "-disable-llvm-passes"]
        command += [f"-std={request.command.standard}"] if request.command.standard else []
        command += [f"-I{original.parent}", *request.command.preprocessor_arguments()]
        output = folder / "candidate.bc"
        run_compiler([*command, "-c", "-emit-llvm", str(source), "-o", str(output)], request)
        return output.read_bytes()

    def _assemble(self, request: BuildRequest, folder: Path, started: float) -> Binary:
        output = folder / "candidate.cubin"
        command = [str(self.cuda / "bin" / "ptxas"), f"-arch={request.architecture}", "-v"]
        command += [str(folder / "candidate.ptx"), "-o", str(output)]
        log = run_compiler(command, request)
        return cubin_binary(output, request, " ".join(command), log, started)


def split_options(options: Spec) -> tuple[tuple[str, ...], Spec]:
    """The pass sequence (empty for the standard order) and what is left for llc.

    Raises:
        BuildError: `passes` is not a text.
    """
    passes = options.as_dict().get(PASSES, STANDARD_ORDER)
    if not isinstance(passes, str):
        raise BuildError(f"{options}: passes is a list of LLVM pass names joined by {SEPARATOR}")
    rest = Spec(options.name, tuple(item for item in options.values if item[0] != PASSES))
    return (() if passes == STANDARD_ORDER else tuple(passes.split(SEPARATOR))), rest


def _toolkit_of(nvcc: Path) -> Path:
    """The toolkit folder of an nvcc that may be a script or a link that leads to it."""
    resolved = nvcc.resolve()
    if (resolved.parent.parent / "nvvm" / "libdevice").is_dir():
        return resolved.parent.parent
    done = subprocess.run(
        [str(nvcc), "--dryrun", "-E", "-x", "cu", "/dev/null"], capture_output=True, text=True, check=False
    )
    found = re.search(r"^#\$ _HERE_=(.+)$", done.stderr, re.MULTILINE)
    return Path(found[1]).parent if found else resolved.parent.parent
