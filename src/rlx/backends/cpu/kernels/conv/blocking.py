"""Convolutions that mix channels, as matrix products: what is multiplied, and how it is cut into units.

    out[image, channel, window]  =  bias[channel] + Σ over inner  weight[channel, inner] · patches[inner, (image, window)]

Both operands are panels, `[inner, width]` with `width` channels or windows side by side. Usually windows are the lanes of vectors, counted
over all images, so that small images share a panel. Where so few windows there are that they leave lanes idle, channels are the lanes
(`swapped`), image by image, and sums are transposed at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from rlx.backends.cpu.emit.types import F32, Type
from rlx.backends.cpu.kernels.conv.patches import PatchSource
from rlx.backends.cpu.kernels.matmul.blocking import panel_width
from rlx.backends.cpu.kernels.matmul.tile import DEPTH_STEP
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
_MOST_UNITS = 32
_AHEAD_BYTES = 5 << 19
"""Bytes of patches that are packed by a command of their own, if several units would pack the same ones."""
_IDLE_LANES = 1.08
"""Lanes over windows from which on channels become the lanes."""


@dataclass(frozen=True)
class ConvProduct:
    """One convolution as a product."""

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
        """The type of the sums."""
        return F32 if self.source.kind.is_low_float else self.source.kind

    @property
    def inner(self) -> int:
        """Products of a sum."""
        return self.channels * self.source.taps

    @property
    def windows(self) -> Size:
        """Windows of all images."""
        return self.batch * self.source.positions


@dataclass(frozen=True)
class ConvBlocking:
    """Sizes of tiles and blocks: functions of shapes and the target only."""

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
        """Blocks for the caches, smaller where that gives threads enough units."""
        width = panel_width(target, conv.sums.name)
        tile_rows = 12 if target.vector_registers == 32 else 6 if target.has("fma") else 4
        swapped = _is_swapped(conv, width)
        columns, images = _known(conv.windows, 64 * width), 1
        if swapped:
            columns, images = _known(conv.source.positions, 1), _known(conv.batch, 1)
        panels, of_rows = -(-columns // width), -(-conv.rows // width)
        work = conv.groups * conv.rows * conv.inner * panels * images * width
        wanted = max(1, min(_MOST_UNITS, work // _UNIT_WORK))
        patch_bytes = conv.groups * images * panels * conv.inner * width * conv.sums.size
        static = isinstance(conv.windows, int)
        least = _least_rows(conv, width)
        ahead = static and conv.source.taps > 1 and patch_bytes <= _AHEAD_BYTES and conv.rows > least
        rows, block = _share(of_rows, _BLOCK_ROWS // width), _share(panels, _BLOCK_PANELS)

        def units() -> int:
            return conv.groups * images * -(-of_rows // rows) * -(-panels // block)

        while units() < wanted and block > 2 and not ahead:
            block = _share(panels, block - 1)
        while units() < wanted and rows > 1 and (ahead or rows * width // 2 >= least):
            rows = _share(of_rows, rows // 2)
        while units() < min(wanted, _LEAST_UNITS) and block > 1:
            block = _share(panels, block - 1)
        return ConvBlocking(width, tile_rows, swapped, ahead, rows, block, _chunk(conv, width, target))

    def tiles(self, rows: int) -> list[tuple[int, int]]:
        """Rows of a panel cut into tiles of about equal size: (first row, rows)."""
        count = -(-rows // self.tile_rows)
        bounds = [rows * number // count for number in range(count + 1)]
        return [(first, last - first) for first, last in pairwise(bounds)]

    def columns(self, conv: ConvProduct) -> Size:
        """Windows that fall into panels together: of an image, or of all of them."""
        return conv.source.positions if self.swapped else conv.windows

    def images(self, conv: ConvProduct) -> Size:
        """Images whose windows are in panels of their own."""
        return conv.batch if self.swapped else 1

    def units(self, conv: ConvProduct) -> Size:
        """How many blocks of channels x windows there are."""
        blocks = ceildiv(ceildiv(self.columns(conv), self.width), self.window_panels)
        return blocks * self.images(conv) * (-(-self.panels_of_rows(conv) // self.channel_panels) * conv.groups)

    def panels_of_rows(self, conv: ConvProduct) -> int:
        """Panels of the weight of a group."""
        return -(-conv.rows // self.width)

    def panel_elements(self, conv: ConvProduct) -> int:
        """A panel of the patches of a chunk."""
        return self.chunk * conv.source.taps * self.width

    def scratch_elements(self, conv: ConvProduct) -> tuple[int, int, int]:
        """Patches and sums of a unit, with room to read a panel past the sums, and a square of a vector's lanes."""
        buffers = 0 if self.ahead else self.window_panels if self.swapped else 1
        sums = (self.channel_panels * self.window_panels * self.width + 1) * self.width
        return buffers * self.panel_elements(conv), sums, (self.width // 2) ** 2


def _is_swapped(conv: ConvProduct, width: int) -> bool:
    if not isinstance(conv.windows, int) or not conv.windows:
        return False
    of_windows = -(-conv.windows // width) * width / conv.windows
    of_channels = -(-conv.rows // width) * width / conv.rows
    return of_windows >= _IDLE_LANES and of_windows > of_channels


def _least_rows(conv: ConvProduct, width: int) -> int:
    """So many channels that packing patches takes a small part of the time: the more runs in a panel, the longer it takes."""
    row = _known(conv.source.axes[-1].outputs, width)
    return int(_LEAST_ROWS * (1 + width / max(1, min(row, width))))


def _chunk(conv: ConvProduct, width: int, target: Target) -> int:
    """Channels of a chunk: of about equal size, and so that the inner loop needs no remainder."""
    depth = target.k_block * 64 // (width * conv.sums.size)
    chunk = -(-conv.channels // max(1, -(-conv.inner // max(depth, conv.source.taps))))
    return chunk if chunk == conv.channels else min(conv.channels, -(-chunk // DEPTH_STEP) * DEPTH_STEP)


def _known(size: Size, otherwise: int) -> int:
    return size if isinstance(size, int) else otherwise


def _share(total: int, most: int) -> int:
    """At most `most`, so that shares of `total` are about equal."""
    most = max(1, min(most, total))
    return -(-total // -(-total // most)) if total else 1
