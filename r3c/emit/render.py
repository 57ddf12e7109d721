"""Templates: a file of templates/ and values in, text out; a name that a template misses is an error."""

from __future__ import annotations

from typing import Any

from r3c.emit.svg import time_text
from r3c.resources import resource


def render_page(name: str, **values: Any) -> str:
    """As `render`, for pages: `time` writes microseconds in the unit that reads best."""
    return render(name, time=time_text, **values)


def render(name: str, **values: Any) -> str:
    """Text of `templates/NAME`; values are escaped where the name ends in `.html.j2` and left alone elsewhere."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    escapes = name.endswith(".html.j2")
    environment = Environment(
        loader=FileSystemLoader(resource("templates")),
        undefined=StrictUndefined,
        autoescape=escapes,  # noqa: S701 - on for pages, off for C++ text
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name).render(**values)
