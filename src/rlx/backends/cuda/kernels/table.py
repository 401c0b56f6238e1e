"""The kernel table: op name → how it becomes launches. Other ops are decomposed, or run on the host."""

from __future__ import annotations

from rlx.backends.cuda.elementwise import EMIT
from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Lower
from rlx.backends.cuda.kernels import attention, indexing, lines, movement, random, recurrence, rope
from rlx.backends.cuda.kernels import complex as complex_numbers
from rlx.backends.cuda.kernels.attention_step import lower_attention_step
from rlx.backends.cuda.kernels.contraction import lower_contraction, lower_matmul
from rlx.backends.cuda.kernels.region import lower_one, lower_region
from rlx.core.shape import Shape
from rlx.ir.op import Op


def _lower_fused(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """A fused node, by its kind."""
    if op["kind"] == "region":
        return lower_region(op, inputs, outputs)
    if op["kind"] == "contraction":
        return lower_contraction(op, inputs, outputs)
    if op["kind"] == "attention_step":
        return lower_attention_step(op, inputs, outputs)
    return f"fused nodes of kind {op['kind']!r} are inlined first"


_REDUCTIONS = ("sum", "mean", "max", "min", "prod", "any", "all")

KERNELS: dict[str, Lower] = {
    **dict.fromkeys(EMIT, lower_one),
    **{f"reduce_{kind}": lower_one for kind in _REDUCTIONS},
    "fused": _lower_fused,
    "matmul": lower_matmul,
    "packed_matmul": lower_matmul,
    **movement.LOWER,
    **indexing.LOWER,
    **lines.LOWER,
    **random.LOWER,
    **attention.LOWER,
    **rope.LOWER,
    **recurrence.LOWER,
    **complex_numbers.LOWER,
}


ON_HOST = frozenset({"dense_solve", "batched_dense_solve", "triangular_solve", "cholesky", "lu", "qr"})
"""Ops whose decomposition is one of each other: without a kernel for any, the host runs them."""


def find_kernel(name: str) -> Lower | None:
    """The kernel family of an op."""
    return KERNELS.get(name)


def is_composed(op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> bool:
    """Whether passes can take an op apart: by its decomposition, or a complex one by its real parts."""
    from rlx.passes.complex_lowering import COMPLEX_RULES

    shapes = (*(shape for shape in operands if shape is not None), *results)
    by_parts = op.name in COMPLEX_RULES and any(shape.dtype.is_complex for shape in shapes)
    return by_parts or (op.definition.decompose is not None and op.name not in ON_HOST)
