"""Products and gathers that read packed weights: how each scheme stores a weight, and what it stands for.

| scheme | operands after x | weight `[k, n]` |
|---|---|---|
| int8/b, int8_asym/b | w i8 `[k, n]`, scale f32 `[ceil(k/b), n]`, zp f32 the same (asym; else optional) | (q - zp)·scale |
| int4/b | w u8 `[ceil(k·n/2)]`, the low nibble first; scale and zp as above, zp 8 when not given | (q - zp)·scale |
| fp8_e4m3, fp8_e5m2 | w f8 `[k, n]`, scale f32 `[n]` or scalar | q·scale |
| nvfp4 | w u8 `[ceil(k·n/2)]`, scale f8e4m3 `[ceil(k/16), n]`, global_scale f32 `[]` | E2M1·scale·global_scale |
| gguf_… | w u8 `[n, bytes of k]`: rows of the output | as `rlx.ops.quantized.gguf_blocks` says |

Experts are one more axis in front of each. A packed param of a graph stands for its operands until the pass
`select_dequant` takes it apart: then w is the logical `[k, n]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.dim import Size, ceildiv
from rlx.core.dtype import DType, f8e4m3, f32, i8, u8
from rlx.core.kinds import OpKind
from rlx.core.scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.case import Case, Sample, case, sample
from rlx.ir.op import Call, define
from rlx.ir.tolerance import Tolerance, ulps
from rlx.ops.contraction.grouped import check_experts, rows_by_expert
from rlx.ops.indexing.gather import fill_value, index_attrs, resolve_positions
from rlx.ops.inference import no_arithmetic, require_integers
from rlx.ops.quantized.gguf_blocks import E2M1, ELEMENTS, dequantize_rows, random_rows

Array = npt.NDArray[Any]


PARTS = ("w", "scale", "zp", "global_scale")
"""Every operand a scheme can have, in the order ops take them."""


# -- how a weight is stored -------------------------------------------------------------------------------------
def storage(scheme: QuantScheme, k: Size, n: Size, lead: tuple[Size, ...] = ()) -> dict[str, Shape]:
    """The operands that hold a weight `[k, n]`, by name in their order; w first.

    >>> storage(QuantScheme.parse("int8_asym/32"), 64, 8)
    {'w': i8[64, 8], 'scale': f32[2, 8], 'zp': f32[2, 8]}
    """
    if scheme.is_gguf():
        return {"w": Shape((*lead, n, ceildiv(k, scheme.block_size()) * scheme.block_bytes()), u8)}
    blocks = Shape((*lead, ceildiv(k, max(scheme.block_size(), 1)), n), f32)
    halves = Shape((*lead, ceildiv(k * n, 2)), u8)
    if scheme.kind in ("int8", "int8_asym"):
        found = {"w": Shape((*lead, k, n), i8), "scale": blocks}
        return {**found, "zp": blocks} if scheme.kind == "int8_asym" else found
    if scheme.kind == "int4":
        return {"w": halves, "scale": blocks, "zp": blocks}
    if scheme.kind == "nvfp4":
        return {"w": halves, "scale": blocks.with_dtype(f8e4m3), "global_scale": Shape((), f32)}
    return {
        "w": Shape((*lead, k, n), "f8e4m3" if scheme.kind == "fp8_e4m3" else "f8e5m2"),
        "scale": Shape((*lead, n), f32),
    }


def _is_halves(scheme: QuantScheme) -> bool:
    return scheme.kind in ("int4", "nvfp4")


def weight_sizes(call: Call, w: Shape, scale: Shape | None, k: Size | None, lead: int) -> tuple[Size, Size]:
    """(k, n) of the weight in the operands, which are checked against what the scheme stores."""
    scheme: QuantScheme = call.scheme
    if w.dtype.is_float:  # a packed param, by its logical shape
        if w.rank != lead + 2:
            raise call.error("RLX102", f"w has rank {w.rank}", fix="the logical [k, n], behind the experts")
        if k is not None:
            call.check_same(k, w.dims[-2], "inner sizes of x and w")
        return w.dims[-2], w.dims[-1]
    if scheme.is_gguf():
        if w.rank != lead + 2:
            raise call.error(
                "RLX102", f"w has rank {w.rank}", fix="the tensor's bytes, a row for each output: [n, bytes]"
            )
        inner = w.dims[-1] // scheme.block_bytes() * scheme.block_size() if k is None else k
        fix = f"{scheme} stores {scheme.block_size()} numbers in {scheme.block_bytes()} bytes"
        call.check_same(
            inner * scheme.block_bytes(), w.dims[-1] * scheme.block_size(), "numbers and bytes of a row:", fix=fix
        )
        return inner, w.dims[-2]
    if scale is None:
        raise call.error(
            "RLX101", f"{scheme} needs the operand scale", fix="see the table in rlx.ops.quantized.dequant"
        )
    if _is_halves(scheme):
        if scale.rank < 2 or w.rank != lead + 1:
            raise call.error("RLX102", f"w is {w} and scale {scale}", fix="w u8[bytes], scale [blocks of k, n]")
        n = scale.dims[-1]
        return w.dims[-1] * 2 // n if k is None else k, n
    if w.rank != lead + 2:
        raise call.error("RLX102", f"w has rank {w.rank}", fix="[k, n], behind the experts")
    return w.dims[-2], w.dims[-1]


def check_storage(call: Call, w: Shape, rest: int, k: Size | None, lead: int) -> tuple[Size, Size]:
    """(k, n), after every operand was compared with the table; `rest` is the position of scale, the others follow."""
    scheme: QuantScheme = call.scheme
    parts = {"w": w, **{name: call.shape(rest + index) for index, name in enumerate(PARTS[1:])}}
    inner, n = weight_sizes(call, w, parts["scale"], k, lead)
    if k is not None:
        call.check_same(k, inner, "inner sizes of x and w")
    if w.dtype.is_float:
        return inner, n
    wanted = storage(scheme, inner, n, w.dims[:lead])
    for name, given in parts.items():
        if given is None:
            if name in wanted and not (name == "zp" and scheme.kind == "int4"):
                raise call.error("RLX101", f"{scheme} needs the operand {name}", fix=f"{name} : {wanted[name]}")
            continue
        if name not in wanted and not (name == "zp" and scheme.kind == "int8"):
            raise call.error("RLX101", f"{scheme} has no operand {name}", fix=f"its operands: {', '.join(wanted)}")
        shape = wanted.get(name, wanted.get("scale", wanted["w"]))
        if given.dtype is not shape.dtype:
            raise call.error("RLX103", f"{name} is {given.dtype}", fix=f"{name} : {shape}")
        if name == "scale" and scheme.kind.startswith("fp8") and given.rank == 0:
            continue
        if given.rank != shape.rank:
            raise call.error("RLX102", f"{name} has rank {given.rank}", fix=f"{name} : {shape}")
        for mine, other in zip(given.dims, shape.dims, strict=True):
            call.check_same(mine, other, f"sizes of {name} and of {scheme}'s {name} : {shape},")
    return inner, n


# -- what it stands for -----------------------------------------------------------------------------------------
def _nibbles(w: Array, k: int, n: int) -> Array:
    """`[…, ceil(k·n/2)]` bytes as numbers `[…, k, n]`, the low nibble first."""
    both = np.stack([w & 15, w >> 4], -1).reshape(*w.shape[:-1], -1)
    return both[..., : k * n].reshape(*w.shape[:-1], k, n)


def dequantized(
    scheme: QuantScheme,
    k: int,
    n: int,
    w: Array,
    scale: Array | None = None,
    zp: Array | None = None,
    global_scale: Array | None = None,
) -> Array:
    """The weight `[…, k, n]` in f32."""
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


# -- the product ------------------------------------------------------------------------------------------------
def _matmul_shape(call: Call) -> Shape:
    x, w = call.given[:2]
    if not x.dtype.is_float or x.rank < 1:
        raise call.error("RLX103", f"x is {x}", fix="floats […, k]")
    _, n = check_storage(call, w, 2, x.dims[-1], 0)
    return x.with_dims((*x.dims[:-1], n))


def _columns(scheme: QuantScheme, w: Array, scale: Array | None) -> int:
    if scheme.is_gguf() or np.issubdtype(w.dtype, np.floating):
        return int(w.shape[-2] if scheme.is_gguf() and w.dtype == np.uint8 else w.shape[-1])
    assert scale is not None
    return int(scale.shape[-1] if _is_halves(scheme) else w.shape[-1])


def _dequant_matmul(x: Array, w: Array, scale: Array | None = None, *rest: Array | None, scheme: QuantScheme) -> Array:
    return np.asarray(np.matmul(x, dequantized(scheme, x.shape[-1], _columns(scheme, w, scale), w, scale, *rest)))


def scheme_attr() -> Attr:
    """The attribute that names a scheme."""
    return Attr("tag", help="how w is stored", parse=QuantScheme.parse, annotation="QuantScheme | str")


_TOLERANCE = Tolerance(ulps=4.0, factor=4.0, scale="max", length=lambda op, operands: operands[0].shape[-1])  # type: ignore[union-attr]


def stored(text: str, k: int, n: int, *lead: int, seed: int = 0) -> list[Sample | None]:
    """Operands of a scheme with random content, for cases; None where one is not the scheme's."""
    scheme, random = QuantScheme.parse(text), np.random.default_rng(seed)
    shapes = storage(scheme, k, n, lead)
    if scheme.is_gguf():
        return [sample(*_ints(shapes["w"]), dtype="u8", fixed=random_rows(scheme.detail, *lead, n, k, seed=seed))]
    found: list[Sample | None] = []
    for name in PARTS[: PARTS.index(list(shapes)[-1]) + 1]:
        if name not in shapes:
            found.append(None)
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
        found.append(sample(*dims, dtype=shape.dtype.name, fixed=np.asarray(content).astype(shape.dtype.numpy)))
    return found


