"""A single bool as an index: a new axis with one element or none, as in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import rlx.numpy as rnp

ARRAYS = [np.float32(3), np.arange(3, dtype=np.float32), np.arange(6, dtype=np.float32).reshape(2, 3)]


@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize("x", ARRAYS, ids=["no-axes", "one", "two"])
def test_a_single_truth_is_a_new_axis(x, truth: bool) -> None:
    np.testing.assert_array_equal(rnp.asarray(x)[truth], x[truth])
    np.testing.assert_array_equal(rnp.asarray(x)[rnp.asarray(truth)], x[np.asarray(truth)])
    changed = np.array(x)
    changed[truth] = 7
    np.testing.assert_array_equal(rnp.asarray(x).at[truth].set(7), changed)
