"""Weight layouts: what is packed comes back to the bit, by other ops as by NumPy, and nobody asks a device."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rlx
from rlx.ir.op import OPS
from rlx.ir.text import render
from rlx.layouts.block_order import ORDERS
from rlx.layouts.gguf_blocks import random_rows
from rlx.layouts.stored_rows import StoredRows
from rlx.layouts.table import parse_layout
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
    layout, random = parse_layout(f"{kind}{width}"), np.random.default_rng(n)
    sources = [any_bits(random, (*lead, k, n), dtype) for _ in range(layout.sources)]
    packed = layout.pack(*sources)
    for found, source in zip(layout.unpack(packed, n), sources, strict=True):
        assert found.shape == source.shape and found.tobytes() == source.tobytes()


@given(st.integers(0, 3), st.integers(0, 40), st.sampled_from(["panel32x2", "pair32x2", "panel4x2"]), st.sampled_from(DTYPES))
def test_panels_of_two_steps_come_back_to_the_bit(k: int, n: int, name: str, dtype: Any) -> None:
    layout, random = parse_layout(name), np.random.default_rng(n)
    sources = [any_bits(random, (2 * k, n), dtype) for _ in range(layout.sources)]
    packed = layout.pack(*sources)
    plain = parse_layout(name.removesuffix("x2")).pack(*sources)
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
        assert packed.tobytes() == parse_layout(layout).pack(*sources).tobytes()
        assert decomposed(OPS["pack"], *sources, layout=layout).tobytes() == packed.tobytes()
    packed = parse_layout("panel32x2").pack(gate)
    wanted = x.astype(np.float64) @ gate.astype(np.float64)
    for found in (run, decomposed):
        made = found(OPS["packed_matmul"], x, packed, layout="panel32x2", n=45)
        np.testing.assert_allclose(made.astype(np.float64), wanted, rtol=2e-2, atol=2e-1)


def test_two_steps_need_an_even_k() -> None:
    with pytest.raises(rlx.RlxError, match="RLX102"):
        OPS["pack"].op(layout="panel32x2").infer((rlx.Shape((33, 64), "bf16"),))


def test_the_names_in_the_records_cases_are_all_there_are() -> None:
    assert sorted(StoredRows(name).name for name in ORDERS) == sorted(STORED_ROWS)
    for name in STORED_ROWS:
        assert parse_layout(name).name == name


@pytest.mark.parametrize("layout", STORED_ROWS)
def test_stored_rows_by_other_ops(layout: str) -> None:
    """Packed, gathered, multiplied and chosen by expert through their decompositions: what NumPy says."""
    scheme = parse_layout(layout).scheme
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


def packed_graph() -> rlx.Graph:
    """Every op on packed weights, in layouts of each kind."""
    g = rlx.Graph("packed")
    x, w = g.input("x", ("n", 6)), g.param("w", (6, 5))
    rows = g.param("rows", (9, 144), "u8")
    table = g.pack(rows, layout="rows8_q4k")
    gate, up = g.packed_pair_matmul(x, g.pack(w, w, layout="pair8"), layout="pair8", n=5)
    experts = g.pack(g.param("experts", (2, 6, 5)), layout="panel16")
    chosen = g.input("chosen", ("n",), "i32")
    g.set_outputs(
        {
            "panels": g.packed_matmul(x, g.pack(w, layout="panel16"), layout="panel16", n=5),
            "transposed": g.packed_matmul(x, g.pack(w, layout="rows"), layout="rows", n=5),
            "pair": gate + up,
            "stored": g.packed_matmul(g.input("long", (3, 256)), table, layout="rows8_q4k", n=9),
            "gathered": g.packed_gather(table, chosen, layout="rows8_q4k", n=9),
            "experts": g.packed_grouped_matmul(x, experts, chosen, layout="panel16", n=5),
        }
    )
    return g


def test_inferring_verifying_and_printing_call_no_device() -> None:
    """The attribute is the layout: names are parsed by the table, and shapes come from the value."""
    called: list[str] = []

    def note(frame: Any, event: str, argument: Any) -> None:
        path = frame.f_code.co_filename
        if event == "call" and f"{os.sep}rlx{os.sep}backends{os.sep}" in path:
            called.append(f"{path}:{frame.f_code.co_name}")

    packed_graph()  # the records are loaded
    sys.setprofile(note)
    try:
        graph = packed_graph()
        rlx.graphs.verify(graph)
        text = render(graph, origins=False)
        again = rlx.graphs.parse(text)
        assert render(again, origins=False) == text and again.fingerprint() == graph.fingerprint()
    finally:
        sys.setprofile(None)
    assert not called
    layouts = [node.op["layout"] for node in again.nodes if "layout" in node.op.attrs]
    assert {type(layout).__name__ for layout in layouts} == {"Panels", "StoredRows", "TransposedRows"}


def test_a_packed_text_parses_without_any_device() -> None:
    program = "import sys, rlx; print(rlx.graphs.parse(sys.stdin.read())); print(*(m for m in sys.modules if m.startswith('rlx.backends')))"
    text = render(packed_graph(), origins=False)
    done = subprocess.run([sys.executable, "-c", program], input=text, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0] == text.splitlines()[0] and lines[-1] == ""
