"""Attention recognized from primitives: the usual spellings, what must keep its value, and near misses with their reasons."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rlx
from rlx.passes.entry import Context
from rlx.passes.pipeline import PIPELINE

DEVICES = ("cpu", "reference")
B, H, S, D = 2, 4, 12, 8


class Backend:
    name = "none"

    def claims(self, op, operands, results):
        return None

    def layout_for(self, weights, scheme):
        return f"{'panel' if len(weights) == 1 else 'pair'}16"


def draw(*dims, seed=0):
    return np.random.default_rng([seed, *dims]).standard_normal(dims).astype(np.float32)


def recognized(graph):
    """The attention nodes after the passes up to this one, and the report."""
    context = Context(Backend())
    for one in PIPELINE:
        graph, _ = one.function(graph, context)
        if one.name == "fuse attention":
            break
    rlx.graphs.verify(graph)
    return [node for node in graph.nodes if node.op.name == "attention"], context.report, graph


def inputs_of(g, *shapes):
    return [g.input(name, dims, "f32") for name, dims in zip("qkvmn", shapes, strict=False)]


def check(graph, arrays, **attrs):
    """One attention node with these attributes; native results as before."""
    found, report, after = recognized(graph)
    assert len(found) == 1, [str(entry) for entry in report]
    assert not any(node.op.name in ("softmax", "exp") for node in after.nodes)
    for name, value in attrs.items():
        assert str(found[0].op[name]) == str(value), (name, found[0].op[name])
    expected = rlx.compile(graph, "reference").run(arrays)
    for options in ({}, {"fuse": False}):
        got = rlx.compile(graph, "cpu", **options).run(arrays)
        for name, array in expected.items():
            np.testing.assert_allclose(got[name], array, rtol=0, atol=2e-5)
    return found[0]


HEADS = [(B, H, S, D)] * 3
ARRAYS = dict(zip("qkv", (draw(B, H, S, D, seed=i) for i in range(3)), strict=True))


def turned(x):
    return x.transpose(0, 1, 3, 2)


def last(g, scores, v):
    return {"y": g.softmax(scores, axis=-1) @ v}


# -- spellings of the scale -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "scores",
    [
        lambda q, k: q @ turned(k) * (1 / math.sqrt(D)),
        lambda q, k: q @ turned(k) / math.sqrt(D),
        lambda q, k: 0.5 * (q @ turned(k)) / 1.5,
    ],
)
def test_a_scale_behind_the_product(scores):
    g = rlx.Graph("scale")
    q, k, v = inputs_of(g, *HEADS)
    g.set_outputs(last(g, scores(q, k), v))
    node = check(g, ARRAYS, mask_kind="none", layout="bhsd")
    assert node.op["score_scale"] is not None


def test_a_scale_on_the_queries_and_a_value_as_a_scale():
    g = rlx.Graph("scaled")
    q, k, v = inputs_of(g, *HEADS)
    temperature = g.input("m", (), "f32")
    g.set_outputs(last(g, (q * 0.25) @ turned(k) * temperature, v))
    check(g, {**ARRAYS, "m": np.float32(0.7)}, score_scale=1.0)


def test_a_softmax_in_parts():
    g = rlx.Graph("parts")
    q, k, v = inputs_of(g, *HEADS)
    s = q @ turned(k)
    e = g.exp(s - s.max(axes=3, keep_dim=True))
    g.set_outputs({"y": e / e.sum(axes=3, keep_dim=True) @ v})
    check(g, ARRAYS, score_scale=1.0)


def test_a_softcap():
    g = rlx.Graph("softcap")
    q, k, v = inputs_of(g, *HEADS)
    g.set_outputs(last(g, 5.0 * g.tanh(q @ turned(k) * 0.3 / 5.0), v))
    node = check(g, ARRAYS, softcap=5.0)
    assert abs(node.op["score_scale"] - 0.3) < 1e-6


# -- masks ------------------------------------------------------------------------------------------------------
def rows_and_columns(g, s, t):
    return g.iota(shape=(s,)).reshape(s, 1), g.iota(shape=(t,)).reshape(1, t)


@pytest.mark.parametrize("hidden", [-math.inf, -1e9, -1e30, float(np.finfo(np.float32).min)])
@pytest.mark.parametrize("spelling", ["where", "swapped", "additive", "table", "additive table", "two axes"])
def test_causal_masks(spelling, hidden):
    g = rlx.Graph("causal")
    q, k, v = inputs_of(g, *HEADS)
    s = q @ turned(k) / math.sqrt(D)
    i, j = rows_and_columns(g, S, S)
    table = np.tri(S, dtype=bool)
    s = {
        "where": lambda: g.where(i >= j, s, hidden),
        "swapped": lambda: g.where((j > i).reshape(1, 1, S, S), hidden, s),
        "additive": lambda: s + g.where(j <= i, 0.0, hidden),
        "table": lambda: g.where(table, s, hidden),
        "additive table": lambda: s + np.where(table, 0, hidden).astype(np.float32)[None, None],
        "two axes": lambda: g.where(g.iota(shape=(S, S), axis=0) >= g.iota(shape=(S, S), axis=1), s, hidden),
    }[spelling]()
    g.set_outputs(last(g, s, v))
    node = check(g, ARRAYS, mask_kind="causal")
    assert len(node.refs) == 3


def test_causal_with_symbolic_sizes():
    g = rlx.Graph("symbolic")
    b, s = rlx.Dim("b"), rlx.Dim("s")
    q, k, v = inputs_of(g, *[(b, H, s, D)] * 3)
    i, j = g.iota(shape=(s, 1), axis=0), g.iota(shape=(1, s), axis=1)
    g.set_outputs(last(g, g.where(j <= i, q @ turned(k), -math.inf), v))
    check(g, ARRAYS, mask_kind="causal")


@pytest.mark.parametrize("keys", [S, S + 5])
def test_causal_with_more_keys_than_queries(keys):
    """From the end is attention's default; from the front needs positions."""
    arrays = {"q": draw(B, H, S, D), "k": draw(B, H, keys, D, seed=1), "v": draw(B, H, keys, D, seed=2)}
    for offset in (0, keys - S):
        g = rlx.Graph("causal")
        q, k, v = inputs_of(g, *(arrays[name].shape for name in "qkv"))
        i, j = rows_and_columns(g, S, keys)
        g.set_outputs(last(g, g.where(j <= i + offset, q @ turned(k), -math.inf), v))
        node = check(g, arrays, mask_kind="causal")
        assert (len(node.refs) > 3) == (offset != keys - S)


