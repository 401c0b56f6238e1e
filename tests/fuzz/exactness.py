"""Which numbers of a graph are the same in every order and precision of evaluation.

A float tensor whose numbers are multiples of a power of two, `quantum`, and at most `magnitude` large, is exact while
magnitude/quantum fits the mantissa of what it is computed and stored in: sums, products and selections of such numbers have
no rounding. Comparisons, roundings and orderings are only put on exact tensors, so that one last bit never decides them; and
exact results are compared bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rlx.core.dtype import DType
from rlx.ir.graph import Node

MANTISSA = {"f64": 52, "f32": 23, "f16": 10, "bf16": 7, "f8e4m3": 3, "f8e5m2": 2}


class Grid(NamedTuple):
    """Multiples of `quantum` up to `magnitude`."""

    magnitude: float
    quantum: float

    def fits(self, dtype: DType) -> bool:
        """Held by the dtype without rounding; ints and bools hold what they hold."""
        bits = MANTISSA.get(dtype.name)
        return bits is None or (self.magnitude < 2**30 and self.magnitude / self.quantum <= 2**bits and self.quantum >= 2.0**-24)


def grid_of_array(array: np.ndarray) -> Grid | None:
    """The grid of a constant's or leaf's contents."""
    if np.iscomplexobj(array):
        return None
    wide = array.astype(np.float64)
    if not np.isfinite(wide).all():
        return None
    largest = float(np.abs(wide).max(initial=0.0))
    for power in range(0, 25):
        if (wide * 2**power == np.rint(wide * 2**power)).all():
            return Grid(max(largest, 2.0**-power), 2.0**-power)
    return None


def together(grids: Sequence[Grid]) -> Grid:
    """Numbers of any of several grids."""
    return Grid(max(g.magnitude for g in grids), min(g.quantum for g in grids))


def whole(grid: Grid) -> Grid:
    return Grid(grid.magnitude + 1, 1.0)


Rule = Callable[[Node, Sequence[Grid], int], Grid]
SAME: Rule = lambda node, grids, length: grids[0]  # noqa: E731
ANY: Rule = lambda node, grids, length: together(grids)  # noqa: E731
ONE: Rule = lambda node, grids, length: Grid(1.0, 1.0)  # noqa: E731
RULES: dict[str, Rule] = {
    **dict.fromkeys(
        (
            "neg",
            "abs",
            "relu",
            "reshape",
            "transpose",
            "narrow",
            "slice",
            "split",
            "expand",
            "flip",
            "roll",
            "sort",
            "top_k",
            "reduce_max",
            "reduce_min",
            "cast",
        ),
        SAME,
    ),
    **dict.fromkeys(("gather", "take_along_axis", "dynamic_slice", "pack"), SAME),
    **dict.fromkeys(("max", "min", "concat"), ANY),
    "pad": lambda node, grids, length: together([grids[0], Grid(max(abs(node.op["value"]), 1.0), 0.25)]),
    "dynamic_update_slice": lambda node, grids, length: together(grids[:2]),
    "where": lambda node, grids, length: together(grids[1:]),
    "clamp": ANY,
    "relu2": lambda node, grids, length: Grid(grids[0].magnitude ** 2, grids[0].quantum ** 2),
    "add": lambda node, grids, length: Grid(grids[0].magnitude + grids[1].magnitude, together(grids).quantum),
    "sub": lambda node, grids, length: Grid(grids[0].magnitude + grids[1].magnitude, together(grids).quantum),
    "mul": lambda node, grids, length: Grid(grids[0].magnitude * grids[1].magnitude, grids[0].quantum * grids[1].quantum),
    **dict.fromkeys(("round", "floor", "ceil"), lambda node, grids, length: whole(grids[0])),
    **dict.fromkeys(
        ("sign", "eq", "ne", "lt", "le", "gt", "ge", "reduce_any", "reduce_all", "is_nan", "not", "and", "or", "xor"), ONE
    ),
    **dict.fromkeys(
        ("reduce_sum", "cumsum"), lambda node, grids, length: Grid(max(length, 1) * grids[0].magnitude, grids[0].quantum)
    ),
    **dict.fromkeys(
        ("matmul", "dot_general", "packed_matmul", "packed_pair_matmul"),
        lambda node, grids, length: Grid(
            max(length, 1) * grids[0].magnitude * grids[1].magnitude, grids[0].quantum * grids[1].quantum
        ),
    ),
}
INTEGER_RESULTS = frozenset({"argmax", "argmin", "argsort", "iota", "size_value"})


def grid_of_node(
    node: Node, grids: Sequence[Grid | None], results: Sequence[np.ndarray], length: int, computed: DType
) -> list[Grid | None]:
    """The grid of each result, None where it is not exact. `length` is how many terms are summed, over all bindings the largest."""
    found: list[Grid | None] = []
    for index, shape in enumerate(node.results):
        dtype = shape.dtype
        if not (dtype.is_float or dtype.category == "f8" or dtype.is_complex):  # ints and bools have no rounding
            rule = RULES.get(node.op.name)
            known = [g for g in grids if g is not None]
            grid = rule(node, known, length) if rule is not None and known and len(known) == len(grids) else Grid(math.inf, 1.0)
            found.append(grid)
        elif node.op.name == "iota":
            found.append(Grid(4096.0, 1.0) if Grid(4096.0, 1.0).fits(dtype) else None)
        elif dtype.category == "f8":  # the nearest of 256 numbers, of an exact one
            found.append(Grid(512.0, 2.0**-9) if dtype.name == "f8e4m3" else None)
        elif node.op.name in RULES and grids and all(g is not None for g in grids):
            grid = RULES[node.op.name](node, [g for g in grids if g is not None], length)
            found.append(grid if grid.fits(dtype) and grid.fits(computed) else None)
        else:
            found.append(None)
        assert index < len(results)
    return found
