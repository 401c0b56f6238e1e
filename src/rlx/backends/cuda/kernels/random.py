"""Random numbers: Philox words from a key, a counter and a stream, the same bits as on every device."""

from __future__ import annotations

from collections.abc import Sequence

from rlx.backends.cuda.algebra import Text, TritonAlgebra
from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Lower
from rlx.backends.cuda.kernels.movement import FlatKernel
from rlx.backends.cuda.register_types import language_type
from rlx.backends.cuda.text import KernelText
from rlx.core.dim import product
from rlx.core.dtype import DType
from rlx.formulas.random import normal_pair, philox, uniform
from rlx.ir.op import Op

_U32 = DType.of("u32")


def _source(k: KernelText, inputs: Sequence[CudaTensor | None], row: str) -> tuple[list[Text], list[Text]]:
    """Key words and counter words of a draw, of each row where there are several."""
    key, counter = inputs
    assert key is not None and counter is not None
    base = f" + {row} * {k.size(key.strides[0])}" if len(key.dims) == 2 else ""
    words = [k.let(f"tl.load({k.pointer(0, key)}{base} + {index} * {k.size(key.strides[-1])})", "k") for index in range(2)]
    shift = f" + {row} * {k.size(counter.strides[0])}" if counter.dims else ""
    number = k.let(f"tl.load({k.pointer(1, counter)}{shift})", "k")
    halves = f"{number}.to(tl.uint32)", f"({number} >> 32).to(tl.uint32)"
    return [Text(k, word, _U32) for word in words], [Text(k, word, _U32) for word in halves]


def _lower_draw(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers random_bits, random_uniform and random_normal: each element from its own Philox lane."""
    (out,) = outputs
    rows = out.dims[: len(out.dims) - len(op["shape"])]
    flat = FlatKernel(op.name, (*rows, product(op["shape"])), outputs)
    k = flat.k
    element = flat.positions[-1]
    row = k.let(f"tl.where({flat.mask}, {flat.positions[0]}, 0)", "c") if rows else "0"
    key, counter = _source(k, inputs, row)
    place = k.let(f"({element} + tl.full(({flat.block},), 0, tl.int32))", "c")
    m, block = TritonAlgebra(k, _U32), Text(k, f"({place} // 4).to(tl.uint32)", _U32)
    words = philox(m, block, op["stream"], key, counter)
    lane = Text(k, f"{place} % 4", DType.of("i32"))

    def of_lane(a: Text, b: Text, c: Text, d: Text) -> Text:
        low, high = m.select(lane == 0, a, b) if a is not b else a, m.select(lane == 2, c, d) if c is not d else c
        return m.select(lane < 2, low, high)

    target = k.pointer(2, out, written=True)
    dtype = DType.of("f64" if out.dtype.name == "f64" else "f32")
    if op.name == "random_bits":
        value = of_lane(*words)
    elif op.name == "random_uniform":
        value = uniform(m, of_lane(*words), dtype)
    else:
        even, odd = of_lane(words[0], words[0], words[2], words[2]), of_lane(words[1], words[1], words[3], words[3])
        first, second = normal_pair(m, dtype, even, odd)
        value = m.select((lane & 1) == 0, first, second)
    k.line(f"tl.store({target} + i, {value.name}.to({language_type(out.dtype)}), mask={flat.mask})")
    return CudaLowering((flat.launch(),))


LOWER: dict[str, Lower] = dict.fromkeys(("random_bits", "random_uniform", "random_normal"), _lower_draw)
"""The ops of this file by name."""
