"""Optimised NVPTX code, as LLVM's assembly text, rewritten so that the host runs it on the CPU device.

Memory spaces become plain memory, shared memory becomes thread-local, intrinsics and inline PTX become calls of the CPU
device's runtime (native/cpu/nvvm.cpp). What no stand-in is known for is an error, never left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from r3c.build.ptx_memory import memory_access
from r3c.core.errors import BuildError

DYNAMIC_SHARED_BYTES = 227 << 10
INTRINSIC, INLINE_PTX = "r3c_nv_", "r3c_ptx_"
WAITING = re.compile(r"@r3c_(nv_(barrier|bar_|shfl|vote|match|redux|activemask)|ptx_activemask)")
# Which thread this is: read from the runtime's own variables instead of through a call.
_POSITIONS = {"tid": "threadIdx", "ctaid": "blockIdx", "ntid": "blockDim", "nctaid": "gridDim"}
_POSITION = re.compile(rf"@{INTRINSIC}read_ptx_sreg_(tid|ctaid|ntid|nctaid)_([xyz])\b")
_DEVICE_FUNCTIONS = {
    "vprintf": "r3c_nv_vprintf", "__assertfail": "r3c_nv_assertfail", "llvm.trap": "r3c_trap",
    "__nvvm_reflect": "r3c_nv_reflect",
}  # fmt: skip
_NAME = r'@(?:"[^"]+"|[\w.$]+)'
_SHARED = re.compile(rf"^({_NAME}) = ([^\n]*?)addrspace\(3\) global ([^\n]*)$", re.MULTILINE)
_ASM = re.compile(
    r"(?:tail |musttail |notail )?call ((?:[^=\n](?!call))*?) asm ((?:sideeffect |alignstack |inteldialect |unwind )*)"
    r'"((?:[^"\\]|\\.)*)", "[^"]*"\(([^\n]*?)\)(?=[ ,#\n])'
)
_DECLARE = re.compile(rf"^declare [^@\n]*({_NAME})\(")
_DROPPED = (
    r'^target (?:datalayout|triple) = .*$', r'"target-(?:cpu|features)"="[^"]*"', r"\bptx_kernel ", r"\bptx_device ",
    r'\bsyncscope\("[^"]*"\) ', r"\bimmarg\b", r"\bcontract ",
)  # fmt: skip


@dataclass(frozen=True)
class Parameter:
    """One kernel parameter; `byval` is the type of a structure passed by value, whose address is the argument."""

    type_text: str
    size_bytes: int
    align_bytes: int
    byval: str = ""
    extension: str = ""


@dataclass(frozen=True)
class Variable:
    """One `__device__` or `__constant__` variable: symbol, name in the source, size."""

    symbol: str
    name: str
    size_bytes: int


def to_host(
    text: str, triple: str, symbol: str, kernel: str, parameters: Sequence[Parameter], variables: Sequence[Variable]
) -> str:
    """The module `text` for the host, with the two functions by which the CPU device takes it.

    Args:
        symbol: of the kernel in the module.
        kernel: its name in the source.

    Raises:
        BuildError: inline PTX that cannot be a call.
    """
    text = _calls_of_inline_ptx(text)
    for pattern in _DROPPED:
        text = re.sub(pattern, "", text, flags=re.MULTILINE)
    text = re.sub(r"\bexternally_initialized (?:constant|global)\b", "global", text)
    text = _shared_memory(text)
    text = _plain_pointers(text)
    for name, stand_in in _DEVICE_FUNCTIONS.items():
        text = re.sub(rf"@{re.escape(name)}(?=\()", f"@{stand_in}", text)
    text = re.sub(r"@llvm\.nvvm\.([\w.]+)", lambda m: f"@{INTRINSIC}{m[1].replace('.', '_')}", text)
    text = _positions(_declared_once(text))
    fibers = int(bool(WAITING.search(text)))
    return (
        f'target triple = "{triple}"\n{text}\n{_entry(symbol, kernel, parameters, fibers)}\n{_variables(variables)}\n'
    )


def missing_stand_in(log: str) -> str:
    """What the linker did not find, in words; empty where its message is about something else."""
    found = re.search(rf"undefined (?:reference to|symbol:?) [`']?({INTRINSIC}|{INLINE_PTX})?(\w+)", log)
    if found is None:
        return ""
    what = {INTRINSIC: "NVPTX intrinsic", INLINE_PTX: "inline PTX"}.get(found[1] or "", "function")
    return f"the CPU device has no stand-in for {what} {found[2]}"


def _calls_of_inline_ptx(text: str) -> str:
    declared: dict[str, str] = {}

    def call(found: re.Match[str]) -> str:
        instruction = _instruction(found[3])
        name = INLINE_PTX + instruction
        types = [argument.split()[0] for argument in _split(found[4])]
        result = found[1][found[1].index("{") :] if "{" in found[1] else found[1].split()[-1]
        access = memory_access(name, instruction, result, types)
        declared[name] = access or f"declare {result} @{name}({', '.join(types)})"
        return f"call {result} @{name}({found[4]})"

    text = _ASM.sub(call, text)
    if re.search(r"\bcall [^\n]* asm ", text):
        raise BuildError("inline PTX of this form does not run on the CPU device")
    return "\n".join([text, *declared.values()])


def _instruction(template: str) -> str:
    """`{ fma.rn.f16x2 $0,$1,$2,$3; }` -> `fma_rn_f16x2`; operands are named where they do not just stand in order."""
    plain = re.sub(r"\\[0-9A-F]{2}", " ", template)
    operands = re.findall(r"\$(\d+)", plain)
    if plain.count(";") <= 1 and operands == sorted(set(operands), key=int):
        plain = re.sub(r"\$\d+", " ", plain)
    return re.sub(r"\W+", "_", plain).strip("_")


def _split(arguments: str) -> list[str]:
    """Arguments of a call, at commas outside brackets."""
    out, depth = [""], 0
    for letter in arguments:
        depth += (letter in "(<{[") - (letter in ")>}]")
        if letter == "," and depth == 0:
            out.append("")
        else:
            out[-1] += letter
    return [part.strip() for part in out if part.strip()]


def _shared_memory(text: str) -> str:
    """One copy for each OS thread, which runs one block at a time; arrays without a size are the launch's own memory."""
    dynamic: list[str] = []

    def variable(found: re.Match[str]) -> str:
        name, words, rest = found[1], found[2], found[3]
        if words.startswith(("external", "extern_weak")):
            dynamic.append(name)
            return ""
        return (
            f"{name} = internal thread_local global {re.sub(r'(?<= )(undef|poison)(?=,|$)', 'zeroinitializer', rest)}"
        )

    text = _SHARED.sub(variable, text)
    if not dynamic:
        return text
    for name in dynamic:
        text = re.sub(rf"{re.escape(name)}(?![\w.$])", "@r3c_dynamic_shared_memory", text)
    size = f"[{DYNAMIC_SHARED_BYTES} x i8]"
    return f"{text}\n@r3c_dynamic_shared_memory = internal thread_local global {size} zeroinitializer, align 256\n"


