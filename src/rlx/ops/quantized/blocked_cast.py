"""The scaled cast that `CastConfig` describes, to floats of 8 and 4 bits with a scale for each block of (rows, cols), and its inverse."""

from __future__ import annotations

import numpy as np

from rlx.core.dim import ceildiv
from rlx.core.dtype import cast_array, f32
from rlx.ir.tolerance import ulps
from rlx.ops.inference import per_operand_element
from rlx.ops.movement.parts import narrow
from rlx.ops.movement.shape import expand
from rlx.ops.record import Array, Attr, Call, DType, Shape, Size, Value, as_dtype, case, define, exact, sample
from rlx.transforms.rules.batching import leading

SMALLEST_SCALE = 2.0**-126
"""Scales are at least this: the inverse of a smaller one is not finite."""
_LARGEST = {"f8e4m3": 448.0, "f8e5m2": 57344.0, "f4e2m1": 6.0}
NO_GRADIENT = "its elements are rounded to storage; x + stop_gradient(blocked_dequantize(…) - x) passes gradients straight through"


def largest_of(dtype: DType) -> float:
    """The largest finite number of a storage dtype."""
    return _LARGEST[dtype.name]


def _check_block(call: Call, shape: Shape) -> None:
    """Checks that `sf_block` is two positive sizes and that the operand has two axes for them."""
    if len(call.sf_block) != 2 or min(call.sf_block) < 1:
        fix = "(rows, cols), each at least 1: (1, 128) along rows, (128, 128) squares"
        raise call.error("RLX105", f"sf_block is {call.sf_block}", fix=fix)
    if shape.rank < 2:
        raise call.error("RLX102", f"rank {shape.rank}", fix="[…, rows, cols]; reshape a vector to (1, n)")


def _blocks(shape: Shape, sf_block: tuple[int, int]) -> tuple[Size, ...]:
    """The dims of the block scales; blocks at the end of an axis may be partial."""
    rows, cols = sf_block
    return (*shape.dims[:-2], ceildiv(shape.dims[-2], rows), ceildiv(shape.dims[-1], cols))


# -- to the storage dtype ---------------------------------------------------------------------------------------
def _cast_shape(call: Call) -> tuple[Shape, Shape]:
    (x,) = call.given
    dtype = call.op.attrs["out_dtype"]
    if not x.dtype.is_float:
        raise call.error("RLX103", f"x is {x.dtype}", fix="floats: .astype('f32')")
    if dtype.name not in _LARGEST:
        fix = "f8e4m3, f8e5m2 or f4e2m1; x.astype(…) is a cast without scales"
        raise call.error("RLX103", f"out_dtype is {dtype}", fix=fix)
    _check_block(call, x)
    return x.with_dtype(dtype), Shape.make(_blocks(x, call.sf_block), f32)


def _fitting(sf_block: tuple[int, int], shape: tuple[int, ...]) -> tuple[int, int]:
    """Clamps a scale block to the size of the matrix, which does not change the result."""
    rows, cols = (min(block, max(size, 1)) for block, size in zip(sf_block, shape[-2:], strict=True))
    return rows, cols


