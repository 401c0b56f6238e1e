"""Gathering, moving windows and orders against NumPy rules written out, JAX and torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from jax import lax

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ir.value import Value
from rlx.ops.indexing.dynamic_slice import dynamic_slice, dynamic_update_slice
from rlx.ops.indexing.gather import gather, take_along_axis
from rlx.ops.indexing.order import argmax, argmin, argsort, sort, top_k
from tests.ops.running import decomposed, draw, infer, place, run, symbolic

BATCH, SEQ = Dim("batch", min=1, max=64), Dim("seq", min=4, max=512)
INTEGERS = st.sampled_from(["i32", "i64", "i8", "u8", "u64"])
VALUES = st.sampled_from(["f32", "f16", "bf16", "f8e5m2", "f4e2m1", "i64", "bool", "c64"])
ORDERED = st.sampled_from(["f32", "f64", "f16", "bf16", "i32", "u8", "bool"])


def shapes(least: int = 1, most: int = 3, smallest: int = 0) -> Any:
    return st.lists(st.integers(smallest, 4), min_size=least, max_size=most).map(tuple)


def equal(found: Any, wanted: Any) -> None:
    wanted = np.asarray(wanted)
    assert found.shape == wanted.shape and found.dtype == wanted.dtype
    assert np.ascontiguousarray(found).tobytes() == np.ascontiguousarray(wanted).tobytes()


def position(index: int, size: int, mode: str) -> int | None:
    """The rule: negatives count from the end once; then clamp, or None for the fill value."""
    index = int(index) + size if index < 0 else int(index)
    if 0 <= index < size:
        return index
    return None if mode == "fill" else min(max(index, 0), size - 1)


def filled(x: Any, index: tuple[int, ...], axis: int, found: int | None) -> Any:
    if found is None:
        return 0 if x.dtype.kind in "iub" else np.nan
    return x[(*index[:axis], found, *index[axis + 1 :])]


# -- gather and take_along_axis ---------------------------------------------------------------------------------
@given(shapes(smallest=1), shapes(0, 2), VALUES, INTEGERS, st.sampled_from(["clip", "fill"]), st.data())
def test_gather_follows_the_index_rule(
    dims: tuple[int, ...], index_dims: tuple[int, ...], dtype: str, index_dtype: str, mode: str, data: st.DataObject
) -> None:
    x, indices = draw(dims, dtype, seed=1), draw(index_dims, index_dtype, -9, 9, seed=len(dims))
    axis = data.draw(st.integers(0, len(dims) - 1))
    wanted = np.empty((*dims[:axis], *index_dims, *dims[axis + 1 :]), x.dtype)
    for place_of in np.ndindex(wanted.shape):
        inner = place_of[axis : axis + len(index_dims)]
        source = (*place_of[:axis], 0, *place_of[axis + len(index_dims) :])
        wanted[place_of] = filled(x, source, axis, position(indices[inner], dims[axis], mode))
    found = run(gather, x, indices, axis=axis - data.draw(st.sampled_from([0, len(dims)])), mode=mode)
    np.testing.assert_array_equal(found.astype(np.complex64), wanted.astype(np.complex64))
    assert found.dtype == x.dtype
    inside = indices.astype(np.int64) % dims[axis]
    equal(run(gather, x, inside, axis=axis, check_bounds=True), np.take(x, inside, axis=axis))


@given(shapes(smallest=1), VALUES, st.sampled_from(["clip", "fill"]), st.data())
def test_take_along_axis_follows_the_index_rule(dims: tuple[int, ...], dtype: str, mode: str, data: st.DataObject) -> None:
    axis = data.draw(st.integers(0, len(dims) - 1))
    index_dims = tuple(data.draw(st.sampled_from([1, n])) for n in dims)
    index_dims = (*index_dims[:axis], data.draw(st.integers(0, 4)), *index_dims[axis + 1 :])
    x, indices = draw(dims, dtype, seed=2), draw(index_dims, "i32", -9, 9, seed=len(dims))
    wanted = np.empty((*dims[:axis], index_dims[axis], *dims[axis + 1 :]), x.dtype)
    for place_of in np.ndindex(wanted.shape):
        index = indices[tuple(0 if n == 1 else p for p, n in zip(place_of, index_dims, strict=True))]
        wanted[place_of] = filled(x, place_of, axis, position(index, dims[axis], mode))
    found = run(take_along_axis, x, indices, axis=axis, mode=mode)
    np.testing.assert_array_equal(found.astype(np.complex64), wanted.astype(np.complex64))


def test_take_along_axis_broadcasts_x_too() -> None:
    x, indices = draw((1, 5)), draw((3, 2), "i32", 0, 4)
    equal(run(take_along_axis, x, indices, axis=1), np.take_along_axis(x, indices, 1))


def test_gather_on_axis_1_with_several_outer_rows() -> None:
    x, indices = draw((3, 5, 2)), np.array([[4, 0], [1, 1]], np.int32)
    equal(run(gather, x, indices, axis=1), torch.from_numpy(x)[:, torch.from_numpy(indices).long()].numpy())


def test_check_bounds_names_the_index() -> None:
    x = draw((4, 3))
    for record, indices in ((gather, np.array([0, 4, -5])), (take_along_axis, np.array([[0, 1, 2], [-5, 0, 1]]))):
        with pytest.raises(RlxError, match=rf"\[RLX508\] {record.name}: index (4|-5) is outside an axis of size 4\n.*-4 to 3"):
            run(record, x, indices, axis=0, check_bounds=True)


def test_an_axis_that_turns_out_empty_reads_the_fill_value() -> None:
    n = Dim("n", min=0)
    symbolic(gather, [Shape((n, 2), "i32"), Shape((3,), "i32")], {"n": 4}, {"axis": 0})
    assert infer(gather, Shape((n, 2), "f32"), Shape((3,), "i32"), axis=0).dims == (3, 2)
    with pytest.raises(RlxError, match=r"\[RLX102\] gather of f32\[0, 2\] and i32\[3\]: 3 indices into axis 0 of size 0"):
        run(gather, np.zeros((0, 2), np.float32), np.zeros(3, np.int32), axis=0)
    assert np.isnan(run(gather, np.zeros((0, 2), np.float32), np.zeros(3, np.int32), axis=0, mode="fill")).all()
    assert np.isnan(run(take_along_axis, np.zeros((2, 0), np.float32), np.zeros((2, 3), np.int32), axis=1, mode="fill")).all()


def test_u64_indices_do_not_wrap() -> None:
    indices = np.array([2**64 - 1, 1], np.uint64)
    equal(run(gather, np.arange(3), indices, axis=0), np.array([2, 1]))


# -- windows ----------------------------------------------------------------------------------------------------
@given(shapes(smallest=1), st.data())
def test_dynamic_slice_and_update_as_xla(dims: tuple[int, ...], data: st.DataObject) -> None:
    x = draw(dims, seed=3)
    sizes = tuple(data.draw(st.integers(0, n)) for n in dims)
    starts = [np.int32(data.draw(st.integers(-6, 6))) for _ in dims]
    axes = tuple(range(len(dims)))
    clamped = [min(max(int(s), 0), n - size) for s, n, size in zip(starts, dims, sizes, strict=True)]
    window = tuple(slice(s, s + size) for s, size in zip(clamped, sizes, strict=True))
    equal(run(dynamic_slice, x, *starts, axes=axes, sizes=sizes), x[window])
    update = draw(sizes, seed=4)
    wanted = x.copy()
    wanted[window] = update
    equal(run(dynamic_update_slice, x, update, *starts, axes=axes), wanted)


@given(st.integers(0, 4), st.integers(1, 4), st.integers(1, 3), st.sampled_from(["i32", "i64"]), st.data())
def test_windows_for_each_row(rows: int, length: int, width: int, dtype: str, data: st.DataObject) -> None:
    x = draw((rows, 2, length, width), seed=5)
    size = data.draw(st.integers(0, length))
    starts, column = draw((rows,), dtype, -5, 5, seed=6), np.int32(data.draw(st.integers(-2, 4)))
    found = run(dynamic_slice, x, starts, column, axes=(2, -1), sizes=(size, 1))
    update = draw((rows, 2, size, 1), seed=7)
    written = run(dynamic_update_slice, x, update, starts, column, axes=(2, -1))
    wanted = x.copy()
    for row in range(rows):
        first, at = min(max(int(starts[row]), 0), length - size), min(max(int(column), 0), width - 1)
        equal(found[row], x[row, :, first : first + size, at : at + 1])
        wanted[row, :, first : first + size, at : at + 1] = update[row]
    equal(written, wanted)


def test_windows_as_lax() -> None:
    x, update = draw((6, 7)), draw((2, 3))
    for starts in ((0, 0), (3, 5), (-2, 9)):
        signed = [jnp.int32(max(s, 0)) for s in starts]  # lax counts negative starts from the end first
        found = run(dynamic_slice, x, *map(np.int32, starts), axes=(0, 1), sizes=(2, 3))
        equal(found, lax.dynamic_slice(x, signed, (2, 3)))
        found = run(dynamic_update_slice, x, update, *map(np.int32, starts), axes=(0, 1))
        equal(found, lax.dynamic_update_slice(x, update, signed))


# -- orders -----------------------------------------------------------------------------------------------------
def key(value: Any) -> tuple[bool, float]:
    """NaN is the largest; zeros of both signs are equal."""
    number = float(value)
    return (True, 0.0) if np.isnan(number) else (False, number)


def positions(line: Any, descending: bool) -> list[int]:
    """Python's stable sort by `key`, ties to the lower position in both directions."""
    keys = [key(value) for value in line]
    return sorted(range(len(line)), key=keys.__getitem__, reverse=descending)


