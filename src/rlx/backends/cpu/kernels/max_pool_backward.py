"""The gradient of max pooling: each window's dy is added to its first maximum.

A unit owns complete planes (one image's channel), so windows that overlap add up in row-major order of the windows.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import F32, Type, Value, Variable, type_of
from rlx.backends.cpu.kernels.movement.runs import fill_run, index_of, offset_of
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product
from rlx.core.dtype import DType
from rlx.ir.graph import dense_strides
from rlx.ir.op import Op


@dataclass(frozen=True)
class Windows:
    """The layouts of x, dy and the sums of a max pool's gradient, and the windows over the plane's axes."""

    kind: Type
    dy_kind: Type
    sums: Type
    dims: tuple[Size, ...]
    outputs: tuple[Size, ...]
    x_strides: tuple[Size, ...]
    dy_strides: tuple[Size, ...]
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    signed: bool

    @property
    def plane(self) -> tuple[Size, ...]:
        """The dims of a pooled plane."""
        return self.dims[2:]


def _emit_planes(code: KernelCode, windows: Windows) -> None:
    """Emit the gradient of max pool plane by plane. Tensors: x, dy, sums (dense, in f32 for 16-bit floats)."""
    k = code.code
    size = index_of(code, product(windows.plane))
    channels = index_of(code, windows.dims[1])
    for unit in k.range(k.begin, k.end):
        image, channel = unit.udiv(channels), unit.urem(channels)
        x = k.pointer(code.pointer(0), offset_of(code, [image, channel], windows.x_strides[:2]), windows.kind)
        dy = k.pointer(code.pointer(1), offset_of(code, [image, channel], windows.dy_strides[:2]), windows.dy_kind)
        sums = k.pointer(code.pointer(2), unit * size, windows.sums)
        fill_run(code, sums, k.constant(0, windows.sums), size)
        _each_window(code, windows, x, dy, sums, [])


def _each_window(code: KernelCode, windows: Windows, x: Value, dy: Value, sums: Value, at: list[Value]) -> None:
    k, axis = code.code, len(at)
    if axis < len(windows.plane):
        for position in k.range(index_of(code, windows.outputs[axis])):
            _each_window(code, windows, x, dy, sums, [*at, position])
        return
    best, place = k.var(0, _wide(windows.kind)), k.var(-1)
    _each_tap(code, windows, x, at, [], best, place)
    given = k.load(dy, offset_of(code, at, windows.dy_strides[2:]), windows.dy_kind)
    target = place.get()
    with k.when(target >= 0):
        k.store(k.load(sums, target, windows.sums) + k.convert(given, windows.sums), sums, target)


def _wide(kind: Type) -> Type:
    return F32 if kind.is_low_float else kind


def _each_tap(
    code: KernelCode, windows: Windows, x: Value, at: list[Value], taps: list[Value], best: Variable, place: Variable
) -> None:
    """Track the position of a window's maximum: the first element larger than all before it; NaN is the largest."""
    k, axis = code.code, len(taps)
    if axis < len(windows.plane):
        start = at[axis] * windows.stride[axis] - windows.padding[axis]
        first = k.maximum(start, 0)
        last = k.minimum(start + windows.kernel[axis], index_of(code, windows.plane[axis]))
        for position in k.range(first, last):
            _each_tap(code, windows, x, at, [*taps, position], best, place)
        return
    value = k.convert(k.load(x, offset_of(code, taps, windows.x_strides[2:]), windows.kind), _wide(windows.kind))
    if value.type.is_float:
        larger = (value > best.get()) | (k.is_nan(value) & ~k.is_nan(best.get()))
    else:
        larger = value > best.get() if windows.signed else value.ugt(best.get())
    better = larger | (place.get() < 0)
    best.set(k.select(better, value, best.get()))
    place.set(k.select(better, offset_of(code, taps, dense_strides(windows.plane)), place.get()))


def _emit_rounding(code: KernelCode, windows: Windows) -> None:
    k = code.code
    size = index_of(code, product(windows.plane))
    for at in k.range(k.begin * size, k.end * size):
        k.store(k.convert(k.load(code.pointer(0), at, windows.sums), windows.kind), code.pointer(1), at)


def lower_backward(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower the gradient of max pool: one, two or three window axes, any views."""
    x, dy = inputs
    assert x is not None and dy is not None
    out = outputs[0]
    if not out.is_dense:
        return "a result with gaps"
    kind = type_of(x.dtype.name)
    sums = _wide(kind)
    windows = Windows(
        kind,
        type_of(dy.dtype.name),
        sums,
        x.dims,
        dy.dims[2:],
        x.strides,
        dy.strides,
        op.attrs["kernel_size"],
        op.attrs["stride"],
        op.attrs["padding"],
        x.dtype.category != "uint",
    )
    units = x.dims[0] * x.dims[1]
    apart = sums != kind
    planes = Stage(
        "max_pool_backward",
        ("max_pool_backward", windows),
        (0, 1, 3 if apart else 2),
        units,
        lambda code: _emit_planes(code, windows),
    )
    if not apart:
        return Lowering((planes,))
    rounding = Stage("pool_round", ("pool_round", windows), (3, 2), units, lambda code: _emit_rounding(code, windows))
    return Lowering((planes, rounding), (Tensor(DType.of("f32"), out.dims, out.strides),))


LOWER: dict[str, Lower] = {"max_pool2d_backward": lower_backward}
"""The ops of this file by name."""
