"""Parentheses around every operator and braces around every controlled statement must not change a program's PTX.

python benchmarks/identity.py FOLDER... [--arch sm_90] [-D NAME[=VALUE]] [-I FOLDER]

Each FOLDER is a program. Its nvcc commands are taken from `make -n`, without a Makefile every .cu file is compiled; every
CUDA file in the folder and every header of its own is rewritten in a copy. Ends with 1 where the PTX differs.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from r3c.core.source import Source
from r3c.testing.parenthesise import parenthesised
from r3c.tree.parse import parse

REWRITTEN = (".cu", ".cuh", ".h", ".hpp", ".inl")
COMPILED = (".cu", ".cpp", ".cc")
_PASSED_ON = ("-I", "-D", "-std", "--std", "-x", "--expt", "-rdc", "-dc", "--use_fast_math", "-use_fast_math", "-fmad",
              "--extended", "-include")  # fmt: skip
_WITH_VALUE = ("-I", "-D", "-x", "-include", "-std")


def commands(folder: Path) -> list[tuple[Path, list[str]]]:
    """File and options of each compilation that `make` would do in `folder`."""
    dry = subprocess.run(["make", "-n", "-B"], cwd=folder, capture_output=True, text=True, check=False)
    out: dict[Path, list[str]] = {}
    for line in dry.stdout.replace("\\\n", " ").splitlines():
        if "nvcc" not in line:
            continue
        words = shlex.split(line)
        options: list[str] = []
        for at, word in enumerate(words):
            if word.startswith(_PASSED_ON):
                options.append(word)
                if word in _WITH_VALUE and at + 1 < len(words):
                    options.append(words[at + 1])
        for word in words:
            path = folder / word
            if word.endswith(COMPILED) and path.is_file() and not word.startswith("-"):
                out[path] = options
    return list(out.items())


def ptx(path: Path, options: list[str], arguments: argparse.Namespace) -> str:
    """PTX of one file without comments and with the hashes of file names evened out; empty where nvcc fails."""
    with tempfile.NamedTemporaryFile(suffix=".ptx") as out:
        defines = [f"-D{define}" for define in arguments.defines]
        includes = [f"-I{Path(include).resolve()}" for include in arguments.includes]
        wanted = [word for word in options if word not in ("-dc",) and not word.startswith("-rdc")]
        command = [
            "nvcc",
            "-ptx",
            "-O3",
            f"-arch={arguments.arch}",
            "-w",
            *wanted,
            *defines,
            *includes,
            "-o",
            out.name,
            path.name,
        ]
        done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
        if done.returncode:
            print(done.stderr[-600:] if arguments.verbose else "", file=sys.stderr)
            return ""
        text = Path(out.name).read_text()
    text = re.sub(r"//.*|^\s*\.(file|loc)\b.*", "", text, flags=re.MULTILINE)
    return re.sub(r"_[0-9a-f]{8}_\d*", "_HASH_", text)


def check(folder: Path, arguments: argparse.Namespace) -> tuple[str, int]:
    """What came out for one program, and how many operators and bodies were wrapped."""
    with tempfile.TemporaryDirectory() as base:
        copy = Path(base) / folder.parent.name / folder.name
        shutil.copytree(folder, copy, symlinks=True)
        for beside, place in ((folder, copy), (folder.parent, copy.parent)):
            for sibling in (path for path in beside.parent.iterdir() if path.name != beside.name):
                (place.parent / sibling.name).symlink_to(sibling)
        units = commands(copy) or [(path, []) for path in sorted(copy.rglob("*.cu"))]
        before = {path: ptx(path, options, arguments) for path, options in units}
        if not any(before.values()):
            return ("not compiled" if units else "no nvcc command"), 0
        wrapped = 0
        for path in sorted(p for p in copy.rglob("*") if p.suffix in REWRITTEN and p.is_file() and not p.is_symlink()):
            source = Source.read(path)
            text = parenthesised(parse(source, all_functions=True))
            wrapped += len(text) - len(source.text)
            path.write_bytes(text.encode("latin-1"))
        for path, options in units:
            if before[path] and ptx(path, options, arguments) != before[path]:
                return f"DIFFERS: {path.name}", wrapped
    return "identical", wrapped


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", nargs="+", type=Path)
    options.add_argument("--arch", default="sm_90")
    options.add_argument("-D", dest="defines", action="append", default=[])
    options.add_argument("-I", dest="includes", action="append", default=[])
    options.add_argument("--verbose", action="store_true", help="print what nvcc says where it fails")
    arguments = options.parse_args()
    differing = 0
    for folder in arguments.folders:
        outcome, wrapped = check(folder.resolve(), arguments)
        differing += outcome.startswith("DIFFERS")
        print(f"{folder.name:30} {outcome:30} {wrapped:>7} characters added", flush=True)
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
