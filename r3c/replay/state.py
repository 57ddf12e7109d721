"""What a binary could cheat with: variables that outlive a launch, and functions of its process that no kernel needs."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_WRITABLE, _ALLOCATED, _THREAD_LOCAL = 1, 2, 0x400
_PREFIXES = (".data", ".bss", ".nv.global")
_SYMBOLS, _DYNAMIC_SYMBOLS = 2, 11
_OBJECT, _INDEX_LIMIT = 1, 0xFF00
_HOSTS = (62, 183)  # x86-64, aarch64

# Of the runtime: what kernels and the tables of a module need. Not: clocks, memory, launches with times, thread orders.
_OF_KERNELS = re.compile(
    r"r3c_(barrier|collective|lane|active_mask|dynamic_shared|trap|register_\w+|find_kernel|launch|configure|ptx_\w+)$"
    r"|r3c_nv_(?!read_ptx_sreg_(clock|globaltimer))\w+$|(_ZTH\d+)?(threadIdx|blockIdx|blockDim|gridDim)$|__tsan_\w+$"
)
_OF_COMPILERS = re.compile(
    r"mem(cpy|set|move|cmp)(_chk)?$|__(cxa_(finalize|guard_\w+|atexit)|gmon_start__|tls_get_addr|gxx_personality_v0|"
    r"stack_chk_fail|assert_fail|dso_handle)$|_Unwind_Resume$|_ITM_\w+$|_Zn[wa]m$|_Zd[la]Pv(m)?$|abort$|"
    r"_ZGV\w+$|__(ext|trunc|fix|float|mul|div|udiv|mod|umod|ashl|ashr|lshr|pop|clz|ctz|neg|pow)\w+$"
)


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    flags: int
    start: int
    size_bytes: int
    link: int

    @property
    def outlives_a_launch(self) -> bool:
        """Shared memory does not count: cubins keep it apart, and in host code it is thread-local."""
        lasting = self.flags & _ALLOCATED and self.flags & _WRITABLE and not self.flags & _THREAD_LOCAL
        return bool(lasting) and self.name.startswith(_PREFIXES) and not self.name.startswith(".data.rel.ro")


@dataclass(frozen=True)
class _Symbol:
    name: str
    kind: int
    section: int
    size_bytes: int


def lasting_bytes(path: Path) -> int | None:
    """Size of the variables in the ELF file `path` that outlive a launch; None where it is no 64-bit ELF file.

    Variables are added up where the file names them, since the gaps between them could hold one more; else sections.
    """
    data = _elf(path)
    if data is None:
        return None
    sections = _sections(data)
    lasting = {number for number, section in enumerate(sections) if section.outlives_a_launch}
    if any(section.kind == _SYMBOLS for section in sections):
        return sum(
            s.size_bytes for s in _symbols(data, sections, _SYMBOLS) if s.kind == _OBJECT and s.section in lasting
        )
    return sum(sections[number].size_bytes for number in lasting)


def foreign_calls(path: Path, original: Path) -> list[str]:
    """What the shared library `path` takes from its process though no kernel needs it and `original` does not.

    Empty for cubins, which have nothing to take it from.
    """
    wanted, known = _imports(path), _imports(original)
    if wanted is None or known is None:
        return []
    return sorted(name for name in wanted - known if not _is_harmless(name))


def _is_harmless(name: str) -> bool:
    return bool(not name or _OF_KERNELS.match(name) or _OF_COMPILERS.match(name)) or name in _mathematics()


def _imports(path: Path) -> set[str] | None:
    data = _elf(path)
    if data is None or struct.unpack_from("<H", data, 18)[0] not in _HOSTS:
        return None
    return {s.name for s in _symbols(data, _sections(data), _DYNAMIC_SYMBOLS) if s.section == 0}


@cache
def _mathematics() -> frozenset[str]:
    """What the C library's libm defines."""
    import ctypes

    try:
        ctypes.CDLL("libm.so.6")
        maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return frozenset()
    found = re.search(r"\S*/libm[-.]\S*", maps)
    data = _elf(Path(found[0])) if found else None
    if data is None:
        return frozenset()
    return frozenset(s.name for s in _symbols(data, _sections(data), _DYNAMIC_SYMBOLS) if s.section != 0)


def _elf(path: Path) -> bytes | None:
    data = path.read_bytes() if path.is_file() else b""
    return data if len(data) >= 64 and data[:5] == b"\x7fELF\x02" else None


def _sections(data: bytes) -> list[_Section]:
    table, entry_bytes, count, names_index = *struct.unpack_from("<Q", data, 40), *struct.unpack_from("<3H", data, 58)
    headers = [struct.unpack_from("<IIQQQQI", data, table + k * entry_bytes) for k in range(count)]
    names_at = headers[names_index][4] if headers else 0
    return [
        _Section(_text(data, names_at + name_at), kind, flags, start, size, link)
        for name_at, kind, flags, _, start, size, link in headers
    ]


def _symbols(data: bytes, sections: list[_Section], kind: int) -> Iterator[_Symbol]:
    for table in (section for section in sections if section.kind == kind):
        names_at = sections[table.link].start
        for at in range(table.start, table.start + table.size_bytes, 24):
            name_at, info, _, index, _, size = struct.unpack_from("<IBBHQQ", data, at)
            yield _Symbol(_text(data, names_at + name_at), info & 15, index if index < _INDEX_LIMIT else 0, size)


def _text(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode("ascii", "replace")
