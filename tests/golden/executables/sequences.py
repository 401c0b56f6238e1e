"""Attention, rotary positions, recurrences, a Llama, training, control flow, symbolic sizes and states."""

from __future__ import annotations

from typing import Any

import numpy as np

import rlx
from tests.small_llama import small_llama

from .drawing import Array, Drawing, Numbers, Results, executable, run


# -- attention --------------------------------------------------------------------------------------------------
@executable
def attention_prefill(d: Drawing) -> Results:
    """Grouped heads, causal; a window; a cap on the scores; heads as an axis; bf16; attention by its parts."""
    g, heads = d.graph, {"num_heads": 4, "num_kv_heads": 2, "head_dim": 32}
    q, k, v = d.input(2, 70, 128), d.input(2, 70, 64), d.input(2, 70, 64)
    low = [d.input(1, 33, 64, dtype="bf16") for _ in range(3)]
    parts = [d.input(2, 3, 40, 16) for _ in range(3)]
    return d.run(
        {
            "causal": g.attention(q, k, v, mask_kind="causal", **heads),
            "window": g.attention(q, k, v, mask_kind="sliding_window(9)", **heads),
            "capped": g.attention(q, k, v, mask_kind="none", softcap=2.0, score_scale=0.25, **heads),
            "bhsd": g.attention(
                *(d.input(1, 3, 33, 20) for _ in range(3)), num_heads=3, head_dim=20, layout="bhsd", mask_kind="causal"
            ),
            "bf16": g.attention(*low, num_heads=2, head_dim=32, mask_kind="causal"),
            "parts": g.softmax(parts[0] @ g.transpose(parts[1], (0, 1, 3, 2)) * 0.25) @ parts[2],
        }
    )


@executable
def attention_decode(d: Drawing) -> Results:
    """One and three tokens against caches filled to different lengths, in f32 and f16; a long cache that is split."""
    g, heads = d.graph, {"num_heads": 4, "num_kv_heads": 2, "head_dim": 32}
    lengths = d.given(np.array([300, 1, 77], np.int32))
    k, v = d.input(3, 300, 64), d.input(3, 300, 64)
    return d.run(
        {
            "one": g.attention(d.input(3, 1, 128), k, v, None, None, lengths, mask_kind="causal", **heads),
            "three": g.attention(d.input(3, 3, 128), k, v, None, None, lengths, mask_kind="causal", **heads),
            "f16": g.attention(
                d.input(3, 1, 128, dtype="f16"), g.cast(k, "f16"), g.cast(v, "f16"), None, None, lengths, mask_kind="none", **heads
            ),
            "long": g.attention(
                d.input(1, 1, 128), d.input(1, 2000, 32), d.input(1, 2000, 32), num_heads=4, num_kv_heads=1, head_dim=32
            ),
        }
    )


@executable
def attention_masks_and_gradients(d: Drawing) -> Results:
    """A bias and a mask of keys, one row with no key to see; gradients of q, k, v and the bias."""
    g, heads = d.graph, {"num_heads": 2, "head_dim": 24}
    q, k, v, bias = d.input(2, 37, 48), d.input(2, 41, 48), d.input(2, 41, 48), d.input(2, 2, 37, 41)
    seen = d.any(2, 41, dtype="bool")
    seen[1] = False
    biased = g.attention(q, k, v, bias, mask_kind="bias", **heads)
    hidden = g.attention(q, k, v, d.given(seen), mask_kind="custom", **heads)
    return d.run({"loss": (biased * biased).sum() + hidden.sum(), "biased": biased, "hidden": hidden}, wrt=(q, k, v, bias))


@executable
def rope(d: Drawing) -> Results:
    """Halves and neighbours, part of a head, positions given, and the way back."""
    g, x = d.graph, d.input(2, 33, 96)
    cos, sin = (d.given(table) for table in d.turns(40, 16))
    few = [d.given(table) for table in d.turns(40, 4)]
    places = d.index(2, 33, high=40)
    return d.run(
        {
            "halves": g.rope(x, cos, sin, head_dim=32),
            "neighbours": g.rope(x, cos, sin, places, head_dim=32, interleaved=True),
            "part": g.rope(x, *few, places, head_dim=32, n_rot=8),
            "back": g.rope_backward(x, cos, sin, places, head_dim=32),
        }
    )


