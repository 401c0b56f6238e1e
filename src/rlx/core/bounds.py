"""What can be proved about symbolic sizes: bounds over every binding, and `a <= b`.

The minimum of a polynomial is found by eliminating its atoms one by one. Written `cofactor·atom + rest`, and with the sign of the
cofactor known, the atom can be replaced by anything that bounds it from the right side: a number; for `floordiv(a, k)` the linear
`(a - k + 1)/k` below and `a/k` above; for `min` and `max` their operands. So `16·floordiv(n + 15, 16) - n` is at least
`(n + 15 - 15) - n`, that is 0, although both of its terms are unbounded. The proofs are sound, not complete.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations

from rlx.core.dim import Dim, Relation, Size, exact_division, from_terms
from rlx.core.dim_atoms import Atom, Monomial, OpaqueAtom, Symbol

_MOST_CALLS = 5  # with more atoms that offer a choice, only numeric bounds are used: the combinations multiply


def interval(size: Size) -> tuple[float, float]:
    """Smallest and largest value over all bindings: ints, or infinities; never too narrow, not always tight."""
    return _least(size), -_least(-size)


def bounds(size: Size) -> tuple[int, int | None]:
    """Smallest and largest value over all bindings (a very negative number and None if unbounded)."""
    low, high = interval(size)
    return -(2**62) if math.isinf(low) else int(low), None if math.isinf(high) else int(high)


def proves_at_most(left: Size, right: Size, assumptions: Iterable[Relation] = ()) -> bool | None:
    """True or False if `left <= right` (or its opposite) holds for every possible binding, else None."""
    room = right - left
    for gap in _gaps(assumptions):
        if _least(room - gap) >= 0:
            return True
        if _least(-room - gap) > 0:
            return False
    return None


def _gaps(assumptions: Iterable[Relation]) -> Iterator[Size]:
    """Sizes that are at least 0 by assumption: zero, each fact, and the sums of two."""
    known: list[Size] = []
    for fact in assumptions:
        known.append(fact.right - fact.left)
        if fact.kind == "==":
            known.append(fact.left - fact.right)
    yield 0
    yield from known
    yield from (one + other for one, other in combinations(known, 2))


@lru_cache(maxsize=1 << 14)
def _least(size: Size) -> float:
    """A lower bound of the size."""
    if not isinstance(size, Dim):
        return size
    best = _sum_of_least(size)
    choices = _calls(size)
    if choices and len(choices) <= _MOST_CALLS:
        best = max(best, *(_least_without(size, call) for call in choices[:1]))
    for atom in _atoms(size):
        found = _least_at_ends(size, atom)
        if found is not None:
            return max(best, found)
    return best


def _sum_of_least(size: Dim) -> float:
    """Each term on its own."""
    total: float = 0
    for monomial, coefficient in size.terms:
        span: tuple[float, float] = (coefficient, coefficient)
        for atom, power in monomial:
            for _ in range(power):
                span = _times(span, _range(atom))
        total += span[0]
    return total


def _least_at_ends(size: Dim, atom: Atom) -> float | None:
    """The atom replaced by its smallest or largest value; None if the sign of its cofactor is unknown and one end is infinite."""
    cofactor, rest = _split(size, atom)
    low, high = _range(atom)
    if _least(cofactor) >= 0:
        return _least(cofactor * int(low) + rest) if math.isfinite(low) else None
    if _least(-cofactor) >= 0:
        return _least(cofactor * int(high) + rest) if math.isfinite(high) else None
    if atom in _atoms(cofactor) or not (math.isfinite(low) and math.isfinite(high)):
        return None
    # linear in the atom: least at an end
    return min(_least(cofactor * int(low) + rest), _least(cofactor * int(high) + rest))


def _least_without(size: Dim, call: OpaqueAtom) -> float:
    """The call replaced by its bound, -inf if nothing is known."""
    cofactor, rest = _split(size, call)
    rising = _least(cofactor) >= 0
    if not rising and not _least(-cofactor) >= 0:
        return (
            min(_least(cofactor * call.left + rest), _least(cofactor * call.right + rest))
            if call.function != "floordiv"
            else -math.inf
        )
    if call.function == "floordiv":
        return _least_without_quotient(cofactor, call, rest, rising)
    found = [_least(cofactor * side + rest) for side in (call.left, call.right)]
    return min(found) if rising == (call.function == "min") else max(found)


def _least_without_quotient(cofactor: Size, call: OpaqueAtom, rest: Size, rising: bool) -> float:
    """cofactor·floordiv(a, k) + rest, for k >= 1: times k if k is a number, else the cofactor must contain k."""
    whole, divisor = call.left, call.right
    if not _least(divisor) >= 1:
        return -math.inf
    bound = whole - divisor + 1 if rising else whole
    if isinstance(divisor, int):
        scaled = _least(cofactor * bound + divisor * rest)
        return -(-int(scaled) // divisor) if math.isfinite(scaled) else scaled
    share = exact_division(cofactor, divisor)
    return -math.inf if share is None else _least(share * bound + rest)


def _split(size: Dim, atom: Atom) -> tuple[Size, Size]:
    """cofactor and rest of `size = cofactor·atom + rest`; the cofactor keeps the remaining powers."""
    cofactor: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for monomial, coefficient in size.terms:
        powers = dict(monomial)
        if atom in powers:
            powers[atom] -= 1
            cofactor[tuple((a, p) for a, p in powers.items() if p)] = coefficient
        else:
            rest[monomial] = coefficient
    return from_terms(cofactor), from_terms(rest)


def _atoms(size: Size) -> list[Atom]:
    """The atoms of a polynomial, calls first, longer ones before those that can occur inside them."""
    found = {atom for monomial, _ in size.terms for atom, _ in monomial} if isinstance(size, Dim) else set()
    return sorted(found, key=lambda atom: (isinstance(atom, Symbol), -len(str(atom)), str(atom)))


def _calls(size: Size) -> list[OpaqueAtom]:
    return [atom for atom in _atoms(size) if isinstance(atom, OpaqueAtom)]


def _range(atom: Atom) -> tuple[float, float]:
    """Smallest and largest value of an atom, by interval arithmetic."""
    if isinstance(atom, Symbol):
        return atom.minimum, math.inf if atom.maximum is None else atom.maximum
    (low_a, high_a), (low_b, high_b) = interval(atom.left), interval(atom.right)
    if atom.function == "min":
        return min(low_a, low_b), min(high_a, high_b)
    if atom.function == "max":
        return max(low_a, low_b), max(high_a, high_b)
    if low_b <= 0:
        return -math.inf, math.inf
    corners = [_floor(a, b) for a in (low_a, high_a) for b in (low_b, high_b)]
    return min(corners), max(corners)


def _floor(left: float, right: float) -> float:
    """Floor division of interval ends; an infinite divisor keeps the sign."""
    if math.isinf(left):
        return left
    return (0 if left >= 0 else -1) if math.isinf(right) else left // right


def _times(left: tuple[float, float], right: tuple[float, float]) -> tuple[float, float]:
    """The product of two intervals (0 times infinity is 0: the zero is exact)."""
    corners = [0 if a == 0 or b == 0 else a * b for a in left for b in right]
    return min(corners), max(corners)
