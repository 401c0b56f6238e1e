"""Binding: the value of each symbol, from the shapes of the arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.core.dim import Dim, Relation, Symbol, evaluate
from rlx.core.errors import RlxError, did_you_mean
from rlx.core.shape import Shape


@dataclass
class BoundSizes:
    """One set of sizes: symbol values, and name, shape and dtype of every output."""

    sizes: dict[str, int]
    outputs: list[tuple[str, tuple[int, ...], np.dtype[Any]]]


@dataclass(frozen=True)
class Binder:
    """Solves symbols that are a whole dimension of a shape, checks everything else."""

    symbols: Mapping[str, Symbol]
    assumptions: Sequence[Relation]

    def bind(self, declared: Mapping[str, Shape], given: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
        """Symbol values for the shapes of inputs and states, or an error that names the symbol and the inputs."""
        sizes: dict[str, int] = {}
        source: dict[str, str] = {}
        for name, shape in declared.items():
            got = given[name]
            if len(got) != shape.rank:
                raise RlxError(
                    "RLX503", f"{name!r} is declared {shape}, the array has shape {list(got)}", fix=f"pass rank {shape.rank}"
                )
            for size, number in zip(shape.dims, got, strict=True):
                symbol = size.symbol if isinstance(size, Dim) else None
                if symbol is None:
                    continue
                if symbol.name in sizes and sizes[symbol.name] != number:
                    message = f"symbol {symbol.name} is {sizes[symbol.name]} in {source[symbol.name]!r} and {number} in {name!r}"
                    raise RlxError("RLX204", message)
                sizes[symbol.name] = number
                source.setdefault(symbol.name, name)
        for symbol in self.symbols.values():
            if symbol.name not in sizes:
                raise RlxError("RLX205", f"symbol {symbol.name} is not a whole dimension of any input or state")
            number = sizes[symbol.name]
            if not _within(symbol, number):
                raise RlxError(
                    "RLX203", f"symbol {symbol.name} is {number} in {source[symbol.name]!r}, its bounds are {_bounds(symbol)}"
                )
        self._check(declared, given, sizes)
        return sizes

    def _check(self, declared: Mapping[str, Shape], given: Mapping[str, tuple[int, ...]], sizes: Mapping[str, int]) -> None:
        for name, shape in declared.items():
            for axis, (size, number) in enumerate(zip(shape.dims, given[name], strict=True)):
                wanted = evaluate(size, sizes)
                if wanted == number:
                    continue
                if isinstance(size, Dim):
                    raise RlxError("RLX206", f"axis {axis} of {name!r} is {number}, but {size} is {wanted} for {_list(sizes)}")
                message = f"{name!r} is declared {shape}, the array has shape {list(given[name])}"
                raise RlxError("RLX503", message, fix=f"axis {axis} must be {wanted}, not {number}")
        for fact in self.assumptions:
            if not fact.holds(sizes):
                raise RlxError("RLX207", f"{fact} was assumed, but is false for {_list(sizes)}")


def check_sizes(symbols: Iterable[Symbol], given: Mapping[str, object]) -> dict[str, int]:
    """Symbol values passed by name: all known, integers and within their bounds, or an error.

    >>> check_sizes([Symbol("seq")], {"seq": 3})
    {'seq': 3}
    """
    known = {symbol.name: symbol for symbol in symbols}
    for name in given:
        if name not in known:
            names = ", ".join(sorted(known)) or "none"
            raise RlxError("RLX205", f"{name!r} is not a symbol here", fix=did_you_mean(name, known) or f"the symbols: {names}")
    return {name: _checked_size(known[name], number) for name, number in given.items()}


def _checked_size(symbol: Symbol, number: object) -> int:
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise RlxError("RLX203", f"symbol {symbol.name} is {number!r}, not an integer", fix=f"pass {symbol.name}=… as an int")
    size = int(number.__index__())
    if not _within(symbol, size):
        raise RlxError("RLX203", f"symbol {symbol.name} is {size}, its bounds are {_bounds(symbol)}")
    return size


def _within(symbol: Symbol, number: int) -> bool:
    return number >= symbol.minimum and (symbol.maximum is None or number <= symbol.maximum)


def _bounds(symbol: Symbol) -> str:
    return f"{symbol.minimum}..{'' if symbol.maximum is None else symbol.maximum}"


def _list(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sizes.items())
