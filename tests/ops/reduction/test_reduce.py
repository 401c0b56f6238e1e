"""Reductions, softmax and running sums against formulas, torch, JAX and SciPy."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
import torch
from hypothesis import given
from hypothesis import strategies as st

from rlx.core.dim import Dim
from rlx.core.dtype import DType
from rlx.core.enums import ReduceOp
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ops.reduction import (
    cumprod,
    cumsum,
    log_softmax,
    reduce_all,
    reduce_any,
    reduce_log_sum_exp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    softmax,
)
from tests.ops.running import decomposed, draw, infer, place, run, symbolic

BATCH, SEQ, EMPTY = Dim("batch", min=1, max=64), Dim("seq", min=1, max=512), Dim("n", min=0)
FLOATS = ["f64", "f32", "f16", "bf16"]
ALL = [*FLOATS, "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "bool", "c64", "c128"]
STEP = {"f64": 1e-14, "f32": 1e-6, "f16": 1e-3, "bf16": 8e-3, "c64": 1e-6, "c128": 1e-14}


def shapes(least: int = 0, most: int = 4, smallest: int = 0) -> Any:
    return st.lists(st.integers(smallest, 4), min_size=least, max_size=most).map(tuple)


def close(found: Any, wanted: Any, dtype: str) -> None:
    assert found.dtype == DType.of(dtype).numpy and found.shape == np.shape(wanted)
    step = STEP.get(dtype, 0)
    kind = np.complex128 if dtype[0] == "c" else np.float64
    with np.errstate(all="ignore"):  # what does not fit the dtype is infinite in both
        expected = np.asarray(wanted).astype(kind).astype(found.dtype).astype(kind)
    np.testing.assert_allclose(found.astype(kind), expected, rtol=4 * step, atol=2 * step)


def groups(x: Any, axes: tuple[int, ...], keep: bool, reduce: Any) -> Any:
    """Each group of elements as a list, reduced by a Python function: the definition, without NumPy's reductions."""
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    moved = x.transpose((*kept, *axes)).reshape((*(x.shape[a] for a in kept), math.prod(x.shape[a] for a in axes)))
    result = np.empty(moved.shape[:-1], object)
    for index in np.ndindex(result.shape):
        result[index] = reduce(moved[index].tolist())
    shape = [1 if axis in axes else x.shape[axis] for axis in range(x.ndim) if keep or axis not in axes]
    return result.reshape(shape)


def wrapped(total: int, dtype: str) -> int:
    """Two's complement in the dtype."""
    kind = np.iinfo(DType.of(dtype).numpy)  # type: ignore[type-var]
    return int((total - int(kind.min)) % 2**kind.bits + int(kind.min))


# what ints and bools sum to, written out
SUMS = {"bool": "i32", "i8": "i32", "i16": "i32", "i32": "i32", "i64": "i64", "u8": "i32", "u16": "i32", "u32": "u32", "u64": "u64"}


@given(shapes(), st.sampled_from(ALL), st.booleans(), st.data())
def test_sum_prod_mean(dims: tuple[int, ...], dtype: str, keep: bool, data: st.DataObject) -> None:
    x = draw(dims, dtype, -3, 3, seed=data.draw(st.integers(0, 9)))
    axes = tuple(sorted(data.draw(st.sets(st.sampled_from(range(len(dims))))))) if dims else ()
    plain = x.astype(np.float64) if dtype in FLOATS else x
    result = SUMS.get(dtype, dtype)
    fit = (lambda total: wrapped(int(total), result)) if dtype in SUMS else (lambda total: total)
    with np.errstate(all="ignore"):
        total, product = (groups(plain, axes, keep, lambda v, f=f: fit(f(v))) for f in (sum, math.prod))
    signed = tuple(axis - len(dims) for axis in reversed(axes))
    close(run(reduce_sum, x, axes=signed, keep_dim=keep), total, result)
    close(run(reduce_prod, x, axes=axes, keep_dim=keep), product, result)
    if math.prod(dims[axis] for axis in axes):
        mean = groups(plain, axes, keep, lambda v: sum(v) / len(v))
        kind = "f32" if dtype in SUMS else dtype
        close(run(reduce_mean, x, axes=axes, keep_dim=keep), mean, kind)
        close(decomposed(reduce_mean, x, axes=axes, keep_dim=keep), mean, kind)


