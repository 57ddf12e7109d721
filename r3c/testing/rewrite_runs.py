"""Runs random legal candidates on the CPU device: kernels with their own data, and whole sample applications."""

from __future__ import annotations

import random
import re
from pathlib import Path

from r3c import plugins
from r3c.build.app import build_app, copy_app, load_app, run_app
from r3c.build.output import first_difference
from r3c.core.config import AppConfig
from r3c.core.errors import AppError
from r3c.core.source import Source
from r3c.rewrites.base import apply_candidate
from r3c.testing.rewrite_soundness import KernelFile, Trial, program, random_trial
from r3c.tree.parse import parse
from r3c.tree.regions import regions


def check_kernel(path: Path, seed: int, count: int, folder: Path, steps_max: int = 6) -> int:
    """`count` random candidates of the kernel in `path`, in three thread orders, against the original.

    Returns:
        how many different candidates ran.

    Raises:
        AssertionError: one gives another result, does not compile or does not end; its text is in the message.
    """
    file = KernelFile.read(Source.read(path))
    rng = random.Random(f"{seed} {path.name}")
    trials = [random_trial(file, rng, rng.randint(1, steps_max)) for _ in range(count)]
    trials = list({str(trial.candidate): trial for trial in trials}.values())
    check_trials(file, trials, folder)
    return len(trials)


def check_trials(file: KernelFile, trials: list[Trial], folder: Path) -> None:
    """`trials` in three thread orders against the original, on the CPU device.

    Raises:
        AssertionError: one gives another result, does not compile or does not end; its text is in the message.
    """
    name = file.source.path
    (folder / "batch.cu").write_text(program(file, trials), encoding="latin-1")
    app = load_app(folder, AppConfig(build="nvcc -O1 -o batch batch.cu", run="./batch", timeout_s=300.0))
    try:
        build_app(folder, app, plugins.load("device", "cpu")(), folder / "logs")
    except AppError as error:
        raise AssertionError(f"{name}: {error}\n{_built(str(error), trials)}") from None
    done = run_app(folder, app)
    if done.exit_code != 0:
        raise AssertionError(f"{name}: exit code {done.exit_code}\n{_ran(done.stdout, done.stderr, trials)}")


def _built(output: str, trials: list[Trial]) -> str:
    places = sorted({int(number) for number in re.findall(r"trial(\d+)::", output)})
    return "\n".join(str(trials[place].candidate) for place in places) or "\n".join(str(t.candidate) for t in trials)


def _ran(stdout: str, stderr: str, trials: list[Trial]) -> str:
    wrong = [(line, int(line.split()[1])) for line in stdout.splitlines() if line.startswith("differs ")]
    lines = [f"{line}: {trials[place].candidate}" for line, place in wrong]
    last = re.findall(r"trial (\d+) order (\d+)", stderr)
    if not lines and last:
        lines.append(f"ended in order {last[-1][1]} of {trials[int(last[-1][0])].candidate}\n{stderr[-600:]}")
    return "\n".join(lines)


def check_sample(root: Path, seed: int, count: int, folder: Path) -> int:
    """`count` random candidates of the annotated kernels of a sample whose launches stay as they are.

    Raises:
        AssertionError: the application does not build any more, or prints something else.
    """
    app = load_app(root)
    expected = _printed(root, folder / "original", {})
    rng = random.Random(f"{seed} {root.name}")
    tried = 0
    for relative in app.sources:
        source = Source.read(root / relative)
        for here in regions(parse(source)):
            for _ in range(count):
                candidate = _launch_kept(source, here.name, rng)
                text = apply_candidate(source, here.name, candidate.candidate).source.data
                got = _printed(root, folder / f"{here.name}{tried}", {relative: text})
                difference = first_difference(expected, got, app.config.compare)
                assert not difference, f"{root.name}: {candidate.candidate}: {difference}"
                tried += 1
    return tried


def _launch_kept(source: Source, kernel: str, rng: random.Random) -> Trial:
    """A random candidate that leaves the launch as it is."""
    here = next(r for r in regions(parse(source)) if r.name == kernel)
    file = KernelFile.with_launch(source, here)
    while True:
        trial = random_trial(file, rng, rng.randint(1, 4))
        if trial.rewritten.plan.is_identity:
            return trial


def _printed(root: Path, folder: Path, changed: dict[Path, bytes]) -> str:
    app = load_app(root)
    copy = copy_app(app, folder / "app")
    for relative, data in changed.items():
        (copy / relative).write_bytes(data)
    build_app(copy, app, plugins.load("device", "cpu")(), folder / "logs")
    return run_app(copy, app).stdout
