"""Ops along one axis, line by line: running sums and products, positions of extremes, sorting by rank, searches in sorted lines."""

from __future__ import annotations

from rlx.backends.cuda.kernel_data import CudaLowering, CudaTensor, Lower
from rlx.backends.cuda.kernels.movement import FlatKernel
from rlx.backends.cuda.register_types import Folding, carried, cast, loaded, stored
from rlx.backends.cuda.text import KernelText, block_of, fits_32_bits
from rlx.core.dim import Size, ceildiv, product
from rlx.core.dtype import DType
from rlx.ir.op import Op

CHUNK = 1024
_NO_LINE = "complex numbers and floats of 8 bits have no order"


class LineKernel:
    """A kernel over lines of a tensor: some lines in a block, each walked along its axis."""

    def __init__(self, name: str, x: CudaTensor, y: CudaTensor, axis: int, lines: int) -> None:
        self.k = k = KernelText(name)
        self.axis, self.lines = axis, lines
        self.size: Size = x.dims[axis]
        self.around = (*x.dims[:axis], *x.dims[axis + 1 :])
        self.count: Size = product(self.around)
        self.index = "tl.int32" if fits_32_bits((x, y)) else "tl.int64"
        k.line(f"line = tl.program_id(0).to({self.index}) * {lines} + tl.arange(0, {lines})")
        k.line(f"in_line = line < {k.size(self.count)}")
        self.positions = k.positions("line", self.around)

    def base(self, operand: int, tensor: CudaTensor, axis: int | None, written: bool = False) -> str:
        """The pointers of the lines of an operand; `axis` is the number of its own line axis, None where it has none."""
        strides = tensor.strides if axis is None else (*tensor.strides[:axis], *tensor.strides[axis + 1 :])
        pointer = self.k.pointer(operand, tensor, written=written)
        zero = f"tl.full(({self.lines},), 0, tl.int32)"
        return self.k.let(f"{pointer} + {self.k.offset(self.positions, strides)} + {zero}", "q")


