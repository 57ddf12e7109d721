"""Genetic programming over rewrite programs with DEAP: strongly typed trees, two islands, no structure twice.

A program is `then(then(nothing, unroll(site)), tile(site))`: a list of steps as a typed tree (Montana, Strongly Typed
Genetic Programming, 1995), so that DEAP's crossover and mutations make programs only. Steps that are not legal where a
program puts them are left out. All of DEAP's global state, and its use of the global random generator, stays in here.
"""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Callable, Iterator
from typing import Any

from deap import base, gp, tools

from r3c.core.spec import Spec
from r3c.proposers.base import LegalPrograms, Problem, Structure, StructureResult, structural_steps
from r3c.tree.parse import parse
from r3c.tree.regions import region

ISLANDS = 2
FOUNDERS = 6  # random programs of each island before evolution starts
POPULATION_MAX = 16
MIGRATE_EVERY = 10
ATTEMPTS = 30
HEIGHT_MAX = 8


class Program:
    """Type of a list of steps."""


class Step:
    """Type of one step."""


class _Fitness(base.Fitness):  # type: ignore[misc]
    weights = (1.0,)


class _Individual(gp.PrimitiveTree):  # type: ignore[misc]
    """A program, its fitness (logarithm of the speedup) and the operator that made it."""

    def __init__(self, content: Any) -> None:
        super().__init__(content)
        self.fitness = _Fitness()


