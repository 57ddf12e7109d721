"""The command line: finds the command, imports only its file, turns errors into text and exit codes."""

from __future__ import annotations

import argparse
import difflib
import errno
import importlib
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from r3c import __version__
from r3c.core.errors import R3CError, UserError

COMMANDS = {
    "optimize": "make the annotated kernels of an application faster, with proof",
    "record": "run an application once and keep its kernel launches",
    "replay": "run a recorded launch again, with the original or a candidate",
    "report": "show the result of a study that has run",
    "parse": "show what r3c sees in CUDA files",
    "rewrites": "list or apply source rewrites",
    "doctor": "say what works on this machine and what is missing",
    "cache": "show or remove the candidates kept from earlier builds",
    "init": "write r3c.toml for an application",
}
DESCRIPTION = """\
Makes an existing CUDA application faster without its owners rewriting it: records real launches of the kernels that are
annotated, searches over rewrites of their source and over their numbers, keeps what computes the same and is faster for
certain, and hands back headers, a patch and a report."""
EXAMPLES = """\
examples:
  python -m r3c doctor                             what works on this machine
  python -m r3c init app/                          say how an application is built and run
  python -m r3c optimize app/ --max-time 10m       make it faster
  python -m r3c report app/                        show what came out
  python -m r3c optimize --help                    options of a command

exit codes:
  0    something verified is faster, or the command did what it was asked
  3    optimize: nothing verified is faster; the original stays
  4    optimize: a kernel is faster, but the application with it is slower or does something else; the original stays
  2    a mistake that can be mended: an annotation, an option, a missing tool
  1    a fault of r3c
  130  interrupted

environment: docs/environment.md lists every variable; R3C_CACHE is where r3c keeps what it may build again.
"""
INTERRUPTED = 130
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = next((word for word in words if not word.startswith("-")), "")
    parser = _parser(command)
    if command and command not in COMMANDS:
        return _unknown(command)
    args = parser.parse_args(words)
    if not args.command:
        parser.print_help()
        return 2
    try:
        code = int(importlib.import_module(f"r3c.cli.{args.command}").run(args))
        sys.stdout.flush()  # a reader that has gone is noticed here and not at exit, where nothing could be done
        return code
    except R3CError as error:
        print(f"r3c: {error}", file=sys.stderr)
        _show_output(error)
        return error.exit_code
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one must not cut short what ends this one well
        print(f"\nr3c: interrupted{_kept(args.command)}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; nothing more can be said to it, nor at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        print(f"r3c: out of memory{_kept(args.command)}", file=sys.stderr)
        return UserError.exit_code
    except OSError as error:
        if error.errno not in _NO_ROOM:
            return _our_fault(error)
        where = f"{error.filename}: " if error.filename else ""
        print(f"r3c: {where}{os.strerror(error.errno or 0)}{_kept(args.command)}", file=sys.stderr)
        return UserError.exit_code
    except Exception as error:  # noqa: BLE001 - the last resort: a fault of ours must not end in a wall of text
        return _our_fault(error)


def _kept(command: str) -> str:
    return "; everything measured so far is kept, --resume goes on" if command == "optimize" else ""


def _parser(command: str) -> argparse.ArgumentParser:
    """The parser; only the chosen command's file is imported for its arguments."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="r3c",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=formatter,
    )
    parser.add_argument("--version", action="version", version=f"r3c {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, help_text in COMMANDS.items():
        sub = commands.add_parser(name, help=help_text, formatter_class=formatter)
        if name == command:
            module = importlib.import_module(f"r3c.cli.{name}")
            sub.description, sub.epilog = module.DESCRIPTION, module.EPILOG
            module.add_arguments(sub)
    return parser


def _unknown(command: str) -> int:
    near = difflib.get_close_matches(command, COMMANDS, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"commands: {', '.join(COMMANDS)}"
    print(f"r3c: there is no command {command!r}\n  hint: {hint}", file=sys.stderr)
    return UserError.exit_code


def _show_output(error: R3CError) -> None:
    """A build error's command and the end of its output."""
    command, output = getattr(error, "command", ""), getattr(error, "output", "")
    if command:
        print(f"  command: {command}", file=sys.stderr)
    for line in str(output).strip().splitlines()[-15:]:
        print(f"  | {line}", file=sys.stderr)


def _our_fault(error: Exception) -> int:
    with tempfile.NamedTemporaryFile("w", prefix="r3c-", suffix=".txt", delete=False, encoding="utf-8") as file:
        traceback.print_exception(error, file=file)
    name = Path(file.name)
    print(
        f"r3c: this is a fault of r3c, not yours: {type(error).__name__}: {error}\n  details: {name}", file=sys.stderr
    )
    return 1
