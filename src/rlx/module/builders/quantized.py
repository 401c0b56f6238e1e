"""fake_quantize, with the state that a running average of scales needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlx.core.errors import RlxError
from rlx.ir.value import Value
from rlx.module.emitter import Tensor
from rlx.ops.quantized.fake_quantize import ScaleMode, Ste

if TYPE_CHECKING:
    from rlx.module.builders.table import Builders


def fake_quantize(
    self: Builders,
    x: Tensor,
    scale: Tensor | None = None,
    *,
    bits: int = 8,
    axis: int | None = None,
    ste: Ste | str = "identity",
    scale_mode: ScaleMode | str = "per_batch",
    name: str | None = None,
) -> tuple[Value, Value]:
    """x on the grid of a quantized number, clamp(round(x/s), ±q_max)·s, and the scale that was used.

    With scale_mode ema(decay) and no scale, the average is kept in the state `<name>_scale`: the first run takes its own.

    >>> from rlx.module import Graph
    >>> g = Graph("g")
    >>> y, scale = g.fake_quantize(g.input("x", (4, 8)), scale_mode="ema(0.9)", name="act")
    >>> list(g.updates)
    ['act_scale']
    """
    mode = ScaleMode.parse(scale_mode)
    grid = {"bits": bits, "axis": axis}
    if mode.kind == "ema" and scale is None:
        if name is None:
            message = f"fake_quantize with scale_mode {mode} keeps a state, which needs a name"
            raise RlxError("RLX105", message, fix="name=…, or give the scale")
        _, own = self._many("fake_quantize", (x, None), grid)
        kept = self.state(f"{name}_scale", own.type)
        scale = self.where(kept == 0.0, own, kept)
        found, new = self._many("fake_quantize", (x, scale), {**grid, "ste": ste, "scale_mode": mode}, name)
        self.update(f"{name}_scale", new)
        return found, new
    found, used = self._many("fake_quantize", (x, scale), {**grid, "ste": ste, "scale_mode": mode}, name)
    return found, used
