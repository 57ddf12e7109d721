from __future__ import annotations

import pytest

from r3c.core.contract import Geometry, Role, Tolerance
from r3c.core.errors import AnnotationError
from r3c.core.source import Source
from r3c.tree.analysis import analyse
from r3c.tree.nodes import For
from r3c.tree.parse import parse
from r3c.tree.regions import KernelRegion, region, regions
from r3c.tree.views import canonical_loop, has_barrier, names_read, names_written, shared_declarations

MATMUL = """\
// r3c: tune(TILE: 8|16|32)
#define TILE 16
// r3c: kernel(rtol=1e-5)
// r3c: buffer(c, out, rtol=1e-4) geometry(cover)
// r3c: where(block_size_x == TILE && (block_size_y == TILE))
__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  float sum = 0;
  for (int t = 0; t < n / TILE; ++t) {
    __syncthreads();
    // r3c: loop(inner, only(unroll, tile))
    for (int k = 0; k < TILE; k += 1) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    // r3c: freeze
    __syncthreads();
  }
  c[n] = sum;
}
"""


@pytest.fixture
def matmul() -> KernelRegion:
    return regions(parse(Source("mm.cu", MATMUL)))[0]


def test_the_contract_holds_all_that_was_declared(matmul: KernelRegion) -> None:
    contract = matmul.contract
    assert contract.tolerance == Tolerance(rtol=1e-5)
    assert contract.geometry is Geometry.COVER
    assert contract.buffers["c"].role is Role.OUT
    assert contract.tolerance_of("c") == Tolerance(rtol=1e-4)
    assert contract.tolerance_of("a") == Tolerance(rtol=1e-5)
    assert [str(d) for d in contract.tunables] == ["TILE: 8|16|32"]
    assert contract.tunables[0].start == 16
    assert contract.constraints[0].holds({"TILE": 8, "block_size_x": 8, "block_size_y": 8})
    assert not contract.constraints[0].holds({"TILE": 8, "block_size_x": 8, "block_size_y": 4})


def test_every_place_has_a_path(matmul: KernelRegion) -> None:
    for path in ("matmul", "matmul/param:c", "matmul/decl:as", "matmul/loop:t", "matmul/loop:inner"):
        assert path in matmul.sites
    assert matmul.source.slice(matmul.tunables["TILE"].span) == "16"
    assert matmul.path_of(matmul.sites["matmul/loop:t"]) == "matmul/loop:t"


def test_freeze_and_only_are_kept_with_their_places(matmul: KernelRegion) -> None:
    assert [matmul.source.slice(span) for span in matmul.frozen] == ["__syncthreads();"]
    assert matmul.only == {"matmul/loop:inner": frozenset({"unroll", "tile"})}


def test_loops_are_seen_in_canonical_form(matmul: KernelRegion) -> None:
    loop = canonical_loop(matmul.sites["matmul/loop:inner"])
    assert loop is not None
    assert (loop.counter, loop.type_text, loop.compare, loop.bound.text, loop.stride_text) == (
        "k", "int", "<", "TILE", "1",
    )  # fmt: skip
    assert names_written(loop.body) == {"sum"}
    assert names_read(loop.body) == {"sum", "as", "bs", "k", "threadIdx"}
    assert has_barrier(matmul.sites["matmul/loop:t"])
    assert not has_barrier(loop.body)
    assert [d.name for d in shared_declarations(matmul.function)] == ["as", "bs"]


@pytest.mark.parametrize(
    ("head", "forms"),
    [
        ("int i = 0; i < n; i++", ("i", "<", "n", "1", 1)),
        ("i = n; i >= 0; i -= 2", ("i", ">=", "0", "2", -1)),
        ("unsigned i = t; n > i; i = i + s", ("i", "<", "n", "s", 1)),
    ],
)
def test_canonical_loops_of_other_forms(head: str, forms: tuple[str, str, str, str, int]) -> None:
    file = parse(Source("k.cu", f"__global__ void k(int n, int t, int s) {{ int i; for ({head}) {{ }} }}"))
    loop = canonical_loop(file.kernels[0].find_all(For)[0])
    assert loop is not None
    assert (loop.counter, loop.compare, loop.bound.text, loop.stride_text, loop.direction) == forms


@pytest.mark.parametrize("head", ["int i = 0, j = 0; i < n; i++", "int i = 0; f(i); i++", ";;", "int i = 0; i < n;"])
def test_other_loops_are_not_canonical(head: str) -> None:
    file = parse(Source("k.cu", f"__global__ void k(int n) {{ for ({head}) {{ }} }}"))
    assert canonical_loop(file.kernels[0].find_all(For)[0]) is None