# -- running sums ----------------------------------------------------------------------------------------------------
def _cumulative(kind: str) -> Lower:
    def lower(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
        """Chunks in order, each scanned at once; what came before is carried."""
        (x,), (y,) = inputs, outputs
        assert x is not None
        if x.dtype.is_complex:
            return "running sums of complex numbers"
        axis = op["axis"] % len(x.dims)
        fold, held = Folding(kind, y.dtype), carried(y.dtype)
        chunk = block_of(x.dims[axis], CHUNK)
        lines = max(1, 1024 // chunk)
        code = LineKernel(op.name, x, y, axis, lines)
        k, n = code.k, code.k.size(code.size)
        source, target = code.base(0, x, axis), code.base(1, y, axis, written=True)
        function = fold.function(k)
        before = k.let(f"tl.full(({lines}, 1), 0, {held}) + {fold.identity}", "a")
        with k.block(f"for start in range(0, {n}, {chunk})"):
            k.line(f"step = start + tl.arange(0, {chunk}).to({code.index})")
            k.line(f"mask = in_line[:, None] & (step < {n})[None, :]")
            place = k.let(f"{n} - 1 - step" if op["reverse"] else "step", "c")
            address = f"{source}[:, None] + {place}[None, :] * {k.size(x.strides[axis])}"
            value = k.let(loaded(f"tl.load({address}, mask=mask)", x.dtype), "v")
            value = k.let(cast(k, value, x.dtype, y.dtype), "v")
            value = k.let(f"tl.where(mask, {value}, {fold.identity})", "v")
            total = k.let(f"tl.associative_scan({value}, 1, {function})", "v")
            found = k.let(fold.combined(before, total), "v")
            if op["exclusive"]:
                zero = f"tl.full(({lines}, {chunk}), 0, tl.int32)"
                into = f"{target}[:, None] + ({_next(place, op['reverse'])})[None, :] * {k.size(y.strides[axis])} + {zero}"
                k.line(f"tl.store({into}, {stored(found, y.dtype)}, mask=mask & (step < {n} - 1)[None, :])")
            else:
                into = f"{target}[:, None] + {place}[None, :] * {k.size(y.strides[axis])}"
                k.line(f"tl.store({into}, {stored(found, y.dtype)}, mask=mask)")
            k.line(f"{before} = {fold.combined(before, f'tl.reduce({value}, 1, {function}, keep_dims=True)')}")
        if op["exclusive"]:
            first = f"({n} - 1) * {k.size(y.strides[axis])}" if op["reverse"] else "0"
            empty = f"in_line & ({n} > 0)"
            identity = stored(f"(tl.full(({lines},), 0, {held}) + {fold.identity})", y.dtype)
            k.line(f"tl.store({target} + {first}, {identity}, mask={empty})")
        return CudaLowering((k.launch((ceildiv(code.count, lines),)),))

    return lower


def _next(place: str, reverse: bool) -> str:
    return f"{place} - 1" if reverse else f"{place} + 1"


# -- positions of extremes -------------------------------------------------------------------------------------------
def _ordered(dtype: DType) -> bool:
    return not (dtype.is_complex or dtype.category == "f8")


def _position(larger: bool) -> Lower:
    def lower(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
        """The first position of the largest element of a line, or of the first NaN."""
        (x,), (y,) = inputs, outputs
        assert x is not None
        if not _ordered(x.dtype):
            return _NO_LINE
        axis = op["axis"] % len(x.dims)
        dtype = DType.of("u8") if x.dtype.is_bool else x.dtype
        fold, first = Folding("max" if larger else "min", dtype), Folding("min", DType.of("i32"))
        chunk = block_of(x.dims[axis], CHUNK)
        lines = max(1, 1024 // chunk)
        code = LineKernel(op.name, x, y, axis, lines)
        k, n = code.k, code.k.size(code.size)
        source = code.base(0, x, axis)
        target = code.base(1, y, axis if op["keep_dim"] else None, written=True)
        best = k.let(f"tl.full(({lines}, 1), 0, {carried(dtype)}) + {fold.identity}", "a")
        where = k.let(f"tl.full(({lines}, 1), 2147483647, tl.int32)", "a")
        most = "tl.full((), 2147483647, tl.int32)"
        with k.block(f"for start in range(0, {n}, {chunk})"):
            k.line(f"step = (start + tl.arange(0, {chunk})).to(tl.int32)")  # also where the loop counts in 64 bits
            k.line(f"mask = in_line[:, None] & (step < {n})[None, :]")
            address = f"{source}[:, None] + step.to({code.index})[None, :] * {k.size(x.strides[axis])}"
            value = k.let(loaded(f"tl.load({address}, mask=mask)", dtype), "v")
            value = k.let(f"tl.where(mask, {value}, {fold.identity})", "v")
            top = k.let(f"tl.reduce({value}, 1, {fold.function(k)}, keep_dims=True)", "v")
            same = f"({value} == {top})" + (f" | (({value} != {value}) & ({top} != {top}))" if dtype.is_float else "")
            spots = k.let(f"tl.where(mask & ({same}), step[None, :] + tl.full(({lines}, {chunk}), 0, tl.int32), {most})")
            spot = k.let(f"tl.reduce({spots}, 1, {first.function(k)}, keep_dims=True)", "v")
            sign = ">" if larger else "<"
            better = f"({top} {sign} {best})" + (f" | (({top} != {top}) & ({best} == {best}))" if dtype.is_float else "")
            chosen = k.let(f"({better}) | ({where} == 2147483647)", "m")
            k.line(f"{where} = tl.where({chosen}, {spot}, {where})")
            k.line(f"{best} = tl.where({chosen}, {top}, {best})")
        k.line(f"tl.store({target}[:, None], {where}, mask=in_line[:, None])")
        return CudaLowering((k.launch((ceildiv(code.count, lines),)),))

    return lower


# -- sorting by rank -------------------------------------------------------------------------------------------------
def _before(a: str, b: str, dtype: DType, descending: bool) -> str:
    """Whether a sorts before b, whatever their positions: NaN is the largest."""
    first, second = (b, a) if descending else (a, b)
    less = f"({first} < {second})"
    return f"({less} | (({first} == {first}) & ({second} != {second})))" if dtype.is_float else less


def _compared(k: KernelText, expression: str, dtype: DType, total: bool) -> tuple[str, DType]:
    """A loaded value as it is compared, with its dtype: for the total order of floats, integers."""
    if not (total and dtype.is_float):
        return k.let(loaded(expression, dtype), "v"), dtype
    integer = DType.of("i64" if dtype.size == 8 else "i32")
    bits = k.let(f"{expression}.to(tl.int{8 * dtype.size}, bitcast=True).to({carried(integer)})", "v")
    return k.let(f"tl.where({bits} < 0, {bits} ^ {2 ** (8 * dtype.size - 1) - 1}, {bits})", "v"), integer


def lower_argsort(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers argsort: an element's rank is the number of those before it; equal ones keep their order, descending too."""
    (x,), (y,) = inputs, outputs
    assert x is not None
    if not _ordered(x.dtype):
        return _NO_LINE
    axis = op["axis"] % len(x.dims)
    dtype = DType.of("u8") if x.dtype.is_bool else x.dtype
    around = (*x.dims[:axis], *x.dims[axis + 1 :])
    size, block = x.dims[axis], block_of(x.dims[axis], 64)
    chunk = block_of(size, 256)
    k = KernelText(op.name)
    index = "tl.int32" if fits_32_bits((x, y)) else "tl.int64"
    n = k.size(size)
    blocks = ceildiv(size, block)
    k.line(f"line = (tl.program_id(0) // {k.size(blocks)}).to({index})")
    k.line(f"mine = (tl.program_id(0) % {k.size(blocks)}).to({index}) * {block} + tl.arange(0, {block})")
    k.line(f"in_mine = (mine < {n}) & (line < {k.size(product(around))})")
    positions = k.positions("line", around)
    out_of = k.let(f"{k.pointer(0, x)} + {k.offset(positions, (*x.strides[:axis], *x.strides[axis + 1 :]))}", "q")
    into = k.let(f"{k.pointer(1, y, written=True)} + {k.offset(positions, (*y.strides[:axis], *y.strides[axis + 1 :]))}", "q")
    step = k.size(x.strides[axis])
    own, compared = _compared(k, f"tl.load({out_of} + mine * {step}, mask=in_mine)", dtype, op["total"])
    rank = k.let(f"tl.full(({block},), 0, tl.int32)", "a")
    add = Folding("sum", DType.of("i32")).function(k)
    with k.block(f"for start in range(0, {n}, {chunk})"):
        k.line(f"other = start + tl.arange(0, {chunk}).to({index})")
        k.line(f"in_other = (other < {n}) & (line < {k.size(product(around))})")
        theirs, _ = _compared(k, f"tl.load({out_of} + other * {step}, mask=in_other)", dtype, op["total"])
        first = _before(f"{theirs}[None, :]", f"{own}[:, None]", compared, op["descending"])
        behind = _before(f"{own}[:, None]", f"{theirs}[None, :]", compared, op["descending"])
        tie = f"(({behind}) == 0) & (other[None, :] < mine[:, None])"
        counts = k.let(f"((({first}) | ({tie})) & in_other[None, :]).to(tl.int32)", "v")
        k.line(f"{rank} += tl.reduce({counts}, 1, {add})")
    k.line(f"tl.store({into} + {rank} * {k.size(y.strides[axis])}, mine.to(tl.int32), mask=in_mine)")
    return CudaLowering((k.launch((blocks * product(around),)),))


def lower_searchsorted(op: Op, inputs: tuple[CudaTensor | None, ...], outputs: tuple[CudaTensor, ...]) -> CudaLowering | str:
    """Lowers searchsorted by bisection of the line; NaN is the largest."""
    line, queries = inputs
    (y,) = outputs
    assert line is not None and queries is not None
    if not _ordered(line.dtype) or line.dtype is not queries.dtype:
        return _NO_LINE
    dtype = DType.of("u8") if line.dtype.is_bool else line.dtype
    flat = FlatKernel(op.name, queries.dims, (line, queries, y))
    k, batch = flat.k, len(line.dims) - 1
    zero = f"tl.full(({flat.block},), 0, tl.int32)"
    base = k.let(f"{k.pointer(0, line)} + {k.offset(flat.positions[:batch], line.strides[:-1])} + {zero}", "q")
    address = f"{k.pointer(1, queries)} + {k.offset(flat.positions, queries.strides)} + {zero}"
    wanted = k.let(loaded(f"tl.load({address}, mask={flat.mask})", dtype), "v")
    low, high = (k.let(f"(i * 0 + {end}).to(tl.int64)", "w") for end in ("0", k.size(line.dims[-1])))
    with k.block(
        "for _ in range(0, 48)" if not isinstance(line.dims[-1], int) else f"for _ in range(0, {line.dims[-1].bit_length()})"
    ):
        open_ = k.let(f"{flat.mask} & ({low} < {high})", "m")
        middle = k.let(f"({low} + {high}) // 2", "c")
        found = k.let(loaded(f"tl.load({base} + {middle} * {k.size(line.strides[-1])}, mask={open_})", dtype), "v")
        if op["side"] == "left":
            after = _before(found, wanted, dtype, False)
        else:
            after = f"({_before(wanted, found, dtype, False)} == 0)"
        k.line(f"{low} = tl.where({open_} & {after}, {middle} + 1, {low})")
        k.line(f"{high} = tl.where({open_} & ({after} == 0), {middle}, {high})")
    k.line(f"tl.store({k.pointer(2, y, written=True)} + i, {low}.to(tl.int32), mask={flat.mask})")
    return CudaLowering((flat.launch(),))


LOWER: dict[str, Lower] = {
    "cumsum": _cumulative("sum"),
    "cumprod": _cumulative("prod"),
    "argmax": _position(True),
    "argmin": _position(False),
    "argsort": lower_argsort,
    "searchsorted": lower_searchsorted,
}
"""The ops of this file by name."""
