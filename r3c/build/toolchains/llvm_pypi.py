"""The llvm toolchain from PyPI packages alone: clang and the passes of karellen-llvm, the code generator of llvmlite.

The passes run without knowing the GPU, so the same order gives other code than toolchain llvm.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from r3c.build.libllvm import Pointer, Target
from r3c.build.llvm_install import INSTALL_PYPI, LlvmInstall, find_pypi
from r3c.build.passes import pipeline
from r3c.build.toolchains.llvm import PRECISE, Llvm


class LlvmPypi(Llvm):
    """Builds with the packages of `pip install r3c[llvm]`."""

    name = "llvm-pypi"
    install_hint = INSTALL_PYPI

    @cached_property
    def install(self) -> LlvmInstall:
        return find_pypi()

    @cached_property
    def llvmlite(self) -> Any:
        import llvmlite.binding

        llvmlite.binding.initialize_all_targets()
        llvmlite.binding.initialize_all_asmprinters()
        return llvmlite.binding

    def generate(
        self, bitcode: bytes, sequence: tuple[str, ...], target: Target, early: list[str], late: list[str]
    ) -> bytes:
        self.library.set_options(early)
        module, _ = self.optimised(bitcode, sequence, target)
        for option in [*PRECISE, *late]:
            self.llvmlite.set_option("r3c", option)
        made = self.llvmlite.Target.from_triple(target.triple).create_target_machine(
            cpu=target.cpu, features=target.features, opt=3
        )
        text: str = made.emit_assembly(self.llvmlite.parse_bitcode(self.library.bitcode_of(module)))
        return text.encode()

    def optimised(self, bitcode: bytes, sequence: tuple[str, ...], target: Target) -> tuple[Pointer, Pointer]:
        module = self.library.parse(bitcode)
        self.library.run_passes(module, pipeline(sequence, target_passes=False), None)
        return module, Pointer()
