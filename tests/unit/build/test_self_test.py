from __future__ import annotations

import pytest

from r3c import plugins
from r3c.build import self_test as module
from r3c.build.self_test import self_test
from r3c.core.errors import BuildError


@pytest.mark.parametrize("name", plugins.names("toolchain"))
def test_every_stage_of_an_installed_toolchain_works(name: str) -> None:
    stages = list(self_test(name))
    if not stages:
        pytest.skip(reason=plugins.load("toolchain", name)().unavailable())
    assert [stage for stage in stages if stage.error] == []


def test_the_first_stage_that_fails_ends_the_test_and_names_what_would_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> None:
        raise BuildError("fatal error: no g++ here", "g++ -c", "sh: 1: g++: not found")

    monkeypatch.setattr(module, "_stages", lambda *_: iter([("one", lambda: None), ("two", fail), ("three", fail)]))
    stages = list(self_test("host"))
    assert [(stage.name, stage.error) for stage in stages] == [("one", ""), ("two", "fatal error: no g++ here")]
    assert stages[1].hint == "apt-get install g++"
