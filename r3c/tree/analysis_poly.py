"""Integer polynomials over names: the normal form in which subscripts, bounds and thread indices are compared.

An atom is a name, a built-in such as `threadIdx.x`, or an operation that is no polynomial (division, modulo, shift) over
polynomials. Signed overflow is undefined in the source, so forms are compared as whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Atom:
    """A symbol, or `op` over polynomials; `name` is unique for one variable of one function."""

    name: str
    args: tuple[Poly, ...] = ()

    def __str__(self) -> str:
        if not self.args:
            return self.name.split("@")[0]
        return f"{self.name}({', '.join(map(str, self.args))})"

    def atoms(self) -> Iterable[Atom]:
        """This atom and all that it is made of."""
        yield self
        for arg in self.args:
            yield from arg.atoms()


Monomial = tuple[Atom, ...]


def _key(atom: Atom) -> str:
    return f"{atom.name}({','.join(map(str, atom.args))})"


@dataclass(frozen=True)
class Poly:
    """Sum of `coefficient * product of atoms`; terms are sorted and have no zero coefficient."""

    terms: tuple[tuple[Monomial, int], ...] = ()

    @classmethod
    def of(cls, terms: Mapping[Monomial, int]) -> Poly:
        kept = [(m, c) for m, c in terms.items() if c]
        kept.sort(key=lambda term: (len(term[0]), [_key(a) for a in term[0]]))
        return cls(tuple(kept))

    @classmethod
    def constant(cls, value: int) -> Poly:
        return cls.of({(): value})

    @classmethod
    def atom(cls, name: str, *args: Poly) -> Poly:
        return cls.of({(Atom(name, args),): 1})

    def __add__(self, other: Poly) -> Poly:
        out = dict(self.terms)
        for monomial, coefficient in other.terms:
            out[monomial] = out.get(monomial, 0) + coefficient
        return Poly.of(out)

    def __neg__(self) -> Poly:
        return Poly(tuple((m, -c) for m, c in self.terms))

    def __sub__(self, other: Poly) -> Poly:
        return self + -other

    def __mul__(self, other: Poly) -> Poly:
        out: dict[Monomial, int] = {}
        for left, a in self.terms:
            for right, b in other.terms:
                monomial = tuple(sorted(left + right, key=_key))
                out[monomial] = out.get(monomial, 0) + a * b
        return Poly.of(out)

    @property
    def is_zero(self) -> bool:
        return not self.terms

    @property
    def value(self) -> int | None:
        """The number this is, None where it has atoms."""
        if not self.terms:
            return 0
        return self.terms[0][1] if len(self.terms) == 1 and not self.terms[0][0] else None

    def atoms(self) -> Iterable[Atom]:
        for monomial, _ in self.terms:
            for atom in monomial:
                yield from atom.atoms()

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(atom.name for atom in self.atoms())

    def substitute(self, change: Callable[[Atom], Poly | None]) -> Poly:
        """Each atom replaced by what `change` makes of it (None keeps it), inside operations too."""
        total = Poly()
        for monomial, coefficient in self.terms:
            product = Poly.constant(coefficient)
            for atom in monomial:
                product = product * _changed(atom, change)
            total = total + product
        return total

    def coefficient(self, name: str) -> Poly | None:
        """What atom `name` is multiplied by; None where it occurs with a power or inside an operation."""
        out: dict[Monomial, int] = {}
        for monomial, coefficient in self.terms:
            rest = tuple(atom for atom in monomial if atom.name != name)
            if any(name in {a.name for a in atom.atoms()} for atom in rest) or len(monomial) - len(rest) > 1:
                return None
            if len(rest) < len(monomial):
                out[rest] = out.get(rest, 0) + coefficient
        return Poly.of(out)

    def without(self, name: str) -> Poly:
        """The terms in which atom `name` does not occur."""
        return Poly(tuple((m, c) for m, c in self.terms if all(a.name != name for a in m)))

    def divided_by(self, other: Poly) -> int | None:
        """The whole number `q` with `self == q * other`, None where there is none."""
        if other.is_zero:
            return None
        if self.is_zero:
            return 0
        monomial, coefficient = other.terms[0]
        own = dict(self.terms).get(monomial, 0)
        if own % coefficient:
            return None
        quotient = own // coefficient
        return quotient if (self - other * Poly.constant(quotient)).is_zero and quotient else None

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        shown = []
        for monomial, coefficient in self.terms:
            factors = [str(atom) for atom in monomial]
            if coefficient != 1 or not factors:
                factors.insert(0, str(coefficient))
            shown.append("*".join(factors))
        return " + ".join(shown)


def _changed(atom: Atom, change: Callable[[Atom], Poly | None]) -> Poly:
    new = change(atom)
    if new is not None:
        return new
    if not atom.args:
        return Poly.of({(atom,): 1})
    return Poly.atom(atom.name, *(arg.substitute(change) for arg in atom.args))
