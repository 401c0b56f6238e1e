"""Packed params as a session holds them: the arrays of their schemes, checked part by part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import as_array
from rlx.core.dtype import DType, f32
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape

Array = npt.NDArray[Any]
_INT4_ZERO = 8.0  # the zero point of int4 where none is given


def packed_parts(name: str, scheme: QuantScheme, storage: Mapping[str, Shape], given: Any) -> dict[str, Array]:
    """What was given to `set_param`, by part, as the scheme stores it: an array where there is one part, a dict, or a tuple in order.

    >>> storage = {"w": Shape((2, 34), "u8")}
    >>> packed_parts("w", QuantScheme.parse("gguf_q8_0"), storage, np.zeros((2, 34), np.uint8))["w"].shape
    (2, 34)
    """
    parts = _by_name(name, scheme, storage, given)
    if scheme.kind == "int4" and "zp" not in parts:
        parts["zp"] = np.full(_dims(storage["zp"]), _INT4_ZERO, np.float32)
    missing = [part for part in storage if part not in parts]
    if missing:
        raise RlxError("RLX513", f"param {name!r} is packed as {scheme}, {missing[0]} is not given", fix=_wanted(storage))
    return {part: _checked(name, scheme, part, shape, as_array(parts[part], f"param {name!r}")) for part, shape in storage.items()}


def _by_name(name: str, scheme: QuantScheme, storage: Mapping[str, Shape], given: Any) -> dict[str, Any]:
    if isinstance(given, Mapping):
        unknown = [part for part in given if part not in storage]
        if unknown:
            raise RlxError(
                "RLX513", f"param {name!r} is packed as {scheme}, which has no part {unknown[0]!r}", fix=_wanted(storage)
            )
        return dict(given)
    if isinstance(given, (tuple, list)) and len(storage) > 1:
        if len(given) > len(storage):
            message = f"param {name!r} is packed as {scheme} in {len(storage)} parts, {len(given)} are given"
            raise RlxError("RLX513", message, fix=_wanted(storage))
        return dict(zip(storage, given, strict=False))
    return {"w": given}


def _checked(name: str, scheme: QuantScheme, part: str, shape: Shape, array: Array) -> Array:
    """One part, of the declared dtype and shape; an fp8 scale may be one number, GGUF bytes come in any shape of rows."""
    what = f"param {name!r}" if part == "w" else f"{part} of param {name!r}"
    if part == "scale" and scheme.kind.startswith("fp8") and array.ndim == 0:
        array = np.broadcast_to(array, _dims(shape))
    if DType.of(array.dtype) is not shape.dtype and not (shape.dtype is f32 and array.ndim == 0 and array.dtype == np.float64):
        message = f"{what} is stored by {scheme} as {shape}, the array is {DType.of(array.dtype)}{list(array.shape)}"
        raise RlxError("RLX504", message, fix=_row_fix(scheme))
    if array.shape != shape.dims:
        raise RlxError(
            "RLX503", f"{what} is stored by {scheme} as {shape}, the array has shape {list(array.shape)}", fix=_row_fix(scheme)
        )
    return array.astype(shape.dtype.numpy, copy=False)


def _row_fix(scheme: QuantScheme) -> str:
    if not scheme.is_gguf():
        return "the table of schemes: rlx.ops.quantized.dequant"
    return f"a row of bytes for each output: {scheme.block_bytes()} bytes for {scheme.block_size()} numbers"


def _dims(shape: Shape) -> tuple[int, ...]:
    return tuple(int(size) for size in shape.dims)


def _wanted(storage: Mapping[str, Shape]) -> str:
    return "its parts: " + ", ".join(f"{part} {shape}" for part, shape in storage.items())
