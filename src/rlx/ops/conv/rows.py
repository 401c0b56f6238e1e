"""Depthwise convolutions of rows `[B, S, C]` with the channels last, as shifted products."""

from __future__ import annotations

from rlx.ops.movement.parts import narrow
from rlx.ops.record import Size, Value


def shifted_products(x: Value, taps: Value, distance: int, length: Size) -> Value:
    """Σ_j x[:, j·distance + s]·taps[c, j] for s below `length`: a product and a sum for each of the few taps `[C, K]`.

    Turned, a tap of all channels lies side by side; for a param that is done once.
    """
    channels, count = taps.shape
    turned = taps.transpose(1, 0)
    terms = [
        narrow(x, axis=1, start=tap * distance, length=length) * narrow(turned, axis=0, start=tap, length=1).reshape(channels)
        for tap in range(int(count))
    ]
    total: Value = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
