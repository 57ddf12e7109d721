"""`r3c parse FILE...`: what r3c sees in CUDA files."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from r3c.core.errors import UserError

if TYPE_CHECKING:
    from r3c.tree.file import File, Function

DESCRIPTION = """\
Shows what r3c sees in CUDA files: kernels, loops, subscripts, and what keeps rewrites away from a place. A file that is
not understood in full is no error; --diagnostics says where and why.
"""
EPILOG = """\
examples:
  python -m r3c parse kernel.cu
  python -m r3c parse src/*.cu --json
  python -m r3c parse kernel.cu --diagnostics
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="CUDA sources, whatever their names")
    parser.add_argument(
        "-D",
        dest="defines",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="a macro is defined: picks arms of #if",
    )
    parser.add_argument(
        "-U", dest="undefines", action="append", default=[], metavar="NAME", help="a macro is not defined"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a file")
    parser.add_argument("--tree", action="store_true", help="kernels, loops, subscripts and what taints them (default)")
    parser.add_argument("--sexp", action="store_true", help="the whole tree as S-expressions")
    parser.add_argument("--diagnostics", action="store_true", help="where the grammar did not understand, and why")


def run(args: argparse.Namespace) -> int:
    from r3c.core.config import NamesConfig
    from r3c.core.source import Source
    from r3c.tree.parse import parse
    from r3c.tree.short_form import short_form

    names = NamesConfig(defines=tuple(args.defines), undefines=tuple(args.undefines))
    for path in args.files:
        try:
            source = Source.read(path)
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}") from None
        started = time.perf_counter()
        file = parse(source, names)
        seconds = time.perf_counter() - started
        if args.json:
            print(json.dumps(facts(file, str(path), seconds)))
        elif args.sexp:
            print(short_form(file))
        elif args.diagnostics:
            for diagnostic in (*file.diagnostics, *file.kernel_refusals):
                print(diagnostic)
        else:
            for line in outline(file):
                print(line)
    return 0


def facts(file: File, path: str, seconds: float) -> dict[str, Any]:
    """The fields of `--json`."""
    kernels = file.kernels
    return {
        "file": path,
        "bytes": len(file.source.text),
        "round_trip": round_trips(file),
        "functions": len(file.functions),
        "kernels": len(kernels),
        "kernels_full": sum(kernel.is_full for kernel in kernels),
        "opaque_statements": sum(function.opaque_statements for function in file.functions),
        "seconds": round(seconds, 6),
    }


def round_trips(file: File) -> bool:
    """Whether the tokens of the tree and the trivia between them are the file's text, byte for byte."""
    from r3c.tree.lexer import is_trivia

    text, at = file.source.text, 0
    for token in file.tokens():
        if token.start < at or not is_trivia(text[at : token.start]) or text[token.start : token.end] != token.text:
            return False
        at = token.end
    return is_trivia(text[at:])


def outline(file: File) -> Iterator[str]:
    """Kernels with their loops, arrays and obstacles, for people."""
    source = file.source
    yield f"{source.path}: {len(file.functions)} functions, {len(file.kernels)} kernels, {len(file.launches)} launches"
    for kernel in file.kernels:
        line, _ = source.line_column(kernel.start)
        full = "" if kernel.is_full else f", {kernel.opaque_statements} statements not understood"
        yield f"  {line}: kernel {kernel.name}({', '.join(p.text for p in kernel.params)}){full}"
        for part in (_shared, _loops, _choices, _indices):
            yield from part(file, kernel)
    for refusal in file.kernel_refusals:
        yield f"  refused: {str(refusal).splitlines()[0]}"


def _shared(_: File, kernel: Function) -> Iterator[str]:
    from r3c.tree.views import shared_declarations

    for shared in shared_declarations(kernel):
        yield f"    shared {shared.declarator.text}"


def _loops(file: File, kernel: Function) -> Iterator[str]:
    from r3c.tree.nodes import Loop
    from r3c.tree.views import canonical_loop, has_barrier

    for loop in kernel.find_all(Loop):
        depth = sum(isinstance(node, Loop) for node in loop.ancestors())
        line, _ = file.source.line_column(loop.start)
        seen = canonical_loop(loop)
        words = f"{seen.counter} from {seen.start.text} {seen.compare} {seen.bound.text}" if seen else loop.kind
        marks = " barrier" if has_barrier(loop) else ""
        marks += f" [{loop.tainted}]" if loop.tainted else ""
        yield f"    {line}: {'  ' * depth}loop {words}{marks}"


def _choices(file: File, kernel: Function) -> Iterator[str]:
    """Conditional compilation among the statements: the arms, and which is compiled where that is known."""
    from r3c.tree.nodes import PpRegion

    for region in kernel.find_all(PpRegion):
        for arm in region.arms:
            line, _ = file.source.line_column(arm.start)
            known = ("left out" if arm.is_dead else "compiled") if region.is_decided else "undecided, see -D and -U"
            yield f"    {line}: {' '.join(arm.line.split())} [{known}]"


def _indices(file: File, kernel: Function) -> Iterator[str]:
    """Variables that hold a thread index, and every subscript, each as a sum of products where it is one."""
    from r3c.tree.analysis_effects import EffectReader
    from r3c.tree.analysis_forms import Constants, Forms
    from r3c.tree.analysis_macros import OutsideNames
    from r3c.tree.analysis_pure import pure_functions
    from r3c.tree.analysis_scopes import Scopes
    from r3c.tree.nodes import Index, InitDeclarator

    scopes = Scopes.of(kernel)
    effects = EffectReader(scopes, OutsideNames(file), pure_functions(file))
    forms = Forms(kernel, scopes, effects, Constants(file.source.text))
    for declared in kernel.find_all(InitDeclarator):
        form = forms.of(declared.init) if declared.init is not None else None
        if form is not None and "threadIdx" in str(form):
            yield f"    index {declared.name} = {form}"
    shown = set()
    for index in kernel.find_all(Index):
        if isinstance(index.parent, Index) and index.parent.base is index:
            continue
        form = forms.of(index.index)
        text = f"    subscript {index.base.text}[{form if form is not None else '? ' + index.index.text}]"
        if text not in shown:
            shown.add(text)
            yield text
    if not shown:
        yield "    no subscripts"
