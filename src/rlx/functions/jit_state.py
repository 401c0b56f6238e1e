"""Calls of compiled functions that read and write references: the references' values are arguments, their last values results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlx.core.cache import Recent
from rlx.trace.references import Ref, holding, refs_of, threaded

_PROGRAMS = 64


class Stateful:
    """A compiled function that reaches references: one program for each list of them."""

    def __init__(self, jitted: Any, function: Callable[..., Any]) -> None:
        self._jitted, self._function = jitted, function
        self._closed_over: list[Ref] = []  # as far as earlier calls have shown
        self._programs: Recent[tuple[Ref, ...], Any] = Recent(_PROGRAMS)

    def __call__(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Run, and write the references."""

        def run(refs: Sequence[Ref], values: list[Any]) -> tuple[Any, Sequence[Any]]:
            found: tuple[Any, Sequence[Any]] = self._program(tuple(refs))(values, tuple(args), dict(kwargs))
            return found

        return threaded(run, self._reached(args, kwargs), note=self._closed_over.append)

    def lower(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The function traced for a call, the references' values as its first argument."""

        def run(refs: Sequence[Ref], values: list[Any]) -> tuple[Any, Sequence[Any]]:
            return self._program(tuple(refs)).lower(values, tuple(args), dict(kwargs)), values

        return threaded(run, self._reached(args, kwargs))

    def _reached(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Ref]:
        """References among the arguments, and those that earlier calls have shown it to close over."""
        return list(dict.fromkeys([*refs_of(tuple(args), dict(kwargs)), *self._closed_over]))

    def _program(self, refs: tuple[Ref, ...]) -> Any:
        known = self._programs.get(refs)
        if known is not None:
            return known

        def pure(values: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
            with holding(refs, values) as last:
                return self._function(*args, **kwargs), last()

        made = type(self._jitted)(pure, *self._jitted.made_with)
        made.reaches_references = False  # this is about them
        self._programs[refs] = made
        return made