@given(shapes(), ORDERED, st.booleans(), st.data())
def test_sorts_as_python(dims: tuple[int, ...], dtype: str, descending: bool, data: st.DataObject) -> None:
    x = draw(dims, dtype, -2, 2, seed=data.draw(st.integers(0, 99)))
    if dtype in ("f32", "bf16", "f16", "f64") and x.size:
        specials = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0], x.dtype)
        x = np.where(draw(dims, "bool"), x, specials[draw(dims, "i32", 0, 5)])
    axis = data.draw(st.integers(0, len(dims) - 1))
    lines = np.moveaxis(x, axis, -1)
    wanted = np.empty(lines.shape, np.int32)
    for row in np.ndindex(lines.shape[:-1]):
        wanted[row] = positions(lines[row], descending)
    order = np.moveaxis(wanted, -1, axis)
    equal(run(argsort, x, axis=axis, descending=descending), order)
    equal(run(sort, x, axis=axis, descending=descending), np.take_along_axis(x, order, axis))
    equal(decomposed(sort, x, axis=axis, descending=descending), np.take_along_axis(x, order, axis))
    if descending and dims[axis]:
        k = data.draw(st.integers(1, dims[axis]))
        first = np.take(order, np.arange(k), axis)
        for found in (run(top_k, x, k=k, axis=axis), decomposed(top_k, x, k=k, axis=axis)):
            equal(found[1], first)
            equal(found[0], np.take_along_axis(x, first, axis))


