"""Rows that are each divided by one number, such as those of a softmax by their sums."""

from __future__ import annotations

from rlx.backends.cuda.text import KernelText


class RowQuotients:
    """Quotients by a reciprocal, computed once, and the rest it leaves: a third of a division's instructions.

    The divisor is brought near 1 by a power of two first, so that its reciprocal is no denormal. What is not finite leaves no rest. The
    same as a division, but for the last bit where an operand or the result is denormal.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, str, str]] = {}

    def write(self, k: KernelText, over: str, under: str) -> str:
        """The quotient of a tile by a column of f32, as an expression."""
        if under not in self._known:
            small, large = (f"(tl.abs({under}) {sign} {2.0**power!r})" for sign, power in (("<", -60), (">", 64)))
            scale = k.let(f"tl.where({small}, {2.0**64!r}, tl.where({large}, {2.0**-64!r}, 1.0))")
            near = k.let(f"{under} * {scale}")
            self._known[under] = near, k.let(f"tl.div_rn(tl.full((1, 1), 1.0, tl.float32), {near})"), scale
        near, reciprocal, scale = self._known[under]
        first = k.let(f"{over} * {reciprocal}")
        rest = k.let(f"tl.fma(-{first}, {near}, {over})")
        finite = f'tl.abs({rest}) < float("inf")'
        return f"tl.where({finite}, tl.fma({rest}, {reciprocal}, {first}), {first}) * {scale}"
