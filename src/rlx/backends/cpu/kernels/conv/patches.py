"""The patches under some windows as a panel of a matrix product: `[channels x taps, columns]`, one column for each window.

Windows are counted over all images, in the order of the outputs. The columns of a panel fall into *runs*: neighbors in one row of
outputs, of which a tap reads neighbors in one row of x. Outside the image there are zeros.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.values import Type, Value
from rlx.backends.cpu.kernels.conv.form import WindowAxis
from rlx.backends.cpu.kernels.movement.runs import index_of, unravel
from rlx.core.dim import Size, product

_SHUFFLED_STRIDE = 4
"""Up to this stride neighbours are shuffled out of full vectors; beyond it they are loaded one by one."""


@dataclass(frozen=True)
class PatchSource:
    """The source of convolution patches (im2col): an image of `[N, C, …]` and its windows."""

    kind: Type
    axes: tuple[WindowAxis, ...]
    image: Size
    channel: Size
    strides: tuple[Size, ...]
    """Element strides of x: between images, between channels, along the window axes, of which the last is 1."""

    @property
    def taps(self) -> int:
        """Elements of a window in one channel."""
        count = 1
        for axis in self.axes:
            count *= axis.kernel
        return count

    @property
    def positions(self) -> Size:
        """Windows of an image."""
        return product(axis.outputs for axis in self.axes)


def join_plain_axes(axes: tuple[WindowAxis, ...], strides: tuple[Size, ...]) -> tuple[tuple[WindowAxis, ...], tuple[Size, ...]]:
    """Merge the last axes as long as each window is one element: the rows of an image are then one row."""
    while len(axes) > 1 and axes[-1].is_plain and axes[-2].is_plain and strides[-2] == axes[-1].size:
        size = axes[-2].size * axes[-1].size
        axes, strides = (*axes[:-2], WindowAxis(size, size)), (*strides[:-2], strides[-1])
    return axes, strides


class PatchPacking:
    """Emits the packing of convolution patches into panels of `width` columns, two vectors."""

    def __init__(self, code: KernelCode, source: PatchSource, kind: Type, width: int) -> None:
        self.code, self.k, self.source, self.kind, self.width = code, code.code, source, kind, width
        outputs = source.axes[-1].outputs
        self.longest = min(width, outputs) if isinstance(outputs, int) else width
        """Columns of the longest run."""
        self.lanes = width // 2
        while self.lanes > 4 and self.longest <= self.lanes // 2:
            self.lanes //= 2
        self.positions = index_of(code, source.positions)

    def pack(self, x: Value, column: Value, count: Value, channels: Value, panel: Value) -> None:
        """Pack `count` columns from window `column` on, of so many channels of x."""
        k = self.k
        at = k.var(0)
        with k.loop() as loop:
            begin = at.get()
            window = column + begin
            image, position = window.udiv(self.positions), window.urem(self.positions)
            outputs = unravel(self.code, position, [axis.outputs for axis in self.source.axes])
            length = k.minimum(index_of(self.code, self.source.axes[-1].outputs) - outputs[-1], count - begin)
            base = k.pointer(x, image * self.code.size(self.source.image), self.source.kind)
            for offset, tap, first, last in self._taps(outputs, length):
                self._run(k.pointer(base, offset, self.source.kind), panel, tap, begin, length, first, last, channels)
            at.set(begin + length)
            loop.stop(at.get() >= count)

    def _taps(self, outputs: list[Value], length: Value) -> Generator[tuple[Value, Value, Value, Value]]:
        """For each tap: the element of x it reads for the run's first window, its index, and the windows [first, last) that have it."""
        k = self.k

        def visit(number: int, offset: Value, tap: Value, inside: Value) -> Generator[tuple[Value, Value, Value, Value]]:
            axis, stride = self.source.axes[number], self.code.size(self.source.strides[number])
            start = outputs[number] * axis.stride - axis.padding
            for step in k.range(axis.kernel):
                index = start + step * axis.dilation
                following = tap * axis.kernel + step
                if number + 1 < len(self.source.axes):
                    size = index_of(self.code, axis.size)
                    exists = inside if axis.padding == 0 else inside & index.ult(size)
                    yield from visit(number + 1, offset + index * stride, following, exists)
                else:
                    yield offset + index, following, *self._windows_inside(axis, index, length, inside)

        yield from visit(0, k.index(0), k.index(0), k.compare("eq", 0, 0))

    def _windows_inside(self, axis: WindowAxis, index: Value, length: Value, inside: Value) -> tuple[Value, Value]:
        """The windows of a run whose tap is inside the row; none if the row is outside the image."""
        k = self.k
        if axis.padding == 0:
            return k.index(0), (length if inside.constant else k.select(inside, length, 0))
        first = k.minimum(k.maximum(-index + (axis.stride - 1), 0).udiv(axis.stride), length)
        beyond = k.maximum(index_of(self.code, axis.size) - index + (axis.stride - 1), 0).udiv(axis.stride)
        last = k.maximum(k.minimum(beyond, length), first)
        return first, k.select(inside, last, first)

    def _run(
        self, base: Value, panel: Value, tap: Value, begin: Value, length: Value, first: Value, last: Value, channels: Value
    ) -> None:
        """Copy one tap of a run in every channel. A vector that would end past the panel starts earlier and preserves what is there."""
        k, lanes = self.k, self.lanes
        row = k.pointer(panel, tap * self.width, self.kind)
        if self.source.axes[-1].stride > _SHUFFLED_STRIDE:
            self._one_by_one(base, k.pointer(row, begin, self.kind), length, first, last, channels)
            return
        for offset in range(0, self.longest, lanes):
            with k.when(length > offset):
                past = begin + (offset + lanes - self.width)
                with k.when(past <= 0):
                    self._vectors(base, row, begin, k.index(offset), None, first, last, channels)
                with k.otherwise():
                    mask = k.lane_mask(past, lanes)
                    self._vectors(base, row, begin, offset - past, mask, first, last, channels)

    def _vectors(
        self, base: Value, row: Value, begin: Value, offset: Value, mask: Value | None, first: Value, last: Value, channels: Value
    ) -> None:
        """Copy a vector of a run in every channel. Zeros overwrite what comes after the run: the next run is packed later."""
        k, lanes = self.k, self.lanes
        stride = self.source.axes[-1].stride
        low, high = (first - offset) * stride, (last - offset - 1) * stride + 1
        masks = [k.lane_mask(high - part, lanes) & ~k.lane_mask(low - part, lanes) for part in range(0, stride * lanes, lanes)]
        if k.target.has("avx2"):
            self._move(base, row, begin, offset, mask, masks, channels)
            return
        with k.when((low <= 0) & (high > (lanes - 1) * stride)):  # masked loads are one by one here
            self._move(base, row, begin, offset, mask, None, channels)
        with k.otherwise():
            self._move(base, row, begin, offset, mask, masks, channels)

    def _move(
        self, base: Value, row: Value, begin: Value, offset: Value, mask: Value | None, masks: list[Value] | None, channels: Value
    ) -> None:
        """Copy one vector of every channel; without masks all lanes exist, and no element past the last one is read."""
        k, lanes, source = self.k, self.lanes, self.source
        stride = source.axes[-1].stride
        stored = source.kind.vector(lanes)
        back = stride - 1 if masks is None else 0
        starts = [part * lanes - (back if part == stride - 1 else 0) for part in range(stride)]
        for channel in k.range(channels):
            line = k.pointer(base, channel * self.code.size(source.channel) + offset * stride, source.kind)
            if source.taps == 1:  # each element is read once: the next panel's lines come from memory
                k.prefetch(line, self.width * stride * source.kind.size)
            if masks is None:
                parts = [k.load(line, start, stored) for start in starts]
            else:
                parts = [k.load_where(line, start, exists, stored) for start, exists in zip(starts, masks, strict=True)]
            value = k.convert(_pick_every(self, parts, stride, back), self.kind)
            at = channel * (source.taps * self.width) + begin + offset
            if mask is not None:
                value = k.select(mask, k.load(row, at, value.type), value)
            k.store(value, row, at)

    def _one_by_one(self, base: Value, row: Value, length: Value, first: Value, last: Value, channels: Value) -> None:
        k, source = self.k, self.source
        stride = source.axes[-1].stride
        for channel in k.range(channels):
            line = k.pointer(base, channel * self.code.size(source.channel), source.kind)
            target = k.pointer(row, channel * (source.taps * self.width), self.kind)
            for bounds in ((k.index(0), first), (last, length)):
                for at in k.range(*bounds):
                    k.store(k.constant(0, self.kind), target, at)
            for at in k.range(first, last):
                k.store(k.convert(k.load(line, at * stride, source.kind), self.kind), target, at)


def _pick_every(packing: PatchPacking, parts: list[Value], stride: int, back: int) -> Value:
    """Select every `stride`-th element of some vectors in a row, of which the last starts `back` elements early."""
    lanes = packing.lanes
    sources = [divmod(lane * stride, lanes) for lane in range(lanes)]  # part and index in it
    sources = [(part, index + (back if part == stride - 1 else 0)) for part, index in sources]
    result = parts[0]
    for number, other in enumerate(parts[1:], 1):
        before = [index if number == 1 else lane for lane, (_, index) in enumerate(sources)]
        picked = [
            lanes + index if part == number else before[lane] if part < number else None
            for lane, (part, index) in enumerate(sources)
        ]
        result = packing.k.shuffle(result, other, picked)
    return result
