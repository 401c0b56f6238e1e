"""Symbolic sizes: integer polynomials over named symbols, kept canonical.

A size is a Python int, or a :class:`Dim` when it depends on a symbol. Arithmetic returns an int whenever the symbols cancel, so a
static size is always a plain int. `//`, `%`, `min` and `max` that do not simplify become opaque atoms, themselves canonical.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from types import FrameType
from typing import TypeAlias, Union

from rlx.core.errors import RlxError, check_is

# -- what sizes are made of: symbols and opaque atoms, and their products --------------------------------------------


@dataclass(frozen=True, order=True)
class Symbol:
    """A named symbolic size with bounds; an unbounded one has maximum None."""

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
    """Sort key of monomials: highest degree first, then names (`a*a`, `a*b`, `b*b`). Products preserve this order, as division needs."""
    names = tuple(str(atom) for atom, power in monomial for _ in range(power))
    return -len(names), names


def multiply(left: Monomial, right: Monomial) -> Monomial:
    """Multiplies monomials: exponents add up."""
    powers = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted(powers.items(), key=lambda item: str(item[0])))


# -- comparisons of symbolic sizes in user code: `x.shape[0] == 3` is false for a symbol, but true for size 3 --------


_LISTENER: ContextVar[list[Relation] | None] = ContextVar("equalities taken as untrue", default=None)


def note_untrue(relation: Relation, frame: FrameType) -> None:
    """Record an equality that user code took as false although some sizes make it true."""
    listener = _LISTENER.get()
    if listener is not None and not frame.f_globals.get("__name__", "").startswith("rlx."):
        listener.append(relation)


@contextmanager
def equalities_taken_as_untrue() -> Iterator[list[Relation]]:
    """Collects the equalities of symbolic sizes that user code took as false: where one is true, it would branch otherwise."""
    untrue: list[Relation] = []
    token = _LISTENER.set(untrue)
    try:
        yield untrue
    finally:
        _LISTENER.reset(token)


Size: TypeAlias = Union[int, "Dim"]
LARGEST_SIZE = 2**63 - 1
"""The upper limit of a tensor's bytes and of every size a run computes: native code and NumPy use signed 64-bit integers."""
RESERVED = frozenset({"min", "max", "floordiv", "true", "false", "none", "sym", "return", "update", "input", "inf", "nan"})


