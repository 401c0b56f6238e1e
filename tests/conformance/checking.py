"""Symbolic variants of the records' cases; graphs of cases and the comparison itself are those of `rlx.backends.conformance`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlx.backends.conformance.cases import Built, build, feed, shapes_of
from rlx.backends.conformance.supported import agree, same_bits, within
from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import OpDef
from rlx.ir.tolerance import Case, Sample, first_of, widest
from rlx.layouts.table import parse_layout
from rlx.ops.linalg.solve import positive_definite

__all__ = [
    "Built",
    "agree",
    "build",
    "draw_at",
    "feed",
    "first_of",
    "same_bits",
    "second",
    "shapes_of",
    "symbolic",
    "widest",
    "within",
]


# -- symbolic variants ------------------------------------------------------------------------------------------
def static_sizes(record: OpDef, row: Case) -> set[int]:
    """Sizes of a case that stay numbers: with stored blocks in a layout only the rows of x and the shape of indices may be symbols."""
    layout = row.attrs.get("layout") if record.name.startswith("pack") else None
    if layout is None or parse_layout(layout).scheme is None:
        return set()
    found = {size for name, value in row.attrs.items() for size in attribute_sizes(record, name, value)}
    for index, sample in enumerate(row.operands):
        if sample is not None:
            operand = record.operand(index)
            whole = operand.name == "w" or record.name == "pack"
            found |= set(sample.dims if whole else sample.dims[-1:] if operand.role == "value" else ())
    return found


def solvable(dims: tuple[int, ...]) -> Any:
    """Matrices whose diagonal outweighs their rows."""
    return np.random.default_rng(dims).uniform(-1, 1, dims) + 2 * max(dims[-2:]) * np.eye(*dims[-2:])


# operands whose fixed contents cannot just be repeated at another size
def ascending(dims: tuple[int, ...]) -> Any:
    """Lines in order, as a search needs them, with equal numbers, both zeros and a NaN at the end of long ones."""
    line = np.sort(np.resize(np.float32([-2, -1, -1, -0.0, 0, 1, 2, np.nan]), dims[-1:]))
    return np.broadcast_to(line, dims).copy()


CONTENTS: dict[tuple[str, int], Any] = {
    **{(name, 0): solvable for name in ("dense_solve", "batched_dense_solve", "triangular_solve", "lu", "qr")},
    ("cholesky", 0): lambda dims: positive_definite(*dims),
    ("searchsorted", 0): ascending,
}


def second(size: int) -> int:
    """The other number a symbol is bound to."""
    return size + 3


def symbolic(
    record: OpDef, row: Case, dtype: str, graph: Graph | None = None, prefix: str = "", least: int | None = None
) -> Built | None:
    """The case with as many of its sizes above 1 made symbols as the op's shape rule can follow; None if it follows none.

    Equal sizes become one symbol, in operands and in attributes alike. A symbol lies between the case's size (or `least`) and the second
    one. The rows of one op may stand in one graph: the symbol of a size is the same in all of them.
    """
    shapes = [s and Shape(s.dims, dtype if s.dtype == "f32" else s.dtype) for s in row.operands]
    fixed = static_sizes(record, row)
    inside = sorted({size for shape in shapes if shape is not None for size in shape.dims if size > 1} - fixed)
    attached = sorted(
        {size for name, value in row.attrs.items() for size in attribute_sizes(record, name, value)} - set(inside) - fixed
    )
    chosen: dict[int, Dim] = {}

    def made(sizes: Mapping[int, Dim], graph: Graph | None, prefix: str) -> Built:
        swapped = [shape and Shape([sizes.get(n, n) for n in shape.dims], shape.dtype) for shape in shapes]
        attrs = {name: replace_sizes(record, name, value, sizes) for name, value in row.attrs.items()}
        return build(record, swapped, attrs, [dim for number, dim in sizes.items() if number in attached], graph, prefix)

    for size in (*inside, *attached):
        low = size if least is None else least
        attempt = {**chosen, size: Dim(f"s{size}", min=low, max=second(size))}
        try:
            made(attempt, None, "")
        except RlxError:
            continue
        chosen = attempt
    if not chosen:
        return None
    best = made(chosen, graph, prefix)
    best.sizes = chosen
    return best


def attribute_sizes(record: OpDef, name: str, value: Any) -> list[int]:
    if record.attrs[name].kind not in ("size", "sizes") or value is None:
        return []
    return [size for size in (value if isinstance(value, tuple) else (value,)) if size > 1]


def replace_sizes(record: OpDef, name: str, value: Any, sizes: Mapping[int, Dim]) -> Any:
    if record.attrs[name].kind not in ("size", "sizes") or value is None:
        return value
    changed: tuple[Size, ...] = tuple(sizes.get(size, size) for size in (value if isinstance(value, tuple) else (value,)))
    return changed if isinstance(value, tuple) else changed[0]


def draw_at(row: Case, built: Built, numbers: Mapping[int, int], dtype: str) -> list[Any]:
    """The operands of a case with its sizes replaced; fixed contents repeat, unless there is a rule for them."""
    random = np.random.default_rng(7)
    arrays: list[Any] = []
    for index, sample in enumerate(row.operands):
        if sample is None:
            arrays.append(None)
            continue
        dims = tuple(numbers.get(size, size) for size in sample.dims)
        kind = dtype if sample.dtype == "f32" else sample.dtype
        if (built.op.name, index) in CONTENTS:
            array = CONTENTS[built.op.name, index](dims)
        elif sample.fixed is not None:
            array = np.resize(np.asarray(sample.fixed), dims).astype(DType.of(sample.dtype).numpy)
        else:
            array = Sample(dims, sample.dtype, sample.low, sample.high).array(random)
        arrays.append(array.astype(DType.of(kind).numpy))
    return arrays
