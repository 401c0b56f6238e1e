"""Grids: the mapping between integers and values, q ↔ (q - zero)·scale, and the pairs of quantize and dequantize on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rlx.core.aligned import Array
from rlx.ir.emit import constant
from rlx.ir.graph import Graph, Node, Ref
from rlx.ir.pattern import Rewriter, ValueMap
from rlx.ir.value import Value, as_dtype
from rlx.ops.quantized.quantize import dequantize, quantize
from rlx.quant.layers import own_name

_TINY = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True, eq=False)
class Grid:
    """The grid of i8 values: one f32 scale, or one for each index of `axis`, and one zero point.

    >>> grid = Grid(np.float32(0.5), zero=10)
    >>> grid.scale * (np.int8([10, 12]) - grid.zero)
    array([0., 1.], dtype=float32)
    """

    scale: Array
    zero: int = 0
    axis: int | None = None

    @staticmethod
    def of_range(low: float, high: float, symmetric: bool = False) -> Grid:
        """A grid of 256 steps over a range extended to 0, so that 0 is exact; an all-zero range has scale 1.

        >>> grid = Grid.of_range(0.0, 25.5)
        >>> round(float(grid.scale), 6), grid.zero
        (0.1, -128)
        """
        low, high = min(low, 0.0), max(high, 0.0)
        if symmetric:
            top = max(-low, high)
            return Grid(np.asarray(max(top / 127, _TINY) if top else 1.0, np.float32))
        if low == high:
            return Grid(np.asarray(1.0, np.float32))
        scale = np.asarray(max((high - low) / 255, _TINY), np.float32)
        return Grid(scale, int(np.clip(np.rint(-128 - low / float(scale)), -128, 127)))

    @staticmethod
    def of_weight(weight: Array, axis: int | None) -> Grid:
        """A grid with steps of max|w|/127, per channel or for the tensor; a channel of zeros takes the largest other scale."""
        others = tuple(a for a in range(weight.ndim) if a != axis) if axis is not None else None
        top = np.max(np.abs(weight.astype(np.float64)), axis=others, initial=0.0)
        spare = float(top.max(initial=0.0)) or 127.0
        return Grid(np.maximum(np.where(top == 0, spare, top) / 127, _TINY).astype(np.float32), 0, axis)

    def rounded(self, array: Array) -> Array:
        """Rounds values to the grid."""
        scale = self.scale if self.axis is None else self.scale.reshape([-1 if a == self.axis else 1 for a in range(array.ndim)])
        return np.asarray((np.clip(np.rint(array / scale) + self.zero, -128, 127) - self.zero) * scale)


def signal_to_noise(wanted: Array, found: Array) -> float:
    """10·log10 of the power of `wanted` over that of the difference, in dB; inf if there is no difference.

    >>> signal_to_noise(np.array([3.0, 4.0]), np.array([3.0, 4.5]))
    20.0
    """
    exact = wanted.astype(np.float64)
    return decibels(float(np.square(exact).sum()), float(np.square(exact - found.astype(np.float64)).sum()))


def decibels(signal: float, noise: float) -> float:
    """The ratio of two powers in dB; inf without noise."""
    if noise == 0:
        return float("inf")
    return float(10 * np.log10(signal / noise)) if signal else float("-inf")


# -- insert_qdq: pairs of quantize and dequantize around the operands of layers. The graph with pairs simulates the integer one


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
            rewriter.replace(node, round_operands(rewriter, node, grids[node.id], shared))
        else:
            rewriter.copy(node)
    return rewriter.finish()


def round_operands(
    rewriter: Rewriter, node: Node, grids: tuple[Grid, Grid], shared: dict[tuple[Ref, float, int], Value] | None = None
) -> Value:
    """Emits a layer with rounded operands; `shared` caches the quantize and dequantize of each input."""
    shared, (x_grid, w_grid) = {} if shared is None else shared, grids
    key = (node.refs[0], float(x_grid.scale), x_grid.zero)
    if key not in shared:
        shared[key] = rewriter.build(node, _pair, rewriter.value(node.refs[0]), x_grid)
    weight = rewriter.build(node, _pair, rewriter.value(node.refs[1]), w_grid)
    operands = [shared[key].ref, weight.ref, *(None if ref is None else rewriter.ref(ref) for ref in node.inputs[2:])]
    made = rewriter.graph.add_node(node.op, operands, results=node.results, name=own_name(node), origin=node.origin)
    return Value(rewriter.graph, made.ref)


def _pair(x: Value, grid: Grid) -> Value:
    """Emits the quantize and dequantize of x, in x's dtype."""
    scale = constant(x.graph, grid.scale)
    zero = constant(x.graph, grid.zero) if grid.zero else None
    rounded: Value = dequantize(quantize(x, scale, zero, axis=grid.axis), scale, zero, axis=grid.axis)
    return as_dtype(rounded, x.dtype)
