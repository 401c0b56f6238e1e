"""Packed weights, read inside the program, and blocks of small floats."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from rlx.backends.xla.algebra import cast
from rlx.backends.xla.lowerings.contraction import matmul, rows_by_expert
from rlx.backends.xla.lowerings.movement import filled, positions_in
from rlx.backends.xla.site import Lowering, LoweringSite
from rlx.core.quant_scheme import QuantScheme
from rlx.layouts.gguf_blocks import E2M1, ELEMENTS, Table
from rlx.ops.quantized.blocked_cast import SMALLEST_SCALE, largest_of
from rlx.ops.quantized.stored_weights import is_halves


# -- ggml's blocks
class TracedBlock:
    """Reader of GGUF blocks as rows of bytes inside a traced program, for the formulas of `gguf_blocks`."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows

    def u8(self, place: Any) -> Any:
        return jnp.take(self.rows, np.atleast_1d(place), axis=1).astype(jnp.int32)

    def i8(self, place: Any) -> Any:
        return lax.bitcast_convert_type(jnp.take(self.rows, np.atleast_1d(place), axis=1), jnp.int8).astype(jnp.int32)

    def u16(self, place: Any) -> Any:
        return self.u8(place).astype(jnp.int64) | self.u8(place + 1).astype(jnp.int64) << 8

    def f16(self, place: Any) -> Any:
        """The f16 at an offset of the traced bytes, as an f32."""
        return self.half(self.u16(place))

    def f32(self, place: Any) -> Any:
        """The f32 at an offset of the traced bytes."""
        return self.power(self.u16(place) | self.u16(place + 2) << 16)

    def half(self, bits: Any) -> Any:
        return lax.bitcast_convert_type(bits.astype(jnp.uint16), jnp.float16).astype(jnp.float32)

    def power(self, exponent: Any) -> Any:
        """The f32 with these bits."""
        return lax.bitcast_convert_type(exponent.astype(jnp.uint32), jnp.float32)

    def real(self, integer: Any) -> Any:
        """Converts a traced integer to an f32."""
        return jnp.asarray(integer).astype(jnp.float32)

    def flag(self, condition: Any) -> Any:
        if isinstance(condition, (bool, np.bool_, np.ndarray)):
            return np.asarray(condition).astype(np.int64)
        return condition.astype(jnp.int32)

    def table(self, table: Table, index: Any) -> Any:
        """Looks up an entry of a table by a traced index."""
        values = np.asarray(table.values, np.int32)
        return values[index] if isinstance(index, np.ndarray) else jnp.asarray(values)[index]


