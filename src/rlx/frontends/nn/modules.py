"""Modules: dataclasses that are trees, whose arrays are their parameters; layers, and the block of a transformer."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, dataclass_transform

import numpy as np

from rlx.core.dtype import DTypeLike
from rlx.core.errors import RlxError, did_you_mean
from rlx.frontends import numpy as rnp
from rlx.frontends import random
from rlx.frontends.dispatch import ArrayLike, array_function, as_value, emit, floating, full_value, size_of
from rlx.frontends.lax.windows import conv_general_dilated
from rlx.frontends.nn.activations import gelu, identity, relu
from rlx.frontends.nn.attention import dot_product_attention
from rlx.frontends.numpy.dtypes import dtype_of
from rlx.frontends.random.source import KeySource
from rlx.ir.array_methods import Array
from rlx.ir.emit import constant
from rlx.ir.value import Value, as_dtype
from rlx.trace.tree import flatten
from rlx.trace.tree.registry import static

__all__ = [
    "MLP", "Conv", "Dropout", "Embedding", "Lambda", "LayerNorm", "Linear", "Module", "MultiHeadAttention", "RMSNorm", "Sequential",
    "TransformerBlock",
]  # fmt: skip

Self = TypeVar("Self", bound="Module")


@dataclass_transform(eq_default=False, field_specifiers=(static, dataclasses.field))
class Module:
    """A layer or a model: every class derived from it is a dataclass, and so a tree.

    Fields that are arrays or modules (or lists, tuples and dicts of them) are parameters; fields with `rlx.tree.static()` are settings,
    part of the program. Modules go through `jit`, `grad`, `vmap` and `scan` like any tree, and optimizers of `rlx.train` update them.

    >>> import rlx, rlx.numpy as rnp
    >>> class Scale(rlx.nn.Module):
    ...     factor: rlx.Array
    ...     power: int = rlx.tree.static(default=1)
    ...     def __call__(self, x):
    ...         return x * self.factor**self.power
    >>> model = Scale(rnp.asarray(3.0), power=2)
    >>> model(2.0), rlx.grad(lambda model: model(2.0))(model)
    (Array(18., dtype=float32), Scale(factor=f32[], power=2))
    """

    _own_init = False  # whether the class, or one it is derived from, has a constructor that is not made of its fields

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._own_init = "__init__" in cls.__dict__ or cls._own_init
        dataclasses.dataclass(init=not cls._own_init, repr=False, eq=False)(cls)

    def __eq__(self, other: object) -> bool:
        return self is other  # and no hash: a module is always a tree, never a setting

    def __repr__(self) -> str:
        fields = ", ".join(f"{field.name}={_describe(getattr(self, field.name))}" for field in dataclasses.fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({fields})"

    def named_parameters(self) -> dict[str, Any]:
        """All parameters by path, such as `layers.0.weight`.

        >>> import rlx
        >>> list(rlx.nn.Linear(2, 3, key=rlx.random.key(0)).named_parameters())
        ['weight', 'bias']
        """
        return dict(flatten(self))

    def replace(self: Self, **changes: Any) -> Self:
        """A copy with other values in some fields.

        >>> import rlx
        >>> rlx.nn.Dropout(0.5).replace(rate=0.1)
        Dropout(rate=0.1)
        """
        known = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        made = object.__new__(type(self))
        for name in known:
            object.__setattr__(made, name, changes.pop(name) if name in changes else getattr(self, name))
        if changes:
            name = next(iter(changes))
            raise RlxError(
                "RLX109", f"{type(self).__name__} has no field {name!r}", fix=did_you_mean(name, known) or ", ".join(known)
            )
        return made


def _describe(value: Any) -> str:
    """Describes a field of a module: arrays by their type, containers by what is in them."""
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(_describe, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"{dtype_of(value)}{list(value.shape)}"
    name = getattr(value, "__name__", None)
    return name if callable(value) and name and not isinstance(value, Module) else repr(value)


class Lambda(Module):
    """A function as a module without parameters.

    >>> import rlx
    >>> rlx.nn.Lambda(rlx.nn.relu)(-1.0)
    Array(0., dtype=float32)
    """

    function: Callable[..., Any] = static()

    def __call__(self, x: ArrayLike, *, key: ArrayLike | None = None) -> Array:
        """The function of x; the key is not used."""
        return self.function(x)


# -- layers: products, tables, norms, convolutions, dropout, and sequences of them. Names and layouts of parameters are torch's


def _within(key: ArrayLike, shape: Sequence[int], bound: float, dtype: DTypeLike | None) -> Any:
    return random.uniform(key, tuple(shape), dtype, -bound, bound)


class Linear(Module):
    """x · weightᵀ + bias, with weight [out, in], uniform up to 1 / sqrt(in) at first.

    >>> import rlx, rlx.numpy as rnp
    >>> layer = rlx.nn.Linear(2, 3, key=rlx.random.key(0))
    >>> layer
    Linear(weight=f32[3, 2], bias=f32[3])
    >>> layer(rnp.ones((5, 2))).shape
    (5, 3)
    """

    weight: Array
    bias: Array | None

    def __init__(
        self, in_features: int, out_features: int, use_bias: bool = True, dtype: DTypeLike | None = None, *, key: ArrayLike
    ) -> None:
        first, second = random.split(key)
        bound = 1 / math.sqrt(in_features) if in_features else 0.0
        self.weight = _within(first, (out_features, in_features), bound, dtype)
        self.bias = _within(second, (out_features,), bound, dtype) if use_bias else None

    def __call__(self, x: ArrayLike, *, key: ArrayLike | None = None) -> Array:
        """x [..., in] to [..., out]."""
        y = rnp.matmul(x, self.weight.T)
        return y if self.bias is None else y + self.bias


class Embedding(Module):
    """Rows of a table, weight [num, size], normal at first.

    >>> import rlx
    >>> rlx.nn.Embedding(10, 4, key=rlx.random.key(0))([1, 2, 3]).shape
    (3, 4)
    """

    weight: Array

    def __init__(self, num_embeddings: int, embedding_size: int, dtype: DTypeLike | None = None, *, key: ArrayLike) -> None:
        self.weight = random.normal(key, (num_embeddings, embedding_size), dtype)

    def __call__(self, ids: ArrayLike, *, key: ArrayLike | None = None) -> Array:
        """Integers [...] to [..., size]."""
        return rnp.take(self.weight, ids, axis=0)

    def attend(self, x: Any) -> Array:
        """x [..., size] to scores of all rows, [..., num]: the table as the last layer."""
        return rnp.matmul(x, self.weight.T)


@array_function
def _apply_layer_norm(x: ArrayLike, weight: ArrayLike | None, bias: ArrayLike | None, axes: int, eps: float) -> Value:
    value, gain, shift = _norm_operands(x, weight, bias, axes)
    over = tuple(range(value.rank - axes, value.rank))
    return emit("layer_norm", value, gain, shift, axes=over, eps=eps)


@array_function
def _apply_rms_norm(x: ArrayLike, weight: ArrayLike | None, axes: int, eps: float) -> Value:
    value, gain, _ = _norm_operands(x, weight, None, axes)
    flat = value.reshape((*value.shape[: value.rank - axes], size_of(gain.shape)))
    return emit("rms_norm", flat, gain.reshape(size_of(gain.shape)), eps=eps).reshape(value.shape)


def _norm_operands(x: Any, weight: Any, bias: Any, axes: int) -> tuple[Value, Value, Value | None]:
    like = next(each for each in (x, weight, bias) if isinstance(each, Value))
    value = floating(as_value(x, like))
    sizes = value.shape[value.rank - axes :]
    ones = full_value(value, sizes, 1, value.dtype)
    gain, shift = (None if each is None else as_dtype(as_value(each, value), value.dtype) for each in (weight, bias))
    return value, ones if gain is None else gain, shift


def _normed_shape(shape: int | Sequence[int]) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


class LayerNorm(Module):
    """Mean 0 and variance 1 over the last axes, then weight and bias.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.nn.LayerNorm(2)(rnp.asarray([1.0, 3.0])).round(2)
    Array([-1.,  1.], dtype=float32)
    """

    weight: Array | None
    bias: Array | None
    shape: tuple[int, ...] = static()
    eps: float = static()

    def __init__(
        self,
        shape: int | Sequence[int],
        eps: float = 1e-5,
        use_weight: bool = True,
        use_bias: bool = True,
        dtype: DTypeLike | None = None,
    ) -> None:
        self.shape, self.eps = _normed_shape(shape), eps
        self.weight = rnp.ones(self.shape, dtype) if use_weight else None
        self.bias = rnp.zeros(self.shape, dtype) if use_bias else None

    def __call__(self, x: ArrayLike, *, key: ArrayLike | None = None) -> Array:
        """x [..., *shape] to the same shape."""
        _check_last(self, x, self.shape)
        return _apply_layer_norm(x, self.weight, self.bias, len(self.shape), self.eps)


class RMSNorm(Module):
    """Root mean square 1 over the last axes, then weight.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.nn.RMSNorm(2)(rnp.asarray([3.0, 3.0])).round(2)
    Array([1., 1.], dtype=float32)
    """

    weight: Array | None
    shape: tuple[int, ...] = static()
    eps: float = static()

    def __init__(
        self, shape: int | Sequence[int], eps: float = 1e-5, use_weight: bool = True, dtype: DTypeLike | None = None
    ) -> None:
        self.shape, self.eps = _normed_shape(shape), eps
        self.weight = rnp.ones(self.shape, dtype) if use_weight else None

    def __call__(self, x: ArrayLike, *, key: ArrayLike | None = None) -> Array:
        """x [..., *shape] to the same shape."""
        _check_last(self, x, self.shape)
        return _apply_rms_norm(x, self.weight, len(self.shape), self.eps)


def _check_last(module: Module, x: Any, wanted: tuple[int, ...]) -> None:
    shape = tuple(np.shape(x) if not hasattr(x, "shape") else x.shape)
    if shape[len(shape) - len(wanted) :] != wanted:
        message = f"{type(module).__name__} of {list(wanted)} on x of shape {list(shape)}"
        raise RlxError("RLX102", message, fix="x whose last axes have these sizes")


class Conv(Module):
    """A convolution over one or more axes, channels in front of them: weight [out, in / groups, *window], uniform at first.

    >>> import rlx, rlx.numpy as rnp
    >>> layer = rlx.nn.Conv(2, 3, 8, kernel_size=3, padding=1, key=rlx.random.key(0))
    >>> layer(rnp.ones((4, 3, 10, 10))).shape
    (4, 8, 10, 10)
    """

    weight: Array
    bias: Array | None
    stride: tuple[int, ...] = static()
    padding: Any = static()
    dilation: tuple[int, ...] = static()
    groups: int = static()

    def __init__(
        self,
        num_spatial_dims: int,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | str | Sequence[Any] = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        use_bias: bool = True,
        dtype: DTypeLike | None = None,
        *,
        key: ArrayLike,
    ) -> None:
        if in_channels % groups or out_channels % groups:
            message = f"Conv of {in_channels} to {out_channels} channels in {groups} groups"
            raise RlxError("RLX105", message, fix="channels that are multiples of the groups")

        def each(value: Any) -> tuple[Any, ...]:
            return (value,) * num_spatial_dims if isinstance(value, int) else tuple(value)

        window = each(kernel_size)
        self.stride, self.dilation, self.groups = each(stride), each(dilation), groups
        self.padding = padding
        if not isinstance(padding, str):
            self.padding = tuple((p, p) if isinstance(p, int) else tuple(p) for p in each(padding))
        first, second = random.split(key)
        inputs = in_channels // groups
        bound = 1 / math.sqrt(max(inputs * math.prod(window), 1))
        self.weight = _within(first, (out_channels, inputs, *window), bound, dtype)
        self.bias = _within(second, (out_channels,), bound, dtype) if use_bias else None

    def __call__(self, x: ArrayLike, *, key: ArrayLike | None = None) -> Array:
        """x [batch, in, *axes] to [batch, out, *axes]; also without the batch."""
        axes = len(self.stride)
        single = len(x.shape) == axes + 1
        whole = x.reshape((1, *x.shape)) if single else x
        y = conv_general_dilated(
            whole, self.weight, self.stride, self.padding, rhs_dilation=self.dilation, feature_group_count=self.groups
        )
        if self.bias is not None:
            y = y + self.bias.reshape((-1, *(1,) * axes))
        return y.reshape(y.shape[1:]) if single else y


@array_function
def _drop_elements(x: ArrayLike, key: ArrayLike, rate: float) -> Value:
    source = KeySource(key, "Dropout", x)
    value = floating(as_value(x, source.key))
    return emit("dropout", value, source.key, constant(value.graph, np.uint64(0)), rate=rate, stream=0)


class Dropout(Module):
    """Zeros with probability `rate`, the rest scaled up; without a key, what it is given.

    So `model(x, key=key)` is training, and `model(x)` evaluation.

    >>> import rlx, rlx.numpy as rnp
    >>> drop = rlx.nn.Dropout(0.5)
    >>> drop(rnp.ones(4)), drop(rnp.ones(4), key=rlx.random.key(1))
    (Array([1., 1., 1., 1.], dtype=float32), Array([2., 2., 0., 2.], dtype=float32))
    """

    rate: float = static(default=0.5)

    def __call__(self, x: ArrayLike, *, key: ArrayLike | None = None) -> Array:
        """x with some elements 0, chosen by the key."""
        return x if key is None or not self.rate else _drop_elements(x, key, self.rate)


class Sequential(Module):
    """Modules and functions, one after the other. Each takes a key of its own.

    >>> import rlx, rlx.numpy as rnp
    >>> first, second = rlx.random.split(rlx.random.key(0))
    >>> model = rlx.nn.Sequential([rlx.nn.Linear(2, 8, key=first), rlx.nn.relu, rlx.nn.Linear(8, 1, key=second)])
    >>> model(rnp.ones((5, 2))).shape, list(model.named_parameters())[:2]
    ((5, 1), ['layers.0.weight', 'layers.0.bias'])
    """

    layers: tuple[Any, ...]

    def __init__(self, layers: Sequence[Any]) -> None:
        self.layers = tuple(layer if isinstance(layer, Module) else Lambda(layer) for layer in layers)

    def __call__(self, x: ArrayLike, *, key: ArrayLike | None = None) -> Array:
        """The last layer of the one before it, and so on, of x."""
        keys: Any = [None] * len(self.layers) if key is None else random.split(key, len(self.layers))
        for layer, own in zip(self.layers, keys, strict=True):
            x = layer(x, key=own)
        return x

    def __getitem__(self, index: int) -> Any:
        return self.layers[index]

    def __len__(self) -> int:
        return len(self.layers)


class MLP(Module):
    """Linear layers with an activation between them: `depth` hidden ones of `width_size`.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.nn.MLP(2, 1, width_size=16, depth=2, key=rlx.random.key(0))(rnp.ones((5, 2))).shape
    (5, 1)
    """

    layers: tuple[Linear, ...]
    activation: Callable[..., Any] = static()
    final_activation: Callable[..., Any] = static()

    def __init__(
        self,
        in_size: int,
        out_size: int,
        width_size: int,
        depth: int,
        activation: Callable[..., Any] = relu,
        final_activation: Callable[..., Any] = identity,
        use_bias: bool = True,
        dtype: DTypeLike | None = None,
        *,
        key: ArrayLike,
    ) -> None:
        sizes = [in_size, *[width_size] * depth, out_size]
        keys = random.split(key, depth + 1)
        pairs = itertools.pairwise(sizes)
        self.layers = tuple(Linear(a, b, use_bias, dtype, key=keys[i]) for i, (a, b) in enumerate(pairs))
        self.activation, self.final_activation = activation, final_activation

    def __call__(self, x: ArrayLike, *, key: ArrayLike | None = None) -> Array:
        """x [..., in_size] to [..., out_size]."""
        for layer in self.layers[:-1]:
            x = self.activation(layer(x))
        return self.final_activation(self.layers[-1](x))


# -- attention and the block of a transformer ------------------------------------------------------------------------


class MultiHeadAttention(Module):
    """Attention of x to itself, or to a context: `q_proj`, `k_proj`, `v_proj`, heads, `o_proj`.

    >>> import rlx, rlx.numpy as rnp
    >>> attention = rlx.nn.MultiHeadAttention(4, 16, causal=True, key=rlx.random.key(0))
    >>> attention(rnp.ones((2, 10, 16))).shape
    (2, 10, 16)
    """

    q_proj: Linear
    k_proj: Linear
    v_proj: Linear
    o_proj: Linear
    num_heads: int = static()
    num_kv_heads: int = static()
    causal: bool = static()

    def __init__(
        self,
        num_heads: int,
        size: int,
        *,
        num_kv_heads: int | None = None,
        head_size: int | None = None,
        context_size: int | None = None,
        causal: bool = False,
        use_bias: bool = False,
        dtype: DTypeLike | None = None,
        key: ArrayLike,
    ) -> None:
        shared = num_heads if num_kv_heads is None else num_kv_heads
        if (head_size is None and size % num_heads) or num_heads % shared:
            message = f"attention of size {size} with {num_heads} heads, {shared} of keys and values"
            raise RlxError("RLX105", message, fix="a size that is a multiple of the heads, and these of the shared ones")
        head = size // num_heads if head_size is None else head_size
        inner = size if context_size is None else context_size
        keys = random.split(key, 4)
        self.q_proj = Linear(size, num_heads * head, use_bias, dtype, key=keys[0])
        self.k_proj = Linear(inner, shared * head, use_bias, dtype, key=keys[1])
        self.v_proj = Linear(inner, shared * head, use_bias, dtype, key=keys[2])
        self.o_proj = Linear(num_heads * head, size, use_bias, dtype, key=keys[3])
        self.num_heads, self.num_kv_heads, self.causal = num_heads, shared, causal

    def __call__(self, x: Any, context: Any = None, *, mask: Any = None, key: Any = None) -> Array:
        """x [batch, length, size] to the same shape; also without the batch.

        A mask broadcasts to [batch, heads, length, context length].
        """
        seen = x if context is None else context

        def heads(projected: Any, count: int) -> Any:
            return projected.reshape((*projected.shape[:-1], count, projected.shape[-1] // count))

        q = heads(self.q_proj(x), self.num_heads)
        k, v = (heads(layer(seen), self.num_kv_heads) for layer in (self.k_proj, self.v_proj))
        attended: Any = dot_product_attention(q, k, v, mask=mask, is_causal=self.causal)
        return self.o_proj(attended.reshape((*attended.shape[:-2], attended.shape[-2] * attended.shape[-1])))


class TransformerBlock(Module):
    """x + attention(norm(x)), then x + mlp(norm(x)), each with dropout.

    >>> import rlx, rlx.numpy as rnp
    >>> block = rlx.nn.TransformerBlock(16, 4, key=rlx.random.key(0))
    >>> block(rnp.ones((2, 10, 16))).shape
    (2, 10, 16)
    """

    attention_norm: LayerNorm | RMSNorm
    attention: MultiHeadAttention
    mlp_norm: LayerNorm | RMSNorm
    mlp: MLP
    dropout: Dropout

    def __init__(
        self,
        size: int,
        num_heads: int,
        *,
        hidden_size: int | None = None,
        num_kv_heads: int | None = None,
        causal: bool = True,
        dropout: float = 0.0,
        norm: type[LayerNorm] | type[RMSNorm] = LayerNorm,
        activation: Callable[..., Any] = gelu,
        use_bias: bool = True,
        dtype: DTypeLike | None = None,
        key: ArrayLike,
    ) -> None:
        first, second = random.split(key)
        self.attention_norm, self.mlp_norm = norm(size, dtype=dtype), norm(size, dtype=dtype)
        self.attention = MultiHeadAttention(
            num_heads, size, num_kv_heads=num_kv_heads, causal=causal, use_bias=use_bias, dtype=dtype, key=first
        )
        hidden = 4 * size if hidden_size is None else hidden_size
        self.mlp = MLP(size, size, hidden, 1, activation, use_bias=use_bias, dtype=dtype, key=second)
        self.dropout = Dropout(dropout)

    def __call__(self, x: Any, *, mask: Any = None, key: Any = None) -> Array:
        """x [batch, length, size] to the same shape; dropout where there is a key."""
        first, second = (None, None) if key is None else random.split(key)
        x = x + self.dropout(self.attention(self.attention_norm(x), mask=mask), key=first)
        return x + self.dropout(self.mlp(self.mlp_norm(x)), key=second)
