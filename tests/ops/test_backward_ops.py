"""Gradients that are ops of their own, against torch's differentiation of the formula in f64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import rlx
from rlx.ir.evaluate import evaluate_op
from rlx.ir.op import OPS
from rlx.ops.attention.attention import attention_backward
from rlx.ops.norm import layer_norm_backward, rms_norm_backward
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


def test_the_bound_counts_what_cancels() -> None:
    """All values alike: dp - Σ p·dp is 0 but for roundings, so the gradients by q and k are; the bound is a few roundings of dp."""
    q, k, dy = draw((2, 40, 32), seed=1), draw((2, 40, 32), seed=2), draw((2, 40, 32), seed=3)
    v = np.broadcast_to(draw((1, 1, 32), seed=4), (2, 40, 32)).copy()
    op = OPS["attention_backward"].op(num_heads=4, head_dim=8, num_kv_heads=4)
    assert op.definition.tolerance is not None
    g = rlx.Graph("alike")
    found = g.attention_backward(*(g.input(name, (2, 40, 32)) for name in ("q", "k", "v", "dy")), num_heads=4, head_dim=8)
    g.set_outputs(dict(zip(("dq", "dk", "dv"), found, strict=True)))
    mine = rlx.compile(g, "cpu").run({"q": q, "k": k, "v": v, "dy": dy})
    for name, exact in zip(mine, evaluate_op(op, [q, k, v, dy], wide=True), strict=True):
        bound = op.definition.tolerance.bound(op, [q, k, v, dy], exact, rlx.DType.of("f32"))
        assert (np.abs(mine[name] - exact) <= bound).all(), name
        assert bound.max() < 1e-3
        if name != "dv":
            assert np.abs(exact).max() < 1e-12 < np.abs(mine[name]).max()


def test_the_report_says_why_a_gradient_is_decomposed() -> None:
    """A bias shared by batch rows: its gradient is a sum over units of the kernel. Without that gradient there is nothing to say."""
    g = rlx.Graph("bias")
    q, k, v = (g.input(name, (2, 40, 32)) for name in "qkv")
    bias = g.input("bias", (4, 40, 40))
    y = g.attention(q, k, v, bias, num_heads=4, head_dim=8, mask_kind="bias")
    g.set_outputs({"loss": (y * y).sum()})
    said = {wrt: str(rlx.compile(rlx.autodiff.grad(g, wrt), "cpu").report) for wrt in ("q", "bias")}
    assert "decomposed: attention_backward: the gradient of a bias that is broadcast" in said["bias"]
    assert "decomposed: attention_backward" not in said["q"]


def attention(
    q: Any,
    k: Any,
    v: Any,
    bias: Any = None,
    *,
    kind: str,
    mask: Any,
    length: Any,
    softcap: float | None,
    heads: int,
    kv_heads: int,
    size: int,
) -> Any:
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