def _plain_pointers(text: str) -> str:
    text = re.sub(r" ?addrspace\(\d+\)", "", text)
    text = text.replace("addrspacecast", "bitcast")
    return re.sub(r"(@llvm\.[\w.]*)", lambda m: re.sub(r"\.p\d+(?=\.|$)", ".p0", m[1]), text)


def _declared_once(text: str) -> str:
    """Declarations that have become alike, or that a definition stands for, are written once."""
    seen: set[str] = set()
    lines: list[str] = []
    for line in text.split("\n"):
        found = _DECLARE.match(line)
        if found:
            if found[1] in seen:
                continue
            seen.add(found[1])
        lines.append(line)
    return "\n".join(lines)


def _positions(text: str) -> str:
    used = sorted({(found[1], found[2]) for found in _POSITION.finditer(text)})
    text = re.sub(rf"^declare [^@\n]*{_POSITION.pattern}[^\n]*$", "", text, flags=re.MULTILINE)
    for variable in sorted({_POSITIONS[what] for what, _ in used}):
        text += f"\n@{variable} = external thread_local(initialexec) global [3 x i32], align 4"
    for what, axis in used:
        text += (
            f"\ndefine internal i32 @{INTRINSIC}read_ptx_sreg_{what}_{axis}() alwaysinline nounwind {{\n"
            f"  %p = getelementptr [3 x i32], ptr @{_POSITIONS[what]}, i32 0, i32 {'xyz'.index(axis)}\n"
            "  %v = load i32, ptr %p, align 4\n  ret i32 %v\n}"
        )
    return text