def _ints(shape: Shape) -> tuple[int, ...]:
    return tuple(int(size) for size in shape.dims if isinstance(size, int))


PLAIN = ("int8/32", "int8_asym/16", "int4/32", "fp8_e4m3", "fp8_e5m2", "nvfp4")
BLOCKS = tuple(str(QuantScheme.gguf(name)) for name in ELEMENTS)


def _matmul_cases() -> list[Case]:
    rows = [case(sample(3, 70), *stored(text, 70, 19), note=f"{text}, odd sizes", scheme=text) for text in PLAIN]
    rows += [case(sample(2, 512), *stored(text, 512, 17), note=f"{text}, odd columns", scheme=text) for text in BLOCKS]
    int8 = stored("int8/8", 24, 5)
    return [
        *rows,
        case(
            sample(2, 1, 24),
            *int8,
            stored("int8_asym/8", 24, 5)[2],
            note="int8 with a zero point, broadcast",
            scheme="int8/8",
        ),
        case(sample(4, 32, dtype="bf16"), *stored("int8/8", 32, 5), note="bf16", scheme="int8/8"),
        case(sample(24), *stored("int4/8", 24, 5)[:2], note="odd: a row, zero points left out", scheme="int4/8"),
        case(sample(0, 32), *stored("gguf_q8_0", 32, 4), note="no rows", scheme="gguf_q8_0"),
    ]


