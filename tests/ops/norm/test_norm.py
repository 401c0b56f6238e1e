"""Layer norm and RMS norm against torch and formulas, on every axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ops.norm import layer_norm, rms_norm
from tests.ops.running import decomposed, draw, infer, place, run, symbolic

BATCH, SEQ = Dim("batch", min=1, max=64), Dim("seq", min=1, max=512)
STEP = {"f64": 1e-13, "f32": 2e-6, "f16": 2e-3, "bf16": 2e-2}
DTYPES = st.sampled_from(list(STEP))


def close(found: Any, wanted: Any, dtype: str) -> None:
    np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=STEP[dtype], atol=4 * STEP[dtype])


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=4).map(tuple), DTYPES, st.booleans(), st.sampled_from([1e-5, 0.1]), st.data()
)
def test_norms_as_formulas(dims: tuple[int, ...], dtype: str, has_beta: bool, eps: float, data: st.DataObject) -> None:
    axes = tuple(data.draw(st.lists(st.integers(0, len(dims) - 1), min_size=1, unique=True)))
    x = draw(dims, dtype, -1, 3, seed=1)
    ordered = sorted(axes)
    sizes = [dims[axis] for axis in ordered]
    gamma, beta = draw(sizes, dtype, seed=2), draw(sizes, dtype, seed=3) if has_beta else None
    shape = [dims[axis] if axis in axes else 1 for axis in range(len(dims))]
    wide, g = x.astype(np.float64), gamma.astype(np.float64).reshape(shape)
    b = 0 if beta is None else beta.astype(np.float64).reshape(shape)
    with np.errstate(all="ignore"):
        count = max(int(np.prod(sizes)), 1)
        mean = wide.sum(tuple(axes), keepdims=True) / count
        variance = ((wide - mean) ** 2).sum(tuple(axes), keepdims=True) / count
        wanted = (wide - mean) / np.sqrt(variance + eps) * g + b
    for apply in (run, decomposed):
        found = apply(layer_norm, x, gamma, beta, axes=axes, eps=eps)
        assert found.dtype == x.dtype and found.shape == x.shape
        close(found, wanted, dtype)
    if len(axes) == 1:
        square = (wide**2).sum(axes[0], keepdims=True) / count
        for apply in (run, decomposed):
            found = apply(rms_norm, x, gamma, beta, axis=axes[0] - len(dims), eps=eps)
            assert found.dtype == x.dtype and found.shape == x.shape
            close(found, wide / np.sqrt(square + eps) * g + b, dtype)


def test_norms_as_torch() -> None:
    x, gamma, beta = draw((3, 4, 6)), draw((4, 6)), draw((4, 6))
    t, g, b = (torch.from_numpy(a) for a in (x, gamma, beta))
    close(
        run(layer_norm, x, gamma, beta, axes=(1, 2), eps=1e-3), torch.nn.functional.layer_norm(t, (4, 6), g, b, 1e-3).numpy(), "f32"
    )
    close(run(layer_norm, x, gamma[0], axes=-1), torch.nn.functional.layer_norm(t, (6,), g[0]).numpy(), "f32")
    close(run(rms_norm, x, gamma[0], eps=1e-2), torch.nn.functional.rms_norm(t, (6,), g[0], 1e-2).numpy(), "f32")
    low = x.astype(np.float16)
    close(run(layer_norm, low, gamma[0].astype(np.float16)), torch.nn.functional.layer_norm(t, (6,), g[0]).numpy(), "f16")


def test_16_bit_floats_compute_in_f32() -> None:
    x = np.full((2, 4), 300, np.float16) + np.arange(4, dtype=np.float16)  # x² does not fit f16
    for apply in (run, decomposed):
        close(apply(rms_norm, x, np.ones(4, np.float16)), x / np.sqrt((x.astype(float) ** 2).mean(1, keepdims=True)), "f16")


def test_dtypes_promote() -> None:
    assert infer(rms_norm, Shape((2, 4), "bf16"), Shape((4,), "f32")).dtype.name == "f32"
    assert infer(layer_norm, Shape((2, 4), "f16"), Shape((4,), "f16"), None).dtype.name == "f16"
    assert decomposed(rms_norm, draw((2, 4), "bf16"), draw((4,))).dtype == np.float32


SYMBOLIC = [
    (layer_norm, [Shape((BATCH, SEQ, 8)), Shape((8,)), Shape((8,))], {"axes": -1}),
    (layer_norm, [Shape((BATCH, SEQ, 8)), Shape((SEQ, 8))], {"axes": (1, 2)}),
    (rms_norm, [Shape((BATCH, SEQ, 8)), Shape((8,))], {"eps": 1e-5}),
    (rms_norm, [Shape((BATCH, SEQ, 8)), Shape((SEQ,))], {"axis": 1}),
]


@pytest.mark.parametrize(("record", "given_shapes", "attrs"), SYMBOLIC, ids=lambda v: getattr(v, "name", ""))
def test_symbolic_inference_binds_to_the_static_result(record: Any, given_shapes: Any, attrs: Any) -> None:
    for decompose in (False, True):
        symbolic(record, given_shapes, {"batch": 3, "seq": 7}, attrs, decompose=decompose)


MESSAGES = [
    (lambda x, g: layer_norm(x, g[:5]), "RLX102", "layer_norm of f32[4, 6] and f32[5]: sizes of x and gamma 6 and 5 differ", "[6]"),
    (lambda x, g: layer_norm(x, g, x), "RLX102", "beta has rank 2 for 1 normalized axes", "[6]"),
    (lambda x, g: layer_norm(x, g, axes=(0, 1)), "RLX102", "gamma has rank 1 for 2 normalized axes", "[4, 6]"),
    (lambda x, g: layer_norm(x, g, axes=()), "RLX105", "axes is empty", "axes=-1"),
    (lambda x, g: rms_norm(x.astype("i32"), g), "RLX103", "i32 is not accepted", "floats"),
    (lambda x, g: rms_norm(x, g, axis=2), "RLX104", "axis 2 is out of range for rank 2", "-2 to 1"),
    (lambda x, g: rms_norm(x), "RLX101", "rms_norm takes (x, gamma, beta?), got 1 operands", "signature"),
]


@pytest.mark.parametrize(
    ("make", "code", "fact", "fix"), MESSAGES, ids=lambda v: v if isinstance(v, str) and v.startswith("RLX") else ""
)
def test_messages_name_the_facts_the_line_and_a_fix(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    with pytest.raises(RlxError) as caught:
        make(place(graph, "x", (4, 6)), place(graph, "g", (6,)))
    text = str(caught.value)
    assert caught.value.code == code and fact in text and fix in caught.value.fix
    assert "test_norm.py:" in text and "lambda x" in text
