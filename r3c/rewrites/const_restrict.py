"""`const` and `__restrict__` on a kernel's pointer parameters."""

from __future__ import annotations

import re
from dataclasses import dataclass

from r3c.core.contract import Role
from r3c.core.source import Edit, Span
from r3c.rewrites.base import Rewrite
from r3c.tree.analysis import Analysis, analyse
from r3c.tree.analysis_effects import pointer_root
from r3c.tree.analysis_nodes import body_of
from r3c.tree.analysis_scopes import PARAMETER, Variable
from r3c.tree.analysis_types import is_arithmetic
from r3c.tree.nodes import Index, Param
from r3c.tree.regions import KernelRegion


@dataclass(frozen=True)
class ConstRestrict(Rewrite):
    """Says of a pointer parameter that nothing is written through it, and that no other pointer leads to its memory.

    Before:
        // r3c: kernel()
        // r3c: buffer(in, in)
        __global__ void copy(float *out, float *in, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) out[i] = in[i];
        }
    Step:
        const-restrict{site=copy/param:in}
    After:
        // r3c: kernel()
        // r3c: buffer(in, in)
        __global__ void copy(float *out, const float *__restrict__ in, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) out[i] = in[i];
        }
    Refuses:
        `__restrict__` where neither the contract (this buffer is `in`, or every other pointer's is) nor the kernel (it has
        no other pointer) shows that the memory is reached by this pointer alone when it is written; `const` is added
        only where every use is a read by subscript.
    """

    @classmethod
    def sites(cls, region: KernelRegion) -> list[str]:
        return [path for path, node in region.sites.items() if isinstance(node, Param) and node.is_pointer]

    def apply(self, region: KernelRegion) -> list[Edit]:
        param = region.sites[self.site]
        analysis = analyse(region)
        variable = next((v for v in analysis.scopes.variables if v.node is param), None)
        if variable is None or not isinstance(param, Param):
            raise self.refuse(region, param, "this site is not a pointer parameter")
        text = region.source.slice(param.span)
        found = re.fullmatch(r"([^*&=]+?)(\s*)\*(\s*)(const\s+)?(\w+)", text, re.DOTALL)
        if "restrict" in text:
            raise self.refuse(region, param, f"`{variable.name}` is declared __restrict__ already")
        if found is None or "volatile" in text:
            raise self.refuse(region, param, "its declaration is not of the form `type *name`")
        self._prove_alone(region, analysis, variable)
        const = "" if re.search(r"\bconst\b", found[1]) or not self._only_read(region, analysis, variable) else "const "
        new = f"{const}{found[1]}{found[2] or ' '}*__restrict__ {found[4] or ''}{found[5]}"
        return [Edit(Span(param.span.start, param.span.end), new, f"`{variable.name}` is reached by no other pointer")]

    def _prove_alone(self, region: KernelRegion, analysis: Analysis, variable: Variable) -> None:
        buffers = region.contract.buffers
        own = buffers.get(variable.name)
        if own is not None and own.role is Role.IN:
            return
        others = [v for v in analysis.scopes.variables if v.kind == PARAMETER and v.is_pointer and v is not variable]
        for other in others:
            role = buffers.get(other.name)
            if role is None or role.role is not Role.IN:
                why = f"nothing shows that `{other.name}` leads to other memory than `{variable.name}`"
                raise self.refuse(
                    region, variable.node, why, f"say buffer({other.name}, in) where the kernel only reads it"
                )
        self._refuse_other_ways(region, analysis, variable)

    def _refuse_other_ways(self, region: KernelRegion, analysis: Analysis, variable: Variable) -> None:
        """Memory may also be reached through globals, loaded pointers and structures."""
        whole = analysis.effects.of(body_of(region.function))
        for node in whole.unknown:
            raise self.refuse(region, node, f"this may reach the memory of `{variable.name}`")
        for access in whole.memory:
            if access.variable is None or analysis.memory.root(access.variable) is None:
                raise self.refuse(region, access.node, f"this may reach the memory of `{variable.name}`")
        for param in region.function.params:
            if not param.is_pointer and not is_arithmetic(param.type_text):
                raise self.refuse(
                    region, param, f"`{param.name}` may hold a pointer to the memory of `{variable.name}`"
                )

    def _only_read(self, region: KernelRegion, analysis: Analysis, variable: Variable) -> bool:
        """Whether every use is `p[i]` read, and no other declaration of the kernel would stop matching."""
        if region.function.template_params or _declared_elsewhere(region):
            return False
        accesses = analysis.effects.of(body_of(region.function)).accesses
        if any(a.variable is variable and (a.writes or not a.memory) for a in accesses):
            return False
        derived = [v for v in analysis.scopes.variables if v.init is not None and v.is_pointer]
        if any(pointer_root(v.init, analysis.scopes) is variable for v in derived if v.init is not None):
            return False
        indexed = sum(1 for a in accesses if a.memory and a.variable is variable and isinstance(a.node, Index))
        return indexed == len(analysis.scopes.uses(variable))


def _declared_elsewhere(region: KernelRegion) -> bool:
    pattern = rf"\b{re.escape(region.function.name)}\s*\([^;{{}}]*\)\s*;"
    text = region.source.text
    prototypes = [m for m in re.finditer(pattern, text) if "__global__" in text[max(0, m.start() - 200) : m.start()]]
    return bool(prototypes) or f"&{region.function.name}" in text.replace(" ", "")
