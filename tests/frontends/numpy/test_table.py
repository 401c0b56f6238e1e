"""Every function of `rlx.numpy` against NumPy, on arrays and in a trace; shapes, dtypes and derivatives against JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from tests.frontends.numpy import rows_elementwise, rows_generated, rows_numbers, rows_shapes
from tests.frontends.numpy.no_rows import NO_ROW
from tests.frontends.numpy.table import Row, compare, eager, leaves, of

ROWS = [*rows_elementwise.ROWS, *rows_generated.ROWS, *rows_shapes.ROWS, *rows_numbers.ROWS]
GROUP = 24  # calls in one traced function


def by_name() -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in ROWS:
        found.setdefault(row.name, []).append(row)
    return found


BY_NAME = by_name()
SPACES = {"": rnp, "linalg.": rnp.linalg, "fft.": rnp.fft}
PUBLIC = {prefix + name for prefix, space in SPACES.items() for name in space.__all__}


def test_every_public_name_has_a_row_or_a_reason() -> None:
    assert not sorted(PUBLIC - BY_NAME.keys() - NO_ROW.keys()), "without a row"
    assert not sorted(BY_NAME.keys() - PUBLIC), "rows of what is not public"
    assert not sorted(BY_NAME.keys() & NO_ROW.keys()), "a row and a reason for none"


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_on_arrays_as_numpy(name: str, pytestconfig: pytest.Config) -> None:
    """The first row of each function, and what is not traced below; in the long run all rows."""
    every_row = pytestconfig.getoption("--long")
    with all_failures() as check:
        for row in (row for i, row in enumerate(BY_NAME[name]) if every_row or i == 0 or not row.traced):
            dtype = row.dtypes[0]
            check(lambda row=row, dtype=dtype: compare(row, eager(row, dtype), row.expected(dtype), dtype))


def groups(rows: list[Any]) -> list[Any]:
    return [pytest.param(rows[i : i + GROUP], id=f"{_name(rows[i])}-") for i in range(0, len(rows), GROUP)]


def _name(each: Any) -> str:
    return each[0].name if isinstance(each, tuple) else each.name


TRACED = [(row, dtype) for row in ROWS if row.traced for dtype in row.dtypes]


@pytest.mark.parametrize("calls", groups(TRACED))
def test_traced_as_numpy_with_the_dtypes_of_jax(calls: list[tuple[Row, str]]) -> None:
    @rlx.jit
    def run(given: list[Any]) -> list[Any]:
        return [row.call(of(rnp, row.name), arrays) for (row, _), arrays in zip(calls, given, strict=True)]

    arrays = [row.arrays(dtype) for row, dtype in calls]
    with all_failures() as check:
        for (row, dtype), mine, found in zip(calls, arrays, run(arrays), strict=True):
            check(compare, row, found, row.expected(dtype), dtype)
            if row.jax and dtype != "float64":
                check(check_types, row, mine, found)


@contextmanager
def all_failures() -> Iterator[Callable[..., None]]:
    """Checks of a group: the test fails with all that do."""
    failures: list[str] = []

    def check(function: Callable[..., None], *args: Any) -> None:
        try:
            function(*args)
        except (AssertionError, TypeError, rlx.RlxError) as error:
            failures.append(str(error))

    yield check
    assert not failures, "\n\n".join(failures)


def check_types(row: Row, arrays: list[np.ndarray], found: Any) -> None:
    theirs = jax.eval_shape(lambda *given: row.call(of(jnp, row.name), given), *arrays)
    ours = [(each.shape, each.dtype) for each in leaves(found)]
    assert ours == [(each.shape, each.dtype) for each in leaves(theirs)], f"{row}: {ours}, JAX has {theirs}"


DIFFERENTIABLE = [row for row in ROWS if row.grad]


@pytest.mark.parametrize("rows", groups(DIFFERENTIABLE))
def test_derivatives_as_jax(rows: list[Row]) -> None:
    given = [row.arrays("float32") for row in rows]
    floats = [[each for each in arrays if each.dtype.kind == "f"] for arrays in given]
    mine = rlx.jit(rlx.grad(_of_floats(rows, given, rnp)))(floats)
    other = jax.jit(jax.grad(_of_floats(rows, given, jnp)))(floats)
    with all_failures() as check:
        for row, found, expected in zip(rows, mine, other, strict=True):
            check(compare, row, list(found), list(expected), "gradient")


def _of_floats(rows: list[Row], given: list[list[np.ndarray]], module: Any) -> Callable[..., Any]:
    """The sum of all results as a function of the arrays of floats; the others are fixed."""

    def run(floats: list[list[Any]]) -> Any:
        whole = []
        for arrays, own in zip(given, floats, strict=True):
            left = iter(own)
            whole.append([next(left) if each.dtype.kind == "f" else module.asarray(each) for each in arrays])
        return total(rows, whole, module)

    return run


def total(rows: list[Row], arrays: list[list[Any]], module: Any) -> Any:
    """One number of all results, with a weight of its own for each element."""
    found = 0.0
    for row, given in zip(rows, arrays, strict=True):
        for result in leaves(row.call(of(module, row.name), given)):
            weights = np.cos(np.arange(result.size if result.ndim else 1)).astype(np.float32).reshape(result.shape)
            parts = [module.real(result), module.imag(result)] if module.iscomplexobj(result) else [result]
            found = found + sum((part * weights).sum() for part in parts)
    return found
