"""The integer product kernels alone, on one thread and in CPU time, each round beside a plain read of the same bytes.

    python -m bench.packed_kernels                      # every type
    python -m bench.packed_kernels Q4_K Q8_0 --seconds 5
    RLX_CPU=x86_64-avx2 python -m bench.packed_kernels IQ2_S

CPU time does not see other processes take the core; what they take of the memory's speed, the read loop loses as well.
"""

from __future__ import annotations

import argparse
import ctypes
import time
from collections.abc import Callable

import numpy as np

from rlx.backends.cpu.compile.codegen import compile_object, load_object
from rlx.backends.cpu.emit.builder import Module
from rlx.backends.cpu.emit.kernel import KernelCode, Lowering, Tensor
from rlx.backends.cpu.emit.values import I8, I64, PTR
from rlx.backends.cpu.kernels import KERNELS
from rlx.backends.cpu.kernels.quantized.stored_words import NUMBERS
from rlx.backends.registry import find_backend
from rlx.core.quant_scheme import QuantScheme
from rlx.core.shape import Shape
from rlx.ir.op import OPS
from rlx.layouts.stored_rows import StoredRows

SIZE = 4096
TARGET = find_backend("cpu").target  # type: ignore[attr-defined]
"""This machine, or the level that RLX_CPU names."""
ROTATED_BYTES = 80 << 20
_SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
Call = Callable[[np.ndarray], None]  # on the bytes of a weight


def aligned(count: int, fill: int) -> np.ndarray:
    """Bytes that start on a cache line."""
    room = np.full(count + 64, fill, np.uint8)
    return room[-room.ctypes.data % 64 :][:count]


def native(module: Module, units: int, scratch: int, first: np.ndarray, out: np.ndarray, more: int = 0) -> Call:
    """A kernel of (first, second, out, number) as a call on the second, the weight."""
    loaded = load_object(compile_object(module.text(), module.target))
    function, room = _SIGNATURE(loaded.address("run")), aligned(scratch + 64, 0)

    def call(weight: np.ndarray) -> None:
        arguments = (ctypes.c_int64 * 8)(first.ctypes.data, weight.ctypes.data, out.ctypes.data, more)
        function(ctypes.addressof(arguments), 0, units, room.ctypes.data)

    call.kept = (loaded, first, out, room)  # type: ignore[attr-defined]
    return call


def activations(rows: int, far: float) -> np.ndarray:
    """Ordinary numbers, and a share of blocks of 32 with one ten times as large: those get second bytes."""
    random = np.random.default_rng(0)
    x = random.standard_normal((rows, SIZE)).astype(np.float32)
    x.reshape(rows, -1, 32)[..., 5] *= np.where(random.random((rows, SIZE // 32)) < far, 10, 1)
    return x


def product(name: str, rows: int, columns: int, far: float) -> Call:
    """The second command of `packed_matmul`, on rows rounded by the first."""
    scheme, target = QuantScheme.gguf(name), TARGET
    row = SIZE // scheme.block_size() * scheme.block_bytes()
    layout = StoredRows(scheme.detail)
    (packed,) = OPS["pack"].op(layout=layout).infer((Shape((columns, row), "u8"),))
    inputs = (Tensor.dense(Shape((rows, SIZE), "f32")), Tensor.dense(packed))
    op = OPS["packed_matmul"].op(layout=layout, n=columns, exact=False)
    outputs = tuple(Tensor.dense(shape) for shape in op.infer([tensor.shape for tensor in inputs]))
    lowering = KERNELS[op.name](op, inputs, outputs, target)
    assert isinstance(lowering, Lowering)
    known = (*inputs, *outputs, *lowering.temporaries)
    rounded = aligned(int(lowering.temporaries[0].shape.num_elements), 0)
    modules = [Module(target) for _ in lowering.stages]
    for module, stage in zip(modules, lowering.stages, strict=True):
        stage.emit(KernelCode(module, "run", [known[i] for i in stage.operands]))
    rounding, multiply = lowering.stages
    native(modules[0], int(rounding.units), 0, activations(rows, far), rounded)(rounded)
    return native(modules[1], int(multiply.units), int(multiply.scratch), rounded, np.empty((rows, columns), np.float32))


def reading(count: int) -> Call:
    """All bytes of a weight, by vectors."""
    module = Module(TARGET)
    k = module.kernel("run")
    wide = I64.vector(4)
    sums = [k.var(0, wide) for _ in range(8)]
    for at in k.range(0, k.argument(3), 256):
        for place, total in enumerate(sums):
            total.set(total.get() | k.load(k.pointer(k.argument(1, PTR), at + 32 * place, I8), 0, wide, align=32))
    for place, total in enumerate(sums):
        k.store(total.get(), k.argument(2, PTR), 4 * place)
    return native(module, 1, 0, aligned(64, 0), np.empty(32, np.int64), count // 256 * 256)


def best(calls: list[Call], weights: list[np.ndarray], seconds: float) -> list[float]:
    """The least CPU time of each call on all weights, turn by turn."""
    found, end = [np.inf] * len(calls), time.monotonic() + seconds
    while time.monotonic() < end:
        for index, call in enumerate(calls):
            start = time.thread_time()
            for weight in weights:
                call(weight)
            found[index] = min(found[index], time.thread_time() - start)
    return found


def main() -> None:
    """A line for each type."""
    parser = argparse.ArgumentParser(prog="python -m bench.packed_kernels", description=__doc__.partition("\n")[0])
    parser.add_argument("types", nargs="*", default=list(NUMBERS), help="GGUF types; all of them when none is named")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each type and number of rows")
    parser.add_argument("--far", type=float, default=0.0, help="share of the activations' blocks that need second bytes")
    options = parser.parse_args()
    print(f"{'type':8} {'one row':>12} {'read loop':>12} {'':>5}   {'128 rows':>14}")
    for name in options.types:
        scheme = QuantScheme.gguf(name)
        size = SIZE * SIZE // scheme.block_size() * scheme.block_bytes()
        weights = [aligned(size, 0x3C) for _ in range(-(-ROTATED_BYTES // size))]
        one, read = best([product(name, 1, SIZE, options.far), reading(size)], weights, options.seconds)
        few = aligned(size // SIZE * 64, 0x3C)  # 64 columns stay in the cache
        (many,) = best([product(name, 128, 64, options.far)], [few], options.seconds / 2)
        rates = [size * len(weights) / seconds * 1e-9 for seconds in (one, read)]
        flops = 2 * 128 * SIZE * 64 / many * 1e-9
        print(f"{name:8} {rates[0]:7.1f} GB/s {rates[1]:7.1f} GB/s {rates[0] / rates[1]:5.0%}   {flops:6.0f} GFLOP/s", flush=True)


if __name__ == "__main__":
    main()
