"""The study of one kernel: a proposer chooses structures, a tuner chooses numbers, the evaluator says what they are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from r3c.core.candidate import Candidate, parse_candidate
from r3c.core.dims import Dimension, Point, Space
from r3c.core.errors import JournalError, ReplayError
from r3c.core.events import Event, Listener, ignore
from r3c.core.result import Outcome, Timing, Verdict
from r3c.core.spec import Spec, Value, format_specs
from r3c.proposers.base import Problem, Proposer, Structure, StructureResult
from r3c.rewrites.base import instantiate, space_of
from r3c.search.archive import Archive
from r3c.search.budget import Budget
from r3c.search.evaluator import Evaluator
from r3c.search.journal import Journal, Trial
from r3c.tuners.base import Observation, Tuner

# Trials of a structure in its rounds: every structure gets the first, those that look promising the next ones.
ROUNDS = (3, 4, 6)
FIRST_ROUNDS = (6, 4, 4)  # of the original's own numbers: launch shape, tunables, compiler options
PROMISING = 1.10  # a structure goes on while its best is within this factor of the study's best
IDLE_MAX = 25  # structures in a row that spent no trial before the study ends

_FREE = (Verdict.REFUSED, Verdict.DUPLICATE, Verdict.PARSE_FAILED)


@dataclass
class StudyResult:
    """What a study found; `best` is the fastest verified trial that is not the original, None where there is none."""

    kernel: str
    baseline: Timing | None
    best: Trial | None
    trials: list[Trial] = field(default_factory=list)
    stopped: str = ""

    @property
    def verdicts(self) -> dict[str, int]:
        """How many trials ended in each verdict, without the original."""
        return dict(Counter(trial.outcome.verdict.value for trial in self.trials[1:]))

    def finalists(self, count: int) -> list[Trial]:
        """The fastest verified trials, at most one for each machine code."""
        seen: set[str] = set()
        out: list[Trial] = []
        faster = [t for t in self.trials[1:] if t.outcome.verdict is Verdict.FASTER and t.outcome.timing is not None]
        for trial in sorted(faster, key=lambda t: (t.outcome.timing.median_us if t.outcome.timing else 0.0, t.number)):
            key = trial.code_hash or trial.candidate
            if key not in seen:
                seen.add(key)
                out.append(trial)
        return out[:count]


@dataclass
class Study:
    """All that a study works with.

    Attributes:
        make_tuner: a tuner for a space and a seed.
        toolchain: name of the toolchain and its options as dimensions.
        journal, earlier: the open journal and the trials it already held.
    """

    problem: Problem
    evaluator: Evaluator
    proposer: Proposer
    make_tuner: Callable[[Space, int], Tuner]
    toolchain: str
    toolchain_dimensions: Sequence[Dimension]
    journal: Journal
    budget: Budget
    seed: int
    earlier: Sequence[Trial] = ()
    listener: Listener = ignore

    def run(self) -> StudyResult:
        """Trials until the budget is spent or nothing is left to try.

        An interrupted study that is run again takes its trials from the journal until they end, and goes on.

        Raises:
            JournalError: the journal's trials are not those this study would make.
            ReplayError: the original itself does not pass.
        """
        self._archive = Archive()
        self._trials: list[Trial] = []
        self._known = list(reversed(self.earlier))
        self._outcomes: dict[str, Outcome] = {}
        self._start: Point = {}
        original = self._try((), Candidate())
        if original.outcome.timing is None:
            why = f"{original.outcome.verdict.value}: {original.outcome.detail}"
            raise ReplayError(f"{self.problem.kernel}: the original does not pass its own check ({why})")
        result = StudyResult(self.problem.kernel, original.outcome.timing, None)
        idle = 0
        structure: Structure | None = ()
        while structure is not None and not self.budget.is_spent and idle < IDLE_MAX:
            spent = self.budget.trials
            self._study_structure(structure)
            idle = idle + 1 if self.budget.trials == spent else 0
            if not self.budget.is_spent and idle < IDLE_MAX:
                structure = self._ask()
        result.trials = self._trials
        result.stopped = self.budget.reason or "nothing is left to try"
        if idle >= IDLE_MAX and not self.budget.is_spent:
            result.stopped = f"{idle} structures in a row had nothing new to build"
        verified = [t for t in self._trials[1:] if t.outcome.verdict.is_verified and t.outcome.timing is not None]
        result.best = min(verified, key=lambda t: (_us(t.outcome), t.number), default=None)
        return result

    def _ask(self) -> Structure | None:
        """The proposer's next structure, what it cost accounted for."""
        structure = self.proposer.ask()
        spent = getattr(self.proposer, "spent", None)
        if spent is not None:
            self.budget.tokens, self.budget.usd = spent.tokens, spent.usd or 0.0
        return structure

    # --- one structure ------------------------------------------------------------------------------------------------

    def _study_structure(self, structure: Structure) -> None:
        space = self._space(structure)
        tuner = self.make_tuner(space, self.seed + len(self._trials))
        best: Trial | None = None
        last: Outcome | None = None
        for count in FIRST_ROUNDS if not structure else ROUNDS:
            for _ in range(count):
                if self.budget.is_spent:
                    break
                trial = self._tune_once(structure, tuner)
                if trial is None:
                    break
                last = trial.outcome
                if _usable(last) and (best is None or _us(last) < _us(best.outcome)):
                    best = trial
            if not self._is_promising(best):
                break
        self._tell(structure, best, last)

    def _space(self, structure: Structure) -> Space:
        """Numbers of the structure and the compiler's options, started where the best trial so far left them."""
        space = space_of(self.problem.source, self.problem.kernel, structure, self.problem.names)
        dimensions = [*space.dimensions, *self.toolchain_dimensions]
        started = tuple(replace(d, default=_inherited(d, self._start)) for d in dimensions)
        return Space(started, space.constraints)

    def _tune_once(self, structure: Structure, tuner: Tuner) -> Trial | None:
        """One trial of the structure; None where its space is exhausted."""
        for _ in range(200):
            points = tuner.ask(1)
            if not points:
                return None
            candidate = self._candidate(structure, points[0])
            earlier = self._outcomes.get(str(candidate))
            if earlier is None:
                break
            tuner.tell(points[0], self._observation(earlier))
        else:
            return None
        trial = self._try(structure, candidate)
        tuner.tell(points[0], self._observation(trial.outcome, trial.seconds))
        if self._archive.best is trial:
            self._start = dict(points[0])
        return trial

    def _candidate(self, structure: Structure, point: Point) -> Candidate:
        prefix = f"{self.toolchain}."
        options = {k.removeprefix(prefix): v for k, v in point.items() if k.startswith(prefix)}
        defaults = {d.name.removeprefix(prefix): d.start for d in self.toolchain_dimensions}
        changed = {k: v for k, v in options.items() if v != defaults[k]}
        rest = {k: v for k, v in point.items() if not k.startswith(prefix)}
        made = instantiate(structure, rest, self.problem.kernel, self.problem.contract)
        return replace(made, toolchain=Spec.of(self.toolchain, changed)) if changed else made

    @staticmethod
    def _observation(outcome: Outcome, seconds: float = 0.0) -> Observation:
        if not _usable(outcome) or outcome.timing is None:
            return Observation(None, feasible=False, seconds=seconds, features=outcome.features)
        timing = outcome.timing
        noise = (timing.high_us - timing.low_us) / (4 * timing.median_us)
        return Observation(timing.median_us, noise, True, seconds, outcome.features)

    def _is_promising(self, best: Trial | None) -> bool:
        champion = self._archive.best
        if best is None or champion is None:
            return False
        return _us(best.outcome) <= PROMISING * _us(champion.outcome)

    def _tell(self, structure: Structure, best: Trial | None, last: Outcome | None) -> None:
        baseline = self._trials[0].outcome.timing
        if not structure or baseline is None:
            return
        if best is not None:
            result = StructureResult(_us(best.outcome), baseline.median_us, best.outcome.verdict)
        else:
            detail = last.detail if last else "no legal numbers"
            result = StructureResult(None, baseline.median_us, last.verdict if last else Verdict.REFUSED, detail)
        self.proposer.tell(structure, result)

    # --- one trial ----------------------------------------------------------------------------------------------------

    def _try(self, structure: Structure, candidate: Candidate) -> Trial:
        number = len(self._trials)
        if self._known:
            trial = self._replayed(candidate, number)
        else:
            evaluated = self.evaluator.evaluate(candidate)
            text = format_specs(structure)
            trial = Trial(number, text, str(candidate), evaluated.outcome, evaluated.seconds, evaluated.code_hash)
            self.journal.append(trial)
        self._trials.append(trial)
        self._outcomes[str(candidate)] = trial.outcome
        self._account(trial)
        if self._archive.add(trial) and self._archive.best is trial and number > 0:
            self._announce_best(trial)
        return trial

    def _replayed(self, candidate: Candidate, number: int) -> Trial:
        trial = self._known.pop()
        if trial.number != number or trial.candidate != str(candidate):
            raise JournalError(
                f"{self.journal.path}: trial {number} is {trial.candidate}, this study would try {candidate}",
                hint="r3c or the sources have changed since: leave --resume out to start again",
            )
        remember = getattr(self.evaluator, "remember", None)
        if remember is not None:
            remember(parse_candidate(trial.candidate), trial.outcome, trial.code_hash)
        return trial

    def _account(self, trial: Trial) -> None:
        self.budget.seconds += trial.seconds
        self.budget.gpu_seconds += trial.outcome.seconds.get("replay", 0.0)
        self.budget.trials += trial.outcome.verdict not in _FREE
        timing, outcome = trial.outcome.timing, trial.outcome
        if trial.number == 0 and timing is not None:
            data = {"kernel": self.problem.kernel, "us": timing.median_us, "low_us": timing.low_us}
            self.listener(Event("baseline", {**data, "high_us": timing.high_us}))
            return
        self.listener(
            Event(
                "trial",
                {
                    "kernel": self.problem.kernel,
                    "number": trial.number,
                    "candidate": trial.candidate,
                    "verdict": outcome.verdict.value,
                    "us": timing.median_us if timing else None,
                    "speedup": outcome.speedup,
                    "detail": outcome.detail,
                    "trials_left": self.budget.trials_left,
                    "seconds_left": self.budget.seconds_left,
                },
            )
        )

    def _announce_best(self, trial: Trial) -> None:
        outcome = trial.outcome
        data = {"kernel": self.problem.kernel, "candidate": trial.candidate, "us": _us(outcome)}
        self.listener(
            Event("best", {**data, "speedup": outcome.speedup or 1.0, "speedup_low": outcome.speedup_low or 0.0})
        )


def _usable(outcome: Outcome) -> bool:
    """Whether the outcome has a time that counts: verified, or the same code as something verified."""
    verified = outcome.verdict.is_verified or outcome.verdict is Verdict.DUPLICATE
    return verified and outcome.timing is not None


def _us(outcome: Outcome) -> float:
    assert outcome.timing is not None
    return outcome.timing.median_us


def _inherited(dimension: Dimension, start: Point) -> Value | None:
    """The best trial's value of a number that both have, where the name means the same in both."""
    if dimension.name in start and not dimension.name[0].isdigit() and start[dimension.name] in dimension.values:
        return start[dimension.name]
    return dimension.default