@pytest.mark.parametrize("as_table", [False, True])
def test_a_sliding_window(as_table):
    g = rlx.Graph("window")
    q, k, v = inputs_of(g, *HEADS)
    i, j = rows_and_columns(g, S, S)
    shown = (np.tri(S, dtype=bool) & ~np.tri(S, k=-4, dtype=bool)) if as_table else (j <= i) & (j > i - 4)
    g.set_outputs(last(g, g.where(shown, q @ turned(k), -math.inf), v))
    check(g, ARRAYS, mask_kind="sliding_window(4)")


def test_a_bias_and_a_padding_mask():
    g = rlx.Graph("bias")
    q, k, v, bias = inputs_of(g, *HEADS, (H, S, S))
    valid = g.input("valid", (B, S), "bool")
    i, j = rows_and_columns(g, S, S)
    s = g.where(j <= i, q @ turned(k) * 0.3 + bias, -math.inf)
    s = g.where(valid.reshape(B, 1, 1, S), s, float(np.finfo(np.float32).min))
    g.set_outputs(last(g, s, v))
    shown = np.ones((B, S), bool)
    shown[1, 3:] = False
    node = check(g, {**ARRAYS, "m": draw(H, S, S), "valid": shown}, mask_kind="bias", causal=True)
    assert len(node.refs) == 4


