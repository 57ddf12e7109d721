"""Forms, thread indices, uniformity, effects and loops of small kernels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from r3c.core.source import Source
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_loops import Loop, NotCounted
from r3c.tree.analysis_nodes import call_name
from r3c.tree.analysis_poly import Poly
from r3c.tree.nodes import Call, For, Index, Name
from r3c.tree.parse import parse
from r3c.tree.regions import region


def analysis(body: str, parameters: str = "float *a, const float *b, int n, int m", before: str = "") -> Analysis:
    text = f"{before}\n__global__ void k({parameters}) {{\n{body}\n}}\n"
    return analyse(region(parse(Source("k.cu", text)), "k"))


def subscript(found: Analysis, number: int = 0) -> Index:
    return [n for n in found.function.walk() if isinstance(n, Index)][number]


polys = st.recursive(
    st.integers(-5, 5).map(Poly.constant) | st.sampled_from("xyz").map(Poly.atom),
    lambda inner: (
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]) | st.tuples(inner, inner).map(lambda p: p[0] * p[1])
    ),
    max_leaves=6,
)


def value(poly: Poly, point: dict[str, int]) -> int:
    total = 0
    for monomial, coefficient in poly.terms:
        product = coefficient
        for atom in monomial:
            product *= point[atom.name]
        total += product
    return total


@given(polys, polys, st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9))
def test_polynomials_compute_like_numbers(p: Poly, q: Poly, x: int, y: int, z: int) -> None:
    point = {"x": x, "y": y, "z": z}
    assert value(p + q, point) == value(p, point) + value(q, point)
    assert value(p * q, point) == value(p, point) * value(q, point)
    assert value(p - q, point) == value(p, point) - value(q, point)


@given(polys, polys)
def test_equal_polynomials_have_one_form(p: Poly, q: Poly) -> None:
    assert (p + q) - q == p
    assert p * q == q * p


def test_settled_locals_are_looked_through() -> None:
    found = analysis("int w = n * 2; int i = w + m; a[i - w] = 0.0f;")
    assert str(found.forms.of(subscript(found).index)) == "m"


def test_a_local_that_is_written_again_stays_an_atom() -> None:
    found = analysis("int w = n; w = m; a[w] = 0.0f;")
    assert str(found.forms.of(subscript(found).index)) == "w"


def test_a_local_made_of_a_written_value_stays_an_atom() -> None:
    found = analysis("int w = n; n = 3; a[w] = 0.0f;")
    assert str(found.forms.of(subscript(found).index)) == "w"


def test_constants_of_the_file_have_values() -> None:
    found = analysis("a[R * 2 + W] = 0.0f;", before="#define R 3\nconstexpr int W = R + 1;")
    assert found.forms.value(subscript(found).index) == 10


def test_a_macro_with_two_definitions_has_no_value() -> None:
    found = analysis("a[R] = 0.0f;", before="#ifdef X\n#define R 3\n#else\n#define R 4\n#endif")
    assert found.forms.of(subscript(found).index) is None


@pytest.mark.parametrize(
    ("text", "expected"), [("7 / 2", 3), ("-7 / 2", -3), ("-7 % 3", -1), ("1 << 4", 16), ("0x10 + 1u", 17)]
)
def test_constant_expressions_follow_c(text: str, expected: int) -> None:
    found = analysis(f"a[{text}] = 0.0f;")
    assert found.forms.value(subscript(found).index) == expected


@pytest.mark.parametrize(
    ("head", "trip"),
    [
        ("int i = 0; i < 10; i++", 10),
        ("int i = 1; i <= 10; i += 3", 4),
        ("int i = 9; i >= 0; i -= 2", 5),
        ("int i = 5; i < 5; ++i", 0),
        ("int i = 0; 8 > i; i = i + 4", 2),
        ("int i = n; i < n + 6; i++", 6),
    ],
)
def test_trip_counts(head: str, trip: int) -> None:
    found = analysis(f"for ({head}) a[i] = 0.0f;")
    loop = found.loops.read(next(n for n in found.function.walk() if isinstance(n, For)))
    assert isinstance(loop, Loop)
    assert loop.trip == trip


@pytest.mark.parametrize(
    ("head", "body", "why"),
    [
        ("int i = 0; i < n; i--", "", "moves away"),
        ("int i = 0; i < n; i++", "i = 2;", "writes its counter"),
        ("int i = 0; i < n; i++", "n--;", "may change"),
        ("int i = 0; i < a[0]; i++", "a[1] = 2.0f;", "may change"),
        ("int i = 0; n > 3; i++", "", "does not compare"),
        ("; n > 3;", "", "does not set one counter"),
    ],
)
def test_loops_that_are_not_counted_say_why(head: str, body: str, why: str) -> None:
    found = analysis(f"for ({head}) {{ {body} }}")
    loop = found.loops.read(next(n for n in found.function.walk() if isinstance(n, For)))
    assert isinstance(loop, NotCounted)
    assert why in loop.why


def test_pure_device_functions_have_no_effects() -> None:
    before = (
        "__device__ float f(float x) { float t[2]; t[0] = x; return t[0] * 2.0f; }\n"
        "__device__ float g(float x) { return f(x) + 1.0f; }\n"
        "__device__ float h(float *p) { return p[0]; }\n"
        "__device__ float o(float x) { __syncthreads(); return x; }"
    )
    found = analysis("a[0] = f(1.0f) + g(2.0f) + h(a) + o(3.0f);", before=before)
    unknown = [call_name(n) for n in found.effects.of(found.function.body).unknown if isinstance(n, Call)]
    assert unknown == ["h", "o"]


def test_a_shadowing_declaration_is_another_variable() -> None:
    found = analysis("int i = 0; { int i = 1; a[i] = 0.0f; } a[i] = 1.0f;")
    inner, outer = subscript(found, 0).index, subscript(found, 1).index
    assert found.forms.value(inner) == 1
    assert found.forms.value(outer) == 0


def test_a_member_is_not_a_variable_of_its_name() -> None:
    found = analysis("int x = 3; a[threadIdx.x] = x;")
    names = [n for n in found.function.walk() if isinstance(n, Name) and n.text == "x"]
    assert [found.scopes.variable(n) is not None for n in names] == [False, True]


@pytest.mark.parametrize(
    ("expression", "uniform"),
    [
        ("n + blockIdx.x", True),
        ("threadIdx.x", False),
        ("b[n]", False),
        ("u", True),
        ("v", False),
        ("w", False),
        ("sqrtf(2.0f)", True),
        ("__shfl_sync(0xffffffffu, 1, 0)", False),
    ],
)
def test_uniform_values(expression: str, uniform: bool) -> None:
    body = f"int u = n; int v = threadIdx.x; int w = 0; if (v > 2) w = 1; a[0] = {expression};"
    found = analysis(body)
    assign = [n for n in found.function.walk() if n.kind == "assign"][-1]
    assert found.uniform.is_uniform(assign.nodes[1]) is uniform


def test_a_divergent_return_ends_uniform_control() -> None:
    found = analysis("a[0] = 1.0f; if (threadIdx.x > 3) return; a[1] = 2.0f;")
    before, after = subscript(found, 0), subscript(found, 1)
    assert found.uniform.is_uniformly_reached(before)
    assert not found.uniform.is_uniformly_reached(after)


def test_a_divergent_break_ends_uniform_control_in_its_loop() -> None:
    found = analysis("for (int i = 0; i < n; i++) { if (threadIdx.x > i) break; a[i] = 1.0f; }")
    assert not found.uniform.is_uniformly_reached(subscript(found))


def test_restrict_and_locals_are_distinct_memory() -> None:
    found = analysis(
        "float t[2]; t[0] = 1.0f; a[0] = b[0] + c[0] + t[0];", "float *a, const float *b, float *__restrict__ c"
    )
    by_name = {v.name: v for v in found.scopes.variables}
    assert found.memory.relation(by_name["a"], by_name["b"]) == "maybe"
    assert found.memory.relation(by_name["a"], by_name["c"]) == "distinct"
    assert found.memory.relation(by_name["a"], by_name["t"]) == "distinct"
    assert found.memory.relation(by_name["a"], by_name["a"]) == "same"


def test_a_pointer_into_a_parameter_is_the_same_memory() -> None:
    found = analysis("float *p = a + n; p[0] = b[0];")
    by_name = {v.name: v for v in found.scopes.variables}
    assert found.memory.relation(by_name["a"], by_name["p"]) == "same"


def test_types_follow_the_usual_conversions() -> None:
    found = analysis("a[0] = n * 2.0f; a[1] = n + 1u; a[2] = b[n]; a[3] = n / 2.0; a[4] = (int)b[0];")
    values = [n.nodes[1] for n in found.function.walk() if n.kind == "assign"]
    assert [found.types.of(v) for v in values] == ["float", "unsigned int", "float", "double", "int"]
