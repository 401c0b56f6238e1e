"""Windows that do not mix channels: what is computed of each plane, and how it is cut into bands, tiles and units."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.types import F32, Type
from rlx.backends.cpu.kernels.conv.window import WindowAxis
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, product

_BAND_BYTES = 20 << 10
"""Bytes of a band: it stays in L1 while its windows are computed."""
_MOST_COLUMNS = 256
"""Outputs of a row that are computed at a time, where a row is longer."""
UNROLLED_ROWS = 11
"""Up to so many taps along rows, the code of a tile names each of them."""
_UNIT_STEPS = 20_000
"""Vector steps of a unit: about ten microseconds."""


@dataclass(frozen=True)
class PlaneWindows:
    """One depthwise convolution or pool."""

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
        """The type of the sums."""
        return F32 if self.x_type.is_low_float else self.x_type

    @property
    def taps(self) -> int:
        """Elements of a window."""
        return self.rows.kernel * self.columns.kernel


@dataclass(frozen=True)
class PlaneBlocking:
    """Sizes of tiles and bands; functions of shapes and the target only."""

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
        """Tiles as large as registers hold, bands as high as L1 holds."""
        rows, columns = windows.rows, windows.columns
        lanes, width = target.lanes(windows.sums), columns.outputs
        while isinstance(width, int) and lanes > 4 and width <= lanes // 2:
            lanes //= 2
        needed = -(-width // lanes) if isinstance(width, int) else 4
        vectors = max(1, min(4, needed))
        height = rows.outputs if isinstance(rows.outputs, int) else 1 << 30
        most = (20 if target.vector_registers == 32 else 8) // vectors
        tile_rows = _even_share(height, most) if rows.kernel <= UNROLLED_ROWS else 1
        tile = vectors * lanes
        band_columns = -(-min(width if isinstance(width, int) else _MOST_COLUMNS, _MOST_COLUMNS) // tile) * tile
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
        """A band, and the row from which columns are sorted."""
        return (windows.rows.span(self.band_rows) + 1) * self.pitch + self.lanes

    def scratch_bytes(self, windows: PlaneWindows) -> int:
        """The band, then the taps of a channel."""
        return (self.band_elements(windows) + windows.taps) * windows.sums.size

    def units(self, windows: PlaneWindows) -> Size:
        """A few bands each."""
        bands = ceildiv(windows.rows.outputs, self.band_rows), ceildiv(windows.columns.outputs, self.band_columns)
        return ceildiv(product((windows.batch, windows.channels, *bands)), self.pieces)

    def leaves_rows(self, windows: PlaneWindows) -> bool:
        """Whether rows may be left after the whole tiles of a band."""
        height = windows.rows.outputs
        return self.tile_rows > 1 and not (isinstance(height, int) and height % self.tile_rows == 0)


def _even_share(total: int, most: int) -> int:
    """At most `most`, so that shares of `total` are about equal."""
    most = max(1, min(most, total))
    return -(-total // -(-total // most)) if total else 1