dequant_matmul = define(
    "dequant_matmul",
    "x, w:packed, scale:packed?, zp:packed?, global_scale:packed?",
    infer=_matmul_shape,
    reference=_dequant_matmul,
    kind=OpKind.Compute,
    attrs={"scheme": scheme_attr()},
    doc="x @ the weight that w and what follows it store, in the dtype of x; the operands of each scheme: `rlx.ops.quantized.dequant`.",
    tolerance=_TOLERANCE,
    cost=lambda call, results: results[0].num_elements * call.given[0].dims[-1] * 2,
    cases=_matmul_cases,
)


# -- rows by expert ---------------------------------------------------------------------------------------------
def _grouped_shape(call: Call) -> Shape:
    x, w = call.given[:2]
    experts = call.shapes[2]
    assert experts is not None
    if not x.dtype.is_float:
        raise call.error("RLX103", f"x is {x}", fix="floats [M, k]")
    check_experts(call, x, experts)
    _, n = check_storage(call, w, 3, x.dims[-1], 1)
    return x.with_dims((x.dims[0], n))


def _dequant_grouped(
    x: Array,
    w: Array,
    experts: Array,
    scale: Array | None = None,
    *rest: Array | None,
    scheme: QuantScheme,
    mode: str,
    check_bounds: bool,
) -> Array:
    weights = dequantized(scheme, x.shape[-1], _columns(scheme, w, scale), w, scale, *rest)
    return rows_by_expert(x, weights, experts, mode, check_bounds, "dequant_grouped_matmul")


def _grouped_cases() -> list[Case]:
    experts = sample(5, dtype="i32", fixed=[2, 0, 0, -1, 1])
    found = []
    for text in (*PLAIN, "gguf_q4_0", "gguf_q6k", "gguf_iq2_xxs"):
        first, *rest = stored(text, 256, 9, 3)
        found.append(case(sample(5, 256), first, experts, *rest, note=f"{text}, odd columns", scheme=text))
    return found


dequant_grouped_matmul = define(
    "dequant_grouped_matmul",
    "x, w:packed, expert_idx:index, scale:packed?, zp:packed?, global_scale:packed?",
    infer=_grouped_shape,
    reference=_dequant_grouped,
    kind=OpKind.Compute,
    attrs={"scheme": scheme_attr(), **index_attrs()},
    doc="out[i] = x[i] @ the weight of expert_idx[i]: `grouped_matmul` of packed weights, experts outermost.",
    tolerance=_TOLERANCE,
    cost=lambda call, results: results[0].num_elements * call.given[0].dims[-1] * 2,
    cases=_grouped_cases,
)


