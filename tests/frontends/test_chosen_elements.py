"""Derivatives through an index that is one number: a NumPy scalar, traced, counted by a loop, or the result of argmax."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import rlx
import rlx.numpy as rnp

LINE = np.arange(1, 5, dtype=np.float32)
MATRIX = np.arange(12, dtype=np.float32).reshape(3, 4)
CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
ONE = np.int32(1)

# each makes, from a library and its numpy, a function and its arguments
PROGRAMS: dict[str, Callable[[Any, Any], tuple[Callable[..., Any], tuple[Any, ...]]]] = {
    "of a line": lambda lib, np_: (lib.grad(lambda r, i: r[i] ** 2), (LINE, ONE)),
    "counted from the end": lambda lib, np_: (lib.grad(lambda r, i: r[i] ** 2), (LINE, np.int32(-1))),
    "of a small integer dtype": lambda lib, np_: (lib.grad(lambda r, i: r[i] ** 2), (LINE, np.uint8(3))),
    "closed over": lambda lib, np_: (lib.grad(lambda r: r[ONE] ** 2), (LINE,)),
    "twice": lambda lib, np_: (lib.grad(lambda r, i: r[i] * r[i - 1]), (LINE, ONE)),
    "diagonal": lambda lib, np_: (lib.grad(lambda r, i: r[i, i] ** 2), (MATRIX, ONE)),
    "a column": lambda lib, np_: (lib.grad(lambda r, i: (r[:, i] ** 2).sum()), (MATRIX, ONE)),
    "a row": lambda lib, np_: (lib.grad(lambda r, i: (r[i] ** 2).sum()), (MATRIX, ONE)),
    "the last axis of three": lambda lib, np_: (lib.grad(lambda r, i: (r[..., i] ** 3).sum()), (CUBE, ONE)),
    "the middle axis": lambda lib, np_: (lib.grad(lambda r, i: (r[:, i] ** 3).sum()), (CUBE, ONE)),
    "beside an array": lambda lib, np_: (lib.grad(lambda r, i: (r[i, :, np.int32([0, 3, 0])] ** 2).sum()), (CUBE, ONE)),
    "take": lambda lib, np_: (lib.grad(lambda r, i: np_.take(r, i) * 3), (LINE, ONE)),
    "take along the last axis": lambda lib, np_: (lib.grad(lambda r, i: (np_.take(r, i, axis=-1) ** 2).sum()), (MATRIX, ONE)),
    "argmax": lambda lib, np_: (lib.grad(lambda r: r[np_.argmax(r)]), (LINE,)),
    "argmin of rows": lambda lib, np_: (lib.grad(lambda r: (r[:, np_.argmin(r[0])] ** 2).sum()), (MATRIX,)),
    "vjp": lambda lib, np_: (lambda r, i: lib.vjp(lambda r: r[i] ** 2, r)[1](np.float32(2))[0], (LINE, ONE)),
    "jvp": lambda lib, np_: (lambda r, i: lib.jvp(lambda r: r[i] ** 2, (r,), (r,)), (LINE, ONE)),
    "linearize": lambda lib, np_: (lambda r, i: lib.linearize(lambda r: r[i] ** 2, r)[1](r), (LINE, ONE)),
    "hessian": lambda lib, np_: (lib.hessian(lambda r, i: r[i] ** 3 * r[0]), (LINE, ONE)),
    "jacrev": lambda lib, np_: (lib.jacrev(lambda r, i: r[i] * r), (LINE, ONE)),
    "scan": lambda lib, np_: (
        lib.grad(lambda r: lib.lax.scan(lambda c, i: (np_.sin(c) + r[i] ** 2, r[i] * c), r.sum(), np.arange(4))[0]),
        (LINE,),
    ),
    "fori_loop": lambda lib, np_: (lib.grad(lambda r: lib.lax.fori_loop(0, 4, lambda i, c: np_.sin(c) + r[i], r.sum())), (LINE,)),
    "in a branch": lambda lib, np_: (lib.grad(lambda r, i: lib.lax.cond(i > 0, lambda: r[i] ** 2, lambda: r[i - 1])), (LINE, ONE)),
    "under checkpoint": lambda lib, np_: (lib.grad(lib.checkpoint(lambda r, i: np_.sin(r[i]) ** 2)), (LINE, ONE)),
    "cross entropy of each row": lambda lib, np_: (
        lib.vmap(lib.grad(lambda row, label: -lib.nn.log_softmax(row)[label])),
        (MATRIX, np.arange(3)),
    ),
    "each index of one line": lambda lib, np_: (
        lib.vmap(lib.grad(lambda r, i: r[i] ** 2), in_axes=(None, 0)),
        (LINE, np.arange(4)),
    ),
    "one index of each row": lambda lib, np_: (lib.vmap(lib.grad(lambda r, i: r[i] ** 2), in_axes=(0, None)), (MATRIX, ONE)),
    "gradient of a gradient": lambda lib, np_: (lib.grad(lambda r, i: lib.grad(lambda q: q[i] ** 3)(r)[i] * r[0]), (LINE, ONE)),
}


BOTH = [(name, True) for name in PROGRAMS] + [(name, False) for name in list(PROGRAMS)[:8]]


@pytest.mark.parametrize(("name", "compiled"), BOTH)
def test_derivative_through_a_chosen_element(name: str, compiled: bool) -> None:
    found, expected = (run(lib, names, PROGRAMS[name], compiled) for lib, names in ((rlx, rnp), (jax, jnp)))
    jax.tree.map(lambda mine, other: np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-6), found, expected)


def run(lib: ModuleType, names: ModuleType, program: Any, compiled: bool) -> Any:
    function, arguments = program(lib, names)
    found = (lib.jit(function) if compiled else function)(*arguments)
    return jax.tree.map(np.asarray, found)
