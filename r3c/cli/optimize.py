"""`r3c optimize APP`: the whole story for one application."""

from __future__ import annotations

import argparse
import contextlib
import re
from pathlib import Path

from r3c.core.errors import ConfigError

DESCRIPTION = """\
The whole story for one application: builds a copy of it, records one run, searches for faster versions of each annotated
kernel, verifies them on recorded launches the search never saw, writes headers, patch and report, and tries the patched
application. Without --max-trials and --max-time each kernel gets 100 trials.
"""
EPILOG = """\
examples:
  python -m r3c optimize samples/jacobi
  python -m r3c optimize app/ --device cuda --kernel stencil --max-time 10m --seed 7
  python -m r3c optimize app/ --resume             go on with a study that was interrupted
  python -m r3c optimize app/ --json | jq .        events for a program

The application's folder is never written to, apart from r3c-out/ (or --out). There lie, afterwards: headers/, r3c.patch,
report.html, report.md, report.json, studies/ (the journals), record/ (the recordings). docs/report.md describes them.

exit codes: 0 something verified is faster, 3 nothing is and the original stays, 4 a kernel is but the application with it
is slower or does something else and the original stays, 2 a mistake to mend, 1 a fault of r3c
"""
_TIME = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("app", type=Path, metavar="APP", help="folder of the application")
    parser.add_argument("--device", default="auto", help="auto (default), cuda or cpu")
    parser.add_argument("--kernel", action="append", metavar="NAME", help="only this kernel (may be repeated)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="fixes every random choice (default 1)")
    parser.add_argument(
        "--max-trials", type=int, metavar="N", help="candidates to build, for each kernel (default 100)"
    )
    parser.add_argument("--max-time", metavar="TIME", help="for each kernel: 90s, 10m, 1h30m, 10:00")
    parser.add_argument("--max-gpu-seconds", type=float, metavar="S", help="of replays, for each kernel")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="of the model, for each kernel")
    parser.add_argument("--max-usd", type=float, metavar="USD", help="for the model, for each kernel")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where results go (default: APP/r3c-out)")
    parser.add_argument("--resume", action="store_true", help="go on with the studies under --out")
    parser.add_argument("--proposer", default="auto", help="auto (default), genetic, random or llm: chooses rewrites")
    parser.add_argument(
        "--tuner", default="auto", help="auto (default), bayes, random, sweep, optuna or kernel-tuner: chooses numbers"
    )
    parser.add_argument(
        "--llm-replay", type=Path, metavar="DIR", help="answers of a model recorded earlier; no network"
    )
    parser.add_argument(
        "--deliver",
        choices=("source", "flag", "any"),
        default="source",
        help="search only what headers can carry (default), also flags of the build, or anything",
    )
    parser.add_argument(
        "--toolchain", default="auto", help="auto (default), nvcc, nvrtc, llvm or host: builds candidates"
    )
    parser.add_argument("--table", type=Path, metavar="FILE", help="times from a file instead of a clock (for tests)")
    parser.add_argument("--json", action="store_true", help="print events as JSON lines")


def run(args: argparse.Namespace) -> int:
    from r3c.build.app import OUTPUT
    from r3c.cli.screen import make_screen
    from r3c.pipeline import Request, optimize
    from r3c.search.budget import Limits
    from r3c.search.journal import hold

    seconds = parse_time(args.max_time) if args.max_time else None
    trials = args.max_trials if args.max_trials is not None else (None if seconds else 100)
    if trials is not None and trials < 1:
        raise ConfigError(f"--max-trials {trials}: expected at least 1")
    request = Request(
        app=args.app,
        device=args.device,
        kernels=tuple(args.kernel or ()),
        seed=args.seed,
        limits=Limits(trials, seconds, args.max_gpu_seconds, args.max_tokens, args.max_usd),
        out=args.out,
        resume=args.resume,
        proposer=args.proposer,
        tuner=args.tuner,
        llm_replay=args.llm_replay,
        table=args.table,
        deliver=args.deliver,
        toolchain=args.toolchain,
    )
    held = hold((request.out or request.app / OUTPUT).absolute()) if request.app.is_dir() else contextlib.nullcontext()
    with held, make_screen(args.json) as screen:
        data = optimize(request, screen)
    return data.exit_code


def parse_time(text: str) -> float:
    """Seconds of `90`, `90s`, `10m`, `1h30m` or `10:00`.

    Raises:
        ConfigError: it is none of these.
    """
    clock = re.fullmatch(r"(\d+):(\d\d)", text)
    if clock:
        return 60.0 * int(clock[1]) + int(clock[2])
    found = _TIME.fullmatch(text)
    if not text or found is None or not any(found.groups()):
        raise ConfigError(f"--max-time {text}: expected a time such as 90s, 10m or 1h30m")
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds
