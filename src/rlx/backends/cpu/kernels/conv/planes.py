"""Windows that do not mix channels: depthwise convolutions and pools, plane by plane.

    band:  the rows of x under some rows of outputs, in scratch, with their padding, converted to the type of the sums
    tile:  a few rows x a few vectors of outputs in registers; a vector of the band that was read serves every row whose window has it

With a stride along columns, the columns of a band are sorted by their remainder, so that a tap of neighboring windows is a vector.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import F32, Operand, Type, Value, Variable, type_of
from rlx.backends.cpu.kernels.conv.form import ConvForm, Finish, WindowAxis, as_planes, even_share, finish_of, window_axes
from rlx.backends.cpu.kernels.matmul.tile import multiply_add
from rlx.backends.cpu.kernels.movement.runs import index_of, offset_of
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, product
from rlx.ir.op import Op
from rlx.ops.conv.pool import border
from rlx.passes.legalize import NO_KERNEL

_BAND_BYTES = 20 << 10
"""Bytes of a band: it stays in L1 while its windows are computed."""
_LONGEST_ROW = 256
"""Outputs of a row that are computed at a time, where a row is longer."""
UNROLLED_ROWS = 11
"""Up to so many taps along rows, the code of a tile names each of them."""
_UNIT_STEPS = 20_000
"""Vector steps of a unit: about ten microseconds."""


@dataclass(frozen=True)
class PlaneWindows:
    """One depthwise convolution or pool: windows that do not mix channels."""

    kind: str
    """conv, or the kind of the pool."""
    x_type: Type
    out_type: Type
    signed: bool
    batch: Size
    channels: Size
    """Output channels."""
    repeat: int
    """Output channels of each input channel."""
    rows: WindowAxis
    columns: WindowAxis
    x_strides: tuple[Size, Size, Size]
    """Of x between images, channels and rows."""
    fill: float
    """What lies outside the image."""
    weight_type: Type | None = None
    bias_type: Type | None = None

    @property
    def sums(self) -> Type:
        """The accumulator type of a depthwise convolution or pool."""
        return F32 if self.x_type.is_low_float else self.x_type

    @property
    def taps(self) -> int:
        """Elements of a window in one plane."""
        return self.rows.kernel * self.columns.kernel


@dataclass(frozen=True)
class PlaneBlocking:
    """Sizes of tiles and bands of a depthwise convolution or pool; functions of shapes and the target only."""

    lanes: int
    vectors: int
    tile_rows: int
    band_rows: int
    """Output rows of a band, a multiple of `tile_rows`."""
    band_columns: int
    """Output columns of a band, a multiple of a tile's."""
    phase: int
    """Elements from the columns of one remainder to those of the next."""
    pitch: int
    """Elements from one row of a band to the next."""
    pieces: int
    """Bands of a unit."""

    @staticmethod
    def of(windows: PlaneWindows, target: Target) -> PlaneBlocking:
        """Choose tiles as large as registers hold, and bands as high as L1 holds."""
        rows, columns = windows.rows, windows.columns
        lanes, width = target.lanes(windows.sums), columns.outputs
        while isinstance(width, int) and lanes > 4 and width <= lanes // 2:
            lanes //= 2
        needed = -(-width // lanes) if isinstance(width, int) else 4
        vectors = max(1, min(4, needed))
        height = rows.outputs if isinstance(rows.outputs, int) else 1 << 30
        tile_rows = (
            even_share(height, (20 if target.vector_registers == 32 else 8) // vectors) if rows.kernel <= UNROLLED_ROWS else 1
        )
        tile = vectors * lanes
        band_columns = -(-min(width if isinstance(width, int) else _LONGEST_ROW, _LONGEST_ROW) // tile) * tile
        band_columns = max(band_columns, tile)
        phase = band_columns + -(-(columns.reach - 1) // columns.stride) + lanes
        pitch = -(-phase * columns.stride // lanes) * lanes + lanes
        fitting = (_BAND_BYTES // (pitch * windows.sums.size) - rows.reach) // rows.stride
        band_rows = max(1, min(fitting, height) // tile_rows) * tile_rows
        if band_rows < height <= band_rows + tile_rows:
            band_rows = -(-height // tile_rows) * tile_rows
        steps = band_rows * band_columns // lanes * windows.taps
        return PlaneBlocking(
            lanes, vectors, tile_rows, band_rows, band_columns, phase, pitch, max(1, min(16, _UNIT_STEPS // max(steps, 1)))
        )

    def band_elements(self, windows: PlaneWindows) -> int:
        """Elements of a band, and of the row that a stride's columns are sorted from."""
        return (windows.rows.span(self.band_rows) + 1) * self.pitch + self.lanes

    def scratch_bytes(self, windows: PlaneWindows) -> int:
        """Bytes of scratch: the band, then the taps of a channel."""
        return (self.band_elements(windows) + windows.taps) * windows.sums.size

    def units(self, windows: PlaneWindows) -> Size:
        """The unit count; a unit is a few bands."""
        bands = ceildiv(windows.rows.outputs, self.band_rows), ceildiv(windows.columns.outputs, self.band_columns)
        return ceildiv(product((windows.batch, windows.channels, *bands)), self.pieces)

    def leaves_rows(self, windows: PlaneWindows) -> bool:
        """Whether rows may remain after the full tiles of a band."""
        height = windows.rows.outputs
        return self.tile_rows > 1 and not (isinstance(height, int) and height % self.tile_rows == 0)


_SCRATCH_LIMIT = 4 << 20
"""Bytes of a band, where windows with a large dilation reach over many rows."""


class _Planes:
    """Emits one depthwise convolution or pool. Tensors: x, for convolutions the weight and the bias if there is one, the result."""

    def __init__(self, code: KernelCode, windows: PlaneWindows, plan: PlaneBlocking, finish: Finish | None) -> None:
        self.code, self.k, self.windows, self.plan, self.finish = code, code.code, windows, plan, finish
        self.out = code.pointer(len(code.tensors) - 1)
        self.outputs = index_of(code, windows.columns.outputs)
        self.vector = windows.sums.vector(plan.lanes)
        self.band = self.k.scratch
        self.line = self.k.pointer(self.band, windows.rows.span(plan.band_rows) * plan.pitch, windows.sums)
        self.taps = self.k.pointer(self.band, plan.band_elements(windows), windows.sums)

    def units(self) -> None:
        """Emit the units of this call: each is a few bands."""
        k, code, windows, plan = self.k, self.code, self.windows, self.plan
        bands = index_of(code, ceildiv(windows.rows.outputs, plan.band_rows))
        blocks = index_of(code, ceildiv(windows.columns.outputs, plan.band_columns))
        channels = index_of(code, windows.channels)
        total = index_of(code, windows.batch) * channels * bands * blocks
        for piece in k.range(k.begin * plan.pieces, k.minimum(k.end * plan.pieces, total)):
            column, rest = piece.urem(blocks) * plan.band_columns, piece.udiv(blocks)
            row, plane = rest.urem(bands) * plan.band_rows, rest.udiv(bands)
            self._piece(plane.udiv(channels), plane.urem(channels), plane, row, column)

    def _piece(self, image: Value, channel: Value, plane: Value, row: Value, column: Value) -> None:
        k, code, windows, plan = self.k, self.code, self.windows, self.plan
        source = channel if windows.repeat == 1 else channel.udiv(windows.repeat)
        x = k.pointer(code.pointer(0), offset_of(code, [image, source], windows.x_strides[:2]), windows.x_type)
        height = k.minimum(index_of(code, windows.rows.outputs) - row, plan.band_rows)
        width = k.minimum(index_of(code, windows.columns.outputs) - column, plan.band_columns)
        self._copy_band(x, row, column, height)
        start = self._start(channel)
        first = (plane * index_of(code, windows.rows.outputs) + row) * self.outputs + column
        in_tiles = height.udiv(plan.tile_rows) * plan.tile_rows
        for block in k.range(0, width, plan.vectors * plan.lanes):
            for top in k.range(0, in_tiles, plan.tile_rows):
                self._tile(plan.tile_rows, top, block, start, channel, first + top * self.outputs + block, width - block)
            if plan.leaves_rows(windows):
                for top in k.range(in_tiles, height):
                    self._tile(1, top, block, start, channel, first + top * self.outputs + block, width - block)

    def _start(self, channel: Value) -> Value:
        """The initial sums of a channel: its bias, or the identity. The taps of the channel are converted to the accumulator type."""
        k, code, windows = self.k, self.code, self.windows
        if windows.weight_type is not None:
            weight = k.pointer(code.pointer(1), channel * windows.taps, windows.weight_type)
            if windows.weight_type == windows.sums:
                self.taps = weight
            else:
                for tap in k.range(windows.taps):
                    k.store(k.convert(k.load(weight, tap, windows.weight_type), windows.sums), self.taps, tap)
        if windows.bias_type is not None:
            bias = k.load(code.pointer(2), channel, windows.bias_type)
            return k.splat(k.convert(bias, windows.sums), self.plan.lanes)
        return k.constant(windows.fill, self.vector)

    # -- the band
    def _copy_band(self, x: Value, row: Value, column: Value, height: Value) -> None:
        """Copy the rows of x under a band, with padding; with a stride, columns are sorted by remainder."""
        k, code, windows, plan = self.k, self.code, self.windows, self.plan
        rows, columns = windows.rows, windows.columns
        top, left = row * rows.stride - rows.padding, column * columns.stride - columns.padding
        count = (height - 1) * rows.stride + rows.reach
        length = k.index(columns.span(plan.band_columns))
        first, last = columns.valid(code, left, length)
        above, below = rows.valid(code, top, count)
        for line in k.range(above, below):
            target = k.pointer(self.band, line * plan.pitch, windows.sums)
            line_target = self.line if columns.stride > 1 else target
            source = k.pointer(x, (top + line) * code.size(windows.x_strides[2]) + left, windows.x_type)
            self._copy_line(source, line_target, first, last)
            if columns.stride > 1:
                self._sort_line(line_target, target)
        for part in ((k.index(0), above), (below, count)):
            for line in k.range(*part):
                self._fill(k.pointer(self.band, line * plan.pitch, windows.sums), k.index(0), plan.pitch)

    def _copy_line(self, source: Value, target: Value, first: Value, last: Value) -> None:
        """Copy the elements [first, last) of a line from x, and fill the others. Stores may touch a vector past the line."""
        k, windows, plan = self.k, self.windows, self.plan
        stored = windows.x_type.vector(plan.lanes)
        length = windows.columns.span(plan.band_columns)
        self._fill(target, k.index(0), first)
        vectors_end = first + (last - first) // plan.lanes * plan.lanes
        for at in k.range(first, vectors_end, plan.lanes):
            k.store(self._widen(k.load(source, at, stored)), target, at)
        for at in k.range(vectors_end, last, plan.lanes):
            value = self._widen(k.load_masked(source, at, last - at, stored))
            if windows.fill != 0:
                value = k.select(k.lane_mask(last - at, plan.lanes), value, k.constant(windows.fill, self.vector))
            k.store(value, target, at)
        self._fill(target, vectors_end + k.select(last > vectors_end, plan.lanes, 0), length)

    def _fill(self, target: Value, start: Value, stop: Operand) -> None:
        k = self.k
        for at in k.range(start, stop, self.plan.lanes):
            k.store(k.constant(self.windows.fill, self.vector), target, at)

    def _widen(self, value: Value) -> Value:
        return self.k.convert(value, self.windows.sums) if value.type.element != self.windows.sums else value

    def _sort_line(self, source: Value, target: Value) -> None:
        """Store element e of a line as element e // stride of the columns of remainder e % stride."""
        k, plan, stride = self.k, self.plan, self.windows.columns.stride
        elements = -(-self.windows.columns.span(plan.band_columns) // stride)
        for at in k.range(0, elements, plan.lanes):
            if stride == 2:
                low, high = (k.load(source, at * 2 + half * plan.lanes, self.vector) for half in range(2))
                sorted_ = [k.shuffle(low, high, range(phase, 2 * plan.lanes, 2)) for phase in range(2)]
            else:
                sorted_ = [k.gather_strided(source, at * stride + phase, stride, self.vector) for phase in range(stride)]
            for phase, value in enumerate(sorted_):
                k.store(value, target, at + phase * plan.phase)

    # -- tiles
    def _tile(self, count: int, top: Value, block: Value, start: Value, channel: Value, element: Value, width: Value) -> None:
        """Compute a tile of `count` rows of outputs from row `top` of the band, starting at an element of the result."""
        k, windows, plan = self.k, self.windows, self.plan
        rows, columns = windows.rows, windows.columns
        sums = [[k.var(start) for _ in range(plan.vectors)] for _ in range(count)]
        base = k.pointer(self.band, top * (rows.stride * plan.pitch) + block, windows.sums)
        for tap in k.range(columns.kernel):
            offset = tap * columns.dilation
            column = offset.udiv(columns.stride) + offset.urem(columns.stride) * plan.phase
            if rows.kernel <= UNROLLED_ROWS:
                self._column_of_taps(k.pointer(base, column, windows.sums), tap, sums)
            else:
                for i in k.range(rows.kernel):
                    line = k.pointer(base, column + i * (rows.dilation * plan.pitch), windows.sums)
                    weight = self._weight(i * columns.kernel + tap)
                    for number, row in enumerate(sums):
                        self._step(line, number * rows.stride, weight, row)
        for number, row in enumerate(sums):
            for v, total in enumerate(row):
                at = element + self.outputs * number + v * plan.lanes
                self._finish(total.get(), channel, at, width - v * plan.lanes)

    def _column_of_taps(self, base: Value, tap: Value, sums: list[list[Variable]]) -> None:
        """Apply one column of the window's taps: each line of the band is used by all rows whose windows contain it."""
        rows, columns = self.windows.rows, self.windows.columns
        weights = [self._weight(tap + i * columns.kernel) for i in range(rows.kernel)]
        for line in range(rows.span(len(sums))):
            meets = [(line - number * rows.stride, row) for number, row in enumerate(sums)]
            meets = [(i // rows.dilation, row) for i, row in meets if 0 <= i < rows.reach and i % rows.dilation == 0]
            values = self._read(base, line) if meets else []
            for i, row in meets:
                for value, total in zip(values, row, strict=True):
                    total.set(self._combine(weights[i], value, total.get()))

    def _step(self, base: Value, line: int, weight: Value | None, row: list[Variable]) -> None:
        for value, total in zip(self._read(base, line), row, strict=True):
            total.set(self._combine(weight, value, total.get()))

    def _read(self, base: Value, line: int) -> list[Value]:
        plan = self.plan
        return [self.k.load(base, line * plan.pitch + v * plan.lanes, self.vector) for v in range(plan.vectors)]

    def _weight(self, tap: Value) -> Value | None:
        if self.windows.weight_type is None:
            return None
        return self.k.splat(self.k.load(self.taps, tap, self.windows.sums), self.plan.lanes)

    def _combine(self, weight: Value | None, value: Value, total: Value) -> Value:
        k, kind = self.k, self.windows.kind
        if weight is not None:
            return multiply_add(k, weight, value, total)
        if kind in ("sum", "mean"):
            return total + value
        if self.windows.sums.is_float or self.windows.signed:
            return k.maximum(value, total) if kind == "max" else k.minimum(value, total)
        return k.unsigned_maximum(value, total) if kind == "max" else k.unsigned_minimum(value, total)

    def _finish(self, total: Value, channel: Value, element: Value, count: Value) -> None:
        """Store the first `count` lanes of a finished vector; a plain store where that is all lanes."""
        k, windows, plan = self.k, self.windows, self.plan
        if windows.kind == "mean":
            total = total * (1 / windows.taps)
        if self.finish is not None:
            total = self.finish(total, channel, element, count)
        value = k.convert(total, windows.out_type) if windows.out_type != total.type.element else total
        if isinstance(windows.columns.outputs, int) and windows.columns.outputs % (plan.vectors * plan.lanes) == 0:
            k.store(value, self.out, element)
            return
        with k.when(count >= plan.lanes):
            k.store(value, self.out, element)
        with k.otherwise():
            k.store_masked(value, self.out, element, count)


# -- lowering ---------------------------------------------------------------------------------------------------
def _lowering(
    name: str, key: Op, windows: PlaneWindows, operands: tuple[int, ...], target: Target, form: ConvForm | None = None
) -> Lowering | str:
    plan = PlaneBlocking.of(windows, target)
    scratch = plan.scratch_bytes(windows)
    if scratch > _SCRATCH_LIMIT:
        return NO_KERNEL

    def emit(code: KernelCode) -> None:
        _Planes(code, windows, plan, None if form is None else finish_of(code, form)).units()

    return Lowering((Stage(name, (name, windows, key), operands, plan.units(windows), emit, scratch),))


def _x_strides(x: Tensor) -> tuple[Size, Size, Size] | str:
    if not (isinstance(x.strides[-1], int) and x.strides[-1] == 1):
        return "columns with gaps"
    return x.strides[0], x.strides[1], x.strides[-2] if len(x.dims) == 4 else 0


def lower_depthwise(op: Op, form: ConvForm, inputs: tuple[Tensor | None, ...], out: Tensor, target: Target) -> Lowering | str:
    """Lower a depthwise convolution: its groups have one input channel each."""
    x, w, bias = inputs[form.x], inputs[form.w], None if form.bias is None else inputs[form.bias]
    assert x is not None and w is not None
    axes = as_planes(window_axes(form.op, x.dims[2:], out.dims[2:]))
    strides = _x_strides(x)
    if axes is None:
        return NO_KERNEL
    if isinstance(strides, str):
        return strides
    if not w.is_dense or (bias is not None and not bias.is_dense):
        return "a weight with gaps"
    channels, groups = w.dims[0], form.op.attrs["groups"]
    if not isinstance(channels, int) or not channels:
        return NO_KERNEL
    windows = PlaneWindows(
        "conv",
        type_of(x.dtype.name),
        type_of(out.dtype.name),
        True,
        x.dims[0],
        channels,
        channels // groups,
        *axes,
        strides,
        0,
        type_of(w.dtype.name),
        None if bias is None else type_of(bias.dtype.name),
    )
    operands = (*form.operands(form.x, form.w), len(inputs))
    return _lowering(form.name("depthwise_conv"), op, windows, operands, target, form)


def lower_pool(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower a pool with windows over one or two axes; windows as large as the image are left to reductions."""
    (x,), out = inputs, outputs[0]
    assert x is not None
    axes = as_planes(window_axes(op, x.dims[2:], out.dims[2:]))
    if axes is None or all(axis.kernel == axis.size for axis in axes if axis.kernel > 1):
        return NO_KERNEL
    strides = _x_strides(x)
    if isinstance(strides, str):
        return strides
    kind = op.attrs["kind"]
    windows = PlaneWindows(
        kind,
        type_of(x.dtype.name),
        type_of(out.dtype.name),
        x.dtype.category != "uint",
        x.dims[0],
        x.dims[1],
        1,
        *axes,
        strides,
        border(kind, x.dtype),
    )
    return _lowering(f"{kind}_pool", op, windows, (0, 1), target)


LOWER: dict[str, Lower] = {"pool": lower_pool}
"""The ops of this file by name."""
