"""The parameters of a jitted function, by position and by name; and arguments chosen among them by number or by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rlx.core.dim import Size, evaluate, symbols
from rlx.core.errors import RlxError, did_you_mean
from rlx.core.shape import Shape
from rlx.runtime.interface import Interface
from rlx.runtime.run_arrays import check_sizes

ArgumentNumbers = int | Sequence[int] | None
ArgumentNames = str | Iterable[str] | None


@dataclass(frozen=True)
class Parameters:
    """The parameters of a Python function, by position and by name."""

    names: tuple[str, ...]
    by_position: tuple[str, ...]
    rest: str | None  # *rest
    any_name: bool  # **options, or a function without a signature
    is_known: bool = True  # whether the function has a signature

    @staticmethod
    def of(function: Callable[..., Any]) -> Parameters:
        """Reads the parameters from a function's signature."""
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):  # a builtin
            return Parameters((), (), None, True, is_known=False)
        single = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        rest = next((each.name for each in parameters if each.kind is inspect.Parameter.VAR_POSITIONAL), None)
        any_name = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters)
        by_position = tuple(each.name for each in parameters if each.kind in single)
        return Parameters(tuple(each.name for each in parameters), by_position, rest, any_name)

    def positional(self, index: int) -> str:
        """The name of the positional argument with this index."""
        if index < len(self.by_position):
            return self.by_position[index]
        return f"argument {index}" if self.rest is None else f"{self.rest}[{index - len(self.by_position)}]"

    def takes(self, name: str) -> bool:
        """Whether the function has a parameter with this name."""
        return self.any_name or name in self.names


