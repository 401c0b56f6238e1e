"""The chips a run can be planned for: published peaks, and the fraction of them that a training step reaches."""

from __future__ import annotations

import difflib
import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rlx.core.enums import OpKind
from rlx.core.errors import RlxError
from rlx.core.sharding import Mesh
from rlx.estimate.memory import Fusion, in_f32, scores_of
from rlx.estimate.placement import Exchange, Placement
from rlx.ir.graph import Node, Ref
from rlx.ir.op import Call
from rlx.ops.attention.attention import CHUNK


@dataclass(frozen=True)
class Chip:
    """One accelerator of the estimator. Rates are per second and per chip; interconnect bandwidths count one direction.

    >>> find_chip("h200").memory_bytes
    141000000000
    """

    name: str
    memory_bytes: int
    bf16_flops: float
    """Peak of 16-bit matmuls, without sparsity."""
    f32_flops: float
    """Peak of matmuls in full f32 precision: on TPUs six passes of bf16."""
    memory_bandwidth: float
    link_bandwidth: float
    """Bandwidth between chips of one domain: all links of a chip together."""
    domain: int
    """Chips that these links join: a pod of a torus, the GPUs of a server."""
    torus_axes: int
    """Axes of the torus; 0: a switch, where every pair of chips has the full bandwidth."""
    network_bandwidth: float
    """Bandwidth between domains."""
    kernel_seconds: float
    """Launch overhead of one kernel."""
    topology: str
    """The chip's name in `jax.experimental.topologies`; empty: it has none."""
    source: str

    @property
    def is_tpu(self) -> bool:
        """Whether the chip is a TPU."""
        return self.torus_axes > 0

    @property
    def merged_bytes(self) -> int:
        """The size up to which XLA merges matmuls that read the same rows: 60 MB were merged, 77 MB were not."""
        return 0 if self.is_tpu else 64 << 20

    @property
    def in_16_bits(self) -> Products:
        """The speed of 16-bit float matmuls."""
        return Products(self.bf16_flops, *(_ON_TPU if self.is_tpu else _ON_GPU_IN_16_BITS))

    @property
    def in_f32(self) -> Products:
        """The speed of matmuls in full f32 precision."""
        return Products(self.f32_flops, *(_ON_TPU if self.is_tpu else _ON_GPU_IN_F32))


@dataclass(frozen=True)
class Products:
    """How fast a chip multiplies matrices."""

    peak: float
    fraction: float
    """The fraction of the peak that a matmul with a long reduction reaches."""
    ramp: int
    """The reduction size at which a matmul reaches half of that: loading a tile's first operands and storing its result take as
    many steps."""

    def rate(self, inner: int) -> float:
        """Operations per second of a matmul with a reduction of size `inner`."""
        return self.peak * self.fraction * inner / (inner + self.ramp)


_ON_TPU = (0.75, 0)
"""Assumed fraction and ramp of matmuls on TPUs."""
_ON_GPU_IN_16_BITS = (0.80, 300)
"""On an H200 cuBLAS reached 0.80 of the peak at 8192³, and 0.69 to 0.71 where 2048 are summed (bench/history/cuda.json)."""
_ON_GPU_IN_F32 = (0.60, 32)
"""Assumed fraction and ramp of f32 matmuls on GPUs."""
MEMORY_FRACTION = 0.85
"""The fraction of the memory bandwidth that a kernel reaches: a copy on an H200 reached 0.90."""
LINK_FRACTION = 0.8
"""The fraction of the link bandwidth that a ring of many chips reaches."""

_TPU = "Google Cloud TPU documentation, system architecture of "
_TERA, _GIGA = 1e12, 1e9

