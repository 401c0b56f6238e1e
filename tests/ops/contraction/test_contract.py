"""Contractions against JAX, torch and sums written out; panels against their definition."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from jax import lax

from rlx.core.dim import Dim
from rlx.core.dtype import DType, promote
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ir.value import Value
from rlx.ops.contraction.matmul import dot_general, matmul
from rlx.ops.contraction.packed import pack, packed_matmul, packed_pair_matmul
from tests.ops.running import decomposed, draw, infer, place, run, symbolic

BATCH, SEQ = Dim("batch", min=1, max=64), Dim("seq", min=1, max=512)
NUMBERS = ["f64", "f32", "f16", "bf16", "i64", "i32", "i8", "u8", "u32", "c64", "c128"]
STEP = {"f64": 1e-13, "f32": 1e-5, "f16": 2e-3, "bf16": 2e-2, "c64": 1e-5, "c128": 1e-13}
SIZE = st.integers(0, 4)


def close(found: Any, wanted: Any, dtype: str) -> None:
    assert found.dtype == DType.of(dtype).numpy and found.shape == wanted.shape
    step = STEP.get(dtype, 0)
    np.testing.assert_allclose(found.astype(np.complex128), wanted.astype(np.complex128), rtol=step, atol=8 * step)


def exact(x: Any, dtype: str) -> Any:
    """Wide floats, and ints as they multiply: in the result's dtype, wrapping."""
    kind = DType.of(dtype)
    return x.astype(kind.numpy if kind.is_integer else np.complex128 if kind.is_complex else np.float64)


def labelled(x: Any, y: Any, left: str, right: str, out: str, dtype: str) -> Any:
    """A sum of products by its index names, an independent path through NumPy (einsum without BLAS)."""
    return np.einsum(f"{left},{right}->{out}", exact(x, dtype), exact(y, dtype), optimize=False)


# -- matmul -----------------------------------------------------------------------------------------------------
@given(SIZE, SIZE, SIZE, st.lists(st.integers(1, 3), max_size=2), st.sampled_from(NUMBERS), st.sampled_from(NUMBERS), st.data())
def test_matmul_as_a_sum_of_products(
    m: int, k: int, n: int, batch: list[int], left_dtype: str, right_dtype: str, data: st.DataObject
) -> None:
    ones = [tuple(data.draw(st.sampled_from([1, size])) for size in batch) for _ in range(2)]
    cut = data.draw(st.integers(0, len(batch)))
    left_batch, right_batch = (ones[0][cut:], ones[1]) if data.draw(st.booleans()) else (ones[0], ones[1][cut:])
    x, y = draw((*left_batch, m, k), left_dtype, seed=1), draw((*right_batch, k, n), right_dtype, seed=2)
    dtype = promote(DType.of(left_dtype), DType.of(right_dtype)).name
    names = "abc"[: len(batch)]
    wanted = labelled(*expanded(x, y), f"{names}mk", f"{names}kn", f"{names}mn", dtype)
    close(run(matmul, x, y), wanted, dtype)


def expanded(x: Any, y: Any) -> tuple[Any, Any]:
    """Batch axes broadcast, as np.matmul does."""
    batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    return np.broadcast_to(x, (*batch, *x.shape[-2:])), np.broadcast_to(y, (*batch, *y.shape[-2:]))


@pytest.mark.parametrize("dtype", ["f32", "bf16", "i32"])
def test_matmul_of_vectors(dtype: str) -> None:
    row, matrix, stack = draw((5,), dtype), draw((5, 3), dtype), draw((2, 4, 5), dtype)
    close(run(matmul, row, matrix), labelled(row, matrix, "k", "kn", "n", dtype), dtype)
    close(run(matmul, stack, row), labelled(stack, row, "bmk", "k", "bm", dtype), dtype)
    close(run(matmul, row, row), labelled(row, row, "k", "k", "", dtype), dtype)
    close(run(matmul, row, stack.transpose(0, 2, 1)), labelled(row, stack, "k", "bmk", "bm", dtype), dtype)


def test_matmul_as_torch_and_jax() -> None:
    x, y = draw((2, 1, 3, 5)), draw((4, 5, 6))
    close(run(matmul, x, y), torch.matmul(torch.from_numpy(x), torch.from_numpy(y)).numpy(), "f32")
    low = [draw((7, 33), "bf16"), draw((33, 5), "bf16")]
    close(run(matmul, *low), np.asarray(jnp.matmul(*map(jnp.asarray, low))), "bf16")
    bytes_ = [draw((3, 9), "i8", -128, 127), draw((9, 2), "i8", -128, 127)]
    np.testing.assert_array_equal(run(matmul, *bytes_), (bytes_[0].astype(np.int32) @ bytes_[1]).astype(np.int8))


