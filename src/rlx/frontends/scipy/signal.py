"""`jax.scipy.signal`: convolution and correlation of arrays with any number of axes up to three."""

from __future__ import annotations

from typing import Any

from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, emit, floating, promote_values
from rlx.frontends.lax.windows import conv_general_dilated
from rlx.frontends.numpy.movement import flip
from rlx.ir.array_methods import Array
from rlx.ir.value import Value

__all__ = ["convolve", "convolve2d", "correlate", "correlate2d", "fftconvolve"]


def _swept(x: Value, kernel: Value, mode: str) -> Array:
    """Slides the kernel, not reversed, over x; the result is cut as NumPy's modes say."""
    if mode not in ("full", "same", "valid"):
        raise RlxError("RLX109", f"a convolution with mode={mode!r}", fix="'full', 'same' or 'valid'")
    rank = x.rank
    if rank != kernel.rank or not 1 <= rank <= 3:
        raise RlxError("RLX102", f"a convolution of {x.type} and {kernel.type}", fix="as many axes, from 1 to 3")
    padding = [_edges(size, mode) for size in kernel.shape]
    out = conv_general_dilated(x.reshape((1, 1, *x.shape)), kernel.reshape((1, 1, *kernel.shape)), (1,) * rank, padding)
    return out.reshape(out.shape[2:])


def _edges(size: Any, mode: str) -> tuple[Any, Any]:
    """The number of zeros to pad before and behind an axis for a kernel of some size."""
    before = {"full": size - 1, "valid": 0, "same": size - 1 - (size - 1) // 2}[mode]
    return before, (size - 1) // 2 if mode == "same" else before


def _is_larger(one: Value, other: Value) -> bool:
    return all(a >= b for a, b in zip(one.shape, other.shape, strict=True))


@array_function
def convolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto", precision: Any = None) -> Array:
    """The convolution of two arrays; `method` and `precision` change nothing."""
    x, kernel = promote_values(floating(in1), in2)
    if mode == "valid" and not _is_larger(x, kernel):
        x, kernel = kernel, x
    return _swept(x, as_value(flip(kernel)), mode)


@array_function
def correlate(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto", precision: Any = None) -> Array:
    """The correlation of two arrays, the second conjugated; `method` and `precision` change nothing."""
    x, kernel = promote_values(floating(in1), in2)
    kernel = emit("conjugate", kernel) if kernel.dtype.is_complex else kernel
    if mode == "valid" and not _is_larger(x, kernel):
        return flip(_swept(kernel, x, mode))
    return _swept(x, kernel, mode)


def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: Any = None) -> Array:
    """As `convolve`, over all axes."""
    if axes is not None:
        raise RlxError("RLX109", f"fftconvolve with axes={axes!r}", fix="all axes; rlx.vmap for the others")
    return convolve(in1, in2, mode=mode)


def _plain_borders(what: str, boundary: str, fillvalue: float) -> None:
    if boundary != "fill" or fillvalue != 0:
        raise RlxError("RLX109", f"{what} with boundary={boundary!r}, fillvalue={fillvalue}", fix="'fill' with 0")


def convolve2d(in1: ArrayLike, in2: ArrayLike, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, **_: Any) -> Array:
    """The convolution of two matrices."""
    _plain_borders("convolve2d", boundary, fillvalue)
    return convolve(in1, in2, mode=mode)


def correlate2d(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, **_: Any
) -> Array:
    """The correlation of two matrices."""
    _plain_borders("correlate2d", boundary, fillvalue)
    return _centered_correlation(in1, in2) if mode == "same" else correlate(in1, in2, mode=mode)


@array_function
def _centered_correlation(in1: ArrayLike, in2: ArrayLike) -> Array:
    """Mode 'same' for matrices, which starts one later than that of `correlate` where a size of the kernel is even."""
    x, kernel = promote_values(floating(in1), in2)
    kernel = emit("conjugate", kernel) if kernel.dtype.is_complex else kernel
    return flip(_swept(as_value(flip(x)), as_value(flip(kernel)), "same"))
