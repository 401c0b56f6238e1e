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
    """Apply one op (symbols bound) to arrays.

    Value operands are cast to the record's compute dtype, 16-bit floats to f32; results are rounded once to the inferred dtype. With
    `wide`, every float is f64 and stays f64: the reference for tolerances.
    """
    record = op.definition
    assert record.reference is not None, f"{op.name} has no reference"
    if results is None:
        results = op.infer([None if a is None else shape_of(np.asarray(a)) for a in operands])
    if any(True for _ in op.graphs()):  # defined by its bodies, which cast their own operands
        found = record.reference(*operands, **op.attrs, wide=wide)
        return tuple(_finish(np.asarray(array), shape, wide) for array, shape in zip(found, results, strict=True))
    prepared = _prepare(op, operands, wide)
    with np.errstate(all="ignore"):
        found = record.reference(*prepared, **op.attrs)
    outputs = found if isinstance(found, tuple) else (found,)
    finished = tuple(_finish(np.asarray(array), shape, wide) for array, shape in zip(outputs, results, strict=True))
    move = moving.get() if wide else None
    return finished if move is None else move(op, operands, finished, results)


def _prepare(op: Op, operands: Sequence[Array | None], wide: bool) -> list[Array | None]:
    record = op.definition
    values = [a for i, a in enumerate(operands) if a is not None and record.operand(i).role == "value"]
    common = record.compute_dtype(*(DType.of(a.dtype) for a in values)) if record.compute_dtype and values else None
    prepared: list[Array | None] = []
    for index, array in enumerate(operands):
        if array is not None:
            array = np.asarray(array)
            if common is not None and record.operand(index).role == "value":
                array = cast_array(array, common) if not (wide and common.is_float and array.dtype == np.float64) else array
            dtype = DType.of(array.dtype)
            if wide and dtype.is_float:
                array = array.astype(np.float64)
            elif wide and dtype.is_complex:
                array = array.astype(np.complex128)
            elif dtype.is_low_float and record.kind.value != "data_movement":
                array = array.astype(np.float32)
        prepared.append(array)
    return prepared


def _finish(array: Array, shape: Shape, wide: bool) -> Array:
    if wide and shape.dtype.is_float:
        return array.astype(np.float64)
    if wide and shape.dtype.is_complex:
        return array.astype(np.complex128)
    return np.ascontiguousarray(cast_array(array, shape.dtype)).reshape(array.shape)


def evaluate_body(body: Graph, operands: Sequence[Array | None], *, wide: bool = False) -> tuple[Array, ...]:
    """A sub-graph on arrays in the order of its inputs; results in the order of its outputs."""
    names = list(body.inputs)
    given = {name: array for name, array in zip(names, operands, strict=True) if array is not None}
    found = evaluate_graph(body, given, wide=wide)
    return tuple(found[name] for name in body.output_refs)


def evaluate_graph(
    graph: Graph,
    leaves: Mapping[str, Array],
    sizes: Mapping[str, int] | None = None,
    *,
    wide: bool = False,
    watch: Callable[[Node, tuple[Array, ...]], None] | None = None,
) -> dict[str, Array]:
    """Outputs and updates (`update:<name>`) for arrays of all inputs, params and states."""
    values: dict[Ref, Array] = {}
    last_use = {ref: node.id for node in graph.nodes for ref in node.refs}
    kept = {ref for _, ref in graph.results()}
    bind = bool(sizes) and bool(graph.symbols)
    for node in graph.nodes:
        if node.op.definition.leaf:
            outputs: tuple[Array, ...] = (_leaf(node, leaves, wide),)
        else:
            op = node.op.bind(sizes) if bind and sizes else node.op
            shapes = [shape.bind(sizes) for shape in node.results] if bind and sizes else node.results
            given = [None if ref is None else values[ref] for ref in node.inputs]
            try:
                outputs = evaluate_op(op, given, shapes, wide=wide)
            except RlxError as error:
                error.location = error.location or node.origin.location
                raise
        if watch is not None:
            watch(node, outputs)
        for ref, array in zip(node.outputs, outputs, strict=True):
            values[ref] = array
        for ref in node.refs:
            if last_use[ref] == node.id and ref not in kept:
                values.pop(ref, None)
    found = {name: values[ref] for name, ref in graph.output_refs.items()}
    found.update({f"update:{name}": values[ref] for name, ref in graph.updates.items()})
    return found


def _leaf(node: Node, leaves: Mapping[str, Array], wide: bool) -> Array:
    if node.op.is_constant:
        array: Array = node.op.attrs["value"].array
    else:
        array = np.asarray(leaves[node.op.attrs["name"]])
    if wide and DType.of(array.dtype) in (f32, f64):
        return array.astype(np.float64)
    if wide and DType.of(array.dtype).is_low_float:
        return array.astype(np.float64)
    return array