@dataclass(frozen=True)
class ChosenArguments:
    """The arguments that `jit` options select by number or name; both select a parameter however a call passes it."""

    numbers: frozenset[int]
    names: frozenset[str]

    @staticmethod
    def of(parameters: Parameters, numbers: ArgumentNumbers, names: ArgumentNames, option: str, function: str) -> ChosenArguments:
        """Checks `<option>_argnums` and `<option>_argnames` of `jit` and resolves them to parameters."""
        known = parameters.by_position
        chosen = {_positional_number(parameters, number, f"{option}_argnums", function) for number in _as_list(numbers, int)}
        chosen_names = set(_as_list(names, str))
        for name in chosen_names:
            if not isinstance(name, str) or not parameters.takes(name):
                listed = ", ".join(parameters.names) or "none"
                message = f"{option}_argnames has {name!r:.60}, not an argument of {function}; its arguments: {listed}"
                raise RlxError("RLX105", message, fix=did_you_mean(name, parameters.names) or "the name of an argument")
        by_number = {known[number] for number in chosen if number < len(known)}
        by_name = {number for number, name in enumerate(known) if name in chosen_names}
        return ChosenArguments(frozenset(chosen | by_name), frozenset(chosen_names | by_number))

    def __bool__(self) -> bool:
        return bool(self.numbers or self.names)

    def has(self, path: str) -> bool:
        """Whether a leaf of `(args, kwargs)` with this path belongs to a selected argument."""
        kind, _, rest = path.partition(".")
        head = rest.partition(".")[0]
        return int(head) in self.numbers if kind == "0" else head in self.names

    def replaced(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], replace: Callable[[Any, int | str], Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Returns a call's arguments with each selected one replaced by `replace(value, number or name)`."""
        numbers, names = self.numbers, self.names
        return (
            tuple(replace(value, number) if number in numbers else value for number, value in enumerate(args)),
            {name: replace(value, name) if name in names else value for name, value in kwargs.items()},
        )


def _as_list(given: Any, one: type) -> list[Any]:
    if given is None:
        return []
    return [given] if isinstance(given, one) or not isinstance(given, Iterable) else list(given)


def _positional_number(parameters: Parameters, number: Any, option: str, function: str) -> int:
    """Converts a number of a positional argument to one counted from the front."""
    if not isinstance(number, int) or isinstance(number, bool):
        raise RlxError("RLX105", f"{option} has {number!r:.60}", fix="the number of an argument, or a tuple of them")
    count = len(parameters.by_position)
    open_end = parameters.rest is not None or not parameters.is_known
    if number < -count or (number >= count and not open_end) or (number < 0 and open_end):
        listed = ", ".join(parameters.by_position) or "none"
        message = f"{option} has {number}, but {function} has {count} positional arguments: {listed}"
        fix = "count from the front" if number < 0 and open_end else "numbers begin at 0; a method's self is one of them"
        raise RlxError("RLX105", message, fix=fix)
    return number % count if number < 0 else number


# -- memory: how many bytes an executable takes, known before it runs, as a function of the symbols ------------------


@dataclass(frozen=True)
class Memory:
    """Bytes by kind, each a number or an expression of the symbols; `exe.memory` prints it, `exe.memory(seq=128)` evaluates it.

    params, prepared, states and constants live in the session and the executable; arena and scratch are working memory; outputs are
    the results of one run. Inputs belong to the caller and are not counted in `peak`. Sizes are exact, even if too large to run.

    >>> from rlx.core.dim import Dim
    >>> memory = Memory({"arena": 64 * Dim("n"), "outputs": 8, "inputs": 4})
    >>> print(memory.peak, memory.peak_bytes(n=2), memory(n=2))
    64*n + 8 136 {'arena': 128, 'outputs': 8, 'inputs': 4}
    """

    parts: Mapping[str, Size]

    @property
    def peak(self) -> Size:
        """All bytes except those of inputs."""
        total: Size = 0
        for name, size in self.parts.items():
            if name != "inputs":
                total = total + size
        return total

    def peak_bytes(self, **sizes: int) -> int:
        """All bytes except those of inputs, for given symbol values."""
        return evaluate(self.peak, self._check(sizes))

    def __call__(self, **sizes: int) -> dict[str, int]:
        """Evaluates each kind's bytes for these symbol values."""
        numbers = self._check(sizes)
        return {name: evaluate(size, numbers) for name, size in self.parts.items()}

    def _check(self, sizes: Mapping[str, int]) -> dict[str, int]:
        known = {symbol for size in self.parts.values() for symbol in symbols(size)}
        numbers = check_sizes(known, sizes)
        names = sorted({symbol.name for symbol in known})
        missing = [name for name in names if name not in numbers]
        if missing:
            passed = ", ".join(f"{name}={value}" for name, value in sizes.items()) or "none"
            raise RlxError(
                "RLX205",
                f"memory depends on {', '.join(names)}; given: {passed}",
                fix=f"pass {', '.join(f'{n}=…' for n in missing)}",
            )
        return numbers

    def __str__(self) -> str:
        width = max(len(name) for name in (*self.parts, "peak"))
        return "\n".join(f"{name:{width}}  {size} bytes" for name, size in (*self.parts.items(), ("peak", self.peak)))


def bytes_of(shapes: Iterable[Shape]) -> Size:
    """The total bytes of arrays of these shapes."""
    total: Size = 0
    for shape in shapes:
        total = total + shape.size_bytes
    return total


def planned_memory(
    interface: Interface, working: Mapping[str, Size], threads: int, params: Iterable[Shape], prepared: Iterable[Shape]
) -> Memory:
    """The memory of an executable: the plan's slots, scratch per thread, and the arrays of the interface."""
    total: Size = 0
    for name, size in working.items():
        total = total + size * (threads if "scratch" in name else 1)
    return Memory(
        {
            "params": bytes_of(params),
            "prepared": bytes_of(prepared),
            "states": bytes_of(entry.shape for entry in interface.states.values()),
            "constants": interface.constant_bytes,
            "working": total,
            "outputs": bytes_of(interface.outputs.values()),
            "inputs": bytes_of(interface.inputs.values()),
        }
    )
