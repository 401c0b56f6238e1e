"""Attention and the block of a transformer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlx.core.dtype import DTypeLike
from rlx.core.errors import RlxError
from rlx.frontends import random
from rlx.frontends.dispatch import ArrayLike
from rlx.frontends.nn.activations import gelu
from rlx.frontends.nn.attention import dot_product_attention
from rlx.frontends.nn.modules.layers import MLP, Dropout, LayerNorm, Linear, RMSNorm
from rlx.frontends.nn.modules.module import Module
from rlx.ir.array_methods import Array
from rlx.trace.tree.registry import static

__all__ = ["MultiHeadAttention", "TransformerBlock"]


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
        found: Any = dot_product_attention(q, k, v, mask=mask, is_causal=self.causal)
        return self.o_proj(found.reshape((*found.shape[:-2], found.shape[-2] * found.shape[-1])))


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
