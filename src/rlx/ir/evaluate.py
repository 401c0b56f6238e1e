"""Evaluation with the records' NumPy references: the definition of every op and graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rlx.core.dtype import DType, cast_array, f32, f64
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.tolerance import moving

if TYPE_CHECKING:
    from rlx.ir.op import Op

Array = npt.NDArray[Any]


def shape_of(array: Array) -> Shape:
    """The Shape of an array."""
    return Shape(array.shape, DType.of(array.dtype))


def evaluate_op(
    op: Op, operands: Sequence[Array | None], results: Sequence[Shape] | None = None, *, wide: bool = False
) -> tuple[Array, ...]:
    """Evaluates one op (symbols bound) on arrays.

    Value operands are cast to the record's compute dtype, 16-bit floats to f32; results are rounded once to the inferred dtype. With
    `wide`, every float is f64 and stays f64: the reference for tolerances.
    """
    record = op.definition
    assert record.reference is not None, f"{op.name} has no reference"
    if results is None:
        results = op.infer([None if a is None else shape_of(np.asarray(a)) for a in operands])
    if any(True for _ in op.graphs()):  # defined by its bodies, which cast their own operands
        arrays = record.reference(*operands, **op.attrs, wide=wide)
        return tuple(_finish(np.asarray(array), shape, wide) for array, shape in zip(arrays, results, strict=True))
    prepared = _prepare(op, operands, wide)
    with np.errstate(all="ignore"):
        outputs = record.reference(*prepared, **op.attrs)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    finished = tuple(_finish(np.asarray(array), shape, wide) for array, shape in zip(outputs, results, strict=True))
    move = moving.get() if wide else None
    return finished if move is None else move(op, operands, finished, results)


def _prepare(op: Op, operands: Sequence[Array | None], wide: bool) -> list[Array | None]:
    """Casts operands to the dtype that the reference computes in."""
    record = op.definition
    dtypes = [DType.of(a.dtype) for i, a in enumerate(operands) if a is not None and record.operand(i).role == "value"]
    common = record.compute_dtype(*dtypes) if record.compute_dtype and dtypes else None
    moves = record.kind.value == "data_movement"

    def prepare(array: Array, role: str) -> Array:
        if common is not None and role == "value" and not (wide and common.is_float and array.dtype == np.float64):
            array = cast_array(array, common)
        array = _widen(array, DType.of(array.dtype)) if wide else array
        return array.astype(np.float32) if not moves and DType.of(array.dtype).is_low_float else array

    return [None if a is None else prepare(np.asarray(a), record.operand(i).role) for i, a in enumerate(operands)]


def _widen(array: Array, dtype: DType) -> Array:
    """Widens floats to f64, complex numbers to c128."""
    if dtype.is_float:
        return array.astype(np.float64)
    return array.astype(np.complex128) if dtype.is_complex else array


def _finish(array: Array, shape: Shape, wide: bool) -> Array:
    if wide and (shape.dtype.is_float or shape.dtype.is_complex):
        return _widen(array, shape.dtype)
    return np.ascontiguousarray(cast_array(array, shape.dtype)).reshape(array.shape)


def evaluate_body(body: Graph, operands: Sequence[Array | None], *, wide: bool = False) -> tuple[Array, ...]:
    """Evaluates a sub-graph on arrays in the order of its inputs; returns results in the order of its outputs."""
    names = list(body.inputs)
    leaves = {name: array for name, array in zip(names, operands, strict=True) if array is not None}
    results = evaluate_graph(body, leaves, wide=wide)
    return tuple(results[name] for name in body.output_refs)


def evaluate_graph(
    graph: Graph,
    leaves: Mapping[str, Array],
    sizes: Mapping[str, int] | None = None,
    *,
    wide: bool = False,
    watch: Callable[[Node, tuple[Array, ...]], None] | None = None,
) -> dict[str, Array]:
    """Evaluates a graph on arrays of all inputs, params and states; returns outputs and updates (`update:<name>`)."""
    values: dict[Ref, Array] = {}
    last_use = {ref: node.id for node in graph.nodes for ref in node.refs}
    results = {ref for _, ref in graph.results()}
    sizes = sizes if graph.symbols else None
    for node in graph.nodes:
        if node.op.definition.leaf:
            outputs: tuple[Array, ...] = (_leaf(node, leaves, wide),)
        else:
            outputs = _evaluate_node(node, [None if ref is None else values[ref] for ref in node.inputs], sizes, wide)
        if watch is not None:
            watch(node, outputs)
        values.update(zip(node.outputs, outputs, strict=True))
        for ref in node.refs:
            if last_use[ref] == node.id and ref not in results:
                values.pop(ref, None)
    named = {**graph.output_refs, **{f"update:{name}": ref for name, ref in graph.updates.items()}}
    return {name: values[ref] for name, ref in named.items()}


def _evaluate_node(node: Node, operands: list[Array | None], sizes: Mapping[str, int] | None, wide: bool) -> tuple[Array, ...]:
    """Evaluates a node, its symbols bound; an error names the line where the node was built."""
    op = node.op.bind(sizes) if sizes else node.op
    shapes = [shape.bind(sizes) for shape in node.results] if sizes else node.results
    try:
        return evaluate_op(op, operands, shapes, wide=wide)
    except RlxError as error:
        error.location = error.location or node.origin.location
        raise


def _leaf(node: Node, leaves: Mapping[str, Array], wide: bool) -> Array:
    if node.op.is_constant:
        array: Array = node.op.attrs["value"].array
    else:
        array = np.asarray(leaves[node.op.attrs["name"]])
    dtype = DType.of(array.dtype)
    return array.astype(np.float64) if wide and (dtype in (f32, f64) or dtype.is_low_float) else array
