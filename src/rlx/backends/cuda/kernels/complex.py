"""Complex numbers and their parts: a complex tensor is floats side by side, real part first."""

from __future__ import annotations

from dataclasses import replace

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Lower
from rlx.backends.cuda.kernels.movement import FlatKernel
from rlx.backends.cuda.text import aligned_strides
from rlx.core.dtype import DType
from rlx.ir.op import Op


def _parts(tensor: CudaTensor) -> CudaTensor:
    """A complex tensor as the floats of its real parts; the imaginary parts are at the next element."""
    part = DType.of("f32" if tensor.dtype.name == "c64" else "f64")
    return replace(tensor, dtype=part, strides=tuple(2 * s for s in tensor.strides), offset=2 * tensor.offset)


class _PartsKernel:
    """A kernel over the elements of a result, which loads complex operands as real and imaginary parts."""

    def __init__(self, op: Op, inputs: tuple[CudaTensor | None, ...], out: CudaTensor) -> None:
        self.flat = FlatKernel(op.name, out.dims, (*inputs, out))
        self.k, self.inputs, self.out = self.flat.k, inputs, out
        self.zero = f"tl.full(({self.flat.block},), 0, tl.int32)"

    def loaded(self, operand: int) -> tuple[str, str | None]:
        """Loads the parts of an operand; None for the imaginary part of a real one."""
        tensor = self.inputs[operand]
        assert tensor is not None
        floats = _parts(tensor) if tensor.dtype.is_complex else tensor
        strides = aligned_strides(floats.dims, floats.strides, self.out.dims)
        k, mask = self.k, self.flat.mask
        address = k.let(f"{k.pointer(operand, floats)} + {k.offset(self.flat.positions, strides)} + {self.zero}", "q")
        real = k.let(f"tl.load({address}, mask={mask})", "v")
        return real, k.let(f"tl.load({address} + 1, mask={mask})", "v") if tensor.dtype.is_complex else None

    def finish(self, real: str, imaginary: str | None = None) -> CudaLowering:
        """Stores the result of the complex op."""
        k, mask, step = self.k, self.flat.mask, "" if imaginary is None else " * 2"
        floats = self.out if imaginary is None else _parts(self.out)
        target = k.pointer(len(self.inputs), floats, written=True)
        k.line(f"tl.store({target} + i{step}, {real}, mask={mask})")
        if imaginary is not None:
            k.line(f"tl.store({target} + i * 2 + 1, {imaginary}, mask={mask})")
        return CudaLowering((self.flat.launch(),))


def _of_parts(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers conjugate, real, imag and complex_norm_sq of one complex operand."""
    (x,), (y,) = inputs, outputs
    assert x is not None
    if not x.dtype.is_complex:
        return f"{op.name} of {x.dtype}"
    kernel = _PartsKernel(op, inputs, y)
    a, b = kernel.loaded(0)
    match op.name:
        case "conjugate":
            return kernel.finish(a, f"-{b}")
        case "real":
            return kernel.finish(a)
        case "imag":
            return kernel.finish(str(b))
        case _:
            return kernel.finish(f"{a} * {a} + {b} * {b}")


def lower_complex(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers `complex`: stores two floats as one number."""
    if any(tensor is None or _parts(outputs[0]).dtype is not tensor.dtype for tensor in inputs):
        return "parts of another dtype"
    kernel = _PartsKernel(op, inputs, outputs[0])
    return kernel.finish(kernel.loaded(0)[0], kernel.loaded(1)[0])


def lower_norm_backward(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers the gradient of complex_norm_sq: 2·dy·x, or of the conjugate."""
    x = inputs[0]
    if x is None or not x.dtype.is_complex:
        return "a real operand"
    kernel = _PartsKernel(op, inputs, outputs[0])
    (a, b), (dy, _) = kernel.loaded(0), kernel.loaded(1)
    sign = "-2.0" if op["conjugated"] else "2.0"
    return kernel.finish(f"2.0 * {dy} * {a}", f"{sign} * {dy} * {b}")


LOWER: dict[str, Lower] = {
    **dict.fromkeys(("conjugate", "real", "imag", "complex_norm_sq"), _of_parts),
    "complex": lower_complex,
    "complex_norm_sq_backward": lower_norm_backward,
}
"""The ops of this file by name."""
