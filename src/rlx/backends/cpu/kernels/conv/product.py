"""Convolutions that mix channels, as matrix products: panels of the weight times panels of patches.

    out[image, channel, window]  =  bias[channel] + Σ over inner  weight[channel, inner] · patches[inner, (image, window)]

Both operands are panels, `[inner, width]` with `width` channels or windows side by side. Usually windows are the lanes of vectors, counted
over all images, so that small images share a panel. Where so few windows there are that they leave lanes idle, channels are the lanes
(`swapped`), image by image, and sums are transposed at the end. A unit is a block of channels x windows with its complete sum: the
assignment of units to threads cannot change a bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.values import F32, I8, Type, Value
from rlx.backends.cpu.kernels.conv.form import Finish, even_share
from rlx.backends.cpu.kernels.conv.patches import PatchPacking, PatchSource
from rlx.backends.cpu.kernels.matmul.blocking import panel_width
from rlx.backends.cpu.kernels.matmul.tile import DEPTH_STEP, Prefetch, Tile, product_tile
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv

_BLOCK_ROWS = 256
_BLOCK_PANELS = 8
_LEAST_ROWS = 32
"""Channels of a unit that packs patches itself, for each run in a panel: with fewer, the same patches would be packed too often."""
_LEAST_UNITS = 8
"""Units for which even pairs of panels, which share what is read of the weight, are taken apart."""
_UNIT_WORK = 1_500_000
"""Multiplications of a unit that is worth its overhead: about 15 microseconds."""
_UNITS_LIMIT = 32
_AHEAD_BYTES = 5 << 19
"""Bytes of patches that are packed by a command of their own, if several units would pack the same ones."""
_IDLE_LANES = 1.08
"""Lanes over windows from which on channels become the lanes."""


@dataclass(frozen=True)
class ConvProduct:
    """One convolution as a matrix product of a weight and patches."""

    source: PatchSource
    batch: Size
    groups: int
    rows: int
    """Output channels of a group."""
    channels: int
    """Input channels of a group."""
    out_type: Type
    bias_type: Type | None

    @property
    def sums(self) -> Type:
        """The accumulator type of the convolution."""
        return F32 if self.source.kind.is_low_float else self.source.kind

    @property
    def inner(self) -> int:
        """Terms of a sum: input channels of a group times taps."""
        return self.channels * self.source.taps

    @property
    def windows(self) -> Size:
        """Windows of all images."""
        return self.batch * self.source.positions


@dataclass(frozen=True)
class ConvBlocking:
    """Tile and block sizes of a convolution as a product: functions of shapes and the target only."""

    width: int
    """Channels or windows of a panel: two vectors."""
    tile_rows: int
    swapped: bool
    """Whether channels are the lanes, and windows the rows of a tile."""
    ahead: bool
    """Whether patches are packed by a command of their own."""
    channel_panels: int
    """Panels of the weight in a unit."""
    window_panels: int
    """Panels of patches in a unit."""
    chunk: int
    """Input channels whose patches are multiplied at a time: their panel stays in L1."""

    @staticmethod
    def of(conv: ConvProduct, target: Target) -> ConvBlocking:
        """Choose blocks for the caches, smaller where that gives threads enough units."""
        width = panel_width(target, conv.sums.name)
        tile_rows = 12 if target.vector_registers == 32 else 6 if target.has("fma") else 4
        swapped = _is_swapped(conv, width)
        columns = _static(conv.source.positions, 1) if swapped else _static(conv.windows, 64 * width)
        images = _static(conv.batch, 1) if swapped else 1
        panels, of_rows = -(-columns // width), -(-conv.rows // width)
        work = conv.groups * conv.rows * conv.inner * panels * images * width
        enough = max(1, min(_UNITS_LIMIT, work // _UNIT_WORK))
        patch_bytes = conv.groups * images * panels * conv.inner * width * conv.sums.size
        row = _static(conv.source.axes[-1].outputs, width)  # the more runs in a panel, the longer it takes to pack it
        least = int(_LEAST_ROWS * (1 + width / max(1, min(row, width))))
        ahead = isinstance(conv.windows, int) and conv.source.taps > 1 and patch_bytes <= _AHEAD_BYTES and conv.rows > least
        rows, block = _divide(conv.groups * images, of_rows, panels, width, enough, 0 if ahead else least, ahead)
        return ConvBlocking(width, tile_rows, swapped, ahead, rows, block, _chunk(conv, width, target))

    def tiles(self, rows: int) -> list[tuple[int, int]]:
        """Rows of a panel cut into tiles of about equal size: (first row, rows)."""
        count = -(-rows // self.tile_rows)
        bounds = [rows * number // count for number in range(count + 1)]
        return [(first, last - first) for first, last in pairwise(bounds)]

    def columns(self, conv: ConvProduct) -> Size:
        """Windows that share panels: those of one image, or of all images."""
        return conv.source.positions if self.swapped else conv.windows

    def images(self, conv: ConvProduct) -> Size:
        """Images whose windows are in panels of their own."""
        return conv.batch if self.swapped else 1

    def units(self, conv: ConvProduct) -> Size:
        """The number of blocks (channels x windows)."""
        blocks = ceildiv(ceildiv(self.columns(conv), self.width), self.window_panels)
        return blocks * self.images(conv) * (-(-self.panels_of_rows(conv) // self.channel_panels) * conv.groups)

    def panels_of_rows(self, conv: ConvProduct) -> int:
        """Panels of the weight of a group."""
        return -(-conv.rows // self.width)

    def panel_elements(self, conv: ConvProduct) -> int:
        """Elements of a panel of patches of a chunk."""
        return self.chunk * conv.source.taps * self.width

    def scratch_elements(self, conv: ConvProduct) -> tuple[int, int, int]:
        """Elements of scratch: patches and sums of a unit, room to read a panel past them, and a square of a vector's lanes."""
        buffers = 0 if self.ahead else self.window_panels if self.swapped else 1
        sums = (self.channel_panels * self.window_panels * self.width + 1) * self.width
        return buffers * self.panel_elements(conv), sums, (self.width // 2) ** 2


def _is_swapped(conv: ConvProduct, width: int) -> bool:
    if not isinstance(conv.windows, int) or not conv.windows:
        return False
    of_windows = -(-conv.windows // width) * width / conv.windows
    of_channels = -(-conv.rows // width) * width / conv.rows
    return of_windows >= _IDLE_LANES and of_windows > of_channels


def _chunk(conv: ConvProduct, width: int, target: Target) -> int:
    """Input channels of a chunk: of about equal size, and such that the inner loop needs no remainder."""
    depth = target.k_block * 64 // (width * conv.sums.size)
    chunk = -(-conv.channels // max(1, -(-conv.inner // max(depth, conv.source.taps))))
    return chunk if chunk == conv.channels else min(conv.channels, -(-chunk // DEPTH_STEP) * DEPTH_STEP)


def _divide(planes: int, of_rows: int, panels: int, width: int, enough: int, least: int, ahead: bool) -> tuple[int, int]:
    """Panels of the weight and of patches in a unit: fewer until there are enough units; at least so many rows."""
    rows, block = even_share(of_rows, _BLOCK_ROWS // width), even_share(panels, _BLOCK_PANELS)

    def units() -> int:
        return planes * -(-of_rows // rows) * -(-panels // block)

    while units() < enough and block > 2 and not ahead:
        block = even_share(panels, block - 1)
    while units() < enough and rows > 1 and rows * width // 2 >= least:
        rows = even_share(of_rows, rows // 2)
    while units() < min(enough, _LEAST_UNITS) and block > 1:
        block = even_share(panels, block - 1)
    return rows, block


def _static(size: Size, otherwise: int) -> int:
    return size if isinstance(size, int) else otherwise


_NEAR = 512 << 10
"""Bytes of a weight that stays in a near cache."""


def emit_patches(code: KernelCode, conv: ConvProduct, plan: ConvBlocking) -> None:
    """Pack all patches: `[groups, images, panels, inner, width]`. Tensors: x and the panels; a unit is one chunk of a panel."""
    k = code.code
    packing = PatchPacking(code, conv.source, conv.sums, plan.width)
    chunks = -(-conv.channels // plan.chunk)
    columns, images = index_of(code, plan.columns(conv)), index_of(code, plan.images(conv))
    panels = (columns + (plan.width - 1)).udiv(plan.width)
    for unit in k.range(k.begin, k.end):
        start, panel = unit.urem(chunks) * plan.chunk, unit.udiv(chunks)
        column, plane = panel.urem(panels) * plan.width, panel.udiv(panels)
        image, group = plane.urem(images), plane.udiv(images)
        channel = (group * conv.channels + start) * code.size(conv.source.channel)
        offset = (panel * conv.inner + start * conv.source.taps) * plan.width
        packing.pack(
            k.pointer(code.pointer(0), channel, conv.source.kind),
            image * columns + column,
            k.minimum(columns - column, plan.width),
            k.minimum(conv.channels - start, plan.chunk),
            k.pointer(code.pointer(1), offset, conv.sums),
        )


@dataclass(frozen=True)
class _Unit:
    """A block (channels x windows) of a convolution: its first panels, their counts, and the image of its windows."""

    group: Value
    image: Value
    row: Value
    rows: Value
    panel: Value
    panels: Value


@dataclass(frozen=True)
class _Chunk:
    """A range of input channels whose product is added to the sums."""

    start: Value
    channels: Value
    last: Value


@dataclass(frozen=True)
class _Columns:
    """A panel of windows as lanes: its index in the unit, its patches, and whether its sums are stored directly to the result."""

    number: Value
    patches: Value
    image: Value
    window: Value
    straight: Value


class ProductCode:
    """Emits a convolution as a product. Tensors: x or the panels of its patches, panels of the weight, the bias if any, the result."""

    def __init__(self, code: KernelCode, conv: ConvProduct, plan: ConvBlocking, finish: Finish | None = None) -> None:
        self.code, self.k, self.conv, self.plan, self.finish = code, code.code, conv, plan, finish
        k = self.k
        self.kind, self.lanes = conv.sums, plan.width // 2
        self.vector = self.kind.vector(self.lanes)
        self.positions = index_of(code, conv.source.positions)
        self.columns = index_of(code, plan.columns(conv))
        self.panels = (self.columns + (plan.width - 1)).udiv(plan.width)
        self.images = index_of(code, plan.images(conv))
        self.row_panels = plan.panels_of_rows(conv)
        self.packing = PatchPacking(code, conv.source, conv.sums, plan.width)
        patches, sums, _ = plan.scratch_elements(conv)
        self.sums = k.pointer(k.scratch, patches, conv.sums)
        self.transposed = k.pointer(self.sums, sums, conv.sums)
        self.out = code.pointer(len(code.tensors) - 1)
        self.in_chunks = plan.chunk < conv.channels

    def units(self) -> None:
        """Emit the units of this call: channels vary fastest, so that neighboring units read the same part of x."""
        k, plan = self.k, self.plan
        row_blocks = -(-self.row_panels // plan.channel_panels)
        blocks = (self.panels + (plan.window_panels - 1)).udiv(plan.window_panels)
        for number in k.range(k.begin, k.end):
            rest = number.udiv(row_blocks)
            block, plane = rest.urem(blocks), rest.udiv(blocks)
            row, panel = number.urem(row_blocks) * plan.channel_panels, block * plan.window_panels
            rows = k.minimum(self.row_panels - row, plan.channel_panels)
            panels = k.minimum(self.panels - panel, plan.window_panels)
            self._unit(_Unit(plane.udiv(self.images), plane.urem(self.images), row, rows, panel, panels))

    def _unit(self, unit: _Unit) -> None:
        k, conv, plan = self.k, self.conv, self.plan
        if self.in_chunks:
            self._begin_sums(unit)
        for start in k.range(0, conv.channels, plan.chunk):
            channels = k.minimum(conv.channels - start, plan.chunk)
            chunk = _Chunk(start, channels, start + channels >= conv.channels)
            if plan.swapped:
                self._channels_as_lanes(unit, chunk)
            else:
                self._windows_as_lanes(unit, chunk)

    # -- operands
    def _patches(self, unit: _Unit, chunk: _Chunk, number: Value) -> Value:
        """The address of a packed panel of patches, or where it is to be packed."""
        k, conv, plan = self.k, self.conv, self.plan
        if plan.ahead:
            panel = (unit.group * self.images + unit.image) * self.panels + unit.panel + number
            offset = (panel * conv.inner + chunk.start * conv.source.taps) * plan.width
            return k.pointer(self.code.pointer(0), offset, self.kind)
        return k.pointer(k.scratch, number * plan.panel_elements(conv), self.kind) if plan.swapped else k.scratch

    def _pack(self, unit: _Unit, chunk: _Chunk, number: Value) -> None:
        """Pack a panel of patches, unless a command before has packed it."""
        k, conv, plan = self.k, self.conv, self.plan
        if plan.ahead:
            return
        column = (unit.panel + number) * plan.width
        first = (unit.group * conv.channels + chunk.start) * self.code.size(conv.source.channel)
        self.packing.pack(
            k.pointer(self.code.pointer(0), first, conv.source.kind),
            unit.image * self.columns + column,
            k.minimum(self.columns - column, plan.width),
            chunk.channels,
            self._patches(unit, chunk, number),
        )

    def _weight(self, unit: _Unit, chunk: _Chunk, panel: Value) -> Value:
        offset = (unit.group * self.row_panels + unit.row + panel) * self.conv.inner
        offset = offset + chunk.start * self.conv.source.taps
        return self.k.pointer(self.code.pointer(1), offset * self.plan.width, self.kind)

    def _bias(self, unit: _Unit, row: Value) -> Value:
        """The bias of a channel in all lanes."""
        k, kind = self.k, self.conv.bias_type
        if kind is None:
            return k.constant(0, self.vector)
        bias = k.load(self.code.pointer(2), unit.group * self.conv.rows + row, kind)
        return k.splat(k.convert(bias, self.kind), self.lanes)

    def _biases(self, unit: _Unit, panel: Value) -> list[Value]:
        """The bias of the channels of a panel, one in each lane."""
        k, kind = self.k, self.conv.bias_type
        if kind is None:
            return [k.constant(0, self.vector)] * 2
        row = (unit.row + panel) * self.plan.width
        base = k.pointer(self.code.pointer(2), unit.group * self.conv.rows + row, kind)
        stored = kind.vector(self.lanes)
        parts = [k.load_masked(base, j * self.lanes, self.conv.rows - row - j * self.lanes, stored) for j in range(2)]
        return [k.convert(part, self.kind) for part in parts]

    # -- sums: a square of width x width for each pair of panels
    def _sums(self, number: Value, panel: Value) -> Value:
        offset = (number * self.plan.channel_panels + panel) * self.plan.width**2
        return self.k.pointer(self.sums, offset, self.kind)

    def _begin_sums(self, unit: _Unit) -> None:
        k, plan = self.k, self.plan
        for panel in k.range(unit.rows):
            biases = self._biases(unit, panel) if plan.swapped else []
            for line in k.range(plan.width):
                row = k.minimum((unit.row + panel) * plan.width + line, self.conv.rows - 1)
                values = biases or [self._bias(unit, row)] * 2
                for number in k.range(unit.panels):
                    for j, value in enumerate(values):
                        k.store(value, self._sums(number, panel), line * plan.width + j * self.lanes)

    def _load_sums(self, sums: Value, top: int, count: int) -> list[list[Value]]:
        """Load the partial sums of a tile."""
        width = self.plan.width
        return [[self.k.load(sums, (top + i) * width + j * self.lanes, self.vector) for j in range(2)] for i in range(count)]

    def _tile(
        self, a: Value, b: Value, top: int, chunk: _Chunk, before: list[list[Value]], prefetch: Prefetch | None
    ) -> list[list[Value]]:
        """Multiply rows of panel `a` from `top` on by panel `b`."""
        k, width, taps = self.k, self.plan.width, self.conv.source.taps
        tile = Tile(len(before), 2, self.kind, k.pointer(a, top, self.kind), 1, width, b, width, self.kind)
        even = self.plan.chunk * taps % DEPTH_STEP == 0 and self.conv.inner % DEPTH_STEP == 0
        return product_tile(k, tile, chunk.channels * taps, even=even, prefetch=prefetch, before=before)

    def _prefetch_next(self, chunk: _Chunk, weight: Value, tile: int) -> Prefetch | None:
        """The prefetch of a tile of a large weight: the first two tiles share the lines of the next panel."""
        inner = self.conv.inner * self.plan.width
        if tile > 1 or self.row_panels * self.conv.groups * inner * self.kind.size < _NEAR:
            return None
        lines = chunk.channels * (self.conv.source.taps * 64)
        return Prefetch(self.k.pointer(self.k.pointer(weight, inner, self.kind), lines * tile, I8), 64)

    # -- results
    def _channel(self, unit: _Unit, panel: Value) -> Value:
        """The first output channel of a panel of the weight."""
        return unit.group * self.conv.rows + (unit.row + panel) * self.plan.width

    def _element(self, image: Value, channel: Value, window: Value) -> Value:
        """The index of an element of the result."""
        return (image * (self.conv.groups * self.conv.rows) + channel) * self.positions + window

    def _rows(self, unit: _Unit, panel: Value) -> Value:
        """The output channels of a panel."""
        return self.k.minimum(self.plan.width, self.conv.rows - (unit.row + panel) * self.plan.width)

    def _store(self, sums: Value, image: Value, channel: Value, window: Value, count: Value) -> None:
        """Finish the sums of one channel, and store the first `count`."""
        element = self._element(image, channel, window)
        value = sums if self.finish is None else self.finish(sums, channel, element, count)
        self.k.store_masked(self.k.convert(value, self.conv.out_type), self.out, element, count)

    # -- windows as lanes
    def _windows_as_lanes(self, unit: _Unit, chunk: _Chunk) -> None:
        """Multiply with windows as lanes: a panel of patches stays in L1 while it is multiplied by all channels of the unit."""
        k, plan, rest = self.k, self.plan, self.conv.rows % self.plan.width
        stored_as_they_are = self.finish is None and self.conv.out_type == self.kind
        for number in k.range(unit.panels):
            self._pack(unit, chunk, number)
            column = (unit.panel + number) * plan.width
            image, window = column.udiv(self.positions), column.urem(self.positions)
            straight = chunk.last & (window + plan.width <= self.positions) & int(stored_as_they_are)
            columns = _Columns(number, self._patches(unit, chunk, number), image, window, straight)
            full = unit.rows if rest == 0 else k.minimum(unit.rows, self.row_panels - 1 - unit.row)
            for panel in k.range(full):
                self._multiply_channels(unit, chunk, columns, panel, plan.width)
            for panel in k.range(full, unit.rows) if rest else ():
                self._multiply_channels(unit, chunk, columns, panel, rest)
            with k.when(chunk.last & ~straight):
                self._finish_windows(unit, number, column)

    def _multiply_channels(self, unit: _Unit, chunk: _Chunk, columns: _Columns, panel: Value, height: int) -> None:
        """Multiply a panel of windows by a panel of channels. The last sums go directly to the result if one image has all windows."""
        k, width = self.k, self.plan.width
        sums, weight = self._sums(columns.number, panel), self._weight(unit, chunk, panel)
        element = self._element(columns.image, self._channel(unit, panel), columns.window)
        out = k.pointer(self.out, element, self.conv.out_type)
        target, stride = k.select(columns.straight, out, sums), k.select(columns.straight, self.positions, width)
        for number, (top, count) in enumerate(self.plan.tiles(height)):
            if self.in_chunks:
                before = self._load_sums(sums, top, count)
            else:
                row = (unit.row + panel) * width + top
                before = [[self._bias(unit, row + i)] * 2 for i in range(count)]
            prefetch = self._prefetch_next(chunk, weight, number)
            for i, line in enumerate(self._tile(weight, columns.patches, top, chunk, before, prefetch)):
                for j, total in enumerate(line):
                    k.store(total, target, stride * (top + i) + j * self.lanes)

    def _finish_windows(self, unit: _Unit, number: Value, column: Value) -> None:
        """Store the sums of a panel of windows in the result, image by image."""
        k, plan = self.k, self.plan
        count = k.minimum(self.columns - column, plan.width)
        at = k.var(0)
        with k.loop() as loop:
            begin = at.get()
            image, window = (column + begin).udiv(self.positions), (column + begin).urem(self.positions)
            length = k.minimum(self.positions - window, count - begin)
            for panel in k.range(unit.rows):
                channel, sums = self._channel(unit, panel), self._sums(number, panel)
                for line in k.range(self._rows(unit, panel)):
                    for offset in k.range(0, length, self.lanes):
                        value = k.load(sums, line * plan.width + begin + offset, self.vector)
                        self._store(value, image, channel + line, window + offset, length - offset)
            at.set(begin + length)
            loop.stop(at.get() >= count)

    # -- channels as lanes
    def _channels_as_lanes(self, unit: _Unit, chunk: _Chunk) -> None:
        """Multiply with channels as lanes: a panel of the weight stays in L1 while it is multiplied by all windows of the unit."""
        k, plan, positions = self.k, self.plan, self.conv.source.positions
        assert isinstance(positions, int)
        rest = positions % plan.width
        for number in k.range(unit.panels):
            self._pack(unit, chunk, number)
        for panel in k.range(unit.rows):
            weight = self._weight(unit, chunk, panel)
            full = unit.panels if rest == 0 else k.minimum(unit.panels, self.panels - 1 - unit.panel)
            for number in k.range(full):
                self._multiply_windows(unit, chunk, panel, weight, number, plan.width)
            for number in k.range(full, unit.panels) if rest else ():
                self._multiply_windows(unit, chunk, panel, weight, number, rest)
            with k.when(chunk.last):
                for number in k.range(unit.panels):
                    self._finish_channels(unit, number, panel)

    def _multiply_windows(self, unit: _Unit, chunk: _Chunk, panel: Value, weight: Value, number: Value, height: int) -> None:
        """Multiply a panel of channels by a panel of windows."""
        patches, sums = self._patches(unit, chunk, number), self._sums(number, panel)
        for tile, (top, count) in enumerate(self.plan.tiles(height)):
            before = self._load_sums(sums, top, count) if self.in_chunks else [self._biases(unit, panel)] * count
            totals = self._tile(patches, weight, top, chunk, before, self._prefetch_next(chunk, weight, tile))
            for i, line in enumerate(totals):
                for j, total in enumerate(line):
                    self.k.store(total, sums, (top + i) * self.plan.width + j * self.lanes)

    def _finish_channels(self, unit: _Unit, number: Value, panel: Value) -> None:
        """Store the sums of a pair of panels in the result, transposing squares of a vector's lanes."""
        k, plan = self.k, self.plan
        column = (unit.panel + number) * plan.width
        sums, channel, height = self._sums(number, panel), self._channel(unit, panel), self._rows(unit, panel)
        for first in k.range(0, k.minimum(self.columns - column, plan.width), self.lanes):
            count = self.columns - column - first
            for lane in k.range(0, height, self.lanes):
                square = [k.load(sums, (first + i) * plan.width + lane, self.vector) for i in range(self.lanes)]
                for i, line in enumerate(k.transpose(square)):
                    k.store(line, self.transposed, i * self.lanes)
                for row in k.range(k.minimum(self.lanes, height - lane)):
                    value = k.load(self.transposed, row * self.lanes, self.vector)
                    self._store(value, unit.image, channel + lane + row, column + first, count)