class Genetic:
    """The proposer; the first structures are single steps, each legal one once in random order, then evolution."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self._programs = LegalPrograms(problem)
        self._rng = random.Random(seed)
        here = region(parse(problem.source, problem.names), problem.kernel)
        self._steps = structural_steps(here)
        self._primitives = _primitive_set(self._steps) if self._steps else None
        self._islands: list[list[_Individual]] = [[] for _ in range(ISLANDS)]
        self._waiting: dict[Structure, tuple[int, _Individual, str]] = {}
        self._given: set[Structure] = {()}
        self._singles = self._rng.sample(self._steps, len(self._steps))
        self._operators = dict.fromkeys(_OPERATORS, 1.0)
        self._asked = self._told = 0

    def ask(self) -> Structure | None:
        if self._primitives is None:
            return None
        island = self._asked % ISLANDS
        self._asked += 1
        with _global_random(self._rng):
            for _ in range(ATTEMPTS):
                individual, operator = self._breed(island)
                structure = self._programs.keep_legal(_steps_of(individual, self._primitives))
                if structure not in self._given:
                    self._given.add(structure)
                    self._waiting[structure] = (island, individual, operator)
                    return structure
        return None

    def tell(self, structure: Structure, result: StructureResult) -> None:
        if structure not in self._waiting:
            return
        island, individual, operator = self._waiting.pop(structure)
        speedup = result.speedup
        individual.fitness.values = (math.log(speedup) if speedup > 0 else -1.0,)
        population = self._islands[island]
        better = all(individual.fitness > other.fitness for other in population)
        self._operators[operator] = 0.9 * self._operators[operator] + (1.0 if better else 0.1)
        population.append(individual)
        population.sort(key=lambda one: one.fitness.values, reverse=True)
        del population[POPULATION_MAX:]
        self._told += 1
        if self._told % MIGRATE_EVERY == 0:
            with _global_random(self._rng):
                tools.migRing(self._islands, 1, tools.selBest) if all(self._islands) else None

    def _breed(self, island: int) -> tuple[_Individual, str]:
        population = [one for one in self._islands[island] if one.fitness.valid]
        if self._singles:
            return _program([self._singles.pop()], self._primitives), "founder"
        if len(population) < FOUNDERS:
            return _Individual(gp.genHalfAndHalf(self._primitives, 2, 4)), "founder"
        names = sorted(self._operators)
        operator = random.choices(names, [self._operators[name] for name in names])[0]
        parents = [_clone(one) for one in tools.selTournament(population, 2, tournsize=3)]
        child = _OPERATORS[operator](parents, self._primitives)
        return (child if child.height <= HEIGHT_MAX else parents[1]), operator


def _primitive_set(steps: list[Spec]) -> Any:
    """`then`, `nothing`, one primitive a rewrite, and its sites as terminals of their own type."""
    primitives = gp.PrimitiveSetTyped("rewrites", [], Program)
    primitives.addPrimitive(_then, [Program, Step], Program, name="then")
    primitives.addTerminal((), Program, name="nothing")
    for index, name in enumerate(dict.fromkeys(spec.name for spec in steps)):
        site = type(f"Site{index}", (), {})
        own = [spec for spec in steps if spec.name == name]
        primitives.addPrimitive(_take, [site], Step, name=f"step{index}")
        for number, spec in enumerate(own):
            primitives.addTerminal(spec, site, name=f"site{index}_{number}")
        # DEAP's generators ask every type for a primitive where a tree must go on, and for a terminal where it ends.
        primitives.addPrimitive(_take, [site], site, name=f"same{index}")
        primitives.addTerminal(own[0], Step, name=f"first{index}")
    return primitives


def _then(program: Structure, step: Spec) -> Structure:
    return (*program, step)


def _take(step: Spec) -> Spec:
    return step


def _steps_of(individual: _Individual, primitives: Any) -> Structure:
    """The program a tree stands for: a postfix walk, since a tree may be deeper than `eval` likes."""
    stack: list[Any] = []
    for node in reversed(individual):
        if isinstance(node, gp.Primitive):
            given = [stack.pop() for _ in range(node.arity)]
            stack.append(primitives.context[node.name](*given))
        else:
            stack.append(primitives.context.get(node.name, node.value))
    result: Structure = stack.pop()
    return result


def _program(steps: list[Spec], primitives: Any) -> _Individual:
    """The tree of `steps`."""
    nodes: list[Any] = [_named(primitives.primitives[Program], "then") for _ in steps]
    nodes.append(_named(primitives.terminals[Program], "nothing"))
    for spec in steps:
        nodes.append(
            next(t for t in primitives.terminals[Step] + _sites(primitives) if primitives.context[t.value] == spec)
        )
        if nodes[-1].ret is not Step:
            nodes.insert(-1, next(p for p in primitives.primitives[Step] if p.args[0] is nodes[-1].ret))
    return _Individual(nodes)


def _sites(primitives: Any) -> list[Any]:
    return [t for kind, terminals in primitives.terminals.items() if kind not in (Program, Step) for t in terminals]


def _named(nodes: list[Any], name: str) -> Any:
    return next(node for node in nodes if name in (node.name, getattr(node, "value", None)))


def _clone(individual: _Individual) -> _Individual:
    return _Individual(list(individual))


def _crossover(parents: list[_Individual], primitives: Any) -> _Individual:
    """A subtree of the second parent in place of one of the first, of a type that both have.

    `gp.cxOnePoint` draws that type from a set of classes, whose order is that of their addresses.
    """
    first, second = parents
    there = {node.ret for node in second[1:]}
    types = list(dict.fromkeys(node.ret for node in first[1:] if node.ret in there))
    if types:
        chosen = random.choice(types)
        cut, taken = (random.choice([i for i, n in enumerate(p) if i and n.ret is chosen]) for p in parents)
        first[first.searchSubtree(cut)] = second[second.searchSubtree(taken)]
    return _Individual(first)


def _append(parents: list[_Individual], primitives: Any) -> _Individual:
    """All steps of one parent after all of the other."""
    steps = [*_steps_of(parents[0], primitives), *_steps_of(parents[1], primitives)]
    return _program(list(dict.fromkeys(steps)), primitives)


def _insert(parents: list[_Individual], primitives: Any) -> _Individual:
    return _Individual(gp.mutInsert(parents[0], primitives)[0])


def _replace(parents: list[_Individual], primitives: Any) -> _Individual:
    """Another rewrite: a subtree is drawn again."""

    def expression(pset: Any, type_: Any) -> Any:
        return gp.genGrow(pset, 1, 2, type_)

    return _Individual(gp.mutUniform(parents[0], expression, primitives)[0])


def _other_site(parents: list[_Individual], primitives: Any) -> _Individual:
    return _Individual(gp.mutNodeReplacement(parents[0], primitives)[0])


def _delete(parents: list[_Individual], primitives: Any) -> _Individual:
    steps = list(_steps_of(parents[0], primitives))
    if steps:
        steps.pop(random.randrange(len(steps)))
    return _program(steps, primitives)


def _move(parents: list[_Individual], primitives: Any) -> _Individual:
    steps = list(_steps_of(parents[0], primitives))
    random.shuffle(steps)
    return _program(steps, primitives)


_OPERATORS: dict[str, Callable[[list[_Individual], Any], _Individual]] = {
    "append": _append, "crossover": _crossover, "delete": _delete, "founder": _insert, "insert": _insert,
    "move": _move, "other-site": _other_site, "replace": _replace,
}  # fmt: skip


@contextlib.contextmanager
def _global_random(rng: random.Random) -> Iterator[None]:
    """DEAP draws from the global generator: lend it ours, and give the old one back."""
    outer = random.getstate()
    random.setstate(rng.getstate())
    try:
        yield
    finally:
        rng.setstate(random.getstate())
        random.setstate(outer)
