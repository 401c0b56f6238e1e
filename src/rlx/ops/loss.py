"""Losses: softmax cross entropy on integer labels, and its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import i32
from rlx.ir.emit import size_scalar
from rlx.ir.tolerance import Tolerance
from rlx.ir.value import one
from rlx.ops.attention.attention import counting
from rlx.ops.record import OPS, Array, Attr, Call, Case, Op, OpKind, Shape, Value, as_dtype, case, define, sample
from rlx.transforms.rules import formulas
from rlx.transforms.rules.batching import in_rows


def _check_labels(call: Call) -> tuple[Shape, Shape]:
    logits, labels = call.given[:2]
    if logits.rank != 2 or not logits.dtype.is_float:
        raise call.error("RLX102", f"logits are {logits}", fix="floats [N, C]: reshape(-1, C)")
    if labels.rank != 1 or not labels.dtype.is_integer:
        raise call.error("RLX102", f"labels are {labels}", fix="integers [N]: one class for each row")
    call.check_same(logits.dims[0], labels.dims[0], "rows of logits and labels:")
    return logits, labels


def _loss_shape(call: Call) -> Shape:
    logits, labels = _check_labels(call)
    return Shape.make(labels.dims, logits.dtype)


def _backward_shape(call: Call) -> Shape:
    logits, labels = _check_labels(call)
    gradient = call.given[2]
    if gradient.rank != 1 or not gradient.dtype.is_float:
        raise call.error("RLX102", f"dy is {gradient}", fix="floats [N]: the gradient of each row's loss")
    call.check_same(gradient.dims[0], labels.dims[0], "rows of dy and labels:")
    return logits


# -- meaning ----------------------------------------------------------------------------------------------------
def _classes(labels: Array, count: int) -> Array:
    """Resolves the labels of cross-entropy: negative labels count from the end, then clip."""
    labels = labels.astype(np.int64)
    return np.clip(np.where(labels < 0, labels + count, labels), 0, max(count - 1, 0))


def _count_mask(labels: Array, ignore_index: int | None) -> Array:
    return np.ones(labels.shape, np.bool_) if ignore_index is None else labels != ignore_index


def _loss(logits: Array, labels: Array, *, ignore_index: int | None) -> Array:
    shifted = logits - logits.max(1, keepdims=True)
    picked = np.take_along_axis(shifted, _classes(labels, logits.shape[1])[:, None], 1)[:, 0]
    return np.where(_count_mask(labels, ignore_index), np.log(np.exp(shifted).sum(1)) - picked, 0)


def _backward(logits: Array, labels: Array, dy: Array, *, ignore_index: int | None) -> Array:
    weights = np.exp(logits - logits.max(1, keepdims=True))
    weights /= weights.sum(1, keepdims=True)
    column = _classes(labels, logits.shape[1])[:, None]
    np.put_along_axis(weights, column, np.take_along_axis(weights, column, 1) - 1, 1)
    return np.where(_count_mask(labels, ignore_index)[:, None], weights * dy[:, None], 0)


# -- the same in primitive ops ----------------------------------------------------------------------------------
def _class_values(logits: Value, labels: Value) -> Value:
    """Resolves the labels of cross-entropy on Values, as i32 `[N, 1]`."""
    count = size_scalar(logits, logits.shape[1])
    labels = as_dtype(labels, i32)
    wrapped = OPS["where"](labels < 0, labels + count, labels)
    return one("clamp", wrapped, 0, count - 1).reshape(labels.shape[0], 1)


def _hide_ignored_labels(value: Value, labels: Value, ignore_index: int | None) -> Value:
    if ignore_index is None:
        return value
    counted = labels != ignore_index
    return one("where", counted.reshape(*labels.shape, *(1,) * (value.rank - 1)), value, 0.0)


def _decompose_loss(logits: Value, labels: Value, *, ignore_index: int | None) -> Value:
    wide = as_dtype(logits, logits.dtype.compute)
    shifted = wide - wide.max(axes=(1,), keep_dim=True)
    picked = OPS["take_along_axis"](shifted, _class_values(logits, labels), axis=1).reshape(labels.shape)
    loss = OPS["log"](OPS["exp"](shifted).sum(axes=(1,))) - picked
    return as_dtype(_hide_ignored_labels(loss, labels, ignore_index), logits.dtype)


def _decompose_backward(logits: Value, labels: Value, dy: Value, *, ignore_index: int | None) -> Value:
    wide = as_dtype(logits, logits.dtype.compute)
    is_label = counting(logits.graph, logits.shape[1]) == _class_values(logits, labels)
    gradient = (OPS["softmax"](wide, axis=1) - is_label.astype(wide.dtype)) * as_dtype(dy, wide.dtype).reshape(*dy.shape, 1)
    return as_dtype(_hide_ignored_labels(gradient, labels, ignore_index), logits.dtype)


# -- tolerance against f64 --------------------------------------------------------------------------------------
class _OfRow(Tolerance):
    """Tolerance of cross-entropy by row: Σ exp is at least 1 when rounded; its logarithm and the gradient may be far smaller."""

    def scale_of(self, op: Op, operands: Sequence[Array | None], expected: Array) -> Array:
        """The scale of a loss is 1 plus its magnitude; the scale of a gradient is the |dy| of its row."""
        if len(operands) == 2:
            return 1 + np.abs(expected)
        dy = operands[2]
        assert dy is not None
        return np.broadcast_to(np.abs(dy.astype(np.float64))[:, None], expected.shape)


def _class_count(op: Op, operands: Sequence[Array | None]) -> int:
    assert operands[0] is not None
    return int(operands[0].shape[1])


_TOLERANCE = _OfRow(ulps=16.0, factor=1.0, length=_class_count, biased=True)

# -- the records ------------------------------------------------------------------------------------------------
_ATTRS = {"ignore_index": Attr("int", None, "the label whose rows count nothing (PyTorch's is -100); None: every row counts")}


def _labels(*numbers: int) -> Any:
    return sample(len(numbers), dtype="i32", fixed=numbers)


def _loss_cases(gradient: bool) -> list[Case]:
    floats = ("f32", "f64", "f16", "bf16")

    def row(logits: Any, labels: Any, note: str, **more: Any) -> Case:
        return case(logits, labels, *([sample(labels.dims[0])] if gradient else []), note=note, **more)

    return [
        row(sample(4, 7), _labels(0, 6, 3, 3), "plain", dtypes=floats),
        row(sample(4, 7), _labels(-1, 99, -100, 2), "odd: labels from the end and past it"),
        row(sample(4, 7), _labels(-100, 1, 6, -100), "odd: two rows ignored", dtypes=floats, ignore_index=-100),
        row(sample(2, 3, fixed=[[1e4, 0, -1e4], [0, 0, 0]]), _labels(0, 1), "odd: large logits, ties"),
        row(sample(3, 67), _labels(66, 0, 33), "odd length with a vector tail"),
        row(sample(2, 1), _labels(0, 0), "one class"),
        row(sample(0, 5), sample(0, dtype="i32"), "size 0"),
    ]


softmax_cross_entropy_with_logits = define(
    "softmax_cross_entropy_with_logits",
    "logits, labels:index",
    infer=_loss_shape,
    reference=_loss,
    decompose=_decompose_loss,
    kind=OpKind.Reduction,
    attrs=_ATTRS,
    keeps_f32="a loss",
    doc="""log Σ exp(logits) - logits[label] for each row of `[N, C]`, stable; `[N]`. Rows labelled ignore_index give 0.

    Other labels follow the index rule: negative ones count from the end, then clip.""",
    tolerance=_TOLERANCE,
    cost=lambda call, results: call.given[0].num_elements * 12,
    cases=lambda: _loss_cases(False),
    vjp=formulas.one_result(
        lambda call, dy, x, labels: [OPS["softmax_cross_entropy_backward"](x, labels, dy, **call.op.attrs), None]
    ),
    batch=in_rows(),
)

softmax_cross_entropy_backward = define(
    "softmax_cross_entropy_backward",
    "logits, labels:index, dy",
    infer=_backward_shape,
    reference=_backward,
    decompose=_decompose_backward,
    kind=OpKind.Reduction,
    attrs=_ATTRS,
    keeps_f32="the gradient of a loss",
    doc="(softmax(logits) - one_hot(label))·dy for each row, 0 where ignored: the gradient of the cross entropy.",
    tolerance=_TOLERANCE,
    cost=lambda call, results: call.given[0].num_elements * 14,
    cases=lambda: _loss_cases(True),
    batch=in_rows(),
)