def test_low_floats_accumulate_in_f32() -> None:
    x = np.ones((1, 4096), np.float16)
    assert run(matmul, x, x.T)[0, 0] == 4096  # f16 sums stop growing at 2048


# -- dot_general ------------------------------------------------------------------------------------------------
@given(
    st.lists(st.tuples(st.sampled_from("bcmn"), st.integers(0, 3)), min_size=1, max_size=5),
    st.sampled_from(["f32", "bf16", "i32", "c64"]),
    st.data(),
)
def test_dot_general_as_index_names(axes: list[tuple[str, int]], dtype: str, data: st.DataObject) -> None:
    """b: batch of both, c: contracted, m: only left, n: only right; each side in any order."""
    names = {chr(97 + i): (kind, size) for i, (kind, size) in enumerate(axes)}
    left = data.draw(st.permutations([name for name, (kind, _) in names.items() if kind != "n"]))
    right = data.draw(st.permutations([name for name, (kind, _) in names.items() if kind != "m"]))
    contract = data.draw(st.permutations([name for name in names if names[name][0] == "c"]))
    batch = data.draw(st.permutations([name for name in names if names[name][0] == "b"]))
    x, y = (draw([names[name][1] for name in side], dtype, seed=len(side)) for side in (left, right))
    attrs: dict[str, Any] = {
        "lhs_contract": tuple(left.index(name) for name in contract),
        "rhs_contract": tuple(right.index(name) for name in contract),
        "lhs_batch": tuple(left.index(name) for name in batch),
        "rhs_batch": tuple(right.index(name) for name in batch),
    }
    out = [*batch, *(name for name in left if names[name][0] == "m"), *(name for name in right if names[name][0] == "n")]
    wanted = labelled(x, y, "".join(left), "".join(right), "".join(out), dtype)
    close(run(dot_general, x, y, **attrs), wanted, dtype)
    close(decomposed(dot_general, x, y, **attrs), wanted, dtype)


@pytest.mark.parametrize(
    ("left", "right", "contract", "batch"),
    [
        ((3, 4), (5, 4), ((1,), (1,)), ((), ())),
        ((2, 3, 4), (3, 2, 5), ((1,), (0,)), ((0,), (1,))),
        ((2, 3, 4, 5), (5, 2, 3), ((3, 1), (0, 2)), ((0,), (1,))),
        ((3,), (4,), ((), ()), ((), ())),
    ],
)
def test_dot_general_as_lax(left: Any, right: Any, contract: Any, batch: Any) -> None:
    x, y = draw(left), draw(right)
    wanted = np.asarray(lax.dot_general(x, y, (contract, batch)))
    found = run(dot_general, x, y, lhs_contract=contract[0], rhs_contract=contract[1], lhs_batch=batch[0], rhs_batch=batch[1])
    close(found, wanted, "f32")


