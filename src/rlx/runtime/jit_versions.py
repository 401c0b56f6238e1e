"""The versions of a jitted function: the sizes each one covers, what to try for new sizes, and how many are kept.

A version is traced with a pattern of sizes: static ones, and symbols for those that change between calls. Sizes that no version fits are
tried as symbols first; if the function cannot be traced that way (`x[2]`, `x.reshape(2, -1)`, sizes of 1 against others), with sizes of 1
concrete, and finally with all sizes concrete.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Generic, TypeVar

from rlx.core.dim import Dim, Relation, Size
from rlx.core.dim import symbols as symbols_of

VERSIONS = 64  # kept for each jitted function; the least recently used is evicted first

Place = tuple[str, int]  # an axis of an argument: path and number
Pattern = tuple[tuple[Place, Size], ...]
Held = TypeVar("Held")


@dataclass(frozen=True)
class Sizes:
    """The sizes that a version covers: its pattern, and what was assumed about the symbols while tracing."""

    pattern: Pattern
    untrue: Sequence[Relation] = ()  # equalities that the function's code took as false
    facts: Sequence[Relation] = ()  # what the graph assumes

    def fit(self, sizes: Mapping[Place, int]) -> bool:
        """Whether it covers a call with these sizes."""
        bound: dict[str, int] = {}
        for place, size in self.pattern:
            number = sizes[place]
            if isinstance(size, int):
                if size != number:
                    return False
                continue
            symbol = size.symbol
            assert symbol is not None, "patterns have only sizes and symbols"
            if number < symbol.minimum or bound.setdefault(symbol.name, number) != number:
                return False
        return not any(_holds(fact, bound) for fact in self.untrue) and all(_holds(fact, bound) is not False for fact in self.facts)


def _holds(fact: Relation, bound: Mapping[str, int]) -> bool | None:
    """Whether a fact is true for these sizes; None if it also involves declared dims, which a run checks."""
    names = {symbol.name for size in (fact.left, fact.right) for symbol in symbols_of(size)}
    return fact.holds(bound) if names <= bound.keys() else None


@dataclass
class Kind:
    """The calls of one kind (containers, dtypes, static arguments): which sizes have changed so far, and what was tried for them."""

    known: dict[Place, Size]  # for each undeclared axis: its size, or the symbol it has become
    versions: dict[Pattern, Sizes] = field(default_factory=dict)
    failed: dict[Pattern, str] = field(default_factory=dict)  # patterns with symbols that could not be traced, and why

    def find(self, sizes: Mapping[Place, int]) -> Pattern | None:
        """The pattern of a version for these sizes: exactly these, else one with symbols."""
        exact = tuple(sizes.items())
        if exact in self.versions:
            return exact
        return next((pattern for pattern, valid in list(self.versions.items()) if has_symbols(pattern) and valid.fit(sizes)), None)

    def candidates(self, sizes: Mapping[Place, int], grown: Mapping[Place, Size]) -> list[Pattern]:
        """Patterns to try for sizes that no version fits, the most general first; in the last all sizes are concrete."""
        wanted = [_with(sizes, which, kept) for which in (grown, _joined(sizes, grown)) for kept in ((0,), (0, 1))]
        tried = dict.fromkeys(pattern for pattern in wanted if has_symbols(pattern))
        left = [pattern for pattern in tried if pattern not in self.failed and pattern not in self.versions]
        return [*left, tuple(sizes.items())]

    def fail(self, pattern: Pattern, why: str) -> None:
        """Record that a pattern could not be traced."""
        self.failed[pattern] = why
        while len(self.failed) > VERSIONS:
            del self.failed[next(iter(self.failed))]

    def why_static(self, sizes: Mapping[Place, int], grown: Mapping[Place, Size]) -> str:
        """Why these sizes need a specialized version: what failed with symbols; empty if nothing was tried."""
        return self.failed.get(_with(sizes, grown, (0,)), "")

    def grown(self, sizes: Mapping[Place, int], symbol: Callable[[Place], Dim]) -> dict[Place, Size]:
        """The known sizes, updated with these: axes whose size differs from the known one get symbols.

        Sizes that were equal so far and change together get one symbol, so that what was proved about them still holds; axes of one
        symbol that arrive with different sizes are separated again. A size of 0 is a special case, and changes nothing.
        """
        after = dict(self.known)
        holders: dict[Size, int] = {}  # the value of each symbol in this call: the size of its first axis
        made: dict[tuple[Size, int], Dim] = {}
        for place, size in sizes.items():
            before = after[place]
            if size == 0 or size == (holders.setdefault(before, size) if isinstance(before, Dim) else before):
                continue
            if (before, size) not in made:
                made[before, size] = symbol(place)
            after[place] = made[before, size]
        return after


def _with(sizes: Mapping[Place, int], grown: Mapping[Place, Size], kept: Sequence[int]) -> Pattern:
    """The known sizes, with sizes of 0 or 1 concrete."""
    return tuple((place, size if size in kept else grown[place]) for place, size in sizes.items())


def _joined(sizes: Mapping[Place, int], grown: Mapping[Place, Size]) -> dict[Place, Size]:
    """The known sizes, with one symbol for all axes of equal size now: separated axes can belong together again."""
    first: dict[int, Dim] = {}
    return {place: first.setdefault(sizes[place], size) if isinstance(size, Dim) else size for place, size in grown.items()}


def has_symbols(pattern: Pattern) -> bool:
    """Whether a pattern covers more than one set of sizes."""
    return any(isinstance(size, Dim) for _, size in pattern)


class Versions(Generic[Held]):
    """All versions of one function, by kind of call and pattern of sizes; only the most recently used of both are kept.

    >>> versions, kind = Versions(limit=2), Kind({})
    >>> for size in (3, 4, 5):
    ...     gone = versions.add("f32", kind, Sizes(((("x", 0), size),)), f"for {size}")
    >>> gone, list(versions)
    ([((('x', 0), 3),)], ['for 4', 'for 5'])
    """

    def __init__(self, limit: int = VERSIONS) -> None:
        self.limit, self._lock = limit, Lock()
        self._kinds: dict[Any, Kind] = {}
        self._held: OrderedDict[tuple[Any, Pattern], Held] = OrderedDict()

    def kind(self, key: Any, sizes: Mapping[Place, int]) -> Kind:
        """The kind of a call; a new one is stored only once it has a version."""
        found = self._kinds.get(key)
        return Kind(dict(sizes)) if found is None else found

    def find(self, key: Any, kind: Kind, sizes: Mapping[Place, int]) -> Held | None:
        """The version for a call, now the most recently used."""
        with self._lock:
            pattern = kind.find(sizes)
            if pattern is None or (key, pattern) not in self._held:
                return None
            self._held.move_to_end((key, pattern))
            return self._held[key, pattern]

    def add(self, key: Any, kind: Kind, sizes: Sizes, held: Held) -> list[Pattern]:
        """Store a version; returns the patterns of the evicted ones."""
        gone = []
        with self._lock:
            self._kinds.setdefault(key, kind).versions[sizes.pattern] = sizes
            self._held[key, sizes.pattern] = held
            while len(self._held) > self.limit:
                (key, pattern), _ = self._held.popitem(last=False)
                gone.append(pattern)
                owner = self._kinds[key]
                del owner.versions[pattern]
                if not owner.versions:
                    del self._kinds[key]
        return gone

    def __iter__(self) -> Iterator[Held]:
        return iter(self._held.values())

    def __len__(self) -> int:
        return len(self._held)
