"""apply_candidate, space_of, instantiate and legal_steps."""

from __future__ import annotations

import pytest

from r3c.core.candidate import Candidate, LaunchShape, parse_candidate
from r3c.core.errors import ConfigError, RewriteRefused, SpecError
from r3c.core.source import Source
from r3c.core.spec import parse_specs
from r3c.rewrites.base import Refusal, apply_candidate, instantiate, legal_steps, rewrite_from_spec, space_of
from r3c.tree.parse import parse
from r3c.tree.regions import region

TEXT = """// r3c: tune(TILE: 8|16|32)
#define TILE 16
// r3c: kernel(rtol=1e-5)
// r3c: tune(block_size_x: 64|128)
// r3c: where(block_size_x >= 4 * TILE)
__global__ void scale(float *a, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < TILE; k++) {
    a[i * TILE + k] *= s;
  }
}
"""
SOURCE = Source("scale.cu", TEXT)


def apply(text: str, source: Source = SOURCE):
    return apply_candidate(source, "scale", parse_candidate(text))


def test_the_original_candidate_changes_nothing() -> None:
    done = apply("original")
    assert done.source == SOURCE
    assert done.plan.is_identity


def test_steps_are_applied_in_order_and_leave_a_trail() -> None:
    done = apply("tile{site=scale/loop:k,size=4},unroll{site=scale/loop:k,factor=2,how=pragma}")
    assert "k_tile" in done.source.text
    assert "#pragma unroll 2\n    for (int k = k_tile" in done.source.text
    assert [step.split("{")[0] for step, _ in done.trail] == ["tile", "unroll"]
    assert all(reason for _, reason in done.trail)


def test_a_refusal_names_its_step() -> None:
    with pytest.raises(RewriteRefused) as caught:
        apply("tile{site=scale/loop:k,size=4},tile{site=scale/loop:k,size=8}")
    assert caught.value.diagnostic.trail[-1].startswith("at step 2 of c-")
    assert caught.value.exit_code == 2


def test_a_launch_shape_goes_into_the_plan() -> None:
    assert apply("block{x=128,y=1,z=1}").plan.block == LaunchShape(128)


def test_launch_shape_and_step_have_to_agree() -> None:
    with pytest.raises(RewriteRefused, match="needs block"):
        apply("block-shape{site=scale,x=64,y=1,z=1} @ block{x=128,y=1,z=1}")


def test_a_constraint_sees_the_tunables_of_the_candidate() -> None:
    assert apply("define{site=scale/TILE,value=32} @ block{x=128,y=1,z=1}").plan.block == LaunchShape(128)
    with pytest.raises(RewriteRefused, match=r"block_size_x >= 4 \* TILE"):
        apply("define{site=scale/TILE,value=32} @ block{x=64,y=1,z=1}")


def test_a_step_that_changes_nothing_is_refused() -> None:
    text = TEXT.replace("#define TILE 16", "#define TILE 8")
    with pytest.raises(RewriteRefused, match="already"):
        apply("register-cap{site=scale,registers=64},register-cap{site=scale,registers=64}", Source("s.cu", text))


def test_an_unknown_rewrite_lists_those_there_are() -> None:
    with pytest.raises(ConfigError, match="no rewrite is called 'unrol'") as caught:
        apply("unrol{site=scale/loop:k}")
    assert "unroll" in str(caught.value)


def test_an_unknown_parameter_lists_those_there_are() -> None:
    with pytest.raises(SpecError, match="unroll has no 'by'") as caught:
        apply("unroll{site=scale/loop:k,by=4}")
    assert "factor" in str(caught.value)


def test_a_value_of_another_type_is_an_error() -> None:
    with pytest.raises(SpecError, match="factor is one of"):
        apply("unroll{site=scale/loop:k,factor=four}")


def test_the_space_has_the_numbers_of_steps_tunables_and_launch() -> None:
    space = space_of(SOURCE, "scale", parse_specs("unroll{site=scale/loop:k},tile{site=scale/loop:k}"))
    assert space.names == ("0.factor", "0.how", "1.size", "TILE", "block_size_x")
    by_name = {d.name: d for d in space.dimensions}
    assert by_name["TILE"].default == 16
    assert by_name["block_size_x"].values == (64, 128)
    assert not space.allows({**space.start(), "TILE": 32, "block_size_x": 64})


def test_every_point_of_a_space_is_a_candidate() -> None:
    specs = parse_specs("unroll{site=scale/loop:k}")
    contract = region(parse(SOURCE), "scale").contract
    space = space_of(SOURCE, "scale", specs)
    for point in space.points():
        candidate = instantiate(specs, point, "scale", contract)
        assert parse_candidate(str(candidate)) == candidate
    candidate = instantiate(specs, {"0.factor": 8, "0.how": "text", "TILE": 32, "block_size_x": 128}, "scale", contract)
    assert str(candidate) == (
        "define{site=scale/TILE,value=32},unroll{site=scale/loop:k,factor=8,how=text} @ block{x=128,y=1,z=1}"
    )


def test_a_tunable_at_its_own_value_needs_no_step() -> None:
    contract = region(parse(SOURCE), "scale").contract
    assert instantiate((), {"TILE": 16}, "scale", contract) == Candidate()


def test_a_space_without_free_launch_has_no_block_sizes() -> None:
    text = TEXT.replace("if (i >= n) return;\n", "")
    assert "block_size_x" not in space_of(Source("s.cu", text), "scale", ()).names


def test_listing_gives_legal_steps_and_refusals() -> None:
    found = list(legal_steps(region(parse(SOURCE), "scale"), ["tile"]))
    legal = [str(step) for step in found if not isinstance(step, Refusal)]
    refused = [step.error.diagnostic.line for step in found if isinstance(step, Refusal)]
    assert legal == ["tile{site=scale/loop:k,size=4}", "tile{site=scale/loop:k,size=8}"]
    assert refused == [9, 9, 9, 9]


def test_a_kernel_that_is_not_annotated_can_be_rewritten() -> None:
    text = "__global__ void k(float *a) {\n  for (int i = 0; i < 8; i++) a[i] = 1.0f;\n}\n"
    done = apply_candidate(Source("k.cu", text), "k", parse_candidate("unroll{site=k/loop:i,factor=2}"))
    assert "#pragma unroll 2" in done.source.text


def test_a_patch_needs_its_stored_text() -> None:
    spec = parse_specs("patch{site=scale/stmt:2,text=abcd}")[0]
    with pytest.raises(SpecError, match="0 stored texts"):
        rewrite_from_spec(spec).use_texts({})


def test_a_listed_launch_shape_keeps_the_constraints_with_the_numbers_as_they_are() -> None:
    shapes = [
        str(s) for s in legal_steps(region(parse(SOURCE), "scale"), ["block-shape"]) if not isinstance(s, Refusal)
    ]
    assert shapes == ["block-shape{site=scale,x=64,y=1,z=1}", "block-shape{site=scale,x=128,y=1,z=1}"]