def _entry(symbol: str, kernel: str, parameters: Sequence[Parameter], fibers: int) -> str:
    """`r3c_entry`, which gives the description of the kernel, and the function that unpacks its arguments."""
    lines = ["define internal void @r3c_run(ptr %arguments) {"]
    given: list[str] = []
    for i, parameter in enumerate(parameters):
        lines += [f"  %at{i} = getelementptr ptr, ptr %arguments, i64 {i}", f"  %to{i} = load ptr, ptr %at{i}"]
        if parameter.byval:
            given.append(f"ptr byval({parameter.byval}) align {max(8, parameter.align_bytes)} %to{i}")
            continue
        boolean = parameter.type_text == "i1"
        lines.append(
            f"  %{'byte' if boolean else 'value'}{i} = load {'i8' if boolean else parameter.type_text}, ptr %to{i}"
        )
        lines += [f"  %value{i} = trunc i8 %byte{i} to i1"] if boolean else []
        given.append(f"{parameter.type_text} {parameter.extension} %value{i}")
    lines += [f"  call void @{symbol}({', '.join(given)})", "  ret void", "}"]
    offsets, sizes, at = [], [], 0
    for parameter in parameters:
        at = -(-at // parameter.align_bytes) * parameter.align_bytes
        offsets.append(at)
        sizes.append(parameter.size_bytes)
        at += parameter.size_bytes
    count = len(parameters)
    lines += [
        f"@r3c_name = private constant {_c_string(kernel)}",
        f"@r3c_offsets = private constant {_integers([*offsets, 0])}",
        f"@r3c_sizes = private constant {_integers([*sizes, 0])}",
        "@r3c_kernel = private constant { ptr, ptr, ptr, ptr, ptr, i32, i32 } { ptr @r3c_name, ptr @r3c_name, "
        f"ptr @r3c_run, ptr @r3c_offsets, ptr @r3c_sizes, i32 {count}, i32 {fibers} }}",
        "define ptr @r3c_entry() {\n  ret ptr @r3c_kernel\n}",
    ]
    return "\n".join(lines)


def _variables(variables: Sequence[Variable]) -> str:
    """`r3c_variables`, which gives the list of the module's variables."""
    lines: list[str] = []
    following = "null"
    for i, variable in enumerate(variables):
        lines += [
            f"@r3c_variable_name{i} = private constant {_c_string(variable.name)}",
            f"@r3c_variable{i} = private constant {{ ptr, ptr, i64, ptr }} {{ ptr @r3c_variable_name{i}, "
            f"ptr @{variable.symbol}, i64 {variable.size_bytes}, ptr {following} }}",
        ]
        following = f"@r3c_variable{i}"
    return "\n".join([*lines, f"define ptr @r3c_variables() {{\n  ret ptr {following}\n}}"])


def _c_string(text: str) -> str:
    data = text.encode("latin-1") + b"\0"
    escaped = "".join(f"\\{byte:02X}" for byte in data)
    return f'[{len(data)} x i8] c"{escaped}"'


def _integers(values: Sequence[int]) -> str:
    return f"[{len(values)} x i32] [{', '.join(f'i32 {value}' for value in values)}]"
