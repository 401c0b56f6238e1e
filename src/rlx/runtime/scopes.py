"""`named_scope` and `disable_jit`: contexts that programs written for JAX enter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rlx.core.errors import check_is

_DISABLED: list[bool] = []


@contextmanager
def named_scope(name: str) -> Iterator[None]:
    """A context or decorator without effect, as in JAX: profiles and reports show the source line of each operation anyway.

    >>> import rlx
    >>> with rlx.named_scope("attention"):
    ...     pass
    """
    check_is(name, str, "RLX109", "the name of named_scope", "a str")
    yield


@contextmanager
def disable_jit(disable: bool = True) -> Iterator[None]:
    """A context in which functions of `rlx.jit` run eagerly, so that `print` and a debugger see numbers.

    `grad`, `vmap` and loops still trace the functions they are given.

    >>> import rlx, rlx.numpy as rnp
    >>> @rlx.jit
    ... def double(x):
    ...     print(x)
    ...     return x * 2
    >>> with rlx.disable_jit():
    ...     double(rnp.ones(2))
    [1. 1.]
    Array([2., 2.], dtype=float32)
    """
    _DISABLED.append(bool(disable))
    try:
        yield
    finally:
        _DISABLED.pop()


def runs_at_once() -> bool:
    """Whether `disable_jit` is in force, so that jitted functions run eagerly."""
    return bool(_DISABLED) and _DISABLED[-1]
