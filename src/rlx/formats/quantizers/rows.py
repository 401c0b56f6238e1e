"""quantize_rows: rows of values to the bytes of a GGUF type, in pieces that fit a core's cache, on all threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import Array
from rlx.core.errors import RlxError
from rlx.core.quant_scheme import QuantScheme
from rlx.formats.quantizers.block_types import SMALL_BLOCKS, SUPER_BLOCKS
from rlx.runtime.threads import thread_count

Piece = Callable[[Array], Array]

_PIECE = 1 << 18  # values at a time: large enough to hide call overhead, small enough for a shared cache
_HALF = 65504.0

_MOST: dict[str, float] = {
    "F16": _HALF,
    "BF16": 3.38e38,
    "MXFP4": 3 * 2.0**126,
    "Q4_1": _HALF,
    "Q5_1": _HALF,
    "TQ1_0": _HALF,
    "TQ2_0": _HALF,
    "Q4_0": _HALF * 7,
    "Q5_0": _HALF * 15,
    "Q8_0": _HALF * 127,
    "IQ4_NL": _HALF * 113,
    "Q2_K": _HALF * 15,
    "Q3_K": _HALF * 31 * 3,
    "Q4_K": _HALF * 63,
    "Q5_K": _HALF * 63,
    "Q6_K": _HALF * 127 * 31,
    "IQ4_XS": _HALF * 31 * 113,
}
"""The largest magnitude each type can hold: its largest scale times its largest level."""

WRITTEN: tuple[str, ...] = tuple(_MOST)
"""The supported target types."""


def quantize_rows(name: str, numbers: Array, *, what: str = "the array") -> npt.NDArray[np.uint8]:
    """Quantizes `numbers` `[…, row]` to a GGUF type's bytes `[…, bytes of a row]`. `what` names them in errors.

    >>> quantize_rows("Q8_0", np.ones((2, 64))).shape
    (2, 68)
    """
    scheme = QuantScheme.gguf(name)
    name = scheme.detail
    if name not in _MOST:
        raise RlxError("RLX706", f"{name} can be read but not written", fix=f"quantize to one of {', '.join(WRITTEN)}", at=None)
    x = np.ascontiguousarray(numbers, np.float32)
    count, size = scheme.block_size(), scheme.block_bytes()
    if x.ndim == 0 or x.shape[-1] % count:
        row = x.shape[-1] if x.ndim else "no axis"
        message = f"{what}: rows of {row} are not a multiple of {name}'s block size, {count}"
        raise RlxError("RLX706", message, fix="use a type with smaller blocks: Q8_0 has 32 values, F16 one", at=None)
    blocks = x.reshape(-1, count)
    out = np.empty((len(blocks), size), np.uint8)
    encode, step = _encoder(name, count), max(_PIECE // count, 1)

    def piece(start: int) -> None:
        part = blocks[start : start + step]
        _check_range(name, part, what)
        out[start : start + step] = encode(part)

    starts, workers = range(0, len(blocks), step), thread_count()
    if workers > 1 and len(starts) > 1:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(piece, starts))
    else:
        for start in starts:
            piece(start)
    return out.reshape(*x.shape[:-1], x.shape[-1] // count * size)


def _check_range(name: str, part: Array, what: str) -> None:
    """Rejects values beyond the type's largest scale: they would be read as infinity or NaN."""
    low, high = float(part.min()), float(part.max())
    if max(-low, high) <= _MOST[name]:  # false for NaN
        return
    wrong = low if -low > high else high
    if np.isnan(low):
        wrong = np.nan
    message = f"{what} has {wrong:g}, {name} holds values up to {_MOST[name]:g}"
    raise RlxError("RLX705", message, fix="keep it in F32" if np.isfinite(wrong) else "check where the weights come from", at=None)


def _encoder(name: str, count: int) -> Piece:
    """The function that encodes `[blocks, numbers]` as `[blocks, bytes]` of a GGUF type."""
    if name in _DENSE:
        return _DENSE[name]
    group, encode = SUPER_BLOCKS[name] if name in SUPER_BLOCKS else (count, SMALL_BLOCKS[name])

    def piece(part: Array) -> Array:
        columns = np.ascontiguousarray(part.reshape(len(part), count // group, group).transpose(2, 1, 0))
        return encode(columns.reshape(group, -1)).T

    return piece


def _f16(part: Array) -> Array:
    return part.astype("<f2").view(np.uint8)


def _bf16(part: Array) -> Array:
    """Rounds to bf16, ties to even: half a step or more carries into the upper 16 bits."""
    bits = part.view(np.uint32)
    rounded = bits + (np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1)))
    return (rounded >> np.uint32(16)).astype("<u2").view(np.uint8)


_DENSE: dict[str, Piece] = {"F16": _f16, "BF16": _bf16}
