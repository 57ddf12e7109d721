"""`#if` between statements: regions with arms, which arm definitions choose, and what stays out of reach."""

from __future__ import annotations

import pytest

from r3c.cli.parse import round_trips
from r3c.core.config import NamesConfig
from r3c.core.source import Source
from r3c.tree.file import File
from r3c.tree.nodes import For, PpArm, PpLine, PpRegion
from r3c.tree.parse import parse

TWO_ARMS = """\
#ifdef FAST
  for (int i = 0; i < 4; i++) a[i] = 1;
#else
  for (int j = 0; j < n; j++) a[j] = 2;
#endif
"""


def kernel(body: str, before: str = "", defines: tuple[str, ...] = (), undefines: tuple[str, ...] = ()) -> File:
    text = f"{before}__global__ void k(int *a, int n) {{\n{body}}}\n"
    file = parse(Source("k.cu", text), NamesConfig(defines=defines, undefines=undefines))
    assert round_trips(file)
    assert file.kernels[0].is_full
    return file


def region(file: File) -> PpRegion:
    return file.find_all(PpRegion)[0]


def loops(file: File) -> list[str]:
    return [loop.text for loop in file.find_all(For)]


def test_arms_hold_their_statements() -> None:
    found = region(kernel(TWO_ARMS + "a[0] = 3;\n"))
    assert [arm.line for arm in found.arms] == ["#ifdef FAST", "#else"]
    assert [len(arm.statements) for arm in found.arms] == [1, 1]
    assert not found.is_decided
    assert found.chosen is None


def test_undecided_arms_and_what_is_around_them_are_tainted() -> None:
    file = kernel("if (n) {\n" + TWO_ARMS + "}\nfor (;;) break;\n")
    inside, _, outside = file.find_all(For)
    assert inside.tainted == "whether it is compiled depends on '#ifdef FAST'"
    assert file.kernels[0].tainted == "conditional compilation selects among its statements"
    assert outside.tainted == ""


@pytest.mark.parametrize(
    ("defines", "undefines", "kept"),
    [(("FAST",), (), "i < 4"), (("FAST=0",), (), "i < 4"), ((), ("FAST",), "j < n")],
)
def test_definitions_choose_an_arm(defines: tuple[str, ...], undefines: tuple[str, ...], kept: str) -> None:
    file = kernel(TWO_ARMS, defines=defines, undefines=undefines)
    assert len(loops(file)) == 1
    assert kept in loops(file)[0]
    assert file.kernels[0].tainted == ""
    dead = next(arm for arm in region(file).arms if arm.is_dead)
    assert dead.tainted == "the definitions given leave it out"
    assert region(file).chosen is not dead


def test_a_define_of_the_file_counts_unless_it_is_conditional() -> None:
    assert region(kernel(TWO_ARMS, "#define FAST\n")).is_decided
    assert region(kernel(TWO_ARMS, "#define FAST\n#undef FAST\n")).chosen is not None
    assert not region(kernel(TWO_ARMS, "#ifdef X\n#define FAST\n#endif\n")).is_decided
    assert not region(kernel(TWO_ARMS, "#define FAST\n#ifdef X\n#undef FAST\n#endif\n")).is_decided


def test_if_0_is_dead_without_definitions() -> None:
    file = kernel("#if 0\n  for (;;) break;\n#endif\n")
    assert loops(file) == []
    assert region(file).is_decided
    assert region(file).chosen is None
    assert file.kernels[0].tainted == ""


def test_elif_chain_is_decided_only_as_far_as_it_is_known() -> None:
    body = "#if A == 1\n a[0] = 1;\n#elif A == 2\n a[0] = 2;\n#else\n a[0] = 3;\n#endif\n"
    assert [arm.is_dead for arm in region(kernel(body, defines=("A=2",))).arms] == [True, False, True]
    assert [arm.is_dead for arm in region(kernel(body, defines=("A=9",))).arms] == [True, True, False]
    assert not region(kernel(body)).is_decided


def test_regions_nest() -> None:
    body = "#if A\n#if B\n a[0] = 1;\n#endif\n a[0] = 2;\n#else\n a[0] = 3;\n#endif\n"
    outer, inner = kernel(body).find_all(PpRegion)
    assert isinstance(inner.parent, PpArm)
    assert inner.parent.parent is outer
    assert len(kernel(body, undefines=("A",)).find_all(PpRegion)) == 1


def test_directive_with_its_partner_in_another_body_stays_a_line() -> None:
    file = kernel("#if A\n a[0] = 1;\nif (n) {\n#endif\n a[1] = 2;\n#if A\n}\n#endif\n")
    assert file.find_all(PpRegion) == []
    assert len(file.find_all(PpLine)) == 4
    assert file.kernels[0].tainted != ""


def test_switch_bodies_and_crlf() -> None:
    body = "switch (n) {\r\n#ifdef A\r\ncase 1: a[0] = 1; break;\r\n#endif\r\ndefault: break;\r\n}\r\n"
    assert len(region(kernel(body)).arms) == 1


def test_pragmas_make_no_region() -> None:
    assert kernel("#pragma unroll\nfor (int i = 0; i < 4; i++) a[i] = i;\n").find_all(PpRegion) == []


@pytest.mark.parametrize(
    "before",
    ["#define FAST 1\n# undef FAST\n", "#define FAST(x) x\n", "// r3c: tune(FAST: 0|1)\n#define FAST 1\n"],
)
def test_what_does_not_decide(before: str) -> None:
    found = region(kernel("#if FAST == 1\n a[0] = 1;\n#endif\n", before))
    assert found.chosen is None


def test_a_define_in_a_function_is_not_followed() -> None:
    file = kernel("#undef FAST\n" + TWO_ARMS, "#define FAST\n")
    assert not region(file).is_decided
