"""Every text form reads back to the value it was written from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from r3c.core.candidate import Candidate, LaunchShape, parse_candidate
from r3c.core.compile import CompileCommand, compile_command_from_json
from r3c.core.dims import Dimension, parse_domain
from r3c.core.recording import Allocation, Argument, Extent, GlobalSymbol, Recording, recording_from_json
from r3c.core.result import Mismatch, Outcome, Timing, Verdict
from r3c.core.spec import Spec, format_specs, parse_spec, parse_specs
from r3c.search.journal import Trial, trial_from_json

names = st.from_regex(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", fullmatch=True)
keys = st.from_regex(r"[a-z_][a-z0-9_]*", fullmatch=True)
numbers = st.integers() | st.booleans() | st.floats(allow_nan=False)
values = numbers | st.text(max_size=20)
sites = st.from_regex(r"[a-z]+(/[a-z]+:[A-Za-z0-9]+(#[0-9])?)?", fullmatch=True)


def specs(required: dict[str, st.SearchStrategy[object]] | None = None) -> st.SearchStrategy[Spec]:
    rest = st.dictionaries(keys, values, max_size=4)
    fixed = st.fixed_dictionaries(required or {})
    return st.builds(
        lambda name, a, b: Spec.of(name, {**a, **{k: v for k, v in b.items() if k not in a}}), names, fixed, rest
    )


steps = specs({"site": sites})
toolchains = specs().filter(
    lambda spec: spec.name != "block" and "site" not in spec.as_dict() and spec.name != "original"
)
shapes = st.builds(LaunchShape, *[st.integers(1, 1024)] * 3)
candidates = st.builds(Candidate, st.lists(steps, max_size=3).map(tuple), st.none() | shapes, st.none() | toolchains)


@given(specs())
def test_specs(spec: Spec) -> None:
    assert parse_spec(str(spec)) == spec


@given(st.lists(specs(), max_size=4))
def test_lists_of_specs(several: list[Spec]) -> None:
    assert parse_specs(format_specs(several)) == tuple(several)


@given(candidates)
def test_candidates(candidate: Candidate) -> None:
    assert parse_candidate(str(candidate)) == candidate
    assert parse_candidate(str(candidate)).id == candidate.id


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=6, unique=True))
def test_domains(items: list[int]) -> None:
    dimension = Dimension("n", tuple(items))
    name, text = str(dimension).split(": ")
    assert parse_domain(name, text) == dimension


extents = st.lists(
    st.builds(Extent, st.integers(0), st.integers(1), st.text("0123456789abcdef", min_size=4)), max_size=2
).map(tuple)
threes = st.tuples(*[st.integers(1, 65535)] * 3)
recordings = st.builds(
    Recording,
    kernel=keys, symbol=st.text(min_size=1), device=st.sampled_from(("cpu", "cuda")), device_name=st.text(), grid=threes,
    block=threes, shared_bytes=st.integers(0), packed=st.just("00ff"),
    arguments=st.lists(st.builds(Argument, st.integers(0), st.integers(1), st.text()), max_size=2).map(tuple),
    allocations=st.lists(st.builds(Allocation, st.integers(0), st.integers(1), extents, extents), max_size=2).map(tuple),
    globals=st.lists(st.builds(GlobalSymbol, keys, st.integers(1), extents, extents), max_size=2).map(tuple),
    attributes=st.dictionaries(keys, st.integers(), max_size=2), duration_us=st.floats(0, 1e9), withheld=st.booleans(),
)  # fmt: skip


@given(recordings)
def test_recordings(recording: Recording) -> None:
    again = recording_from_json(recording.to_json())
    assert again == recording
    assert again.digest == recording.digest


words = st.lists(st.text(), max_size=3).map(tuple)


@given(st.builds(CompileCommand, st.text(), st.text(), st.text(), words, words, words, words, st.text(), words, words))
def test_compile_commands(command: CompileCommand) -> None:
    assert compile_command_from_json(command.to_json()) == command


times = st.builds(Timing, *[st.floats(0, 1e9)] * 3, st.integers(0))
outcomes = st.builds(
    Outcome, st.sampled_from(Verdict), st.none() | times, st.none() | times, st.text(),
    st.none() | st.builds(Mismatch, st.text(), st.integers(), st.text(), st.text(), st.integers()),
    st.dictionaries(keys, st.floats(allow_nan=False), max_size=2), st.dictionaries(keys, st.floats(0, 1e6), max_size=2),
)  # fmt: skip


@given(st.builds(Trial, st.integers(0), st.text(), st.text(), outcomes, st.floats(0, 1e6), st.text()))
def test_trials(trial: Trial) -> None:
    import json

    assert trial_from_json(json.loads(trial.to_json())) == trial
