"""Complex numbers taken apart and put together, and the squared modulus."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rlx.core.dtype import c64, c128, f32, f64, promote
from rlx.ir.tolerance import Tolerance, ulps
from rlx.ir.value import one
from rlx.ops.inference import broadcast_dims, compute_float, define_pointwise, no_arithmetic, per_element
from rlx.ops.record import Array, Attr, Call, Case, DType, OpDef, Shape, Value, case, define, exact, sample
from rlx.transforms.rules.batching import leading, pointwise
from rlx.transforms.rules.derivative import Rule
from rlx.transforms.rules.formulas import as_composition, conj, linear, match_type, unary


def part_type(dtype: DType) -> DType:
    """The dtype of a complex number's parts; f32 for ints, floats stay."""
    return {"c64": f32, "c128": f64}.get(dtype.name, f32 if dtype.is_integer or dtype.is_bool else dtype)


def complex_type(dtype: DType) -> DType:
    """The complex type whose parts hold a float: c128 for f64, else c64."""
    return c128 if dtype in (f64, c128) else c64


def _require_complex(call: Call) -> None:
    if not call.given[0].dtype.is_complex:
        fix = f"{call.op.name} takes c64 or c128: complex(re, im) makes them"
        raise call.error("RLX103", f"{call.given[0].dtype} is not accepted", fix=fix)


def _part_shape(call: Call) -> Shape:
    _require_complex(call)
    return call.given[0].with_dtype(part_type(call.given[0].dtype))


def _same_shape(call: Call) -> Shape:
    _require_complex(call)
    return call.given[0]


def _complex_cases() -> list[Case]:
    return [
        case(sample(4, 7, dtype="c64"), note="plain"),
        case(sample(3, 33, dtype="c128"), note="c128, odd length"),
        case(sample(2, 0, dtype="c64"), note="size 0"),
        case(sample(dtype="c64"), note="rank 0"),
    ]


_OP_ON_TANGENTS = linear(0)


def _one_operand(
    name: str,
    infer: Callable[[Call], Shape],
    reference: Callable[[Array], Array],
    vjp: Callable[..., Value],
    *,
    jvp: Rule = _OP_ON_TANGENTS,
    tolerance: Tolerance | None = None,
    flops: int = 0,
    doc: str,
) -> OpDef:
    return define(
        name,
        "x",
        infer=infer,
        reference=reference,
        doc=doc,
        tolerance=tolerance or exact(),
        cost=per_element(flops),
        cases=_complex_cases,
        vjp=unary(vjp),
        jvp=jvp,
        batch=pointwise,
    )


def _of_real(call: Call, dy: Value, y: Value, x: Value) -> Value:
    return one("complex", dy, 0.0)


def _of_imag(call: Call, dy: Value, y: Value, x: Value) -> Value:
    return one("complex", 0.0, dy)


conjugate = _one_operand(
    "conjugate", _same_shape, np.conjugate, lambda call, dy, y, x: conj(dy), flops=1, doc="The imaginary part negated."
)
real = _one_operand("real", _part_shape, np.real, _of_real, doc="The real part of complex numbers.")
imag = _one_operand("imag", _part_shape, np.imag, _of_imag, doc="The imaginary part of complex numbers.")
complex_norm_sq = _one_operand(
    "complex_norm_sq",
    _part_shape,
    lambda x: np.square(x.real) + np.square(x.imag),
    lambda call, dy, y, x: one("complex_norm_sq_backward", x, dy),
    jvp=unary(lambda call, t, y, x: one("real", conj(x) * t) * 2.0),
    tolerance=ulps(3),
    flops=3,
    doc="re² + im²: the squared modulus, f32 of c64 and f64 of c128.",
)


# -- two operands -----------------------------------------------------------------------------------------------
def _complex_shape(call: Call) -> Shape:
    for name, shape in zip(("re", "im"), call.given, strict=True):
        if not (shape.dtype.is_float or shape.dtype.is_integer):
            raise call.error("RLX103", f"{name} is {shape.dtype}", fix="ints or floats")
    dims = broadcast_dims(call, *(shape.dims for shape in call.given))
    return Shape.make(dims, complex_type(promote(*(shape.dtype for shape in call.given))))


def _complex(re: Array, im: Array) -> Array:
    re, im = np.broadcast_arrays(re, im)
    result = np.empty(re.shape, np.complex128 if np.result_type(re, im) == np.float64 else np.complex64)
    result.real, result.imag = re, im
    return result


def complex_parts(*dtypes: DType) -> DType:
    """The dtype of a complex number from two real operands: f64 parts where one operand is f64, else f32."""
    return f64 if compute_float(*dtypes) is f64 else f32


complex_ = define_pointwise(
    "complex",
    "re, im",
    infer=_complex_shape,
    reference=_complex,
    doc="re + i·im; c128 when one of them is f64, else c64.",
    compute_dtype=complex_parts,
    cost=no_arithmetic,
    cases=lambda: [
        case(sample(4, 7), sample(4, 7), note="plain", dtypes=("f32", "f64", "f16", "i32")),
        case(sample(4, 1, 3), sample(5, 1), note="broadcast both ways"),
        case(sample(2, 0), sample(2, 0), note="size 0"),
    ],
    vjp=lambda call, operands, results, seeds: [
        match_type(part(seeds[0]), x) for part, x in zip((real, imag), operands, strict=True)
    ],
    jvp=linear(),
)


def _backward_shape(call: Call) -> Shape:
    x, dy = call.given
    _require_complex(call)
    if dy.dtype is not part_type(x.dtype):
        raise call.error("RLX103", f"dy is {dy.dtype}", fix=f"{part_type(x.dtype)}, as complex_norm_sq gives")
    if x.rank != dy.rank:
        raise call.error("RLX102", f"ranks {x.rank} and {dy.rank} differ", fix="dy has the shape of x")
    for axis, (mine, other) in enumerate(zip(x.dims, dy.dims, strict=True)):
        call.check_same(mine, other, f"sizes at axis {axis}")
    return x


complex_norm_sq_backward = define(
    "complex_norm_sq_backward",
    "x, dy",
    infer=_backward_shape,
    attrs={"conjugated": Attr("bool", False, help="2·dy·conj(x), the gradient by JAX's convention")},
    reference=lambda x, dy, conjugated: 2 * dy * (np.conjugate(x) if conjugated else x),
    doc="The gradient of `complex_norm_sq`: 2·dy·x, whose parts are the derivatives by the parts of x (torch's convention).",
    tolerance=ulps(2),
    cost=per_element(4),
    cases=lambda: [
        case(sample(4, 7, dtype="c64"), sample(4, 7), note="plain"),
        case(sample(3, 33, dtype="c128"), sample(3, 33, dtype="f64"), note="c128, odd length", conjugated=True),
        case(sample(0, dtype="c64"), sample(0), note="size 0"),
    ],
    batch=leading,
    **as_composition(lambda x, dy, *, conjugated: one("complex", real(x) * dy * 2.0, imag(x) * dy * (-2.0 if conjugated else 2.0))),
)
