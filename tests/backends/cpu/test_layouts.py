"""The CPU's weight layouts: what is packed comes back to the bit, and by other ops as by NumPy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rlx
from rlx.backends.cpu.layouts import StoredRows
from rlx.backends.registry import find_layout
from rlx.core.quant_scheme import QuantScheme
from rlx.ir.op import OPS
from rlx.layouts.block_order import ORDERS
from rlx.layouts.gguf_blocks import random_rows
from rlx.ops.contraction.packed import STORED_ROWS
from tests.ops.running import decomposed, run

DTYPES = (np.float32, np.float16, ml_dtypes.bfloat16, np.float64)


def any_bits(random: np.random.Generator, dims: tuple[int, ...], dtype: Any) -> Any:
    """NaNs with payloads among them."""
    return random.integers(0, 256, (*dims, np.dtype(dtype).itemsize), np.uint8).view(dtype)[..., 0]


@given(
    st.lists(st.integers(0, 3), max_size=1),
    st.integers(0, 5),
    st.integers(0, 40),
    st.sampled_from([2, 4, 16]),
    st.sampled_from(["panel", "pair"]),
    st.sampled_from(DTYPES),
)
def test_panels_come_back_to_the_bit(lead: list[int], k: int, n: int, width: int, kind: str, dtype: Any) -> None:
    layout, random = find_layout(f"{kind}{width}"), np.random.default_rng(n)
    sources = [any_bits(random, (*lead, k, n), dtype) for _ in range(layout.sources)]
    packed = layout.pack(*sources)
    for found, source in zip(layout.unpack(packed, n), sources, strict=True):
        assert found.shape == source.shape and found.tobytes() == source.tobytes()


@given(st.integers(0, 3), st.integers(0, 40), st.sampled_from(["panel32x2", "pair32x2", "panel4x2"]), st.sampled_from(DTYPES))
def test_panels_of_two_steps_come_back_to_the_bit(k: int, n: int, name: str, dtype: Any) -> None:
    layout, random = find_layout(name), np.random.default_rng(n)
    sources = [any_bits(random, (2 * k, n), dtype) for _ in range(layout.sources)]
    packed = layout.pack(*sources)
    plain = find_layout(name.removesuffix("x2")).pack(*sources)
    assert packed.shape == plain.shape
    for step in range(2):
        width = plain.shape[-1]
        ones = packed.reshape(packed.size // (2 * width), width, 2)[..., step]
        assert ones.tobytes() == plain.reshape(packed.size // (2 * width), 2, width)[:, step].tobytes()
    for found, source in zip(layout.unpack(packed, n), sources, strict=True):
        assert found.shape == source.shape and found.tobytes() == source.tobytes()


def test_two_steps_by_other_ops() -> None:
    """Packed and multiplied through their decompositions: what NumPy says."""
    random = np.random.default_rng(0)
    gate, up = (random.standard_normal((64, 45)).astype(ml_dtypes.bfloat16) for _ in range(2))
    x = random.standard_normal((19, 64)).astype(ml_dtypes.bfloat16)
    for layout, sources in (("panel32x2", (gate,)), ("pair32x2", (gate, up))):
        packed = run(OPS["pack"], *sources, layout=layout)
        assert packed.tobytes() == find_layout(layout).pack(*sources).tobytes()
        assert decomposed(OPS["pack"], *sources, layout=layout).tobytes() == packed.tobytes()
    packed = find_layout("panel32x2").pack(gate)
    wanted = x.astype(np.float64) @ gate.astype(np.float64)
    for found in (run, decomposed):
        made = found(OPS["packed_matmul"], x, packed, layout="panel32x2", n=45)
        np.testing.assert_allclose(made.astype(np.float64), wanted, rtol=2e-2, atol=2e-1)


def test_two_steps_need_an_even_k() -> None:
    with pytest.raises(rlx.RlxError, match="RLX102"):
        OPS["pack"].op(layout="panel32x2").infer((rlx.Shape((33, 64), "bf16"),))


def test_the_names_in_the_records_cases_are_all_there_are() -> None:
    assert sorted(StoredRows(QuantScheme.gguf(name)).name for name in ORDERS) == sorted(STORED_ROWS)
    for name in STORED_ROWS:
        assert find_layout(name).name == name


@pytest.mark.parametrize("layout", STORED_ROWS)
def test_stored_rows_by_other_ops(layout: str) -> None:
    """Packed, gathered, multiplied and chosen by expert through their decompositions: what NumPy says."""
    scheme = find_layout(layout).scheme
    assert scheme is not None
    rows = random_rows(scheme.detail, 2, 11, 256, seed=3)
    packed = run(OPS["pack"], rows, layout=layout)
    np.testing.assert_array_equal(decomposed(OPS["pack"], rows, layout=layout), packed)
    x = np.random.default_rng(0).standard_normal((5, 256)).astype(np.float32)
    experts, indices = np.array([1, 0, 1, 1, 0], np.int32), np.array([10, 0, -3], np.int32)
    attrs = {"layout": layout, "n": 11}
    for name, operands in (
        ("packed_matmul", (x, packed[0])),
        ("packed_grouped_matmul", (x, packed, experts)),
        ("packed_gather", (packed[0], indices)),
    ):
        wanted = run(OPS[name], *operands, **attrs)
        found = decomposed(OPS[name], *operands, **attrs)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5 * np.abs(wanted).max())
