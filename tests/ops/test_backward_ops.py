"""Gradients that are ops of their own, against torch's differentiation of the formula in f64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from rlx.ops.attention_backward import attention_backward
from rlx.ops.norm_backward import layer_norm_backward, rms_norm_backward
from tests.ops.running import decomposed, draw, run


def close(found: Any, wanted: Any, tolerance: float = 2e-5) -> None:
    for mine, other in zip(found, wanted, strict=True):
        scale = max(float(np.abs(other).max(initial=0.0)), 1.0)
        np.testing.assert_allclose(mine.astype(np.float64), other, rtol=0, atol=tolerance * scale)


def tensors(*arrays: Any) -> list[Any]:
    return [torch.tensor(array.astype(np.float64), requires_grad=True) for array in arrays]


@pytest.mark.parametrize("centered", [True, False])
@pytest.mark.parametrize(("dims", "axis"), [((4, 9), 1), ((3, 5, 2), 1), ((1, 67), 1), ((6, 1), 0)])
def test_norms(dims: tuple[int, ...], axis: int, centered: bool) -> None:
    x, gamma, dy = draw(dims, seed=1), draw((dims[axis],), seed=2), draw(dims, seed=3)
    a, g, b = tensors(x, gamma, np.zeros_like(gamma))
    shape = [dims[axis] if n == axis else 1 for n in range(len(dims))]
    middle = a - a.mean(axis, keepdim=True) if centered else a
    y = middle * torch.rsqrt((middle * middle).mean(axis, keepdim=True) + 0.01) * g.reshape(shape) + b.reshape(shape)
    y.backward(torch.tensor(dy.astype(np.float64)))
    wanted = [tensor.grad.numpy() for tensor in (a, g, b)]
    record, attrs = (layer_norm_backward, {"axes": (axis,)}) if centered else (rms_norm_backward, {"axis": axis})
    for apply in (run, decomposed):
        close(apply(record, x, gamma, dy, eps=0.01, **attrs), wanted)


MASKS = ["none", "causal", "sliding_window(3)", "custom", "bias"]


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("lengths", [False, True])
@pytest.mark.parametrize("softcap", [None, 2.0])
def test_attention(kind: str, lengths: bool, softcap: float | None) -> None:
    """Grouped heads, more keys than queries; a row that sees no key at all has no gradient."""
    batch, rows, keys, heads, kv_heads, size = 2, 5, 7, 4, 2, 6
    q, dy = draw((batch, rows, heads * size), seed=1), draw((batch, rows, heads * size), seed=2)
    k, v = draw((batch, keys, kv_heads * size), seed=3), draw((batch, keys, kv_heads * size), seed=4)
    mask = {"custom": draw((batch, keys), "bool", seed=5), "bias": draw((batch, heads, rows, keys), seed=5)}.get(kind)
    length = np.array([7, 3], np.int32) if lengths else None
    given = tensors(q, k, v, *((mask,) if kind == "bias" else ()))
    y = attention(*given, kind=kind, mask=mask, length=length, softcap=softcap, heads=heads, kv_heads=kv_heads, size=size)
    y.backward(torch.tensor(dy.astype(np.float64)))
    wanted = [tensor.grad.numpy() for tensor in given]
    attrs = {"num_heads": heads, "num_kv_heads": kv_heads, "head_dim": size, "mask_kind": kind, "softcap": softcap}
    for apply in (run, decomposed):
        close(apply(attention_backward, q, k, v, dy, mask, None, length, **attrs), wanted)


def attention(
    q: Any, k: Any, v: Any, bias: Any = None, *, kind: str, mask: Any, length: Any, softcap: float | None, heads: int, kv_heads: int,
    size: int,
) -> Any:  # fmt: skip
    """The formula: the last query is beside the last key that counts."""
    batch, rows, keys = q.shape[0], q.shape[1], k.shape[1]
    parts = [t.reshape(batch, -1, n, size).transpose(1, 2) for t, n in ((q, heads), (k, kv_heads), (v, kv_heads))]
    k, v = (t.repeat_interleave(heads // kv_heads, 1) for t in parts[1:])
    scores = parts[0] @ k.transpose(2, 3) / size**0.5
    if softcap is not None:
        scores = softcap * torch.tanh(scores / softcap)
    if bias is not None:
        scores = scores + bias
    last = torch.tensor(np.full(batch, keys) if length is None else length)
    column, row = torch.arange(keys), torch.arange(rows)
    seen = (column < last[:, None])[:, None, None, :].expand(batch, 1, rows, keys)
    if kind in ("causal", "sliding_window(3)"):
        away = (last[:, None] - rows + row)[:, None, :, None] - column
        seen = seen & (away >= 0) & (away < (3 if kind != "causal" else keys))
    if kind == "custom":
        seen = seen & torch.tensor(mask)[:, None, None, :]
    shares = torch.softmax(scores.masked_fill(~seen, -torch.inf), -1)
    shares = torch.where(seen.any(-1, keepdim=True), shares, torch.zeros(()).double())
    return (shares @ v).transpose(1, 2).reshape(batch, rows, heads * size)
