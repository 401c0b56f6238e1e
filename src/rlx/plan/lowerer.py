"""The backend's side of planning: how it lowers an op to stages."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol

from rlx.core.dim import Size
from rlx.ir.op import Op
from rlx.ir.parse_lir import Place


class StageLike(Protocol):
    """What planning reads of a backend's stage."""

    @property
    def name(self) -> str: ...
    @property
    def operands(self) -> tuple[int, ...]: ...
    @property
    def units(self) -> Size: ...
    @property
    def scratch(self) -> Size: ...
    @property
    def key(self) -> Hashable: ...
    @property
    def reads(self) -> tuple[int, ...]: ...


class LoweringLike(Protocol):
    """What planning reads of a backend's lowering."""

    @property
    def stages(self) -> Sequence[StageLike]: ...
    @property
    def temporaries(self) -> Sequence[Any]: ...
    @property
    def in_place(self) -> tuple[tuple[int, int], ...]: ...


class Lowerer(Protocol):
    """The backend's side of planning."""

    name: str
    traps: bool  # compiling under trap_nan: bodies of loops and branches are looked into as well

    def lower(self, op: Op, inputs: tuple[Place | None, ...], outputs: tuple[Place, ...]) -> LoweringLike | str:
        """Commands for one op, or the reason these layouts cannot be read."""
        ...

    def copy(self, source: Place, target: Place) -> LoweringLike:
        """Commands that copy a tensor."""
        ...

    def trap(self, name: str, place: Place) -> LoweringLike | None:
        """Commands that fail when a value of op `name` is not finite; None when its dtype always is."""
        ...
