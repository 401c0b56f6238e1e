"""insert_qdq: pairs of quantize and dequantize around the operands of layers. The graph with pairs simulates the integer one."""

from __future__ import annotations

from collections.abc import Mapping

from rlx.ir.emit import constant
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.pattern import Rewriter, ValueMap
from rlx.ir.value import Value, as_dtype
from rlx.ops.quantized.quantize import dequantize, quantize
from rlx.quant.grid import Grid
from rlx.quant.layers import own_name

STAGE = "insert_qdq"


def insert_qdq(graph: Graph, grids: Mapping[int, tuple[Grid, Grid]]) -> tuple[Graph, ValueMap]:
    """matmul(x, w)  ->  matmul(dequantize(quantize(x)), dequantize(quantize(w)))        for nodes with grids, those of x and of w

    Layers that read one value share its pair.

    >>> import numpy as np, rlx
    >>> g = rlx.Graph("one"); x = g.input("x", (8, 4)); g.set_outputs({"y": x @ g.param("w", (4, 2))})
    >>> grid = Grid(np.float32(0.1))
    >>> paired, _ = insert_qdq(g, {2: (grid, grid)})
    >>> [node.op.name for node in paired.nodes if not node.op.definition.leaf]
    ['quantize', 'dequantize', 'quantize', 'dequantize', 'matmul']
    """
    rewriter = Rewriter(graph, STAGE)
    shared: dict[tuple[Ref, float, int], Value] = {}
    for node in graph.nodes:
        if node.id in grids:
            rewriter.replace(node, paired(rewriter, node, grids[node.id], shared))
        else:
            rewriter.copy(node)
    return rewriter.finish()


def paired(
    rewriter: Rewriter, node: Node, grids: tuple[Grid, Grid], shared: dict[tuple[Ref, float, int], Value] | None = None
) -> Value:
    """A layer with rounded operands; `shared` has the pairs of inputs made so far."""
    shared, (x_grid, w_grid) = {} if shared is None else shared, grids
    key = (node.refs[0], float(x_grid.scale), x_grid.zero)
    if key not in shared:
        shared[key] = rewriter.build(node, _pair, rewriter.value(node.refs[0]), x_grid)
    weight = rewriter.build(node, _pair, rewriter.value(node.refs[1]), w_grid)
    operands = [shared[key].ref, weight.ref, *(None if ref is None else rewriter.ref(ref) for ref in node.inputs[2:])]
    made = rewriter.graph.add_node(node.op, operands, results=node.results, name=own_name(node), origin=node.origin)
    return Value(rewriter.graph, made.ref)


def _pair(x: Value, grid: Grid) -> Value:
    """x quantized to the grid and dequantized, in x's dtype."""
    scale = constant(x.graph, grid.scale)
    zero = constant(x.graph, grid.zero) if grid.zero else None
    rounded: Value = dequantize(quantize(x, scale, zero, axis=grid.axis), scale, zero, axis=grid.axis)
    return as_dtype(rounded, x.dtype)
