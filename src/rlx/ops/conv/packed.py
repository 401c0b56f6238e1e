"""The convolution that reads its weight in a layout of the device."""

from __future__ import annotations

from typing import Any

from rlx.core.dim import exact_division, product
from rlx.core.dtype import promote
from rlx.ir.tolerance import summed
from rlx.layouts.weight_layout import WeightLayout
from rlx.ops.contraction.packed import check_packed, layout_attr
from rlx.ops.conv.conv import Ints, check_bias, check_groups, conv, conv_reference, output_dims, spread, window_attrs
from rlx.ops.inference import define_product, numeric, require
from rlx.ops.movement.shape import reshape, transpose
from rlx.ops.record import Array, Attr, Call, Op, Shape, Size, Value, case, sample
from rlx.transforms.rules.batching import by_parts
from rlx.transforms.rules.derivative import jvp_by_parts, vjp_by_parts


def weight_matrices(w: Value, groups: int) -> Value:
    """Reshapes a weight `[Cout, Cin/groups, …]` to the matrices `[groups, Cin/groups · taps, Cout/groups]` that are packed."""
    each = exact_division(w.shape[0], groups)
    assert each is not None
    return transpose(reshape(w, shape=(groups, each, product(w.shape[1:]))), perm=(0, 2, 1))


def _normal_packed(call: Call) -> Op:
    axes = call.given[0].rank - 2
    if call.kernel_size is None:
        raise call.error("RLX105", "kernel_size is missing", fix="the window of the weight, e.g. kernel_size=(3, 3)")
    names = {"kernel_size": 1, "stride": 1, "padding": 0, "dilation": 1}
    return call.op.with_attrs(**{name: spread(call, name, axes, least) for name, least in names.items()})


def _packed_shape(call: Call) -> Shape:
    require(call, numeric, "numbers (bools: cast to an int first)")
    x, w = call.given[:2]
    _, dims = check_packed(call, w)
    if not 3 <= x.rank <= 5 or len(dims) != 3:
        message = f"ranks {x.rank} of x and {len(dims)} of the matrices"
        raise call.error("RLX102", message, fix="x [N, Cin, …] and packed matrices [groups, Cin/groups · taps, n]")
    call.check_same(dims[0], call.groups, "matrices and groups")
    each = check_groups(call, x.dims[1], "input channels")
    call.check_same(each * product(call.kernel_size), dims[1], "elements of a window in a group and rows of a matrix")
    channels = dims[2] * call.groups
    check_bias(call, channels)
    sizes = output_dims(call, x.dims[2:], call.kernel_size)
    return Shape.make((x.dims[0], channels, *sizes), promote(*(shape.dtype for shape in call.given)))


def _packed_reference(
    x: Array, w: Array, bias: Array | None = None, *, layout: WeightLayout, n: int, kernel_size: Ints, groups: int, **window: Any
) -> Array:
    (matrices,) = layout.unpack(w, n)
    weight = matrices.swapaxes(-1, -2).reshape(groups * n, x.shape[1] // groups, *kernel_size)
    return conv_reference(x, weight, bias, kernel_size=kernel_size, groups=groups, **window)


def _by_conv(
    x: Value, w: Value, bias: Value | None = None, *, layout: WeightLayout, n: Size, kernel_size: Ints, groups: int, **window: Any
) -> Any:
    """Decomposes `packed_conv`: unpacks the weight and emits `conv`."""
    (matrices,) = layout.unpack_values(w, n)
    each = exact_division(x.shape[1], groups)
    weight = reshape(transpose(matrices, perm=(0, 2, 1)), shape=(n * groups, each, *kernel_size))
    return conv(x, weight, bias, groups=groups, **window)


packed_conv = define_product(
    "packed_conv",
    "x, w, bias?",
    infer=_packed_shape,
    normalize=_normal_packed,
    reference=_packed_reference,
    attrs={"layout": layout_attr(), "n": Attr("size", help="output channels of a group"), **window_attrs()},
    decompose=_by_conv,
    doc="`conv` with a packed weight: the matrices `[groups, Cin/groups · taps, n]` of its groups.",
    tolerance=summed(1.0, lambda op, operands: operands[1].shape[-2]),
    cost=lambda call, results: results[0].num_elements * call.given[1].dims[-2] * 2,
    vjp=vjp_by_parts(),
    jvp=jvp_by_parts(),
    batch=by_parts,
    cases=lambda: [
        case(
            sample(2, 3, 7, 8),
            sample(1, 2, 27, 16),
            sample(21),
            note="an image, odd channels",
            dtypes=("f32", "f64", "bf16"),
            layout="panel16",
            n=21,
            kernel_size=3,
            padding=1,
        ),
        case(
            sample(1, 4, 9),
            sample(2, 1, 6, 16),
            note="one axis, groups, odd stride and dilation",
            layout="panel16",
            n=3,
            kernel_size=3,
            stride=2,
            padding=2,
            dilation=2,
            groups=2,
        ),
        case(sample(0, 2, 4, 4), sample(1, 1, 2, 16), note="size 0", layout="panel16", n=5, kernel_size=1),
    ],
)