@given(shapes(), st.sampled_from([d for d in ALL if d[0] != "c"]), st.booleans(), st.data())
def test_max_min_any_all(dims: tuple[int, ...], dtype: str, keep: bool, data: st.DataObject) -> None:
    x = draw(dims, dtype, -2, 2, seed=data.draw(st.integers(0, 9)))
    axes = tuple(data.draw(st.sets(st.sampled_from(range(len(dims)))))) if dims else ()
    assert (run(reduce_any, x, axes=axes, keep_dim=keep) == groups(x, axes, keep, lambda v: any(e != 0 for e in v))).all()
    assert (run(reduce_all, x, axes=axes, keep_dim=keep) == groups(x, axes, keep, lambda v: all(e != 0 for e in v))).all()
    if math.prod(dims[axis] for axis in axes):
        close(run(reduce_max, x, axes=axes, keep_dim=keep), groups(x, axes, keep, max), dtype)
        close(run(reduce_min, x, axes=axes, keep_dim=keep), groups(x, axes, keep, min), dtype)


def test_reductions_as_torch_and_jax() -> None:
    x = draw((3, 4, 5))
    t = torch.from_numpy(x)
    close(run(reduce_sum, x, axes=(0, 2)), t.sum((0, 2)).numpy(), "f32")
    close(run(reduce_mean, x, axes=(0, -1), keep_dim=True), t.mean((0, 2), keepdim=True).numpy(), "f32")
    close(run(reduce_max, x, axes=1), t.amax(1).numpy(), "f32")
    close(run(reduce_prod, x, axes=1), t.prod(1).numpy(), "f32")
    close(run(reduce_log_sum_exp, x, axes=(0, 2)), torch.logsumexp(t, (0, 2)).numpy(), "f32")
    for dtype in ("bool", "i8", "i32", "u32"):
        narrow = draw((3, 4), dtype)
        assert run(reduce_sum, narrow, axes=0).dtype == jnp.sum(narrow, axis=0).dtype  # JAX gives u8 and u16 as u32, we as i32
    close(run(reduce_max, x), np.float32(x.ravel().max()), "f32")


def test_nan_and_infinities() -> None:
    x = np.array([[1, np.nan], [np.inf, -np.inf], [-np.inf, -np.inf], [np.inf, 2]], np.float32)
    np.testing.assert_array_equal(run(reduce_max, x, axes=1), np.array([np.nan, np.inf, -np.inf, np.inf], np.float32))
    np.testing.assert_array_equal(run(reduce_min, x, axes=1), np.array([np.nan, -np.inf, -np.inf, 2], np.float32))
    wanted = np.array([np.nan, np.inf, -np.inf, np.inf], np.float32)
    np.testing.assert_array_equal(run(reduce_log_sum_exp, x, axes=1), wanted)
    np.testing.assert_array_equal(decomposed(reduce_log_sum_exp, x, axes=1), wanted)
    np.testing.assert_array_equal(run(reduce_any, np.array([[np.nan, 0], [0, 0]]), axes=1), [True, False])


def test_a_16_bit_mean_does_not_overflow() -> None:
    x = np.full((4, 1000), 100, np.float16)
    for found in (run(reduce_mean, x, axes=1), decomposed(reduce_mean, x, axes=1)):
        close(found, np.full(4, 100.0), "f16")
    assert np.isinf(run(reduce_sum, x, axes=1)).all()  # the sum itself does not fit


