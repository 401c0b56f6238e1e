"""The arrays that results are written into: donated by the caller, given as `out`, or of a pool."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.aligned import aligned_empty
from rlx.core.dtype import DType
from rlx.core.errors import RlxError
from rlx.runtime.input_arrays import dtype_name, first_overlap

Array = npt.NDArray[Any]
Expected = tuple[str, tuple[int, ...], np.dtype[Any]]  # name, sizes and dtype of an output
NOTHING: Mapping[str, Array] = {}
_POOLED = 4  # results kept per output for reuse


class Results:
    """Hands out arrays for the outputs of an executable. Callers own what they get; once they drop it, it is used again."""

    def __init__(self, outputs: Iterable[str]) -> None:
        self._pools: dict[str, list[Array]] = {name: [] for name in outputs}

    def take(
        self, expected: Iterable[Expected], out: Any, arrays: Sequence[Array], donated: Mapping[str, Array] = NOTHING
    ) -> list[Array]:
        """An array for each output: the donated one it is to lie in, that of `out`, or one of the pool."""
        results = []
        if out is not None and not isinstance(out, Mapping):
            example = ", ".join(f"{name!r}: …" for name in self._pools)
            raise RlxError("RLX507", f"out is a {type(out).__name__}, not a dict by name", fix=f"out={{{example}}}")
        for name, dims, dtype in expected:
            if name in donated:
                results.append(donated[name].reshape(dims))
            elif out is not None and name in out:
                self._check(name, out[name], dims, dtype, arrays)
                results.append(out[name])
            else:
                results.append(self.pooled(name, dims, dtype))
        if out is not None and not out.keys() <= self._pools.keys():
            unknown = next(name for name in out if name not in self._pools)
            raise RlxError("RLX507", f"{unknown!r} is not an output", fix=f"the outputs: {', '.join(self._pools)}")
        if out is not None and len(results) > 1 and (shared := self._overlap(results)) is not None:
            first, second = (f"out[{list(self._pools)[place]!r}]" for place in shared)
            raise RlxError("RLX507", f"{first} and {second} share memory", fix="an array of its own for each output")
        return results

    def pooled(self, name: str, dims: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """An array nobody else holds, neither itself nor a view of its memory: one of the pool, else a new one."""
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
        """Let go of the pool."""
        for pool in self._pools.values():
            pool.clear()

    def _check(self, name: str, given: Any, dims: tuple[int, ...], dtype: np.dtype[Any], arrays: Sequence[Array]) -> None:
        """An array given for a result must be what the result is, and nobody else's."""
        fits = isinstance(given, np.ndarray) and given.shape == dims and given.dtype == dtype
        if not fits or not (flags := given.flags).c_contiguous or not flags.writeable:
            what = f"{dtype_name(given)}{list(given.shape)}" if isinstance(given, np.ndarray) else type(given).__name__
            raise not_accepted(name, what, f"a dense writable {DType.of(dtype)}{list(dims)}")
        for array in arrays:
            if np.may_share_memory(given, array):
                raise shared_with_input(name)

    def _overlap(self, results: Sequence[Array]) -> tuple[int, int] | None:
        """The indices of two results that share memory."""
        return first_overlap(results)


def not_accepted(name: str, what: str, expected: str) -> RlxError:
    """The error for an array given as `out` that is not what the result is."""
    return RlxError("RLX507", f"out[{name!r}] is {what}, expected {expected}")


def shared_with_input(name: str) -> RlxError:
    """The error for an array given as `out` that is also read."""
    return RlxError("RLX507", f"out[{name!r}] shares memory with an input", fix="pass an array of its own")