# -- recurrences ------------------------------------------------------------------------------------------------
@executable
def selective_scan(d: Drawing) -> Results:
    """With a state in and out and lengths, and every gradient."""
    g, floats = d.graph, {"low": -0.5, "high": 0.5}
    x, delta, a = d.input(2, 45, 20), d.input(2, 45, 20, low=0.0, high=0.5), d.input(20, 8, low=-2.0, high=-0.125)
    b, c, skip, state = d.input(2, 45, 8, **floats), d.input(2, 45, 8, **floats), d.param(20), d.input(2, 20, 8)
    y, after = g.selective_scan_carry(x, delta, a, b, c, skip, state, d.given(np.array([45, 17], np.int32)), state_size=8)
    return d.run({"loss": (y * y).sum() + after.sum(), "y": y, "after": after}, wrt=(x, delta, a, b, c, skip, state))


@executable
def gated_delta_net(d: Drawing) -> Results:
    """Long enough for chunks, one step from a state, and every gradient."""
    g = d.graph
    q, k, v = (d.input(1, 70, 2, 16, low=-0.25, high=0.25) for _ in range(3))
    gate, beta = d.input(1, 70, 2, low=-0.5, high=0.0), d.input(1, 70, 2, low=0.0, high=1.0)
    o, after = g.gated_delta_net_carry(q, k, v, gate, beta, state_size=16)
    step = g.gated_delta_net(q[:, :1], k[:, :1], v[:, :1], gate[:, :1], beta[:, :1], d.input(1, 2, 16, 16), state_size=16)
    return d.run({"loss": (o * o).sum() + after.sum(), "o": o, "after": after, "step": step}, wrt=(q, k, v, gate, beta))


# -- control flow, sizes, states --------------------------------------------------------------------------------
@executable
def control_flow(d: Drawing) -> Results:
    """A scan with its gradient, both branches of an if, and a loop that stops by what it computes."""
    g = d.graph
    xs, init, w = d.input(19, 24), d.input(24), d.param(24, 24, low=-0.25, high=0.25)
    (last,), (ys,) = g.scan_general(lambda h, x: (g.tanh(h @ w + x), h * x), (init,), (xs,))
    taken, other = (
        g.cond(d.given(np.array(side)), lambda v: g.exp(v) + init, lambda v: v * 0.5, (last,)) for side in (True, False)
    )
    count, total = g.while_loop(
        (g.constant(np.int32(0)), init),
        cond=lambda i, v: (v * v).sum() < 100.0,
        body=lambda i, v: (i + 1, v * 1.25 + last),
        max_iterations=40,
    )
    return d.run(
        {"loss": (ys * ys).sum() + last.sum(), "taken": taken, "other": other, "count": count, "total": total}, wrt=(xs, init, w)
    )


@executable
def symbolic_sizes(d: Drawing) -> Results:
    """One executable at two bindings and back: products, a norm, a softmax over a symbolic axis, a mean."""
    g = d.graph
    batch, length = rlx.Dim("batch", max=8), rlx.Dim("length", max=200)
    x = g.input("x", (batch, length, 48))
    h = g.layer_norm(g.gelu(x @ d.param(48, 64)) @ d.param(64, 48) + x, d.param(48))
    scores = g.softmax(h @ g.transpose(h, (0, 2, 1)))
    g.set_outputs({"y": scores @ h, "mean": h.mean(axes=(0, 1)), "twice": g.concat(x, h, axis=1), "sums": g.cumsum(x, axis=1)})
    return run(g, [{"x": d.floats(*dims, 48)} for dims in ((3, 37), (1, 130), (3, 37))], d.params)


