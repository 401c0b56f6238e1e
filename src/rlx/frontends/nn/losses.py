"""Losses: one number for each example; take the mean, or what is wanted."""

from __future__ import annotations

import math

from rlx.core.dtype import boolean, f32, i32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import (
    ArrayLike,
    array_function,
    as_value,
    axes_of,
    axis_of,
    count_along,
    emit,
    floating,
    full_value,
    promote_values,
)
from rlx.frontends.numpy.insertion import concat, stack
from rlx.frontends.numpy.movement import broadcast_to, moveaxis
from rlx.functions.control_flow import scan
from rlx.ir.value import Value, as_dtype

__all__ = [
    "binary_cross_entropy", "cosine_similarity", "cross_entropy", "ctc_loss", "hinge_loss", "huber_loss", "kl_divergence",
    "l2_loss", "mean_squared_error",
]  # fmt: skip


@array_function
def cross_entropy(
    logits: ArrayLike,
    labels: ArrayLike,
    *,
    label_smoothing: float = 0.0,
    z_loss: float = 0.0,
    ignore_index: int | None = None,
    axis: int = -1,
) -> Value:
    """-log softmax(logits) at each label: classes by number, or probabilities with the shape of the logits.

    `label_smoothing` gives that share of each label to all classes alike; `z_loss` adds so much times the square of the log-sum-exp of the
    logits, which keeps them near 0; examples with the class `ignore_index` count 0.

    >>> import numpy as np, rlx
    >>> rlx.nn.cross_entropy(np.float32([[0, 0], [1, 0]]), np.int32([1, 0])).round(4)
    Array([0.6931, 0.3133], dtype=float32)
    """
    like = next(each for each in (logits, labels) if isinstance(each, Value))
    scores, targets = floating(as_value(logits, like)), as_value(labels, like)
    axis = axis_of(axis, scores.rank, "cross_entropy")
    logs = emit("log_softmax", scores, axis=axis)
    if targets.dtype.is_integer:
        loss = -_at_label(logs, targets, axis)
        if label_smoothing:
            loss = (1 - label_smoothing) * loss - label_smoothing * emit("reduce_mean", logs, axes=(axis,), keep_dim=False)
    else:
        weights = as_dtype(targets, scores.dtype)
        if label_smoothing:
            weights = (1 - label_smoothing) * weights + label_smoothing / count_along(scores, (axis,), scores.dtype)
        loss = -emit("reduce_sum", weights * logs, axes=(axis,), keep_dim=False)
    if z_loss:
        total = emit("reduce_log_sum_exp", scores, axes=(axis,), keep_dim=False)
        loss = loss + z_loss * total * total
    if ignore_index is None:
        return loss
    if not targets.dtype.is_integer:
        raise RlxError("RLX109", "cross_entropy with ignore_index and probabilities", fix="classes by number")
    return emit("where", targets == ignore_index, 0.0, loss)


def _at_label(logs: Value, labels: Value, axis: int) -> Value:
    if labels.rank != logs.rank - 1:
        raise RlxError("RLX102", f"labels {labels.type} for logits {logs.type}", fix="the shape without the classes")
    index = labels.reshape((*labels.shape[:axis], 1, *labels.shape[axis:]))
    picked: Value = emit("take_along_axis", logs, index, axis=axis)
    return picked.reshape(labels.shape)


@array_function
def binary_cross_entropy(logits: ArrayLike, labels: ArrayLike) -> Value:
    """-labels log sigmoid(logits) - (1 - labels) log sigmoid(-logits), for each element."""
    x, y = promote_values(logits, labels, least=f32)
    return y * emit("softplus", -x) + (1 - y) * emit("softplus", x)


@array_function
def l2_loss(predictions: ArrayLike, targets: ArrayLike = 0.0) -> Value:
    """Half the square of the difference, for each element."""
    x, y = promote_values(predictions, targets, least=f32)
    return 0.5 * (x - y) * (x - y)


@array_function
def mean_squared_error(predictions: ArrayLike, targets: ArrayLike) -> Value:
    """The mean of squared differences."""
    x, y = promote_values(predictions, targets, least=f32)
    apart = x - y
    return (apart * apart).mean()


@array_function
def huber_loss(predictions: ArrayLike, targets: ArrayLike = 0.0, delta: float = 1.0) -> Value:
    """Half the square of differences up to delta, a line beyond."""
    x, y = promote_values(predictions, targets, least=f32)
    apart = emit("abs", x - y)
    square = emit("min", apart, delta)
    return 0.5 * square * square + delta * (apart - square)


@array_function
def hinge_loss(scores: ArrayLike, labels: ArrayLike) -> Value:
    """max(0, 1 - score · label), labels of -1 and 1."""
    x, y = promote_values(scores, labels, least=f32)
    return emit("relu", 1 - x * y)


@array_function
def kl_divergence(
    log_predictions: ArrayLike, targets: ArrayLike, axis: int | tuple[int, ...] = -1, log_targets: bool = False
) -> Value:
    """The sum of target · (log target - log prediction) over axes; 0 where a target is 0."""
    logs, goal = promote_values(log_predictions, targets, least=f32)
    if log_targets:
        each = emit("exp", goal) * (goal - logs)
    else:
        safe = emit("where", goal > 0, goal, 1.0)
        each = emit("where", goal > 0, goal * (emit("log", safe) - logs), 0.0)
    return emit("reduce_sum", each, axes=axes_of(axis, each.rank, "kl_divergence"), keep_dim=False)


