"""Traps of matmul and attention: broadcast batches, odd ranks and strides, hidden rows, more keys than queries, caches."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import torch

import rlx
from tests.traps.running import draw, near, outputs, wide

INF = float("inf")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((2, 1, 3, 5), (4, 5, 6)),
        ((1, 3, 5), (4, 5, 6)),
        ((4, 3, 5), (1, 5, 6)),
        ((3, 5), (4, 5, 6)),
        ((2, 4, 3, 5), (4, 5, 6)),
        ((2, 4, 3, 5), (2, 1, 5, 6)),
        ((5,), (4, 5, 6)),
        ((4, 3, 5), (5,)),
        ((5,), (5,)),
        ((5,), (5, 6)),
        ((2, 3, 5), (5, 6)),
        ((1, 5), (5, 1)),
        ((4, 1, 5), (4, 5, 1)),
        ((0, 5), (5, 3)),
        ((3, 0), (0, 4)),
        ((2, 0, 5), (5, 3)),
        ((2, 3, 5), (2, 5, 0)),
    ],
)
@pytest.mark.parametrize("owner", ["param", "input"])
def test_batch_broadcast_matmul(device, left, right, owner):
    x, y = draw(*left), draw(*right, seed=1)
    found = outputs(
        device,
        lambda g, x, y: {"y": x @ y, "z": g.relu(x @ y)},
        {"x": x, **({"y": y} if owner == "input" else {})},
        {"y": y} if owner == "param" else {},
    )
    near(found["y"], np.matmul(*wide(x, y)), 5)
    near(found["z"], np.maximum(np.matmul(*wide(x, y)), 0), 5)


@pytest.mark.parametrize("perm", [(0, 2, 1), (1, 0, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)])
@pytest.mark.parametrize("side", ["left", "right", "both"])
def test_matmul_of_transposed_views(device, perm, side):
    x, y = draw(4, 4, 4), draw(4, 4, 4, seed=1)

    def make(g, x, y):
        a, b = (x.transpose(perm) if side != "right" else x), (y.transpose(perm) if side != "left" else y)
        return {"y": a @ b, "z": (a @ b).transpose(0, 2, 1) + 1.0}

    found = outputs(device, make, {"x": x, "y": y})
    a, b = wide(x, y)
    a, b = (a.transpose(perm) if side != "right" else a), (b.transpose(perm) if side != "left" else b)
    near(found["y"], a @ b, 4)
    near(found["z"], (a @ b).transpose(0, 2, 1) + 1, 4)


@pytest.mark.parametrize("owner", ["param", "input"])
def test_matmul_of_narrowed_strided_reversed_and_expanded_views(device, owner):
    arrays = {"x": draw(6, 20), "w": draw(20, 30, seed=1)}

    def make(g, x, w):
        return {
            "narrow": x[:, 3:15] @ w[3:15, 5:21],
            "step": x[:, ::2] @ w[::2, ::3],
            "back": g.flip(x, 1) @ w,
            "rows": x[::-2] @ w,
            "expand": g.expand(x[:1], (6, 20)) @ w,
            "one": g.expand(x[:, :1], (6, 20)) @ w,
            "tall": w.T @ x.T,
        }

    params = {"w": arrays["w"]} if owner == "param" else {}
    found = outputs(device, make, {name: array for name, array in arrays.items() if name not in params}, params)
    x, w = wide(*arrays.values())
    expected = {
        "narrow": x[:, 3:15] @ w[3:15, 5:21],
        "step": x[:, ::2] @ w[::2, ::3],
        "back": x[:, ::-1] @ w,
        "rows": x[::-2] @ w,
        "expand": np.repeat(x[:1], 6, 0) @ w,
        "one": np.repeat(x[:, :1], 20, 1) @ w,
        "tall": w.T @ x.T,
    }
    for name, array in expected.items():
        near(found[name], array, 20)


def test_matmul_of_a_value_with_itself(device):
    x = draw(5, 5)
    found = outputs(device, lambda g, x: {"y": x @ x, "t": x @ x.T, "s": x.T @ x, "deep": (x @ x) @ (x @ x)}, {"x": x})
    x = wide(x)
    for name, array in {"y": x @ x, "t": x @ x.T, "s": x.T @ x, "deep": x @ x @ x @ x}.items():
        near(found[name], array, 25)


@pytest.mark.parametrize("m", [1, 2, 7, 8, 9, 33])
@pytest.mark.parametrize("k", [1, 17])
@pytest.mark.parametrize("n", [1, 8, 16, 17, 33])
def test_matmul_sizes_around_the_tile(device, m, k, n):
    left, right, bias = draw(m, k), draw(k, n, seed=1), draw(n, seed=2)
    found = outputs(device, lambda g, x, w, b: {"y": x @ w + b, "z": x @ g.constant(right)}, {"x": left}, {"w": right, "b": bias})
    near(found["y"], wide(left) @ wide(right) + wide(bias), k)
    near(found["z"], wide(left) @ wide(right), k)


def test_int_matmul_wraps(device):
    x = np.array([[2**30, 3], [-(2**31), -1]], np.int32)
    y = np.array([[4, 1], [2**31 - 1, 7]], np.int32)
    found = outputs(device, lambda g, x, y: {"y": x @ y, "small": x.astype("u8") @ y.astype("u8")}, {"x": x, "y": y})
    exact = [[sum(int(x[i, k]) * int(y[k, j]) for k in range(2)) for j in range(2)] for i in range(2)]
    assert found["y"].tolist() == [[(v + 2**31) % 2**32 - 2**31 for v in row] for row in exact]
    assert found["small"].tolist() == [
        [sum(int(x[i, k]) % 256 * (int(y[k, j]) % 256) for k in range(2)) % 256 for j in range(2)] for i in range(2)
    ]


def test_infinities_and_nan_do_not_leak_out_of_their_rows(device):
    """Panels are padded with zeros: 0·inf must not reach other columns, and a NaN row stays a row."""
    x, w = draw(5, 9), draw(9, 19, seed=1)
    x[1, 2], x[3, 4] = INF, np.nan
    found = outputs(device, lambda g, x, w: {"y": x @ w}, {"x": x}, {"w": w})
    with np.errstate(invalid="ignore"):
        expected = wide(x) @ wide(w)
    assert np.isnan(found["y"][3]).all() and np.isinf(found["y"][1]).all()
    np.testing.assert_array_equal(np.isfinite(found["y"]), np.isfinite(expected))
    w[2, 3] = INF
    found = outputs(device, lambda g, x, w: {"y": x @ w}, {"x": np.abs(draw(5, 9)) + 1}, {"w": np.abs(w)})
    np.testing.assert_array_equal(np.isinf(found["y"]), np.arange(19)[None] == np.full((5, 1), 3))


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_low_float_matmul_times_the_identity_is_x(device, dtype):
    x = draw(7, 33, dtype=dtype)
    found = outputs(device, lambda g, x, w: {"y": x @ w}, {"x": x}, {"w": np.eye(33, dtype=dtype)})
    np.testing.assert_array_equal(found["y"].astype(np.float32), x.astype(np.float32))


# -- attention --------------------------------------------------------------------------------------------------
def attend(q, k, v, visible, scale=None, bias=None):
    """q [B, H, S, D], k and v [B, Hkv, T, D], visible [B, S, T]: torch in f64, rows without a key zero."""
    q, k, v = (torch.tensor(a, dtype=torch.float64) for a in (q, k, v))
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    scores = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if bias is not None:
        scores = scores + torch.tensor(bias, dtype=torch.float64)
    seen = torch.tensor(visible)[:, None].expand(scores.shape)
    scores = scores.masked_fill(~seen, -INF)
    weights = torch.softmax(scores, -1).nan_to_num(0.0)
    return (weights @ v).numpy()


def unpacked(x, heads):
    return x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)


def packed(x):
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


def rows(batch, queries, keys, lengths=None, positions=None, causal=False, window=None):
    seen = np.zeros((batch, queries, keys), bool)
    for b in range(batch):
        length = keys if lengths is None else int(lengths[b])
        first = length - queries if positions is None else int(positions[b])
        for i in range(queries):
            for j in range(keys):
                seen[b, i, j] = j < length and (not causal or j <= first + i) and (window is None or j > first + i - window)
    return seen


@pytest.mark.parametrize("queries", [1, 4])
def test_fully_masked_row_gives_zeros(device, queries):
    q, k, v = draw(3, queries, 16), draw(3, 6, 16, seed=1), draw(3, 6, 16, seed=2)
    valid = np.array([[1, 0, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]], bool)
    bias = np.where(valid, 0, -INF).astype(np.float32)[:, None, None]
    found = outputs(
        device,
        lambda g, q, k, v, valid, bias, length: {
            "custom": g.attention(q, k, v, valid, num_heads=2, head_dim=8, mask_kind="custom"),
            "bias": g.attention(q, k, v, bias, num_heads=2, head_dim=8, mask_kind="bias"),
            "length": g.attention(q, k, v, None, None, length, num_heads=2, head_dim=8, mask_kind="none"),
        },
        {"q": q, "k": k, "v": v, "valid": valid, "bias": bias, "length": np.array([3, 0, 6], np.int32)},
    )
    heads = [unpacked(a, 2) for a in (q, k, v)]
    expected = packed(attend(*heads, np.repeat(valid[:, None], queries, 1)))
    near(found["custom"], expected, 16)
    near(found["bias"], expected, 16)
    near(found["length"], packed(attend(*heads, rows(3, queries, 6, [3, 0, 6]))), 16)
    for name in ("custom", "bias", "length"):
        np.testing.assert_array_equal(found[name][1], np.zeros_like(found[name][1]))


def test_a_hidden_key_may_hold_nan(device):
    """A cache that was never written: what is not visible is not read into the sum."""
    q, k, v = draw(2, 3, 16), draw(2, 9, 16, seed=1), draw(2, 9, 16, seed=2)
    lengths = np.array([5, 8], np.int32)
    for b in range(2):
        k[b, lengths[b] :] = np.nan
        v[b, lengths[b] :] = np.nan
    found = outputs(
        device,
        lambda g, q, k, v, n: {"y": g.attention(q, k, v, None, None, n, num_heads=2, head_dim=8, mask_kind="causal")},
        {"q": q, "k": k, "v": v, "n": lengths},
    )
    clean = [unpacked(np.nan_to_num(a), 2) for a in (q, k, v)]
    near(found["y"], packed(attend(*clean, rows(2, 3, 9, lengths, causal=True))), 16)


@pytest.mark.parametrize(("queries", "keys"), [(3, 7), (1, 7), (7, 3), (5, 5), (1, 1), (2, 70), (70, 2), (33, 65)])
@pytest.mark.parametrize("kv_heads", [4, 2, 1])
def test_causal_with_more_keys_than_queries_and_fewer(device, queries, keys, kv_heads):
    """The last query sees the last key: query i sees keys up to T - S + i."""
    q, k, v = draw(2, queries, 32), draw(2, keys, 8 * kv_heads, seed=1), draw(2, keys, 8 * kv_heads, seed=2)
    attrs = {"num_heads": 4, "num_kv_heads": kv_heads, "head_dim": 8}
    found = outputs(
        device,
        lambda g, q, k, v: {
            "causal": g.attention(q, k, v, mask_kind="causal", **attrs),
            "window": g.attention(q, k, v, mask_kind="sliding_window(3)", **attrs),
        },
        {"q": q, "k": k, "v": v},
    )
    heads = unpacked(q, 4), unpacked(k, kv_heads), unpacked(v, kv_heads)
    near(found["causal"], packed(attend(*heads, rows(2, queries, keys, causal=True))), 64)
    near(found["window"], packed(attend(*heads, rows(2, queries, keys, causal=True, window=3))), 64)


@pytest.mark.parametrize("layout", ["packed", "bshd", "bhsd"])
def test_layouts_of_strided_heads(device, layout):
    """Heads cut out of one qkv product: views with gaps."""
    x = draw(2, 5, 3 * 32)

    def make(g, x):
        q, k, v = g.split(x, (32, 32, 32), axis=-1)
        if layout == "packed":
            return {"y": g.attention(q, k, v, num_heads=4, head_dim=8, mask_kind="causal")}
        q, k, v = (part.reshape(2, 5, 4, 8) for part in (q, k, v))
        if layout == "bhsd":
            q, k, v = (part.transpose(0, 2, 1, 3) for part in (q, k, v))
        return {"y": g.attention(q, k, v, num_heads=4, head_dim=8, mask_kind="causal", layout=layout)}

    found = outputs(device, make, {"x": x})["y"]
    expected = attend(*(unpacked(part, 4) for part in np.split(x, 3, -1)), rows(2, 5, 5, causal=True))
    near(found, {"packed": packed(expected), "bshd": expected.transpose(0, 2, 1, 3), "bhsd": expected}[layout], 32)


def test_scale_and_softcap_come_before_the_mask(device):
    q, k, v = draw(1, 4, 8, high=9), draw(1, 4, 8, seed=1, high=9), draw(1, 4, 8, seed=2)
    found = outputs(
        device,
        lambda g, q, k, v: {"y": g.attention(q, k, v, num_heads=1, head_dim=8, mask_kind="causal", score_scale=0.7, softcap=1.5)},
        {"q": q, "k": k, "v": v},
    )
    a, b, c = (wide(t[0]) for t in (q, k, v))
    scores = 1.5 * np.tanh(a @ b.T * 0.7 / 1.5)
    scores[np.triu_indices(4, 1)] = -INF
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    near(found["y"][0], weights / weights.sum(-1, keepdims=True) @ c, 32)


def test_scores_far_from_zero_do_not_overflow(device):
    q, k, v = draw(1, 5, 8, low=50, high=60), draw(1, 70, 8, seed=1, low=50, high=60), draw(1, 70, 8, seed=2)
    found = outputs(device, lambda g, q, k, v: {"y": g.attention(q, k, v, num_heads=1, head_dim=8)}, {"q": q, "k": k, "v": v})
    expected = packed(attend(*(unpacked(a, 1) for a in (q, k, v)), rows(1, 5, 70)))
    scores = np.abs(wide(q[0]) @ wide(k[0]).T).max() * 8**-0.5
    # the relative error of a weight is the absolute one of its score, a sum of 8 products
    np.testing.assert_allclose(found["y"], expected, atol=float(8 * scores * 2.0**-23 * np.abs(v).max()))


def test_decode_writes_the_cache_before_it_reads_it(device):
    """Token by token with states: each query sees the key of its own step."""
    batch, capacity, steps = 2, 8, 5
    g = rlx.Graph("decode")
    x = g.input("x", (batch, 1, 8))
    at = g.input("at", (batch,), "i32")
    cache = g.state("cache", (batch, capacity, 8), init=float("nan"))
    new = g.dynamic_update_slice(cache, x, at, axes=(1,))
    g.update("cache", new)
    g.set_outputs({"y": g.attention(x, new, new, None, at, at + 1, num_heads=2, head_dim=4, mask_kind="causal")})
    exe = rlx.compile(g, device)
    tokens = draw(batch, steps + 2, 8)
    starts = np.array([0, 2], np.int32)  # the second row has two tokens already
    held = np.full((batch, capacity, 8), np.nan, np.float32)
    held[1, :2] = tokens[1, :2]
    exe.session.set_state("cache", held)
    for step in range(steps):
        row = np.stack([tokens[b, starts[b] + step] for b in range(batch)])[:, None]
        found = exe(x=row, at=starts + step)
        for b in range(batch):
            seen = tokens[b : b + 1, : starts[b] + step + 1]
            expected = packed(
                attend(unpacked(row[b : b + 1], 2), unpacked(seen, 2), unpacked(seen, 2), np.ones((1, 1, seen.shape[1]), bool))
            )
            near(found[b : b + 1], expected, 8)