def _largest_of_blocks(magnitudes: Array, sf_block: tuple[int, int]) -> Array:
    """The maximum magnitude of each block; partial blocks are padded with 0."""
    (rows, cols), lead = sf_block, magnitudes.shape[:-2]
    down, across = (-(-size // block) for size, block in zip(magnitudes.shape[-2:], sf_block, strict=True))
    whole = np.zeros((*lead, down * rows, across * cols), np.float32)
    whole[..., : magnitudes.shape[-2], : magnitudes.shape[-1]] = magnitudes
    return np.asarray(whole.reshape(*lead, down, rows, across, cols).max(axis=(-3, -1), initial=0))


def scale_factors(largest: Array, dtype: DType, round_sf: bool) -> Array:
    """Block scales: max|x| / the dtype's largest number, at least 2^-126, optionally rounded up to a power of two; 1 for zeros."""
    factors = np.maximum(largest / np.float32(largest_of(dtype)), np.float32(SMALLEST_SCALE))
    if round_sf:
        factors = ((factors.view(np.int32) + 0x7FFFFF) & 0x7F800000).view(np.float32)
    return np.where(largest == 0, np.float32(1), factors)


def _spread(scales: Array, shape: tuple[int, ...], sf_block: tuple[int, int]) -> Array:
    """Repeats block scales to one scale for each element."""
    for axis, block in zip((-2, -1), sf_block, strict=True):
        scales = np.repeat(scales, block, axis)
    return scales[..., : shape[-2], : shape[-1]]


def _blocked_cast(x: Array, out_dtype: DType, sf_block: tuple[int, int], round_sf: bool) -> tuple[Array, Array]:
    """The NumPy reference of `blocked_cast`, in f32, so that ties round as on every backend."""
    single, sf_block = x.astype(np.float32), _fitting(sf_block, x.shape)
    magnitudes = np.where(np.isfinite(single), np.abs(single), np.float32(0))
    scales = scale_factors(_largest_of_blocks(magnitudes, sf_block), out_dtype, round_sf)
    top = largest_of(out_dtype)
    return cast_array(np.clip(single / _spread(scales, x.shape, sf_block), -top, top), out_dtype), scales


_SF_BLOCK = Attr("ints", help="(rows, cols) of the last two axes that share a scale")
_ODD = [[0.0, -0.0, 1e-45, -3e-39, 1e-38], [3.4e38, -1.0, float("inf"), -float("inf"), float("nan")]]

blocked_cast = define(
    "blocked_cast",
    "x",
    infer=_cast_shape,
    reference=_blocked_cast,
    results=("elements", "scales"),
    attrs={
        "out_dtype": Attr("dtype", "f8e4m3", help="f8e4m3, f8e5m2 or f4e2m1"),
        "sf_block": _SF_BLOCK,
        "round_sf": Attr("bool", False, help="scales are rounded up to powers of two"),
    },
    keeps_f32="its grid follows the scale",
    doc="""x/scale as floats of 8 or 4 bits, and the scale of each block of (rows, cols), in f32.

    The scale is max|x| of the block's finite elements / the largest number of `out_dtype`, and 1 where all are 0. Elements are rounded to
    nearest even and saturate, infinities too; NaN stays NaN, and is 0 in f4e2m1. `blocked_dequantize` is the inverse.""",
    tolerance=exact(),
    cost=per_operand_element(4),
    no_gradient=NO_GRADIENT,
    batch=leading,
    cases=lambda: [
        *(
            case(
                sample(5, 70, low=-9, high=9),
                note=f"{dtype}, a row's blocks, the last one partial",
                dtypes=("f32", "f64", "f16", "bf16"),
                out_dtype=dtype,
                sf_block=(1, 32),
            )
            for dtype in ("f8e4m3", "f8e5m2", "f4e2m1")
        ),
        case(sample(3, 9, 37), note="odd blocks of odd sizes", sf_block=(4, 5), round_sf=True),
        case(sample(37, 19), note="blocks of a column, odd sizes", out_dtype="f4e2m1", sf_block=(16, 1)),
        case(sample(6, 40), note="short blocks", out_dtype="f8e5m2", sf_block=(2, 4), round_sf=True),
        case(sample(2, 5, fixed=_ODD), note="odd: zeros, denormals, huge, infinite, NaN", sf_block=(1, 1)),
        case(sample(2, 5, fixed=_ODD), note="the same in one block", out_dtype="f4e2m1", sf_block=(8, 8)),
        case(sample(0, 3), note="size 0", sf_block=(2, 2)),
    ],
)


# -- and back ---------------------------------------------------------------------------------------------------
def _dequantize_shape(call: Call) -> Shape:
    elements, scales = call.given
    if elements.dtype.category != "f8" or not scales.dtype.is_float:
        message = f"elements are {elements.dtype} and scales {scales.dtype}"
        raise call.error("RLX103", message, fix="what blocked_cast returns")
    _check_block(call, elements)
    wanted = _blocks(elements, call.sf_block)
    if scales.rank != len(wanted):
        raise call.error("RLX102", f"ranks {elements.rank} and {scales.rank} differ", fix="a scale for each block")
    for axis, (mine, other) in enumerate(zip(wanted, scales.dims, strict=True)):
        call.check_same(mine, other, f"blocks and scales at axis {axis}:")
    return elements.with_dtype(scales.dtype)


def _blocked_dequantize(elements: Array, scales: Array, sf_block: tuple[int, int]) -> Array:
    return elements.astype(scales.dtype) * _spread(scales, elements.shape, _fitting(sf_block, elements.shape))


def _spread_value(scales: Value, dims: tuple[Size, ...], sf_block: tuple[int, int]) -> Value:
    """Repeats block scales on Values to one for each element; partial blocks are cut."""
    for axis, block in zip((len(dims) - 2, len(dims) - 1), sf_block, strict=True):
        size = dims[axis]
        block = min(block, size) if isinstance(size, int) else block
        if block > 1:
            before, after = scales.shape[: axis + 1], scales.shape[axis + 1 :]
            repeated = expand(scales.reshape(*before, 1, *after), shape=(*before, block, *after))
            whole = repeated.reshape(*before[:-1], before[-1] * block, *after)
            scales = narrow(whole, axis=axis, start=0, length=dims[axis])
    return scales


def _dequantize_by_mul(elements: Value, scales: Value, *, sf_block: tuple[int, int]) -> Value:
    """Dequantizes a blocked cast: elements·scale"""
    kind = scales.dtype.compute
    factors = _spread_value(as_dtype(scales, kind), elements.shape, sf_block)
    return as_dtype(as_dtype(elements, kind) * factors, scales.dtype)


blocked_dequantize = define(
    "blocked_dequantize",
    "elements:packed, scales",
    infer=_dequantize_shape,
    reference=_blocked_dequantize,
    attrs={"sf_block": _SF_BLOCK},
    keeps_f32="its grid follows the scale",
    doc="elements·scale of their block, in the dtype of scales: what `blocked_cast` rounded.",
    tolerance=ulps(1),
    cost=per_operand_element(1),
    decompose=_dequantize_by_mul,
    batch=leading,
    cases=lambda: [
        *(
            case(
                sample(5, 70, dtype=dtype, low=-6, high=6),
                sample(5, 3, low=0.01, high=2),
                note=f"{dtype}, a row's blocks, the last one partial",
                dtypes=("f32", "f64", "f16", "bf16"),
                sf_block=(1, 32),
            )
            for dtype in ("f8e4m3", "f8e5m2", "f4e2m1")
        ),
        case(sample(2, 9, 37, dtype="f8e4m3"), sample(2, 3, 8, low=0.5, high=2), note="odd blocks of odd sizes", sf_block=(4, 5)),
        case(sample(37, 19, dtype="f4e2m1"), sample(3, 19, low=0.5, high=2), note="blocks of a column", sf_block=(16, 1)),
        case(sample(0, 3, dtype="f8e5m2"), sample(0, 2), note="size 0", sf_block=(2, 2)),
    ],
)
