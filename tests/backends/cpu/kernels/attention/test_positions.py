"""Attention of a few positions has the bits of each of them alone: greedy text must not depend on how many tokens are judged at once."""

from __future__ import annotations

import numpy as np
import pytest

import rlx


def attended(q: np.ndarray, k: np.ndarray, v: np.ndarray, group: int, head_dim: int) -> np.ndarray:
    graph = rlx.Graph("attention")
    values = [graph.input(name, array.shape, "f32") for name, array in (("q", q), ("k", k), ("v", v))]
    kv_heads = k.shape[-1] // head_dim
    sizes = {"num_heads": group * kv_heads, "num_kv_heads": kv_heads, "head_dim": head_dim}
    graph.set_outputs({"y": graph.attention(*values, **sizes, mask_kind="causal")})
    return rlx.compile(graph, device="cpu").run({"q": q, "k": k, "v": v})["y"]


@pytest.mark.parametrize("group", [1, 3, 4, 8])
@pytest.mark.parametrize("positions", [2, 5, 8])
def test_a_position_among_others_has_the_bits_it_has_alone(group: int, positions: int) -> None:
    random, head_dim, kv_heads, keys = np.random.default_rng(0), 32, 2, 68  # the positions lie in two blocks of keys
    q = random.standard_normal((1, positions, group * kv_heads * head_dim), np.float32)
    k, v = (random.standard_normal((1, keys, kv_heads * head_dim), np.float32) for _ in range(2))
    together = attended(q, k, v, group, head_dim)
    for place in range(positions):
        seen = keys - positions + place + 1
        alone = attended(q[:, place : place + 1], k[:, :seen].copy(), v[:, :seen].copy(), group, head_dim)
        np.testing.assert_array_equal(together[:, place : place + 1], alone)
