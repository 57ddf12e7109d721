"""CUDA source to C++ for the CPU device: launches become calls, kernels get a stub that packs their arguments.

Every edit stays on its line, so that the host compiler's messages and debuggers name the lines of the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from r3c.build.includes import resolve
from r3c.build.waiting import WaitingFunctions
from r3c.core.config import NamesConfig
from r3c.core.errors import AppError
from r3c.core.source import Edit, Source, Span
from r3c.tree.declarations import DeclStmt
from r3c.tree.expressions import Launch, Name
from r3c.tree.file import File, Function, Include
from r3c.tree.node import Node
from r3c.tree.parse import parse

STUB = "r3c_stub_"
_CUDA_WORDS = re.compile(r"__global__|<<<|__shared__|__constant__|__device__|__managed__")
_RAW_LAUNCH = re.compile(r"([A-Za-z_][\w:]*(?:<[^<>;{}]*>)?)\s*<<<(.*?)>>>\s*\(", re.DOTALL)
_UNSUPPORTED = {
    "tex1D": "textures", "tex2D": "textures", "tex3D": "textures", "tex1Dfetch": "textures", "texture": "textures",
    "tex2DLayered": "textures", "cudaTextureObject_t": "textures", "surf2Dwrite": "surfaces", "surf2Dread": "surfaces",
    "cudaSurfaceObject_t": "surfaces", "wmma": "matrix units", "mma_sync": "matrix units",
    "cudaGraph_t": "CUDA graphs", "cudaGraphExec_t": "CUDA graphs", "__cluster_dims__": "thread block clusters",
    "cluster_group": "thread block clusters", "grid_group": "grid-wide synchronisation",
    "this_grid": "grid-wide synchronisation", "curandState": "cuRAND", "cublasHandle_t": "cuBLAS",
    "cufftHandle": "cuFFT", "cusparseHandle_t": "cuSPARSE",
}  # fmt: skip
_UNSUPPORTED_WORD = re.compile(r"\b(" + "|".join(_UNSUPPORTED) + r")\b")


@dataclass
class Translation:
    """One translated file; `headers` are translated local headers: path in the scratch folder and text."""

    text: str
    headers: dict[Path, str] = field(default_factory=dict)


@dataclass
class Translator:
    """Translates the files of one translation unit.

    Attributes:
        scratch: folder where translated headers will lie.
        include_paths: folders of -I, in order.
        device_only: drop the bodies of host functions (for replay).
        replaced: headers to take from here instead of from where they lie.
    """

    scratch: Path
    include_paths: Sequence[Path] = ()
    names: NamesConfig = field(default_factory=NamesConfig)
    device_only: bool = False
    replaced: Mapping[Path, Source] = field(default_factory=dict)

    def translate(self, source: Source) -> Translation:
        """The unit as C++.

        Raises:
            AppError: it uses what the CPU device lacks; the message has the place.
        """
        self._done: dict[Path, str] = {}
        self._files: dict[Path, File] = {}
        main = parse(source, self.names)
        self._collect(main, Path(source.path).parent)
        self._waiting = WaitingFunctions([main, *self._files.values()])
        text = self._apply(main, Path(source.path).parent)
        return Translation(text, {self._target(path): done for path, done in self._done.items()})

    def entry(self, source: Source, kernel: str, symbol: str) -> str:
        """C++ that exports `r3c_entry`, the kernel called `symbol` in the runtime's words; for after `translate`."""
        name = symbol.replace("{anonymous}::", "").replace("(anonymous namespace)::", "")
        own = next((f for f in self._kernels() if f.name == kernel), None)
        main = parse(source, self.names).kernel(kernel)
        function = own or main
        fibers = int(function is None or self._waiting.needs_fibers(function))
        variables = "r3c::Variable::head()"
        return (
            f'\nextern "C" __attribute__((visibility("default"))) const r3c_Kernel* r3c_entry() {{ static const '
            f'r3c_Kernel k = ::r3c::Entry<&::{name}>::kernel("{kernel}", {fibers}); return &k; }}\n'
            f'extern "C" __attribute__((visibility("default"))) ::r3c::Variable* r3c_variables() {{ return {variables}; }}\n'
        )

    def _kernels(self) -> Iterator[Function]:
        for file in self._files.values():
            yield from file.kernels

    # --- headers ------------------------------------------------------------------------------------------------------

    def _collect(self, file: File, folder: Path) -> None:
        """Parse every local header with CUDA in it, reachable from `file`."""
        for include in file.includes:
            path = self._resolve(include, folder)
            if path is None or path in self._files:
                continue
            source = self.replaced.get(path) or Source.read(path)
            if not _CUDA_WORDS.search(source.text) and '#include "' not in source.text:
                continue
            header = self._files[path] = parse(source, self.names)
            self._collect(header, path.parent)

    def _resolve(self, include: Include, folder: Path) -> Path | None:
        return resolve(include.name, include.quoted, folder, self.include_paths)

    def _target(self, path: Path) -> Path:
        return self.scratch / "headers" / Path(*path.parts[1:])

    def _include_edits(self, file: File, folder: Path) -> Iterator[Edit]:
        for include in file.includes:
            path = self._resolve(include, folder)
            if path is None or path not in self._files:
                continue
            if path not in self._done:
                self._done[path] = ""  # a header that includes itself
                self._done[path] = f'#line 1 "{path}"\n' + self._apply(self._files[path], path.parent)
            yield Edit(include.span, f'#include "{self._target(path)}"')

    # --- one file -----------------------------------------------------------------------------------------------------

    def _apply(self, file: File, folder: Path) -> str:
        refuse_unsupported(file)
        edits = [*self._include_edits(file, folder), *_global_edits(file)]
        dropped: list[Span] = []
        for function in file.functions:
            if self.device_only and _can_drop(function):
                dropped.append(Span(function.header_end, function.end))
                edits.append(Edit(dropped[-1], ";"))
                continue
            edits += self._function_edits(file, function)
        edits += _macro_launch_edits(file, dropped)
        return file.source.apply(edits).text

    def _function_edits(self, file: File, function: Function) -> Iterator[Edit]:
        if not function.is_parsed:
            return
        for node in function.walk():
            if isinstance(node, Launch):
                yield from self._launch_edits(file, node)
            elif isinstance(node, DeclStmt) and node.declaration.is_shared and "extern" in node.declaration.specifiers:
                yield _dynamic_shared(node)
            elif node.kind in ("opaque", "macro_statement") and "<<<" in node.text:
                yield from _raw_launches(node.span, file.source)
        if function.kind == "opaque_function":
            yield from _raw_launches(function.span, file.source)
        if function.is_kernel and function.kind == "function":
            fibers = int(self._waiting.needs_fibers(function))
            yield Edit(Span(function.end, function.end), " " + stub(function, fibers))

    def _launch_edits(self, file: File, launch: Launch) -> Iterator[Edit]:
        config = [node.text for node in launch.config]
        config += ["0"] * (4 - len(config))
        head = f"r3c_configure({config[0]}, {config[1]}, {config[2]}, (void*)({config[3]})), "
        opener = _call_opener(launch)
        callee = launch.callee
        if isinstance(callee, Name) and self._has_stub(file, callee.identifier, launch.start):
            last = [t for t in callee.children if not isinstance(t, Node) and t.kind == "ID"][-1]
            yield Edit(Span(launch.start, launch.start), head)
            yield Edit(Span(last.start, last.start), STUB)
            yield Edit(Span(callee.end, opener), "")
            return
        comma = ", " if launch.args else ""
        yield Edit(Span(launch.start, opener + 1), f"{head}::r3c::launch_pointer({callee.text}{comma}")

    def _has_stub(self, file: File, name: str, offset: int) -> bool:
        if any(k.name == name and k.end <= offset and can_stub(k) for k in file.kernels):
            return True
        return any(k.name == name and can_stub(k) for f in self._files.values() if f is not file for k in f.kernels)