@given(shapes(), ORDERED, st.booleans(), st.data())
def test_argmax_and_argmin_as_numpy(dims: tuple[int, ...], dtype: str, keep: bool, data: st.DataObject) -> None:
    axis = data.draw(st.integers(-len(dims), len(dims) - 1))
    if dims[axis] == 0:
        return
    x = draw(dims, dtype, -2, 2)
    if dtype in ("f32", "bf16") and x.size:
        x = np.where(draw(dims, "f32") > 2, x.dtype.type(np.nan), x)
    for record, find in ((argmax, np.argmax), (argmin, np.argmin)):
        equal(run(record, x, axis=axis, keep_dim=keep), find(x.astype(np.float64), axis=axis, keepdims=keep).astype(np.int32))


def test_top_k_as_lax_and_torch() -> None:
    x = draw((4, 33))
    values, indices = run(top_k, x, k=5)
    wanted = lax.top_k(x, 5)
    equal(values, wanted[0])
    equal(indices, wanted[1])
    equal(values, torch.topk(torch.from_numpy(x), 5).values.numpy())


# -- symbols and messages ---------------------------------------------------------------------------------------
SYMBOLIC = [
    (gather, [Shape((100, 8), "f32"), Shape((BATCH, SEQ), "i32")], {"axis": 0}),
    (gather, [Shape((BATCH, SEQ, 8), "bf16"), Shape((3,), "i64")], {"axis": 1}),
    (take_along_axis, [Shape((BATCH, SEQ), "f32"), Shape((BATCH, 1), "i32")], {"axis": 1}),
    (dynamic_slice, [Shape((BATCH, SEQ, 8), "f32"), Shape((BATCH,), "i32")], {"axes": 1, "sizes": 2}),
    (dynamic_slice, [Shape((BATCH, SEQ + 3, 8), "f32"), Shape((), "i32")], {"axes": 1, "sizes": SEQ}),
    (dynamic_update_slice, [Shape((BATCH, 600, 8), "f32"), Shape((BATCH, SEQ, 8), "f32"), Shape((BATCH,), "i32")], {"axes": 1}),
    (sort, [Shape((BATCH, SEQ), "f32")], {"axis": 1, "descending": True}),
    (argsort, [Shape((BATCH, SEQ), "i32")], {"axis": 0}),
    (top_k, [Shape((BATCH, SEQ), "f32")], {"k": 4}),
    (argmax, [Shape((BATCH, SEQ, 2), "f32")], {"axis": -2, "keep_dim": True}),
    (argmin, [Shape((BATCH, SEQ, 2), "f32")], {"axis": 0}),
]