MISTAKES = {
    "// r3c: kernal(rtol=1e-5)": ("k.cu:1:9: there is no annotation 'kernal'", "did you mean kernel("),
    "// r3c: kernel(rtoll=1e-5)": ("k.cu:1:16: there is no setting 'rtoll'", "did you mean 'rtol'?"),
    "// r3c: buffer(d, out)": ("k.cu:1:1: buffer(d): the kernel has no such parameter", "parameters: a"),
    "// r3c: buffer(a, read)": ("buffer(a, read): expected one of in, out, inout", ""),
    "// r3c: where(block_size_x <)": ("where(block_size_x <): not an expression", ""),
    "// r3c: where(blocksize_x < 3)": ("where: 'blocksize_x' is not tuned", "did you mean 'block_size_x'?"),
    "// r3c: geometry(free)": ("geometry(free): expected fixed or cover", ""),
    "// r3c: tune(block_size_x: 8..4)": ("block_size_x: 8..4: a range runs upwards", ""),
    "// r3c: kernel(rtol=)": ("k.cu:1:21: annotation not understood: unexpected ')'", "the form is kernel("),
    "// r3c: loop(x)": ("loop must stand directly before a loop, not before function k", ""),
    "// r3c: buffer(a, in": ("k.cu:1:21: annotation not understood: unexpected the end", "the form is buffer("),
    "#pragma r3c kernal": ("k.cu:1:13: there is no annotation 'kernal'", "did you mean kernel("),
}


@pytest.mark.parametrize("line", MISTAKES)
def test_a_mistake_points_at_its_place(line: str) -> None:
    text = line + "\n// r3c: kernel()\n__global__ void k(float *a) { a[0] = 1; }\n"
    with pytest.raises(AnnotationError) as caught:
        regions(parse(Source("k.cu", text)))
    message, hint = MISTAKES[line]
    assert message in str(caught.value)
    assert hint in str(caught.value)


def test_a_pragma_means_the_same_as_a_comment() -> None:
    text = "#pragma r3c kernel(rtol=1e-3)\n__global__ void k(float *a) { a[0] = 1; }\n"
    assert regions(parse(Source("k.cu", text)))[0].contract.tolerance == Tolerance(rtol=1e-3)


def test_a_missing_kernel_names_the_nearest() -> None:
    with pytest.raises(AnnotationError, match="did you mean 'matmul'"):
        region(parse(Source("mm.cu", MATMUL)), "matmull")


def test_annotations_in_the_wrong_place_are_refused() -> None:
    for text, message in (
        ("// r3c: kernel()\nint x;\n", "kernel must stand directly before a __global__ function"),
        ("// r3c: freeze\n", "freeze must stand directly before a statement"),
        ("__global__ void k() {\n // r3c: loop(i)\n int x;\n}", "loop must stand directly before a loop"),
        ("__global__ void k() {\n // r3c: kernel()\n int x;\n}", "kernel stands inside a function"),
        ("// r3c: tune(N: 1|2)\nint y;\n", "tune(N: ...) must stand directly before the #define"),
        ("// r3c: buffer(p, in)\n__global__ void k(int *p) { }", "without a kernel annotation"),
    ):
        with pytest.raises(AnnotationError) as caught:
            regions(parse(Source("k.cu", text)))
        assert message in str(caught.value)


def test_template_parameters_are_types_and_values_with_and_without_defaults() -> None:
    head = "template <class T, int STEP, typename U = int, unsigned M = 3, bool>"
    kernel = parse(Source("k.cu", f"{head}\n__global__ void k(T *a) {{ a[0] = STEP; }}\n")).kernels[0]
    assert kernel.template_params == ["T", "STEP", "U", "M"]


STRUCTURES = """\
using Real = double;
// r3c: kernel() buffer(p, inout, float) pure(weight, SCALE)
__global__ void move(Particle *p, const Real *w, int n) {
  p[n].x = weight(n) * SCALE(w[n]);
}
"""


def test_an_annotation_says_what_structures_are_made_of_and_aliases_are_seen_through() -> None:
    contract = regions(parse(Source("move.cu", STRUCTURES)))[0].contract
    assert contract.buffers["p"].role is Role.INOUT
    assert dict(contract.parameters) == {"p": "float *", "w": "const double *", "n": "int"}


def test_functions_said_to_be_pure_hide_nothing() -> None:
    def unknown(text: str) -> list[str]:
        here = regions(parse(Source("move.cu", text)))[0]
        return [node.text for node in analyse(here).effects.of(here.function.body).unknown]

    assert unknown(STRUCTURES) == []
    assert unknown(STRUCTURES.replace("pure(weight, SCALE)", "")) == ["weight(n)", "SCALE(w[n])"]
