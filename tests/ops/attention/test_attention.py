"""attention and rope: their cases, torch as an independent oracle, symbolic sizes, and every message a user meets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from rlx.core.dim import Dim, evaluate
from rlx.core.enums import MaskKind
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_graph
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, Call, OpDef
from rlx.ir.parse import parse_graph
from rlx.ir.verify import verify
from rlx.ops.attention.attention import attention
from rlx.ops.attention.rope import rope, rope_backward
from tests.ops.running import draw, infer, place, run

RECORDS = [
    attention,
    rope,
    rope_backward,
    *(
        OPS[name]
        for name in (
            "random_uniform",
            "random_normal",
            "dropout",
            "sample",
            "softmax_cross_entropy_with_logits",
            "softmax_cross_entropy_backward",
            "fused",
        )
    ),
]


# -- what every record of these files promises ------------------------------------------------------------------
@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r.name)
def test_record_is_complete(record: OpDef) -> None:
    rows = record.cases()  # type: ignore[operator]
    assert len(rows) >= 3
    assert any(word in row.note for row in rows for word in ("broadcast", "axis", "odd"))
    assert record.tolerance is not None and record.cost is not None and record.doc.endswith(".")
    for row in rows:
        graph = Graph("test")
        given = [a if a is None else place(graph, f"x{i}", a.shape, a.dtype) for i, a in enumerate(row.arrays())]
        found = emit(record, given, dict(row.attrs), graph=graph)
        values = found if isinstance(found, tuple) else (found,)
        graph.set_output_refs({f"y{i}": value.ref for i, value in enumerate(values)})
        verify(graph)
        assert parse_graph(str(graph)) == graph
        node = graph.node(values[0].ref)
        shapes = [None if ref is None else graph.shape(ref) for ref in node.inputs]
        assert record.cost(Call(node.op, shapes), node.results) >= 0  # type: ignore[operator]


# -- attention against torch ------------------------------------------------------------------------------------
def torch_attention(
    q: Any,
    k: Any,
    v: Any,
    heads: int,
    kv_heads: int,
    size: int,
    kind: str = "none",
    window: int = 0,
    mask: Any = None,
    first: Any = None,
    lengths: Any = None,
    scale: float | None = None,
    softcap: float | None = None,
    causal: bool = False,
) -> Any:
    """One query at a time over exactly the keys it sees: written without masks, from packed operands in f64."""
    q, k, v = (torch.tensor(np.asarray(x, np.float64)) for x in (q, k, v))
    (batch, queries, _), keys = q.shape, k.shape[1]
    out = torch.zeros(batch, queries, heads, size, dtype=torch.float64)
    scale = size**-0.5 if scale is None else scale
    for b in range(batch):
        length = keys if lengths is None else int(lengths[b])
        start = length - queries if first is None else int(first[b])
        for h in range(heads):
            g = h // (heads // kv_heads)
            for i in range(queries):
                seen = list(range(min(length, keys)))
                if kind in ("causal", "sliding") or causal:
                    seen = [j for j in seen if j <= start + i]
                if kind == "sliding":
                    seen = [j for j in seen if j > start + i - window]
                if kind == "custom":
                    seen = [j for j in seen if mask[b, j]]
                if not seen:
                    continue
                row = q[b, i, h * size : (h + 1) * size]
                scores = torch.stack([row @ k[b, j, g * size : (g + 1) * size] for j in seen]) * scale
                if softcap is not None:
                    scores = softcap * torch.tanh(scores / softcap)
                if kind == "bias":
                    full = np.broadcast_to(np.asarray(mask, np.float64), (batch, heads, queries, keys))
                    scores = scores + torch.tensor(np.array([full[b, h, i, j] for j in seen]))
                weights = torch.softmax(scores, 0)
                out[b, i, h] = sum(p * v[b, j, g * size : (g + 1) * size] for p, j in zip(weights, seen, strict=True))
    return out.reshape(batch, queries, heads * size).numpy()


CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("none", {}, {}),
    ("causal", {"mask_kind": "causal"}, {"kind": "causal"}),
    ("window", {"mask_kind": MaskKind.SlidingWindow(2)}, {"kind": "sliding", "window": 2}),
    ("scale", {"mask_kind": "causal", "score_scale": 0.3}, {"kind": "causal", "scale": 0.3}),
    ("softcap", {"softcap": 1.5}, {"softcap": 1.5}),
]


@pytest.mark.parametrize(("name", "ours", "theirs"), CASES, ids=[case[0] for case in CASES])
@pytest.mark.parametrize(("queries", "keys"), [(5, 5), (3, 7), (6, 2), (1, 9)])
def test_attention_is_torch(name: str, ours: Any, theirs: Any, queries: int, keys: int) -> None:
    q, k, v = draw((2, queries, 24), seed=1), draw((2, keys, 12), seed=2), draw((2, keys, 12), seed=3)
    found = run(attention, q, k, v, num_heads=4, num_kv_heads=2, head_dim=6, **ours)
    np.testing.assert_allclose(found, torch_attention(q, k, v, 4, 2, 6, **theirs), atol=2e-5)


@pytest.mark.parametrize("causal", [False, True])
def test_attention_custom_and_bias_compose_with_causal(causal: bool) -> None:
    q, k, v = (draw((2, 5, 24), seed=s) for s in (1, 2, 3))
    valid = np.array([[1, 0, 1, 1, 1], [0, 0, 0, 0, 0]], bool)
    bias = draw((4, 5, 5), seed=4)
    bias[1, 2] = -np.inf
    heads = {"num_heads": 4, "head_dim": 6, "causal": causal}
    found = run(attention, q, k, v, valid, mask_kind="custom", **heads)
    np.testing.assert_allclose(found, torch_attention(q, k, v, 4, 4, 6, "custom", mask=valid, causal=causal), atol=2e-5)
    assert np.all(found[1] == 0), "a row with no visible key gives zeros"
    found = run(attention, q, k, v, bias, mask_kind="bias", **heads)
    wanted = torch_attention(q, k, v, 4, 4, 6, "bias", mask=bias, causal=causal)
    np.testing.assert_allclose(found, np.nan_to_num(wanted), atol=2e-5)
    assert np.all(found.reshape(2, 5, 4, 6)[:, 2, 1] == 0), "a bias of -inf everywhere hides the row"


def test_trap_fully_masked_row_and_ragged_lengths() -> None:
    q, k, v = draw((3, 2, 24), seed=1), draw((3, 8, 12), seed=2), draw((3, 8, 12), seed=3)
    lengths, first = np.array([2, 8, 0], np.int32), np.array([0, 6, 0], np.int32)
    k[0, 2:], v[0, 2:] = np.nan, np.nan  # what lies past a row's length has no effect
    attrs = {"num_heads": 4, "num_kv_heads": 2, "head_dim": 6}
    for kind in ("causal", "none"):
        found = run(attention, q, k, v, None, first, lengths, mask_kind=kind, **attrs)
        wanted = torch_attention(q, k, v, 4, 2, 6, kind, first=first, lengths=lengths)
        np.testing.assert_allclose(found, wanted, atol=2e-5)
        assert np.all(found[2] == 0)


def test_attention_layouts_agree() -> None:
    q, k, v = draw((2, 5, 24), seed=1), draw((2, 7, 12), seed=2), draw((2, 7, 12), seed=3)
    attrs = {"num_heads": 4, "num_kv_heads": 2, "head_dim": 6, "mask_kind": "causal"}
    packed = run(attention, q, k, v, **attrs)
    split = [x.reshape(2, x.shape[1], -1, 6) for x in (q, k, v)]
    bshd = run(attention, *split, layout="bshd", **attrs)
    bhsd = run(attention, *(x.transpose(0, 2, 1, 3) for x in split), layout="BHSD", **attrs)
    np.testing.assert_array_equal(bshd.reshape(packed.shape), packed)
    np.testing.assert_array_equal(bhsd.transpose(0, 2, 1, 3).reshape(packed.shape), packed)


def test_attention_matches_sdpa_in_low_floats() -> None:
    q, k, v = (draw((2, 5, 24), seed=s, low=-1, high=1).astype(np.float16) for s in (1, 2, 3))
    found = run(attention, q, k, v, num_heads=4, head_dim=6, mask_kind="causal")
    heads = [torch.tensor(x.astype(np.float32)).reshape(2, 5, 4, 6).transpose(1, 2) for x in (q, k, v)]
    wanted = torch.nn.functional.scaled_dot_product_attention(*heads, is_causal=True).transpose(1, 2).reshape(2, 5, 24)
    assert found.dtype == np.float16
    np.testing.assert_allclose(found.astype(np.float32), wanted.numpy(), atol=1e-3)


@pytest.mark.parametrize("decompose", [False, True])
@pytest.mark.parametrize("kind", ["none", "causal", "sliding_window(3)", "custom", "bias"])
@pytest.mark.parametrize("ragged", [False, True])
def test_attention_with_symbolic_sizes(decompose: bool, kind: str, ragged: bool) -> None:
    batch, seq, keys = Dim("batch"), Dim("seq"), Dim("keys")
    graph = Graph("symbolic")
    operands = [place(graph, "q", (batch, seq, 16)), place(graph, "k", (batch, keys, 8)), place(graph, "v", (batch, keys, 8))]
    masks = {"custom": ((batch, keys), "bool"), "bias": ((seq, keys), "f32")}
    operands.append(place(graph, "mask", *masks[kind]) if kind in masks else None)  # type: ignore[arg-type]
    operands += [place(graph, "first", (batch,), "i32"), place(graph, "length", (batch,), "i32")] if ragged else []
    attrs = {"num_heads": 4, "num_kv_heads": 2, "head_dim": 4, "mask_kind": kind}
    result = attention(*operands, **attrs)
    assert result.type == Shape((batch, seq, 16), "f32")
    node = graph.node(result.ref)
    assert node.op["num_kv_heads"] == 2
    flops = attention.cost(Call(node.op, [graph.shape(r) if r else None for r in node.inputs]), node.results)  # type: ignore[misc]
    assert evaluate(flops, {"batch": 2, "seq": 3, "keys": 5}) == 2 * 4 * 3 * 5 * (4 * 4 + 8)
    if decompose:
        result = attention.decompose(*operands, **node.op.attrs)  # type: ignore[misc]
    graph.set_output_refs({"y": result.ref})
    verify(graph)
    for sizes in ({"batch": 3, "seq": 4, "keys": 6}, {"batch": 1, "seq": 1, "keys": 3}):
        b, s, t = sizes.values()
        arrays = {"q": draw((b, s, 16)), "k": draw((b, t, 8)), "v": draw((b, t, 8)), "mask": draw((b, t), "bool")}
        arrays |= {"mask": draw((s, t))} if kind == "bias" else {}
        arrays |= {"first": np.full(b, max(t - s - 1, 0), np.int32), "length": np.full(b, t - 1, np.int32)}
        found = evaluate_graph(graph, arrays, sizes)["y"]
        more = {"first": arrays["first"], "lengths": arrays["length"]} if ragged else {}
        name = "sliding" if kind.startswith("sliding") else kind
        wanted = torch_attention(arrays["q"], arrays["k"], arrays["v"], 4, 2, 4, name, 3, arrays["mask"], **more)
        np.testing.assert_allclose(found, wanted, atol=2e-5)


def test_attention_promotes_a_cache_of_lower_precision() -> None:
    shape = infer(attention, Shape((1, 1, 8)), Shape((1, 4, 8), "f16"), Shape((1, 4, 8), "f16"), num_heads=2, head_dim=4)
    assert shape == Shape((1, 1, 8), "f32")


Q = Shape((2, 5, 32))
WRONG: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("rank 4", (Shape((2, 5, 4, 8)),) * 3, {}, "q has rank 4 and no layout"),
    ("rank 2", (Shape((2, 5)),) * 3, {}, "q has rank 2"),
    ("heads", (Shape((2, 5, 30)), Q, Q), {}, "last size of q and heads·head_dim = 4·8: 30 and 32 differ"),
    ("grouping", (Q, Q, Q), {"num_kv_heads": 3}, "4 query heads on 3 kv heads"),
    ("kv size", (Q, Q, Q), {"num_kv_heads": 2}, "last size of k"),
    ("batch", (Q, Shape((3, 5, 32)), Shape((3, 5, 32))), {}, "batch of q and k: 2 and 3 differ"),
    ("lengths", (Q, Q, Shape((2, 6, 32))), {}, "lengths of k and v: 5 and 6 differ"),
    ("no mask", (Q, Q, Q), {"mask_kind": "custom"}, "mask_kind custom needs the operand mask"),
    ("a mask", (Q, Q, Q, Shape((2, 5), "bool")), {"mask_kind": "causal"}, "mask_kind causal has no operand mask"),
    ("float mask", (Q, Q, Q, Shape((2, 5))), {"mask_kind": "custom"}, "the validity mask is f32"),
    ("mask size", (Q, Q, Q, Shape((2, 4), "bool")), {"mask_kind": "custom"}, "size of the mask and keys: 4 and 5"),
    ("bias size", (Q, Q, Q, Shape((3, 5, 5))), {"mask_kind": "bias"}, "sizes of the bias and of [B, H, S, T]: 3 and 4"),
    ("bool bias", (Q, Q, Q, Shape((5, 5), "bool")), {"mask_kind": "bias"}, "the bias is bool"),
    ("positions", (Q, Q, Q, None, Shape((3,), "i32")), {}, "size of q_position and batch: 3 and 2 differ"),
    ("float length", (Q, Q, Q, None, None, Shape((2,))), {}, "kv_length is f32"),
    ("softcap", (Q, Q, Q), {"softcap": 0.0}, "softcap is 0.0"),
    ("layout", (Q, Q, Q), {"layout": "bshd"}, "q has rank 3, layout bshd has 4 axes"),
    ("ints", (Shape((2, 5, 32), "i32"), Q, Q), {}, "q is i32"),
]


@pytest.mark.parametrize(("shapes", "attrs", "message"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_attention_errors_say_both_facts(shapes: Any, attrs: Any, message: str) -> None:
    with pytest.raises(RlxError) as raised:
        infer(attention, *shapes, num_heads=4, head_dim=8, **attrs)
    text = str(raised.value)
    assert message in text and "fix:" in text and "  at " in text


def test_attention_asks_for_an_assumption_where_sizes_may_differ() -> None:
    seq, keys = Dim("seq"), Dim("keys")
    with pytest.raises(RlxError, match="lengths of k and v: seq and keys differ for some sizes") as raised:
        infer(attention, Q, Shape((2, seq, 32)), Shape((2, keys, 32)), num_heads=4, head_dim=8)
    assert raised.value.code == "RLX202" and "graph.assume(seq == keys)" in str(raised.value)


def test_window_of_no_key_is_refused() -> None:
    with pytest.raises(RlxError, match="sliding window of 0 keys"):
        MaskKind.SlidingWindow(0)


# -- rope -------------------------------------------------------------------------------------------------------
def torch_rope(x: Any, cos: Any, sin: Any, positions: Any, size: int, n_rot: int, interleaved: bool, turn: float = 1.0) -> Any:
    """Complex multiplication by cos + i·sin, head by head."""
    x, cos, sin = (torch.tensor(np.asarray(a, np.float64)) for a in (x, cos, sin))
    out = x.clone().reshape(*x.shape[:2], -1, size)
    turned = out[..., :n_rot]
    pairs = turned.reshape(*turned.shape[:-1], n_rot // 2, 2) if interleaved else torch.stack(turned.chunk(2, -1), -1)
    rows = torch.arange(x.shape[1]).expand(x.shape[0], -1) if positions is None else torch.tensor(positions).long()
    rows = torch.where(rows < 0, rows + cos.shape[0], rows).clamp(0, cos.shape[0] - 1)
    angle = torch.complex(cos[rows], turn * sin[rows])[:, :, None]
    result = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * angle)
    back = result.reshape(turned.shape) if interleaved else torch.cat((result[..., 0], result[..., 1]), -1)
    return torch.cat((back, out[..., n_rot:]), -1).reshape(x.shape).numpy()


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("n_rot", [8, 4])
@pytest.mark.parametrize("positions", [None, [[3, 0, -1, 99, 2], [8, 8, 1, -99, 0]]])
def test_rope_is_complex_multiplication(interleaved: bool, n_rot: int, positions: Any) -> None:
    x, cos, sin = draw((2, 5, 24), seed=1), draw((9, n_rot // 2), seed=2), draw((9, n_rot // 2), seed=3)
    places = None if positions is None else np.array(positions, np.int32)
    attrs = {"head_dim": 8, "n_rot": n_rot, "interleaved": interleaved}
    for record, turn in ((rope, 1.0), (rope_backward, -1.0)):
        wanted = torch_rope(x, cos, sin, places, 8, n_rot, interleaved, turn)
        np.testing.assert_allclose(run(record, x, cos, sin, places, **attrs), wanted, atol=2e-5)
        four = run(record, x.reshape(2, 5, 3, 8), cos, sin, places, **attrs)
        np.testing.assert_allclose(four.reshape(2, 5, 24), wanted, atol=2e-5)


def test_rope_backward_is_the_transpose() -> None:
    x, dy = draw((2, 5, 24), "f64", seed=1), draw((2, 5, 24), "f64", seed=2)
    cos, sin = draw((9, 3), "f64", seed=3), draw((9, 3), "f64", seed=4)
    attrs = {"head_dim": 8, "n_rot": 6}
    forward, backward = run(rope, x, cos, sin, **attrs), run(rope_backward, dy, cos, sin, **attrs)
    assert math.isclose(float((forward * dy).sum()), float((x * backward).sum()), rel_tol=1e-12)


def test_rope_tables_per_token() -> None:
    x, cos, sin = draw((2, 5, 24), seed=1), draw((9, 4), seed=2), draw((9, 4), seed=3)
    places = np.array([[3, 0, 1, 2, 2], [8, 8, 1, 4, 0]], np.int32)
    found = run(rope, x, cos[places], sin[places], head_dim=8)
    np.testing.assert_array_equal(found, run(rope, x, cos, sin, places, head_dim=8))


@pytest.mark.parametrize("decompose", [False, True])
def test_rope_with_symbolic_sizes(decompose: bool) -> None:
    batch, seq = Dim("batch"), Dim("seq", 1, 9)
    graph = Graph("symbolic")
    x, places = place(graph, "x", (batch, seq, 24)), place(graph, "places", (batch, seq), "i32")
    cos, sin = place(graph, "cos", (9, 2)), place(graph, "sin", (9, 2))
    for name, operands in (("default", (x, cos, sin)), ("given", (x, cos, sin, places))):
        made = rope(*operands, head_dim=8, n_rot=4)
        if decompose:
            made = rope.decompose(*operands, **graph.node(made.ref).op.attrs)  # type: ignore[misc]
        graph.output_refs[name] = made.ref
    arrays = {"x": draw((3, 4, 24)), "cos": draw((9, 2)), "sin": draw((9, 2)), "places": draw((3, 4), "i32", 0, 8)}
    found = evaluate_graph(graph, arrays, {"batch": 3, "seq": 4})
    for name, places_array in (("default", None), ("given", arrays["places"])):
        wanted = torch_rope(arrays["x"], arrays["cos"], arrays["sin"], places_array, 8, 4, False)
        np.testing.assert_allclose(found[name], wanted, atol=2e-5)


X, T = Shape((2, 5, 24)), Shape((9, 4))
ROPE_WRONG: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    ((X, T, T), {"n_rot": 7}, "n_rot is 7"),
    ((X, T, T), {"n_rot": 10}, "n_rot is 10"),
    ((X, T, T), {"n_rot": 6}, "last size of the tables and n_rot/2: 4 and 3 differ"),
    ((X, T, Shape((8, 4))), {}, "sizes of cos and sin 9 and 8 differ"),
    ((Shape((2, 5, 20)), T, T), {}, "the last size 20 is no multiple of head_dim = 8"),
    ((X, Shape((4, 4)), Shape((4, 4))), {}, "sequence length against the rows of the tables"),
    ((X, T, T, Shape((2, 4), "i32")), {}, "lengths of positions and of x: 4 and 5 differ"),
    ((X, T, T, Shape((2, 5))), {}, "positions are f32"),
    ((X, Shape((2, 5, 4)), Shape((2, 5, 4)), Shape((2, 5), "i32")), {}, "positions beside tables per token"),
    ((Shape((24,)), T, T), {}, "x has rank 1"),
    ((Shape((2, Dim("seq"), 24)), T, T), {}, "sequence length against the rows of the tables"),
]


@pytest.mark.parametrize(("shapes", "attrs", "message"), ROPE_WRONG, ids=[row[2][:30] for row in ROPE_WRONG])
def test_rope_errors_say_both_facts(shapes: Any, attrs: Any, message: str) -> None:
    with pytest.raises(RlxError) as raised:
        infer(rope, *shapes, head_dim=8, **attrs)
    assert message in str(raised.value) and "fix:" in str(raised.value)
