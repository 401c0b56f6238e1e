"""Attention against its formula in NumPy: few queries whose keys are split among blocks, at sizes that are symbols, with ragged lengths."""

from __future__ import annotations

from math import erf

import numpy as np
import pytest

import rlx
from rlx.core.dtype import DType
from tests.backends.cuda.device import NEEDS_TRITON, Running

pytestmark = NEEDS_TRITON


def expected(q, k, v, lengths, heads, kv_heads, dim, causal=True):
    """softmax(q·kᵀ/√dim)·v, the last query of a causal mask at the end of the length."""
    batch, count, _ = q.shape
    out = np.zeros(q.shape)
    for b in range(batch):
        for h in range(heads):
            own = slice(h * dim, (h + 1) * dim)
            theirs = slice(h * kv_heads // heads * dim, (h * kv_heads // heads + 1) * dim)
            for i in range(count):
                last = lengths[b] - count + i + 1 if causal else lengths[b]
                if last <= 0:
                    continue  # nothing to see
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
    g.set_outputs({"y": g.attention(q, k, v, kv_length=length, num_heads=heads, num_kv_heads=kv_heads, head_dim=dim, causal=True)})
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
    assert names == (["attention_split", "attention_join", "attention_walk"] if symbolic else ["attention_split", "attention_join"])


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
        name: random.normal(size=dims).astype(np.float32) for name, dims in (("x", (rows, 40)), ("w", (40, 24)), ("b", (24,)))
    }
    before = run.driver.launches
    found = run({"n": rows}, **arrays)["y"]
    assert run.driver.launches == before + 1
    product = arrays["x"].astype(np.float64) @ arrays["w"] + arrays["b"]
    wanted = np.vectorize(lambda value: 0.5 * value * (1 + erf(value / 2**0.5)))(product)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("queries", "keys", "heads", "kv_heads", "causal"),
    [(130, 130, 2, 2, True), (40, 300, 4, 2, True), (70, 261, 2, 1, False), (129, 129, 1, 1, False)],
)
def test_many_queries_of_16_bits(queries: int, keys: int, heads: int, kv_heads: int, causal: bool) -> None:
    """Chunks that all rows see, then those at the diagonal and the end; what lies past a length has no effect."""
    dim, kind = 32, DType.of("bf16").numpy
    g = rlx.Graph("prefill")
    q = g.input("q", (2, queries, heads * dim), "bf16")
    k, v = (g.input(name, (2, keys, kv_heads * dim), "bf16") for name in "kv")
    length = g.input("length", (2,), "i32")
    at = {"num_heads": heads, "num_kv_heads": kv_heads, "head_dim": dim, "causal": causal}
    g.set_outputs({"y": g.attention(q, k, v, kv_length=length, **at)})
    run = Running(g)
    assert [step.kernel.name for step in run.code.programs[0].steps] == ["flash"]
    random = np.random.default_rng(queries)
    arrays = {name: random.normal(size=(2, keys, kv_heads * dim)).astype(kind) for name in "kv"}
    arrays["q"] = random.normal(size=(2, queries, heads * dim)).astype(kind)
    lengths = np.array([keys, keys - 1 if causal else 200], np.int32).clip(max=keys)
    for name in "kv":
        arrays[name][1, lengths[1] :] = np.nan
    found = run({}, **arrays, length=lengths)["y"].astype(np.float64)
    wide = {name: array.astype(np.float64) for name, array in arrays.items()}
    wanted = expected(wide["q"], wide["k"], wide["v"], lengths, heads, kv_heads, dim, causal)
    np.testing.assert_allclose(found, wanted, rtol=2.0**-7, atol=2.0**-9)


def test_weights_of_whole_chunks_add_up_to_one() -> None:
    """They are rounded to 16 bits, and so is their sum made of: values that are all the same come back as they are."""
    kind = DType.of("bf16").numpy
    g = rlx.Graph("same")
    q, k, v = (g.input(name, (1, 256, 32), "bf16") for name in "qkv")
    g.set_outputs({"y": g.attention(q, k, v, num_heads=1, head_dim=32)})
    random = np.random.default_rng(0)
    arrays = {name: random.normal(size=(1, 256, 32)).astype(kind) for name in "qk"}
    found = Running(g)({}, **arrays, v=np.full((1, 256, 32), 1.4140625, kind))["y"]
    np.testing.assert_array_equal(found.astype(np.float32), np.float32(1.4140625))