def can_stub(kernel: Function) -> bool:
    return kernel.kind == "function" and not any("..." in p.text for p in kernel.params)


def stub(kernel: Function, fibers: int) -> str:
    """A host function of the same template head and parameters that launches `kernel`."""
    if not can_stub(kernel):
        return ""
    params = [(p, p.name or f"r3c_p{i}") for i, p in enumerate(kernel.params) if p.text.strip() != "void"]
    declared = ", ".join(p.text if p.name else f"{p.text} {name}" for p, name in params)
    heads = " ".join(head.text for head in kernel.template_heads)
    given = f"<{', '.join(kernel.template_params)}>" if kernel.template_params else ""
    values = ", ".join(f"*(::r3c::plain<decltype({name})>*)r3c_a[{i}]" for i, (_, name) in enumerate(params))
    types = ", ".join(f"decltype({name})" for _, name in params)
    addresses = "".join(f"(void*)&{name}, " for _, name in params)
    layout = f"::r3c::Arguments<{types}>::layout"
    name = kernel.name
    text = (
        f"{heads} static inline void {STUB}{name}({declared}) {{ struct r3c_call {{ static void run(void** r3c_a) {{ "
        f'(void)r3c_a; {name}{given}({values}); }} }}; static const r3c_Kernel r3c_k = {{"{name}", '
        f"__PRETTY_FUNCTION__, &r3c_call::run, {layout}.offsets, {layout}.sizes, {len(params)}, {fibers}}}; "
        f"void* r3c_v[] = {{{addresses}nullptr}}; r3c_launch(&r3c_k, r3c_v); }}"
    )
    if not heads:
        text += f' static ::r3c::Known r3c_known_{kernel.start} __attribute__((unused)) (&{name}, "{name}", {fibers});'
    return re.sub(r"\s*\n\s*", " ", text).strip()


