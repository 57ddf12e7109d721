from __future__ import annotations

from pathlib import Path

import pytest

from r3c.build.chunks import cut_up
from r3c.build.device_unit import PRELUDE, device_unit
from r3c.core.compile import CompileCommand
from r3c.core.errors import BuildError
from r3c.core.source import Source

UNIT = """\
#include <cstdio>
#include <vector>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include "shape.h"
#define SQUARE(x) ((x) * (x))
#define DEVICE __host__ __device__
using namespace std;
struct Host { std::vector<int> all; };
typedef struct { float x, y; } Pair;
enum Mode { FAST, EXACT = 4 };
static const int unused_host = sizeof(Host);
__constant__ float weights[3];
namespace inner {
DEVICE inline float twice(Pair p) { return 2 * p.x + SQUARE(p.y); }
void print(Host& h) { printf("%d", h.all[0]); }
}
template <class T> __global__ void other(T* p) { *p = 0; }
template void other<float>(float*);
template <class T> __global__ void scale(T* out, Pair p) {
  if (FAST == 0) out[threadIdx.x] = weights[0] * inner::twice(p) * WIDTH;
}
int main() { Host h; inner::print(h); }
"""


def cut(folder: Path, text: str, kernel: str, **command: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    (folder / "shape.h").write_text("#pragma once\n#include <string>\nconstexpr int WIDTH = 8;\nstd::string name();\n")
    source = Source(str(folder / "unit.cu"), text)
    (folder / "unit.cu").write_text(text)
    unit = device_unit(CompileCommand(str(folder / "unit.cu"), **command), source, kernel)
    return unit.text, unit.headers


def test_what_the_kernel_names_stays_in_its_line_and_the_rest_goes(tmp_path: Path) -> None:
    text, headers = cut(tmp_path, UNIT, "scale")
    lines = text.split("\n")
    assert lines[1] == '#line 1 "unit.cu"'
    kept = [number for number, line in enumerate(lines[2:], 1) if line and not line.startswith("#")]
    source_lines = UNIT.split("\n")
    assert [source_lines[n - 1] for n in kept] == [
        "using namespace std;",
        "typedef struct { float x, y; } Pair;",
        "enum Mode { FAST, EXACT = 4 };",
        "__constant__ float weights[3];",
        "namespace inner {",
        "DEVICE inline float twice(Pair p) { return 2 * p.x + SQUARE(p.y); }",
        "}",
        "template <class T> __global__ void scale(T* out, Pair p) {",
        "  if (FAST == 0) out[threadIdx.x] = weights[0] * inner::twice(p) * WIDTH;",
        "}",
    ]
    assert "#include <" not in text
    shape = next(body for name, body in headers.items() if name.endswith("shape.h"))
    assert shape.split("\n") == ["#pragma once", "", "constexpr int WIDTH = 8;", "", ""]
    assert set(headers) == {PRELUDE, "r3c_1_shape.h"}


def test_headers_of_the_toolkit_stay_where_their_words_are_used(tmp_path: Path) -> None:
    text = "#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n__global__ void k(__half* p) { *p = 0; }\n"
    assert [line for line in cut(tmp_path, text, "k")[0].split("\n") if "<" in line] == ["#include <cuda_fp16.h>"]


def test_conditionals_keep_their_balance_around_what_is_dropped(tmp_path: Path) -> None:
    text = "#ifdef A\nvoid f(int a) {\n#else\nvoid f(float a) {\n#endif\n}\n__global__ void k(int* p) { *p = 1; }\n"
    cut_text, _ = cut(tmp_path, text, "k")
    assert cut_text.split("\n")[2:] == [
        "#ifdef A",
        "",
        "#else",
        "",
        "#endif",
        "",
        "__global__ void k(int* p) { *p = 1; }",
        "",
    ]


def test_a_header_with_the_kernel_is_taken_in_place_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text("__global__ void k(int* p) { *p = 1; }\n")
    (tmp_path / "unit.cu").write_text('#include "k.cuh"\nint main() { k<<<1, 1>>>(0); }\n')
    source = Source(str(tmp_path / "k.cuh"), "__global__ void k(int* p) { *p = 2; }\n")
    unit = device_unit(CompileCommand(str(tmp_path / "unit.cu")), source, "k")
    assert unit.headers["r3c_1_k.cuh"] == "__global__ void k(int* p) { *p = 2; }\n"
    assert unit.text.split("\n")[2:] == ['#include "r3c_1_k.cuh"', "", ""]


def test_a_kernel_inside_a_class_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="kernel gone is not at namespace scope"):
        cut(tmp_path, UNIT, "gone")


@pytest.mark.parametrize(
    ("text", "kind", "declares"),
    [
        ("typedef Real& (Domain::* Member)(Index);", "type", {"Member"}),
        ("typedef void (*Callback)(int);", "type", {"Callback"}),
        ("using T = float;", "type", {"T"}),
        ("struct A { int x; } a, b[3];", "type", {"A", "a", "b"}),
        ("enum class E : int { P, Q };", "type", {"E", "P", "Q"}),
        ("template <int N> struct S<N, 2> { int v; };", "type", {"S"}),
        ("__device__ float table[2] = {1, N}, other{3};", "variable", {"table", "other"}),
        ("static inline __device__ V<float> f(int a = g(1)) { return a; }", "function", {"f"}),
        ("__global__ void __launch_bounds__(256, 2) k(int* p);", "function", {"k"}),
        ("template <class T> __device__ void Box<T>::clear() {}", "function", {"clear"}),
        ("__device__ float4 operator+(float4 a, float4 b) { return a; }", "function", {"operator+"}),
        ("namespace cg = cooperative_groups;", "type", {"cg"}),
        ("template void k<float>(float*);", "other", set()),
    ],
)
def test_what_a_declaration_declares(text: str, kind: str, declares: set[str]) -> None:
    (chunk,) = cut_up(Source("x.cu", text)).chunks
    assert (chunk.kind, set(chunk.declares)) == (kind, declares)
