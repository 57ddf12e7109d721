"""Pass sequences of LLVM as data: which passes there are, how each is wrapped, how a sequence becomes a pipeline."""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from r3c.core.dims import Dimension
from r3c.core.errors import ConfigError
from r3c.core.spec import Value

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

GENES = Path(__file__).parent / "toolchains" / "passes.toml"
ROUNDS = (0, 1, 2, 3)
O3, O3_PLACES = "O3", ("first", "last", "none")

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
    "loop-unroll<O3;upperbound;peeling>", "nvvm-intr-range",
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


# Not drawn at random, but a sequence that names them runs them as they have to be run.
UNSAFE_MODULE_PASSES = ("attributor",)
TARGET_PASSES = ("nvvm-reflect", "nvvm-intr-range")  # known only where the NVPTX target is


def wrapped(name: str) -> str:
    """`name` inside the pass manager it runs in: `licm` -> `function(loop-mssa(licm))`; `O3` is the standard pipeline."""
    if name == O3:
        return STANDARD
    if name in MEMORY_SSA_LOOP_PASSES:
        return f"function(loop-mssa({name}))"
    if name in LOOP_PASSES:
        return f"function(loop({name}))"
    if name in CALL_GRAPH_PASSES:
        return f"cgscc({name})"
    whole = name in MODULE_PASSES or name in UNSAFE_MODULE_PASSES or name.startswith("default<")
    return name if whole else f"function({name})"


def pipeline(sequence: Sequence[str], target_passes: bool = True) -> str:
    """The text libLLVM takes; an empty sequence is the standard O3 pipeline.

    `target_passes` says whether libLLVM knows the passes of the NVPTX target.
    """
    if not sequence:
        return STANDARD
    known = [name for name in sequence if target_passes or name not in TARGET_PASSES]
    prefix = PREFIX if target_passes else PREFIX.removeprefix("nvvm-reflect,")
    if known == [O3]:
        return STANDARD
    return ",".join((prefix, *(wrapped(name) for name in known), SUFFIX))


def random_sequence(rng: random.Random) -> tuple[str, ...]:
    """Between 8 and 30 passes, each drawn alike."""
    return tuple(rng.choice(PASSES) for _ in range(rng.randint(LENGTH_MIN, LENGTH_MAX)))


@dataclass(frozen=True)
class Gene:
    """Passes that run together, in one of the rounds or in none."""

    name: str
    passes: tuple[str, ...]


@cache
def read_genes(path: Path = GENES) -> tuple[Gene, ...]:
    """The genes of a TOML file, in its order."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(Gene(name, tuple(table["passes"])) for name, table in raw.items())


def digest() -> str:
    """Of all that turns options into a pipeline: the same options mean the same passes where it is equal."""
    said = repr((PREFIX, SUFFIX, read_genes(), FUNCTION_PASSES, MEMORY_SSA_LOOP_PASSES, LOOP_PASSES))
    return hashlib.sha256(said.encode()).hexdigest()[:8]


def dimensions(prefix: str) -> tuple[Dimension, ...]:
    """The search over pass orders: where O3 stands among the rounds, and in which round each gene runs."""
    place = Dimension(f"{prefix}.{O3}", O3_PLACES, ordered=False, default=O3_PLACES[0])
    return (place, *(Dimension(f"{prefix}.{gene.name}", ROUNDS, default=0) for gene in read_genes()))


def sequence_of(options: Mapping[str, Value]) -> tuple[str, ...]:
    """The passes that `options` (`O3` and genes) stand for; empty for the standard order.

    Raises:
        ConfigError: a value that is not one of the dimension's.
    """
    place = options.get(O3, O3_PLACES[0])
    if place not in O3_PLACES:
        raise ConfigError(f"{O3}={place}: expected one of {'|'.join(O3_PLACES)}")
    rounds: dict[Value, list[str]] = {number: [] for number in ROUNDS}
    for gene in read_genes():
        number = options.get(gene.name, 0)
        if isinstance(number, bool) or number not in ROUNDS:
            raise ConfigError(f"{gene.name}={number}: expected one of {'|'.join(map(str, ROUNDS))}")
        rounds[number] += gene.passes
    own = [name for number in ROUNDS[1:] for name in rounds[number]]
    if place == "none":
        return tuple(own or ("early-cse",))
    if not own:
        return ()
    return (O3, *own) if place == "first" else (*own, O3)
