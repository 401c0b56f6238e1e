"""MIR as a JAX function: each node by the lowering of its op, composite ones by their decomposition."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp

from rlx.backends.xla.algebra import cast
from rlx.backends.xla.lowerings import LOWERINGS, TAKE_AS_STORED
from rlx.backends.xla.lowerings.control import called_on_host
from rlx.backends.xla.site import Check, Checks, LoweringSite
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_op
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.op import OPS, Op
from rlx.ir.value import Value


def how(op: Op) -> str | None:
    """How XLA lowers an op, in words; None if it does not."""
    record = op.definition
    if record.name in LOWERINGS:
        return "lowering"
    if record.decompose is not None:
        return "via decomposition"
    if not record.operands and not record.effect:
        return "constant"
    return "on the host" if record.reference is not None else None


def trace_graph(
    graph: Graph,
    leaves: Mapping[str, Any],
    sizes: Mapping[str, int],
    checks: Checks,
    trap: bool = False,
    only: Collection[int] | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Traces a graph with its symbols bound, for arrays of its inputs, params and states: returns its outputs and updates.

    Called under `jax.jit`, it is the program; `trap` checks every float that a node gives, `only` leaves nodes out.
    """
    values: dict[Ref, Any] = {}
    bind = bool(sizes) and bool(graph.symbols)
    for node in graph.nodes:
        if only is not None and node.id not in only and not node.op.is_constant:
            continue
        if node.op.definition.leaf:
            results: tuple[Any, ...] = (_leaf(node, leaves),)
        else:
            op = node.op.bind(sizes) if bind else node.op
            shapes = tuple(shape.bind(sizes) for shape in node.results) if bind else node.results
            given = [None if ref is None else values[ref] for ref in node.inputs]
            results = _lowered(op, given, shapes, checks, node)
            if trap:
                _trap(node, results, checks)
        values.update(zip(node.outputs, results, strict=True))
    outputs = {name: values[ref] for name, ref in graph.output_refs.items() if only is None or ref in values}
    return outputs, {name: values[ref] for name, ref in graph.updates.items()}


def _leaf(node: Node, leaves: Mapping[str, Any]) -> Any:
    if node.op.is_constant:
        return jnp.asarray(node.op["value"].array)
    return leaves[node.op["name"]]


def _lowered(op: Op, operands: Sequence[Any], results: tuple[Shape, ...], checks: Checks, node: Node) -> tuple[Any, ...]:
    """Lowers one op; each result is in its shape's dtype."""
    record = op.definition
    given = _in_compute_dtype(op, operands)

    def body(graph: Graph, values: Sequence[Any]) -> tuple[Any, ...]:
        leaves = {name: value for name, value in zip(graph.inputs, values, strict=True) if value is not None}
        outputs, _ = trace_graph(graph, leaves, {}, checks)
        return tuple(outputs.values())

    at = LoweringSite(op, results, checks, node.origin.location, _shapes(given), body)
    with jax.named_scope(record.name):
        if record.name in LOWERINGS:
            result = LOWERINGS[record.name](at, *given)
        elif record.decompose is not None:
            result = body(_decomposition(op, _shapes(operands)), [x for x in operands if x is not None])
        elif not operands and not record.effect:
            result = tuple(jnp.asarray(array) for array in evaluate_op(op, (), results))
        else:
            result = called_on_host(at, *given)
    arrays = result if isinstance(result, tuple) else (result,)
    return tuple(_finished(array, shape, record.name) for array, shape in zip(arrays, results, strict=True))


def _finished(array: Any, shape: Shape, name: str) -> Any:
    dims = tuple(int(size) for size in shape.dims)
    assert array.shape == dims, f"{name} gave {array.shape} instead of {dims}"
    return array if array.dtype == shape.dtype.numpy else cast(array, shape.dtype)


def _in_compute_dtype(op: Op, operands: Sequence[Any]) -> list[Any]:
    """Converts values to the dtype the record computes in: promoted, and 16-bit floats as f32 unless the lowering takes them."""
    record = op.definition
    places = [i for i, x in enumerate(operands) if x is not None and record.operand(i).role == "value"]
    common = None
    if record.compute_dtype is not None and places:
        common = record.compute_dtype(*(DType.of(operands[i].dtype) for i in places))
    as_stored = record.kind.value == "data_movement" or record.name in TAKE_AS_STORED
    widen = not as_stored and not any(True for _ in op.graphs())  # bodies cast their own operands
    given = list(operands)
    for index, array in enumerate(given):
        if array is None:
            continue
        if common is not None and index in places:
            array = cast(array, common)
        dtype = DType.of(array.dtype)
        given[index] = cast(array, dtype.compute) if widen and dtype.is_low_float else array
    return given


def _shapes(arrays: Sequence[Any]) -> tuple[Shape | None, ...]:
    return tuple(None if x is None else Shape(x.shape, DType.of(x.dtype)) for x in arrays)


@lru_cache(maxsize=512)
def _decomposition(op: Op, shapes: tuple[Shape | None, ...]) -> Graph:
    """The decomposition of a composite op, as a graph of its operands that are present."""
    graph = Graph(op.name)
    values = [
        None if shape is None else Value(graph, graph.add_node(OPS["input"].op(name=f"x{i}", shape=shape)).ref)
        for i, shape in enumerate(shapes)
    ]
    assert op.definition.decompose is not None
    result = op.definition.decompose(*values, **op.attrs)
    made = result if isinstance(result, tuple) else (result,)
    graph.set_output_refs({f"y{i}": value.ref for i, value in enumerate(made)})
    return graph.freeze()


def _trap(node: Node, results: Sequence[Any], checks: Checks) -> None:
    """Adds a check that makes the run fail at a result that is not finite."""
    for array in results:
        dtype = DType.of(array.dtype)
        if dtype.is_float or dtype.is_complex:
            message = f"{node.op.name} ({node.origin}) produced NaN or infinity"
            checks.require(jnp.isfinite(array), Check("RLX510", message, None, node.origin.location))