def test_a_mask_made_of_zeros_and_ones_is_a_bias():
    g = rlx.Graph("bert")
    q, k, v = inputs_of(g, *HEADS)
    mask = g.input("m", (B, 1, 1, S), "f32")
    g.set_outputs(last(g, q @ turned(k) / math.sqrt(D) + (1.0 - mask) * -10000.0, v))
    shown = np.ones((B, 1, 1, S), np.float32)
    shown[0, ..., 5:] = 0
    check(g, {**ARRAYS, "m": shown}, mask_kind="bias", causal=False)


# -- heads and layouts ------------------------------------------------------------------------------------------
def test_repeated_kv_heads_are_read_in_place():
    arrays = {"q": draw(B, S, H * D), "k": draw(B, S, 2 * D, seed=1), "v": draw(B, S, 2 * D, seed=2)}
    for heads_first in (True, False):
        g = rlx.Graph("grouped")
        q, k, v = inputs_of(g, *(array.shape for array in arrays.values()))
        q = q.reshape(B, S, H, D).transpose(0, 2, 1, 3)

        def repeat(x, g=g, heads_first=heads_first):
            x = x.reshape(B, S, 2, D)
            if heads_first:
                x = x.transpose(0, 2, 1, 3).reshape(B, 2, 1, S, D)
                return g.expand(x, shape=(B, 2, 2, S, D)).reshape(B, H, S, D)
            return g.expand(x.reshape(B, S, 2, 1, D), shape=(B, S, 2, 2, D)).reshape(B, S, H, D).transpose(0, 2, 1, 3)

        mixed = g.softmax(q @ turned(repeat(k)) / math.sqrt(D), axis=-1) @ repeat(v)
        g.set_outputs({"y": mixed.transpose(0, 2, 1, 3).reshape(B, S, H * D)})
        check(g, arrays, num_kv_heads=2, layout="bshd")


def test_grouped_by_dot_general():
    """jnp.einsum("bkgsd,bktd->bkgst")."""
    arrays = {"q": draw(B, 2, 2, S, D), "k": draw(B, 2, S, D, seed=1), "v": draw(B, 2, S, D, seed=2)}
    g = rlx.Graph("einsum")
    q, k, v = inputs_of(g, *(array.shape for array in arrays.values()))
    s = g.dot_general(q, k, lhs_contract=4, rhs_contract=3, lhs_batch=(0, 1), rhs_batch=(0, 1))
    shares = g.softmax(s / math.sqrt(D), axis=-1)
    g.set_outputs({"y": g.dot_general(shares, v, lhs_contract=4, rhs_contract=2, lhs_batch=(0, 1), rhs_batch=(0, 1))})
    check(g, arrays, num_heads=4, num_kv_heads=2)


def test_batched_matrices_are_attention_of_one_head():
    g = rlx.Graph("bmm")
    q, k, v = inputs_of(g, *[(B * H, S, D)] * 3)
    g.set_outputs(last(g, q @ k.transpose(0, 2, 1) + g.input("m", (1, S, S), "f32"), v))
    arrays = {name: array.reshape(B * H, S, D) for name, array in ARRAYS.items()}
    check(g, {**arrays, "m": draw(1, S, S)}, num_heads=1, mask_kind="bias")


def test_a_low_graph_with_its_softmax_in_f32():
    g = rlx.Graph("low")
    q, k, v = (x.astype("bf16") for x in inputs_of(g, *HEADS))
    shares = g.softmax((q @ turned(k)).astype("f32") / math.sqrt(D), axis=-1).astype("bf16")
    g.set_outputs({"y": (shares @ v).astype("f32")})
    found, _, _ = recognized(g)
    assert len(found) == 1 and found[0].shape.dtype.name == "bf16"
    got, expected = (rlx.compile(g, device).run(ARRAYS)["y"] for device in DEVICES)
    np.testing.assert_allclose(got, expected, atol=0.05)


