"""A value that leaked out of a traced function is an error that names the function, whatever uses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from rlx.core.errors import RlxError

X = np.ones(2, np.float32)
LEAKED: list[Any] = []


def keeping(x: Any) -> Any:
    LEAKED.append(x)
    return x * 2


def keeping_sum(x: Any) -> Any:
    return keeping(x).sum()


TRACES: dict[str, Callable[[], Any]] = {
    "keeping": lambda: rlx.jit(keeping)(X),
    "keeping_sum": lambda: rlx.grad(keeping_sum)(X),
    "keeping in vmap": lambda: rlx.vmap(keeping)(X),
}
USES: dict[str, Callable[[Any], Any]] = {
    "arithmetic": lambda v: v + 1,
    "a function": rnp.sin,
    "beside an array": lambda v: rnp.add(rnp.asarray(X), v),
    "np.asarray": np.asarray,
    "float": lambda v: float(v),
    "bool": lambda v: bool(v),
    "in another jit": lambda v: rlx.jit(lambda a: a * v)(X),
    "as a result": lambda v: rlx.jit(lambda a: v)(X),
    "in a gradient": lambda v: rlx.grad(lambda a: (a * v).sum())(X),
}


@pytest.mark.parametrize("trace", TRACES)
@pytest.mark.parametrize("use", USES)
def test_a_leaked_value(trace: str, use: str) -> None:
    TRACES[trace]()
    leaked = LEAKED[-1]
    with pytest.raises(RlxError, match=rf"RLX111.*{trace.partition(' ')[0]}"):
        USES[use](leaked)
    assert str(leaked).startswith("<Value")
    np.testing.assert_array_equal(rlx.jit(keeping)(X), [2, 2])  # the function itself still runs
