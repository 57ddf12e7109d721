"""Errors that point: where, what was expected, what to do next."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Diagnostic:
    """A message with its place; `line` and `column` count from 1, 0 means that there is no place."""

    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    source_line: str = ""
    width: int = 1
    hint: str = ""
    trail: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}:{self.column}: " if self.line else (f"{self.path}: " if self.path else "")
        lines = [place + self.message]
        if self.line and self.source_line.strip():
            number = f"{self.line:5d}"
            shown = self.source_line.replace("\t", " ")
            carets = "^" * max(1, min(self.width, len(shown) - self.column + 1))
            lines.append(f"{number} | {shown}")
            lines.append(f"{' ' * len(number)} | {' ' * (self.column - 1)}{carets}")
        lines += [f"  {step}" for step in self.trail]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


class R3CError(Exception):
    """Root of all errors r3c raises on purpose; `exit_code` is what the command line returns for it."""

    exit_code = 1

    def __init__(self, diagnostic: Diagnostic | str, hint: str = "") -> None:
        if isinstance(diagnostic, str):
            diagnostic = Diagnostic(diagnostic, hint=hint)
        self.diagnostic = diagnostic
        super().__init__(str(diagnostic))


class UserError(R3CError):
    """Something the user can mend: an annotation, a configuration, a command, a missing tool."""

    exit_code = 2


class AnnotationError(UserError):
    """An annotation that r3c cannot read or place."""


class ConfigError(UserError):
    """`r3c.toml` or a command line option that r3c cannot use."""


class MissingExtra(UserError):
    """A package or tool that is needed now and is not installed; the hint names the command."""


class AppError(UserError):
    """The application does not build, does not run, or is not where it was said to be."""


class SpecError(UserError):
    """A text form (step, candidate, domain) that does not parse."""


class InvalidEdit(R3CError):
    """Edits that overlap or leave the file."""


class RewriteRefused(R3CError):
    """A rewrite that is not legal, or cannot be shown to be legal, at this site."""

    exit_code = 2


class BuildError(R3CError):
    """A candidate or an application that did not compile; keeps the command and its whole output."""

    def __init__(self, message: str, command: str = "", output: str = "") -> None:
        self.command = command
        self.output = output
        super().__init__(message)


class RecordError(R3CError):
    """A launch that could not be recorded, with the reason."""


class ReplayError(R3CError):
    """A recording that cannot be replayed here."""


class DeviceError(R3CError):
    """The device refused or failed an operation."""


class JournalError(UserError):
    """A journal that does not belong to this study, or cannot be read."""


class EmitError(R3CError):
    """A winner that a header or a patch cannot express for this source; the original stays as it is."""

    exit_code = 2
