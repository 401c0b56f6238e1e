"""Reading and writing by positions known at run time: gather, take_along_axis, windows that move, scatter.

A negative index counts from the end, once; what is still outside is clamped, or filled. Indices that are to be checked are checked on
the host.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rlx.backends.cuda.elementwise import EMIT
from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Launch, Lower
from rlx.backends.cuda.kernels.movement import FlatKernel, as_words, copy_launch
from rlx.backends.cuda.register_types import carried, language_type, loaded, stored
from rlx.backends.cuda.text import KernelText, aligned_strides
from rlx.core.dim import Size, product
from rlx.core.dtype import DType
from rlx.ir.graph import dense_strides
from rlx.ir.op import Op

CHECKED = "its indices are to be checked, which the host does"


def _index(k: KernelText, operand: int, tensor: CudaTensor, positions: Sequence[str], mask: str) -> str:
    """Loads an index as an int64; unsigned ones that are too large are clamped."""
    address = f"{k.pointer(operand, tensor)} + {k.offset(positions, tensor.strides)}"
    value = f"tl.load({address} + i * 0, mask={mask}, other=0)"
    if tensor.dtype.name == "u64":
        most = "tl.full((), 9223372036854775807, tl.uint64)"
        value = f"tl.minimum({value}, {most})"
    return k.let(f"{value}.to(tl.int64)", "j")


def _resolved(k: KernelText, index: str, size: Size) -> tuple[str, str]:
    """The position of an index, clamped, and whether the index was inside."""
    n = k.size(size)
    counted = k.let(f"tl.where({index} < 0, {index} + {n}, {index})", "j")
    inside = k.let(f"({counted} >= 0) & ({counted} < {n})", "m")
    return k.let(f"tl.maximum(tl.minimum({counted}, {n} - 1), 0)", "j"), inside


def _fill_bits(dtype: DType) -> int:
    """The bits that mode `fill` reads outside: NaN, or 0."""
    plain = dtype.is_integer or dtype.is_bool or dtype.name == "f4e2m1"
    value = np.asarray(0 if plain else np.nan).astype(dtype.numpy).reshape(1)
    return int(value.view(f"u{min(dtype.size, 8)}")[0])


def _moved(flat: FlatKernel, address: str, target: str, mask: str, other: str) -> None:
    """Loads words where the mask is true, and stores all."""
    k = flat.k
    zero = f"tl.full(({flat.block},), 0, tl.int32)"
    value = k.let(f"tl.where({mask}, tl.load({address} + {zero}, mask={mask}), {other})")
    k.line(f"tl.store({target} + i, {value}, mask={flat.mask})")


def _gathered(
    op: Op, x: CudaTensor, indices: CudaTensor, y: CudaTensor, dims: Sequence[Size], axis: int, along: bool
) -> CudaLowering | str:
    """Lowers gather, or take_along_axis where every line has its own indices."""
    if op["check_bounds"]:
        return CHECKED
    words, out = as_words(x), as_words(y)
    extra = len(words.dims) - len(x.dims)  # the two words of a c128
    dims = (*dims, *words.dims[len(x.dims) :])
    flat = FlatKernel(op.name, dims, (words, indices, out))
    k, positions = flat.k, flat.positions
    size, inner = x.dims[axis], positions[len(dims) - extra :]
    if along:
        own = positions[: len(dims) - extra]
        index = _index(k, 1, replace(indices, strides=aligned_strides(indices.dims, indices.strides, y.dims)), own, flat.mask)
        strides = list(aligned_strides(x.dims, x.strides, y.dims))
        strides[axis] = x.strides[axis]
        scale = 2 if extra else 1
        strides = [stride * scale for stride in strides]
    else:
        chosen = positions[axis : axis + len(indices.dims)]
        index = _index(k, 1, indices, chosen, flat.mask)
        own = [*positions[:axis], "", *positions[axis + len(indices.dims) : len(dims) - extra]]
        strides = list(words.strides[: len(x.dims)])
    place, inside = _resolved(k, index, size)
    own = [*own[:axis], place, *own[axis + 1 :]]
    fills = op["mode"] == "fill" or (isinstance(size, int) and size == 0)
    mask = k.let(f"{flat.mask} & {inside}", "m") if fills else flat.mask
    address = f"{k.pointer(0, words)} + {k.offset([*own, *inner], (*strides, *(1,) * extra))}"
    other = f"tl.full((), {_fill_bits(x.dtype)}, {language_type(words.dtype)})"
    _moved(flat, address, k.pointer(2, out, written=True), mask, other)
    return CudaLowering((flat.launch(),))


def lower_gather(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers `gather`: slices at positions of one axis."""
    x, indices = inputs
    assert x is not None and indices is not None
    return _gathered(op, x, indices, outputs[0], outputs[0].dims, op["axis"] % len(x.dims), False)


