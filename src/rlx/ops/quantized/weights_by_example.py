"""Packed weights in a batch: the rules of the products and gathers that read them.

Weights shared by all examples stay packed, and the rows or indices of all examples read them. Weights that differ by
example are experts, one more axis in front of each operand; nvfp4's global scale, of which there is one for all
experts, is multiplied in afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlx.core.dim import product
from rlx.core.quant_scheme import QuantScheme
from rlx.ir.emit import constant, emit
from rlx.ir.graph import Graph
from rlx.ops.contraction.grouped import experts_of_all
from rlx.ops.record import OPS, Call, DType, Size, Value, as_dtype
from rlx.transforms.rules.batch_formulas import again, any_batched, batched, merged, separated
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_op, batch_size, in_front


class _Storage:
    """w, scale, zp and global_scale of all examples as experts `[n·E, …]`, and the factor `[n]` left to multiply by, if any.

    `places` are their operands; an example has `experts` of them, None where it has one without an axis for it.
    """

    def __init__(
        self, call: Call, operands: Operands, axes: Sequence[Axis], places: Sequence[int], experts: Size | None, columns: Size
    ) -> None:
        self.size = size = batch_size(operands, axes)
        self.factor: Value | None = None
        self.operands: list[Value | None] = []
        for name, index in zip(("w", "scale", "zp", "global_scale"), places, strict=True):
            value, axis = (operands[index], axes[index]) if index < len(operands) else (None, None)
            if value is not None and axis is not None and name == "global_scale":
                self.factor, value = value, constant(value.graph, 1.0, value.dtype)
            elif value is not None and axis is not None and value.rank == 1:  # one scale for a whole weight: one for each column
                dims = (size, 1 if experts is None else experts, columns)
                value = merged(OPS["expand"](value.reshape(size, 1, 1), shape=dims), 0, size)
            elif value is not None and (axis is not None or value.rank):
                value = in_front(value, axis, size) if experts is None else merged(value, axis, size)
            self.operands.append(value)

    def scaled(self, result: Value, dtype: DType) -> Value:
        """A result `[n, …]` times the factor, in another dtype."""
        if self.factor is not None:
            result = result * self.factor.reshape(self.size, *(1,) * (result.rank - 1))
        return as_dtype(result, dtype)


def batch_dequant_matmul(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """x @ shared packed weights: more rows. Weights by example: the experts of their rows."""
    if not any_batched(axes, (1, 2, 3, 4)):
        return batched(again(call, operands))
    (example,) = call.op.infer(call.shapes, call.assumptions)
    stored = _Storage(call, operands, axes, (1, 2, 3, 4), None, example.dims[-1])
    x = operands[0]
    assert x is not None
    rows = product(example.dims[:-1])
    whole = as_dtype(in_front(x, axes[0], stored.size), x.dtype.compute).reshape(stored.size * rows, call.given[0].dims[-1])
    chosen = _example_of_row(x.graph, stored.size, rows)
    w, *rest = stored.operands
    found = OPS["dequant_grouped_matmul"](whole, w, chosen, *rest, scheme=call.scheme)
    return batched([stored.scaled(found.reshape(stored.size, *example.dims), example.dtype)])


def batch_dequant_grouped(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """The rows of all examples; weights that differ by example are more experts."""
    x, _, experts = operands[:3]
    assert x is not None and experts is not None
    size = batch_size(operands, axes)
    rows = merged(x, axes[0], size)
    if not any_batched(axes, (1, 3, 4, 5)):
        return separated(call, again(call, (rows, operands[1], merged(experts, axes[2], size), *operands[3:])), size)
    (example,) = call.op.infer(call.shapes, call.assumptions)
    stored = _Storage(call, operands, axes, (1, 3, 4, 5), call.given[1].dims[0], example.dims[-1])
    chosen = experts_of_all(call, experts, axes[2], size, call.given[1].dims[0])
    w, *rest = stored.operands
    (found,) = again(call, (as_dtype(rows, rows.dtype.compute), w, chosen, *rest))
    return batched([stored.scaled(found.reshape(size, *example.dims), example.dtype)])


def batch_dequant_moe(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """The experts of all examples."""
    (example,) = call.op.infer(call.shapes, call.assumptions)
    stored = _Storage(call, operands, axes, (0, 1, 2, 3), call.given[0].dims[0], example.dims[-1])
    (found,) = again(call, stored.operands, dtype="f32", k=example.dims[1])
    return batched([stored.scaled(found.reshape(stored.size, *example.dims), example.dtype)])


def batch_dequant_gather(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """A shared table stays packed and takes more indices; tables by example are made dense first."""
    if not any_batched(axes, (0, 2, 3, 4)):
        return batched(again(call, operands))
    scheme: QuantScheme = call.scheme
    w, indices = operands[:2]
    assert w is not None and indices is not None
    (example,) = call.op.infer(call.shapes, call.assumptions)
    width, stored_shape = example.dims[-1], call.given[0]
    k: Size
    if scheme.is_gguf():
        k, columns = width, stored_shape.dims[0]
    else:
        columns = width
        k = stored_shape.dims[-1] * 2 // width if stored_shape.rank == 1 else stored_shape.dims[-2]
    stored = _Storage(call, operands, axes, (0, 2, 3, 4), None, columns)
    table = OPS["dequant_moe_weights"](*stored.operands, scheme=scheme, k=k, dtype="f32")
    table = stored.scaled(table.transpose(0, 2, 1) if scheme.is_gguf() else table, example.dtype)
    gather = OPS["gather"].op(axis=0, mode=call.mode, check_bounds=call.check_bounds)
    return batch_op(w.graph, gather, (table, indices), (0, axes[1]))


def _example_of_row(graph: Graph, size: Size, rows: Size) -> Value:
    """`[n·M]`: for each row the number of its example."""
    number: Value = emit(OPS["iota"], (), {"shape": (size, rows), "axis": 0}, graph=graph)
    return number.reshape(size * rows)
