"""The kernel table of the CPU: op name -> its lowering to commands. Other ops are decomposed, or rejected with a reason."""

from __future__ import annotations

from rlx.backends.cpu.emit.kernel import Lower, Lowering, Tensor
from rlx.backends.cpu.kernels import complex as complex_numbers
from rlx.backends.cpu.kernels import experts, max_pool_backward, random, rope, sampling, sorting
from rlx.backends.cpu.kernels.attention import backward as attention_backward
from rlx.backends.cpu.kernels.attention import forward as attention
from rlx.backends.cpu.kernels.attention import paged, pages
from rlx.backends.cpu.kernels.control import lower_host_call
from rlx.backends.cpu.kernels.conv import conv
from rlx.backends.cpu.kernels.conv.form import holds_convolution
from rlx.backends.cpu.kernels.fft import fft
from rlx.backends.cpu.kernels.linalg import cholesky, lu, qr, systems
from rlx.backends.cpu.kernels.matmul.contraction import lower_contraction, lower_pack
from rlx.backends.cpu.kernels.movement import copies, indexing
from rlx.backends.cpu.kernels.quantized import blocked_cast, byte_product, dequant
from rlx.backends.cpu.kernels.quantized import packed as stored
from rlx.backends.cpu.kernels.recurrence import cumulative, delta_net, selective_scan
from rlx.backends.cpu.kernels.region.region import lower_elementwise, lower_reduce, lower_region
from rlx.backends.cpu.target import Target
from rlx.ir.op import OPS, Op, OpDef
from rlx.ops.control.custom_values import USER_KERNELS

__all__ = ["KERNELS", "find_kernel"]


def _lower_fusion(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower a fused node as a region, a contraction or a convolution."""
    if op["kind"] == "region":
        return lower_region(op, inputs, outputs, target)
    if op["kind"] == "contraction":
        lower = conv.lower if holds_convolution(op) else lower_contraction
        return lower(op, inputs, outputs, target)
    return f"fused nodes of kind {op['kind']!r} are inlined first"


def _by_layout(rows: Lower, panels: Lower) -> Lower:
    """Choose the lowering of a packed weight by its layout: stored rows or panels."""

    def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
        return (rows if stored.holds_stored_rows(op) else panels)(op, inputs, outputs, target)

    return lower


_REDUCTIONS = ("sum", "mean", "max", "min", "prod", "any", "all")

KERNELS: dict[str, Lower] = {
    **{record.name: lower_elementwise for record in OPS if record.is_pointwise},
    **{f"reduce_{kind}": lower_reduce for kind in _REDUCTIONS},
    "fused": _lower_fusion,
    "matmul": lower_contraction,
    "grouped_matmul": experts.lower,
    "pack": _by_layout(stored.lower_pack_rows, lower_pack),
    "packed_matmul": _by_layout(stored.lower_product, lower_contraction),
    "packed_grouped_matmul": _by_layout(stored.lower_product, experts.lower),
    "packed_gather": stored.lower_gather,
    "attention": attention.lower,
    "attention_backward": attention_backward.lower,
    **pages.LOWER,
    **paged.LOWER,
    "grouped_matmul_backward_weight": experts.lower_weight_gradient,
    "selective_scan": selective_scan.lower,
    "selective_scan_backward": selective_scan.lower_backward,
    "gated_delta_net": delta_net.lower,
    "gated_delta_net_backward": delta_net.lower_backward,
    **rope.LOWER,
    **indexing.LOWER,
    **copies.LOWER,
    **cumulative.LOWER,
    **sorting.LOWER,
    **random.LOWER,
    **sampling.LOWER,
    **conv.LOWER,
    **max_pool_backward.LOWER,
    **complex_numbers.LOWER,
    **fft.LOWER,
    **cholesky.LOWER,
    **lu.LOWER,
    **qr.LOWER,
    **systems.LOWER,
    **dequant.LOWER,
    **byte_product.LOWER,
    **blocked_cast.LOWER,
}


def _on_host(record: OpDef) -> Lower | None:
    """Lower an op whose record is marked to run on the host: its NumPy reference as a host call."""
    assert record.reference is not None or not record.host, record.name
    return lower_host_call(record.reference, record.host) if record.host and record.reference else None


def find_kernel(name: str) -> Lower | None:
    """The lowering of an op by its name: from the table of kernels, or what a registered op brings (a native kernel, an
    elementwise formula, or a Python function as a host call)."""
    user = USER_KERNELS.get(name)
    if user is None:
        return KERNELS.get(name) or _on_host(OPS[name])
    if "cpu" in user.elementwise:
        return lower_elementwise
    return user.native.get("cpu") or (lower_host_call(user.python["cpu"]) if "cpu" in user.python else None)
