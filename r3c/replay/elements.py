"""How bytes of a buffer are read: the element type named by a parameter's type text."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

_NOISE = re.compile(r"\b(const|volatile|restrict|__restrict__|__restrict|struct|typename|std::|cuda::std::)\b|std::")
_FLOATS = {"float": "f4", "double": "f8", "half": "f2", "__half": "f2", "float16": "f2", "nv_bfloat16": "bf16"}
_COMPLEX = {
    "cuComplex": "f4",
    "cuFloatComplex": "f4",
    "cuDoubleComplex": "f8",
    "complex<float>": "f4",
    "complex<double>": "f8",
    "thrust::complex<float>": "f4",
    "thrust::complex<double>": "f8",
    "half2": "f2",
    "__half2": "f2",
    "__nv_bfloat162": "bf16",
}
_INTS = {
    "bool": "u1",
    "char": "i1",
    "signed char": "i1",
    "unsigned char": "u1",
    "uchar": "u1",
    "short": "i2",
    "short int": "i2",
    "unsigned short": "u2",
    "ushort": "u2",
    "int": "i4",
    "signed": "i4",
    "signed int": "i4",
    "unsigned": "u4",
    "unsigned int": "u4",
    "uint": "u4",
    "long": "i8",
    "long int": "i8",
    "unsigned long": "u8",
    "unsigned long int": "u8",
    "long long": "i8",
    "long long int": "i8",
    "unsigned long long": "u8",
    "unsigned long long int": "u8",
    "size_t": "u8",
    "ssize_t": "i8",
    "ptrdiff_t": "i8",
    **{f"int{bits}_t": f"i{bits // 8}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": f"u{bits // 8}" for bits in (8, 16, 32, 64)},
}
_VECTOR = re.compile(r"(float|double|u?char|u?short|u?int|u?long|u?longlong)([1-4])")
_VECTOR_BASES = {"ulong": "u8", "longlong": "i8", "ulonglong": "u8"}


@dataclass(frozen=True)
class ElementType:
    """`code` is `f4`, `u1`, `bf16` ...; vectors and complex numbers count as their components."""

    code: str

    @property
    def size_bytes(self) -> int:
        return 2 if self.code == "bf16" else int(self.code[1:])

    @property
    def is_float(self) -> bool:
        return self.code[0] in "fb"

    def values(self, data: Bytes) -> NDArray[np.generic]:
        """The elements in `data`, whose length is a multiple of the element's; floats of 16 bits as 32."""
        if self.code == "bf16":
            return (data.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        found: NDArray[np.generic] = data.view(np.dtype(f"<{self.code}"))
        return found.astype(np.float32) if self.code == "f2" else found

    def text(self, data: Bytes) -> str:
        """The one element in `data` for people, with every digit that tells it from its neighbours."""
        return str(self.values(np.ascontiguousarray(data))[0])


BYTE = ElementType("u1")


def element_type(type_text: str) -> ElementType | None:
    """Type of what a pointer or reference of type `type_text` leads to, None where that cannot be told from the text."""
    plain = _NOISE.sub(" ", type_text).replace("&", " ").replace("[]", "*")
    base, stars, rest = plain.partition("*")
    if not stars or rest.strip():
        return None if not stars or rest.strip(" *") else ElementType("u8")
    name = re.sub(r"\s+", " ", base).strip().removeprefix("__").removesuffix(" const")
    if name in _FLOATS or f"__{name}" in _FLOATS:
        return ElementType(_FLOATS.get(name, _FLOATS.get(f"__{name}", "")))
    code = _COMPLEX.get(name) or _COMPLEX.get(f"__{name}") or _INTS.get(name)
    if code:
        return ElementType(code)
    vector = _VECTOR.fullmatch(name)
    if vector:
        scalar = vector[1]
        return ElementType(_FLOATS.get(scalar) or _INTS.get(scalar) or _VECTOR_BASES[scalar])
    return None
