"""One op on a device against the f64 reference: graphs from cases, symbolic variants, and the comparison itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.case import Case, Sample
from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_op, shape_of
from rlx.ir.op import Op, OpDef
from rlx.module import Graph

LARGEST = {"f16": 65504.0}  # past it an f16 is infinite; the other floats hold every number of the cases


# -- comparing --------------------------------------------------------------------------------------------------
def agree(op: Op, operands: Sequence[Any], found: Sequence[Any], what: str, *, drawn: bool = True) -> None:
    """The results of an op (symbols bound) on these operands are what its record says, within its record's bound.

    Operands that are not `drawn` at random may be alike, so that all roundings go one way: then the bound for any numbers holds."""
    tolerance = op.definition.tolerance
    assert tolerance is not None
    tolerance = tolerance.typical() if drawn else tolerance
    wide = evaluate_op(op, operands, wide=True)
    narrow = evaluate_op(op, operands)
    bounds = tolerance.bounds(op, operands, wide, [shape_of(array) for array in narrow])
    for index, (array, expected, stored, bound) in enumerate(zip(found, wide, narrow, bounds, strict=True)):
        where = f"{what}: result {index}"
        assert array.dtype == stored.dtype and array.shape == stored.shape, (
            f"{where}: {array.dtype}{array.shape} is not {stored.dtype}{stored.shape}"
        )
        rounds = DType.of(stored.dtype).category in ("float", "complex", "f8")
        if tolerance.bits_known or not rounds:  # movement, selection, ints, bools: rounded once at most, so the stored bits are known
            same_numbers(array, stored, where)
        else:
            within(array, expected, bound, where)


def same_numbers(found: Any, expected: Any, where: str) -> None:
    """Equal, NaN where NaN is."""
    left, right = widest(found), widest(expected)
    wrong = ~((left == right) | (np.isnan(left) & np.isnan(right))) if left.dtype.kind in "fc" else left != right
    assert not np.any(wrong), f"{where}: {np.count_nonzero(wrong)} of {wrong.size} differ, first {first_of(wrong, found, expected)}"


def within(found: Any, expected: Any, bound: Any, where: str) -> None:
    """Within an absolute bound, element by element; NaN and infinities where the reference has them."""
    left, right = widest(found), widest(expected)
    with np.errstate(all="ignore"):
        fine = (left == right) | (np.isnan(left) & np.isnan(right)) | (np.abs(left - right) <= bound)
        largest = LARGEST.get(DType.of(found.dtype).name)
        if largest is not None:
            fine |= np.isinf(left) & (np.sign(left) == np.sign(right)) & (np.abs(right) + bound >= largest)
        if not np.all(fine):
            ratio = np.nanmax(np.where(fine, 0.0, np.abs(left - right) / np.maximum(bound, 1e-300)), initial=0.0)
            raise AssertionError(
                f"{where}: {np.count_nonzero(~fine)} of {fine.size} outside the bound, worst {ratio:.3g} times, "
                f"first {first_of(~fine, found, expected)}"
            )


def first_of(wrong: Any, found: Any, expected: Any) -> str:
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"at {list(place)}: {found[place]!s} instead of {expected[place]!s}"


def widest(array: Any) -> Any:
    """Floats as f64, complex as c128, the rest as it is."""
    dtype = DType.of(array.dtype)
    if dtype.is_complex:
        return array.astype(np.complex128)
    return array.astype(np.float64) if dtype.is_float or dtype.category == "f8" else array


def same_bits(left: Sequence[Any], right: Sequence[Any], what: str) -> None:
    """Byte for byte."""
    for index, (a, b) in enumerate(zip(left, right, strict=True)):
        assert a.tobytes() == b.tobytes(), f"{what}: result {index} has other bits"


# -- graphs from cases ------------------------------------------------------------------------------------------
@dataclass
class Built:
    """One op in a graph with its operands as inputs x0, x1, …; `sizes` says which symbol stands for which size of the case."""

    graph: Graph
    op: Op
    sizes: dict[int, Dim] = field(default_factory=dict)
    prefix: str = ""

    def feed(self, arrays: Sequence[Any]) -> dict[str, Any]:
        """Its operands by the names of the inputs."""
        return {f"{self.prefix}x{i}": array for i, array in enumerate(arrays) if array is not None}

    def results(self, outputs: Mapping[str, Any]) -> tuple[Any, ...]:
        """Its results among the outputs."""
        return tuple(array for name, array in outputs.items() if name.startswith(f"{self.prefix}y"))


def build(
    record: OpDef,
    shapes: Sequence[Shape | None],
    attrs: Mapping[str, Any],
    extra: Sequence[Dim] = (),
    graph: Graph | None = None,
    prefix: str = "",
) -> Built:
    """The op on inputs of these shapes; symbols that stand in no operand get an input of their own to bind them."""
    graph = graph if graph is not None else Graph(record.name)
    operands = [None if shape is None else graph.input(f"{prefix}x{i}", shape) for i, shape in enumerate(shapes)]
    for dim in extra:
        if f"size_{dim}" not in graph.inputs:
            graph.input(f"size_{dim}", (dim,), "u8")
    found = emit(record, operands, dict(attrs), graph=graph)
    op = graph.nodes[-1].op
    values = found if isinstance(found, tuple) else (found,)
    named = {f"{prefix}y{i}": value.ref for i, value in enumerate(values)}
    graph.set_output_refs({**graph.outputs, **named})
    return Built(graph, op, prefix=prefix)


def shapes_of(arrays: Sequence[Any]) -> list[Shape | None]:
    return [None if a is None else Shape(a.shape, DType.of(a.dtype)) for a in arrays]


def feed(arrays: Sequence[Any]) -> dict[str, Any]:
    return {f"x{i}": array for i, array in enumerate(arrays) if array is not None}


# -- symbolic variants ------------------------------------------------------------------------------------------
# ops of weights laid out for one kernel when they are set: only the rows of x and the shape of indices may be symbols
LAID_OUT = ("interleaved_matmul", "interleaved_grouped_matmul", "interleaved_gather")


def static_sizes(record: OpDef, row: Case) -> set[int]:
    """Sizes of a case that stay numbers."""
    if record.name not in LAID_OUT:
        return set()
    found = {size for name, value in row.attrs.items() for size in attribute_sizes(record, name, value)}
    for index, sample in enumerate(row.operands):
        if sample is not None:
            role = record.operand(index).role
            found |= set(sample.dims if role == "packed" else sample.dims[-1:] if role == "value" else ())
    return found


def solvable(dims: tuple[int, ...]) -> Any:
    """Matrices whose diagonal outweighs their rows."""
    return np.random.default_rng(dims).uniform(-1, 1, dims) + 2 * dims[-1] * np.eye(dims[-1])


# operands whose fixed contents cannot just be repeated at another size
CONTENTS: dict[tuple[str, int], Any] = {("dense_solve", 0): solvable, ("batched_dense_solve", 0): solvable}


def second(size: int) -> int:
    """The other number a symbol is bound to."""
    return size + 3


def symbolic(record: OpDef, row: Case, dtype: str, graph: Graph | None = None, prefix: str = "", least: int | None = None) -> Built | None:
    """The case with as many of its sizes above 1 made symbols as the op's shape rule can follow; None if it follows none.

    Equal sizes become one symbol, in operands and in attributes alike. A symbol lies between the case's size (or `least`) and the second
    one. The rows of one op may stand in one graph: the symbol of a size is the same in all of them.
    """
    shapes = [s and Shape(s.dims, dtype if s.dtype == "f32" else s.dtype) for s in row.operands]
    fixed = static_sizes(record, row)
    inside = sorted({size for shape in shapes if shape is not None for size in shape.dims if size > 1} - fixed)
    attached = sorted({size for name, value in row.attrs.items() for size in attribute_sizes(record, name, value)} - set(inside) - fixed)
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
