"""Attention against its formula in NumPy: few queries whose keys are split among blocks, at sizes that are symbols, with ragged lengths."""

from __future__ import annotations

from math import erf

import numpy as np
import pytest

import rlx
from tests.backends.cuda.device import NEEDS_TRITON, Running

pytestmark = NEEDS_TRITON


def expected(q, k, v, lengths, heads, kv_heads, dim):
    """softmax(q·kᵀ/√dim)·v, causal, the last query at the end of the length."""
    batch, count, _ = q.shape
    out = np.zeros(q.shape)
    for b in range(batch):
        for h in range(heads):
            own = slice(h * dim, (h + 1) * dim)
            theirs = slice(h * kv_heads // heads * dim, (h * kv_heads // heads + 1) * dim)
            for i in range(count):
                last = lengths[b] - count + i + 1
                scores = k[b, :last, theirs].astype(np.float64) @ q[b, i, own].astype(np.float64) / np.sqrt(dim)
                weights = np.exp(scores - scores.max())
                out[b, i, own] = weights / weights.sum() @ v[b, :last, theirs].astype(np.float64)
    return out


@pytest.mark.parametrize("symbolic", [False, True])
def test_few_queries_on_many_keys(symbolic: bool) -> None:
    batch, keys, heads, kv_heads, dim = 2, 300, 4, 2, 8
    g = rlx.Graph("decode")
    rows = rlx.Dim("s", max=128) if symbolic else 1
    q = g.input("q", (batch, rows, heads * dim))
    k, v = (g.input(name, (batch, keys, kv_heads * dim)) for name in "kv")
    length = g.input("length", (batch,), "i32")
    g.set_outputs(
        {"y": g.attention(q, k, v, kv_length=length, num_heads=heads, num_kv_heads=kv_heads, head_dim=dim, causal=True)}
    )
    run = Running(g)
    random = np.random.default_rng(0)
    for count in (1, 2, 40) if symbolic else (1,):
        arrays = {name: random.normal(size=(batch, keys, kv_heads * dim)).astype(np.float32) for name in "kv"}
        arrays["q"] = random.normal(size=(batch, count, heads * dim)).astype(np.float32)
        arrays["length"] = np.array([keys, 70], np.int32)
        arrays["k"][1, 70:] = np.nan  # what lies past the end has no effect
        arrays["v"][1, 70:] = np.nan
        found = run({"s": count} if symbolic else {}, **arrays)["y"]
        wanted = expected(arrays["q"], arrays["k"], arrays["v"], arrays["length"], heads, kv_heads, dim)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
    names = [step.kernel.name for step in run.code.programs[0].steps]
    assert names == (
        ["attention_split", "attention_join", "attention"] if symbolic else ["attention_split", "attention_join"]
    )


@pytest.mark.parametrize("rows", [1, 3, 8, 9])
def test_products_of_rows_that_are_a_symbol(rows: int) -> None:
    """One of five kernels serves each bucket: 1, 2, 4 and 8 rows walk the weights, more go by tiles."""
    g = rlx.Graph("layer")
    x = g.input("x", ("n", 40))
    w, b = g.input("w", (40, 24)), g.input("b", (24,))
    g.set_outputs({"y": g.gelu(g.matmul(x, w) + b)})
    run = Running(g)
    random = np.random.default_rng(rows)
    arrays = {
        name: random.normal(size=dims).astype(np.float32)
        for name, dims in (("x", (rows, 40)), ("w", (40, 24)), ("b", (24,)))
    }
    before = run.driver.launches
    found = run({"n": rows}, **arrays)["y"]
    assert run.driver.launches == before + 1
    product = arrays["x"].astype(np.float64) @ arrays["w"] + arrays["b"]
    wanted = np.vectorize(lambda value: 0.5 * value * (1 + erf(value / 2**0.5)))(product)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