class Dim:
    """A symbolic size.

    >>> seq = Dim("seq", min=1, max=8192)
    >>> str(2 * seq + 4), (2 * seq) // 2 == seq, seq - seq
    ('2*seq + 4', True, 0)
    """

    __slots__ = ("_hash", "terms")
    terms: tuple[tuple[Monomial, int], ...]

    def __init__(self, name: str, min: int = 1, max: int | None = None) -> None:
        check_is(name, str, "RLX105", "the name of a symbol", "a str")
        if not name.isidentifier() or name in RESERVED:
            raise RlxError(
                "RLX105", f"{name!r} is not a valid symbol name", fix="use an identifier that is not a reserved word of the IR"
            )
        check_is(min, int, "RLX105", f"min of symbol {name}", "an int")
        if max is not None:
            check_is(max, int, "RLX105", f"max of symbol {name}", "an int, or None")
        if min < 0 or (max is not None and max < min):
            raise RlxError("RLX105", f"symbol {name} with bounds {min}..{max}", fix="0 <= min <= max")
        self._set((((((Symbol(name, min, max)), 1),), 1),))

    def _set(self, terms: tuple[tuple[Monomial, int], ...]) -> None:
        self.terms = terms
        self._hash = hash(terms)

    # -- arithmetic ---------------------------------------------------------------------------------------------
    def __add__(self, other: Size) -> Size:
        if not isinstance(other, (int, Dim)):
            return NotImplemented
        return _sum(self, other)

    __radd__ = __add__

    def __neg__(self) -> Size:
        return from_terms({monomial: -coefficient for monomial, coefficient in self.terms})

    def __sub__(self, other: Size) -> Size:
        if not isinstance(other, (int, Dim)):
            return NotImplemented
        return self + (-other)

    def __rsub__(self, other: Size) -> Size:
        return (-self) + other

    def __mul__(self, other: Size) -> Size:
        if not isinstance(other, (int, Dim)):
            return NotImplemented
        return _multiply(self, other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Size) -> Size:
        return floordiv(self, other)

    def __rfloordiv__(self, other: Size) -> Size:
        return floordiv(other, self)

    def __mod__(self, other: Size) -> Size:
        return self - other * floordiv(self, other)

    def __rmod__(self, other: Size) -> Size:
        return other - self * floordiv(other, self)

    # -- relations ----------------------------------------------------------------------------------------------
    def __eq__(self, other: object) -> bool:
        """True if equal for every binding; otherwise a falsy :class:`Relation`, which `graph.assume` accepts."""
        if isinstance(other, Dim) and self.terms == other.terms:
            return True
        if isinstance(other, (int, Dim)):
            return Relation("==", self, other)  # type: ignore[return-value]
        return False

    def __ne__(self, other: object) -> bool:
        equal: object = self == other
        if isinstance(equal, Relation):
            note_untrue(equal, sys._getframe(1))
        return equal is not True

    def __le__(self, other: Size) -> Relation:
        return Relation("<=", self, other)

    def __ge__(self, other: Size) -> Relation:
        return Relation("<=", other, self)

    def __lt__(self, other: Size) -> Relation:
        return Relation("<=", self + 1, other)

    def __gt__(self, other: Size) -> Relation:
        return Relation("<=", other + 1, self)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return from_terms, (dict(self.terms),)  # hashes differ between processes

    def __bool__(self) -> bool:
        if _at_most(1, self):
            return True
        raise RlxError("RLX108", f"the truth of the symbolic size {self} is not known while building")

    def __index__(self) -> int:
        raise RlxError(
            "RLX108",
            f"the symbolic size {self} is not known while building",
            fix="it binds at run time; use it as a size, not as a number",
        )

    __int__ = __index__

    def __str__(self) -> str:
        parts: list[str] = []
        for monomial, coefficient in self.terms:
            factors = [str(atom) for atom, power in monomial for _ in range(power)]
            sign = "-" if coefficient < 0 else "+"
            if abs(coefficient) != 1 or not factors:
                factors.insert(0, str(abs(coefficient)))
            parts.append((f" {sign} " if parts else ("-" if sign == "-" else "")) + "*".join(factors))
        return "".join(parts)

    __repr__ = __str__

    # -- substitution -------------------------------------------------------------------------------------------
    def bind(self, sizes: Mapping[str, Size]) -> Size:
        """Replace symbols by sizes."""
        total: Size = 0
        for monomial, coefficient in self.terms:
            product: Size = coefficient
            for atom, power in monomial:
                value = _bind_atom(atom, sizes)
                for _ in range(power):
                    product = product * value
            total = total + product
        return total

    def symbols(self) -> frozenset[Symbol]:
        """The symbols in this size."""
        names: set[Symbol] = set()
        for monomial, _ in self.terms:
            for atom, _ in monomial:
                if isinstance(atom, Symbol):
                    names.add(atom)
                else:
                    names |= symbols(atom.left) | symbols(atom.right)
        return frozenset(names)

    @property
    def symbol(self) -> Symbol | None:
        """The symbol, when the size is that symbol alone."""
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms
            if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1 and isinstance(monomial[0][0], Symbol):
                return monomial[0][0]
        return None


@dataclass(frozen=True)
class Relation:
    """`a == b` or `a <= b` between sizes: usable as a bool where it can be decided, and always as an argument of `graph.assume`."""

    kind: str
    left: Size
    right: Size

    def __bool__(self) -> bool:
        if self.kind == "==":
            note_untrue(self, sys._getframe(1))
            return False  # identical sizes never make a Relation
        proof = _at_most(self.left, self.right)
        if proof is None:
            raise RlxError("RLX202", f"{self} cannot be decided for every size", fix=f"graph.assume({self})")
        return proof

    def holds(self, sizes: Mapping[str, Size]) -> bool:
        """Whether it holds for given sizes."""
        left, right = bind(self.left, sizes), bind(self.right, sizes)
        return bool(left == right) if self.kind == "==" else bool(left <= right)

    def __str__(self) -> str:
        return f"{self.left} {self.kind} {self.right}"


