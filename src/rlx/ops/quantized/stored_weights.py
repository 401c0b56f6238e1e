"""How each scheme stores a weight, and what is stored stands for: the table in `rlx.ops.quantized.dequant`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rlx.core.dim import ceildiv
from rlx.core.dtype import f8e4m3, f32, i8, u8
from rlx.core.quant_scheme import QuantScheme
from rlx.layouts.gguf_blocks import E2M1, ELEMENTS, dequantize_rows, random_rows
from rlx.ops.record import Array, Attr, Call, Sample, Shape, Size, sample

PARTS = ("w", "scale", "zp", "global_scale")
"""Every operand a scheme can have, in the order ops take them."""


# -- how a weight is stored -------------------------------------------------------------------------------------
def storage(scheme: QuantScheme, k: Size, n: Size, lead: tuple[Size, ...] = ()) -> dict[str, Shape]:
    """The shapes of the operands that store a quantized weight `[k, n]`, by name in operand order; w first.

    >>> storage(QuantScheme.parse("int8_asym/32"), 64, 8)
    {'w': i8[64, 8], 'scale': f32[2, 8], 'zp': f32[2, 8]}
    """
    if scheme.is_gguf():
        return {"w": Shape((*lead, n, ceildiv(k, scheme.block_size()) * scheme.block_bytes()), u8)}
    blocks = Shape((*lead, ceildiv(k, max(scheme.block_size(), 1)), n), f32)
    halves = Shape((*lead, ceildiv(k * n, 2)), u8)
    if scheme.kind in ("int8", "int8_asym"):
        parts = {"w": Shape((*lead, k, n), i8), "scale": blocks}
        return {**parts, "zp": blocks} if scheme.kind == "int8_asym" else parts
    if scheme.kind == "int4":
        return {"w": halves, "scale": blocks, "zp": blocks}
    if scheme.kind == "nvfp4":
        return {"w": halves, "scale": blocks.with_dtype(f8e4m3), "global_scale": Shape((), f32)}
    return {"w": Shape((*lead, k, n), "f8e4m3" if scheme.kind == "fp8_e4m3" else "f8e5m2"), "scale": Shape((*lead, n), f32)}


def is_halves(scheme: QuantScheme) -> bool:
    """Whether a quantization scheme stores two numbers in a byte."""
    return scheme.kind in ("int4", "nvfp4")


def weight_sizes(call: Call, w: Shape, scale: Shape | None, k: Size | None, lead: int) -> tuple[Size, Size]:
    """The sizes (k, n) of a stored weight, after checking its operands against the scheme."""
    scheme: QuantScheme = call.scheme
    if w.dtype.is_float:  # a packed param, by its logical shape
        if w.rank != lead + 2:
            raise call.error("RLX102", f"w has rank {w.rank}", fix="the logical [k, n], behind the experts")
        if k is not None:
            call.check_same(k, w.dims[-2], "inner sizes of x and w")
        return w.dims[-2], w.dims[-1]
    if scheme.is_gguf():
        if w.rank != lead + 2:
            raise call.error("RLX102", f"w has rank {w.rank}", fix="the tensor's bytes, a row for each output: [n, bytes]")
        inner = w.dims[-1] // scheme.block_bytes() * scheme.block_size() if k is None else k
        fix = f"{scheme} stores {scheme.block_size()} numbers in {scheme.block_bytes()} bytes"
        call.check_same(inner * scheme.block_bytes(), w.dims[-1] * scheme.block_size(), "numbers and bytes of a row:", fix=fix)
        return inner, w.dims[-2]
    if scale is None:
        raise call.error("RLX101", f"{scheme} needs the operand scale", fix="see the table in rlx.ops.quantized.dequant")
    if is_halves(scheme):
        if scale.rank < 2 or w.rank != lead + 1:
            raise call.error("RLX102", f"w is {w} and scale {scale}", fix="w u8[bytes], scale [blocks of k, n]")
        n = scale.dims[-1]
        return w.dims[-1] * 2 // n if k is None else k, n
    if w.rank != lead + 2:
        raise call.error("RLX102", f"w has rank {w.rank}", fix="[k, n], behind the experts")
    return w.dims[-2], w.dims[-1]


def check_storage(call: Call, w: Shape, rest: int, k: Size | None, lead: int) -> tuple[Size, Size]:
    """The sizes (k, n), after checking every operand against `storage`; `rest` is the index of scale, the others follow."""
    scheme: QuantScheme = call.scheme
    parts = {"w": w, **{name: call.shape(rest + index) for index, name in enumerate(PARTS[1:])}}
    inner, n = weight_sizes(call, w, parts["scale"], k, lead)
    if k is not None:
        call.check_same(k, inner, "inner sizes of x and w")
    if w.dtype.is_float:
        return inner, n
    expected = storage(scheme, inner, n, w.dims[:lead])
    for name, shape in parts.items():
        if shape is not None:
            _check_part(call, name, shape, expected)
        elif name in expected and not (name == "zp" and scheme.kind == "int4"):
            raise call.error("RLX101", f"{scheme} needs the operand {name}", fix=f"{name} : {expected[name]}")
    return inner, n


def _check_part(call: Call, name: str, actual: Shape, storage: Mapping[str, Shape]) -> None:
    """Checks that an operand has the dtype and sizes its scheme stores; a factor of fp8 may be one for all columns."""
    scheme: QuantScheme = call.scheme
    if name not in storage and not (name == "zp" and scheme.kind == "int8"):
        raise call.error("RLX101", f"{scheme} has no operand {name}", fix=f"its operands: {', '.join(storage)}")
    expected = storage.get(name, storage.get("scale", storage["w"]))
    if actual.dtype is not expected.dtype:
        raise call.error("RLX103", f"{name} is {actual.dtype}", fix=f"{name} : {expected}")
    if name == "scale" and scheme.kind.startswith("fp8") and actual.rank == 0:
        return
    if actual.rank != expected.rank:
        raise call.error("RLX102", f"{name} has rank {actual.rank}", fix=f"{name} : {expected}")
    for mine, other in zip(actual.dims, expected.dims, strict=True):
        call.check_same(mine, other, f"sizes of {name} and of {scheme}'s {name} : {expected},")


# -- what it stands for -----------------------------------------------------------------------------------------
def _nibbles(w: Array, k: int, n: int) -> Array:
    """Unpacks `[…, ceil(k·n/2)]` bytes to 4-bit numbers `[…, k, n]`, the low nibble first."""
    both = np.stack([w & 15, w >> 4], -1).reshape(*w.shape[:-1], -1)
    return both[..., : k * n].reshape(*w.shape[:-1], k, n)


def dequantize(
    scheme: QuantScheme,
    k: int,
    n: int,
    w: Array,
    scale: Array | None = None,
    zp: Array | None = None,
    global_scale: Array | None = None,
) -> Array:
    """Dequantizes a stored weight to `[…, k, n]` in f32."""
    if np.issubdtype(w.dtype, np.floating):
        return w
    if scheme.is_gguf():
        return dequantize_rows(scheme.detail, w).swapaxes(-1, -2)
    assert scale is not None
    factors = scale.astype(np.float32)
    if scheme.kind.startswith("fp8"):
        return w.astype(np.float32) * (factors[..., None, :] if factors.ndim else factors)
    rows = np.arange(k) // scheme.block_size()
    if scheme.kind == "nvfp4":
        assert global_scale is not None
        numbers = np.asarray(E2M1.values, np.float32)[_nibbles(w, k, n)] * np.float32(0.5)
        return numbers * factors[..., rows, :] * global_scale.astype(np.float32)
    q = _nibbles(w, k, n) if scheme.kind == "int4" else w
    default = np.float32(8 if scheme.kind == "int4" else 0)
    zero = default if zp is None else zp.astype(np.float32)[..., rows, :]
    return (q.astype(np.float32) - zero) * factors[..., rows, :]


def columns_of(scheme: QuantScheme, w: Array, scale: Array | None) -> int:
    """The number n of columns of a stored weight `[k, n]`."""
    if scheme.is_gguf() or np.issubdtype(w.dtype, np.floating):
        return int(w.shape[-2] if scheme.is_gguf() and w.dtype == np.uint8 else w.shape[-1])
    assert scale is not None
    return int(scale.shape[-1] if is_halves(scheme) else w.shape[-1])


# -- for records ------------------------------------------------------------------------------------------------
def scheme_attr() -> Attr:
    """The attribute that names a quantization scheme."""
    return Attr("tag", help="how w is stored", parse=QuantScheme.parse, annotation="QuantScheme | str")


PLAIN = ("int8/32", "int8_asym/16", "int4/32", "fp8_e4m3", "fp8_e5m2", "nvfp4")
BLOCKS = tuple(str(QuantScheme.gguf(name)) for name in ELEMENTS)


def random_operands(text: str, k: int, n: int, *lead: int, seed: int = 0) -> list[Sample | None]:
    """Random operands of a quantization scheme for test cases; None for those the scheme does not have."""
    scheme, random = QuantScheme.parse(text), np.random.default_rng(seed)
    shapes = storage(scheme, k, n, lead)
    if scheme.is_gguf():
        return [sample(*_ints(shapes["w"]), dtype="u8", fixed=random_rows(scheme.detail, *lead, n, k, seed=seed))]
    operands: list[Sample | None] = []
    for name in PARTS[: PARTS.index(list(shapes)[-1]) + 1]:
        if name not in shapes:
            operands.append(None)
            continue
        shape = shapes[name]
        dims = _ints(shape)
        if name == "w" and shape.dtype.category == "f8":
            content: Array = random.uniform(-4, 4, dims)
        elif name == "w":
            content = random.integers(*((-128, 128) if shape.dtype is i8 else (0, 256)), dims)
        elif name in ("scale", "global_scale"):
            content = random.uniform(0.25, 2, dims)
        else:
            content = random.integers(0, 16, dims)
        operands.append(sample(*dims, dtype=shape.dtype.name, fixed=np.asarray(content).astype(shape.dtype.numpy)))
    return operands


def _ints(shape: Shape) -> tuple[int, ...]:
    return tuple(int(size) for size in shape.dims if isinstance(size, int))
