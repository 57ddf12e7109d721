from __future__ import annotations

import sys
from pathlib import Path

import pytest

from r3c.build.nvcc_path import find_nvcc, link_arguments, toolkit_of


def toolkit(root: Path, library: str = "lib") -> Path:
    """A toolkit as the PyPI packages lay it out; its nvcc does nothing."""
    for folder in ("bin", "nvvm/libdevice", library):
        (root / folder).mkdir(parents=True)
    (root / library / "libcudart_static.a").touch()
    nvcc = root / "bin" / "nvcc"
    nvcc.write_text("#!/bin/sh\n")
    nvcc.chmod(0o755)
    return nvcc


def test_nvcc_of_the_pypi_packages_is_found_without_any_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nvcc = toolkit(tmp_path / "nvidia" / "cu13")
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "nvidia", raising=False)
    if any(Path("/usr/local").glob("cuda*/bin/nvcc")):
        assert find_nvcc().startswith("/usr/local")  # the system's toolkit comes first
    else:
        assert find_nvcc() == str(nvcc)


def test_a_toolkits_folder_is_found_through_links(tmp_path: Path) -> None:
    nvcc = toolkit(tmp_path / "cuda-13.0")
    (tmp_path / "nvcc").symlink_to(nvcc)
    assert toolkit_of(tmp_path / "nvcc") == tmp_path / "cuda-13.0"


def test_programs_find_the_cuda_runtime_of_the_pypi_packages_when_they_are_linked(tmp_path: Path) -> None:
    nvcc = toolkit(tmp_path / "cu13")
    assert link_arguments(str(nvcc)) == [f"-L{tmp_path / 'cu13' / 'lib'}"]
    assert link_arguments(str(toolkit(tmp_path / "cuda", "lib64"))) == []
