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
from r3c.search.race import Race, median_us
from r3c.tuners.base import Tuner

# Trials of a structure in its rounds: every structure gets the first, those that look promising the next ones.
ROUNDS = (3, 4, 6)
FIRST_ROUNDS = (6, 4, 4)  # of the original's own numbers: launch shape, tunables, compiler options
PROMISING = 1.10  # a structure goes on while its best is within this factor of the study's best
TOGETHER = 4  # structures whose candidates are built side by side
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
        self._entered = 0
        original = self._try((), Candidate())
        if original.outcome.timing is None:
            why = f"{original.outcome.verdict.value}: {original.outcome.detail}"
            raise ReplayError(f"{self.problem.kernel}: the original does not pass its own check ({why})")
        result = StudyResult(self.problem.kernel, original.outcome.timing, None)
        idle = 0
        structures: list[Structure] = [()]
        while structures and not self.budget.is_spent and idle < IDLE_MAX:
            spent = self.budget.trials
            self._race(structures)
            idle = idle + len(structures) if self.budget.trials == spent else 0
            structures = [] if self.budget.is_spent or idle >= IDLE_MAX else self._ask()
        result.trials = self._trials
        result.stopped = self.budget.reason or "nothing is left to try"
        if idle >= IDLE_MAX and not self.budget.is_spent:
            result.stopped = f"{idle} structures in a row had nothing new to build"
        verified = [t for t in self._trials[1:] if t.outcome.verdict.is_verified and t.outcome.timing is not None]
        result.best = min(verified, key=lambda t: (median_us(t.outcome), t.number), default=None)
        return result

    def _ask(self) -> list[Structure]:
        """The proposer's next structures, what they cost accounted for."""
        structures: list[Structure] = []
        while len(structures) < TOGETHER and not self.budget.is_spent:
            structure = self.proposer.ask()
            spent = getattr(self.proposer, "spent", None)
            if spent is not None:
                self.budget.tokens, self.budget.usd = spent.tokens, spent.usd or 0.0
            if structure is None:
                break
            structures.append(structure)
        return structures

    # --- a few structures together ------------------------------------------------------------------------------------

    def _race(self, structures: Sequence[Structure]) -> None:
        """Trials of each of `structures` by rounds; those that fall behind leave, the proposer is told of all."""
        races = running = [self._enter(structure) for structure in structures]
        for count in ROUNDS if structures[0] else FIRST_ROUNDS:
            self._round([(race, race.ask(count, self._outcomes)) for race in running])
            running = [race for race in running if self._is_promising(race.best)]
            if self.budget.is_spent or not running:
                break
        for race in races:
            self._tell(race.structure, race.best, race.last)

    def _enter(self, structure: Structure) -> Race:
        space = self._space(structure)
        self._entered += 1
        tuner = self.make_tuner(space, self.seed + self._entered)
        return Race(structure, tuner, lambda point: self._candidate(structure, point))

    def _round(self, asked: Sequence[tuple[Race, list[Candidate]]]) -> None:
        """Builds all that was asked for side by side, then tries one after the other."""
        if not self._known:
            self.evaluator.prepare([candidate for _, candidates in asked for candidate in candidates])
        for race, candidates in asked:
            for candidate in candidates:
                if self.budget.is_spent:
                    return
                if str(candidate) in self._outcomes:  # another structure of this round came to the same
                    race.learn(candidate, self._outcomes[str(candidate)])
                    continue
                trial = self._try(race.structure, candidate)
                point = race.tell(trial)
                if self._archive.best is trial:
                    self._start = dict(point)

    def _space(self, structure: Structure) -> Space:
        """Numbers of the structure and the compiler's options, started where the best trial so far left them."""
        space = space_of(self.problem.source, self.problem.kernel, structure, self.problem.names)
        dimensions = [*space.dimensions, *self.toolchain_dimensions]
        started = tuple(replace(d, default=_inherited(d, self._start)) for d in dimensions)
        return Space(started, space.constraints)

    def _candidate(self, structure: Structure, point: Point) -> Candidate:
        prefix = f"{self.toolchain}."
        options = {k.removeprefix(prefix): v for k, v in point.items() if k.startswith(prefix)}
        defaults = {d.name.removeprefix(prefix): d.start for d in self.toolchain_dimensions}
        changed = {k: v for k, v in options.items() if v != defaults[k]}
        rest = {k: v for k, v in point.items() if not k.startswith(prefix)}
        made = instantiate(structure, rest, self.problem.kernel, self.problem.contract)
        return replace(made, toolchain=Spec.of(self.toolchain, changed)) if changed else made

    def _is_promising(self, best: Trial | None) -> bool:
        champion = self._archive.best
        if best is None or champion is None:
            return False
        return median_us(best.outcome) <= PROMISING * median_us(champion.outcome)

    def _tell(self, structure: Structure, best: Trial | None, last: Outcome | None) -> None:
        baseline = self._trials[0].outcome.timing
        if not structure or baseline is None:
            return
        if best is not None:
            result = StructureResult(median_us(best.outcome), baseline.median_us, best.outcome.verdict)
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
        self.evaluator.remember(parse_candidate(trial.candidate), trial.outcome, trial.code_hash)
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
        data = {"kernel": self.problem.kernel, "candidate": trial.candidate, "us": median_us(outcome)}
        self.listener(
            Event("best", {**data, "speedup": outcome.speedup or 1.0, "speedup_low": outcome.speedup_low or 0.0})
        )


def _inherited(dimension: Dimension, start: Point) -> Value | None:
    """The best trial's value of a number that both have, where the name means the same in both."""
    if dimension.name in start and not dimension.name[0].isdigit() and start[dimension.name] in dimension.values:
        return start[dimension.name]
    return dimension.default
