"""The KV cache of one layer."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.ir.value import Value


@dataclass(frozen=True, eq=False)
class KvCache:
    """Keys and values of earlier tokens, `[B, Hkv, C, D]` of fixed capacity C, and each row's number of tokens.

    A block with a cache writes the S new keys and values at `length` and attends to the first `length + S`.
    `k` and `v` are states; `length` i32[B] is an input or a state shared by all layers, not counting the new tokens.

    >>> from rlx.module import GraphModule
    >>> module = GraphModule.hir("decode")
    >>> length = module.input("length", (2,), "i32")
    >>> module.kv_cache("layers.0", length, kv_heads=4, capacity=128, head_dim=64).k
    <Value %1 : f32[2, 4, 128, 64]>
    """

    k: Value
    v: Value
    length: Value
