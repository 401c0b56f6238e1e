"""Inputs passed by callers: arrays as declared, or values that convert to one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.backends.base import DeviceArrays
from rlx.core.aligned import LINE, as_array, in_dtype
from rlx.core.device_array import DeviceArray
from rlx.core.dtype import DType
from rlx.core.errors import RlxError, check_names, did_you_mean
from rlx.core.shape import Shape
from rlx.ir.value import Value

# -- where a given array lies: on the device already, or to be uploaded ----------------------------------------------


def placed(value: Any, arrays: DeviceArrays, what: str) -> Any | None:
    """A value that needs no upload: an array of the device, or of another library in its memory; None for everything else.

    An array of another device is RLX515: it would go through the host, which is the caller's to decide.
    """
    if isinstance(value, DeviceArray):
        if value.arrays is not arrays:
            raise elsewhere(value, "in host memory" if arrays.is_host else f"on {arrays.name!r}", what)
        return value
    if isinstance(value, (np.ndarray, np.generic)) or not hasattr(value, "__dlpack__"):
        return None
    return arrays.from_dlpack(value)


def elsewhere(value: DeviceArray, expected: str, what: str) -> RlxError:
    """The error for an array of another device."""
    message = f"{what} is an array on {value.device!r}, expected one {expected}"
    return RlxError("RLX515", message, fix="np.asarray(array) copies it to the host")


Array = npt.NDArray[Any]


class GivenInputs:
    """The declared inputs of an executable; `take` accepts values for them."""

    def __init__(self, declared: Mapping[str, Shape]) -> None:
        self._declared = declared
        self._dtypes = {name: shape.dtype.numpy for name, shape in declared.items()}

    def take(self, inputs: Any) -> list[Array]:
        """Arrays in declared order, each of the declared dtype, dense."""
        if not isinstance(inputs, Mapping):
            raise self._not_by_name(inputs)
        arrays = []
        for name, dtype in self._dtypes.items():
            value = inputs.get(name)
            if type(value) is not np.ndarray or value.dtype is not dtype or not value.flags.c_contiguous:
                value = self._accepted(name, inputs)
            arrays.append(value)
        if len(inputs) != len(arrays):
            raise self._unknown(inputs)
        return arrays

    def donated(self, inputs: Mapping[str, Any], arrays: Sequence[Array], names: Any, states: Sequence[Array]) -> dict[str, Array]:
        """The arrays whose memory may be reused for results, or an error; `arrays` are all inputs after `take`."""
        found: dict[str, Array] = {}
        for name, place in self._places(names):
            array = inputs[name]
            others = [*arrays[:place], *arrays[place + 1 :], *states]
            if array is not arrays[place]:
                raise not_donated(name, f"is {type(array).__name__}, not a dense array that is used without a copy")
            why_not = why_not_donated(array, others)
            if why_not is not None:
                raise not_donated(name, why_not)
            found[name] = array
        return found

    def _places(self, names: Any) -> Iterator[tuple[str, int]]:
        """The donated inputs, each with its place in declared order."""
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

    def _accepted(self, name: str, inputs: Mapping[str, Any]) -> Array:
        """A value converted to a dense array of the declared dtype, or an error."""
        shape = self._declared[name]
        if name not in inputs:
            alike = next((given for given in inputs if given not in self._dtypes and did_you_mean(given, [name])), None)
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
        """NumPy scalars, DLPack and __array__ objects, Python numbers and lists in the declared dtype."""
        if isinstance(value, (bool, int, float, complex, list, tuple)) and not isinstance(value, np.generic):
            return in_dtype(value, self._declared[name].dtype, f"input {name!r}")
        if isinstance(value, Value):
            message = f"input {name!r} is {value!r}, a value of a graph"
            raise RlxError("RLX504", message, fix="build the graph first, then run it on arrays")
        if isinstance(value, DeviceArray):
            raise elsewhere(value, "in host memory", f"input {name!r}")
        return as_array(value, f"input {name!r}")


def why_not_donated(array: Array, others: Sequence[Array]) -> str | None:
    """Why results cannot be written into a dense array beside others; None if they can."""
    if not array.flags.writeable:
        return "is read-only"
    if not _is_whole(array):
        return "is a view of a larger array"
    if any(np.may_share_memory(array, other) for other in others):
        return "shares memory with another input or a state"
    return None


def _is_whole(array: Array) -> bool:
    """Whether an array covers its whole allocation, except for alignment: nobody has another part of it."""
    owner: object = array if array.base is None else array.base
    if not isinstance(owner, np.ndarray) or not owner.flags.owndata:
        return False
    return owner.nbytes - array.nbytes in ((0, LINE) if owner.dtype == np.uint8 else (0,))


def not_donated(name: str, why: str) -> RlxError:
    """The error for an input whose memory cannot be reused."""
    return RlxError(
        "RLX507", f"the donated input {name!r} {why}", fix="donate a dense writable array with its own memory, or do not donate it"
    )


def first_overlap(arrays: Sequence[Array]) -> tuple[int, int] | None:
    """The indices of two dense arrays that share memory, in memory order."""
    spans = sorted((array.ctypes.data, place, array.nbytes) for place, array in enumerate(arrays) if array.nbytes)
    for (start, first, size), (following, second, _) in pairwise(spans):
        if following < start + size:
            return min(first, second), max(first, second)
    return None


def dtype_name(array: Any) -> str:
    """RLX's name, or NumPy's if RLX has no such type."""
    try:
        return str(DType.of(array.dtype))
    except RlxError:
        return str(array.dtype)
