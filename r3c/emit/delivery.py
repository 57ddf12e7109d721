"""What of a winner's toolchain options source can say: an attribute on the kernel, or a flag the build would need."""

from __future__ import annotations

from dataclasses import dataclass

from r3c.core.spec import Spec, format_value


@dataclass(frozen=True)
class Delivery:
    """How the options of a winner reach the user.

    Attributes:
        attributes: put before the name of the tuned kernel.
        flags: options that no source can say, in their text form: the build has to change for them.
    """

    attributes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


def delivery(toolchain: Spec | None, kernel_text: str) -> Delivery:
    """How to deliver `toolchain` with the tuned kernel `kernel_text`."""
    attributes: list[str] = []
    flags: list[str] = []
    for key, value in toolchain.values if toolchain else ():
        if key == "maxrregcount" and value == 0:
            continue
        # nvcc takes one of the two attributes on a kernel, not both.
        if key == "maxrregcount" and "__launch_bounds__" not in kernel_text:
            attributes.append(f"__maxnreg__({value})")
        else:
            flags.append(f"{key}={format_value(value)}")
    return Delivery(tuple(attributes), tuple(flags))