def test_nothing_to_reduce() -> None:
    x = np.zeros((2, 0, 3), np.float32)
    close(run(reduce_sum, x, axes=1), np.zeros((2, 3)), "f32")
    close(run(reduce_prod, x, axes=1), np.ones((2, 3)), "f32")
    for found in (run(reduce_log_sum_exp, x, axes=1), decomposed(reduce_log_sum_exp, x, axes=1)):
        assert np.isneginf(found).all() and found.shape == (2, 3)
    assert not run(reduce_any, x, axes=1).any() and run(reduce_all, x, axes=1).all()
    for record in (reduce_max, reduce_min, reduce_mean):
        with pytest.raises(RlxError, match=rf"\[RLX102\] {record.name} of f32\[2, 0, 3\]: nothing to reduce over axes \(1,\)"):
            run(record, x, axes=1)
        assert run(record, x, axes=0).shape == (0, 3)
    symbolic_max = reduce_max.op(axes=(0,))
    shape = symbolic_max.infer([Shape((EMPTY, 2))])[0]
    assert shape.dims == (2,)
    assert reduce_max.reference is not None
    assert np.isneginf(reduce_max.reference(np.zeros((0, 2)), axes=(0,), keep_dim=False)).all()
    assert (reduce_min.reference(np.zeros((0, 2), np.int8), axes=(0,), keep_dim=False) == 127).all()  # type: ignore[misc]


# -- softmax ----------------------------------------------------------------------------------------------------
@given(shapes(1), st.sampled_from([*FLOATS, "i32", "bool"]), st.floats(-1000, 1000), st.data())
def test_softmax_as_scipy(dims: tuple[int, ...], dtype: str, offset: float, data: st.DataObject) -> None:
    x = draw(dims, dtype, -9, 9, seed=1)
    if dtype in ("f32", "f64"):
        x = (x + offset).astype(x.dtype)
    axis = data.draw(st.integers(-len(dims), len(dims) - 1))
    wide = x.astype(np.float64)
    result = dtype if dtype in FLOATS else "f32"
    one, log = (scipy.special.softmax(wide, axis), scipy.special.log_softmax(wide, axis)) if dims[axis] else (wide, wide)
    for found in (run(softmax, x, axis=axis), decomposed(softmax, x, axis=axis)):
        close(found, one, result)
    for found in (run(log_softmax, x, axis=axis), decomposed(log_softmax, x, axis=axis)):
        np.testing.assert_allclose(found.astype(np.float64), log, rtol=4 * STEP[result], atol=32 * STEP[result])
    if dims[axis]:
        total = scipy.special.logsumexp(wide, axis, keepdims=True)
        for found in (
            run(reduce_log_sum_exp, x, axes=axis, keep_dim=True),
            decomposed(reduce_log_sum_exp, x, axes=axis, keep_dim=True),
        ):
            close(found, total, result)


def test_softmax_as_torch_on_every_axis() -> None:
    x = draw((3, 4, 5), low=-20, high=20)
    for axis in (0, 1, 2):
        close(run(softmax, x, axis=axis), torch.softmax(torch.from_numpy(x), axis).numpy(), "f32")
    masked = np.array([0.0, -np.inf, 1.0], np.float32)
    close(run(softmax, masked), torch.softmax(torch.from_numpy(masked), 0).numpy(), "f32")
    assert np.isnan(run(softmax, np.full(3, -np.inf, np.float32))).all()


# -- running sums -----------------------------------------------------------------------------------------------
@given(shapes(1), st.sampled_from(ALL), st.booleans(), st.booleans(), st.data())
def test_cumsum_and_cumprod(dims: tuple[int, ...], dtype: str, exclusive: bool, reverse: bool, data: st.DataObject) -> None:
    x = draw(dims, dtype, -2, 2, seed=2)
    axis = data.draw(st.integers(0, len(dims) - 1))
    plain = x.astype(np.float64) if dtype in FLOATS else x.astype(object)
    lines = np.moveaxis(plain, axis, -1)
    result = SUMS.get(dtype, dtype)
    for record, join, unit in ((cumsum, lambda a, b: a + b, 0), (cumprod, lambda a, b: a * b, 1)):
        wanted = np.empty(lines.shape, object)
        for row in np.ndindex(lines.shape[:-1]):
            total: Any = unit
            for i in sorted(range(lines.shape[-1]), reverse=reverse):
                after = join(total, lines[row][i])
                wanted[(*row, i)] = total if exclusive else after
                total = after
        if dtype in SUMS:
            wanted = np.vectorize(lambda v: wrapped(int(v), result), otypes=[object])(wanted) if wanted.size else wanted
        close(run(record, x, axis=axis, exclusive=exclusive, reverse=reverse), np.moveaxis(wanted, -1, axis), result)


