"""The program named nvcc that r3c puts first on the PATH of an application's build.

`R3C_NVCC_MODE=cpu` compiles with g++ for the CPU device; `pass` notes the command and hands it to the real nvcc. Either
way each compiled file becomes one line of `$R3C_COMPILE_LOG`.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from r3c.build.nvcc_arguments import NvccArguments, parse_nvcc
from r3c.core.compile import CompileCommand
from r3c.core.errors import AppError, R3CError

# Libraries of the CUDA toolkit that the CPU device's runtime stands for, or that nothing needs there.
_CUDA_LIBRARIES = ("-lcudart", "-lcuda", "-lcudart_static", "-lcudadevrt", "-lnvToolsExt", "-lcudart_shared")
_MISSING_LIBRARIES = ("-lcublas", "-lcurand", "-lcufft", "-lcusparse", "-lcusolver", "-lcudnn", "-lnccl", "-lnpp")


def main(arguments: Sequence[str]) -> int:
    """Exit code of the compiler."""
    mode = os.environ.get("R3C_NVCC_MODE", "pass")
    parsed = parse_nvcc(arguments)
    note(parsed, arguments)
    try:
        return _pass_on(arguments) if mode == "pass" else _compile_for_cpu(parsed)
    except R3CError as error:
        print(f"nvcc (r3c): error: {error}", file=sys.stderr)
        return 1


def note(parsed: NvccArguments, arguments: Sequence[str]) -> None:
    """One line of the compile log for each CUDA file."""
    log = os.environ.get("R3C_COMPILE_LOG")
    if not log or parsed.mode in ("preprocess", "dependencies", "none"):
        return
    for path in parsed.inputs:
        if not parsed.is_source(path):
            continue
        command = CompileCommand(
            file=str(Path(path).absolute()),
            output=str(Path(parsed.output).absolute()) if parsed.output else "",
            folder=str(Path.cwd()),
            arguments=tuple(arguments),
            defines=tuple(parsed.defines),
            include_paths=tuple(parsed.include_paths),
            include_files=tuple(parsed.include_files),
            standard=parsed.standard,
            architectures=tuple(parsed.architectures),
            flags=tuple(parsed.device_flags),
        )
        with Path(log).open("a", encoding="utf-8") as file:
            file.write(command.to_json() + "\n")


def _pass_on(arguments: Sequence[str]) -> int:
    from r3c.build.nvcc_path import find_nvcc, link_arguments

    nvcc = find_nvcc()
    if not nvcc:
        raise AppError("there is no nvcc on this machine", hint="install a CUDA toolkit, or use --device cpu")
    return subprocess.run([nvcc, *arguments, *link_arguments(nvcc)], check=False).returncode


def _compile_for_cpu(parsed: NvccArguments) -> int:
    if parsed.mode == "none":
        print("nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 12.0, V12.0.0 (r3c CPU device)")
        return 0
    if parsed.mode in ("cubin", "ptx"):
        raise AppError(f"-{parsed.mode}: there is no device code on the CPU device", hint="use --device cuda")
    if parsed.mode == "device-link":
        return _run(["g++", "-x", "c++", "-c", "/dev/null", "-o", parsed.output or "a_dlink.o"])
    for library in parsed.libraries:
        if library.startswith(_MISSING_LIBRARIES):
            raise AppError(f"{library}: the CPU device has no such library", hint="use --device cuda")
    with tempfile.TemporaryDirectory(prefix="r3c-nvcc-") as scratch:
        return _compile_and_link(parsed, Path(scratch))


def _compile_and_link(parsed: NvccArguments, scratch: Path) -> int:
    objects: list[str] = []
    for index, path in enumerate(parsed.inputs):
        if not parsed.is_source(path):
            objects.append(path)
            continue
        compiled_only = parsed.output or f"{Path(path).stem}.o"
        target = compiled_only if parsed.mode == "compile" else str(scratch / f"{index}.o")
        code = _compile_one(parsed, path, target, scratch / str(index))
        if code != 0 or parsed.mode in ("preprocess", "dependencies"):
            return code
        objects.append(target)
    return 0 if parsed.mode == "compile" else _link(parsed, objects)


def _compile_one(parsed: NvccArguments, path: str, target: str, scratch: Path) -> int:
    from r3c.build.toolchains.host import standard_flag
    from r3c.devices.cpu import BASE_FLAGS, INCLUDE

    command = ["g++", *BASE_FLAGS, standard_flag(parsed.standard), "-ffp-contract=off"]
    command += [f"-O{parsed.optimise or '2'}", *(["-g"] if parsed.debug else []), *parsed.host_flags]
    preprocess = CompileCommand(path, defines=tuple(parsed.defines), include_paths=tuple(parsed.include_paths),
                                include_files=tuple(parsed.include_files)).preprocessor_arguments()  # fmt: skip
    command += [f"-I{INCLUDE}", f"-I{Path(path).absolute().parent}", *preprocess, *parsed.dependency_flags]
    source = _translated(parsed, path, scratch) if parsed.is_cuda(path) else path
    modes = {"preprocess": ["-E"], "dependencies": ["-M"]}
    command += modes.get(parsed.mode, ["-c", "-o", target])
    return _run([*command, "-x", "c++" if not path.endswith(".c") else "c", source])


def _translated(parsed: NvccArguments, path: str, scratch: Path) -> str:
    from r3c.build.translate import Translator
    from r3c.core.source import Source

    scratch.mkdir(parents=True, exist_ok=True)
    original = Path(path).absolute()
    try:
        source = Source.read(original)
    except OSError as error:
        raise AppError(f"{path}: {error.strerror}") from None
    translation = Translator(scratch, [Path(p) for p in parsed.include_paths]).translate(
        Source(str(original), source.text)
    )
    for header, text in translation.headers.items():
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(text, encoding="latin-1")
    made = scratch / (original.stem + ".cpp")
    made.write_text(f'#include <cuda_runtime.h>\n#line 1 "{path}"\n{translation.text}', encoding="latin-1")
    return str(made)


def _link(parsed: NvccArguments, objects: list[str]) -> int:
    from r3c.devices.cpu import runtime_library

    runtime = runtime_library()
    libraries = [library for library in parsed.libraries if library not in _CUDA_LIBRARIES]
    command = ["g++", "-pthread", *(["-shared"] if parsed.shared else []), *parsed.host_flags]
    command += [*objects, *libraries, str(runtime), f"-Wl,-rpath,{runtime.parent}", "-o", parsed.output or "a.out"]
    return _run(command)


def _run(command: list[str]) -> int:
    if os.environ.get("R3C_NVCC_VERBOSE"):
        print(shlex.join(command), file=sys.stderr)
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
