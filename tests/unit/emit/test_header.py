"""Headers: what is in them, what they refuse, and that compilers take them without a warning."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path, PurePosixPath

import pytest
from emit_headers import check_golden, header_of, variant_of
from emit_shapes import C_LINKAGE, PLAIN, SHAPES, TEMPLATE, TUNABLE, Shape

from r3c.core.candidate import Candidate
from r3c.core.config import NamesConfig
from r3c.core.errors import EmitError
from r3c.core.launch import LaunchPlan
from r3c.core.source import Source
from r3c.emit.header import grid_expression, make_header
from r3c.emit.patch import use_headers
from r3c.emit.signature import Guard, Signature
from r3c.emit.tuned import rename, tuned_text

HERE = PurePosixPath("app.cu")


@pytest.mark.parametrize("name", SHAPES)
def test_headers_are_what_was_reviewed(name: str) -> None:
    shape = SHAPES[name]
    header = header_of(shape.source, shape.kernel, shape.candidate, signatures=(Signature(shape.block),))
    check_golden(f"headers/{header.file_name}", header.text)


def write_app(shape: Shape, folder: Path) -> Path:
    """The patched application of `shape` in `folder`; the path of its source."""
    header = header_of(shape.source, shape.kernel, shape.candidate, signatures=(Signature(shape.block),))
    patched = use_headers({HERE: shape.source}, {HERE: [header]})
    assert not patched.left
    for change in patched.changes:
        (folder / change.path).write_bytes(change.after.data)
    return folder / "app.cu"


@pytest.mark.nvcc
@pytest.mark.parametrize("standard", ["c++14", "c++17", "c++20"])
@pytest.mark.parametrize("name", SHAPES)
def test_patched_applications_compile_with_nvcc_without_a_warning(name: str, standard: str, tmp_path: Path) -> None:
    source = write_app(SHAPES[name], tmp_path)
    strict = ["-Xcompiler", "-Wall,-Wextra,-Werror,-Wno-unused-parameter", "-Werror", "all-warnings"]
    command = ["nvcc", f"-std={standard}", "-arch=sm_90", *strict, "-c", str(source), "-o", str(tmp_path / "app.o")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


@pytest.mark.nvcc
def test_a_disabled_header_compiles_and_holds_no_tuned_kernel(tmp_path: Path) -> None:
    source = write_app(PLAIN, tmp_path)
    done = subprocess.run(
        ["nvcc", "-DR3C_DISABLE", "-arch=sm_90", "-cubin", str(source), "-o", str(tmp_path / "app.cubin")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"r3c_add" not in (tmp_path / "app.cubin").read_bytes()


def test_the_tuned_kernel_has_its_own_name_and_no_annotation() -> None:
    text = header_of(PLAIN.source, "add", PLAIN.candidate).text
    assert "__global__ void r3c_add(float *a, int n)" in text
    assert "r3c:" not in text


def test_a_changed_number_reaches_macros_constants_and_functions_of_the_kernel_alone() -> None:
    rewritten = variant_of(TUNABLE.source, "tuned", TUNABLE.candidate).rewritten.source
    tuned = tuned_text(TUNABLE.source, rewritten, "tuned", "r3c_tuned", NamesConfig())
    assert tuned.macros == (("TILE", " 32"), ("SCALE", "(x) ((x) * r3c_tuned_WW)"))
    assert [text.split("=")[0].split("(")[0].strip() for text in tuned.supports] == [
        "constexpr int r3c_tuned_W",
        "constexpr int r3c_tuned_WW",
        "static __device__ float r3c_tuned_helper",
    ]
    assert "other(a[i])" in tuned.kernel


def test_a_changed_number_in_a_type_is_refused() -> None:
    text = TUNABLE.text.replace("static __device__", "struct Tile { float cells[W]; };\nstatic __device__")
    with pytest.raises(EmitError, match="another W, which this text outside the kernel uses too"):
        header_of(Source("app.cu", text), "tuned", TUNABLE.candidate)


def test_a_changed_number_in_a_method_is_refused() -> None:
    text = TUNABLE.text.replace(
        "static __device__ float helper(float x) { return x * TILE + W; }",
        "struct Help { __device__ static float helper(float x) { return x * TILE; } };",
    )
    text = text.replace("SCALE(helper(", "SCALE(Help::helper(")
    with pytest.raises(EmitError, match="stands in a class"):
        header_of(Source("app.cu", text), "tuned", TUNABLE.candidate)


def test_a_candidate_that_changes_other_text_is_refused() -> None:
    before = PLAIN.source
    after = Source("app.cu", PLAIN.text.replace("#include <cstdio>", "#include <cmath>"))
    with pytest.raises(EmitError, match="changes text outside its kernel"):
        tuned_text(before, after, "add", "r3c_add", NamesConfig())


def test_an_overloaded_kernel_is_refused() -> None:
    text = C_LINKAGE.text.replace('extern "C" ', "") + "__global__ void scale(double *a) { a[0] = 0; }\n"
    variant = variant_of(C_LINKAGE.source, "scale", C_LINKAGE.candidate)
    with pytest.raises(EmitError, match="defined 2 times"):
        make_header(Source("app.cu", text), "scale", [variant])


def test_two_variants_are_tried_in_order() -> None:
    first = variant_of(PLAIN.source, "add", PLAIN.candidate, architecture="sm_90")
    second = variant_of(PLAIN.source, "add", "unroll{site=add/loop:s,factor=4}", architecture="sm_80")
    text = make_header(PLAIN.source, "add", [first, second]).text
    assert text.index("r3c_is_architecture_add(90)") < text.index("r3c_is_architecture_add(80)")
    assert "__global__ void r3c_add_2(" in text


def test_a_variant_of_the_cpu_device_never_matches_a_gpu() -> None:
    text = header_of(PLAIN.source, "add", PLAIN.candidate, architecture="cpu").text
    assert "r3c_is_architecture_add(0)" in text
    assert "never used on a GPU" in text


def test_guards_and_their_reasons_are_in_the_launch_function() -> None:
    guard = Guard("n % 4 == 0", "four elements are loaded at once")
    text = header_of(PLAIN.source, "add", PLAIN.candidate, guards=(guard,)).text
    assert "&& (n % 4 == 0)) {" in text
    assert "//   n % 4 == 0: four elements are loaded at once" in text


def test_a_register_limit_becomes_an_attribute_and_other_options_are_told() -> None:
    header = header_of(PLAIN.source, "add", "unroll{site=add/loop:s,factor=2} @ nvcc{maxrregcount=40,load_cache=cg}")
    assert "__maxnreg__(40) r3c_add(" in header.text
    assert header.flags == ("load_cache=cg",)
    assert "needs       these options in the build" in header.text


def test_a_name_that_would_continue_a_comment_is_made_harmless() -> None:
    variant = variant_of(PLAIN.source, "add", PLAIN.candidate)
    evil = variant.provenance.__class__(**{**vars(variant.provenance), "device": "GPU \n#error\\"})
    text = make_header(PLAIN.source, "add", [variant.__class__(**{**vars(variant), "provenance": evil})]).text
    assert not re.search(r"^\s*#error", text, re.MULTILINE)
    assert not re.search(r"//[^\n]*\\\n", text)


def test_renaming_leaves_members_comments_and_strings_alone() -> None:
    assert rename('f(a.f, p->f); // f\n"f"; f', {"f": "g"}) == 'g(a.f, p->f); // f\n"f"; g'


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (LaunchPlan(), "r3c_grid.x"),
        (LaunchPlan(indices_per_thread=(4, 1, 1)), "cover(1ull * r3c_grid.x * r3c_block.x, r3c_block.x * 4)"),
        (LaunchPlan(threads_per_index=(32, 1, 1)), "cover(1ull * r3c_grid.x * r3c_block.x * 32, r3c_block.x)"),
    ],
)
def test_the_grid_covers_what_the_plan_says(plan: LaunchPlan, expected: str) -> None:
    assert grid_expression(plan, 0, "cover") == expected


def test_a_template_is_launched_with_its_own_arguments() -> None:
    text = header_of(TEMPLATE.source, "fill", TEMPLATE.candidate).text
    assert "template <typename T, int N = 4>\nstatic inline void r3c_launch_fill(" in text
    assert "int r3c_argument_3, unsigned n = 3u)" in text
    assert "fill<T, N><<<r3c_grid" in text


def test_a_winner_for_no_launch_is_refused() -> None:
    with pytest.raises(EmitError, match="names no launch"):
        header_of(PLAIN.source, "add", str(Candidate()), signatures=())


STAGED = """\
#include <cstdio>
// r3c: kernel()
__global__ void sum(float *__restrict__ out, const float *__restrict__ a, int n) {
  __shared__ float tile[64];
  float s = 0.0f;
  for (int first = 0; first < n; first += 64) {
    __syncthreads();
    for (int t = threadIdx.x; t < 64 && first + t < n; t += blockDim.x) tile[t] = a[first + t];
    __syncthreads();
    for (int j = 0; j < 64 && first + j < n; j++) s += tile[j];
  }
  out[threadIdx.x] = s;
}
"""
ASYNC = "async-copy{site=sum/loop:first,stages=2}"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_header_that_the_tuned_kernel_needs_is_included(line_end: str) -> None:
    text = header_of(Source("app.cu", STAGED.replace("\n", line_end)), "sum", ASYNC).text
    assert text.count("#include <cuda_pipeline.h>") == 1
    assert text.index("#include <cuda_pipeline.h>") < text.index("r3c_sum(")


def test_a_header_that_cannot_be_included_where_the_kernel_stands_is_refused() -> None:
    rewritten = variant_of(Source("app.cu", STAGED), "sum", ASYNC).rewritten.source.text
    before = STAGED.replace("// r3c: kernel()", "namespace deep {\n// r3c: kernel()") + "}\n"
    after = rewritten.replace("// r3c: kernel()", "namespace deep {\n// r3c: kernel()") + "}\n"
    with pytest.raises(EmitError, match="cannot be included inside namespace deep"):
        tuned_text(Source("app.cu", before), Source("app.cu", after), "sum", "r3c_sum", NamesConfig())
