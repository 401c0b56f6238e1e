"""associative_scan: all prefixes of a product in a logarithmic number of steps, each on whole arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.ir.op import OPS
from rlx.ir.traced_bodies import outer_values
from rlx.ir.value import Value
from rlx.trace.closures import graph_of
from rlx.trace.tree import leaves_of, rebuild, structure

Leaves = list[Value]


def associative_scan_trees(fn: Callable[..., Any], elems: Any, reverse: bool, axis: int) -> Any:
    """`rlx.associative_scan` on Values.

    Neighbors are combined in pairs, the scan of these pairs (half as many) gives every second result, and one more step those in between.
    """
    _, leaves = outer_values(leaves_of(elems), graph_of([fn], elems))
    count = _count(leaves, axis)
    places = [axis % leaf.rank for leaf in leaves]

    def combined(left: Leaves, right: Leaves) -> Leaves:
        found = fn(rebuild(elems, list(left)), rebuild(elems, list(right)))
        if structure(found) != structure(elems):
            message = f"the function of associative_scan returns {structure(found)}, expected {structure(elems)}"
            raise RlxError("RLX114", message, fix="return containers like those of one argument")
        for mine, other in zip(leaves_of(found), left, strict=True):
            if mine.type != other.type:
                message = f"the function of associative_scan returns {mine.type} for elements of {other.type}"
                raise RlxError("RLX102", message, fix="it takes and gives elements of the same shapes and dtypes")
        return leaves_of(found)

    def part(values: Leaves, start: int | None, stop: int | None = None, step: int | None = None) -> Leaves:
        which = slice(start, stop, step)
        return [value[(*[slice(None)] * place, which)] for value, place in zip(values, places, strict=True)]

    def joined(*parts: Leaves) -> Leaves:
        return [OPS["concat"](*pieces, axis=place) for *pieces, place in zip(*parts, places, strict=True)]

    def woven(even: Leaves, odd: Leaves) -> Leaves:
        """One of each in turn, as many of both."""
        found = []
        for first, second, place in zip(even, odd, places, strict=True):
            dims = first.shape
            pair = [value.reshape(*dims[: place + 1], 1, *dims[place + 1 :]) for value in (first, second)]
            both = OPS["concat"](*pair, axis=place + 1)
            found.append(both.reshape(*dims[:place], 2 * dims[place], *dims[place + 1 :]))
        return found

    def prefixes(values: Leaves, count: int) -> Leaves:
        if count < 2:
            return values
        odd = prefixes(combined(part(values, 0, count - 1, 2), part(values, 1, None, 2)), count // 2)
        if count == 2:
            return joined(part(values, 0, 1), odd)
        between = combined(part(odd, 0, (count - 1) // 2), part(values, 2, None, 2))
        even = joined(part(values, 0, 1), between)
        if count % 2 == 0:
            return woven(even, odd)
        return joined(woven(part(even, 0, count // 2), odd), part(even, count // 2))

    given = part(leaves, None, None, -1) if reverse else leaves
    found = prefixes(given, count)
    return rebuild(elems, part(found, None, None, -1) if reverse else found)


def _count(leaves: Sequence[Value], axis: int) -> int:
    """The number of elements, which all leaves agree on."""
    if not leaves:
        raise RlxError("RLX101", "associative_scan of no arrays", fix="pass at least one array")
    sizes = []
    for leaf in leaves:
        if not -leaf.rank <= axis < leaf.rank:
            raise RlxError("RLX104", f"axis {axis} of associative_scan of {leaf.type}")
        sizes.append(leaf.shape[axis])
    for size in sizes:
        if isinstance(size, Dim):
            raise RlxError("RLX202", f"associative_scan over the symbolic size {size}", fix="a static size, or rlx.scan")
        if size != sizes[0]:
            raise RlxError("RLX102", f"associative_scan of {sizes[0]} and {size} elements", fix="arrays of one length")
    return int(sizes[0])
