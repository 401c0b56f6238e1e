"""Convolutions on their way to kernels, by what their groups mix: depthwise ones plane by plane, others as matrix products."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from rlx.backends.cpu.emit.kernel import Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import type_of
from rlx.backends.cpu.kernels.conv import planes
from rlx.backends.cpu.kernels.conv.form import ConvForm, finish_of, take_apart, window_axes
from rlx.backends.cpu.kernels.conv.patches import PatchSource, join_plain_axes
from rlx.backends.cpu.kernels.conv.planes import lower_depthwise
from rlx.backends.cpu.kernels.conv.product import ConvBlocking, ConvProduct, ProductCode, emit_patches
from rlx.backends.cpu.kernels.matmul.pack import PackSpec, emit_packing, pack_units
from rlx.backends.cpu.target import Target
from rlx.core.dim import ceildiv, exact_division, product
from rlx.core.dtype import DType
from rlx.core.shape import Shape, is_one
from rlx.ir.op import Op
from rlx.layouts.panels import Panels
from rlx.passes.legalize import NO_KERNEL

_TYPES = ("f32", "f64", "f16", "bf16", "i32")
_TAPS_LIMIT = 1024
"""Taps of a window whose patches of one channel still fit a panel in L2. Larger ones, sizes of a weight that are symbols and other dtypes
are decomposed."""


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower conv, packed_conv, and fused contractions that start with one of them."""
    form = take_apart(op, inputs, outputs[0])
    if isinstance(form, str):
        return form
    x, w = inputs[form.x], inputs[form.w]
    assert x is not None and w is not None
    if any(tensor.dtype.name not in _TYPES for tensor in (x, w)):
        return NO_KERNEL
    is_packed = "layout" in form.op.attrs
    if not is_packed and is_one(w.dims[1]):
        depthwise = lower_depthwise(op, form, inputs, outputs[0], target)
        if not isinstance(depthwise, str):
            return depthwise
    conv = _as_product(form, x, w, None if form.bias is None else inputs[form.bias], outputs[0])
    if isinstance(conv, str):
        return conv
    plan = ConvBlocking.of(conv, target)
    layout = (Panels(plan.width), plan.width, conv.sums)
    if is_packed and ((form.op["layout"], w.dims[3], type_of(w.dtype.name)) != layout or conv.channels == 1):
        return f"panels {w.shape} for {x.shape}"
    return _Commands(op, form, conv, plan, len(inputs)).lowering(None if is_packed else w, target)


def _as_product(form: ConvForm, x: Tensor, w: Tensor, bias: Tensor | None, out: Tensor) -> ConvProduct | str:
    """The convolution as a matrix product, or why it cannot be one."""
    if not all(isinstance(size, int) for size in w.dims):
        return NO_KERNEL
    gaps = {"a weight": not w.is_dense, "columns": not is_one(x.strides[-1]), "a bias": bias is not None and not bias.is_dense}
    if any(gaps.values()):
        return f"{next(name for name, has_gaps in gaps.items() if has_gaps)} with gaps"
    attrs = form.op.attrs
    rows = attrs["n"] if "layout" in attrs else exact_division(w.dims[0], attrs["groups"])
    inner = w.dims[2] if "layout" in attrs else product(w.dims[1:])
    if not isinstance(rows, int) or not isinstance(inner, int) or not rows or not inner:
        return NO_KERNEL
    axes, strides = join_plain_axes(window_axes(form.op, x.dims[2:], out.dims[2:]), x.strides[2:])
    source = PatchSource(type_of(x.dtype.name), axes, x.strides[0], x.strides[1], strides)
    if source.taps > _TAPS_LIMIT:
        return NO_KERNEL
    return ConvProduct(
        source,
        x.dims[0],
        attrs["groups"],
        rows,
        inner // source.taps,
        type_of(out.dtype.name),
        None if bias is None else type_of(bias.dtype.name),
    )


@dataclass(frozen=True)
class _Commands:
    """The commands of a convolution as a matrix product, whose result comes after `operands` operands."""

    op: Op
    form: ConvForm
    conv: ConvProduct
    plan: ConvBlocking
    operands: int

    def lowering(self, weight: Tensor | None, target: Target) -> Lowering:
        """The commands: packing of a `weight` that is not packed, in each run; then of patches, if ahead; then the product."""
        form, conv, plan = self.form, self.conv, self.plan
        stages: list[Stage] = []
        temporaries: list[Tensor] = []
        left, right = form.x, form.w
        if weight is not None:
            right = self.operands + 1
            stages.append(self._pack_weight(weight, right, target))
            dims = (conv.groups, plan.panels_of_rows(conv), conv.inner, plan.width)
            temporaries.append(Tensor.dense(Shape.make(dims, DType.of(conv.sums.name))))
        if plan.ahead:
            left = self.operands + 1 + len(temporaries)
            panels = plan.images(conv) * ceildiv(plan.columns(conv), plan.width) * conv.groups
            units = panels * -(-conv.channels // plan.chunk)
            stages.append(Stage("patches", ("patches", conv), (form.x, left), units, lambda code: emit_patches(code, conv, plan)))
            temporaries.append(Tensor.dense(Shape.make((panels, conv.inner, plan.width), DType.of(conv.sums.name))))
        stages.append(
            Stage(
                form.name("conv"),
                ("conv", conv, self.op),
                (*form.operands(left, right), self.operands),
                plan.units(conv),
                lambda code: ProductCode(code, conv, plan, finish_of(code, form)).units(),
                sum(plan.scratch_elements(conv)) * conv.sums.size,
            )
        )
        return Lowering(tuple(stages), tuple(temporaries))

    def _pack_weight(self, weight: Tensor, number: int, target: Target) -> Stage:
        conv, kind = self.conv, self.conv.sums.name
        each = conv.rows * conv.inner
        spec = PackSpec(conv.rows, conv.inner, "columns", conv.inner, weight.dtype.name, kind, kind, conv.groups, each, panels=1)
        units = pack_units(spec, target)
        return Stage("pack", ("pack", spec), (self.form.w, number), units, partial(emit_packing, spec=spec))


LOWER: dict[str, Lower] = {"conv": lower, "packed_conv": lower, **planes.LOWER}
"""The ops of this folder by name."""
