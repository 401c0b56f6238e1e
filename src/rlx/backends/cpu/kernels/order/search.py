"""searchsorted: a binary search of each query in its line, on the keys that sorting uses."""

from __future__ import annotations

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.types import I32, type_of
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.movement.runs import index_of, merged, offset_of, shares, unit_count, walk_runs
from rlx.backends.cpu.kernels.order.sorting import KeyLine, Keys
from rlx.backends.cpu.target import Target
from rlx.core.dim import product
from rlx.ir.op import Op

_QUERY_BYTES = 128  # the work of one query, counted as a copy of as many bytes


def _position(line: KeyLine, query: Value, behind_equal: bool) -> Value:
    """How many keys are below the query, or not above it."""
    k = line.code.code
    low, high = k.var(k.index(0)), k.var(line.length)
    with k.loop() as loop:
        start, end = low.get(), high.get()
        loop.stop(start >= end)
        middle = (start + end).ushr(1)
        key = line.key(middle)
        below = key <= query if behind_equal else key < query
        low.set(k.select(below, middle + 1, start))
        high.set(k.select(below, end, middle))
    return low.get()


def lower_search(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """The positions of queries in sorted lines."""
    lines, queries = inputs
    assert lines is not None and queries is not None
    batch = len(lines.dims) - 1
    line_strides = [*lines.strides[:-1], *(0 for _ in queries.dims[batch:])]
    dims, (line_steps, query_steps, out_steps) = merged(queries.dims, line_strides, queries.strides, outputs[0].strides)
    keys, stored = Keys(lines.dtype), type_of(lines.dtype.name)
    right = op.attrs["side"] == "right"

    def emit(code: KernelCode) -> None:
        k = code.code
        first, last = shares(code, product(dims), _QUERY_BYTES, align=1)
        length = index_of(code, lines.dims[-1])
        for positions, column, count in walk_runs(code, dims, first, last):
            for at in k.range(count):
                place = [*positions, column + at]
                base = k.pointer(code.pointer(0), offset_of(code, place, line_steps), stored)
                line = KeyLine(code, keys, base, code.size(lines.strides[-1]), length)
                query = keys.of(code, k.load(code.pointer(1), offset_of(code, place, query_steps), stored))
                found = k.convert(_position(line, query, right), I32)
                k.store(found, code.pointer(2), offset_of(code, place, out_steps))

    units = unit_count(product(dims), _QUERY_BYTES)
    key = (dims, line_steps, query_steps, out_steps, lines.strides[-1], lines.dims[-1], keys, right)
    return Lowering((Stage("searchsorted", ("searchsorted", key), (0, 1, 2), units, emit),))


LOWER: dict[str, Lower] = {"searchsorted": lower_search}
"""The op of this file by name."""
