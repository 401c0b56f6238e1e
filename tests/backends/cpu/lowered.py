"""Runs one lowered op on NumPy arrays: what the kernel tests share.

    run(lower, op, arrays)                                   # all units in one call, on this machine
    run(lower, op, arrays, dims={0: ("b", "s", 64)})         # the same with symbolic sizes, bound from the arrays
    Lowered(lower, op, tensors).call(arrays, split=3)        # compiled once, called many times, units in pieces of 3

Outputs, temporaries and scratch start as garbage and have guards on both sides that must stay untouched.
"""

import ctypes
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rlx.backends.cpu.compile.codegen import compile_object, load_object
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim, Size, evaluate
from rlx.core.dtype import DType
from rlx.ir.emit import normalize
from rlx.ir.graph import dense_strides
from rlx.ir.op import OPS, Op
from tests.backends.cpu.levels import HOST, TARGETS

Array = np.ndarray[Any, Any]
SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
_GUARD = 256


def op_for(name: str, tensors: Sequence[Tensor | None], **attrs: Any) -> Op:
    """An op value with attributes made canonical for its operands, as emitting a node does."""
    return normalize(OPS[name].op(**attrs), [None if t is None else t.shape for t in tensors])


def tensor_of(array: Array | None, dims: Sequence[str | Size] | None = None) -> Tensor | None:
    """An array as a kernel sees it; names among `dims` become symbols and, if it is dense, its strides follow them."""
    if array is None:
        return None
    dtype = DType.of(array.dtype)
    strides = tuple(stride // array.itemsize for stride in array.strides) if array.size else dense_strides(array.shape)
    if dims is None:
        return Tensor(dtype, array.shape, strides)
    sizes = tuple(Dim(size, min=0) if isinstance(size, str) else size for size in dims)
    symbolic = Tensor(dtype, sizes, strides)
    dense = Tensor(dtype, array.shape, strides).is_dense
    return Tensor(dtype, sizes, dense_strides(sizes)) if dense else symbolic


class Guarded:
    """Memory with guards on both sides."""

    def __init__(self, dims: Sequence[int], dtype: Any, fill: int = 0xA5, shift: int = 0) -> None:
        dtype = np.dtype(dtype)
        size = int(np.prod(dims, dtype=np.int64)) * dtype.itemsize
        self.memory = np.full(size + 2 * _GUARD + 64, fill, np.uint8)
        self.start = _GUARD + (-self.memory.ctypes.data - _GUARD) % 64 + shift
        self.stop = self.start + size
        self.fill = fill
        self.array: Array = self.memory[self.start : self.stop].view(dtype).reshape(dims)

    def check(self, what: str) -> None:
        """The guards are untouched."""
        assert (self.memory[: self.start] == self.fill).all(), f"wrote before {what}"
        assert (self.memory[self.stop :] == self.fill).all(), f"wrote past {what}"


class _Code:
    def __init__(self, stage: Stage, tensors: Sequence[Tensor | None], target: Target) -> None:
        hash(stage.key)  # what compiled code is kept by
        module = Module(target)
        self.code = KernelCode(module, "run", tensors)
        stage.emit(self.code)
        self.object = compile_object(module.text(), target)
        self.stage = stage
        self.address: Callable[..., None] | None = None
        if target in TARGETS or target.tiles_as_loops:
            self.loaded = load_object(self.object)
            self.address = SIGNATURE(self.loaded.address("run"))


class Lowered:
    """An op lowered and compiled for some tensors; `call` runs it."""

    def __init__(
        self,
        lower: Lower,
        op: Op,
        tensors: Sequence[Tensor | None],
        target: Target | None = None,
        outputs: Sequence[Tensor] | None = None,
    ) -> None:
        self.target = target or HOST
        self.inputs = tuple(tensors)
        if outputs is None:
            outputs = [Tensor.dense(shape) for shape in op.infer([None if t is None else t.shape for t in tensors])]
        self.outputs = tuple(outputs)
        lowering = lower(op, self.inputs, self.outputs, self.target)
        assert isinstance(lowering, Lowering), lowering
        self.lowering = lowering
        known = (*self.inputs, *self.outputs, *lowering.temporaries)
        self.stages = [_Code(stage, [known[i] for i in stage.operands], self.target) for stage in lowering.stages]

    def bindings(self, arrays: Sequence[Array | None]) -> dict[str, int]:
        """The symbols' values, read off the arrays."""
        found: dict[str, int] = {}
        for tensor, array in zip(self.inputs, arrays, strict=True):
            if tensor is None or array is None:
                continue
            for size, actual in zip(tensor.dims, array.shape, strict=True):
                if isinstance(size, Dim) and size.symbol is not None:
                    assert found.setdefault(size.symbol.name, actual) == actual
                elif not isinstance(size, Dim):
                    assert size == actual, (tensor, array.shape)
        return found

    def call(
        self,
        arrays: Sequence[Array | None],
        *,
        split: int | None = None,
        threads: int = 1,
        sizes: Mapping[str, int] | None = None,
        in_place: bool = False,
        shift: int = 0,
        into: Sequence[Array] | None = None,
    ) -> list[Array]:
        """The outputs. `split`: units per kernel call, in reverse order unless the stage is ordered; `threads`: calls run side by side;
        `shift`: bytes by which results lie past a multiple of 64; `into`: arrays that take the results, instead of memory with guards."""
        bound = {**self.bindings(arrays), **(sizes or {})}
        memory = [
            Guarded([evaluate(size, bound) for size in tensor.dims], tensor.dtype.numpy, shift=shift)
            for tensor in (*self.outputs, *self.lowering.temporaries)
        ]
        if in_place:
            for source, target in self.lowering.in_place:
                array = arrays[source]
                assert array is not None
                memory[target].array[...] = array
                arrays = [memory[target].array if i == source else a for i, a in enumerate(arrays)]
        results = [guarded.array for guarded in memory[: len(self.outputs)]] if into is None else list(into)
        everything = [*arrays, *results, *(guarded.array for guarded in memory[len(self.outputs) :])]
        self.status = np.zeros(1, np.int64)
        for code in self.stages:
            self._run(code, everything, bound, split, threads)
        for index, guarded in enumerate(memory):
            guarded.check(f"result {index}")
        return results

    def _run(
        self, code: _Code, everything: Sequence[Array | None], bound: Mapping[str, int], split: int | None, threads: int
    ) -> None:
        pointers = [everything[i].ctypes.data for i in code.stage.operands if everything[i] is not None]  # type: ignore[union-attr]
        sizes = [evaluate(size, bound) for size in code.code.sizes]
        table = np.array([*pointers, self.status.ctypes.data, 7, *sizes], np.int64)
        units = evaluate(code.stage.units, bound)
        call = code.address
        assert call is not None
        step = max(1, split or units)
        pieces = [(begin, min(units, begin + step)) for begin in range(0, units, step)]
        if split and not code.stage.ordered:
            pieces.reverse()
        scratches = [Guarded([evaluate(code.stage.scratch, bound)], np.uint8, 0xFF) for _ in range(threads)]

        def work(number: int) -> None:
            for begin, end in pieces[number::threads]:
                call(table.ctypes.data, begin, end, scratches[number].array.ctypes.data)

        workers = [threading.Thread(target=work, args=(number,)) for number in range(1, threads)]
        for worker in workers:
            worker.start()
        work(0)
        for worker in workers:
            worker.join()
        for scratch in scratches:
            scratch.check("scratch")


def run(
    lower: Lower,
    op: Op,
    arrays: Sequence[Array | None],
    *,
    target: Target | None = None,
    dims: Mapping[int, Sequence[str | Size]] | None = None,
    **options: Any,
) -> list[Array]:
    """Lower, compile and call once."""
    tensors = [tensor_of(array, (dims or {}).get(index)) for index, array in enumerate(arrays)]
    return Lowered(lower, op, tensors, target).call(arrays, **options)


def assert_close(actual: Array, wanted: Array, bound: Array | float, what: str = "") -> None:
    """Within an absolute bound; NaN and infinities in the same places."""
    assert actual.shape == wanted.shape, f"{what}: {actual.shape} {wanted.shape}"
    wide = np.complex128 if np.iscomplexobj(wanted) else np.float64
    mine, yours = actual.astype(wide), wanted.astype(wide)
    special = ~np.isfinite(yours)
    np.testing.assert_array_equal(mine[special], yours[special], err_msg=what)
    error = np.abs(np.where(special, 0, mine) - np.where(special, 0, yours))
    limit = np.broadcast_to(np.asarray(bound, np.float64), error.shape)
    assert not np.isnan(mine[~special]).any(), f"{what}: NaN"
    assert (error <= limit).all(), f"{what}: off by {error.max()} where {limit.flat[error.argmax()]} is allowed"
