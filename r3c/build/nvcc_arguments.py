"""nvcc's command line as values: what is compiled, with which definitions, into what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

# Options followed by a value that neither changes the code nor names an input.
_WITH_VALUE_IGNORED = frozenset(
    ("-arch", "--gpu-architecture", "-code", "--gpu-code", "-gencode", "--generate-code", "-ccbin", "--compiler-bindir",
     "-t", "--threads", "-rdc", "--relocatable-device-code", "-cudart", "--cudart", "-maxrregcount", "--maxrregcount",
     "-ftz", "--ftz", "-prec-div", "--prec-div", "-prec-sqrt", "--prec-sqrt", "-fmad", "--fmad", "-diag-suppress",
     "--diag-suppress", "-Xptxas", "--ptxas-options", "-Xcicc", "-Xnvlink", "--nvlink-options", "-Xcudafe",
     "--cudafe-options", "-Xfatbin", "-m", "--machine", "-Werror", "-keep-dir", "--keep-dir", "-odir", "-allow-unsupported-compiler-")
)  # fmt: skip
_DEVICE_PREFIXES = (
    "-use_fast_math", "--use_fast_math", "-ftz", "--ftz", "-prec-", "--prec-", "-fmad", "--fmad", "-maxrregcount",
    "--maxrregcount", "-Xptxas", "--ptxas-options", "-rdc", "--relocatable-device-code", "-Xcicc", "--expt", "-expt",
    "--extended-lambda", "-extended-lambda", "--restrict", "-restrict",
)  # fmt: skip
CUDA_SUFFIXES = (".cu", ".cuh")
CPP_SUFFIXES = (".cpp", ".cc", ".cxx", ".c", ".C", ".c++")


@dataclass
class NvccArguments:
    """A parsed nvcc command line.

    `mode` is link, compile (-c, -dc), preprocess (-E), dependencies (-M), cubin, ptx or none (--version and such).
    `host_flags` go to the host compiler as they are.
    """

    mode: str = "link"
    output: str = ""
    inputs: list[str] = field(default_factory=list)
    language: str = ""
    defines: list[str] = field(default_factory=list)
    include_paths: list[str] = field(default_factory=list)
    include_files: list[str] = field(default_factory=list)
    standard: str = ""
    architectures: list[str] = field(default_factory=list)
    optimise: str = ""
    debug: bool = False
    shared: bool = False
    host_flags: list[str] = field(default_factory=list)
    libraries: list[str] = field(default_factory=list)
    dependency_flags: list[str] = field(default_factory=list)
    device_flags: list[str] = field(default_factory=list)

    def is_cuda(self, path: str) -> bool:
        return self.language == "cu" or path.endswith(CUDA_SUFFIXES)

    def is_source(self, path: str) -> bool:
        return self.is_cuda(path) or path.endswith(CPP_SUFFIXES)


def parse_nvcc(arguments: Sequence[str]) -> NvccArguments:
    """The command line as nvcc understands it; unknown options go to the host compiler."""
    out = NvccArguments()
    words = iter(list(_expand_files(arguments)))
    for word in words:
        _take(out, word, words)
    return out


def _expand_files(arguments: Sequence[str]) -> Iterator[str]:
    """`@file` and `-optf file` hold more arguments."""
    words = iter(arguments)
    for word in words:
        if word in ("-optf", "--options-file"):
            yield from Path(next(words, "")).read_text(encoding="utf-8").split()
        elif word.startswith("@") and Path(word[1:]).is_file():
            yield from Path(word[1:]).read_text(encoding="utf-8").split()
        else:
            yield word


def _take(out: NvccArguments, word: str, rest: Iterator[str]) -> None:
    name, equals, value = word.partition("=")
    if name.startswith(_DEVICE_PREFIXES):
        out.device_flags.append(word)
        if not equals and name in _WITH_VALUE_IGNORED:
            out.device_flags.append(next(rest, ""))
    elif name in ("-gencode", "--generate-code", "-arch", "--gpu-architecture"):
        _architecture(out, value if equals else next(rest, ""))
    elif name in _WITH_VALUE_IGNORED:
        if not equals:
            next(rest, "")
    elif name in _MODES:
        out.mode = _MODES[name]
    elif not _take_value(out, word, rest):
        _take_flag(out, word)


_MODES = {
    "-c": "compile", "--compile": "compile", "-dc": "compile", "--device-c": "compile", "-dw": "compile",
    "-E": "preprocess", "--preprocess": "preprocess", "-M": "dependencies", "-MM": "dependencies",
    "-cubin": "cubin", "--cubin": "cubin", "-ptx": "ptx", "--ptx": "ptx", "-fatbin": "cubin", "--fatbin": "cubin",
    "--version": "none", "-V": "none", "--help": "none", "-h": "none", "-dlink": "device-link",
    "--device-link": "device-link",
}  # fmt: skip
_LONG = {
    "--output-file": "-o", "--include-path": "-I", "--define-macro": "-D", "--undefine-macro": "-U", "--library": "-l",
    "--library-path": "-L", "--std": "-std", "--system-include": "-isystem", "--pre-include": "-include",
    "--compiler-options": "-Xcompiler", "--linker-options": "-Xlinker", "--x": "-x", "--optimize": "-O",
}  # fmt: skip


def _take_value(out: NvccArguments, word: str, rest: Iterator[str]) -> bool:
    """Options with a value, joined, after `=`, or in the next word."""
    name, equals, given = word.partition("=")
    name = _LONG.get(name, name)
    for option in ("-isystem", "-include", "-Xcompiler", "-Xlinker", "-std", "-o", "-x", "-MF", "-MT", "-MQ"):
        if name == option:
            _value(out, option, given if equals else next(rest, ""))
            return True
    if word.startswith("-std="):
        out.standard = word[5:]
        return True
    for option in ("-I", "-D", "-U", "-L", "-l", "-O"):
        if name == option and option != "-O":
            _value(out, option, given if equals and word != option else next(rest, ""))
            return True
        if word.startswith(option) and len(word) > 2:
            _value(out, option, word[2:])
            return True
    return False


def _value(out: NvccArguments, option: str, value: str) -> None:
    if option == "-I" or option == "-isystem":
        out.include_paths.append(str(Path(value).absolute()))
    elif option == "-D":
        out.defines.append(value)
    elif option == "-U":
        out.defines.append(f"!{value}")
    elif option == "-include":
        out.include_files.append(value)
    elif option == "-o":
        out.output = value
    elif option == "-std":
        out.standard = value
    elif option == "-x":
        out.language = value
    elif option == "-O":
        out.optimise = value
    elif option == "-Xcompiler":
        out.host_flags += [flag for flag in value.strip("\"'").replace(",", " ").split() if flag]
    elif option == "-Xlinker":
        out.libraries += [f"-Wl,{flag}" for flag in value.strip("\"'").split(",")]
    elif option in ("-L", "-l"):
        out.libraries.append(option + value)
    else:
        out.dependency_flags += [option, value]


def _take_flag(out: NvccArguments, word: str) -> None:
    if word in ("-MD", "-MMD", "-MP"):
        out.dependency_flags.append(word)
    elif word in ("-shared", "--shared"):
        out.shared = True
    elif word in ("-g", "-G", "-lineinfo", "--generate-line-info", "--device-debug", "--debug"):
        out.debug = out.debug or word in ("-g", "--debug")
    elif not word.startswith("-"):
        out.inputs.append(word)
    elif word in ("-fPIC", "-fopenmp", "-pthread", "-w", "-pg"):
        out.host_flags.append(word)


def _architecture(out: NvccArguments, value: str) -> None:
    for part in value.replace("[", ",").replace("]", ",").split(","):
        for name in part.split("="):
            if name.startswith(("sm_", "compute_")) and name not in out.architectures:
                out.architectures.append(name)
