"""Solving against NumPy: real and complex, vectors and columns, singular matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.graph import Graph
from rlx.ops.linalg.solve import batched_dense_solve, dense_solve
from tests.ops.running import decomposed, draw, place, run, symbolic

SIZE, BATCH = Dim("size", min=1, max=16), Dim("batch", min=1, max=8)


@given(st.integers(0, 6), st.integers(1, 3), st.sampled_from(["f64", "c128"]), st.booleans(), st.integers(0, 2))
def test_solve_as_numpy(n: int, columns: int, dtype: str, vector: bool, batches: int) -> None:
    lead = (2,) * batches
    a = draw((*lead, n, n), dtype, seed=n) + 10 * np.eye(n)
    b = draw((*lead, n) if vector else (*lead, n, columns), dtype, seed=1)
    wanted = np.linalg.solve(a, b[..., None])[..., 0] if vector else np.linalg.solve(a, b)
    record = batched_dense_solve if batches else dense_solve
    for apply in (run, decomposed):
        np.testing.assert_allclose(apply(record, a, b), wanted, rtol=1e-9, atol=1e-12)


def test_a_singular_matrix_is_a_clear_error() -> None:
    with pytest.raises(RlxError, match=r"\[RLX511\] dense_solve of \[2, 2\]: a matrix is singular\n.*no inverse"):
        run(dense_solve, np.array([[1.0, 2.0], [2.0, 4.0]], np.float32), np.ones(2, np.float32))
    with pytest.raises(RlxError, match="RLX511"):
        run(batched_dense_solve, np.zeros((3, 2, 2), np.float32), np.ones((3, 2), np.float32))


def test_symbolic() -> None:
    graph = Graph("test")
    a, b = place(graph, "a", (BATCH, SIZE, SIZE)), place(graph, "b", (BATCH, SIZE, 3))
    assert batched_dense_solve(a, b).type == Shape((BATCH, SIZE, 3))
    symbolic(dense_solve, [Shape((4, 4)), Shape((4, BATCH))], {"batch": 3}, {})


MESSAGES = [
    (lambda a, b: dense_solve(a[:3], b), "RLX102", "rows and columns of a 3 and 4 differ", "a is square"),
    (lambda a, b: dense_solve(a, b[:3]), "RLX102", "size of a and rows of b 4 and 3 differ", ""),
    (lambda a, b: batched_dense_solve(a, b), "RLX102", "a has rank 2", "at least one axis in front"),
    (lambda a, b: dense_solve(a, 1.0), "RLX102", "b has rank 0", "a vector"),
]


@pytest.mark.parametrize(("make", "code", "fact", "fix"), MESSAGES)
def test_messages(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    with pytest.raises(RlxError) as caught:
        make(place(graph, "a", (4, 4)), place(graph, "b", (4,)))
    assert caught.value.code == code and fact in str(caught.value) and fix in caught.value.fix
