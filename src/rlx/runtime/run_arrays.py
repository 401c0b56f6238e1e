"""The arrays of a run: the inputs of a caller as declared, the arrays results are written into, and the sizes their shapes bind."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rlx.backends.base import DeviceArrays
from rlx.core.aligned import LINE, Array, aligned_empty, as_array, in_dtype
from rlx.core.device_array import DeviceArray
from rlx.core.dim import Dim, Relation, Symbol, evaluate
from rlx.core.dtype import DType
from rlx.core.errors import RlxError, check_names, did_you_mean
from rlx.core.shape import Shape
from rlx.ir.value import Value

# -- where a given array lies: on the device already, or to be uploaded ----------------------------------------------


def placed(value: Any, arrays: DeviceArrays, what: str) -> Any | None:
    """Returns a device array, or another library's array in the device's memory, that needs no upload; None for everything else.

    An array of another device is RLX515: RLX does not copy it through the host without the caller's request.
    """
    if isinstance(value, DeviceArray):
        if value.arrays is not arrays:
            raise elsewhere(value, "in host memory" if arrays.is_host else f"on {arrays.name!r}", what)
        return value
    if isinstance(value, (np.ndarray, np.generic)) or not hasattr(value, "__dlpack__"):
        return None
    return arrays.from_dlpack(value)


def elsewhere(value: DeviceArray, expected: str, what: str) -> RlxError:
    """The RLX515 error for an array of another device."""
    message = f"{what} is an array on {value.device!r}, expected one {expected}"
    return RlxError("RLX515", message, fix="np.asarray(array) copies it to the host")


class GivenInputs:
    """The declared inputs of an executable; `take` converts the caller's arrays."""

    def __init__(self, declared: Mapping[str, Shape]) -> None:
        self._declared = declared
        self._dtypes = {name: shape.dtype.numpy for name, shape in declared.items()}

    def take(self, inputs: Any) -> list[Array]:
        """Converts inputs to dense arrays of the declared dtypes, in declared order."""
        if not isinstance(inputs, Mapping):
            raise self._not_by_name(inputs)
        arrays = []
        for name, dtype in self._dtypes.items():
            value = inputs.get(name)
            if type(value) is not np.ndarray or value.dtype is not dtype or not value.flags.c_contiguous:
                value = self._accept(name, inputs)
            arrays.append(value)
        if len(inputs) != len(arrays):
            raise self._unknown(inputs)
        return arrays

    def donated(self, inputs: Mapping[str, Any], arrays: Sequence[Array], names: Any, states: Sequence[Array]) -> dict[str, Array]:
        """The arrays whose memory may be reused for results, or an error; `arrays` are all inputs after `take`."""
        donated: dict[str, Array] = {}
        for name, index in self._places(names):
            array = inputs[name]
            others = [*arrays[:index], *arrays[index + 1 :], *states]
            if array is not arrays[index]:
                raise donation_error(name, f"is {type(array).__name__}, not a dense array that is used without a copy")
            why_not = donation_refusal(array, others)
            if why_not is not None:
                raise donation_error(name, why_not)
            donated[name] = array
        return donated

    def _places(self, names: Any) -> Iterator[tuple[str, int]]:
        """The donated inputs, each with its index in declared order."""
        declared = list(self._dtypes)
        for name in check_names(names, "donated inputs"):
            if name not in self._dtypes:
                hint = did_you_mean(name, self._dtypes)
                known = f"{hint} the inputs: {', '.join(self._dtypes) or 'none'}".strip()
                raise RlxError("RLX501", f"donate has {name!r:.60}, which is not an input", fix=known)
            yield name, declared.index(name)

    def _not_by_name(self, inputs: object) -> RlxError:
        names = ", ".join(f"{name!r}: …" for name in self._dtypes)
        message = f"inputs must be a dict by name, not a {type(inputs).__name__}"
        return RlxError("RLX501", message, fix=f"run({{{names}}}), or exe({', '.join(self._dtypes)})")

    def _unknown(self, inputs: Mapping[str, Any]) -> RlxError:
        unknown = [name for name in inputs if name not in self._dtypes]
        name = next((name for name in unknown if did_you_mean(name, self._dtypes)), unknown[0])
        known = f"the inputs: {', '.join(self._dtypes) or 'none'}"
        hint = did_you_mean(name, self._dtypes)
        return RlxError("RLX501", f"{name!r} is not an input", fix=f"{hint} {known}" if hint else known)

    def _accept(self, name: str, inputs: Mapping[str, Any]) -> Array:
        """Converts a value to a dense array of the declared dtype, or raises."""
        shape = self._declared[name]
        if name not in inputs:
            alike = next((other for other in inputs if other not in self._dtypes and did_you_mean(other, [name])), None)
            if alike is not None:
                raise RlxError(
                    "RLX502", f"input {name!r} ({shape}) is missing; {alike!r} was passed", fix=did_you_mean(alike, [name])
                )
            raise RlxError("RLX502", f"input {name!r} ({shape}) is missing")
        value = inputs[name]
        if type(value) is not np.ndarray:
            value = self._as_array(name, value)
        self._check_dtype(name, value)
        return value if value.flags.c_contiguous else np.ascontiguousarray(value)

    def _check_dtype(self, name: str, value: Any) -> None:
        if value.dtype != self._dtypes[name]:
            shape = self._declared[name]
            message = f"input {name!r} is declared {shape}, the array is {dtype_name(value)}"
            raise RlxError("RLX504", message, fix=f"{name}.astype({str(shape.dtype)!r})")

    def _as_array(self, name: str, value: Any) -> Array:
        """Converts NumPy scalars, DLPack and `__array__` objects, Python numbers and lists to the declared dtype."""
        if isinstance(value, (bool, int, float, complex, list, tuple)) and not isinstance(value, np.generic):
            return in_dtype(value, self._declared[name].dtype, f"input {name!r}")
        if isinstance(value, Value):
            message = f"input {name!r} is {value!r}, a value of a graph"
            raise RlxError("RLX504", message, fix="build the graph first, then run it on arrays")
        if isinstance(value, DeviceArray):
            raise elsewhere(value, "in host memory", f"input {name!r}")
        return as_array(value, f"input {name!r}")


