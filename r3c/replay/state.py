"""How much memory a binary keeps between launches: a candidate may not have more than the original to remember in."""

from __future__ import annotations

import struct
from pathlib import Path

_WRITABLE, _ALLOCATED, _THREAD_LOCAL = 1, 2, 0x400
_PREFIXES = (".data", ".bss", ".nv.global")


def lasting_bytes(path: Path) -> int | None:
    """Size of the variables in the ELF file `path` that outlive a launch; None where it is no 64-bit ELF file.

    Shared memory does not count: cubins keep it apart, and in host code it is thread-local.
    """
    data = path.read_bytes() if path.is_file() else b""
    if len(data) < 64 or data[:5] != b"\x7fELF\x02":
        return None
    table, entry_bytes, count, names_index = *struct.unpack_from("<Q", data, 40), *struct.unpack_from("<3H", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, table + k * entry_bytes) for k in range(count)]
    names_at = headers[names_index][4]
    total = 0
    for name_at, _, flags, _, _, size in headers:
        start = names_at + name_at
        name = data[start : data.index(b"\0", start)].decode("ascii", "replace")
        lasting = flags & _ALLOCATED and flags & _WRITABLE and not flags & _THREAD_LOCAL
        if lasting and name.startswith(_PREFIXES) and not name.startswith(".data.rel.ro"):
            total += size
    return total
