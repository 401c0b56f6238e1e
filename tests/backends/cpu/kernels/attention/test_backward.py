"""The gradients of attention against torch's differentiation of the formula in f64: masks, lengths, views, symbols, any split."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch

from rlx.backends.cpu.kernels.attention.backward import lower
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim
from tests.backends.cpu.levels import HOST, OTHERS, TARGETS
from tests.backends.cpu.lowered import Array, Lowered, op_for, run, tensor_of

SPLITS = [{"split": 1}, {"split": 3}, {"split": 2, "threads": 2}]
EPS = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}


def visible(batch: int, queries: int, keys: int, mask: Any, position: Any, length: Any, kind: str, causal: bool) -> Any:
    """Which keys a query sees: [B, 1, S, T]."""
    window = int(kind.split("(")[1][:-1]) if kind.startswith("sliding") else 0
    seen = np.zeros((batch, queries, keys), bool)
    for b in range(batch):
        limit = keys if length is None else int(length[b])
        place = ((limit - queries if position is None else int(position[b])) + np.arange(queries))[:, None]
        key = np.arange(keys)[None, :]
        seen[b] = key < limit
        if causal or kind == "causal" or window:
            seen[b] &= key <= place
        if window:
            seen[b] &= key > place - window
        if kind == "custom":
            seen[b] &= mask[b]
    return torch.tensor(seen)[:, None]


def expected(
    q: Array, k: Array, v: Array, dy: Array, mask: Any = None, position: Any = None, length: Any = None, **attrs: Any
) -> tuple[list[Array], list[float]]:
    """Gradients by q, k, v and a bias, operands as [B, heads, tokens, D]; and the largest sum of magnitudes behind an element of each."""
    kind, cap = str(attrs.get("mask_kind", "none")), attrs.get("softcap")
    group, scale = q.shape[1] // k.shape[1], attrs.get("score_scale") or 1 / math.sqrt(q.shape[3])
    leaves = [torch.tensor(x.astype(np.float64), requires_grad=True) for x in (q, k, v)]
    bias = torch.tensor(mask.astype(np.float64), requires_grad=True) if kind == "bias" else None
    seen = visible(q.shape[0], q.shape[2], k.shape[2], mask, position, length, kind, attrs.get("causal", False))
    known = seen.any(2)[:, 0, :, None]  # NaN in what nobody sees has no effect
    keys, values = (torch.where(known[:, None], x, 0.0).repeat_interleave(group, 1) for x in leaves[1:])
    scores = leaves[0] @ keys.transpose(2, 3) * scale
    scores = cap * torch.tanh(scores / cap) if cap else scores
    scores = scores if bias is None else scores + bias
    scores = torch.where(seen, scores, -torch.inf)
    alive = (scores > -torch.inf).any(-1, keepdim=True)
    shares = torch.where(alive, torch.softmax(torch.where(alive, scores, 0.0), -1), 0.0)
    seeds = torch.tensor(dy.astype(np.float64))
    (shares @ values).backward(seeds)
    with torch.no_grad():
        dp = seeds.abs() @ values.abs().transpose(2, 3)
        change = shares * (dp + (shares * dp).sum(-1, keepdim=True))
        size = float(scores.abs().nan_to_num(posinf=0.0).amax() if scores.numel() else 0.0) + 4.0
        lift = abs(scale) * size
        magnitudes = [
            change @ keys.abs() * lift,
            (change.transpose(2, 3) @ leaves[0].abs() * lift).unflatten(1, (-1, group)).sum(2),
            (shares.transpose(2, 3) @ seeds.abs() * size).unflatten(1, (-1, group)).sum(2),
            *([change.sum() * size] if bias is not None else []),
        ]
    found = [*leaves, *([bias] if bias is not None else [])]
    return [x.grad.numpy() for x in found], [float(m.amax()) if m.numel() else 0.0 for m in magnitudes]


def heads_last(x: Array, layout: str) -> Array:
    """[B, heads, tokens, D] in a layout."""
    if layout == "bhsd":
        return x
    x = np.ascontiguousarray(x.transpose(0, 2, 1, 3))
    return x if layout == "bshd" else x.reshape(*x.shape[:2], x.shape[2] * x.shape[3])


def check(
    sizes: tuple[int, int, int, int, int, int],
    mask: Any = None,
    position: Any = None,
    length: Any = None,
    *,
    dtype: Any = np.float32,
    layout: str = "packed",
    target: Target = HOST,
    splits: list[dict[str, int]] | None = None,
    **attrs: Any,
) -> None:
    """Draw operands for (B, H, Hkv, S, T, D), run, compare within 8 roundings of what is summed; every split gives the same bits."""
    batch, heads, kv_heads, queries, keys, head_dim = sizes
    random = np.random.default_rng(sum(sizes))
    counts = ((heads, queries), (kv_heads, keys), (kv_heads, keys), (heads, queries))
    q, k, v, dy = (random.standard_normal((batch, h, n, head_dim)).astype(dtype) for h, n in counts)
    arrays = [*(heads_last(x, layout) for x in (q, k, v, dy)), mask, position, length]
    tensors = [tensor_of(array) for array in arrays]
    op = op_for("attention_backward", tensors, num_heads=heads, head_dim=head_dim, num_kv_heads=kv_heads, layout=layout, **attrs)
    lowered = Lowered(lower, op, tensors, target)
    found = lowered.call(arrays)
    wanted, magnitudes = expected(q, k, v, dy, mask, position, length, **attrs)
    for index, (mine, other, magnitude) in enumerate(zip(found, wanted, magnitudes, strict=False)):
        other = heads_last(other, layout) if index < 3 else other
        bound = 8 * EPS[np.dtype(dtype).name] * magnitude
        assert mine.shape == other.shape and np.isfinite(mine.astype(np.float64)).all()
        assert np.abs(mine.astype(np.float64) - other).max(initial=0.0) <= bound, (index, np.abs(mine - other).max(), bound)
    for split in splits if splits is not None else SPLITS[:1]:
        for mine, again in zip(found, lowered.call(arrays, **split), strict=True):
            np.testing.assert_array_equal(again.view(np.uint8), mine.view(np.uint8))


def i32(*numbers: int) -> Array:
    return np.array(numbers, np.int32)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16])
def test_dtypes(target: Target, dtype: Any) -> None:
    check((2, 4, 2, 37, 41, 24), dtype=dtype, mask_kind="causal", target=target)


@pytest.mark.parametrize("layout", ["packed", "bshd", "bhsd"])
@pytest.mark.parametrize("mask_kind", ["none", "causal", "sliding_window(1)", "sliding_window(19)", "sliding_window(500)"])
@pytest.mark.parametrize("sizes", [(2, 3, 3, 1, 300, 32), (1, 4, 2, 50, 50, 16), (1, 2, 1, 70, 330, 64), (2, 2, 2, 40, 23, 8)])
def test_masks_by_position(layout: str, mask_kind: str, sizes: tuple[int, int, int, int, int, int]) -> None:
    check(sizes, mask_kind=mask_kind, layout=layout)


@pytest.mark.parametrize("head_dim", [1, 3, 8, 31, 32, 67, 128])
def test_head_sizes(head_dim: int) -> None:
    check((1, 2, 1, 29, 45, head_dim), mask_kind="causal")


@pytest.mark.parametrize("heads, kv_heads", [(1, 1), (3, 1), (6, 2), (17, 1), (70, 1)])
@pytest.mark.parametrize("queries", [1, 11])
def test_grouped_heads(heads: int, kv_heads: int, queries: int) -> None:
    check((1, heads, kv_heads, queries, 83, 16), mask_kind="causal")


@pytest.mark.parametrize("queries", [1, 5, 130])
@pytest.mark.parametrize("mask_kind", ["none", "causal", "sliding_window(33)"])
def test_ragged_lengths(queries: int, mask_kind: str) -> None:
    lengths = i32(0, 1, 7, 64, 65, 200)
    check((6, 4, 2, queries, 200, 32), None, None, lengths, mask_kind=mask_kind)
    check((6, 4, 2, queries, 200, 32), None, i32(0, 3, 199, -5, 40, 100), lengths, mask_kind=mask_kind)
    check((6, 4, 2, queries, 200, 32), None, i32(0, 3, 250, -5, 40, 100), None, mask_kind=mask_kind, layout="bhsd")


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("causal", [False, True])
def test_custom_masks(target: Target, causal: bool) -> None:
    mask = np.random.default_rng(0).random((3, 300)) < 0.5
    mask[1] = False
    mask[2, :290] = False
    check((3, 2, 2, 40, 300, 16), mask, mask_kind="custom", causal=causal, target=target)
    check((3, 2, 2, 40, 300, 16), mask, None, i32(20, 300, 295), mask_kind="custom", causal=causal, target=target)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("softcap", [None, 3.0])
def test_bias_and_its_gradient(causal: bool, softcap: float | None) -> None:
    bias = np.random.default_rng(1).standard_normal((2, 4, 37, 90)).astype(np.float32)
    check((2, 4, 2, 37, 90, 16), bias, mask_kind="bias", causal=causal, softcap=softcap)
    check((2, 4, 2, 37, 90, 16), bias, None, i32(90, 11), mask_kind="bias", causal=causal, softcap=softcap)


@pytest.mark.parametrize("shape", [(90,), (1,), (37, 90), (37, 1), (1, 4, 1, 90), (2, 1, 37, 90)])
def test_a_bias_that_is_broadcast_and_needs_no_gradient(shape: tuple[int, ...]) -> None:
    bias = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    check((2, 4, 2, 37, 90, 16), bias, mask_kind="bias", bias_gradient=False)


def test_the_gradient_of_a_bias_that_is_broadcast_is_left_to_the_composition() -> None:
    tensors = [tensor_of(np.zeros(dims, np.float32)) for dims in ((2, 5, 32), (2, 5, 32), (2, 5, 32), (2, 5, 32), (5, 5))]
    op = op_for("attention_backward", tensors, num_heads=4, head_dim=8, mask_kind="bias")
    outputs = [tensors[0], tensors[1], tensors[2], tensors[4]]
    assert "broadcast" in lower(op, tuple(tensors), tuple(outputs), HOST)  # type: ignore[arg-type, operator]


def test_bias_that_hides() -> None:
    """-inf hides a key, and a row of the lowest finite number is a uniform average, as a softmax of it is."""
    bias = np.zeros((1, 1, 37, 50), np.float32)
    bias[..., ::3] = -np.inf
    bias[0, 0, 0] = -np.inf
    check((1, 2, 1, 37, 50, 16), bias, mask_kind="bias", bias_gradient=False)


@pytest.mark.parametrize("attrs", [{"softcap": 2.0}, {"softcap": 30.0, "score_scale": 0.5}, {"score_scale": -0.7}])
def test_scale_and_softcap(attrs: dict[str, float]) -> None:
    check((1, 2, 1, 37, 77, 32), mask_kind="causal", **attrs)


@pytest.mark.parametrize("sizes", [(0, 2, 1, 3, 4, 8), (2, 2, 1, 0, 4, 8), (2, 2, 1, 3, 0, 8), (1, 1, 1, 1, 1, 1)])
def test_empty_and_tiny(sizes: tuple[int, int, int, int, int, int]) -> None:
    check(sizes, mask_kind="causal")


@pytest.mark.parametrize("sizes", [(2, 6, 2, 5, 700, 32), (1, 2, 2, 400, 400, 32), (3, 2, 1, 100, 260, 8)])
@pytest.mark.parametrize("mask_kind", ["none", "causal"])
def test_any_split_gives_the_same_bits(sizes: tuple[int, int, int, int, int, int], mask_kind: str) -> None:
    check(sizes, mask_kind=mask_kind, splits=SPLITS)


def test_what_nobody_sees_has_no_effect() -> None:
    """Not even NaN: past the lengths, and where a custom mask hides keys."""
    random = np.random.default_rng(0)
    q, k, v, dy = (random.standard_normal((2, n, 32)).astype(np.float32) for n in (40, 200, 200, 40))
    lengths, mask = i32(150, 70), random.random((2, 200)) < 0.7
    for hidden, kind in ((None, "causal"), (mask, "custom")):
        clean = [q, k, v, dy, hidden, None, lengths]
        op = op_for("attention_backward", [tensor_of(x) for x in clean], num_heads=2, head_dim=16, mask_kind=kind)
        wanted = run(lower, op, clean)
        dirty_k, dirty_v = k.copy(), v.copy()
        for b, n in enumerate(lengths):
            dirty_k[b, n:] = dirty_v[b, n:] = np.nan
        if hidden is not None:
            dirty_k[~hidden] = dirty_v[~hidden] = np.nan
        for mine, other in zip(run(lower, op, [q, dirty_k, dirty_v, dy, hidden, None, lengths]), wanted, strict=True):
            np.testing.assert_array_equal(mine, other)


def test_views_are_read_in_place() -> None:
    """q, k, v as parts of a fused projection."""
    random = np.random.default_rng(0)
    fused, dy = (random.standard_normal((2, 50, 8 * 16)).astype(np.float32), random.standard_normal((2, 50, 64)).astype(np.float32))
    parts = [fused[..., :64], fused[..., 64:96], fused[..., 96:], dy]
    op = op_for("attention_backward", [tensor_of(x) for x in parts], num_heads=4, num_kv_heads=2, head_dim=16, mask_kind="causal")
    found = run(lower, op, parts)
    for mine, other in zip(found, run(lower, op, [np.ascontiguousarray(x) for x in parts]), strict=True):
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("mask_kind", ["causal", "custom", "bias"])
def test_symbolic_sizes_compile_once(target: Target, mask_kind: str) -> None:
    """One kernel for all batch sizes, numbers of queries and keys."""
    random = np.random.default_rng(0)
    b, s, t = (Dim(name, min=0) for name in "bst")
    shapes: list[Any] = [(b, s, 32), (b, t, 16), (b, t, 16), (b, s, 32), None, None, (b,)]
    shapes[4] = {"custom": (b, t), "bias": (b, 4, s, t)}.get(mask_kind)
    attrs: dict[str, Any] = {"num_heads": 4, "num_kv_heads": 2, "head_dim": 8, "mask_kind": mask_kind}
    compiled: Lowered | None = None
    for batch, queries, keys in [(1, 1, 1), (2, 1, 300), (3, 8, 40), (2, 150, 150), (1, 33, 200), (2, 0, 5)]:
        counts = ((4, queries), (2, keys), (2, keys), (4, queries))
        q, k, v, dy = (random.standard_normal((batch, h, n, 8)).astype(np.float32) for h, n in counts)
        bias = random.standard_normal((batch, 4, queries, keys)).astype(np.float32)
        mask = {"custom": random.random((batch, keys)) < 0.6, "bias": bias}.get(mask_kind)
        length = np.full(batch, keys, np.int32)
        arrays = [*(heads_last(x, "packed") for x in (q, k, v, dy)), mask, None, length]
        if compiled is None:
            tensors = [tensor_of(array, dims) for array, dims in zip(arrays, shapes, strict=True)]
            compiled = Lowered(lower, op_for("attention_backward", tensors, **attrs), tensors, target)
        wanted, magnitudes = expected(q, k, v, dy, mask, None, length, mask_kind=mask_kind)
        for index, (mine, other) in enumerate(zip(compiled.call(arrays), wanted, strict=True)):
            other = heads_last(other, "packed") if index < 3 else other
            assert np.abs(mine - other).max(initial=0.0) <= 8 * EPS["float32"] * magnitudes[index]


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
def test_it_compiles_for_other_machines(target: Target) -> None:
    arrays = [np.zeros((1, 20, 32), np.float32)] * 4
    tensors = [tensor_of(array) for array in arrays]
    assert Lowered(
        lower, op_for("attention_backward", tensors, num_heads=2, head_dim=16, mask_kind="causal"), tensors, target
    ).stages
