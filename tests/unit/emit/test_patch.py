"""Patches: what they change, that nothing else changes, and that `git apply` and `patch -p1` take them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path, PurePosixPath

import pytest
from emit_headers import header_of
from emit_shapes import PLAIN, TEMPLATE

from r3c.core.source import Source
from r3c.emit.patch import Change, PatchedApp, file_of, use_headers

HEADER = header_of(PLAIN.source, "add", PLAIN.candidate)
HOME = PurePosixPath("src/app.cu")


def patched(text: str, **others: str) -> PatchedApp:
    files = {HOME: Source(str(HOME), text)}
    files |= {PurePosixPath(name): Source(name, other) for name, other in others.items()}
    return use_headers(files, {HOME: [HEADER]})


def after(app: PatchedApp, path: PurePosixPath = HOME) -> str:
    return next(change.after.text for change in app.changes if change.path == path)


def test_only_the_include_and_the_launch_change() -> None:
    old, new = PLAIN.text.splitlines(), after(patched(PLAIN.text)).splitlines()
    assert [line for line in new if line not in old] == [
        '#include "r3c_add.cuh"',
        "  r3c_launch_add((n + 127) / 128, 128, 0, 0, a, n);",
    ]
    assert [line for line in old if line not in new] == ["  add<<<(n + 127) / 128, 128>>>(a, n);"]


def test_comments_and_spaces_in_a_launch_stay() -> None:
    header = header_of(TEMPLATE.source, "fill", TEMPLATE.candidate)
    text = after(use_headers({HOME: TEMPLATE.source}, {HOME: [header]}))
    assert "deep::inner::r3c_launch_fill<float, 2> (dim3(1, 2), 128 /* threads */, 0, stream,  a, 1.0f, 3);" in text
    assert "deep::inner::r3c_launch_fill<double>(1, 128, 0, 0, (double *)a, 2.0, 0, 4u);" in text


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("}\n", '}\n#include "r3c_add.cuh"\n'),
        ("} // add\n", '} // add\n#include "r3c_add.cuh"\n'),
        ("}; \n", '}; \n#include "r3c_add.cuh"\n'),
        ("} int x;\n", '}\n#include "r3c_add.cuh"\n int x;\n'),
        ("} /* two\nlines */\n", '}\n#include "r3c_add.cuh"\n /* two\nlines */\n'),
        ("} // goes on \\\n here\n", '}\n#include "r3c_add.cuh"\n // goes on \\\n here\n'),
    ],
)
def test_the_include_is_a_line_of_its_own(end: str, expected: str) -> None:
    before = "a[i] += 1.0f;\n"
    assert before + expected in after(patched(PLAIN.text.replace(before + "}\n", before + end)))


def test_a_launch_before_the_definition_stays() -> None:
    early = "__global__ void add(float *a, int n);\nvoid early(float *a) { add<<<1, 128>>>(a, 1); }\n"
    app = patched(early + PLAIN.text)
    assert early in after(app)
    assert app.left == ("src/app.cu:2: this launch stays as it is: it stands before the definition of add",)


def test_launches_in_files_that_include_the_definition_change() -> None:
    home = PLAIN.text.split("void run")[0]
    main = '#include "../src/app.cu"\nint main() { add<<<1, 128>>>(0, 1); }\n'
    through = '#include "main.cu"\nvoid more() { add<<<2, 128>>>(0, 1); }\n'
    app = patched(home, **{"bin/main.cu": main, "bin/through.cu": through})
    assert "r3c_launch_add(1, 128, 0, 0, 0, 1)" in after(app, PurePosixPath("bin/main.cu"))
    assert "r3c_launch_add(2, 128, 0, 0, 0, 1)" in after(app, PurePosixPath("bin/through.cu"))
    assert [str(change.path) for change in app.changes][-1] == "src/r3c_add.cuh"


def test_launches_in_files_that_only_declare_the_kernel_stay() -> None:
    main = "__global__ void add(float *, int);\nint main() { add<<<1, 128>>>(0, 1); }\n"
    app = patched(PLAIN.text, **{"main.cu": main})
    assert PurePosixPath("main.cu") not in [change.path for change in app.changes]
    assert "main.cu:2: this launch stays as it is: the file does not include the definition of add" in app.left


def test_another_kernel_of_that_name_in_another_file_stays() -> None:
    app = patched(PLAIN.text, **{"other.cu": PLAIN.text})
    assert [str(change.path) for change in app.changes] == ["src/app.cu", "src/r3c_add.cuh"]


def test_launches_in_macros_are_told() -> None:
    app = patched(PLAIN.text + "#define GO(a) add<<<1, 128>>>(a, 1)\n")
    assert app.left == ("src/app.cu:13: launches by macro GO stay as they are",)


def test_a_kernel_whose_launches_all_stay_is_left_alone() -> None:
    app = patched(PLAIN.text.split("void run")[0])
    assert not app.changes
    assert not app.used
    assert app.left == ("src/app.cu: kernel add keeps its launches: none could go through the header",)


def both_ways(folder: Path, before: dict[str, bytes], text: str) -> list[dict[str, bytes]]:
    """Files after `git apply` and after `patch -p1`."""
    out = []
    for name, command in (
        ("git", ["git", "apply", "../r3c.patch"]),
        ("patch", ["patch", "-s", "-p1", "-i", "../r3c.patch"]),
    ):
        if shutil.which(command[0]) is None:
            continue
        tree = folder / name
        for path, data in before.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_bytes(data)
        (folder / "r3c.patch").write_bytes(text.encode("latin-1"))
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        out.append({str(p.relative_to(tree)): p.read_bytes() for p in tree.rglob("*") if p.is_file()})
    return out


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.text,
        PLAIN.text.replace("\n", "\r\n"),
        PLAIN.text.rstrip("\n"),
        PLAIN.text.replace("\n", "\r\n").rstrip("\r\n"),
        PLAIN.text.replace("#include <cstdio>", "// caf\xc3\xa9 \xff\f"),
    ],
    ids=["plain", "crlf", "no-final-newline", "crlf-no-final-newline", "bytes"],
)
def test_git_apply_and_patch_give_the_same_bytes(text: str, tmp_path: Path) -> None:
    app = patched(text)
    results = both_ways(tmp_path, {str(HOME): text.encode("latin-1")}, file_of(app.changes))
    assert results
    for files in results:
        assert files == {str(change.path): change.after.data for change in app.changes}


def test_a_kernel_at_the_very_end_keeps_the_missing_newline(tmp_path: Path) -> None:
    text = "__global__ void add(float *a, int n);\n" + PLAIN.text
    home, tail = (
        text.split("// r3c: kernel")[0],
        "// r3c: kernel" + text.split("// r3c: kernel")[1].split("void run")[0],
    )
    launch = '#include "app.cu"\nvoid run(float *a) { add<<<1, 128>>>(a, 1); }'
    app = patched((home + tail).rstrip("\n"), **{"src/main.cu": launch})
    assert after(app).endswith('}\n#include "r3c_add.cuh"')
    before = {str(HOME): (home + tail).rstrip("\n").encode(), "src/main.cu": launch.encode()}
    for files in both_ways(tmp_path, before, file_of(app.changes)):
        assert files["src/app.cu"].endswith(b'"r3c_add.cuh"')
        assert files["src/main.cu"].endswith(b"a, 1); }")


def test_names_with_spaces_are_taken(tmp_path: Path) -> None:
    path = PurePosixPath("a folder/an app.cu")
    change = Change(path, Source("x", "one\ntwo\n"), Source("x", "one\n2\n"))
    for files in both_ways(tmp_path, {str(path): b"one\ntwo\n"}, file_of([change])):
        assert files == {str(path): b"one\n2\n"}
