"""Covariance, correlation and convolution."""

from __future__ import annotations

from typing import Any

from rlx.core.dtype import f32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.contraction import matmul
from rlx.frontends.numpy.joining import concat
from rlx.frontends.numpy.reductions import sum as total
from rlx.frontends.numpy.values import counted, emit, floating, promoted
from rlx.ir.array_methods import Array
from rlx.ir.value import Value

__all__ = ["convolve", "corrcoef", "correlate", "cov"]


def _conjugate(x: Value) -> Value:

    return emit("conjugate", x) if x.dtype.is_complex else x


def _rows(m: Any, y: Any, rowvar: bool) -> Array:
    """Variables as rows, observations as columns."""
    values = promoted(*(each for each in (m, y) if each is not None), least=f32)
    found = []
    for value in values:
        if value.rank > 2:
            raise RlxError("RLX102", f"the covariance of {value.type}", fix="one or two axes")
        row = value.reshape((1, value.shape[0] if value.rank else 1)) if value.rank < 2 else value
        found.append(row if rowvar or row.shape[0] == 1 or value.rank < 2 else row.T)
    return concat(found, 0) if len(found) > 1 else found[0]


@array_function
def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
) -> Array:
    """The covariance of variables, rows (or columns) of observations; weights count observations or say what each is worth."""
    rows = as_value(_rows(m, y, rowvar))
    less = (0 if bias else 1) if ddof is None else ddof
    weights = None if fweights is None else floating(as_value(fweights, rows))
    factor = counted(rows, (1,), f32) if weights is None else total(weights)
    worth = None if aweights is None else floating(as_value(aweights, rows))
    if worth is not None:
        weights = worth if weights is None else weights * worth
    if weights is None:
        mean = total(rows, 1, keepdims=True) / factor.astype(rows.dtype)
        share = factor - less
    else:
        whole = total(weights)
        mean = total(rows * weights.astype(rows.dtype), 1, keepdims=True) / whole.astype(rows.dtype)
        share = whole - less if worth is None else whole - less * total(weights * worth) / whole
    apart = rows - mean
    scaled = apart if weights is None else apart * weights.astype(rows.dtype)
    found = matmul(scaled, _conjugate(as_value(apart)).T) / share.astype(rows.dtype)
    return found.reshape(()) if found.shape == (1, 1) else found


@array_function
def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True) -> Array:
    """The correlation of variables, -1 to 1: their covariance over both standard deviations."""
    found = as_value(cov(x, y, rowvar))
    if found.rank == 0:
        return found / found
    size = found.shape[0]
    flat = found.reshape(size * size)
    variance = flat[:: size + 1]
    deviation = emit("sqrt", emit("real", variance) if found.dtype.is_complex else variance)
    found = found / deviation.reshape((size, 1)).astype(found.dtype) / deviation.reshape((1, size)).astype(found.dtype)
    if found.dtype.is_complex:
        re, im = (emit("clamp", emit(name, found), -1.0, 1.0) for name in ("real", "imag"))
        return emit("complex", re, im)
    return emit("clamp", found, -1.0, 1.0)


# -- one axis along another -----------------------------------------------------------------------------------------
def _slid(a: Value, v: Value, mode: str, what: str) -> Value:
    """Sums of products of a with v at every shift, v not turned around."""
    if a.rank != 1 or v.rank != 1 or 0 in (a.shape[0], v.shape[0]):
        raise RlxError("RLX102", f"{what} of {a.type} and {v.type}", fix="two arrays of one axis with elements")
    n, size = a.shape[0], v.shape[0]
    pads = {"full": (size - 1, size - 1), "valid": (0, 0), "same": (size // 2, size - size // 2 - 1)}
    if mode not in pads:
        raise RlxError("RLX109", f"{what} with mode={mode!r}", fix="'full', 'same' or 'valid'")
    low, high = pads[mode]
    padded = a if mode == "valid" else emit("pad", a, low=(low,), high=(high,))
    found = emit("conv", padded.reshape((1, 1, low + n + high)), v.reshape((1, 1, size)))
    return found.reshape((low + n + high - size + 1,))


@array_function
def convolve(a: ArrayLike, v: ArrayLike, mode: str = "full", *, precision: Any = None) -> Value:
    """The convolution of two arrays of one axis: sums of products where v runs backwards over a."""
    x, y = promoted(a, v)
    if isinstance(x.shape[0], int) and isinstance(y.shape[0], int) and x.shape[0] < y.shape[0]:
        x, y = y, x
    return _slid(x, emit("flip", y, axes=(0,)), mode, "convolve")


@array_function
def correlate(a: ArrayLike, v: ArrayLike, mode: str = "valid", *, precision: Any = None) -> Value:
    """The correlation of two arrays of one axis: sums of products of a with v, conjugated, at every shift."""
    x, y = promoted(a, v)
    y = _conjugate(y)
    if isinstance(x.shape[0], int) and isinstance(y.shape[0], int) and x.shape[0] < y.shape[0]:
        return emit("flip", _slid(y, x, mode, "correlate"), axes=(0,))
    return _slid(x, y, mode, "correlate")
