"""Static arguments of jitted functions: handed to the function as they are; a new value is a new version."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlx.core.errors import RlxError
from rlx.runtime.parameters import ChosenArguments


class Static:
    """A static argument, whole: a container in it is no container of leaves. Equal to one of the same type and value."""

    __slots__ = ("_hash", "value")

    def __init__(self, value: Any, number: int) -> None:
        self.value, self._hash = value, number

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and type(self.value) is type(other.value) and bool(self.value == other.value)

    def __repr__(self) -> str:
        return f"static {self.value!r}"


class StaticArguments:
    """The static arguments of one function."""

    def __init__(self, chosen: ChosenArguments, function: str) -> None:
        self.chosen, self._function = chosen, function

    def wrapped(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call, static ones as `Static`."""
        return self.chosen.replaced(args, kwargs, self._static)

    def _static(self, value: Any, which: int | str) -> Static:
        try:
            return Static(value, hash(value))
        except TypeError:
            if hasattr(value, "shape") and hasattr(value, "dtype"):
                what = "an array"
                fix = "arrays are traced: take it out of static_argnums, or pass a tuple of Python numbers"
            else:
                what = f"a {type(value).__name__} without a hash: {value!r:.60}"
                fix = "a tuple instead of a list, a frozen dataclass instead of a dict, or a class with __hash__"
            message = f"the static argument {which} of {self._function} is {what}; static arguments are compared"
            raise RlxError("RLX105", message, fix=fix) from None


def taking_static(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, for arguments some of which are `Static`."""

    def plain(value: Any) -> Any:
        return value.value if type(value) is Static else value

    @functools.wraps(function, updated=())
    def taking(*args: Any, **kwargs: Any) -> Any:
        return function(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})

    return taking
