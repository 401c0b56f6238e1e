"""Inputs and results of runs on a device with memory of its own: what is there is used as it is, the rest is uploaded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from rlx.backends.base import DeviceArrays, Placed
from rlx.core.device_array import DeviceArray
from rlx.core.dtype import DType
from rlx.core.errors import check_is
from rlx.core.shape import Shape
from rlx.core.sharding import Mesh, P, ShardingTable, preset_table
from rlx.runtime.run_arrays import GivenInputs, Results, donation_error, dtype_name, out_error, placed, shared_with_input
from rlx.runtime.session import Session


class DeviceInputs(GivenInputs):
    """The declared inputs of an executable on a device with its own memory; `take` uploads them."""

    def __init__(self, declared: Mapping[str, Shape], arrays: DeviceArrays) -> None:
        super().__init__(declared)
        self._arrays = arrays

    def take(self, inputs: Any) -> list[Placed]:
        """Returns device arrays in declared order, each of the declared dtype."""
        if not isinstance(inputs, Mapping):
            raise self._not_by_name(inputs)
        arrays = [self._place(name, inputs) for name in self._dtypes]
        if len(inputs) != len(arrays):
            raise self._unknown(inputs)
        return arrays

    def _place(self, name: str, inputs: Mapping[str, Any]) -> Placed:
        """Returns the passed array if it is on the device already, else uploads it."""
        array = placed(inputs.get(name), self._arrays, f"input {name!r}")
        if array is None:
            return self._arrays.upload(self._accept(name, inputs))
        self._check_dtype(name, array)
        return array

    def donated(
        self, inputs: Mapping[str, Any], arrays: Sequence[Placed], names: Any, states: Sequence[Placed]
    ) -> dict[str, Placed]:
        """The arrays whose memory may be reused for results; uploaded copies belong to this run."""
        donated: dict[str, Placed] = {}
        for name, index in self._places(names):
            others = [*arrays[:index], *arrays[index + 1 :], *states]
            if any(self._arrays.shares(arrays[index], other) for other in others):
                raise donation_error(name, "shares memory with another input or a state")
            if not isinstance(inputs[name], (DeviceArray, np.ndarray)):
                raise donation_error(name, f"is {type(inputs[name]).__name__}, not an array of this device")
            donated[name] = arrays[index]
        return donated


class DeviceResults(Results):
    """Allocates device arrays for results; dropping an array returns its memory to the device."""

    def __init__(self, outputs: Iterable[str], arrays: DeviceArrays) -> None:
        super().__init__(outputs)
        self._arrays = arrays

    def pooled(self, name: str, dims: tuple[int, ...], dtype: np.dtype[Any]) -> Placed:
        """Allocates a new device array."""
        return self._arrays.empty(dims, DType.of(dtype))

    def _check(self, name: str, given: Any, dims: tuple[int, ...], dtype: np.dtype[Any], arrays: Sequence[Placed]) -> None:
        """Rejects an `out` array that is on another device, has another shape or dtype, or shares memory with an input."""
        is_mine = isinstance(given, DeviceArray) and given.arrays is self._arrays
        if not is_mine or given.shape != dims or given.dtype != dtype:
            what = type(given).__name__
            if isinstance(given, (np.ndarray, DeviceArray)):
                where = given.device if isinstance(given, DeviceArray) else "the host"
                what = f"{dtype_name(given)}{list(given.shape)} on {where}"
            raise out_error(name, what, f"{DType.of(dtype)}{list(dims)} on {self._arrays.name}")
        if any(self._arrays.shares(given, array) for array in arrays):
            raise shared_with_input(name)

    def _overlap(self, results: Sequence[Placed]) -> tuple[int, int] | None:
        pairs = combinations(range(len(results)), 2)
        return next((pair for pair in pairs if self._arrays.shares(*(results[index] for index in pair))), None)


# -- sessions over a mesh of devices: how a module's params are cut, from a table or a preset ------------------------


def module_sharding(module: Any) -> Mapping[str, P] | str | None:
    """The sharding that `module.shard(…)` stored."""
    sharding: Mapping[str, P] | str | None = getattr(module, "sharding", None)
    return sharding


def mesh_session(
    device: str | None, mesh: Mesh | None, sharding: Mapping[str, P] | str | None, params: Mapping[str, Sequence[Any]]
) -> Session:
    """A session on one device, or over a mesh with the params sharded as `sharding` says.

    >>> mesh_session(None, None, None, {})
    <Session on cpu: 0 params, 0 states, 0 of them not set>
    """
    if mesh is None:
        return Session("cpu" if device is None else device)
    check_is(mesh, Mesh, "RLX406", "mesh", "rlx.Mesh((2, 4), ('data', 'model'))")
    if isinstance(sharding, str):
        static = {name: tuple(dims) for name, dims in params.items() if all(isinstance(size, int) for size in dims)}
        sharding = preset_table(sharding, mesh, static)
    return Session("xla" if device is None else device, sharding=ShardingTable(mesh, sharding or {}))
