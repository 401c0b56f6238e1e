"""Names of the Rust RLX beside ours, so that code ported from it reads as it did. Nothing here adds meaning.

A trailing underscore marks the variant that infers its shape, as all of ours do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlx.core.dim import Size
from rlx.core.dtype import DTypeLike
from rlx.core.enums import MaskKind
from rlx.ir.value import Value
from rlx.module.emitter import Tensor

if TYPE_CHECKING:
    from rlx.module.builders.table import Builders


def mm(self: Builders, x: Tensor, y: Tensor) -> Value:
    """`matmul`."""
    return self.matmul(x, y)


def reshape_(self: Builders, x: Tensor, shape: Sequence[Size]) -> Value:
    """`reshape`."""
    return self.reshape(x, shape)


def transpose_(self: Builders, x: Tensor, perm: Sequence[int]) -> Value:
    """`transpose`."""
    return self.transpose(x, perm)


def narrow_(self: Builders, x: Tensor, axis: int, start: Size, length: Size) -> Value:
    """`narrow`."""
    return self.narrow(x, axis, start, length)


def concat_(self: Builders, xs: Sequence[Value], axis: int) -> Value:
    """`concat`."""
    return self.concat(*xs, axis=axis)


def expand_(self: Builders, x: Tensor, shape: Sequence[Size]) -> Value:
    """`expand`."""
    return self.expand(x, shape)


def gather_(self: Builders, x: Tensor, indices: Tensor, axis: int) -> Value:
    """`gather`."""
    return self.gather(x, indices, axis)


def cast_(self: Builders, x: Tensor, to: DTypeLike) -> Value:
    """`cast`."""
    return self.cast(x, to)


def softmax_(self: Builders, x: Tensor, axis: int) -> Value:
    """`softmax`."""
    return self.softmax(x, axis)


def sum_(self: Builders, x: Tensor, axes: Sequence[int], keep_dim: bool) -> Value:
    """`sum`."""
    return self.sum(x, axes, keep_dim)


def mean_(self: Builders, x: Tensor, axes: Sequence[int], keep_dim: bool) -> Value:
    """`mean`."""
    return self.mean(x, axes, keep_dim)


def rope_n(self: Builders, x: Tensor, cos: Tensor, sin: Tensor, head_dim: int, n_rot: int) -> Value:
    """`rope` of the first n_rot dims of each head."""
    return self.rope(x, cos, sin, head_dim=head_dim, n_rot=n_rot)


def attention_kind(
    self: Builders, q: Tensor, k: Tensor, v: Tensor, num_heads: int, head_dim: int, mask_kind: MaskKind | str
) -> Value:
    """`attention` with a mask kind that needs no tensor."""
    return self.attention(q, k, v, num_heads=num_heads, head_dim=head_dim, mask_kind=mask_kind)


def attention_bias(self: Builders, q: Tensor, k: Tensor, v: Tensor, bias: Tensor, num_heads: int, head_dim: int) -> Value:
    """`attention` with a tensor added to the scores."""
    return self.attention(q, k, v, bias, num_heads=num_heads, head_dim=head_dim, mask_kind=MaskKind.Bias)
