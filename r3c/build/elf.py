"""Sections of a 64-bit ELF file."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass

_HEADER = "<IIQQQQIIQQ"
_NOBITS = 8


@dataclass(frozen=True)
class Section:
    name: str
    data: bytes
    size_bytes: int


def read_sections(data: bytes) -> tuple[Section, ...]:
    """Sections in file order; ValueError where `data` is no complete ELF file."""
    if not data.startswith(b"\x7fELF"):
        raise ValueError("not an ELF file")
    try:
        (table,) = struct.unpack_from("<Q", data, 0x28)
        entry, count, names_index = struct.unpack_from("<HHH", data, 0x3A)
        headers = [struct.unpack_from(_HEADER, data, table + i * entry) for i in range(count)]
        names = data[headers[names_index][4] :]
        return tuple(
            Section(
                names[header[0] : names.index(b"\0", header[0])].decode(),
                b"" if header[1] == _NOBITS else data[header[4] : header[4] + header[5]],
                header[5],
            )
            for header in headers
        )
    except (struct.error, IndexError):
        raise ValueError("the ELF file is cut short") from None


def code_hash(data: bytes, names: tuple[str, ...]) -> str:
    """SHA-256 over the named sections."""
    digest = hashlib.sha256()
    for section in read_sections(data):
        if section.name in names:
            digest.update(section.name.encode() + section.data)
    return digest.hexdigest()
