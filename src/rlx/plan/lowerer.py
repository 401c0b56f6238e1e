"""The backend's side of planning: how it lowers an op to stages."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol

from rlx.core.dim import Size
from rlx.ir.op import Op
from rlx.ir.parse_lir import Place


class StageLike(Protocol):
    """The fields of a backend's stage that planning reads."""

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
    """The fields of a backend's lowering that planning reads."""

    @property
    def stages(self) -> Sequence[StageLike]: ...
    @property
    def temporaries(self) -> Sequence[Any]: ...
    @property
    def in_place(self) -> tuple[tuple[int, int], ...]: ...


class Lowerer(Protocol):
    """The interface of a backend for planning: lowers ops, copies and NaN traps to commands."""

    name: str
    traps: bool  # compiling under trap_nan: bodies of loops and branches are checked too

    def lower(self, op: Op, inputs: tuple[Place | None, ...], outputs: tuple[Place, ...]) -> LoweringLike | str:
        """Lowers one op to commands, or returns the reason why it cannot read these layouts."""
        ...

    def copy(self, source: Place, target: Place) -> LoweringLike:
        """Returns commands that copy a tensor."""
        ...

    def trap(self, name: str, place: Place) -> LoweringLike | None:
        """Returns commands that fail if a value of op `name` is not finite; None for a dtype without NaN."""
        ...