def dequantized_rows(name: str, rows: Any) -> Any:
    """Dequantizes traced bytes `[…, bytes of a row]` to f32 `[…, numbers of a row]`."""
    scheme = QuantScheme.gguf(name)
    size, count = scheme.block_bytes(), scheme.block_size()
    blocks = rows.reshape(-1, size)
    numbers = ELEMENTS[name](TracedBlock(blocks), np.arange(count))
    numbers = jnp.broadcast_to(numbers, (blocks.shape[0], count)).astype(jnp.float32)
    return numbers.reshape(*rows.shape[:-1], rows.shape[-1] // size * count)


# -- all schemes
def _nibbles(w: Any, k: int, n: int) -> Any:
    both = jnp.stack([w & 15, w >> 4], -1).reshape(*w.shape[:-1], -1)
    return both[..., : k * n].reshape(*w.shape[:-1], k, n)


def _dequantized(scheme: QuantScheme, k: int, w: Any, scale: Any = None, zp: Any = None, global_scale: Any = None) -> Any:
    """Dequantizes a weight to `[…, k, n]` in f32, as `rlx.ops.quantized.stored_weights.dequantized` in a program."""
    if jnp.issubdtype(w.dtype, jnp.floating) and w.dtype in (jnp.float32, jnp.float64, jnp.float16, jnp.bfloat16):
        return w
    if scheme.is_gguf():
        return jnp.swapaxes(dequantized_rows(scheme.detail, w), -1, -2)
    factors = scale.astype(jnp.float32)
    if scheme.kind.startswith("fp8"):
        return w.astype(jnp.float32) * (factors[..., None, :] if factors.ndim else factors)
    rows = np.arange(k) // scheme.block_size()
    if is_halves(scheme):
        q = _nibbles(w, k, scale.shape[-1])
    else:
        q = w
    if scheme.kind == "nvfp4":
        numbers = jnp.asarray(np.asarray(E2M1.values, np.float32) * np.float32(0.5))[q]
        return numbers * factors[..., rows, :] * global_scale.astype(jnp.float32)
    default = np.float32(8 if scheme.kind == "int4" else 0)
    zero = default if zp is None else zp.astype(jnp.float32)[..., rows, :]
    return (q.astype(jnp.float32) - zero) * factors[..., rows, :]


def _dequant_matmul(at: LoweringSite, x: Any, w: Any, *rest: Any) -> Any:
    return matmul(x, _dequantized(at["scheme"], x.shape[-1], w, *rest).astype(x.dtype))


def _dequant_grouped_matmul(at: LoweringSite, x: Any, w: Any, experts: Any, *rest: Any) -> Any:
    return rows_by_expert(at, x, _dequantized(at["scheme"], x.shape[-1], w, *rest).astype(x.dtype), experts)


def _dequant_gather(at: LoweringSite, w: Any, indices: Any, *rest: Any) -> Any:
    """Gathers and dequantizes rows of a table: of ggml's blocks only the rows of the indices are read."""
    scheme: QuantScheme = at["scheme"]
    if scheme.is_gguf() and w.dtype == jnp.uint8:
        positions, outside = positions_in(at, indices, w.shape[0])
        entries = dequantized_rows(scheme.detail, jnp.take(w, positions, axis=0, mode="clip"))
    else:
        k = w.shape[-1] * 2 // rest[0].shape[-1] if is_halves(scheme) else w.shape[-2]
        table = _dequantized(scheme, k, w, *rest)
        positions, outside = positions_in(at, indices, table.shape[0])
        entries = jnp.take(table, positions, axis=0, mode="clip")
    return filled(entries, outside[..., None]) if at["mode"] == "fill" else entries


def _dequant_moe_weights(at: LoweringSite, w: Any, *rest: Any) -> Any:
    return _dequantized(at["scheme"], at.dims[1], w, *rest)


# -- blocks with a scale
def _blocked_cast(at: LoweringSite, x: Any) -> tuple[Any, Any]:
    """Casts to blocked floats in f32, so that ties round as on every device. XLA flushes subnormal numbers: read by their bits."""
    dtype, block = at["out_dtype"], [min(b, max(n, 1)) for b, n in zip(at["sf_block"], x.shape[-2:], strict=True)]
    single = x.astype(jnp.float32)
    bits = lax.bitcast_convert_type(single, jnp.int32) & 0x7FFFFFFF
    largest = _largest_of_blocks(jnp.where(bits < _INFINITE, bits, 0), block)
    top = np.float32(largest_of(dtype))
    scales = jnp.maximum(divided(lax.bitcast_convert_type(largest, jnp.float32), top), np.float32(SMALLEST_SCALE))
    if at["round_sf"]:
        rounded = (lax.bitcast_convert_type(scales, jnp.int32) + 0x7FFFFF) & _INFINITE
        scales = lax.bitcast_convert_type(rounded, jnp.float32)
    scales = jnp.where(largest == 0, np.float32(1), scales)
    spread = jnp.repeat(jnp.repeat(scales, block[0], -2), block[1], -1)[..., : x.shape[-2], : x.shape[-1]]
    subnormal = jnp.copysign(bits.astype(jnp.float32) * 2.0**-23, single) * (np.float32(SMALLEST_SCALE) / spread)
    quotient = jnp.where(bits < 1 << 23, subnormal, divided(single, spread))
    return cast(jnp.clip(quotient, -top, top), dtype), scales


def divided(x: Any, y: Any) -> Any:
    """The quotient of two f32, rounded to the nearest: XLA multiplies with a rounded reciprocal."""
    return (x.astype(jnp.float64) / y.astype(np.float64)).astype(jnp.float32)


_INFINITE = 0x7F800000


def _largest_of_blocks(bits: Any, block: list[int]) -> Any:
    """The largest element of each block, 0 in the padding: positive floats are ordered as their bits are."""
    lead, sizes = bits.shape[:-2], bits.shape[-2:]
    counts = [-(-n // size) for n, size in zip(sizes, block, strict=True)]
    missing = [count * size - n for count, size, n in zip(counts, block, sizes, strict=True)]
    whole = jnp.pad(bits, [*((0, 0) for _ in lead), *((0, amount) for amount in missing)])
    cut = whole.reshape(*lead, counts[0], block[0], counts[1], block[1])
    return jnp.max(cut, axis=(-3, -1), initial=0)


LOWERINGS: dict[str, Lowering] = {
    "dequant_matmul": _dequant_matmul,
    "dequant_grouped_matmul": _dequant_grouped_matmul,
    "dequant_gather": _dequant_gather,
    "dequant_moe_weights": _dequant_moe_weights,
    "blocked_cast": _blocked_cast,
}
