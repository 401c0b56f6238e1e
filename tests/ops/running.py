"""Applying records to arrays the way graphs do: built on Values, normalized, evaluated by the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from rlx.core.dim import Size
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.ir.emit import emit, normalize
from rlx.ir.evaluate import evaluate_graph, evaluate_op, shape_of
from rlx.ir.graph import Graph, Layout
from rlx.ir.op import OPS, Call, Op, OpDef
from rlx.ir.value import Value

RANDOM = np.random.default_rng(0)


def place(graph: Graph, name: str, dims: Sequence[Size], dtype: str = "f32") -> Value:
    """An input of a graph, which may be symbolic."""
    return Value(graph, graph.add_node(OPS["input"].op(name=name, shape=Shape(dims, dtype))).ref)


def op_for(record: OpDef, shapes: Sequence[Shape | None], **attrs: Any) -> Op:
    """The op with canonical attributes."""
    return normalize(record.op(**attrs), shapes)


def run(record: OpDef, *arrays: Any, wide: bool = False, **attrs: Any) -> Any:
    """The reference's result for arrays (None: a missing operand), through `evaluate_op`."""
    given = [None if array is None else np.asarray(array) for array in arrays]
    shapes = [None if array is None else shape_of(array) for array in given]
    op = op_for(record, shapes, **attrs)
    inferred = op.infer(shapes)
    results = evaluate_op(op, given, wide=wide)
    for shape, array in zip(inferred, results, strict=True):
        assert array.shape == shape.dims
        assert wide or array.dtype == shape.dtype.numpy
    several = len(record.results) > 1 or record.results[0].endswith("*")
    return results if several else results[0]


def infer(record: OpDef, *shapes: Shape | None, **attrs: Any) -> Any:
    """Result shapes for operand shapes, built as a node."""
    graph = Graph("test")
    operands = [None if s is None else place(graph, f"x{i}", s.dims, s.dtype.name) for i, s in enumerate(shapes)]
    found = emit(record, operands, attrs, graph=graph)
    return tuple(value.type for value in found) if isinstance(found, tuple) else found.type


def draw(dims: Sequence[int], dtype: str = "f32", low: float = -3, high: float = 3, seed: int | None = None) -> Any:
    """Random numbers of a dtype."""
    random = RANDOM if seed is None else np.random.default_rng(seed)
    kind = DType.of(dtype)
    if kind.is_bool:
        return random.random(dims) < 0.5
    if kind.is_integer:
        return random.integers(max(int(low), 0) if kind.category == "uint" else int(low), int(high) + 1, dims).astype(kind.numpy)
    values = random.uniform(low, high, dims)
    return (values + 1j * random.uniform(low, high, dims) if kind.is_complex else values).astype(kind.numpy)


def decomposed(record: OpDef, *arrays: Any, **attrs: Any) -> Any:
    """The results of the record's decomposition."""
    graph = Graph("test")
    given = {f"x{i}": np.asarray(array) for i, array in enumerate(arrays) if array is not None}
    operands = [
        None if array is None else place(graph, f"x{i}", np.shape(array), DType.of(np.asarray(array).dtype).name)
        for i, array in enumerate(arrays)
    ]
    op = op_for(record, [None if value is None else value.type for value in operands], **attrs)
    assert record.decompose is not None
    found = record.decompose(*operands, **op.attrs)
    values = found if isinstance(found, tuple) else (found,)
    graph.set_output_refs({f"y{i}": value.ref for i, value in enumerate(values)})
    results = tuple(evaluate_graph(graph, given).values())
    return results if isinstance(found, tuple) else results[0]


def symbolic(
    record: OpDef, shapes: Sequence[Shape], sizes: Mapping[str, int], attrs: Mapping[str, Any], decompose: bool = False
) -> None:
    """Infer with symbols, bind, and compare shapes and values with the same op built on static shapes."""
    graph, bound = Graph("symbolic"), Graph("bound")
    given = [place(graph, f"x{i}", shape.dims, shape.dtype.name) for i, shape in enumerate(shapes)]
    static = [place(bound, f"x{i}", shape.bind(sizes).dims, shape.dtype.name) for i, shape in enumerate(shapes)]
    bound_attrs = record.op(**attrs).bind(sizes).attrs
    left = emit(record, given, dict(attrs), graph=graph)
    right = emit(record, static, dict(bound_attrs), graph=bound)
    if decompose:
        assert record.decompose is not None
        left = record.decompose(*given, **graph.nodes[-1].op.attrs)
    lefts, rights = (v if isinstance(v, tuple) else (v,) for v in (left, right))
    graph.set_output_refs({f"y{i}": value.ref for i, value in enumerate(lefts)})
    bound.set_output_refs({f"y{i}": value.ref for i, value in enumerate(rights)})
    arrays = {f"x{i}": draw(s.bind(sizes).dims, s.dtype.name, low=0, high=2, seed=i) for i, s in enumerate(shapes)}
    for a, b in zip(lefts, rights, strict=True):
        assert a.type.bind(sizes) == b.type
    found, wanted = evaluate_graph(graph, arrays, sizes), evaluate_graph(bound, arrays)
    for name, array in wanted.items():
        # one form sums in another order: what cancels in an element is as large as the largest of them
        largest = np.max(np.abs(array), initial=1.0, where=np.isfinite(array)) if array.dtype.kind in "fc" else 1.0
        np.testing.assert_allclose(found[name], array, rtol=1e-5, atol=1e-6 * float(largest))


def through_view(record: OpDef, x: Any, layout: Layout, **attrs: Any) -> tuple[Any, Any]:
    """What the view facet reads from the buffer of `x` under `layout`, and what the reference gives for it."""
    source = strided(x, layout)
    op = op_for(record, [shape_of(source)], **attrs)
    assert record.view is not None
    found = record.view(Call(op, [shape_of(source)]), layout)
    wanted = evaluate_op(op, [source])
    if found is None:
        return None, wanted[0]
    if isinstance(found, tuple):
        return tuple(strided(x, part) for part in found), wanted
    return strided(x, found), wanted[0]


def strided(buffer: Any, layout: Layout) -> Any:
    """The elements of a flat buffer that a layout names, none of them outside of it."""
    dims = tuple(int(size) for size in layout.dims)
    if 0 in dims:
        return np.zeros(dims, buffer.dtype)
    ends = [layout.offset + sum(end(0, (n - 1) * s) for n, s in zip(dims, layout.strides, strict=True)) for end in (min, max)]
    assert ends[0] >= 0 and ends[1] < buffer.size, f"{layout} leaves a buffer of {buffer.size}"
    item = buffer.itemsize
    return as_strided(buffer[layout.offset :], dims, [stride * item for stride in layout.strides])