# -- panels -----------------------------------------------------------------------------------------------------
@given(SIZE, st.integers(1, 40), st.sampled_from([1, 3, 8, 16]), st.sampled_from(["f32", "bf16", "i8", "f8e4m3"]), st.booleans())
def test_pack_as_defined(k: int, n: int, width: int, dtype: str, batched: bool) -> None:
    w = draw((*((2,) if batched else ()), k, n), dtype, seed=1)
    panels = run(pack, w, layout=f"panel{width}")
    count = -(-n // width)
    assert panels.shape == (*w.shape[:-2], count, k, width)
    for column in range(count * width):
        found = panels[..., column // width, :, column % width]
        wanted = w[..., column] if column < n else np.zeros_like(w[..., 0])
        np.testing.assert_array_equal(found.astype(np.float32), wanted.astype(np.float32))
    assert decomposed(pack, w, layout=f"panel{width}").tobytes() == panels.tobytes()


@given(st.integers(1, 4), st.integers(1, 40))
def test_pairs_hold_eight_gate_then_eight_up_columns(k: int, n: int) -> None:
    gate, up = draw((k, n), seed=1), draw((k, n), seed=2)
    panels = run(pack, gate, up, layout="pair16")
    assert panels.shape == (-(-n // 8), k, 16)
    for column in range(n):
        np.testing.assert_array_equal(panels[column // 8, :, column % 8], gate[:, column])
        np.testing.assert_array_equal(panels[column // 8, :, 8 + column % 8], up[:, column])
    assert (panels[n // 8, :, n % 8 : 8] == 0).all() if n % 8 else True
    np.testing.assert_array_equal(decomposed(pack, gate, up, layout="pair16"), panels)
    x = draw((3, k), seed=3)
    for apply in (run, decomposed):
        for found, weight in zip(apply(packed_pair_matmul, x, panels, layout="pair16", n=n), (gate, up), strict=True):
            close(found, x.astype(np.float64) @ weight, "f32")


@given(
    st.lists(st.integers(1, 3), max_size=2), SIZE, st.integers(1, 40), st.sampled_from(["f32", "f16", "bf16", "i32"]), st.booleans()
)
def test_packed_matmul_as_matmul(outer: list[int], k: int, n: int, dtype: str, batched: bool) -> None:
    x, w = (draw((*outer, k), dtype, seed=1), draw((*((outer[0],) if batched and len(outer) == 2 else ()), k, n), dtype, seed=2))
    panels = run(pack, w, layout="panel16")
    wanted = exact(x, dtype) @ exact(w, dtype)
    close(run(packed_matmul, x, panels, layout="panel16", n=n), wanted, dtype)
    close(decomposed(packed_matmul, x, panels, layout="panel16", n=n), wanted, dtype)


# -- symbols and messages ---------------------------------------------------------------------------------------
HEADS = {"lhs_contract": 3, "rhs_contract": 3, "lhs_batch": (0, 2), "rhs_batch": (0, 2)}
SYMBOLIC = [
    (matmul, [Shape((BATCH, SEQ, 8)), Shape((8, 5))], {}),
    (matmul, [Shape((BATCH, 1, SEQ, 8)), Shape((3, 8, SEQ))], {}),
    (matmul, [Shape((SEQ,)), Shape((SEQ, BATCH), "bf16")], {}),
    (dot_general, [Shape((BATCH, SEQ, 2, 4)), Shape((BATCH, SEQ + 1, 2, 4))], HEADS),
    (dot_general, [Shape((BATCH, SEQ, 3)), Shape((SEQ, 3, BATCH))], {"lhs_contract": (1, 2), "rhs_contract": (0, 1)}),
    (pack, [Shape((SEQ, 20))], {"layout": "panel16"}),
    (pack, [Shape((20, SEQ))], {"layout": "panel8"}),
    (packed_matmul, [Shape((BATCH, SEQ, 8)), Shape((2, 8, 16))], {"layout": "panel16", "n": 20}),
    (packed_pair_matmul, [Shape((BATCH, SEQ, 8)), Shape((3, 8, 16))], {"layout": "pair16", "n": 20}),
]


@pytest.mark.parametrize(("record", "given_shapes", "attrs"), SYMBOLIC, ids=lambda v: getattr(v, "name", ""))
def test_symbolic_inference_binds_to_the_static_result(record: Any, given_shapes: Any, attrs: Any) -> None:
    decomposes = record.decompose is not None and attrs.get("layout") != "panel8"  # padding a symbolic width is not proved
    for sizes in ({"batch": 3, "seq": 7}, {"batch": 1, "seq": 1}):
        for decompose in (False, True) if decomposes else (False,):
            symbolic(record, given_shapes, sizes, attrs, decompose=decompose)


MESSAGES = [
    (
        lambda x, y: matmul(x, y),
        "RLX102",
        "matmul of f32[4, 6] and f32[5, 6]: the inner sizes 6 and 5 differ",
        "transpose the right operand",
    ),
    (lambda x, y: x @ 2.0, "RLX102", "a scalar has no rows", "mul"),
    (lambda x, y: matmul(x.astype("bool"), y.T), "RLX103", "bool is not accepted", "cast to an int"),
    (lambda x, y: matmul(x.reshape(2, 2, 6), y.T[:0]), "RLX102", "the inner sizes 6 and 0 differ", "6 rows"),
    (lambda x, y: matmul(x.reshape(2, 2, 6), y.T.reshape(3, 2, 5)), "RLX102", "the inner sizes 6 and 2 differ", "6 rows"),
    (lambda x, y: matmul(x.reshape(2, 6, 2), x.reshape(3, 2, 4)), "RLX102", "sizes at axis -1 2 and 3 differ", "shapes"),
    (
        lambda x, y: dot_general(x, y, lhs_contract=0, rhs_contract=0),
        "RLX102",
        "contract sizes at axes 0 and 0, 4 and 5 differ",
        "shapes",
    ),
    (
        lambda x, y: dot_general(x, y, lhs_contract=(0, 1), rhs_contract=1),
        "RLX105",
        "lhs_contract (0, 1) and rhs_contract (1,) differ in length",
        "paired",
    ),
    (
        lambda x, y: dot_general(x, y, lhs_contract=1, rhs_contract=1, lhs_batch=1, rhs_batch=1),
        "RLX104",
        "axis 1 is in lhs_contract and in lhs_batch",
        "one or the other",
    ),
    (
        lambda x, y: dot_general(x, y, lhs_contract=1, rhs_contract=2),
        "RLX104",
        "dot_general of f32[5, 6]: axis 2 is out of range",
        "-2 to 1",
    ),
    (lambda x, y: pack(x, layout="columns"), "RLX105", "'columns' is not a layout of a weight", "panel16"),
    (lambda x, y: pack(x, layout="pair15"), "RLX105", "'pair15' is not a layout", "even"),
    (lambda x, y: pack(x, layout="pair16"), "RLX101", "1 weights for the layout pair16", "takes 2"),
    (lambda x, y: pack(x, y, layout="pair16"), "RLX102", "sizes at axis 0 4 and 5 differ", "shapes"),
    (
        lambda x, y: packed_matmul(x, pack(y.T, layout="panel16"), layout="panel16", n=17),
        "RLX102",
        "panels for 17 columns and panels given, 2 and 1 differ",
        "shapes",
    ),
    (
        lambda x, y: packed_matmul(x, pack(y.T, layout="panel8"), layout="panel16", n=5),
        "RLX102",
        "f32[1, 6, 8] is not panel16",
        "16]",
    ),
    (
        lambda x, y: packed_matmul(x, pack(x.T, x.T, layout="pair8"), layout="pair8", n=4),
        "RLX105",
        "pair8 holds 2 matrices",
        "a layout of 1",
    ),
    (lambda x, y: pack(x, layout="rows8_q4k"), "RLX103", "the rows are f32[4, 6]", "the tensor's bytes"),
    (lambda x, y: pack(x, layout="rows8_q8k"), "RLX105", "'rows8_q8k' is not a layout of a weight", "panel16"),
    (lambda x, y: pack(x, layout="nowhere.panel"), "RLX404", "'nowhere' is not a device", "cpu"),
    (lambda x, y: pack(x, layout="cpu.panel"), "RLX105", "'cpu.panel' is not a layout of 'cpu'", "DEVICE.NAME"),
    (
        lambda x, y: packed_matmul(y, pack(x, layout="panel16"), layout="panel16", n=6),
        "RLX102",
        "the inner sizes 6 and 4 differ",
        "6 rows",
    ),
]


@pytest.mark.parametrize(
    ("make", "code", "fact", "fix"), MESSAGES, ids=lambda v: v if isinstance(v, str) and v.startswith("RLX") else ""
)
def test_messages_name_the_facts_the_line_and_a_fix(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    with pytest.raises(RlxError) as caught:
        make(place(graph, "x", (4, 6)), place(graph, "y", (5, 6)))
    text = str(caught.value)
    assert caught.value.code == code and fact in text
    assert fix in caught.value.fix
    assert "test_contract.py:" in text and "lambda x" in text


def test_unknown_inner_sizes_ask_for_an_assumption() -> None:
    graph = Graph("test")
    x, y = place(graph, "x", (2, SEQ)), place(graph, "y", (BATCH, 3))
    with pytest.raises(
        RlxError, match=r"\[RLX202\] matmul of f32\[2, seq\] and f32\[batch, 3\]: the inner sizes seq and batch differ"
    ) as caught:
        matmul(x, y)
    assert "graph.assume(seq == batch)" in caught.value.fix
    graph.assume(SEQ == BATCH)
    assert matmul(x, y).shape == (2, 3)


def test_a_packed_param_is_a_right_operand_only() -> None:
    graph = Graph("test")
    w = Value(graph, graph.add_node(OPS["param"].op(name="w", shape=Shape((64, 96)), scheme="gguf_q4k")).ref)
    x = place(graph, "x", (BATCH, SEQ, 64))
    assert matmul(x, w).type == Shape((BATCH, SEQ, 96))
    with pytest.raises(RlxError, match=r"\[RLX112\] matmul of the packed param 'w'"):
        matmul(w, place(graph, "y", (96, 2)))


def test_promotion_of_operands() -> None:
    assert infer(matmul, Shape((2, 3), "f16"), Shape((3, 4), "bf16")).dtype.name == "f32"
    assert infer(matmul, Shape((2, 3), "i8"), Shape((3, 4), "i8")).dtype.name == "i8"
    assert infer(matmul, Shape((2, 3), "i8"), Shape((3, 4), "f16")).dtype.name == "f16"
