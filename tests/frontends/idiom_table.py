"""How the rows of the table of idioms are written: what works is compared, what does not is an error that names the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import rlx

X = np.float32([[1, -2, 3], [4, 0.5, -6]])
IDIOMS: dict[str, Idiom] = {}


@dataclass(frozen=True)
class Idiom:
    """A row: a function that raises if the idiom does not work, and whether it is refused."""

    check: Callable[[], None]
    refused: bool = False


def _add(name: str, row: Idiom) -> None:
    assert name not in IDIOMS, name
    IDIOMS[name] = row


def same(found: Any, expected: Any, tolerance: float = 1e-5) -> None:
    """Two trees of arrays are equal in structure, shapes and numbers."""
    mine, others = rlx.tree.leaves(found), rlx.tree.leaves(expected)
    assert len(mine) == len(others), (found, expected)
    for one, other in zip(mine, others, strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=tolerance, atol=tolerance)


def traced(name: str, function: Callable[[Any], Any], expected: Any = None) -> None:
    """Inside jit, on X; compared with the same function on NumPy's array, or with what is given."""

    def check() -> None:
        same(rlx.jit(function)(X), function(X) if expected is None else expected)

    _add(name, Idiom(check))


def works(name: str, *, refused: bool = False) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """A function that checks by itself; `refused` if it checks errors where something works elsewhere."""

    def add(check: Callable[[], None]) -> Callable[[], None]:
        _add(name, Idiom(check, refused))
        return check

    return add


def raises(name: str, function: Callable[[], Any], match: str) -> None:
    """A mistake, in the library it comes from as well: the error says what to write."""

    def check() -> None:
        with pytest.raises(rlx.RlxError, match=match):
            function()

    _add(name, Idiom(check))


def refused(name: str, function: Callable[[], Any], match: str, error: type[Exception] = rlx.RlxError) -> None:
    """Something that works elsewhere; here it is an error whose text names the way."""

    def check() -> None:
        with pytest.raises(error, match=match):
            function()

    _add(name, Idiom(check, refused=True))
