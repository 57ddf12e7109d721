"""What the project promises about itself."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from r3c import plugins
from r3c.rewrites.base import rewrite_names

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "r3c").rglob("*.py"))
HEAVY = ("torch", "gpytorch", "pycuda", "cuda", "deap", "openai", "jinja2", "lark", "numpy", "rich")
BANNED_NAMES = ("utils", "helpers", "common", "misc")


def tracked() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip(reason="not a git checkout: there is no list of tracked files")
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / line for line in done.stdout.splitlines()]


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_file_is_longer_than_400_lines() -> None:
    assert [str(path.relative_to(ROOT)) for path in SOURCES if lines(path) > 400] == []


def test_the_median_file_is_short() -> None:
    assert statistics.median(lines(path) for path in SOURCES if path.name != "__init__.py") <= 170


def test_no_file_has_a_name_that_says_nothing() -> None:
    assert [path.name for path in SOURCES if path.stem in BANNED_NAMES] == []


@pytest.mark.parametrize(
    "arguments", [["--help"], ["optimize", "--help"], ["record", "--help"], ["rewrites", "--help"]]
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import sys; from r3c.cli.main import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit as end: assert not end.code, end.code\n"
        f"print('LOADED', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "LOADED []"


def test_importing_the_package_imports_nothing_heavy() -> None:
    program = f"import sys, r3c; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("kind", ["rewrite", "tuner", "proposer", "toolchain"])
def test_every_plugin_is_named_after_its_file(kind: str) -> None:
    for name in plugins.names(kind):
        module = plugins.KINDS[kind] + "." + name.replace("-", "_")
        text = (ROOT / Path(*module.split("."))).with_suffix(".py").read_text(encoding="utf-8")
        assert re.search(rf"^class {''.join(word.capitalize() for word in name.split('-'))}\b", text, re.MULTILINE)


def test_only_their_own_files_import_the_heavy_packages() -> None:
    allowed = {"deap": {"proposers/genetic.py"}, "openai": {"proposers/llm.py"}, "pycuda": {"devices/cuda.py"}}
    for package, files in allowed.items():
        pattern = re.compile(rf"^\s*(?:import|from) {package}\b", re.MULTILINE)
        users = {
            str(path.relative_to(ROOT / "r3c"))
            for path in SOURCES
            if pattern.search(path.read_text(encoding="utf-8")) and "testing" not in path.parts
        }
        assert users <= files, package


def test_environment_variables_are_documented() -> None:
    documented = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    used: set[str] = set()
    for path in [*SOURCES, *(ROOT / "r3c").rglob("*.h"), *(ROOT / "r3c").rglob("*.cpp")]:
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r"""(?:environ(?:\.get)?[\[(]|getenv\(|text_of\(|number_of\()\s*["'](R3C_\w+)""", text))
    assert [name for name in sorted(used) if name not in documented] == []


def test_links_between_documents_lead_somewhere() -> None:
    broken = []
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
            if not target.startswith(("http:", "https:", "mailto:")) and not (path.parent / target).exists():
                broken.append(f"{path.relative_to(ROOT)}: {target}")
    assert broken == []


def test_the_readme_names_commands_that_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`?make ([a-z]+)`?", readme):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    commands = {path.stem for path in (ROOT / "r3c" / "cli").glob("*.py")}
    for command in re.findall(r"python -m r3c ([a-z]+)\b", readme):
        assert command in commands, command


def test_tracked_files_hold_no_path_of_a_developers_machine() -> None:
    pattern = re.compile(r"/(?:root|home/\w+|Users/\w+)/[\w.]")
    found = []
    for path in tracked():
        if path.is_file() and path.suffix in (".py", ".md", ".toml", ".cu", ".h", ".cpp", ".lark", ".j2", ""):
            text = path.read_text(encoding="utf-8", errors="replace")
            if pattern.search(text):
                found.append(str(path.relative_to(ROOT)))
    assert found == []


def test_every_rewrite_is_in_the_documents() -> None:
    text = (ROOT / "docs" / "rewrites.md").read_text()
    assert [name for name in rewrite_names() if f"`{name}`" not in text] == []