CHIPS: dict[str, Chip] = {
    chip.name: chip
    for chip in (
        Chip(
            "v5e",
            16 << 30,
            197 * _TERA,
            197 / 6 * _TERA,
            819 * _GIGA,
            200 * _GIGA,
            256,
            2,
            3.125 * _GIGA,
            1e-6,
            "v5e",
            _TPU + "v5e: 197 TFLOP/s, 16 GB at 819 GB/s, links 1600 Gbit/s, pod of 256, 6.4 Tbit/s of network a pod",
        ),
        Chip(
            "v5p",
            95 << 30,
            459 * _TERA,
            459 / 6 * _TERA,
            2765 * _GIGA,
            600 * _GIGA,
            8960,
            3,
            6.25 * _GIGA,
            1e-6,
            "v5p",
            _TPU + "v5p: 459 TFLOP/s, 95 GB at 2765 GB/s, links 4800 Gbit/s, pod of 8960",
        ),
        Chip(
            "v6e",
            32 << 30,
            918 * _TERA,
            918 / 6 * _TERA,
            1640 * _GIGA,
            400 * _GIGA,
            256,
            2,
            12.5 * _GIGA,
            1e-6,
            "v6e",
            _TPU + "v6e: 918 TFLOP/s, 32 GB at 1640 GB/s, links 3200 Gbit/s, pod of 256, 25.6 Tbit/s of network a pod",
        ),
        Chip(
            "h100",
            80 * 10**9,
            989 * _TERA,
            67 * _TERA,
            3350 * _GIGA,
            450 * _GIGA,
            8,
            0,
            50 * _GIGA,
            3e-6,
            "",
            "NVIDIA H100 data sheet (SXM): 989 TFLOP/s without sparsity, 80 GB at 3.35 TB/s, NVLink 900 GB/s both ways; "
            "DGX H100: 8 × 400 Gbit/s",
        ),
        Chip(
            "h200",
            141 * 10**9,
            989 * _TERA,
            67 * _TERA,
            4800 * _GIGA,
            450 * _GIGA,
            8,
            0,
            50 * _GIGA,
            3e-6,
            "",
            "NVIDIA H200 data sheet (SXM): as H100 with 141 GB at 4.8 TB/s; DGX H200: 8 × 400 Gbit/s",
        ),
        Chip(
            "b200",
            180 * 10**9,
            2250 * _TERA,
            80 * _TERA,
            8000 * _GIGA,
            900 * _GIGA,
            8,
            0,
            50 * _GIGA,
            3e-6,
            "",
            "NVIDIA Blackwell architecture brief (HGX B200): 2250 TFLOP/s without sparsity; "
            "DGX B200 data sheet: 1440 GB and 64 TB/s for 8, NVLink 1.8 TB/s both ways, 8 × 400 Gbit/s",
        ),
    )
}
"""Published numbers of each chip, by name."""


def find_chip(name: str) -> Chip:
    """Returns the chip with this name; an unknown name is RLX406."""
    if name not in CHIPS:
        near = difflib.get_close_matches(name, CHIPS, 1)
        fix = f"one of: {', '.join(CHIPS)}" + (f"; did you mean {near[0]}?" if near else "")
        raise RlxError("RLX406", f"{name!r:.60} is not a chip that is known", fix=fix)
    return CHIPS[name]


# -- the kernels that XLA makes of a node: what each multiplies, and what it reads from memory and writes to it ------


@dataclass(frozen=True)
class Kernel:
    """One kernel on one device, or `count` equal ones."""

    moved: float
    """Bytes read from memory and written to it."""
    flops: float = 0.0
    """Arithmetic operations of matmuls; all other ops wait for memory."""
    inner: int = 0
    """The reduction size of the matmuls."""
    in_16_bits: bool = False
    """Whether it multiplies 16-bit floats."""
    count: int = 1


def kernels_of(placement: Placement, fusion: Fusion, node: Node) -> list[Kernel]:
    """The kernels of a node that writes a result; the elementwise ops that it reads are computed inside them."""
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
    """The matmul operations of a node on one device; 0 for a node whose time is memory traffic."""
    record = node.op.definition
    if record.kind is not OpKind.Compute or record.cost is None:
        return 0.0
    shapes = [None if ref is None else placement.graph.shape(ref) for ref in node.inputs]
    return float(record.cost(Call(node.op, shapes), node.results)) / placement.share(node)


