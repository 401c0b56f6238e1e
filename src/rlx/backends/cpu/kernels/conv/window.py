"""Windows along the axes of an image: what convolutions and pools have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.core.dim import Size
from rlx.ir.op import Op


@dataclass(frozen=True)
class WindowAxis:
    """One axis: its size, how many windows there are, and where the taps of a window lie."""

    size: Size
    outputs: Size
    kernel: int = 1
    stride: int = 1
    padding: int = 0
    dilation: int = 1

    @property
    def reach(self) -> int:
        """Elements from the first tap of a window to its last."""
        return (self.kernel - 1) * self.dilation + 1

    @property
    def is_plain(self) -> bool:
        """Whether each output is one element, in order."""
        return self.kernel == 1 and self.stride == 1 and self.padding == 0

    def span(self, outputs: int) -> int:
        """Elements under so many neighbouring windows."""
        return (outputs - 1) * self.stride + self.reach

    def valid(self, code: KernelCode, start: Value, count: Value) -> tuple[Value, Value]:
        """Of `count` elements from `start`, which may lie outside the axis, the range [first, last) that exists."""
        k = code.code
        first = k.minimum(k.maximum(-start, 0), count)
        last = k.maximum(k.minimum(count, index_of(code, self.size) - start), first)
        return first, last


def window_axes(op: Op, sizes: Sequence[Size], outputs: Sequence[Size]) -> tuple[WindowAxis, ...]:
    """The window axes of a convolution or pool, outermost first."""
    kernel, stride, padding = (op.attrs[name] for name in ("kernel_size", "stride", "padding"))
    dilation = op.attrs.get("dilation", (1,) * len(kernel))
    return tuple(WindowAxis(*each) for each in zip(sizes, outputs, kernel, stride, padding, dilation, strict=True))


def as_planes(axes: tuple[WindowAxis, ...]) -> tuple[WindowAxis, WindowAxis] | None:
    """One or two axes as rows and columns; None for more."""
    if len(axes) == 1:
        return WindowAxis(1, 1), axes[0]
    return (axes[0], axes[1]) if len(axes) == 2 else None
