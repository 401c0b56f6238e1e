"""How weights begin, with `jax.nn.initializers`' names and arguments: each returns a function of a key, a shape and a dtype."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

from rlx.core.dtype import DTypeLike
from rlx.core.errors import RlxError
from rlx.frontends import numpy as rnp
from rlx.frontends import random
from rlx.frontends.dispatch import ArrayLike, axes_of, axis_of, sizes_of
from rlx.ir.array_methods import Array

__all__ = [
    "Initializer", "constant", "delta_orthogonal", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "kaiming_normal",
    "kaiming_uniform", "lecun_normal", "lecun_uniform", "normal", "ones", "orthogonal", "truncated_normal", "uniform",
    "variance_scaling", "xavier_normal", "xavier_uniform", "zeros",
]  # fmt: skip

Axes = int | Sequence[int]
_TRUNCATED_DEVIATION = 0.87962566103423978  # of the normal distribution between -2 and 2


class Initializer(Protocol):
    """A function of a key, a shape and a dtype."""

    def __call__(self, key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None) -> Array: ...


def zeros(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None) -> Array:
    """Zeros.

    >>> zeros(None, (2,))
    Array([0., 0.], dtype=float32)
    """
    return rnp.zeros(tuple(shape), dtype)


def ones(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None) -> Array:
    """Ones.

    >>> ones(None, (2,))
    Array([1., 1.], dtype=float32)
    """
    return rnp.ones(tuple(shape), dtype)


def constant(value: ArrayLike, dtype: DTypeLike | None = None) -> Initializer:
    """One number everywhere, or an array that is broadcast.

    >>> constant(7.0)(None, (2,))
    Array([7., 7.], dtype=float32)
    """
    default = dtype

    def initial(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None) -> Array:
        return rnp.full(tuple(shape), value, dtype or default or "f32")

    return initial


def uniform(scale: float = 1e-2, dtype: DTypeLike | None = None) -> Initializer:
    """Uniform in [0, scale).

    >>> import rlx
    >>> bool((uniform(3.0)(rlx.random.key(0), (100,)) < 3).all())
    True
    """
    default = dtype

    def initial(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None) -> Array:
        return random.uniform(key, tuple(shape), dtype or default) * scale

    return initial


def normal(stddev: float = 1e-2, dtype: DTypeLike | None = None) -> Initializer:
    """Normal with mean 0.

    >>> import rlx
    >>> normal(0.5)(rlx.random.key(0), (2, 3)).shape
    (2, 3)
    """
    default = dtype

    def initial(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None) -> Array:
        return random.normal(key, tuple(shape), dtype or default) * stddev

    return initial


def truncated_normal(stddev: float = 1e-2, dtype: DTypeLike | None = None, lower: float = -2.0, upper: float = 2.0) -> Initializer:
    """Normal between lower and upper, in units of stddev. (The deviation of what lies between is smaller than stddev.)

    >>> import rlx
    >>> bool((abs(truncated_normal(0.5)(rlx.random.key(0), (100,))) <= 1).all())
    True
    """
    default = dtype

    def initial(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None) -> Array:
        return random.truncated_normal(key, lower, upper, tuple(shape), dtype or default or "f32") * stddev

    return initial


# -- by fan -------------------------------------------------------------------------------------------------------
def _fans(shape: Sequence[Any], in_axis: Axes, out_axis: Axes, batch_axis: Axes) -> tuple[float, float]:
    """Fan-in and fan-out of a kernel: the inputs of each result, and the results of each input."""
    rank = len(shape)
    if rank <= 1:
        message = f"variance_scaling of shape {list(shape)}"
        raise RlxError("RLX102", message, fix="at least an axis of inputs and one of outputs")

    def size(axes: Axes) -> int:
        given = tuple(axes) if isinstance(axes, Sequence) else axes
        return math.prod(shape[axis] for axis in axes_of(given, rank, "variance_scaling"))

    inputs, outputs = size(in_axis), size(out_axis)
    field = math.prod(shape) / inputs / outputs / size(batch_axis) if math.prod(shape) else 0.0
    return inputs * field, outputs * field


def variance_scaling(
    scale: float,
    mode: Literal["fan_in", "fan_out", "fan_avg", "fan_geo_avg"],
    distribution: Literal["truncated_normal", "normal", "uniform"],
    in_axis: Axes = -2,
    out_axis: Axes = -1,
    batch_axis: Axes = (),
    dtype: DTypeLike | None = None,
) -> Initializer:
    """Mean 0 and variance scale / fan, the fan being inputs, outputs, or a mean of both.

    >>> import rlx
    >>> variance_scaling(1.0, "fan_in", "normal")(rlx.random.key(0), (4, 3)).shape
    (4, 3)
    """
    default = dtype
    modes: dict[str, Callable[[float, float], float]] = {
        "fan_in": lambda inputs, outputs: inputs,
        "fan_out": lambda inputs, outputs: outputs,
        "fan_avg": lambda inputs, outputs: (inputs + outputs) / 2,
        "fan_geo_avg": lambda inputs, outputs: math.sqrt(inputs * outputs),
    }
    if mode not in modes:
        raise RlxError("RLX109", f"variance_scaling with mode {mode!r}", fix=f"one of {', '.join(modes)}")
    if distribution not in ("truncated_normal", "normal", "uniform"):
        message = f"variance_scaling with distribution {distribution!r}"
        raise RlxError("RLX109", message, fix="truncated_normal, normal or uniform")

    def initial(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None) -> Array:
        kind = dtype or default
        deviation = math.sqrt(scale / max(modes[mode](*_fans(shape, in_axis, out_axis, batch_axis)), 1e-300))
        if distribution == "normal":
            return normal(deviation)(key, shape, kind)
        if distribution == "truncated_normal":
            return truncated_normal(deviation / _TRUNCATED_DEVIATION)(key, shape, kind)
        width = math.sqrt(3) * deviation
        return random.uniform(key, tuple(shape), kind, -width, width)

    return initial


def _by_fan(name: str, doc: str, scale: float, mode: Any, distribution: Any) -> Any:
    def initializer(in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (), dtype: DTypeLike | None = None) -> Initializer:
        return variance_scaling(scale, mode, distribution, in_axis, out_axis, batch_axis, dtype)

    initializer.__name__ = initializer.__qualname__ = name
    initializer.__doc__ = (
        f"{doc}: variance_scaling({scale}, {mode!r}, {distribution!r}).\n\n"
        f"    >>> import rlx\n    >>> rlx.nn.initializers.{name}()(rlx.random.key(0), (4, 3)).shape\n    (4, 3)\n    "
    )
    return initializer


glorot_uniform = xavier_uniform = _by_fan("glorot_uniform", "Glorot and Bengio (2010)", 1.0, "fan_avg", "uniform")
glorot_normal = xavier_normal = _by_fan("glorot_normal", "Glorot and Bengio", 1.0, "fan_avg", "truncated_normal")
lecun_uniform = _by_fan("lecun_uniform", "LeCun et al. (1998)", 1.0, "fan_in", "uniform")
lecun_normal = _by_fan("lecun_normal", "LeCun et al. (1998)", 1.0, "fan_in", "truncated_normal")
he_uniform = kaiming_uniform = _by_fan("he_uniform", "He et al. (2015)", 2.0, "fan_in", "uniform")
he_normal = kaiming_normal = _by_fan("he_normal", "He et al. (2015)", 2.0, "fan_in", "truncated_normal")


# -- orthogonal ---------------------------------------------------------------------------------------------------
def orthogonal(scale: float = 1.0, column_axis: int = -1, dtype: DTypeLike | None = None) -> Initializer:
    """Orthonormal rows or columns, whichever are fewer, when all axes but `column_axis` are taken as one.

    >>> import rlx
    >>> w = orthogonal()(rlx.random.key(0), (2, 3))
    >>> bool(abs(w @ w.T - rlx.numpy.eye(2)).max() < 1e-6)
    True
    """
    default = dtype

    def initial(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None) -> Array:
        sizes = sizes_of(tuple(shape))
        if len(sizes) < 2:
            raise RlxError("RLX102", f"orthogonal of shape {list(sizes)}", fix="at least two axes")
        along = axis_of(column_axis, len(sizes), "orthogonal")
        columns = sizes[along]
        others = [size for axis, size in enumerate(sizes) if axis != along]
        matrix = random.orthogonal(key, columns, dtype=dtype or default, m=math.prod(others))  # type: ignore[arg-type]
        return rnp.moveaxis(matrix.reshape((columns, *others)), 0, along) * scale

    return initial


def delta_orthogonal(scale: float = 1.0, column_axis: int = -1, dtype: DTypeLike | None = None) -> Initializer:
    """For the kernel of a convolution, [*window, in, out]: an orthogonal matrix in the middle of the window, 0 around it.

    >>> import rlx
    >>> delta_orthogonal()(rlx.random.key(0), (3, 2, 2))[0]
    Array([[0., 0.],
           [0., 0.]], dtype=float32)
    """
    default = dtype

    def initial(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None) -> Array:
        sizes = tuple(shape)
        if len(sizes) not in (3, 4, 5) or sizes[-1] < sizes[-2]:
            message = f"delta_orthogonal of shape {list(sizes)}"
            raise RlxError("RLX102", message, fix="[*window, in, out] with one to three window axes and out >= in")
        matrix = orthogonal(scale, column_axis)(key, sizes[-2:], dtype or default)
        empty = rnp.zeros(sizes, matrix.dtype)
        return empty.at[tuple((size - 1) // 2 for size in sizes[:-2])].set(matrix)

    return initial
