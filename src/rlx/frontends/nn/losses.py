"""Losses: one number for each example; take the mean, or what is wanted."""

from __future__ import annotations

from rlx.core.dtype import f32
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike, array_function, as_value
from rlx.frontends.numpy.values import axes_of, axis_of, counted, emit, floating, promoted
from rlx.ir.value import Value, as_dtype

__all__ = [
    "binary_cross_entropy",
    "cosine_similarity",
    "cross_entropy",
    "hinge_loss",
    "huber_loss",
    "kl_divergence",
    "l2_loss",
    "mean_squared_error",
]


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
    place = axis_of(axis, scores.rank, "cross_entropy")
    total = emit("reduce_log_sum_exp", scores, axes=(place,), keep_dim=True)
    logs = scores - total
    flat = total.reshape(tuple(size for i, size in enumerate(scores.shape) if i != place))
    if targets.dtype.is_integer:
        found = -_at_label(logs, targets, place)
        if label_smoothing:
            found = (1 - label_smoothing) * found - label_smoothing * emit(
                "reduce_mean", logs, axes=(place,), keep_dim=False
            )
    else:
        weights = as_dtype(targets, scores.dtype)
        if label_smoothing:
            weights = (1 - label_smoothing) * weights + label_smoothing / counted(scores, (place,), scores.dtype)
        found = -emit("reduce_sum", weights * logs, axes=(place,), keep_dim=False)
    if z_loss:
        found = found + z_loss * flat * flat
    if ignore_index is None:
        return found
    if not targets.dtype.is_integer:
        raise RlxError("RLX109", "cross_entropy with ignore_index and probabilities", fix="classes by number")
    return emit("where", targets == ignore_index, 0.0, found)


def _at_label(logs: Value, labels: Value, axis: int) -> Value:
    if labels.rank != logs.rank - 1:
        raise RlxError("RLX102", f"labels {labels.type} for logits {logs.type}", fix="the shape without the classes")
    index = labels.reshape((*labels.shape[:axis], 1, *labels.shape[axis:]))
    found: Value = emit("take_along_axis", logs, index, axis=axis)
    return found.reshape(labels.shape)


@array_function
def binary_cross_entropy(logits: ArrayLike, labels: ArrayLike) -> Value:
    """-labels log sigmoid(logits) - (1 - labels) log sigmoid(-logits), for each element."""
    x, y = promoted(logits, labels, least=f32)
    return y * emit("softplus", -x) + (1 - y) * emit("softplus", x)


@array_function
def l2_loss(predictions: ArrayLike, targets: ArrayLike = 0.0) -> Value:
    """Half the square of the difference, for each element."""
    x, y = promoted(predictions, targets, least=f32)
    return 0.5 * (x - y) * (x - y)


@array_function
def mean_squared_error(predictions: ArrayLike, targets: ArrayLike) -> Value:
    """The mean of squared differences."""
    x, y = promoted(predictions, targets, least=f32)
    apart = x - y
    return (apart * apart).mean()


@array_function
def huber_loss(predictions: ArrayLike, targets: ArrayLike = 0.0, delta: float = 1.0) -> Value:
    """Half the square of differences up to delta, a line beyond."""
    x, y = promoted(predictions, targets, least=f32)
    apart = emit("abs", x - y)
    square = emit("min", apart, delta)
    return 0.5 * square * square + delta * (apart - square)


@array_function
def hinge_loss(scores: ArrayLike, labels: ArrayLike) -> Value:
    """max(0, 1 - score · label), labels of -1 and 1."""
    x, y = promoted(scores, labels, least=f32)
    return emit("relu", 1 - x * y)


@array_function
def kl_divergence(
    log_predictions: ArrayLike, targets: ArrayLike, axis: int | tuple[int, ...] = -1, log_targets: bool = False
) -> Value:
    """The sum of target · (log target - log prediction) over axes; 0 where a target is 0."""
    logs, goal = promoted(log_predictions, targets, least=f32)
    if log_targets:
        each = emit("exp", goal) * (goal - logs)
    else:
        safe = emit("where", goal > 0, goal, 1.0)
        each = emit("where", goal > 0, goal * (emit("log", safe) - logs), 0.0)
    return emit("reduce_sum", each, axes=axes_of(axis, each.rank, "kl_divergence"), keep_dim=False)


@array_function
def cosine_similarity(predictions: ArrayLike, targets: ArrayLike, axis: int = -1, epsilon: float = 0.0) -> Value:
    """The cosine of the angle between vectors along an axis."""
    x, y = promoted(predictions, targets, least=f32)
    places = (axis_of(axis, x.rank, "cosine_similarity"),)

    def norm(v: Value) -> Value:
        return emit("max", emit("sqrt", emit("reduce_sum", v * v, axes=places, keep_dim=True)), epsilon)

    return emit("reduce_sum", x / norm(x) * (y / norm(y)), axes=places, keep_dim=False)
