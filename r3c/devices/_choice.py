"""Which device `--device` means."""

from __future__ import annotations

from r3c import plugins
from r3c.core.errors import ConfigError

_PREFERRED = ("cuda", "cpu")


def choose_device(name: str = "auto") -> str:
    """`name` itself, or for `auto` the first of cuda and cpu that can be used here.

    Raises:
        ConfigError: there is no such device, or it cannot be used here; the message says why.
    """
    if name != "auto":
        reason = plugins.load("device", name)().unavailable()
        if reason:
            raise ConfigError(f"device {name} cannot be used: {reason}")
        return name
    reasons: list[str] = []
    for known in (known for known in _PREFERRED if known in plugins.names("device")):
        reason = plugins.load("device", known)().unavailable()
        if not reason:
            return known
        reasons.append(f"{known}: {reason}")
    raise ConfigError("no device can be used here:\n" + "\n".join(f"  {reason}" for reason in reasons))