# -- attention ---------------------------------------------------------------------------------------------------
def _attention(placement: Placement, node: Node) -> list[Kernel]:
    """The kernels of attention in f32: scores are written, read, written as softmax weights, and read again."""
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
    """The kernels of the attention gradient in f32, in a loop over chunks of queries.
    Two matmuls give the chunk's scores and the gradients of its softmax weights, and four passes the weights and the gradients of the
    scores. One matmul gives the gradients of the queries; two are accumulated into those of keys and values."""
    q, k, v, dy = node.refs[:4]
    size, keys = node.op["head_dim"], _keys(placement, node)
    whole, chunk = scores_of(placement, node), scores_of(placement, node, CHUNK)
    count = max(1, whole // chunk)
    work, scores = 2.0 * chunk * size, 4 * chunk
    rows, columns = in_f32(placement, (q,)) // count, in_f32(placement, (k,))
    group = in_f32(placement, (q,)) // columns  # heads that share their keys and values, each with gradients of its own
    return [
        *(_copy(placement, ref) for ref in (q, k, v, dy, *node.outputs)),
        Kernel(in_f32(placement, node.outputs)),  # zeroes the sums
        Kernel(rows + columns + scores, work, size, count=2 * count),
        Kernel(scores, count=2 * count),  # the maximum and the sum of each row
        Kernel(3 * scores, count=2 * count),  # softmax weights, and the gradients of scores
        Kernel(rows + columns + scores, work, keys, count=count),
        Kernel(rows + scores + (1 + group) * columns, work, min(CHUNK, whole // chunk * CHUNK), count=2 * count),
        Kernel(0, count=_SMALL_IN_LOOP * count),
    ]


_SMALL_IN_LOOP = 6
"""Small kernels per chunk, which slice, update, count or correct a column."""


def _copy(placement: Placement, ref: Ref) -> Kernel:
    """The kernel that converts a value to f32 or from f32."""
    return Kernel(placement.bytes(ref) + in_f32(placement, (ref,)))


def _keys(placement: Placement, node: Node) -> int:
    return int(placement.graph.shape(node.refs[1]).dims[1])


_COMPOSITE: dict[str, Callable[[Placement, Node], list[Kernel]]] = {
    "attention": _attention,
    "attention_backward": _attention_backward,
}
"""The kernels of composite ops, by op name."""


# -- how long a step takes: each kernel as long as its arithmetic or its memory traffic needs, and what of the exchanges is not hidd


@dataclass(frozen=True)
class StepTime:
    """Estimated seconds of one training step on one device, by part."""

    flops: float
    """Arithmetic operations of matmuls, attention and convolutions on one device."""
    traffic: float
    """Bytes read from and written to memory."""
    compute: float
    """Seconds of all kernels, one after the other."""
    hidden: float
    """Seconds of exchanges of weights and gradients, which overlap with compute."""
    exposed: float
    """Seconds of exchanges of activations, which the next kernel waits for."""

    @property
    def total(self) -> float:
        """The longer of kernel time and overlapped exchanges, plus the exchanges that kernels wait for."""
        return max(self.compute, self.hidden) + self.exposed


def step_time(placement: Placement, fusion: Fusion, chip: Chip) -> StepTime:
    """Adds up the estimated time of every kernel and of every exchange of a step."""
    flops = traffic = compute = 0.0
    graph = placement.graph
    updates = set(graph.updates.values())
    for node in graph.nodes:
        if node.op.definition.leaf or not any(ref in fusion.written or ref in updates for ref in node.outputs):
            continue
        for kernel in kernels_of(placement, fusion, node):
            flops += kernel.flops * kernel.count
            traffic += kernel.moved * kernel.count
            compute += kernel_seconds(kernel, chip) * kernel.count
    seconds: dict[bool, float] = defaultdict(float)
    for one in placement.exchanges:
        seconds[one.of_params] += exchange_seconds(one, placement.table.mesh, chip)
    return StepTime(flops, traffic, compute, seconds[True], seconds[False])


def kernel_seconds(kernel: Kernel, chip: Chip) -> float:
    """The longer of a kernel's arithmetic time and its memory time, plus the launch overhead."""
    reached = chip.in_16_bits if kernel.in_16_bits else chip.in_f32
    products = kernel.flops / reached.rate(kernel.inner) if kernel.flops else 0.0
    return max(products, kernel.moved / (chip.memory_bandwidth * MEMORY_FRACTION)) + chip.kernel_seconds


# -- exchanges ---------------------------------------------------------------------------------------------------
_ROUNDS: Mapping[str, int] = {"all-gather": 1, "reduce-scatter": 1, "all-reduce": 2}
"""Rounds of the ring: an all-reduce is a reduce-scatter and an all-gather."""


def exchange_seconds(one: Exchange, mesh: Mesh, chip: Chip) -> float:
    """Seconds of one collective: rings inside a domain, and the network between domains, to which each chip sends its part.

    Devices along the last axis of a mesh are adjacent.
    """
    count = math.prod(mesh.axes[name] for name in one.axes)
    if count == 1:
        return 0.0
    inside, outside = _inside(one, mesh, chip), 1.0
    outside = count / inside
    rounds = _ROUNDS[one.kind]
    seconds = one.bytes * (inside - 1) / inside / _ring_bandwidth(mesh, chip) if inside > 1 else 0.0
    if outside > 1:
        seconds += one.bytes * (outside - 1) / outside / (inside * chip.network_bandwidth * LINK_FRACTION)
    return rounds * seconds


def _inside(one: Exchange, mesh: Mesh, chip: Chip) -> float:
    """How many of the devices of one collective are in the same domain."""
    inside, stride = 1.0, 1
    for name, size in reversed(mesh.axes.items()):
        fits = max(1.0, min(size, chip.domain / stride))
        inside *= fits if name in one.axes else 1
        stride *= size
    return inside


def _ring_bandwidth(mesh: Mesh, chip: Chip) -> float:
    """The bandwidth of a ring: all links of a switch, or on a torus those of one axis if the mesh has several."""
    axes = sum(size > 1 for size in mesh.shape)
    shared = min(axes, chip.torus_axes) if chip.is_tpu else 1
    return chip.link_bandwidth * LINK_FRACTION / max(1, shared)
