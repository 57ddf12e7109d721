"""The CPU device's check of a pass order: the optimised NVPTX module is compiled for this machine instead of for a GPU."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from r3c.build.libllvm import OBJECT, RELOCATIONS_SHARED, LibLlvm, Pointer, Target
from r3c.build.nvptx_to_host import Parameter, Variable, missing_stand_in, to_host
from r3c.build.toolchains.base import BuildRequest
from r3c.build.toolchains.nvcc import run_compiler
from r3c.core.errors import BuildError
from r3c.devices.cpu import runtime_library

DEFAULT_ARCHITECTURE = "sm_90"
OLDEST = 75  # of the GPUs that CUDA 13 compiles for
GLOBAL, CONSTANT = 1, 4  # memory spaces of NVPTX
# How g++ names types, and how the demangler does, both without spaces.
_SAME_TYPES = (
    ("longlongunsignedint", "unsignedlonglong"), ("longunsignedint", "unsignedlong"),
    ("shortunsignedint", "unsignedshort"), ("longlongint", "longlong"), ("longint", "long"), ("shortint", "short"),
)  # fmt: skip


def checked_architecture(request: BuildRequest) -> str:
    """The GPU whose code is checked: the newest that the application is compiled for, else sm_90."""
    numbers = [int(n) for name in request.command.architectures for n in re.findall(r"^(?:sm|compute)_(\d+)", name)]
    known = [n for n in numbers if n >= OLDEST]
    return f"sm_{max(known)}" if known else DEFAULT_ARCHITECTURE


def host_object(library: LibLlvm, module: Pointer, symbol: str, kernel: str) -> bytes:
    """An object file of this machine with what the optimised `module` does.

    Raises:
        BuildError: something in it has no meaning on the host.
    """
    triple = library.host_triple()
    parameters = list(_parameters(library, module, symbol))
    variables = list(_variables(library, module))
    text = to_host(library.text_of(module), triple, symbol, kernel, parameters, variables)
    host = library.parse_text(text)
    # No processor is named: without fused multiply-add, results are those of the other host code.
    machine = library.machine(Target("", "", triple, RELOCATIONS_SHARED))
    library.run_passes(host, "always-inline", machine)
    return library.emit(host, machine, OBJECT)


def link(data: bytes, request: BuildRequest, folder: Path) -> tuple[Path, str]:
    """The object as the shared library that the CPU device loads, and the command.

    Raises:
        BuildError: it calls what the runtime lacks.
    """
    (folder / "candidate.o").write_bytes(data)
    output = folder / "candidate.so"
    command = ["g++", "-shared", "-Wl,-z,defs", str(folder / "candidate.o"), str(runtime_library()), "-lm"]
    command += ["-o", str(output)]
    try:
        run_compiler(command, request)
    except BuildError as error:
        raise BuildError(missing_stand_in(error.output) or str(error), error.command, error.output) from None
    return output, " ".join(command)


def pick_kernel(symbols: Sequence[str], request: BuildRequest) -> str:
    """The module's symbol of the kernel, which the CPU device's recordings name as `ns::k<float, 4>`.

    Raises:
        BuildError: none or several fit.
    """
    if request.symbol in symbols:
        return request.symbol
    names = {symbol: _name_of(text) for symbol, text in zip(symbols, demangled(symbols), strict=True)}
    wanted = _plain(request.symbol)
    fitting = [symbol for symbol, name in names.items() if name == wanted]
    if not fitting:
        fitting = [s for s, name in names.items() if re.search(rf"(?:^|::){re.escape(request.kernel)}(?:<|$)", name)]
    if len(fitting) != 1:
        raise BuildError(
            f"kernel {request.symbol} is not in the module; it holds: {', '.join(names.values()) or 'none'}"
        )
    return fitting[0]


def demangled(symbols: Sequence[str]) -> list[str]:
    """As `c++filt` shows them; as they are where it is not installed."""
    if not symbols or not shutil.which("c++filt"):
        return list(symbols)
    done = subprocess.run(["c++filt", *symbols], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    return lines if len(lines) == len(symbols) else list(symbols)


def _name_of(function: str) -> str:
    """`void ns::k<float, 4u>(float*)` -> `ns::k<float,4>`."""
    text = function.removeprefix("void ").replace("(anonymous namespace)::", "")
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0:
            return _plain(text[:at])
    return _plain(text)


def _plain(name: str) -> str:
    text = re.sub(r"\{anonymous\}::|\(anonymous namespace\)::|\s+", "", name)
    text = re.sub(r"(?<![\w.])(\d+)[ulUL]+\b", r"\1", text)
    for spelt, as_demangled in _SAME_TYPES:
        text = text.replace(spelt, as_demangled)
    return text


def _parameters(library: LibLlvm, module: Pointer, symbol: str) -> Iterator[Parameter]:
    function = Pointer(library.call("GetNamedFunction", Pointer, module, symbol.encode()))
    layout = Pointer(library.call("GetModuleDataLayout", Pointer, module))
    for index in range(library.call("CountParams", ctypes.c_uint, function)):
        value = Pointer(library.call("GetParam", Pointer, function, index))
        kind = Pointer(library.call("TypeOf", Pointer, value))
        byval = _attribute(library, function, index, b"byval")
        if byval:
            kind = Pointer(library.call("GetTypeAttributeValue", Pointer, byval))
        text = _type_text(library, kind)
        align = library.call("ABIAlignmentOfType", ctypes.c_uint, layout, kind)
        given = _attribute(library, function, index, b"align") if byval else None
        if given:
            align = library.call("GetEnumAttributeValue", ctypes.c_uint64, given)
        size = library.call("ABISizeOfType", ctypes.c_ulonglong, layout, kind)
        extension = next((w for w in ("signext", "zeroext") if _attribute(library, function, index, w.encode())), "")
        yield Parameter("ptr" if byval else text, size, align, text if byval else "", extension)


def _attribute(library: LibLlvm, function: Pointer, index: int, name: bytes) -> Pointer | None:
    kind = library.call("GetEnumAttributeKindForName", ctypes.c_uint, name, ctypes.c_size_t(len(name)))
    found = library.call("GetEnumAttributeAtIndex", Pointer, function, index + 1, kind)
    return Pointer(found) if found else None


def _type_text(library: LibLlvm, kind: Pointer) -> str:
    text = ctypes.string_at(library.call("PrintTypeToString", Pointer, kind)).decode()
    return text.partition(" = type")[0]


def _variables(library: LibLlvm, module: Pointer) -> Iterator[Variable]:
    """Variables that the host can set."""
    layout = Pointer(library.call("GetModuleDataLayout", Pointer, module))
    found: list[tuple[str, int]] = []
    for variable in library.variables(module):
        space = library.call(
            "GetPointerAddressSpace", ctypes.c_uint, Pointer(library.call("TypeOf", Pointer, variable))
        )
        if space in (GLOBAL, CONSTANT) and library.call("IsExternallyInitialized", ctypes.c_int, variable):
            kind = Pointer(library.call("GlobalGetValueType", Pointer, variable))
            found.append((library.name_of(variable), library.call("ABISizeOfType", ctypes.c_ulonglong, layout, kind)))
    names = demangled([symbol for symbol, _ in found])
    for (symbol, size), name in zip(found, names, strict=True):
        yield Variable(symbol, name.split("::")[-1], size)
