"""Which kernels there are, and what passes and the plan ask of this device: the kernel table, claims, launches.

Ops outside the table are decomposed, or run on the host.
"""

from __future__ import annotations

from rlx.backends.cuda.elementwise import EMIT, refusal
from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, HostStep, Lower
from rlx.backends.cuda.kernels import attention, indexing, lines, movement, random, recurrence, rope
from rlx.backends.cuda.kernels import complex as complex_numbers
from rlx.backends.cuda.kernels.attention_step import lower_attention_step
from rlx.backends.cuda.kernels.contraction import lower_contraction, lower_matmul
from rlx.backends.cuda.kernels.movement import copy
from rlx.backends.cuda.kernels.region import lower_one, lower_region
from rlx.core.shape import Shape
from rlx.ir.op import Op
from rlx.ir.parse_lir import Place
from rlx.passes.legalize import NO_KERNEL


def lower_fused(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers a fused node, by its kind."""
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
    "fused": lower_fused,
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
    """Finds the kernel family of an op."""
    return KERNELS.get(name)


def is_composed(op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> bool:
    """Whether passes can decompose an op: by its decomposition, or a complex one by its real parts."""
    from rlx.passes.complex_parts import COMPLEX_RULES

    shapes = (*(shape for shape in operands if shape is not None), *results)
    by_parts = op.name in COMPLEX_RULES and any(shape.dtype.is_complex for shape in shapes)
    return by_parts or (op.definition.decompose is not None and op.name not in ON_HOST)


def reason_against(op: Op, operands: tuple[Shape | None, ...], results: tuple[Shape, ...]) -> str | None:
    """None if the op is a view, has a kernel on dense operands, or can only run on the host; else why it is to be decomposed."""
    if op.definition.view is not None:
        return None
    reason: CudaLowering | str | None
    if op.definition.is_pointwise:  # its line of the table says it, without a kernel
        reason = refusal(op.name, [shape.dtype for shape in (*operands, *results) if shape is not None])
    else:
        inputs = tuple(None if shape is None else CudaTensor.dense(shape) for shape in operands)
        reason = _kernel(op, inputs, tuple(CudaTensor.dense(shape) for shape in results))
    return reason if isinstance(reason, str) and is_composed(op, operands, results) else None


def _kernel(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    family = find_kernel(op.name)
    return NO_KERNEL if family is None else family(op, inputs, outputs)


class CudaCommands:
    """The CUDA kernel table as planning sees it; an op without a kernel is a step on the host, which compiling reports."""

    name = "cuda"

    def __init__(self, traps: bool = False) -> None:
        self.traps = traps
        self.known: dict[object, CudaLowering | str] = {}

    def lower(self, op: Op, inputs: tuple[Place | None, ...], outputs: tuple[Place, ...]) -> CudaLowering | str:
        """Launches for one op; a layout that its kernel cannot read is made dense first."""
        tensors = tuple(None if place is None else CudaTensor.at(place) for place in inputs)
        key = (op, tensors, tuple(CudaTensor.at(place) for place in outputs))
        if key not in self.known:  # equal layers are lowered once
            self.known[key] = self._lowered(*key)
        return self.known[key]

    def _lowered(self, op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
        lowering = _kernel(op, inputs, outputs)
        if not isinstance(lowering, str):
            return lowering
        dense = tuple(None if tensor is None else CudaTensor.dense(tensor.shape) for tensor in inputs)
        if dense != inputs and not isinstance(_kernel(op, dense, outputs), str):
            return lowering  # the plan makes the operands dense
        step = HostStep(op.name, tuple(range(len(inputs) + len(outputs))), op, len(inputs), lowering)
        return CudaLowering((step,))

    def copy(self, source: Place, target: Place) -> CudaLowering:
        """The launch of one strided copy."""
        return copy(CudaTensor.at(source), CudaTensor.at(target))

    def trap(self, name: str, place: Place) -> CudaLowering | None:
        """The host step that checks a value for NaN and infinities."""
        if not (place.dtype.is_float or place.dtype.is_complex):
            return None
        return CudaLowering((HostStep(name, (0,), None, 1, "trap_nan"),))