def test_traced_by_jit():
    def attend(x, w):
        q, k, v = ((x @ w)[..., i * H * D : (i + 1) * H * D].reshape(B, S, H, D).transpose(0, 2, 1, 3) for i in range(3))
        s = q @ k.transpose(0, 1, 3, 2) / math.sqrt(D)
        e = rlx.ir.op.OPS["softmax"](s, axis=-1)
        return (e @ v).transpose(0, 2, 1, 3).reshape(B, S, H * D)

    x, w = draw(B, S, H * D), draw(H * D, 3 * H * D, seed=1) / 6
    found = rlx.jit(attend)(x, w)
    np.testing.assert_allclose(found, rlx.jit(attend, device="reference")(x, w), atol=2e-5)


# -- what keeps its value ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("which", ["scores", "shares"])
@pytest.mark.parametrize("how", ["output", "reader"])
def test_scores_and_shares_that_are_read_elsewhere_stay(which, how):
    g = rlx.Graph("kept")
    q, k, v = inputs_of(g, *HEADS)
    scores = q @ turned(k) * 0.5
    shares = g.softmax(scores, axis=-1)
    extra = scores if which == "scores" else shares
    g.set_outputs({"y": shares @ v, "extra": extra if how == "output" else extra.sum(axes=3)})
    found, report, _ = recognized(g)
    assert not found
    reason = "IsOutput" if how == "output" else "MultiConsumer"
    assert any(entry.message.startswith(reason) for entry in report.of("not fused"))
    got, expected = (rlx.compile(g, device).run(ARRAYS) for device in DEVICES)
    for name in expected:
        np.testing.assert_allclose(got[name], expected[name], atol=2e-5)
    with pytest.raises(rlx.RlxError, match="RLX405"):
        rlx.compile(g, "cpu", assert_fusion_clean=True)


@pytest.mark.parametrize(
    "reason,scores",
    [
        ("FiniteMask", lambda g, s: g.where(g.iota(shape=(S, 1), axis=0) >= g.iota(shape=(1, S), axis=1), s, -5.0)),
        ("UnsupportedEpilogue", lambda g, s: g.exp(s)),
        ("UnsupportedEpilogue", lambda g, s: (s + g.iota(shape=(S,), dtype="f32")) * 0.5),
        ("BroadcastOperand", lambda g, s: s * g.iota(shape=(S,), dtype="f32")),
    ],
)
def test_near_misses_have_reasons(reason, scores):
    g = rlx.Graph("miss")
    q, k, v = inputs_of(g, *HEADS)
    g.set_outputs(last(g, scores(g, q @ turned(k)), v))
    found, report, _ = recognized(g)
    assert not found and any(entry.message.startswith(reason) for entry in report.of("not fused")), [str(e) for e in report]


def test_a_softmax_on_another_axis_or_between_weights_is_no_attention():
    g = rlx.Graph("other")
    q, k, v = inputs_of(g, *HEADS)
    x = g.input("x", (B, S, D), "f32")
    gate = g.softmax(x @ g.param("w", (D, 6), "f32"), axis=-1) @ g.param("u", (6, D), "f32")
    g.set_outputs({"y": g.softmax(q @ turned(k), axis=2) @ v, "gate": gate})
    found, report, _ = recognized(g)
    assert not found and not report.of("not fused")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dims", [(2, 3, 0), (2, 4, 3, 0), (2, 0, 3, 8)], ids=str)
def test_heads_without_elements_are_no_attention(dims, device):
    """The op has heads of at least one element; the products and the softmax are right as they stand."""
    g = rlx.Graph("empty")
    q, k, v = (g.input(name, dims) for name in "qkv")
    swapped = (*range(len(dims) - 2), len(dims) - 1, len(dims) - 2)
    scores = g.softmax(q @ k.transpose(swapped))
    g.set_outputs({"y": scores @ v, "scores": scores})
    found = rlx.compile(g, device).run({name: np.zeros(dims, np.float32) for name in "qkv"})
    assert found["y"].shape == dims
    np.testing.assert_array_equal(found["scores"], np.full((*dims[:-1], dims[-2]), np.float32(1 / dims[-2])))
    assert recognized(g)[0] == []
