"""Host calls: a Python function as a command, for ops that have no native kernel on this device: the user's, and those that NumPy runs.

It runs on the calling thread, in schedule order; it is reported, and a program with one cannot be saved.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim, Size
from rlx.core.errors import RlxError
from rlx.ir.op import Op

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class HostStage(Stage):
    """A stage whose kernel is `function(*inputs) -> outputs` on arrays."""

    function: Callable[..., Any] | None = None
    writes: int = 1  # how many of the operands, the last ones, are results
    tensors: tuple[Tensor | None, ...] = ()
    sizes: tuple[Dim, ...] = ()
    runs_in: str = "Python"
    callback: bool = False  # the program says that it calls Python here

    def on(self, tensors: Sequence[Tensor | None], sizes: Sequence[Dim]) -> HostStage:
        """The stage with its tensors; symbolic sizes follow their addresses in the arguments."""
        return replace(self, tensors=tuple(tensors), sizes=tuple(sizes))

    def __call__(self, arguments: int, begin: int, end: int) -> None:
        """What the native loop calls: `arguments` is the address of its words."""
        present = [tensor for tensor in self.tensors if tensor is not None]
        words = np.ctypeslib.as_array((ctypes.c_int64 * (len(present) + 2 + len(self.sizes))).from_address(arguments))
        known = {size: int(words[len(present) + 2 + index]) for index, size in enumerate(self.sizes)}
        arrays: list[Array | None] = []
        pointers = iter(words)
        for tensor in self.tensors:
            arrays.append(None if tensor is None else _array(tensor, int(next(pointers)), known))
        results = arrays[len(arrays) - self.writes :]
        inputs = arrays[: len(arrays) - self.writes]
        for array in inputs:
            if array is not None:
                array.flags.writeable = False
        assert self.function is not None
        found = self.function(*inputs)
        listed = found if isinstance(found, tuple) else (found,)
        if len(listed) != len(results):
            message = f"the kernel of {self.name} returned {len(listed)} arrays, the op has {len(results)} results"
            raise self._failure(message)
        for target, value in zip(results, listed, strict=True):
            assert target is not None
            made = np.asarray(value)
            if made.shape != target.shape:
                message = f"the kernel of {self.name} returned shape {made.shape}, the result has {target.shape}"
                raise self._failure(message)
            np.copyto(target, made, casting="same_kind")

    def _failure(self, message: str) -> Exception:
        """What results of another form than the op's are."""
        return RlxError("RLX516", message, at=None) if self.callback else ValueError(message)


def _array(tensor: Tensor, address: int, known: dict[Dim, int]) -> Array:
    """The memory of a tensor as an array."""

    def number(size: Size) -> int:
        return known[size] if isinstance(size, Dim) else int(size)

    dims, strides = [number(size) for size in tensor.dims], [number(stride) for stride in tensor.strides]
    item = tensor.dtype.size
    if 0 in dims:
        return np.zeros(dims, tensor.dtype.numpy)
    reach = sum((size - 1) * abs(stride) for size, stride in zip(dims, strides, strict=True)) + 1
    low = sum((size - 1) * stride for size, stride in zip(dims, strides, strict=True) if stride < 0)
    memory = (ctypes.c_uint8 * (reach * item)).from_address(address + low * item)
    flat: Array = np.ctypeslib.as_array(memory).view(tensor.dtype.numpy)
    return as_strided(flat[-low:], dims, [stride * item for stride in strides])


def _no_code(code: KernelCode) -> None:
    raise AssertionError("a host call has no native code")


def lower_with(function: Callable[..., Any], runs_in: str = "Python") -> Lower:
    """A kernel family that calls a Python function of arrays and attributes; any layout works. `runs_in` is for the report."""

    def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
        everything = tuple(range(len(inputs) + len(outputs)))

        def call(*arrays: Array | None) -> Any:
            return function(*arrays, **op.attrs)

        asked = op.definition.calls_user
        stage = HostStage(op.name, op, everything, 1, _no_code, 0, call, len(outputs), runs_in=runs_in, callback=asked)
        return Lowering((stage,))

    return lower
