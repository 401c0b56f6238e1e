"""What sizes are made of: symbols and opaque atoms, and their products."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rlx.core.dim import Size


@dataclass(frozen=True, order=True)
class Symbol:
    """A named size with bounds; an unbounded one has maximum None."""

    name: str
    minimum: int = 1
    maximum: int | None = None

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class OpaqueAtom:
    """An opaque atom: `floordiv(a, b)`, `min(a, b)` or `max(a, b)`."""

    function: str
    left: Size
    right: Size

    def __str__(self) -> str:
        return f"{self.function}({self.left}, {self.right})"


Atom: TypeAlias = Symbol | OpaqueAtom
Monomial: TypeAlias = tuple[tuple[Atom, int], ...]  # atoms with powers, sorted by text


def monomial_order(monomial: Monomial) -> tuple[int, tuple[str, ...]]:
    """Highest degree first, then by name (`a*a`, `a*b`, `b*b`): an order that products keep, as division needs."""
    names = tuple(str(atom) for atom, power in monomial for _ in range(power))
    return -len(names), names


def multiply(left: Monomial, right: Monomial) -> Monomial:
    """The product of monomials: powers add up."""
    powers = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted(powers.items(), key=lambda item: str(item[0])))
