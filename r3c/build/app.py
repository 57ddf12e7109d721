"""The application: what builds and runs it, a copy of its folder to work in, its build and its runs."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from r3c.core.compile import CompileCommand, compile_command_from_json
from r3c.core.config import AppConfig, Config, config_from_dict
from r3c.core.errors import AppError, ConfigError
from r3c.devices.base import Device

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CONFIG = "r3c.toml"
OUTPUT = "r3c-out"
_NEVER_COPIED = (OUTPUT, ".git", ".hg", ".svn", "__pycache__")
_KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "USER", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH",
                   "CUDA_VISIBLE_DEVICES", "R3C_CACHE", "XDG_CACHE_HOME")  # fmt: skip
_TAIL_LINES = 20
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl", ".inc")


@dataclass(frozen=True)
class App:
    """An application's folder and how to build and run it.

    Attributes:
        build: empty where nothing is to be built, as with a program in Python.
        sources: its CUDA files, headers with kernels included, relative to `root`.
    """

    root: Path
    config: Config
    build: str
    run: str
    sources: tuple[Path, ...]


@dataclass(frozen=True)
class AppRun:
    """One run: what it printed, how long it took, how it ended (128 + N for signal N)."""

    stdout: str
    stderr: str
    seconds: float
    exit_code: int


def load_config(root: Path) -> Config:
    """`r3c.toml` of the folder, or the defaults.

    Raises:
        ConfigError: it is not TOML, or has an unknown key.
    """
    path = root / CONFIG
    if not path.is_file():
        return Config()
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None
    return config_from_dict(raw, str(path))


def load_app(root: Path, overrides: AppConfig | None = None) -> App:
    """The application in `root`; what `r3c.toml` does not say is found from a Makefile or CMakeLists.txt.

    Raises:
        AppError: there is no such folder, no CUDA file, or no way to build or run it is known.
        ConfigError: `r3c.toml` is wrong.
    """
    if not root.is_dir():
        raise AppError(f"{root}: there is no such folder", hint="give the folder of the application")
    config = load_config(root)
    if overrides is not None:
        config = replace(config, app=overrides)
    found = {p for pattern in config.app.sources for p in root.glob(pattern) if p.is_file()}
    found |= {p for p in root.rglob("*") if p.suffix in _HEADERS and p.is_file() and b"__global__" in p.read_bytes()}
    inside = sorted(p.relative_to(root) for p in found)
    sources = tuple(p for p in inside if not set(p.parts) & set(_NEVER_COPIED))
    if not sources and not config.app.run:
        patterns = ", ".join(config.app.sources)
        raise AppError(f"{root}: no CUDA file matches {patterns}", hint=f"[app] sources = [...] in {root / CONFIG}")
    build = config.app.build or _find_build(root, needed=bool(sources))
    return App(root, config, build, config.app.run or _find_run(root), sources)


def _find_build(root: Path, needed: bool) -> str:
    if _makefile(root):
        return "make"
    if not needed:
        return ""
    if (root / "CMakeLists.txt").is_file():
        return "cmake -S . -B build -DCMAKE_CUDA_COMPILER=nvcc && cmake --build build"
    raise AppError(f"{root}: no Makefile or CMakeLists.txt", hint=f'[app] build = "..." in {root / CONFIG}')


def _makefile(root: Path) -> Path | None:
    return next((root / n for n in ("GNUmakefile", "makefile", "Makefile") if (root / n).is_file()), None)


def _find_run(root: Path) -> str:
    makefile = _makefile(root)
    if makefile and re.search(r"^run\s*:", makefile.read_text(errors="replace"), re.MULTILINE):
        return "make -s run"
    raise AppError(f"{root}: nothing says how to run it", hint=f'[app] run = "./program arguments" in {root / CONFIG}')


def copy_app(app: App, target: Path) -> Path:
    """A fresh copy of the application's folder at `target`, without r3c's own output and version control."""
    shutil.rmtree(target, ignore_errors=True)
    ignored = shutil.ignore_patterns(*_NEVER_COPIED)
    try:
        shutil.copytree(app.root, target, ignore=ignored, symlinks=True)
    except (OSError, shutil.Error) as error:
        raise AppError(f"{app.root} cannot be copied to {target}: {error}") from None
    return target


def build_app(folder: Path, app: App, device: Device, logs: Path) -> list[CompileCommand]:
    """Build the copy in `folder` with its own command; how each file was compiled.

    Raises:
        AppError: the build failed (the last lines of its output follow), or compiled no CUDA file.
    """
    if not app.build:
        return []
    logs.mkdir(parents=True, exist_ok=True)
    compile_log = (logs / "compile.jsonl").resolve()
    compile_log.unlink(missing_ok=True)
    wrapper = _wrapper(logs.resolve() / "bin")
    mode = "cpu" if device.toolchain == "host" else "pass"
    environment = {
        **clean_environment(),
        "PATH": f"{wrapper.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "R3C_NVCC_MODE": mode,
        "R3C_COMPILE_LOG": str(compile_log),
        "CUDACXX": str(wrapper),
    }
    _drop_products(folder, app, environment)
    done = run_command(app.build, folder, environment, app.config.app.timeout_s)
    output = done.stdout + done.stderr
    (logs / "build.log").write_text(output, encoding="utf-8", errors="replace")
    if done.exit_code != 0:
        raise AppError(f"building with `{app.build}` failed (exit code {done.exit_code}):\n{tail(output)}")
    if not compile_log.exists():
        if not app.sources:
            return []
        raise AppError(
            f"`{app.build}` compiled nothing with nvcc",
            hint="the build must call `nvcc` by name (not by an absolute path), so that r3c sees its commands",
        )
    lines = compile_log.read_text(encoding="utf-8").splitlines()
    return list({c.file: c for c in map(compile_command_from_json, lines)}.values())


def _drop_products(folder: Path, app: App, environment: Mapping[str, str]) -> None:
    """Objects and programs copied along would keep make from building."""
    if app.build == "make" or app.build.startswith("make "):
        run_command("make -s clean", folder, environment, 60.0)
    if "cmake" in app.build:
        shutil.rmtree(folder / "build", ignore_errors=True)
    for path in folder.rglob("*.o"):
        path.unlink(missing_ok=True)


def _wrapper(folder: Path) -> Path:
    """A script named nvcc that runs r3c's wrapper with this Python."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "nvcc"
    package = Path(__file__).resolve().parents[2]
    script.write_text(
        f'#!/bin/sh\nPYTHONPATH="{package}${{PYTHONPATH:+:$PYTHONPATH}}" exec "{sys.executable}" '
        f'-m r3c.build.nvcc_wrapper "$@"\n'
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return script


def run_app(folder: Path, app: App, environment: Mapping[str, str] | None = None) -> AppRun:
    """Run the built copy in `folder`; how it ended is for the caller to judge.

    Raises:
        AppError: it ran longer than `[app] timeout_s`.
    """
    return run_command(app.run, folder, {**clean_environment(), **(environment or {})}, app.config.app.timeout_s)


def clean_environment() -> dict[str, str]:
    """What builds and runs of the application inherit: no keys, no settings of r3c."""
    return {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}


def run_command(command: str, folder: Path, environment: Mapping[str, str], timeout_s: float) -> AppRun:
    """A shell command in a process group of its own; the group is killed when time is up.

    Raises:
        AppError: it took longer than `timeout_s`.
    """
    started = time.monotonic()
    process = subprocess.Popen(  # noqa: S602 - the user's own command
        command,
        shell=True,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        stdout, stderr = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        hint = f"[app] timeout_s in {CONFIG}"
        raise AppError(f"`{command}` ran longer than {timeout_s:g} s and was stopped", hint=hint) from None
    code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    return AppRun(stdout, stderr, time.monotonic() - started, code)


def tail(output: str) -> str:
    """The last lines of a command's output."""
    return "\n".join(output.strip().splitlines()[-_TAIL_LINES:])
