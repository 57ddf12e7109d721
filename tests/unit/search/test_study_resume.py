"""Studies that are cut, killed and gone on with, against an evaluator that follows from texts alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from r3c import plugins
from r3c.core.candidate import Candidate, step
from r3c.core.dims import Dimension
from r3c.core.result import Outcome, Timing, Verdict
from r3c.proposers.base import Structure, StructureResult
from r3c.search.budget import Budget, Limits
from r3c.search.evaluator import Evaluated
from r3c.search.journal import Journal
from r3c.search.study import IDLE_MAX, Study, StudyResult
from r3c.testing.proposer_contract import KERNEL, make_proposer, problem_of

BASE = Timing(100.0, 99.0, 101.0, 5)
FEATURES = {"registers": 32.0, "barriers": 2.0}


class Killed(BaseException):
    """The process ended here."""


@dataclass
class Answers:
    """Every verdict there is, by the hash of the text; ends with `Killed` in evaluation number `dies_at`."""

    dies_at: int = -1
    always: Verdict | None = None
    seconds: float = 0.01
    texts: list[str] = field(default_factory=list)
    remembered: list[str] = field(default_factory=list)

    def prepare(self, candidates: Sequence[Candidate]) -> None:
        """Nothing takes time here."""

    def evaluate(self, candidate: Candidate) -> Evaluated:
        if len(self.texts) == self.dies_at:
            raise Killed
        self.texts.append(str(candidate))
        return Evaluated(self._outcome(candidate), self.seconds, candidate.id)

    def remember(self, candidate: Candidate, outcome: Outcome, code_hash: str) -> None:
        self.remembered.append(str(candidate))

    def _outcome(self, candidate: Candidate) -> Outcome:
        number = int(candidate.id[2:10], 16)
        verdicts = [*Verdict, Verdict.FASTER, Verdict.SLOWER, Verdict.FASTER]
        verdict = self.always or verdicts[number % len(verdicts)]
        if candidate.is_original:
            verdict = Verdict.SLOWER
        us = 100.0 if candidate.is_original else 50.0 + number % 997 / 10
        timing = Timing(us, us - 1, us + 1, 5)
        if not (verdict.is_verified or verdict is Verdict.DUPLICATE):
            return Outcome(verdict, detail=f"made up: {verdict.value}", features=FEATURES)
        return Outcome(verdict, timing, BASE, features=FEATURES, seconds={"replay": 0.5})


def run(
    path: Path, answers: Answers, resume: bool = False, proposer: Any = "genetic", tuner: str = "random", **limits: Any
) -> StudyResult:
    problem = problem_of(KERNEL)
    journal = Journal(path, {"seed": 3})
    earlier = journal.open(resume)
    made = make_proposer(proposer, problem, 3) if isinstance(proposer, str) else proposer
    options = (Dimension("host.opt", ("-O2", "-O3"), ordered=False), Dimension("host.unroll", (0, 1), default=0))
    return Study(
        problem, answers, made, plugins.load("tuner", tuner), "host", options, journal,
        Budget(Limits(**(limits or {"trials": 24}))), 3, earlier,
    ).run()  # fmt: skip


@pytest.mark.parametrize("proposer", ["genetic", "random"])
def test_killed_in_any_trial_and_resumed_ends_the_same(proposer: str, tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", Answers(), proposer=proposer)
    expected = (tmp_path / "whole").read_bytes()
    assert expected.count(b"\n") == len(whole.trials) + 1
    for trial in range(0, len(whole.trials), 3):
        path = tmp_path / f"killed{trial}"
        with pytest.raises(Killed):
            run(path, Answers(dies_at=trial), proposer=proposer)
        with path.open("ab") as file:
            file.write(b'{"candidate": "half of a li')
        answers = Answers()
        again = run(path, answers, resume=True, proposer=proposer)
        assert path.read_bytes() == expected
        assert again == whole
        assert len(answers.texts) == len(whole.trials) - trial
        assert answers.remembered == [t.candidate for t in whole.trials[:trial]]


def test_killed_again_and_again_ends_the_same(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", Answers())
    path = tmp_path / "often"
    for _ in range(len(whole.trials)):
        try:
            last = run(path, Answers(dies_at=3), resume=True)
        except Killed:
            continue
        break
    assert last == whole
    assert path.read_bytes() == (tmp_path / "whole").read_bytes()


def test_the_surrogate_resumes_to_the_same_journal(tmp_path: Path) -> None:
    pytest.importorskip("gpytorch")
    run(tmp_path / "whole", Answers(), tuner="bayes", trials=16)
    expected = (tmp_path / "whole").read_bytes()
    with pytest.raises(Killed):
        run(tmp_path / "cut", Answers(dies_at=11), tuner="bayes", trials=16)
    run(tmp_path / "cut", Answers(), resume=True, tuner="bayes", trials=16)
    assert (tmp_path / "cut").read_bytes() == expected


def test_a_larger_budget_goes_on_where_the_smaller_one_ended(tmp_path: Path) -> None:
    run(tmp_path / "j", Answers(), trials=9)
    run(tmp_path / "j", Answers(), resume=True, trials=24)
    run(tmp_path / "whole", Answers(), trials=24)
    assert (tmp_path / "j").read_bytes() == (tmp_path / "whole").read_bytes()


def test_processes_agree_whatever_their_hash_seed(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; from test_study_resume import *;"
        "run(Path(sys.argv[2]), Answers(), trials=60)"
    )
    root = Path(__file__).resolve().parents[3]
    for seed in ("1", "2"):
        command = [sys.executable, "-c", code, str(Path(__file__).parent), str(tmp_path / seed)]
        subprocess.run(command, cwd=root, env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"}, check=True)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


@pytest.mark.parametrize("verdict", [v for v in Verdict if v not in (Verdict.FASTER, Verdict.SLOWER)])
def test_a_study_where_everything_ends_the_same_way_goes_on(verdict: Verdict, tmp_path: Path) -> None:
    result = run(tmp_path / "j", Answers(always=verdict), trials=12)
    assert result.best is None
    assert result.finalists(3) == []
    assert len(result.trials) >= 12
    assert set(result.verdicts) == {verdict.value}


def test_refusals_alone_end_the_study_as_idle(tmp_path: Path) -> None:
    class Endless:
        """Proposes a longer structure each time."""

        def __init__(self) -> None:
            self.given = 0

        def ask(self) -> Structure:
            self.given += 1
            return (step("unroll", "smooth/loop:k", factor=2),) * self.given

        def tell(self, structure: Structure, result: StructureResult) -> None:
            assert result.best_us is None

    endless = Endless()
    result = run(tmp_path / "j", Answers(always=Verdict.REFUSED), proposer=endless, trials=10)
    assert endless.given == IDLE_MAX - 1, "the original's own numbers are the first of them"
    assert result.stopped == f"{IDLE_MAX} structures in a row had nothing new to build"


def test_every_budget_ends_the_study(tmp_path: Path) -> None:
    assert run(tmp_path / "a", Answers(seconds=1.0), seconds=7).stopped == "7 seconds are spent"
    assert len((tmp_path / "a").read_text().splitlines()) == 8
    assert run(tmp_path / "b", Answers(), gpu_seconds=1.5).stopped == "1.5 seconds of the device are spent"

    @dataclass
    class Spent:
        tokens: int = 0
        usd: float | None = None

    class Costly:
        """Each structure costs 100 tokens and has no known price."""

        def __init__(self) -> None:
            self.spent = Spent()
            self._inner = make_proposer("random", problem_of(KERNEL), 3)

        def ask(self) -> Structure | None:
            self.spent.tokens += 100
            return self._inner.ask()

        def tell(self, structure: Structure, result: StructureResult) -> None: ...

    costly = Costly()
    assert run(tmp_path / "c", Answers(), proposer=costly, tokens=300).stopped == "300 tokens are spent"
    assert costly.spent.tokens == 300


def test_a_nothing_to_try_study_says_so(tmp_path: Path) -> None:
    class Nothing:
        def ask(self) -> None:
            return None

        def tell(self, *_: object) -> None: ...

    result = run(tmp_path / "j", Answers(), proposer=Nothing())
    assert result.stopped == "nothing is left to try"
    assert len({t.candidate for t in result.trials}) == len(result.trials)


def test_the_proposer_is_told_of_every_structure_once(tmp_path: Path) -> None:
    asked: list[Structure] = []
    told: list[Structure] = []

    class Listening:
        def __init__(self) -> None:
            self._inner = make_proposer("random", problem_of(KERNEL), 3)

        def ask(self) -> Structure | None:
            structure = self._inner.ask()
            if structure is not None:
                asked.append(structure)
            return structure

        def tell(self, structure: Structure, result: StructureResult) -> None:
            told.append(structure)

    run(tmp_path / "j", Answers(), proposer=Listening(), trials=30)
    assert asked == told


def test_the_best_is_the_fastest_even_where_the_original_is_faster(tmp_path: Path) -> None:
    class Slow(Answers):
        def _outcome(self, candidate: Candidate) -> Outcome:
            us = 100.0 if candidate.is_original else 200.0 + len(str(candidate))
            return Outcome(Verdict.SLOWER, Timing(us, us, us, 5), BASE, features=FEATURES)

    result = run(tmp_path / "j", Slow(), trials=8)
    assert result.best is not None
    assert result.best.outcome.timing.median_us == min(t.outcome.timing.median_us for t in result.trials[1:])
    assert result.finalists(3) == []
