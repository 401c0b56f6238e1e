"""How NumPy's own functions and methods of arrays find ours: `np.exp(x)` on a Value, `x.exp()`."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlx.core.errors import RlxError

_REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any"}
_METHODS = ("nonzero", "repeat", "where")  # that look at their arguments before they are array functions
_NOT_METHODS = ("array", "asarray", "getitem", "method", "apply_ufunc", "apply_function", "einsum", "save", "load", "copy")


def _find(function: Any) -> Any:
    """Ours by the name and module of NumPy's; None if there is none."""
    from rlx.frontends import numpy as ours

    module = function.__module__ or "numpy"
    space: Any = ours
    for part in module.split(".")[1:]:
        if part in ("linalg", "fft"):
            space = getattr(ours, part)
    return getattr(space, function.__name__, None)


def _missing(name: str) -> RlxError:
    return RlxError("RLX108", f"np.{name} of a Value has no counterpart", fix="a function of rlx.numpy; docs/numpy.md lists them")


def apply_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], settings: dict[str, Any]) -> Any:
    """A ufunc of NumPy on Values."""
    given = {name: value for name, value in settings.items() if value is not None}
    if "out" in given:
        raise RlxError("RLX108", f"np.{ufunc.__name__} with out= on a Value", fix="use the result it returns")
    if method == "reduce" and ufunc.__name__ in _REDUCTIONS:
        from rlx.frontends import numpy as ours

        axis = given.pop("axis", 0)
        return getattr(ours, _REDUCTIONS[ufunc.__name__])(*inputs, axis=axis, **given)
    ours_by_name = _find(ufunc)
    if method != "__call__" or ours_by_name is None:
        raise _missing(ufunc.__name__ + ("" if method == "__call__" else f".{method}"))
    return ours_by_name(*inputs, **given)


def apply_function(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """A function of NumPy on Values."""
    found = _find(function)
    if found is None:
        raise _missing(function.__name__)
    return found(*args, **{name: value for name, value in kwargs.items() if value is not np._NoValue})


def method(name: str) -> Any:
    """The function that is a method of arrays by its name; None if there is none."""
    from rlx.frontends import nn
    from rlx.frontends import numpy as ours
    from rlx.frontends.dispatch import ArrayFunction

    found = None if name in _NOT_METHODS else getattr(ours, name, None) or getattr(nn, name, None)
    return found if isinstance(found, ArrayFunction) or name in _METHODS else None