def donation_refusal(array: Array, others: Sequence[Array]) -> str | None:
    """The reason why results cannot be written into a donated array; None if they can."""
    if not array.flags.writeable:
        return "is read-only"
    if not _is_whole(array):
        return "is a view of a larger array"
    if any(np.may_share_memory(array, other) for other in others):
        return "shares memory with another input or a state"
    return None


def _is_whole(array: Array) -> bool:
    """Whether an array covers its full allocation, except for alignment, so that no other array has a part of it."""
    owner: object = array if array.base is None else array.base
    if not isinstance(owner, np.ndarray) or not owner.flags.owndata:
        return False
    return owner.nbytes - array.nbytes in ((0, LINE) if owner.dtype == np.uint8 else (0,))


def donation_error(name: str, why: str) -> RlxError:
    """The RLX507 error for an input whose memory cannot be reused."""
    return RlxError(
        "RLX507", f"the donated input {name!r} {why}", fix="donate a dense writable array with its own memory, or do not donate it"
    )


def first_overlap(arrays: Sequence[Array]) -> tuple[int, int] | None:
    """The indices of the first two dense arrays, by address, that share memory."""
    spans = sorted((array.ctypes.data, index, array.nbytes) for index, array in enumerate(arrays) if array.nbytes)
    for (start, first, size), (following, second, _) in pairwise(spans):
        if following < start + size:
            return min(first, second), max(first, second)
    return None


def dtype_name(array: Any) -> str:
    """The dtype of an array by RLX's name, or NumPy's if RLX does not have the type."""
    try:
        return str(DType.of(array.dtype))
    except RlxError:
        return str(array.dtype)


# -- the arrays that results are written into: donated by the caller, given as `out`, or of a pool -------------------


Expected = tuple[str, tuple[int, ...], np.dtype[Any]]  # name, sizes and dtype of an output
NOTHING: Mapping[str, Array] = {}
_POOLED = 4  # arrays pooled per output for reuse


