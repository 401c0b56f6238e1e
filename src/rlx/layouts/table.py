"""Which layouts there are, by the names in texts: ours, and those of devices that other packages register."""

from __future__ import annotations

from functools import lru_cache

from rlx.core.errors import RlxError
from rlx.core.this_process import import_to_stay
from rlx.layouts.panels import Panels
from rlx.layouts.stored_rows import StoredRows
from rlx.layouts.transposed_rows import TransposedRows
from rlx.layouts.weight_layout import WeightLayout

_DEVICES = "rlx.backends.registry"
"""The module that finds a device of another package, imported for a name that begins with a device's and a dot."""


def parse_layout(layout: WeightLayout | str) -> WeightLayout:
    """The layout that prints as a name.

    >>> parse_layout("pair16")
    Panels(width=16, sources=2, steps=1)
    """
    return layout if isinstance(layout, WeightLayout) else _find_layout(str(layout))


@lru_cache(maxsize=256)
def _find_layout(name: str) -> WeightLayout:
    device, dot, _ = name.partition(".")
    if dot:
        layout: WeightLayout | None = import_to_stay(_DEVICES).find_backend(device).layouts.get(name)
    else:
        layout = Panels.of_name(name) or StoredRows.of_name(name) or TransposedRows.of_name(name)
    if layout is None:
        fix = "panel16, pair16 for two matrices (an even width), rows8_q4k, rows, row_pair, or DEVICE.NAME for another device's"
        raise RlxError("RLX105", f"{name!r:.60} is not a layout of {repr(device) if dot else 'a weight'}", fix=fix)
    return layout