@pytest.mark.parametrize(("record", "given_shapes", "attrs"), SYMBOLIC, ids=lambda v: getattr(v, "name", ""))
def test_symbolic_inference_binds_to_the_static_result(record: Any, given_shapes: Any, attrs: Any) -> None:
    for sizes in ({"batch": 3, "seq": 7}, {"batch": 1, "seq": 4}):
        symbolic(record, given_shapes, sizes, attrs)
        if record.decompose is not None:
            symbolic(record, given_shapes, sizes, attrs, decompose=True)


MESSAGES = [
    (lambda x, i: gather(x, x, axis=0), "RLX103", "gather of f32[4, 6] and f32[4, 6]: indices of f32", "astype('i32')"),
    (lambda x, i: gather(x, i, axis=2), "RLX104", "gather of f32[4, 6]: axis 2 is out of range for rank 2", "-2 to 1"),
    (lambda x, i: gather(x, i, axis=0, mode="wrap"), "RLX105", "'wrap' is not a IndexMode", "clip, fill"),
    (lambda x, i: take_along_axis(x, i, axis=0), "RLX102", "ranks 2 and 1 differ", "rank of x"),
    (lambda x, i: dynamic_slice(x, i, axes=0, sizes=2), "RLX104", "while axis 0 itself is sliced", "scalar starts"),
    (
        lambda x, i: dynamic_slice(x, i, axes=1, sizes=2),
        "RLX102",
        "the number of starts and the size of axis 0, 3 and 4 differ",
        "shapes",
    ),
    (lambda x, i: dynamic_slice(x, 1, axes=(0, 1), sizes=(2, 2)), "RLX101", "1 starts for 2 axes", "one start for each"),
    (lambda x, i: dynamic_slice(x, 1, axes=1, sizes=7), "RLX102", "size against axis 1: 7 is more than 6", "shapes"),
    (lambda x, i: dynamic_slice(x, 1.5, axes=1, sizes=2), "RLX110", "1.5", "integer"),
    (lambda x, i: dynamic_update_slice(x, x.astype("f16"), 1, axes=0), "RLX103", "an update of f16 for f32", "astype('f32')"),
    (lambda x, i: dynamic_update_slice(x, x[:, :2], 1, axes=0), "RLX102", "sizes at axis 1 6 and 2 differ", "name the axis"),
    (lambda x, i: top_k(x, k=0), "RLX105", "top_k of f32[4, 6]: k is 0", "at least 1"),
    (lambda x, i: top_k(x, k=7), "RLX102", "k against the size of axis 1: 7 is more than 6", "shapes"),
    (lambda x, i: argmax(x[:0], axis=0), "RLX102", "elements of axis 0 to choose from: 1 is more than 0", "empty axis"),
    (lambda x, i: sort(x.astype("c64")), "RLX103", "c64 is not accepted", "real numbers"),
]


@pytest.mark.parametrize(
    ("make", "code", "fact", "fix"), MESSAGES, ids=lambda v: v if isinstance(v, str) and v.startswith("RLX") else ""
)
def test_messages_name_the_facts_the_line_and_a_fix(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    x, i = place(graph, "x", (4, 6)), place(graph, "i", (3,), "i32")
    with pytest.raises(RlxError) as caught:
        make(x, i)
    text = str(caught.value)
    assert caught.value.code == code and fact in text and fix.lower().rstrip("s") in caught.value.fix.lower()
    assert Path(__file__).name in text and "lambda x" in text


def test_a_packed_table_gathers_by_its_logical_shape() -> None:
    graph = Graph("test")
    table = Value(graph, graph.add_node(OPS["param"].op(name="w", shape=Shape((320, 64)), scheme="gguf_q8_0")).ref)
    ids = place(graph, "ids", (BATCH, SEQ), "i32")
    assert gather(table, ids, axis=0).type == Shape((BATCH, SEQ, 64))
    with pytest.raises(RlxError, match="RLX112"):
        sort(table)