class Results:
    """Allocates arrays for the outputs of an executable. The caller owns each array; a dropped array is reused."""

    def __init__(self, outputs: Iterable[str]) -> None:
        self._pools: dict[str, list[Array]] = {name: [] for name in outputs}

    def take(
        self, expected: Iterable[Expected], out: Any, arrays: Sequence[Array], donated: Mapping[str, Array] = NOTHING
    ) -> list[Array]:
        """Chooses an array for each output: a donated input's, that of `out`, or one of the pool."""
        if out is not None and not isinstance(out, Mapping):
            example = ", ".join(f"{name!r}: …" for name in self._pools)
            raise RlxError("RLX507", f"out is a {type(out).__name__}, not a dict by name", fix=f"out={{{example}}}")
        results = []
        for name, dims, dtype in expected:
            if name in donated:
                results.append(donated[name].reshape(dims))
            elif out is not None and name in out:
                self._check(name, out[name], dims, dtype, arrays)
                results.append(out[name])
            else:
                results.append(self.pooled(name, dims, dtype))
        if out is not None:
            self._check_out(out, results)
        return results

    def _check_out(self, out: Mapping[str, Any], results: Sequence[Array]) -> None:
        """Checks that `out` names outputs only, and that no two results share memory."""
        unknown = next((name for name in out if name not in self._pools), None)
        if unknown is not None:
            raise RlxError("RLX507", f"{unknown!r} is not an output", fix=f"the outputs: {', '.join(self._pools)}")
        shared = self._overlap(results) if len(results) > 1 else None
        if shared is not None:
            first, second = (f"out[{list(self._pools)[index]!r}]" for index in shared)
            raise RlxError("RLX507", f"{first} and {second} share memory", fix="an array of its own for each output")

    def pooled(self, name: str, dims: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """Returns an array of the pool that neither the caller nor a view of its memory refers to, else a new one."""
        pool = self._pools[name]
        for index in range(len(pool)):
            if sys.getrefcount(pool[index]) == 2 and sys.getrefcount(pool[index].base) == 2 and pool[index].shape == dims:
                return pool[index]
        array = aligned_empty(dims, dtype)
        if len(pool) >= _POOLED:
            pool.pop(0)
        pool.append(array)
        return array

    def clear(self) -> None:
        """Drops the arrays of the pool."""
        for pool in self._pools.values():
            pool.clear()

    def _check(self, name: str, given: Any, dims: tuple[int, ...], dtype: np.dtype[Any], arrays: Sequence[Array]) -> None:
        """Rejects an `out` array with another shape or dtype than the result, or with memory that the run reads."""
        fits = isinstance(given, np.ndarray) and given.shape == dims and given.dtype == dtype
        if not fits or not (flags := given.flags).c_contiguous or not flags.writeable:
            what = f"{dtype_name(given)}{list(given.shape)}" if isinstance(given, np.ndarray) else type(given).__name__
            raise out_error(name, what, f"a dense writable {DType.of(dtype)}{list(dims)}")
        for array in arrays:
            if np.may_share_memory(given, array):
                raise shared_with_input(name)

    def _overlap(self, results: Sequence[Array]) -> tuple[int, int] | None:
        """The indices of two results that share memory."""
        return first_overlap(results)


def out_error(name: str, what: str, expected: str) -> RlxError:
    """The error for an `out` array that does not match the result."""
    return RlxError("RLX507", f"out[{name!r}] is {what}, expected {expected}")


def shared_with_input(name: str) -> RlxError:
    """The error for an `out` array that shares memory with an input."""
    return RlxError("RLX507", f"out[{name!r}] shares memory with an input", fix="pass an array of its own")


# -- binding: the value of each symbol, from the shapes of the arrays ------------------------------------------------


@dataclass
class BoundSizes:
    """The sizes of one run: symbol values, and name, shape and dtype of every output."""

    sizes: dict[str, int]
    outputs: list[tuple[str, tuple[int, ...], np.dtype[Any]]]


@dataclass(frozen=True)
class Binder:
    """Solves each symbol that is a full dimension of a shape, and checks all other dimensions."""

    symbols: Mapping[str, Symbol]
    assumptions: Sequence[Relation]

    def bind(self, declared: Mapping[str, Shape], given: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
        """Returns symbol values for the shapes of inputs and states; the error of a mismatch names the symbol and the inputs."""
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
                expected = evaluate(size, sizes)
                if expected == number:
                    continue
                if isinstance(size, Dim):
                    raise RlxError("RLX206", f"axis {axis} of {name!r} is {number}, but {size} is {expected} for {_list(sizes)}")
                message = f"{name!r} is declared {shape}, the array has shape {list(given[name])}"
                raise RlxError("RLX503", message, fix=f"axis {axis} must be {expected}, not {number}")
        for fact in self.assumptions:
            if not fact.holds(sizes):
                raise RlxError("RLX207", f"{fact} was assumed, but is false for {_list(sizes)}")


def check_sizes(symbols: Iterable[Symbol], given: Mapping[str, object]) -> dict[str, int]:
    """Checks symbol values passed by name: each must be known, an integer, and within its bounds.

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