def _at_most(left: Size, right: Size) -> bool | None:
    """Whether `left <= right` holds for every binding; None where that is not known."""

    return proves_at_most(left, right)


def _terms(size: Size) -> Iterable[tuple[Monomial, int]]:
    return size.terms if isinstance(size, Dim) else (((), int(size)),) if size else ()


def from_terms(total: Mapping[Monomial, int]) -> Size:
    """Builds the size with these coefficients: an int where no atom is left."""
    terms = tuple(sorted(((m, c) for m, c in total.items() if c), key=lambda term: monomial_order(term[0])))
    if not terms:
        return 0
    if len(terms) == 1 and terms[0][0] == ():
        return terms[0][1]
    result = object.__new__(Dim)
    result._set(terms)
    return result


@lru_cache(maxsize=1 << 14)  # a compiler adds and multiplies the same few sizes again and again
def _sum(left: Size, right: Size) -> Size:
    total = dict(_terms(left))
    for monomial, coefficient in _terms(right):
        total[monomial] = total.get(monomial, 0) + coefficient
    return from_terms(total)


@lru_cache(maxsize=1 << 14)
def _multiply(left: Size, right: Size) -> Size:
    total: dict[Monomial, int] = {}
    for one, one_factor in _terms(left):
        for other, other_factor in _terms(right):
            monomial = multiply(one, other)
            total[monomial] = total.get(monomial, 0) + one_factor * other_factor
    return from_terms(total)


def _bind_atom(atom: Atom, sizes: Mapping[str, Size]) -> Size:
    if isinstance(atom, Symbol):
        return sizes.get(atom.name, from_terms({((atom, 1),): 1}))
    left, right = bind(atom.left, sizes), bind(atom.right, sizes)
    return {"floordiv": floordiv, "min": minimum, "max": maximum}[atom.function](left, right)


def _atom(function: str, left: Size, right: Size) -> Size:
    return from_terms({((OpaqueAtom(function, left, right), 1),): 1})


def from_symbol(symbol: Symbol) -> Dim:
    """The Dim that consists of one symbol."""
    return Dim(symbol.name, symbol.minimum, symbol.maximum)


def floordiv(left: Size, right: Size) -> Size:
    """Floor division of sizes: exact where polynomials divide, else an opaque atom (with the divisible part taken out)."""
    if isinstance(right, int) and right == 0:
        raise RlxError("RLX105", f"the size {left} divided by 0", fix="divide by a size of at least 1")
    if isinstance(left, int) and isinstance(right, int):
        return left // right
    quotient = exact_division(left, right)
    if quotient is not None:
        return quotient
    if isinstance(right, int) and isinstance(left, Dim) and right > 0:
        return _divide_by_number(left, right)
    return _atom("floordiv", left, right)


