"""Random numbers: Philox words from a key, a counter and a stream, the same bits as on every device."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Lower
from rlx.backends.cuda.kernels.movement import FlatKernel
from rlx.backends.cuda.register_types import language_type
from rlx.backends.cuda.text import KernelText
from rlx.core.dim import product
from rlx.ir.op import Op
from rlx.ops.random import PHILOX_KEY_STEPS, PHILOX_MULTIPLIERS, PHILOX_ROUNDS


def _source(k: KernelText, inputs: Sequence[CudaTensor | None], row: str) -> tuple[list[str], list[str]]:
    """Key words and counter words, of a row where there are several."""
    key, counter = inputs
    assert key is not None and counter is not None
    base = f" + {row} * {k.size(key.strides[0])}" if len(key.dims) == 2 else ""
    words = [k.let(f"tl.load({k.pointer(0, key)}{base} + {index} * {k.size(key.strides[-1])})", "k") for index in range(2)]
    shift = f" + {row} * {k.size(counter.strides[0])}" if counter.dims else ""
    number = k.let(f"tl.load({k.pointer(1, counter)}{shift})", "k")
    return words, [k.let(f"{number}.to(tl.uint32)", "k"), k.let(f"({number} >> 32).to(tl.uint32)", "k")]


def _philox(k: KernelText, block: str, stream: int, key: Sequence[str], counter: Sequence[str]) -> list[str]:
    """The four words of each block."""
    zero = f"{block} * 0"
    c0, c1, c2, c3 = (block, k.let(f"{zero} + tl.full((), {stream}, tl.uint32)"), *(k.let(f"{zero} + {c}") for c in counter))
    keys = list(key)
    first, second = (k.let(f"tl.full((), {number}, tl.uint32)") for number in PHILOX_MULTIPLIERS)
    for _ in range(PHILOX_ROUNDS):
        left = k.let(f"tl.umulhi({c2}, {zero} + {second}) ^ {c1} ^ {keys[0]}")
        right = k.let(f"tl.umulhi({c0}, {zero} + {first}) ^ {c3} ^ {keys[1]}")
        c0, c1, c2, c3 = left, k.let(f"{c2} * {second}"), right, k.let(f"{c0} * {first}")
        keys = [k.let(f"{word} + tl.full((), {step}, tl.uint32)", "k") for word, step in zip(keys, PHILOX_KEY_STEPS, strict=True)]
    return [c0, c1, c2, c3]


def _turned(k: KernelText, u: str, kind: str) -> tuple[str, str]:
    """cos and sin of u turns: quarter turns come off exactly."""
    quarters = k.let(f"libdevice.rint({u} * 4.0)")
    angle = k.let(f"({u} - {quarters} * 0.25) * {2 * math.pi!r}")
    cosine, sine = k.let(f"libdevice.cos({angle})"), k.let(f"libdevice.sin({angle})")
    number = k.let(f"{quarters}.to(tl.int32)")
    swap = k.let(f"({number} & 1) == 1")
    c, s = k.let(f"tl.where({swap}, {sine}, {cosine})"), k.let(f"tl.where({swap}, {cosine}, {sine})")
    cosine = k.let(f"tl.where((({number} + 1) & 2) == 2, -{c}, {c})")
    return cosine, k.let(f"tl.where(({number} & 2) == 2, -{s}, {s})")


def _drawn(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """random_bits, random_uniform, random_normal: each element from its own lane."""
    (out,) = outputs
    rows = out.dims[: len(out.dims) - len(op["shape"])]
    flat = FlatKernel(op.name, (*rows, product(op["shape"])), outputs)
    k = flat.k
    element = flat.positions[-1]
    row = k.let(f"tl.where({flat.mask}, {flat.positions[0]}, 0)", "c") if rows else "0"
    key, counter = _source(k, inputs, row)
    place = k.let(f"({element} + tl.full(({flat.block},), 0, tl.int32))", "c")
    block = k.let(f"({place} // 4).to(tl.uint32)")
    words = _philox(k, block, op["stream"], key, counter)
    lane = k.let(f"{place} % 4")

    def chosen(a: str, b: str, c: str, d: str) -> str:
        low = f"tl.where({lane} == 0, {a}, {b})" if a != b else a
        high = f"tl.where({lane} == 2, {c}, {d})" if c != d else c
        return k.let(f"tl.where({lane} < 2, {low}, {high})")

    target = k.pointer(2, out, written=True)
    kind = "tl.float64" if out.dtype.name == "f64" else "tl.float32"

    def uniform(word: str) -> str:
        return k.let(f"({word} >> 8).to({kind}) * {2.0**-24!r}")

    if op.name == "random_bits":
        value = chosen(*words)
    elif op.name == "random_uniform":
        value = uniform(chosen(*words))
    else:
        even, odd = chosen(words[0], words[0], words[2], words[2]), chosen(words[1], words[1], words[3], words[3])
        root = "tl.sqrt" if kind == "tl.float64" else "tl.sqrt_rn"
        radius = k.let(f"{root}(-2.0 * libdevice.log(1.0 - {uniform(even)}))")
        cosine, sine = _turned(k, uniform(odd), kind)
        value = k.let(f"{radius} * tl.where(({lane} % 2) == 0, {cosine}, {sine})")
    k.line(f"tl.store({target} + i, {value}.to({language_type(out.dtype)}), mask={flat.mask})")
    return CudaLowering((flat.launch(),))


LOWER: dict[str, Lower] = dict.fromkeys(("random_bits", "random_uniform", "random_normal"), _drawn)
"""The ops of this file by name."""