def _call_opener(launch: Launch) -> int:
    """Offset of the `(` of the argument list."""
    tokens = [c for c in launch.children if not isinstance(c, Node)]
    return next(t.start for t in tokens if t.kind == "LPAR")


def _dynamic_shared(node: DeclStmt) -> Edit:
    """`extern __shared__ float s[];` as a pointer to the launch's dynamic shared memory."""
    declaration = node.declaration
    parts: list[str] = []
    for item in declaration.declarators:
        suffix = item.declarator.text[item.declarator.text.index("[") :] if "[" in item.declarator.text else "[]"
        rest = suffix[suffix.index("]") + 1 :].strip()
        element = _without_alignment(declaration.type_text) + rest
        parts.append(f"auto* {item.name} = ::r3c::dynamic_shared<{element}>();")
    return Edit(node.span, " ".join(parts))


def _without_alignment(type_text: str) -> str:
    return re.sub(r"(__align__|alignas|__attribute__)\s*\((?:[^()]|\([^()]*\))*\)", "", type_text).strip()


def _global_edits(file: File) -> Iterator[Edit]:
    """Variables with a memory space become known by name."""
    for variable in file.globals:
        words = variable.type_text.split()
        end = Span(variable.declaration.end, variable.declaration.end)
        if variable.space == "__shared__" and "extern" in words:
            type_text = _without_alignment(" ".join(w for w in words if w not in ("extern", "__shared__")))
            yield Edit(variable.declaration, f"static const ::r3c::DynamicShared<{type_text}> {variable.name}{{}};")
        elif "extern" not in words and "template" not in words[0]:
            yield Edit(end, f' static ::r3c::Variable r3c_variable_{variable.name}("{variable.name}", '
                            f"&{variable.name}, sizeof({variable.name}));")  # fmt: skip


def _raw_launches(span: Span, source: Source) -> Iterator[Edit]:
    """Launches in text that has no tree."""
    for found in _RAW_LAUNCH.finditer(source.text, span.start, span.end):
        after = source.text[found.end() : found.end() + 200].lstrip()
        comma = "" if after.startswith(")") else ", "
        yield Edit(Span(*found.span()), _raw_call(found[1], found[2], comma))


def _raw_call(callee: str, config: str, comma: str) -> str:
    return f"::r3c::configure({config}), ::r3c::launch_pointer({callee}{comma}"


def _macro_launch_edits(file: File, dropped: list[Span]) -> Iterator[Edit]:
    for define in file.defines:
        if "<<<" in define.value and not any(span.contains(define.span) for span in dropped):
            yield from _raw_launches(define.span, file.source)


def _can_drop(function: Function) -> bool:
    """Whether a host function can lose its body: not a template, not constexpr, no initialiser list, no deduced type."""
    if function.role != "host":
        return False
    header = function.source.text[function.start : function.header_end]
    if re.search(r"\b(template|constexpr|consteval|auto|operator)\b", header):
        return False
    return re.search(r"(?<!:):(?!:)", header[header.rfind(")") :]) is None and "#" not in header


def refuse_unsupported(file: File) -> None:
    """Raises AppError for the first thing in the file that the CPU device has no stand-in for."""
    for function in file.functions:
        if function.role != "host":
            asm = next((node for node in function.walk() if node.kind == "asm"), None)
            if asm is not None:
                raise AppError(file.source.diagnose(asm.span, "inline PTX does not run on the CPU device",
                                                    hint="use --device cuda for this application"))  # fmt: skip
        found = _UNSUPPORTED_WORD.search(file.source.text, function.start, function.end)
        if found and function.is_parsed:
            what = _UNSUPPORTED[found[1]]
            message = f"{found[1]}: the CPU device has no {what}"
            raise AppError(file.source.diagnose(Span(*found.span()), message, hint="use --device cuda"))
