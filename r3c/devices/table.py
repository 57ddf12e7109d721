"""Times from a file instead of a clock, so that a study repeats to the byte and needs no quiet machine.

The file is JSON: `{"default": "hash", "times_us": {"original": 100.0, "unroll{...}": 80.5}}`. A candidate that is not
listed gets, with `hash`, a time between half and one and a half of the original's that follows from its text, and
without it is an error.
"""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path

from r3c.core.errors import ConfigError

_FORM = 'the form is {"default": "hash", "times_us": {"original": 100.0}}'
ORIGINAL = "original"
SPREAD = 0.005  # of the made-up interval around each time
TRIAL_S = 0.01  # what a trial takes on the virtual clock


class Table:
    """A device that only knows times.

    Attributes:
        digest: of what the file says.
    """

    name = "table"

    def __init__(self, path: Path) -> None:
        """Raises ConfigError where `path` is not such a file."""
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
            self._times = {str(text): float(us) for text, us in raw["times_us"].items()}
            self._default = raw.get("default", "")
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ConfigError(f"{path}: not a table of times: {type(error).__name__}: {error}", hint=_FORM) from None
        if ORIGINAL not in self._times:
            raise ConfigError(f"{path}: times_us lacks {ORIGINAL!r}", hint=_FORM)
        for text, us in self._times.items():
            if not 0 < us < math.inf:
                raise ConfigError(f"{path}: {text} takes {us:g} us: a time is positive and finite", hint=_FORM)
        if self._default not in ("", "hash"):
            raise ConfigError(f"{path}: there is no default rule {self._default!r}", hint=_FORM)
        self.digest = hashlib.sha256(json.dumps([self._default, self._times], sort_keys=True).encode()).hexdigest()

    def time_us(self, candidate: str) -> float:
        """Time of one launch of the candidate with this text.

        Raises:
            ConfigError: it is not listed and there is no default rule.
        """
        if candidate in self._times:
            return self._times[candidate]
        if self._default != "hash":
            raise ConfigError(f"the table of times has no entry for {candidate}", hint='add "default": "hash"')
        share = int.from_bytes(hashlib.sha256(candidate.encode()).digest()[:4], "little") / 2**32
        return round(self._times[ORIGINAL] * (0.5 + share), 3)
