"""What the Array API standard asks of `rlx.numpy` beyond NumPy's results: kinds of errors, dtypes, empty arrays, masks without axes."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from rlx.core.errors import RlxError


# -- errors are also the kind that NumPy raises -----------------------------------------------------------------
@pytest.mark.parametrize(
    ("call", "kinds"),
    [
        (lambda: rnp.squeeze(rnp.zeros((2, 1)), 0), (ValueError,)),
        (lambda: rnp.reshape(rnp.zeros(6), (4,)), (ValueError,)),
        (lambda: rnp.expand_dims(rnp.zeros(3), axis=4), (IndexError, ValueError)),
        (lambda: rnp.sum(rnp.zeros(3), axis=1), (IndexError, ValueError)),
        (lambda: rnp.zeros(3)[3], (IndexError,)),
        (lambda: rnp.zeros((2, 3))[np.ones(3, bool)], (IndexError,)),
        (lambda: rnp.zeros(2)[np.ones((2, 2), bool)], (IndexError,)),
    ],
)
def test_an_error_is_also_the_kind_that_numpy_raises(call: Any, kinds: tuple[type[Exception], ...]) -> None:
    with pytest.raises(RlxError) as caught:
        call()
    assert all(isinstance(caught.value, kind) for kind in kinds)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value)
    assert str(again) == str(caught.value)


# -- masks ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_a_mask_without_axes_makes_one(shape: tuple[int, ...], truth: bool) -> None:
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    for mask in (truth, np.bool_(truth), rnp.asarray(truth)):
        found = rnp.asarray(x)[mask]
        np.testing.assert_array_equal(found, x[np.bool_(truth)])
        assert found.shape == x[np.bool_(truth)].shape


def test_masks_beside_other_parts_of_an_index() -> None:
    x = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    rows, mask = np.array([True, False]), np.array([True, False, True])
    mine = rnp.asarray(x)
    for index in [(..., np.array([1, 0, 1, 0], bool)), (slice(None), mask), (1, mask), (rows, ..., 2), (None, rows)]:
        np.testing.assert_array_equal(mine[index], x[index])
    np.testing.assert_array_equal(mine.at[:, mask].set(7), np.where(mask[None, :, None], 7, x))
    np.testing.assert_array_equal(mine.at[True].set(7), np.full_like(x, 7))


def test_a_mask_of_size_zero_selects_nothing() -> None:
    """The standard allows it for every axis; NumPy asks for the size of the axis."""
    assert rnp.zeros((3, 2))[np.zeros((0, 2), bool)].shape == (0,)


# -- repeat -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_repeat_with_a_count_for_each_element_that_is_known(axis: int | None) -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    counts = np.array([2, 0, 3, 1, 1, 4][: x.size if axis is None else x.shape[axis]])
    expected = np.repeat(x, counts, axis)
    np.testing.assert_array_equal(rnp.repeat(rnp.asarray(x), rnp.asarray(counts), axis=axis), expected)
    np.testing.assert_array_equal(rlx.jit(lambda x: rnp.repeat(x, counts, axis=axis))(x), expected)
    np.testing.assert_array_equal(rnp.repeat(x, np.array([2]), axis=axis), np.repeat(x, 2, axis))
    np.testing.assert_array_equal(rnp.repeat(x, 3, axis=axis), np.repeat(x, 3, axis))


def test_repeat_with_traced_counts_and_a_total() -> None:
    x, counts = np.arange(3, dtype=np.float32), np.array([2, 0, 1], np.int32)
    found = rlx.jit(lambda x, n: rnp.repeat(x, n, total_repeat_length=3))(x, counts)
    np.testing.assert_array_equal(found, np.repeat(x, counts))


@pytest.mark.parametrize("counts", [-1, 1.5, np.array([1, 2]), np.array([[1, 2, 3]])])
def test_repeat_refuses_other_counts(counts: Any) -> None:
    with pytest.raises(RlxError):
        rnp.repeat(rnp.zeros(3), counts)


# -- empty arrays and dtypes ------------------------------------------------------------------------------------
def test_unstack_of_nothing_is_no_arrays() -> None:
    assert rnp.unstack(rnp.zeros((0, 2))) == ()
    assert [part.tolist() for part in rnp.unstack(rnp.arange(4).reshape(2, 2), axis=1)] == [[0, 2], [1, 3]]
    first, second = rlx.jit(rnp.unstack)(np.float32([1, 2]))
    assert (float(first), float(second)) == (1, 2)


def test_means_of_nothing_are_nan() -> None:
    nothing = rnp.zeros((0, 2))
    for function in (rnp.mean, rnp.var, rnp.std):
        assert np.isnan(np.asarray(function(nothing))), function.__name__
        np.testing.assert_array_equal(function(nothing, axis=0), [np.nan, np.nan])
        assert function(nothing, axis=1).shape == (0,)


@pytest.mark.parametrize(("given", "wanted"), [("u1", "u4"), ("u2", "u4"), ("i1", "i4"), ("?", "i4"), ("u8", "u8")])
def test_sums_of_small_integers_keep_their_signedness(given: str, wanted: str) -> None:
    x = np.array([1, 1, 1], given)
    for function in (rnp.sum, rnp.prod, rnp.cumulative_sum, rnp.cumulative_prod):
        assert function(x).dtype == np.dtype(wanted), function.__name__


def test_a_sum_has_the_dtype_it_is_asked_for() -> None:
    x = np.array([[200, 100], [7, 9]], np.uint8)
    assert rnp.sum(x, dtype=rnp.uint8).dtype == np.uint8
    assert int(rnp.sum(x, dtype=rnp.uint8)) == int(np.sum(x, dtype=np.uint8))
    np.testing.assert_array_equal(rnp.cumulative_prod(x, axis=1, dtype=rnp.uint8), np.cumprod(x, 1, dtype=np.uint8))
    assert rnp.trace(x).dtype == np.uint32


def test_a_bool_as_a_number_is_a_bool() -> None:
    assert rnp.full((2,), True).dtype == bool
    assert rnp.result_type(True) == np.dtype(bool)


def test_dlpack_takes_the_arguments_of_the_standard() -> None:
    x = rnp.arange(3)
    copied = np.from_dlpack(x, copy=True)
    np.testing.assert_array_equal(copied, [0, 1, 2])
    assert x.__dlpack__(max_version=(1, 0), stream=None, dl_device=(1, 0), copy=False) is not None


@pytest.mark.parametrize("dtype", ["f4", "c16"])
def test_pinv_and_matrix_rank_with_a_tolerance_for_each_matrix(dtype: str) -> None:
    random = np.random.default_rng(3)
    a = random.normal(size=(2, 4, 3)).astype(dtype) * np.asarray(1 + 0.5j if dtype == "c16" else 1).astype(dtype)
    tolerances = np.array([1e-3, 0.6], np.float32)
    mine = rnp.linalg.pinv(a, rtol=tolerances)
    np.testing.assert_allclose(mine, np.linalg.pinv(a, rcond=tolerances), rtol=1e-4, atol=1e-5)
    ranks = np.linalg.matrix_rank(a, rtol=tolerances)
    np.testing.assert_array_equal(rnp.linalg.matrix_rank(a, rtol=tolerances), ranks)
    assert ranks[0] > ranks[1]
    assert rnp.linalg.pinv(np.zeros((0, 2, 3), np.float32), rtol=np.zeros(0, np.float32)).shape == (0, 3, 2)