def lower_take_along(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers `take_along_axis`: elements at positions of one axis, each line with its own."""
    x, indices = inputs
    assert x is not None and indices is not None
    return _gathered(op, x, indices, outputs[0], outputs[0].dims, op["axis"] % len(x.dims), True)


# -- windows that move ---------------------------------------------------------------------------------------------
def _window(
    k: KernelText,
    starts: Sequence[CudaTensor],
    first: int,
    axes: Sequence[int],
    whole: Sequence[Size],
    lengths: Sequence[Size],
    row: str,
) -> dict[int, str]:
    """The start of a window along each axis, clamped so that the window fits its tensor."""
    found = {}
    for place, (tensor, axis, length) in enumerate(zip(starts, axes, lengths, strict=True)):
        pointer = k.pointer(first + place, tensor)
        shift = k.offset([row], tensor.strides) if tensor.dims else "0"
        value = k.let(f"tl.load({pointer} + {shift}).to(tl.int64)", "j")
        room = k.size(whole[axis] - length)
        found[axis] = k.let(f"tl.maximum(tl.minimum({value}, {room}), 0)", "j")
    return found


def _windowed(
    name: str, x: CudaTensor, other: CudaTensor, dims: Sequence[Size], op: Op, starts: Sequence[CudaTensor], writes: bool
) -> Launch:
    """Copies the elements of a window: out of x into `other`, or from `other` into the result at x's positions."""
    axes = [axis % len(x.dims) for axis in op["axes"]]
    lengths = [dims[axis] for axis in axes]
    big, small = as_words(x), as_words(other)
    walked = (*dims, *big.dims[len(x.dims) :])
    flat = FlatKernel(name, walked, (big, small))
    k = flat.k
    first = 2 if writes else 1
    row = k.let(f"tl.where({flat.mask}, {flat.positions[0]}, 0)", "c") if any(t.dims for t in starts) else "0"
    begins = _window(k, starts, first, axes, x.dims, lengths, row)
    own = [f"({p} + {begins[axis]})" if axis in begins else p for axis, p in enumerate(flat.positions)]
    zero = f"tl.full(({flat.block},), 0, tl.int32)"
    if writes:
        source, target = k.pointer(1, small), k.pointer(2 + len(starts), big, written=True)
        value = k.let(f"tl.load({source} + {k.offset(flat.positions, small.strides)} + {zero}, mask={flat.mask})")
        k.line(f"tl.store({target} + {k.offset(own, big.strides)} + {zero}, {value}, mask={flat.mask})")
    else:
        source, target = k.pointer(0, big), k.pointer(1 + len(starts), small, written=True)
        value = k.let(f"tl.load({source} + {k.offset(own, big.strides)} + {zero}, mask={flat.mask})")
        k.line(f"tl.store({target} + i, {value}, mask={flat.mask})")
    return flat.launch()


def lower_dynamic_slice(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers `dynamic_slice`: a window of x."""
    x, *starts = inputs
    assert x is not None
    given = [start for start in starts if start is not None]
    return CudaLowering((_windowed(op.name, x, outputs[0], outputs[0].dims, op, given, False),))


def lower_dynamic_update(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers `dynamic_update_slice`: copies x, unless the result shares x's memory, then writes the window."""
    x, update, *starts = inputs
    assert x is not None and update is not None
    given = [start for start in starts if start is not None]
    (y,) = outputs
    target = len(inputs)
    whole = replace(copy_launch(x, y, (0, target), op.name), replaces=(0, 1))
    window = _windowed(op.name, y, update, update.dims, op, given, True)
    return CudaLowering((whole, window), in_place=((0, 0),))


# -- scatter -------------------------------------------------------------------------------------------------------
def _scattered(op: Op, indices: CudaTensor, updates: CudaTensor, y: CudaTensor, target: int) -> Launch:
    """Scatters: each block owns some lines and walks all indices in order, so that updates of one position combine in order."""
    axis, rank = op["axis"] % len(y.dims), len(indices.dims)
    moves = op["mode"] == "set"
    big, source = (as_words(y), as_words(updates)) if moves else (y, updates)
    extra = big.dims[len(y.dims) :]
    around = (*y.dims[:axis], *y.dims[axis + 1 :], *extra)
    flat = FlatKernel(op.name, around, (big, source), block=128)
    k, size = flat.k, y.dims[axis]
    count = k.size(product(indices.dims))
    lines, bases = k.pointer(target, big, written=True), k.pointer(2, source)
    pointer = k.pointer(1, indices)
    zero = f"tl.full(({flat.block},), 0, tl.int32)"
    positions = flat.positions
    own_strides = (*big.strides[:axis], *big.strides[axis + 1 :])
    line = k.let(f"{k.offset(positions, own_strides)} + {zero}", "o")
    walked = (*source.strides[:axis], *source.strides[axis + rank :])
    update = k.let(f"{k.offset(positions, walked)} + {zero}", "o")
    with k.block(f"for number in range(0, {count})"):
        at = k.positions("number", indices.dims) if indices.dims else []
        index = k.let(f"tl.load({pointer} + {k.offset(at, indices.strides)}).to(tl.int64)", "j")
        place, inside = _resolved(k, index, size)
        keeps = op["outside"] == "fill" or (isinstance(size, int) and size == 0)
        mask = k.let(f"{flat.mask} & {inside}", "m") if keeps else flat.mask
        shift = k.offset(at, source.strides[axis : axis + rank])
        value = k.let(
            loaded(f"tl.load({bases} + {update} + {shift}, mask={mask})", source.dtype)
            if not moves
            else f"tl.load({bases} + {update} + {shift}, mask={mask})"
        )
        address = k.let(f"{lines} + {line} + {place} * {k.size(big.strides[axis])}")
        if not moves:
            old = k.let(loaded(f"tl.load({address}, mask={mask})", big.dtype))
            value = k.let(EMIT[op["mode"]](k, [old, value], {}, big.dtype))
            value = stored(value, big.dtype)
        k.line(f"tl.store({address}, {value}, mask={mask})")
    return flat.launch()


def lower_scatter(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers scatter with updates in index order; sums and products of 16-bit floats in an f32 copy, rounded once."""
    x, indices, updates = inputs
    (y,) = outputs
    assert x is not None and indices is not None and updates is not None
    if op["check_bounds"]:
        return CHECKED
    if op["mode"] != "set" and (x.dtype.is_complex or x.dtype.category == "f8"):
        return f"scatter of {x.dtype} with mode {op['mode']!r}"
    if isinstance(product(y.dims), int) and product(y.dims) == 0:
        return CudaLowering((copy_launch(x, y, (0, 3), op.name),))
    if op["mode"] in ("add", "mul") and x.dtype.is_low_float:
        wide = CudaTensor(DType.of("f32"), y.dims, dense_strides(y.dims))
        stages = (_recast(x, wide, (0, 4)), _scattered(op, indices, updates, wide, 4), _recast(wide, y, (4, 3)))
        return CudaLowering(stages, temporaries=(wide,))
    whole = replace(copy_launch(x, y, (0, 3), op.name), replaces=(0, 1))
    return CudaLowering((whole, _scattered(op, indices, updates, y, 3)), in_place=((0, 0),))


def _recast(source: CudaTensor, target: CudaTensor, operands: tuple[int, int]) -> Launch:
    """Copies a tensor into another float type."""
    flat = FlatKernel("recast", target.dims, (source, target))
    k = flat.k
    zero = f"tl.full(({flat.block},), 0, tl.int32)"
    address = f"{k.pointer(operands[0], source)} + {k.offset(flat.positions, source.strides)} + {zero}"
    value = k.let(f"tl.load({address}, mask={flat.mask}).to({carried(target.dtype)}).to({language_type(target.dtype)})")
    into = f"{k.pointer(operands[1], target, written=True)} + {k.offset(flat.positions, target.strides)} + {zero}"
    k.line(f"tl.store({into}, {value}, mask={flat.mask})")
    return flat.launch()


LOWER: dict[str, Lower] = {
    "gather": lower_gather,
    "take_along_axis": lower_take_along,
    "dynamic_slice": lower_dynamic_slice,
    "dynamic_update_slice": lower_dynamic_update,
    "scatter": lower_scatter,
}
"""The ops of this file by name."""
