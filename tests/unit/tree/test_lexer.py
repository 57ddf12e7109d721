"""The lexer: what is one token, what is trivia, and that nothing is lost."""

from __future__ import annotations

import pytest

from r3c.tree.lexer import is_trivia, lex


def texts(source: str) -> list[str]:
    return [token.text for token in lex(source)[0][:-1]]


def kinds(source: str) -> list[str]:
    return [token.kind for token in lex(source)[0][:-1]]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a>>b", ["a", ">", ">", "b"]),
        ("a>>=b", ["a", ">>=", "b"]),
        ("k<<<g,b>>>(p)", ["k", "<<<", "g", ",", "b", ">", ">", ">", "(", "p", ")"]),
        ("1'000'000+0x1.8p-3f", ["1'000'000", "+", "0x1.8p-3f"]),
        ("1e-5-2", ["1e-5", "-", "2"]),
        ("1.f+.5e+3", ["1.f", "+", ".5e+3"]),
        ("a...b", ["a", "...", "b"]),
        ("a->*b.*c", ["a", "->*", "b", ".*", "c"]),
        ('R"x(a)" " )x" + 1', ['R"x(a)" " )x"', "+", "1"]),
        ('u8"a" L"b" "c"s "d"_km', ['u8"a"', 'L"b"', '"c"s', '"d"_km']),
        ("'\\'' '\\\\' L'x'", ["'\\''", "'\\\\'", "L'x'"]),
        ('extern "C"__global__ void', ["extern", '"C"', "__global__", "void"]),
        ("a\\\n[1]", ["a", "[", "1", "]"]),
        ("x // y \\\n z\nw", ["x", "w"]),
        ("x /* a\n * b */ y", ["x", "y"]),
        ("\xef\xbb\xbfint a", ["int", "a"]),
        ("\xe4\xf6 = 1", ["\xe4\xf6", "=", "1"]),
        ("a @ $b", ["a", "@", "$b"]),
    ],
)
def test_tokens(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


@pytest.mark.parametrize(
    "line",
    [
        "#define A(x) \\\n  (x + \\\n   1)",
        "#define B 1 /* over\n two lines */ + 2",
        "  # include <a/b.h> // not a comment \\\n of its own",
        '#define C "a /* b"',
        "#",
    ],
)
def test_preprocessor_line_is_one_token(line: str) -> None:
    tokens, _ = lex(f"int a;\n{line}\nint b;")
    found = [token.text for token in tokens if token.kind == "PP"]
    assert found == [line.strip(" ")]


def test_hash_inside_a_line_starts_no_preprocessor_line() -> None:
    assert "PP" not in kinds("a # b")


def test_comments_of_r3c_are_kept_and_others_are_not() -> None:
    source = "// r3c: freeze\nint a; // r3c is great\n//r3c:loop(i)\n/* r3c: freeze */\n"
    assert [found.text for found in lex(source)[1]] == ["// r3c: freeze", "//r3c:loop(i)"]


def test_annotation_ends_before_a_carriage_return() -> None:
    assert lex("// r3c: freeze\r\nint a;\r\n")[1][0].text == "// r3c: freeze"


@pytest.mark.parametrize("source", ['"open', "'open", "/* open", 'R"x(open', "#define \\", "\x00\x01", "`"])
def test_what_never_ends_is_still_tokens(source: str) -> None:
    tokens, _ = lex(source)
    at = 0
    for token in tokens:
        assert is_trivia(source[at : token.start])
        assert source[token.start : token.end] == token.text
        at = token.end
    assert at == len(source)


def test_trivia_is_space_comments_and_preprocessor_lines() -> None:
    assert is_trivia(" /* a */ // b\n#if C\n")
    assert not is_trivia(" a ")