def _divide_by_number(left: Dim, right: int) -> Size:
    """Floor-divides a size by a number: multiples of `right` leave the atom; a quotient that its bounds determine is a number."""
    multiples = {m: c // right for m, c in left.terms if c % right == 0}
    if multiples:
        rest = from_terms({m: c for m, c in left.terms if c % right})
        return from_terms(multiples) + floordiv(rest, right)
    low, high = bounds(left)
    if high is not None and low // right == high // right:
        return low // right
    return _atom("floordiv", left, right)


def ceildiv(left: Size, right: Size) -> Size:
    """Divides sizes, rounded up: the number of blocks of size `right`."""
    return floordiv(left + right - 1, right)


def round_up(size: Size, multiple: int) -> Size:
    """Rounds a size up to the next multiple."""
    return ceildiv(size, multiple) * multiple


def minimum(left: Size, right: Size) -> Size:
    """The smaller of two sizes, decided by their bounds when possible."""
    if isinstance(left, int) and isinstance(right, int):
        return min(left, right)
    if _at_most(left, right):
        return left
    if _at_most(right, left):
        return right
    return _atom("min", *sorted((left, right), key=str))


def maximum(left: Size, right: Size) -> Size:
    """The larger of two sizes, decided by their bounds when possible."""
    if isinstance(left, int) and isinstance(right, int):
        return max(left, right)
    if _at_most(left, right):
        return right
    if _at_most(right, left):
        return left
    return _atom("max", *sorted((left, right), key=str))


def exact_division(left: Size, right: Size) -> Size | None:
    """Divides two size polynomials; None unless the division is exact for every size."""
    if isinstance(left, int) and isinstance(right, int):
        return left // right if right and left % right == 0 else None
    remainder, quotient = left, 0
    divisor = sorted(_terms(right), key=lambda term: monomial_order(term[0]))
    if not divisor:
        return None
    lead, factor = divisor[0]
    quotient_size: Size = quotient
    while not (isinstance(remainder, int) and remainder == 0):
        monomial, coefficient = sorted(_terms(remainder), key=lambda term: monomial_order(term[0]))[0]
        powers = dict(monomial)
        for atom, power in lead:
            powers[atom] = powers.get(atom, 0) - power
        if coefficient % factor or any(power < 0 for power in powers.values()):
            return None
        step = from_terms({tuple((a, p) for a, p in sorted(powers.items(), key=lambda i: str(i[0])) if p): coefficient // factor})
        quotient_size = quotient_size + step
        remainder = remainder - step * right
    return quotient_size


def bind(size: Size, sizes: Mapping[str, Size]) -> Size:
    """Replaces symbols by sizes, in an int or a Dim."""
    return size.bind(sizes) if isinstance(size, Dim) else size


def evaluate(size: Size, sizes: Mapping[str, int]) -> int:
    """The value of a size, with every symbol bound."""
    value = bind(size, sizes)
    if isinstance(value, Dim):
        missing = ", ".join(sorted(s.name for s in value.symbols()))
        raise RlxError("RLX205", f"size {size}: no value for {missing}", at=None)
    return value


def symbols(size: Size) -> frozenset[Symbol]:
    """The symbols in a size, an int or a Dim."""
    return size.symbols() if isinstance(size, Dim) else frozenset()


def product(sizes: Iterable[Size]) -> Size:
    """Multiplies sizes: the number of elements of a shape."""
    total: Size = 1
    for size in sizes:
        total = total * size
    return total


def same(left: Size, right: Size, assumptions: Iterable[Relation] = ()) -> bool:
    """Whether two sizes are equal for every binding, given assumed equalities (and multiples of them)."""
    if left is right:
        return True
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    difference = left - right
    if isinstance(difference, int):
        return difference == 0
    return any(fact.kind == "==" and exact_division(difference, fact.left - fact.right) is not None for fact in assumptions)


# -- what can be proved about symbolic sizes: bounds over every binding, and `a <= b` --------------------------------
#
# The minimum of a polynomial is found by eliminating its atoms one by one. Written `cofactor·atom + rest`, and with the sign of the
# cofactor known, the atom can be replaced by a bound in the appropriate direction: a number; for `floordiv(a, k)` the linear
# `(a - k + 1)/k` below and `a/k` above; for `min` and `max` their operands. So `16·floordiv(n + 15, 16) - n` is at least
# `(n + 15 - 15) - n`, that is 0, although both of its terms are unbounded. The proofs are sound, not complete.


_MOST_CALLS = 5  # sizes with more opaque atoms than this get numeric bounds only: the cases grow exponentially


def interval(size: Size) -> tuple[float, float]:
    """Smallest and largest value of a size over all bindings: ints, or infinities; never too narrow, not always tight."""
    return _least(size), -_least(-size)


def bounds(size: Size) -> tuple[int, int | None]:
    """Smallest and largest value of a size over all bindings (a very negative number and None if unbounded)."""
    low, high = interval(size)
    return -(2**62) if math.isinf(low) else int(low), None if math.isinf(high) else int(high)


def proves_at_most(left: Size, right: Size, assumptions: Iterable[Relation] = ()) -> bool | None:
    """True if `left <= right` for every binding, False if `left > right` for every binding, else None."""
    room = right - left
    for gap in _gaps(assumptions):
        if _least(room - gap) >= 0:
            return True
        if _least(-room - gap) > 0:
            return False
    return None


def _gaps(assumptions: Iterable[Relation]) -> Iterator[Size]:
    """Sizes that are assumed to be at least 0: zero, each fact, and the sums of two facts."""
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
    """A lower bound of a size over all bindings, by eliminating its atoms."""
    if not isinstance(size, Dim):
        return size
    best = _sum_of_least(size)
    choices = [atom for atom in _atoms(size) if isinstance(atom, OpaqueAtom)]
    if choices and len(choices) <= _MOST_CALLS:
        best = max(best, *(_least_without(size, call) for call in choices[:1]))
    for atom in _atoms(size):
        at_ends = _least_at_ends(size, atom)
        if at_ends is not None:
            return max(best, at_ends)
    return best


def _sum_of_least(size: Dim) -> float:
    """A lower bound of a size that bounds each term separately."""
    total: float = 0
    for monomial, coefficient in size.terms:
        span: tuple[float, float] = (coefficient, coefficient)
        for atom, power in monomial:
            for _ in range(power):
                span = _times(span, _range(atom))
        total += span[0]
    return total


def _least_at_ends(size: Dim, atom: Atom) -> float | None:
    """Replaces an atom by its smallest or largest value; None if the sign of its cofactor is unknown and one end is infinite."""
    cofactor, rest = _split_by_atom(size, atom)
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
    """Replaces a call (`floordiv`, `min`, `max`) by its bound; -inf if nothing is known."""
    cofactor, rest = _split_by_atom(size, call)
    rising = _least(cofactor) >= 0
    if not rising and not _least(-cofactor) >= 0:
        return (
            min(_least(cofactor * call.left + rest), _least(cofactor * call.right + rest))
            if call.function != "floordiv"
            else -math.inf
        )
    if call.function == "floordiv":
        return _least_without_quotient(cofactor, call, rest, rising)
    ends = [_least(cofactor * side + rest) for side in (call.left, call.right)]
    return min(ends) if rising == (call.function == "min") else max(ends)


def _least_without_quotient(cofactor: Size, call: OpaqueAtom, rest: Size, rising: bool) -> float:
    """A lower bound of cofactor·floordiv(a, k) + rest, k >= 1: an int k scales both sides, a symbolic k must divide the cofactor."""
    whole, divisor = call.left, call.right
    if not _least(divisor) >= 1:
        return -math.inf
    bound = whole - divisor + 1 if rising else whole
    if isinstance(divisor, int):
        scaled = _least(cofactor * bound + divisor * rest)
        return -(-int(scaled) // divisor) if math.isfinite(scaled) else scaled
    share = exact_division(cofactor, divisor)
    return -math.inf if share is None else _least(share * bound + rest)


def _split_by_atom(size: Dim, atom: Atom) -> tuple[Size, Size]:
    """Splits `size = cofactor·atom + rest`; the cofactor keeps the remaining powers of the atom."""
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
    """Lists the atoms of a polynomial: calls first, longer ones before those that can occur inside them."""
    atoms = {atom for monomial, _ in size.terms for atom, _ in monomial} if isinstance(size, Dim) else set()
    return sorted(atoms, key=lambda atom: (isinstance(atom, Symbol), -len(str(atom)), str(atom)))


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
    """Floor-divides two interval ends; by infinity it is 0, or -1 for a negative dividend."""
    if math.isinf(left):
        return left
    return (0 if left >= 0 else -1) if math.isinf(right) else left // right


def _times(left: tuple[float, float], right: tuple[float, float]) -> tuple[float, float]:
    """Multiplies two intervals (0 times infinity is 0: the zero is exact)."""
    corners = [0 if a == 0 or b == 0 else a * b for a in left for b in right]
    return min(corners), max(corners)


# -- ready-made symbols


class sym:  # a namespace, spelled as users write it: sym.SEQ
    """Ready-made symbols for sizes, such as `sym.SEQ`.

    >>> sym.SEQ + 1, sym.SEQ == Dim("seq")
    (seq + 1, True)
    """

    BATCH = Dim("batch")
    SEQ = Dim("seq")
    ROWS = Dim("rows")
    PAST_SEQ = Dim("past_seq")