@array_function
def cosine_similarity(predictions: ArrayLike, targets: ArrayLike, axis: int = -1, epsilon: float = 0.0) -> Value:
    """The cosine of the angle between vectors along an axis."""
    x, y = promote_values(predictions, targets, least=f32)
    places = (axis_of(axis, x.rank, "cosine_similarity"),)

    def norm(v: Value) -> Value:
        return emit("max", emit("sqrt", emit("reduce_sum", v * v, axes=places, keep_dim=True)), epsilon)

    return emit("reduce_sum", x / norm(x) * (y / norm(y)), axes=places, keep_dim=False)


# -- sequences without alignment ----------------------------------------------------------------------------------
_NEVER = -1e30  # the logarithm of no probability; finite, so that differences of two are numbers


@array_function
def ctc_loss(
    logits: ArrayLike, logit_paddings: ArrayLike, labels: ArrayLike, label_paddings: ArrayLike, blank_id: int = 0
) -> Value:
    """Connectionist temporal classification (Graves et al., 2006), with `optax.ctc_loss`'s arguments: -log p(labels), one for each row.

    Logits [batch, time, classes] and labels [batch, length], padded at the end where their paddings are 1. The sum over all alignments goes
    forward in time, in logarithms. Infinite where there is no alignment: too little time for the labels.

    >>> import numpy as np, rlx
    >>> never = np.zeros((1, 2), np.float32)
    >>> rlx.nn.ctc_loss(np.zeros((1, 2, 3), np.float32), never, np.int32([[1, 2]]), never)  # one alignment of 9
    Array([2.1972246], dtype=float32)
    """
    like = next(each for each in (logits, logit_paddings, labels, label_paddings) if isinstance(each, Value))
    scores, targets = floating(as_value(logits, like)), as_value(labels, like)
    if scores.rank != 3 or targets.rank != 2 or not targets.dtype.is_integer:
        message = f"ctc_loss of logits {scores.type} and labels {targets.type}"
        raise RlxError("RLX102", message, fix="logits [batch, time, classes], integer labels [batch, length]")
    paddings = [as_dtype(as_value(x, like), f32) for x in (logit_paddings, label_paddings)]
    for padding, value, name in zip(paddings, (scores, targets), ("logit", "label"), strict=True):
        if padding.shape != value.shape[:2]:
            message = f"ctc_loss: {name}_paddings of shape {list(padding.shape)} for {value.type}"
            raise RlxError("RLX102", message, fix="1 or 0 for each position of each row")
    states = _with_blanks(targets, blank_id)
    batch, count = states.shape
    time = scores.shape[1]
    logs = emit("log_softmax", scores, axis=2)
    places = broadcast_to(states.reshape((batch, 1, count)), (batch, time, count))
    return _forward(emit("take_along_axis", logs, places, axis=2), states, paddings[0], paddings[1])


def _with_blanks(labels: Value, blank: int) -> Value:
    """Inserts CTC blanks before, between and behind the labels: [batch, 2 · length + 1]."""
    batch, length = labels.shape
    whole = as_dtype(labels, i32)
    blanks = full_value(whole, (batch, length, 1), blank, i32)
    pairs = concat([blanks, whole.reshape((batch, length, 1))], 2).reshape((batch, 2 * length))
    return as_value(concat([pairs, full_value(whole, (batch, 1), blank, i32)], 1))


def _forward(seen: Value, states: Value, logit_padding: Value, label_padding: Value) -> Value:
    """The CTC forward recursion, in logarithms: each state after each step, from itself, the state before it, or the one before a blank."""
    batch, time, count = seen.shape
    column = emit("iota", shape=(batch, count), axis=1, dtype=i32, graph=seen.graph)

    def shift_rows(x: Value, by: int, number: float) -> Value:
        filler = full_value(x, (batch, by), number, x.dtype)
        return emit("narrow", concat([filler, x], 1), axis=1, start=0, length=count)

    before = shift_rows(states, 2, -1)
    may_skip = (states != before) & (emit("mod", column, 2) == 1)

    def step(alpha: Value, row: tuple[Value, Value]) -> tuple[Value, None]:
        heard, padded = row
        skipped = emit("where", may_skip, shift_rows(alpha, 2, _NEVER), _NEVER)
        ways = stack([alpha, shift_rows(alpha, 1, _NEVER), skipped], 0)
        after = emit("reduce_log_sum_exp", ways, axes=(0,), keep_dim=False) + heard
        return emit("where", padded, alpha, after), None

    start = emit("where", column == 0, 0.0, full_value(seen, (batch, count), _NEVER, seen.dtype))
    padded = moveaxis(as_dtype(logit_padding, boolean), 1, 0).reshape((time, batch, 1))
    last, _ = scan(step, start, (moveaxis(seen, 1, 0), padded))
    length = emit("reduce_sum", as_dtype(1.0 - label_padding, i32), axes=(1,), keep_dim=False).reshape((batch, 1))
    ends = emit("where", (column == 2 * length) | (column == 2 * length - 1), last, _NEVER)
    loss = -emit("reduce_log_sum_exp", ends, axes=(1,), keep_dim=False)
    return emit("where", loss > -0.5 * _NEVER, math.inf, loss)
