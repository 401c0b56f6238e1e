"""The kernels that XLA makes of a node: what each multiplies, and what it reads from memory and writes to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rlx.core.enums import OpKind
from rlx.estimate.memory import Fusion, in_f32, scores_of
from rlx.estimate.placement import Placement
from rlx.ir.graph import Node, Ref
from rlx.ir.op import Call
from rlx.ops.attention.backward import CHUNK


@dataclass(frozen=True)
class Kernel:
    """One kernel on one device, or `count` alike."""

    moved: float
    """Bytes read from memory and written to it."""
    flops: float = 0.0
    """Of its products; everything else waits for memory."""
    inner: int = 0
    """The size that its products sum over."""
    in_16_bits: bool = False
    """Whether it multiplies 16-bit floats."""
    count: int = 1


def kernels_of(placement: Placement, fusion: Fusion, node: Node) -> list[Kernel]:
    """Those of a node that writes something; ops element by element that it reads are computed inside of it."""
    composite = _COMPOSITE.get(node.op.definition.name)
    if composite is not None:
        return composite(placement, node)
    read = {root for ref in node.refs for root in fusion.roots[ref]}
    moved = sum(fusion.bytes(ref) for ref in (*read, *node.outputs))
    low = all(placement.graph.shape(ref).dtype.is_low_float for ref in node.refs[:2])
    flops = _products(placement, node)
    inner = int(placement.graph.shape(node.refs[0]).dims[-1]) if flops else 0
    return [Kernel(moved, flops, inner, low)]


def _products(placement: Placement, node: Node) -> float:
    """Operations of one device, of ops whose work is products; everything else moves memory."""
    record = node.op.definition
    if record.kind is not OpKind.Compute or record.cost is None:
        return 0.0
    shapes = [None if ref is None else placement.graph.shape(ref) for ref in node.inputs]
    return float(record.cost(Call(node.op, shapes), node.results)) / placement.share(node)


# -- attention ---------------------------------------------------------------------------------------------------
def _attention(placement: Placement, node: Node) -> list[Kernel]:
    """In f32: scores are written, read and written as shares, and read again."""
    q, k, v = node.refs[:3]
    size, keys, scores = node.op["head_dim"], _keys(placement, node), scores_of(placement, node)
    queries, result = in_f32(placement, (q,)), in_f32(placement, node.outputs)
    return [
        *(_copy(placement, ref) for ref in (q, k, v, *node.outputs)),
        Kernel(queries + in_f32(placement, (k,)) + 4 * scores, 2.0 * scores * size, size),
        Kernel(8 * scores),
        Kernel(4 * scores + in_f32(placement, (v,)) + result, 2.0 * scores * size, keys),
    ]


def _attention_backward(placement: Placement, node: Node) -> list[Kernel]:
    """In f32, in a loop over chunks of queries: two products give the chunk's scores and the gradients of its shares; four passes the
    shares and the scores' gradients; one product the queries' gradients, two are added to those of keys and values."""
    q, k, v, dy = node.refs[:4]
    size, keys = node.op["head_dim"], _keys(placement, node)
    whole, chunk = scores_of(placement, node), scores_of(placement, node, CHUNK)
    count = max(1, whole // chunk)
    work, scores = 2.0 * chunk * size, 4 * chunk
    rows, columns = in_f32(placement, (q,)) // count, in_f32(placement, (k,))
    group = in_f32(placement, (q,)) // columns  # heads that share their keys and values, each with gradients of its own
    return [
        *(_copy(placement, ref) for ref in (q, k, v, dy, *node.outputs)),
        Kernel(in_f32(placement, node.outputs)),  # sums are cleared
        Kernel(rows + columns + scores, work, size, count=2 * count),
        Kernel(scores, count=2 * count),  # the largest of each row, and the sum
        Kernel(3 * scores, count=2 * count),  # shares, and what the scores' gradients are
        Kernel(rows + columns + scores, work, keys, count=count),
        Kernel(rows + scores + (1 + group) * columns, work, min(CHUNK, whole // chunk * CHUNK), count=2 * count),
        Kernel(0, count=_SMALL_IN_LOOP * count),
    ]


_SMALL_IN_LOOP = 6
"""Kernels of a chunk that cut, place, count or correct a column."""


def _copy(placement: Placement, ref: Ref) -> Kernel:
    """To f32, or from it."""
    return Kernel(placement.bytes(ref) + in_f32(placement, (ref,)))


def _keys(placement: Placement, node: Node) -> int:
    return int(placement.graph.shape(node.refs[1]).dims[1])


_COMPOSITE: dict[str, Callable[[Placement, Node], list[Kernel]]] = {
    "attention": _attention,
    "attention_backward": _attention_backward,
}
"""By the name of the op."""