def test_cumsum_as_torch_and_exclusive_keeps_infinities() -> None:
    x = draw((3, 6))
    close(run(cumsum, x, axis=0), torch.cumsum(torch.from_numpy(x), 0).numpy(), "f32")
    x = np.array([1, np.inf, 2], np.float32)
    np.testing.assert_array_equal(run(cumsum, x, axis=0, exclusive=True), np.array([0, 1, np.inf], np.float32))


# -- dtypes, symbols, messages ----------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", ALL)
def test_result_dtypes(dtype: str) -> None:
    x = Shape((2, 3), dtype)
    assert infer(reduce_sum, x).dtype.name == SUMS.get(dtype, dtype) == infer(cumsum, x, axis=0).dtype.name
    assert infer(reduce_mean, x).dtype.name == ("f32" if dtype in SUMS else dtype)
    assert infer(reduce_any, x).dtype.name == "bool"
    if dtype[0] != "c":
        assert infer(reduce_max, x).dtype.name == dtype
        assert infer(softmax, x).dtype.name == infer(reduce_log_sum_exp, x).dtype.name == ("f32" if dtype in SUMS else dtype)


SYMBOLIC = [
    (record, [Shape((BATCH, SEQ, 4), "f32")], {"axes": axes, "keep_dim": keep})
    for record in (reduce_sum, reduce_mean, reduce_max, reduce_log_sum_exp, reduce_any)
    for axes, keep in (((-2,), False), ((0, 1), True), (None, False))
] + [
    (softmax, [Shape((BATCH, SEQ), "f16")], {"axis": 1}),
    (log_softmax, [Shape((BATCH, SEQ), "f32")], {"axis": 0}),
    (cumsum, [Shape((BATCH, SEQ), "i32")], {"axis": 1, "reverse": True}),
]


@pytest.mark.parametrize(("record", "given_shapes", "attrs"), SYMBOLIC, ids=lambda v: getattr(v, "name", ""))
def test_symbolic_inference_binds_to_the_static_result(record: Any, given_shapes: Any, attrs: Any) -> None:
    for sizes in ({"batch": 3, "seq": 7}, {"batch": 1, "seq": 1}):
        symbolic(record, given_shapes, sizes, attrs)
        if record.decompose is not None:
            symbolic(record, given_shapes, sizes, attrs, decompose=True)


def test_the_family_has_a_record_for_each_kind() -> None:
    assert {f"reduce_{member.value}" for member in ReduceOp} == {record.name for record in OPS if record.family == "reduce"}


MESSAGES = [
    (lambda x: reduce_sum(x, axes=(0, -2)), "RLX104", "reduce_sum of f32[4, 6]: axes (0, -2) has an axis twice", "once"),
    (lambda x: reduce_sum(x, axes=2), "RLX104", "reduce_sum of f32[4, 6]: axis 2 is out of range for rank 2", "-2 to 1"),
    (lambda x: reduce_max(x.astype("c64")), "RLX103", "reduce_max of c64[4, 6]: c64 is not accepted", "real numbers"),
    (lambda x: reduce_sum(x.astype("f8e4m3")), "RLX103", "f8e4m3 is not accepted", "numbers"),
    (lambda x: x[:0].max(), "RLX102", "reduce_max of f32[0, 6]: nothing to reduce over axes (0, 1)", "no elements"),
    (lambda x: softmax(x, axis=5), "RLX104", "softmax of f32[4, 6]: axis 5 is out of range", "-2 to 1"),
    (lambda x: cumsum(x), "RLX105", "cumsum needs the attribute 'axis'", "axis"),
]


@pytest.mark.parametrize(
    ("make", "code", "fact", "fix"), MESSAGES, ids=lambda v: v if isinstance(v, str) and v.startswith("RLX") else ""
)
def test_messages_name_the_facts_the_line_and_a_fix(make: Any, code: str, fact: str, fix: str) -> None:
    x = place(Graph("test"), "x", (4, 6))
    with pytest.raises(RlxError) as caught:
        make(x)
    text = str(caught.value)
    assert caught.value.code == code and fact in text and fix in caught.value.fix
    assert "test_reduce.py:" in text and "lambda x" in text
