"""Bits packed into bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.dtype import i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.movement import moveaxis
from rlx.frontends.numpy.values import axis_of, emit, size_of
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant
from rlx.ir.value import Value

__all__ = ["packbits", "unpackbits"]


def _shifts(like: Value, bitorder: str) -> Value:

    if bitorder not in ("big", "little"):
        raise RlxError("RLX109", f"bitorder={bitorder!r}", fix="'big' or 'little'")
    order = range(7, -1, -1) if bitorder == "big" else range(8)
    return constant(like.graph, np.array(list(order), np.int32))


def _bits_last(a: Any, axis: int | None, what: str) -> tuple[Value, int]:

    value = as_value(a)
    if axis is None:
        return value.reshape(size_of(value.shape)), 0
    place = axis_of(axis, value.rank, what)
    return as_value(moveaxis(value, place, -1)), place


@array_function
def packbits(a: ArrayLike, axis: int | None = None, bitorder: str = "big") -> Array:
    """Eight elements, zero or not, as one byte along an axis; of the flattened array by default."""
    bits, place = _bits_last(a, axis, "packbits")
    if bits.dtype.is_float or bits.dtype.is_complex:
        raise RlxError("RLX103", f"packbits of {bits.dtype}", fix="integers or bools")
    truth = (bits if bits.dtype.is_bool else bits != 0).astype(i32)
    size = bits.shape[-1]
    if not isinstance(size, int):
        raise RlxError("RLX202", "packbits of a symbolic axis", fix="a static size")
    truth = emit("pad", truth, low=(0,) * truth.rank, high=(0,) * (truth.rank - 1) + (-size % 8,))
    groups = truth.reshape((*truth.shape[:-1], -(-size // 8), 8))
    weighed = emit("shl", groups, emit("expand", _shifts(groups, bitorder), shape=groups.shape))
    found = emit("reduce_sum", weighed, axes=(groups.rank - 1,), keep_dim=False).astype("u8")
    return moveaxis(found, -1, place)


@array_function
def unpackbits(a: ArrayLike, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Array:
    """The bits of bytes along an axis, of the flattened array by default; the first `count`, or without the last if it is negative."""
    packed, place = _bits_last(a, axis, "unpackbits")
    if packed.dtype.name != "u8":
        raise RlxError("RLX103", f"unpackbits of {packed.dtype}", fix="u8")
    shifts = _shifts(packed, bitorder)
    wide = packed.astype(i32).reshape((*packed.shape, 1))
    shape = (*packed.shape, 8)
    one_by_one = emit("shr", emit("expand", wide, shape=shape), emit("expand", shifts, shape=shape))
    bits = emit("and", one_by_one, constant(packed.graph, np.int32(1))).astype("u8")
    flat = bits.reshape((*packed.shape[:-1], packed.shape[-1] * 8))
    if count is not None:
        size = int(flat.shape[-1])
        kept = count if count >= 0 else size + count
        missing = max(kept - size, 0)
        flat = emit("pad", flat, low=(0,) * flat.rank, high=(0,) * (flat.rank - 1) + (missing,))[..., :kept]
    return moveaxis(flat, -1, place)