# -- rows of a table --------------------------------------------------------------------------------------------
def _check_float(call: Call) -> DType:
    dtype: DType = call.op.attrs["dtype"]
    if not dtype.is_float:
        raise call.error("RLX103", f"dtype is {dtype}", fix="a float")
    return dtype


def _gather_shape(call: Call) -> Shape:
    w, indices = call.given[:2]
    require_integers(call)
    dtype = _check_float(call)
    k, n = check_storage(call, w, 2, None, 0)
    width = k if call.scheme.is_gguf() and not w.dtype.is_float else n
    return Shape.make((*indices.dims, width), dtype)


def _dequant_gather(
    w: Array,
    indices: Array,
    scale: Array | None = None,
    *rest: Array | None,
    scheme: QuantScheme,
    dtype: DType,
    mode: str,
    check_bounds: bool,
) -> Array:
    if scheme.is_gguf() and w.dtype == np.uint8:
        table = dequantize_rows(scheme.detail, w)
    else:
        n = _columns(scheme, w, scale)
        k = w.shape[-1] * 2 // n if _is_halves(scheme) else w.shape[-2]
        table = dequantized(scheme, k, n, w, scale, *rest)
    positions, outside = resolve_positions(indices, table.shape[0], check_bounds, "dequant_gather")
    found = table[positions]
    return np.where(outside[..., None], fill_value(dtype), found) if mode == "fill" else found


def _gather_cases() -> list[Case]:
    indices = sample(2, 3, dtype="i32", fixed=[[0, -1, 5], [5, 2, 99]])
    found = []
    for text in (*PLAIN, *BLOCKS):
        first, *rest = stored(text, 512, 6) if text in BLOCKS else stored(text, 6, 34)
        found.append(case(first, indices, *rest, note=f"{text}, odd: one outside", scheme=text))
    first, *rest = stored("int8/32", 6, 34)
    found.append(case(first, indices, *rest, note="filled, bf16", scheme="int8/32", dtype="bf16", mode="fill"))
    return found


dequant_gather = define(
    "dequant_gather",
    "w:packed, indices:index, scale:packed?, zp:packed?, global_scale:packed?",
    infer=_gather_shape,
    reference=_dequant_gather,
    kind=OpKind.DataMovement,
    attrs={"scheme": scheme_attr(), "dtype": Attr("dtype", "f32", help="the float to make"), **index_attrs()},
    doc="""Rows of a packed table as floats: `gather` on axis 0 of the weight `[k, n]`.

    A GGUF table is gathered by its own rows: bytes `[rows, bytes of a row]`, as a file stores an embedding.""",
    tolerance=ulps(1),
    cost=no_arithmetic,
    cases=_gather_cases,
)


# -- all experts ------------------------------------------------------------------------------------------------
def _moe_shape(call: Call) -> Shape:
    w = call.given[0]
    dtype = _check_float(call)
    k, n = check_storage(call, w, 1, call.k, 1)
    return Shape.make((w.dims[0], k, n), dtype)


def _moe_weights(
    w: Array, scale: Array | None = None, *rest: Array | None, scheme: QuantScheme, k: int | None, dtype: DType
) -> Array:
    n = _columns(scheme, w, scale)
    if k is None:
        k = w.shape[-1] * 2 // n if _is_halves(scheme) else w.shape[-2]
    return dequantized(scheme, k, n, w, scale, *rest)


def _moe_cases() -> list[Case]:
    found = []
    for text in (*PLAIN, *BLOCKS):
        k = 256 if text in BLOCKS else 34
        found.append(case(*stored(text, k, 5, 2), note=f"{text}, odd columns", scheme=text, k=k))
    found.append(case(*stored("gguf_q5_1", 64, 3, 2), note="bf16", scheme="gguf_q5_1", dtype="bf16"))
    return found


dequant_moe_weights = define(
    "dequant_moe_weights",
    "w:packed, scale:packed?, zp:packed?, global_scale:packed?",
    infer=_moe_shape,
    reference=_moe_weights,
    kind=OpKind.DataMovement,
    attrs={
        "scheme": scheme_attr(),
        "k": Attr("size", None, help="rows of a weight, where its bytes do not say"),
        "dtype": Attr("dtype", "f32", help="the float to make"),
    },
    doc="The weights `[E, k, n]` of all experts as floats, from packed ones, experts outermost.",
    tolerance=ulps(1),
    cost=no_arithmetic,
    cases=_moe_cases,
)
