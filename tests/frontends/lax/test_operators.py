"""Functions of `rlx.lax` whose conventions differ from those of `rlx.numpy`."""

from __future__ import annotations

import numpy as np
import pytest

from rlx import lax


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8"])
def test_rem_has_the_sign_of_what_is_divided(dtype: str) -> None:
    x, y = np.array([7, -7, 7, -7, 0], dtype), np.array([3, 3, -3, -3, 5], dtype)
    np.testing.assert_array_equal(lax.rem(x, y), np.fmod(x, y))