@executable
def states_over_three_runs(d: Drawing) -> Results:
    """A moving mean, a ring that is written at a place, a counter, and random numbers that go on."""
    g = d.graph
    x, place = g.input("x", (30, 65)), g.input("place", (), "i32")
    mean, ring, count = g.state("mean", (30, 65)), g.state("ring", (8, 65)), g.state("count", (), "i64")
    g.update("mean", 0.875 * mean + 0.125 * x)
    g.update("ring", g.dynamic_update_slice(ring, x.mean(axes=0, keep_dim=True), place, axes=0))
    g.update("count", count + 1)
    noisy = g.rng("noise", seed=7).dropout(x + mean, rate=0.5)
    g.set_outputs({"noisy": noisy, "old": mean @ d.param(65, 9), "sum": ring.sum(axes=1)})
    return run(g, [{"x": d.floats(30, 65), "place": np.array(at, np.int32)} for at in (0, 5, 7)], d.params)


# -- models -----------------------------------------------------------------------------------------------------
def _llama_params(of: Numbers, graph: Any) -> dict[str, Array]:
    """Norms near 1, matrices scaled by their rows, and points of the circle for rotary tables."""
    found = {}
    for name, node in graph.params.items():
        dims = tuple(int(size) for size in node.shape.dims)
        if name in ("cos", "sin"):
            found |= {} if name in found else dict(zip(("cos", "sin"), of.turns(*dims), strict=True))
        elif len(dims) == 1:
            found[name] = of.floats(*dims, low=0.75, high=1.25)
        else:
            found[name] = of.floats(*dims, low=-0.25, high=0.25)
    return found


@executable
def llama_forward(d: Drawing) -> Results:
    """Two layers at two bindings."""
    module = small_llama(layers=2)
    inputs = [{"ids": d.integers(*dims, high=64)} for dims in ((2, 19), (1, 1))]
    return run(module, inputs, _llama_params(d, module.into_graph()))


@executable
def llama_with_a_cache(d: Drawing) -> Results:
    """Prefill, then two tokens, rows at different lengths; the caches afterwards."""
    module, heads = rlx.Graph.hir("cached"), {"num_heads": 4, "num_kv_heads": 2, "head_dim": 16}
    x, length = module.input("x", (2, rlx.Dim("seq", max=32), 64)), module.input("length", (2,), "i32")
    cache = module.kv_cache("layer", length, kv_heads=2, capacity=32, head_dim=16)
    shapes = {
        "ln1": (64,),
        "q": (64, 64),
        "k": (64, 32),
        "v": (64, 32),
        "o": (64, 64),
        "ln2": (64,),
        "gate": (64, 96),
        "up": (64, 96),
        "down": (96, 64),
        "cos": (32, 8),
        "sin": (32, 8),
    }
    w = {name: module.param(name, dims) for name, dims in shapes.items()}
    block = [x, w["ln1"], None, w["q"], w["k"], w["v"], w["o"], w["ln2"], None, w["gate"], w["up"], w["down"], w["cos"], w["sin"]]
    module.set_outputs({"y": module.llama_decoder_block(*block, cache=cache, **heads)})
    turns = [(9, [0, 0]), (1, [9, 4]), (1, [10, 5])]
    inputs = [{"x": d.floats(2, count, 64), "length": np.array(filled, np.int32)} for count, filled in turns]
    return run(module, inputs, _llama_params(d, module.into_graph()))


@executable
def training_with_adamw(d: Drawing) -> Results:
    """Three steps of a Llama: loss, clipping, moments and weights."""
    graph = small_llama(batch=2, seq=11, context=16).into_graph()
    logits, labels = graph.outputs["logits"], graph.input("labels", (22,), "i32")
    graph.set_outputs({"loss": graph.softmax_cross_entropy_with_logits(logits.reshape(22, 64), labels).mean()})
    weights = _llama_params(d, graph)
    training = rlx.train.compile_training(graph, "loss", rlx.train.AdamW(lr=2.0**-8), clip_norm=1.0)
    training.set_params(weights)
    found = {}
    for number in range(3):
        said = training.step({"ids": d.integers(2, 11, high=64), "labels": d.integers(22, high=64)})
        found |= {f"{number}.{name}": np.array(value) for name, value in said.items()}
    return found | {name: np.array(training.param(name)) for name in weights}
