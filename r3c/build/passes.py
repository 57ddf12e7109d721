"""Pass sequences of LLVM as data: which passes there are, how each is wrapped, how a sequence becomes a pipeline."""

from __future__ import annotations

import random
from collections.abc import Sequence

# Before and after every sequence, so that whatever stands between them gets sane input and leaves sane output.
PREFIX = (
    "nvvm-reflect,always-inline,cgscc(inline),globaldce,"
    "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>)"
)
SUFFIX = "function(sroa,instcombine<no-verify-fixpoint>,simplifycfg)"
STANDARD = "default<O3>"

LENGTH_MIN, LENGTH_MAX = 8, 30

# Left out on purpose: `attributor` marks loads invariant that may alias a written argument, `internalize` deletes the
# kernels, the vectorizers never help on a target without vectors.
FUNCTION_PASSES = (
    "adce", "aggressive-instcombine", "bdce", "break-crit-edges", "callsite-splitting", "constraint-elimination",
    "correlated-propagation", "dce", "dse", "early-cse", "early-cse<memssa>", "float2int", "gvn", "newgvn", "gvn-hoist",
    "gvn-sink", "infer-address-spaces", "infer-alignment", "instcombine<no-verify-fixpoint>", "instsimplify",
    "jump-threading", "load-store-vectorizer", "loop-data-prefetch", "loop-fusion", "loop-load-elim", "loop-sink",
    "mldst-motion", "nary-reassociate", "reassociate", "reg2mem", "sccp", "separate-const-offset-from-gep",
    "separate-const-offset-from-gep<lower-gep>", "simplifycfg", "simplifycfg<hoist-common-insts;sink-common-insts>",
    "sink", "slsr", "speculative-execution", "sroa", "structurizecfg", "tailcallelim", "vector-combine", "loop-unroll",
    "loop-unroll<O3;runtime;partial>", "loop-unroll<O3;full-unroll-max=8>", "loop-unroll<O3;no-runtime;no-partial>",
    "nvvm-intr-range",
)  # fmt: skip
MEMORY_SSA_LOOP_PASSES = (
    "licm", "licm<no-allowspeculation>", "lnicm", "loop-rotate", "simple-loop-unswitch<nontrivial>",
    "loop-instsimplify", "loop-simplifycfg",
)  # fmt: skip
LOOP_PASSES = (
    "indvars", "loop-deletion", "loop-idiom", "loop-reduce", "loop-unroll-full", "loop-term-fold", "loop-bound-split",
    "loop-versioning-licm", "loop-flatten", "loop-interchange", "loop-unroll-and-jam",
)  # fmt: skip
CALL_GRAPH_PASSES = ("function-attrs", "argpromotion")
MODULE_PASSES = ("ipsccp", "globalopt", "deadargelim", "called-value-propagation", "constmerge")

PASSES = FUNCTION_PASSES + MEMORY_SSA_LOOP_PASSES + LOOP_PASSES + CALL_GRAPH_PASSES + MODULE_PASSES


def wrapped(name: str) -> str:
    """`name` inside the pass manager it runs in: `licm` -> `function(loop-mssa(licm))`."""
    if name in MEMORY_SSA_LOOP_PASSES:
        return f"function(loop-mssa({name}))"
    if name in LOOP_PASSES:
        return f"function(loop({name}))"
    if name in CALL_GRAPH_PASSES:
        return f"cgscc({name})"
    return name if name in MODULE_PASSES or name.startswith("default<") else f"function({name})"


def pipeline(sequence: Sequence[str]) -> str:
    """The text libLLVM takes; an empty sequence is the standard O3 pipeline."""
    if not sequence:
        return STANDARD
    return ",".join((PREFIX, *(wrapped(name) for name in sequence), SUFFIX))


def random_sequence(rng: random.Random) -> tuple[str, ...]:
    """Between 8 and 30 passes, each drawn alike."""
    return tuple(rng.choice(PASSES) for _ in range(rng.randint(LENGTH_MIN, LENGTH_MAX)))
